"""Loop records of a test's own, built in a real repository."""

from __future__ import annotations

import hashlib
from pathlib import Path

from tests.support import Repo, build_repo
from tests.support.repo import Files

LOOP = ".goblin/loop"
CONFIG = "class: A\nbranch: main\narchive: false\nowner_email: author@example.invalid\n"
PREDICATE = "# done when the marker is there\ntest -f marker\n"
HEADER = "ts\tphase\tdecision\twhy\tevidence\tresult\n"


def sha256(text: str) -> str:
    """The digest of a text, as a pin holds it."""
    return hashlib.sha256(text.encode()).hexdigest()


def row(
    evidence: str = "file:README.md",
    result: str = "predicate:red",
    decision: str = "verdict:continue",
    *,
    at: str = "2026-01-02T00:10:00Z",
    phase: str = "check",
    why: str = "the marker is absent",
) -> str:
    """One line of decisions.tsv."""
    return "\t".join((at, phase, decision, why, evidence, result)) + "\n"


def record(*rows: str, predicate: str = PREDICATE, chain: str = "", **files: str) -> dict[str, str]:
    """The files of an open record with these rows; `files` replaces or adds some by their names."""
    names = {
        "predicate": predicate,
        "predicate.sha256": f"{sha256(predicate)}\n{chain}",
        "first-run": "exit=1 ts=2026-01-02T00:00:00Z\n",
        "budget": "9\n",
        "decisions.tsv": HEADER + "".join(rows),
    }
    return {f"{LOOP}/{name.replace('__', '.')}": text for name, text in (names | files).items()}


def repository(root: Path, *rows: str, files: Files | None = None, config: str = "", **parts: str) -> Repo:
    """A committed repository with an open record of these rows."""
    content = {
        ".goblin/goblin.yaml": CONFIG + config,
        "README.md": "# Sample\n",
        **record(*rows, **parts),
        **(files or {}),
    }
    return build_repo(content, root)
