"""PT: what is reusable belongs to no machine, and the default branch is the declared one."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from goblin.outcome import Finding, Outcome, failed, passed

if TYPE_CHECKING:
    from goblin.facts.branches import Branches
    from goblin.facts.config import Config
    from goblin.facts.head import Head
    from goblin.facts.ruletext import RuleText, Text

MOST = 200
"""Findings of one kind in one file; more say nothing new."""


class Sign(NamedTuple):
    """Something that gives a machine or a tenant away."""

    kind: str
    needle: str  # lower case; no text without it can match
    pattern: re.Pattern[str]


def rules_belong_to_no_machine(ruletext: RuleText, config: Config) -> Outcome:
    """No reusable rule carries a string that belongs to one machine or tenant.

    Reads the rules below .goblin (programs, tables, verifiers, bans, project rules, automations, our
    part of the engine), the skills directories of the install, and in a checkout of a harness the
    five folders that it is built from. Files of .goblin with their recorded bytes are counted as the
    release's own and not searched. The config is exempt: it holds machine paths on purpose.

    A hit is a home folder (of Linux, macOS, Windows or the super-user, or the one of whoever runs
    this), the whole owner_email, or an entry of tenant_strings, in any case of letters.

    FAIL: a hit, or a rule that cannot be read. PASS: none. SKIP: there is no rule text.
    In a project's own skills, manifest, bin, templates and presets a hit is shown and fails nothing.
    """
    signs = [sign for sign in _signs(config) if sign.needle in ruletext.lower]
    hits = ((text, finding) for text in ruletext.texts for finding in _findings(text, signs))
    return ruletext.judge(hits, "a string of one machine or tenant")


def _findings(text: Text, signs: Iterable[Sign]) -> Iterator[Finding]:
    """The hits of one text in order; what one hit covers is not told again by another sign."""
    present = [sign for sign in signs if sign.needle in text.lower]
    found = [(match, sign) for sign in present for match in islice(_matches(text, sign), MOST)]
    end = -1
    for match, sign in sorted(found, key=lambda hit: (hit[0].start(), -hit[0].end())):
        if match.start() >= end:
            end = match.end()
            yield text.finding(match.start(), f"{sign.kind}: {match.group()[:80]}")


def _matches(text: Text, sign: Sign) -> Iterator[re.Match[str]]:
    """Every match, in order: only lines with the needle are searched, since it stands in each match."""
    if "\n" in sign.needle:  # a tenant's string may have several lines
        yield from sign.pattern.finditer(text.text)
        return
    at = text.lower.find(sign.needle)
    while at >= 0:
        start = text.text.rfind("\n", 0, at) + 1
        end = text.text.find("\n", at)
        end = len(text.text) if end < 0 else end
        yield from sign.pattern.finditer(text.text, start, end)
        at = text.lower.find(sign.needle, end)


def _signs(config: Config) -> Iterator[Sign]:
    """What to look for. The literals are put together here, so that this file holds none of them."""
    name = r"[^\W_][\w.+-]*"
    start = r"(?:(?<=file://)|(?<![\w./~}>)$%*+-]))"  # where an absolute path may begin
    linux, mac = "/" + "home" + "/", "/" + "Users" + "/"
    every = "/" + "root" + "/"
    kind = "a home folder"
    yield _sign(kind, linux, rf"{start}(?:/(?:var|mnt|usr|export))?{linux}{name}")
    yield _sign(kind, mac, rf"{start}(?:/mnt)?(?:/[a-zA-Z])?{mac}{name}", any_case=False)
    yield _sign(kind, every, rf"{start}{every}")
    yield _sign(kind, "users", rf"(?<![^\W_])[a-z]:[\\/]{{1,2}}users[\\/]{{1,2}}{name}")
    for home in sorted(_homes()):
        pattern = rf"{start}{re.escape(home)}(?![\w.-])"
        yield _sign("the home folder of whoever runs this", home, pattern, any_case=False)
    email = config.text("owner_email").strip()
    if "@" in email:
        yield _sign("the owner's address", email, rf"(?<![\w.+-]){re.escape(email)}(?![\w-])")
    for entry in config.words("tenant_strings"):
        if entry.strip():
            yield _sign("a tenant's string", entry.strip(), re.escape(entry.strip()))


def _sign(kind: str, needle: str, pattern: str, *, any_case: bool = True) -> Sign:
    return Sign(kind, needle.lower(), re.compile(pattern, re.IGNORECASE if any_case else 0))


def _homes() -> set[str]:
    """The running user's home folders, less those that are no one's own (/tmp, /dev/null, /app)."""
    uid = os.getuid() if hasattr(os, "getuid") else -1
    homes = {os.path.expanduser("~")}
    try:
        import pwd

        homes.add(pwd.getpwuid(uid).pw_dir)
    except (ImportError, KeyError):
        pass
    return {home.rstrip("/") for home in homes if _is_ones_own(home.rstrip("/"), uid)}


def _is_ones_own(home: str, uid: int) -> bool:
    if not home.startswith("/") or home.count("/") < 2:
        # One component is a folder such as /tmp or /app; the super-user's home is the exception.
        return home == "/" + "root"
    try:
        return os.path.isdir(home) and os.stat(home).st_uid == uid
    except OSError:
        return False


def the_default_branch_is_the_declared_one(config: Config, branches: Branches, head: Head) -> Outcome:
    """The default branch is declared, and the declaration is true.

    Reads branch of the config, the local branches, those fetched from origin, and the default that
    origin/HEAD names. It judges the default, not where you stand: a feature branch, a detached
    checkout and a branch without a commit are all fine.

    PASS: a local branch, origin's, or the branch without a commit that HEAD stands on has the
    declared name, and origin/HEAD, where it is known, names it too. It says where HEAD is.
    FAIL: nothing is declared, there is no such branch, or origin/HEAD names another. SKIP: never.
    """
    declared = config.text("branch").strip()
    place = [config.where("branch")]
    default = branches.remote_default
    standing = _standing(branches, head)
    if not declared:
        actual = default or branches.current or "the name of the default branch"
        return failed(f"branch is not declared; {standing}", place, f"set branch: {actual}")
    if default and default != declared:
        return failed(
            f"declared {declared}, actual {default} (origin/HEAD says so); {standing}",
            place,
            f"set branch: {default}, or git remote set-head origin --auto where the remote changed it",
        )
    found = list(_evidence(branches, head, declared))
    if not found:
        actual = branches.current or "unknown"
        return failed(
            f"declared {declared}, actual {actual}: neither a local branch nor origin/{declared}; {standing}",
            place,
            f"set branch: to the default branch, or git fetch origin {declared} into origin/{declared}",
        )
    told = f"{len(found)} ref(s): {', '.join(found)}"
    return passed(f"declared {declared}, actual {declared} ({told}); {standing}")


def _evidence(branches: Branches, head: Head, declared: str) -> Iterator[str]:
    if branches.has_local(declared):
        yield "a local branch"
    elif head.commit is None and branches.current == declared:
        yield "HEAD, which has no commit yet"
    if branches.has_remote(declared):
        yield f"origin/{declared}"
    if branches.remote_default == declared:
        yield "origin/HEAD"


def _standing(branches: Branches, head: Head) -> str:
    if branches.current:
        return f"HEAD is on {branches.current}" + ("" if head.commit else ", no commit yet")
    return f"HEAD is detached at {head.commit.oid[:7]}" if head.commit else "HEAD is detached"
