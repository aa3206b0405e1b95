"""Install records of the test's own, for repositories that no installer made."""

from __future__ import annotations

import hashlib
from pathlib import Path

from goblin.facts.record import PATH, Options, Record, payload_digest, render
from tests.support.repo import Content, Files, Repo, build_repo

CONFIG = "class: A\nbranch: main\narchive: false\nowner_email: author@example.invalid\n"


def digest(content: Content) -> str:
    """SHA-256 of a file's bytes."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def record(files: dict[str, str] | None = None, **members: object) -> Record:
    """A sound record of class A; `members` replaces what it holds."""
    files = {"a.txt": "0" * 64} if files is None else files
    usual = Record(
        version="0.1.0",
        source_sha="unknown",
        class_name="A",
        installed_at="2026-01-02T03:04:05Z",
        options=Options(("hermes",), False, "all"),
        disabled=(),
        files=files,
        owned={},
        refused={},
        adopted={},
        conflicts={},
        merged={},
        dirs_created=(),
        payload_digest=payload_digest(files),
        engine={},
    )
    return usual._replace(**members)  # type: ignore[arg-type]


def governed(
    root: Path, installed: Files, others: Files | None = None, config: str = CONFIG, **members: object
) -> Repo:
    """A committed repository whose record names the `installed` files; `members` goes to the record."""
    made = record({path: digest(content) for path, content in installed.items()}, **members)
    files = {".goblin/goblin.yaml": config, PATH: render(made), **installed, **(others or {})}
    return build_repo(files, root)
