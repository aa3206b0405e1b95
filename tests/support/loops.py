"""Loop records of the test's own: a repository in which an unattended run has left its files."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from tests.support.repo import Files, Repo, build_repo

LOOP = ".goblin/loop/"
HEADER = "ts\tphase\tdecision\twhy\tevidence\tresult"
COMMAND = "! grep -rqn FIXME src/"
PREDICATE = f"# finished when no marker is left\n{COMMAND}\n"
OUTPUT = b"collected 17 items\n3 failed, 14 passed\nFAILED tests/test_parser.py - expected 4, got 3\n"

STUCK = f"""# Stuck

The predicate `{COMMAND}` stays red.
Tried: editing the generated file, and the template that it comes from.
Blocks: the generator is not in this repository.
"""


def digest(data: bytes | str) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def row(
    at: str,
    result: str = "predicate:red",
    evidence: str = "file:README.md",
    why: str = "the marker is still there",
    decision: str = "verdict:continue",
    phase: str = "check",
) -> str:
    """One line of decisions.tsv. `at` is `HH:MM` on 25 September 2026, or a whole timestamp."""
    stamp = f"2026-09-25T{at}:00Z" if len(at) == 5 else at
    return "\t".join((stamp, phase, decision, why, evidence, result))


def record(rows: Sequence[str], **files: str | bytes | None) -> dict[str, str | bytes]:
    """The files of a sound record that holds these rows.

    `files` replaces or adds files by name, with `_` for `-`, and `__` for `.`; None leaves one out.
    """
    usual: dict[str, str | bytes | None] = {
        "predicate": PREDICATE,
        "predicate.sha256": digest(PREDICATE) + "\n",
        "first-run": "exit=1 ts=2026-09-25T00:00:00Z\n",
        "budget": "20\n",
        "decisions.tsv": "\n".join([HEADER, *rows]) + "\n",
        f"out/{digest(OUTPUT)}.txt": OUTPUT,
    }
    usual |= {name.replace("__", ".").replace("_", "-"): content for name, content in files.items()}
    return {LOOP + name: content for name, content in usual.items() if content is not None}


def loop_repo(
    root: Path, rows: Sequence[str], files: Files | None = None, **parts: str | bytes | None
) -> Repo:
    """A committed repository with a record of these rows; `files` are more files of the repository."""
    content: dict[str, str | bytes] = {"README.md": "# Sample\n", "src/app.py": "x = 1  # FIXME\n"}
    return build_repo({**content, **(files or {}), **record(rows, **parts)}, root)


def red_run(root: Path) -> Repo:
    """A run that ended stuck: ten turns, a pause of four hours, a pointer four times, one that is lost."""
    repo = build_repo({"README.md": "# Sample\n", "src/app.py": "x = 1  # FIXME\n"}, root)
    subjects = ("Parse the nested case", "Move the tokens into a table", "Split the parser")
    ids = [
        repo.commit(
            subject,
            {f"src/part{n}.py": f"y = {n}\n"},
            env={"GIT_COMMITTER_DATE": f"2026-09-24T22:1{n}:00+00:00"},
        )
        for n, subject in enumerate(subjects)
    ]
    rows = [
        row("00:05", "", "", "Read the failing tests", "start", "plan"),
        row("00:14", evidence=f"sha:{ids[0][:10]}, sha256:{digest(OUTPUT)}", why="The nested case parses"),
        row("00:31", evidence=f"sha:{ids[1]}", why="Tokens come from a table"),
        row("00:48", "parked", "file:src/app.py", "Waiting for the fixture", "verdict:wait"),
        row("04:55", evidence=f"sha:{ids[2]}", why="Back at it"),
        row("05:00", evidence=f"sha:{ids[2][:9]}", why="The last marker is in generated code"),
        row("05:05", evidence=f"sha:{ids[2][:12]}", why="The last marker is in generated code"),
        row("05:09", evidence=f"sha:{ids[2]}", why="The last marker is in generated code"),
        row("05:20", evidence="file:out/report.txt, cmd:npm test", why="Says it is there"),
        row("05:40", "stuck", "file:README.md", "The generator writes it again", "verdict:blocked"),
    ]
    repo.commit("record", record(rows, stuck__md=STUCK))
    return repo


def green_run(root: Path) -> Repo:
    """A run that reached its goal in three turns."""
    rows = [
        row("00:14", evidence="file:src/app.py"),
        row("00:31", "predicate:green", "file:README.md", "No marker is left", "verdict:done"),
    ]
    rows.insert(1, row("00:20", evidence=f"sha256:{digest(OUTPUT)}"))
    return loop_repo(root, rows, control="exit=0 ts=2026-09-25T00:01:00Z\n")
