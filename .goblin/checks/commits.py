"""CM: commits and the work tree. Who wrote HEAD, how its message came in, and what is uncommitted."""

from __future__ import annotations

import re
from shlex import quote
from typing import TYPE_CHECKING

from goblin.facts.status import RUNTIME
from goblin.outcome import CheckFailed, Finding, Outcome, advisory, failed, passed, skipped
from goblin.pattern import lazy

if TYPE_CHECKING:
    from goblin.facts import Facts, Run
    from goblin.facts.config import Config
    from goblin.facts.head import Commit, Head, Identity
    from goblin.facts.status import Change

_FORGE_ADDRESS = lazy(r"(?:[0-9]+\+)?([^@]+)@users\.noreply\..+", re.IGNORECASE)


def head_is_by_the_owner(head: Head, config: Config) -> Outcome:
    """The author e-mail of the latest commit is the declared owner's.

    Reads HEAD's commit object itself, so that no mailmap speaks, and `owner_email`. The part before
    the `@` is compared exactly, the domain in any case. In a detached merge checkout, which is how a
    forge shows a proposed change, the commit that was merged in is judged, and that is said.
    FAIL: another author; `owner_email` unset; no commits yet; the merged commit is not in this clone.
    PASS: the same; a committer that differs is named. Trailers of the message are not judged.
    """
    commit = head.need_commit()
    owner = config.text("owner_email").strip()
    if not owner:
        where = config.where("owner_email")
        return failed("owner_email is not set", [where], "set owner_email: to the address that commits here")
    notes = []
    if head.is_merge_checkout:
        if head.merged is None:
            missing = (
                f"HEAD is a merge made for checking, and this clone lacks its parent {commit.parents[1][:10]}"
            )
            return failed(missing, remedy="fetch full history: git fetch --unshallow")
        notes.append(f"HEAD {commit.oid[:10]} is a detached merge: its merged-in parent is judged")
        commit = head.merged
    notes += _about(commit)
    who = f"commit {commit.oid[:10]} is by {commit.author.email or 'nobody'}"
    findings = [Finding("", message=note) for note in notes]
    if _same(commit.author.email, owner):
        return passed(f"1 commit examined: {who}", findings)
    return failed(f"{who}, and owner_email is {owner}", findings, _remedy(commit.author, owner))


def _same(found: str, owner: str) -> bool:
    local, _, domain = found.strip().rpartition("@")
    own_local, _, own_domain = owner.rpartition("@")
    return (local, domain.casefold()) == (own_local, own_domain.casefold())


def _is_bot(who: Identity) -> bool:
    return who.name.endswith("[bot]") or who.email.partition("@")[0].endswith("[bot]")


def _about(commit: Commit) -> list[str]:
    """What is worth knowing beside the verdict."""
    notes = []
    if _is_bot(commit.author):
        notes.append(f"the author {commit.author.name} is a bot")
    elif forge := _FORGE_ADDRESS.fullmatch(commit.author.email):
        notes.append(f"{commit.author.email} is the private address that a forge gives {forge[1]}")
    if commit.committer.email != commit.author.email:
        bot = ", a bot" if _is_bot(commit.committer) else ""
        notes.append(f"committed by {commit.committer.name} <{commit.committer.email}>{bot}")
    return notes


def _remedy(author: Identity, owner: str) -> str:
    if _FORGE_ADDRESS.fullmatch(author.email) and not _is_bot(author):
        return f"set owner_email to {author.email}, or let the forge use {owner}"
    amend = f"git config user.email {quote(owner)} && git commit --amend --reset-author --no-edit"
    return f"{amend}; or correct owner_email"


def backticks_of_the_message_are_paired(facts: Facts) -> Outcome:
    """A commit message comes from a file: on a command line the shell eats its backticks.

    How a message was passed leaves no trace, so this never fails. Reads HEAD's message and says so
    where its backticks are odd in number, which is what a lost one looks like.
    """
    try:
        head: Head = facts.get("head")
    except CheckFailed as error:
        return advisory(error.outcome.summary)
    if head.commit is None:
        return advisory("no commits yet")
    count = head.commit.message.count("`")
    if count % 2 == 0:
        return advisory()
    return advisory(
        f"the message of {head.commit.oid[:10]} holds {count} backtick(s), an odd number: one may be lost"
    )


_STATES = {
    "M": "modified",
    "A": "added",
    "D": "deleted",
    "T": "changed in kind",
    "U": "unmerged",
}


def the_work_tree_is_clean(status: tuple[Change, ...], config: Config, run: Run) -> Outcome:
    """The work tree carries no more uncommitted entries than allowed.

    Reads `git status`, each untracked file by itself and whatever the user's settings hide, after the
    gates where this run runs them; and `max_dirty`. Changes inside a submodule are not looked at.
    FAIL: more entries than `max_dirty`; one that is no whole number; git that does not answer.
    PASS: otherwise, with the number. The paths are listed. Ignored files and stashes are not seen.
    SKIP: with `--staged`, since what is about to be committed is not committed yet.
    """
    if run.staged:
        return skipped("--staged: what is judged here is about to be committed")
    most = config.integer("max_dirty", 0)
    count = len(status)
    summary = f"{count} dirty {'entry' if count == 1 else 'entries'}, max_dirty {most}"
    findings = [Finding(change.path, message=_state(change)) for change in status]
    if count <= most:
        return passed(summary, findings)
    remedy = "git add and commit the paths listed, or remove them"
    own = [change.path for change in status if change.path in RUNTIME]
    if own:
        remedy = f"restore the ignore block that names {' '.join(own)} in .gitignore"
        remedy += "" if len(own) == count else "; commit or remove the other paths"
    return failed(summary, findings, remedy)


def _state(change: Change) -> str:
    if change.state == "??":
        text, fix = "untracked", "restore the ignore block"
    else:
        text = " and ".join(dict.fromkeys(_STATES.get(mark, mark) for mark in change.state.strip()))
        fix = f"git rm --cached {change.path}, and restore the ignore block"
    return f"{text}; the verifier's own runtime file: {fix}" if change.path in RUNTIME else text
