#!/usr/bin/env python3
"""A harness in the house shape: assertions that print PASS or FAIL, and exit 1 when one is false.

It is a scaffold. Its one assertion is true whatever the project does, so it proves nothing and row
HS-02 fails it as soon as a commit is pinned. Replace the assertion by a probe of your own change.

Run it from the root of the repository: python3 checks/assert.py

What this cannot see: anything that no assertion below looks at.
"""

import os
import re
import sys

PRE_COMMIT = os.environ.get("GOBLIN_PRE_COMMIT", "")
"""Set in a replay, where the tree is the commit before the change and a probe of it must be red."""

failures: list[str] = []
asserted: list[str] = []


def assert_that(name: str, ok: bool, detail: str = "") -> None:
    """Record one assertion and print it; `detail` says what was measured."""
    asserted.append(name)
    if not ok:
        failures.append(name)
    print(f"{'PASS' if ok else 'FAIL'}  {name} - {detail}")


_STRING = rb'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
_TOKENS = {
    "#": re.compile(rb'"""(?:\\.|.)*?"""|\'\'\'(?:\\.|.)*?\'\'\'|' + _STRING + rb"|#[^\n]*", re.DOTALL),
    "//": re.compile(_STRING + rb"|`(?:\\.|[^`\\])*`|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL),
}


def blank_comments(source: bytes, style: str = "//") -> bytes:
    """The same source with each comment turned into spaces: lines and byte positions stay true.

    `style` is `#` (Python, shell, YAML) or `//` (C, Java, JavaScript, with /* */ too). A mark inside
    a string is no comment. A probe that reads source looks here, not at the raw text.
    """

    def blank(match: re.Match[bytes]) -> bytes:
        token = match.group()
        return re.sub(rb"[^\n]", b" ", token) if token.startswith((b"#", b"//", b"/*")) else token

    return _TOKENS[style].sub(blank, source)


# The assertions.
assert_that("scaffold", True, "true by construction: replace it by a probe of this project")

# REPLAY: assertions about the change itself go here. They are red on the commit before the change,
# which is where goblin-verify runs this file with GOBLIN_PRE_COMMIT set to that commit.
if PRE_COMMIT:
    print(f"replay on {PRE_COMMIT[:12]}: each probe of the change must be red here")

print(f"{len(asserted) - len(failures)}/{len(asserted)} passed")
sys.exit(1 if failures else 0)
