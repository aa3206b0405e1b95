"""Repositories with bans, and the verdicts on them."""

from __future__ import annotations

from pathlib import Path

from goblin.bans.table import COLUMNS as BAN_COLUMNS
from goblin.facts import Facts
from goblin.outcome import CheckFailed, Outcome
from tests.support import PROJECT, Repo
from tests.support.mini import CONFIG, facts_of, mini_repo, table
from tests.support.repo import Files

OWN = ("OWN-07", "no console", "src", "regex:console\\.log", "the logger", "say why", "is it needed", "us")


def ban_repo(
    root: Path,
    files: Files,
    *bans: str,
    config: str = "",
    own: tuple[tuple[str, ...], ...] = (),
    replaced: tuple[str, str] = ("", ""),
) -> Repo:
    """A committed repository with the shipped table that enables `bans`, and a project's own bans.

    `config` is added to the configuration; `replaced` is one text of the shipped table and another for it.
    """
    shipped = (PROJECT / "manifest" / "bans.tsv").read_text(encoding="utf-8").replace(*replaced)
    given: Files = {".goblin/manifest/bans.tsv": shipped, **files}
    if own:
        given = {**given, ".goblin/rules/bans.tsv": table(BAN_COLUMNS, list(own))}
    return mini_repo(root, [], given, f"{CONFIG}bans: [{', '.join(bans)}]\n{config}")


def outcome(repo: Repo, ban: str, facts: Facts | None = None, **settings: object) -> Outcome:
    """The verdict on one ban, without caches unless they are asked for."""
    given = facts or facts_of(repo, **settings)
    try:
        found: Outcome = given.get("bans").outcome(ban)
    except CheckFailed as failure:  # as the engine does
        return failure.outcome
    return found


def places(found: Outcome) -> list[str]:
    """Path and line of each finding."""
    return [f"{finding.path}:{finding.line}" for finding in found.findings]
