"""HS: harnesses. Whether the probes of a repository look at code, and not at what only looks like it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goblin.outcome import CheckFailed, Finding, Outcome, advisory

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.harness import Harness, HarnessFile

_JS_READS = re.compile(r"\b(?:readFile(?:Sync)?|createReadStream|readTextFile(?:Sync)?|Bun\s*\.\s*file)\s*\(")
_PY_READS = re.compile(r"(?<![\w.])open\s*\(|\.\s*(?:open|read_text|read_bytes)\s*\(")
# In a pipe these read another program's output; at its head they read files.
_SH_READS = re.compile(
    r"(?:^|[;&({!]|\|\||\b(?:then|else|do|if|while|until|run))[ \t]*"
    r"(?:git[ \t]+grep|[ef]?grep|rg|sed|awk|cat)\b(?![-=.])",
    re.MULTILINE,
)
_READS = {"mjs": _JS_READS, "js": _JS_READS, "py": _PY_READS, "sh": _SH_READS, "bats": _SH_READS}

# A helper by its name, or a parser: neither sees comments as code.
_BLANKS = re.compile(
    r"\b\w*(?:blank|strip|remove|without|mask|erase|drop|hide|no)_?comments?\w*"
    r"|\b\w*comments?_?(?:blanked|stripped|removed|masked)\w*"
    r"|\btokenize\b|\bast\s*\.\s*parse\b|\bcreateSourceFile\b|\b(?:acorn|esprima|espree|babel|parse5)\b",
    re.IGNORECASE,
)


def a_probe_that_reads_source_blanks_comments(facts: Facts) -> Outcome:
    """A probe that reads source blanks comments first and keeps line numbers true.

    Always ADV: what reads source, and whether comments matter to it, needs judgement. Names each
    asserting harness of the harness directory that reads files and has neither a helper which blanks
    comments (by its name, such as blank_comments) nor a parser.
    """
    try:
        harness: Harness = facts.get("harness")
    except CheckFailed as failure:
        return advisory(f"could not look: {failure.outcome.summary}")
    found = [Finding(file.path, line, 0, "reads files and has no helper that blanks comments")
             for file in harness.asserting if (line := _reads_raw(file))]  # fmt: skip
    if not found:
        return advisory()
    return advisory(
        f"{len(found)} of {len(harness.asserting)} asserting harness(es) may take a comment for code", found
    )


def _reads_raw(file: HarnessFile) -> int:
    """The first line on which a harness reads a file, 0 where it reads none or blanks comments."""
    reads = _READS[file.kind].search(file.code.bare)
    if not reads or _BLANKS.search(file.code.bare):
        return 0
    return file.code.bare.count("\n", 0, reads.end()) + 1
