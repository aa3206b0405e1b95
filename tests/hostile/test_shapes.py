"""Everything that is read by name, in every form that hurts: each command answers, in bounded memory.

One repository serves a form, which stands at all paths of its kind at once. The tables and the config
come first in every run, so they have repositories of their own.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path

import pytest

from tests.hostile import shapes
from tests.hostile.limited import is_an_answer, is_harmless, limited
from tests.support import Repo

FORMATS = ("text", "json", "sarif", "junit", "github", "markdown", "html")
RUNS: dict[str, tuple[str, ...]] = {
    "bans": (),
    "loop": ("audit",),
    "count": ("markers", "--ext", "py,ts,md", "."),
    "model": ("--list",),
}
INSTALLS: tuple[tuple[str, ...], ...] = (("--target", ".", "--uninstall", "--purge", "--dry-run"),)


@pytest.fixture
def ground(installed_sample: Repo, tmp_path: Path) -> Iterator[Repo]:
    """A copy of the sample, which goes at once: what stands in it confuses whoever cleans up later."""
    shutil.copytree(installed_sample.root, tmp_path / "repo", symlinks=True)
    yield Repo(tmp_path / "repo")
    shutil.rmtree(tmp_path / "repo", ignore_errors=True)


@pytest.fixture(scope="module")
def shared(installed_sample: Repo, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Repo]:
    """One copy for tests in which a few files are hostile, and then whole again."""
    folder = tmp_path_factory.mktemp("shared")
    shutil.copytree(installed_sample.root, folder / "repo", symlinks=True)
    yield Repo(folder / "repo")
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def standing(repo: Repo, paths: tuple[str, ...], make: Callable[[Path], object]) -> Iterator[None]:
    """Something else at each of these paths, for the time of the block."""
    kept = {path: (repo / path).read_bytes() for path in paths if (repo / path).exists()}
    for path in paths:
        (repo / path).parent.mkdir(exist_ok=True)
        (repo / path).unlink(missing_ok=True)
        make(repo / path)
    try:
        yield
    finally:
        for path in paths:
            full = repo / path
            shutil.rmtree(full) if full.is_dir() and not full.is_symlink() else full.unlink()
            if path in kept:
                full.write_bytes(kept[path])


def holding(data: bytes | str) -> Callable[[Path], object]:
    """What writes a file that holds this."""
    return lambda path: path.write_bytes(data if isinstance(data, bytes) else data.encode())


def tracked(repo: Repo, paths: tuple[str, ...]) -> None:
    """Let git track something at each path."""
    for path in paths:
        if not (repo / path).exists():
            shapes.put(repo.root, path, "x\n")
    repo.git("add", "-A", "-f")
    repo.git("commit", "-q", "-m", "what stands there")


def verified(repo: Repo, *codes: int, formats: tuple[str, ...] = ()) -> str:
    """A whole static run, whose report is held in more formats; returns the one for people."""
    beside = repo.root.parent
    outputs = [word for name in formats for word in ("--output", f"{name}={beside}/report.{name}")]
    result = limited(repo, "verify", "--static", "--no-cache", *outputs)
    is_an_answer(result, *codes)
    for name in formats:
        is_harmless((beside / f"report.{name}").read_text(encoding="utf-8"))
    return result.out


def everything(repo: Repo) -> str:
    """Every command that reads."""
    out = verified(repo, 1)
    for command, arguments in RUNS.items():
        is_an_answer(limited(repo, command, *arguments), 0, 1, 2)
    for arguments in INSTALLS:
        is_an_answer(limited(repo, "install", *arguments), 0, 1)
    return out


@pytest.mark.parametrize("form", shapes.KINDS)
def test_what_is_no_ordinary_file(ground: Repo, form: str) -> None:
    """At every path but those of the next test, tracked: a row says so, and nothing behind it is shown."""
    paths = (*shapes.YAML, *shapes.JSON, *shapes.TOML, *shapes.TSV, *shapes.TEXT)
    tracked(ground, paths)
    for path in paths:
        (ground / path).unlink()
        shapes.KINDS[form](ground / path)
    out = everything(ground)
    assert "HANDOFF.md" in out
    if form.startswith("a link"):
        assert shapes.OUTSIDE not in out


FIRST: tuple[tuple[str, ...], ...] = (
    (shapes.CONFIG,),
    (shapes.TABLES[0],),
    (shapes.RECORD, *shapes.OPENED_BY_GIT),
)


@pytest.mark.parametrize("form", shapes.KINDS)
def test_what_a_run_begins_with_is_no_ordinary_file(shared: Repo, form: str) -> None:
    """The config, the record, the matrix, and what git itself opens: the run ends, and says why."""
    for paths in FIRST:
        with standing(shared, paths, shapes.KINDS[form]):
            verify = ("--static", "--no-cache", "--only", "IN-01,PT-02,CM-03")
            is_an_answer(limited(shared, "verify", *verify), 0, 1, 2, 3)
            is_an_answer(limited(shared, "install", "--target", ".", "--uninstall", "--dry-run"), 0, 1, 2)


BOMBS = [
    {kind: name for kind, name in zip(shapes.CONTENTS, names, strict=True) if name}
    for names in zip_longest(*(bombs for _, bombs in shapes.CONTENTS.values()))
]
"""The next content of each kind, together: they stand at other paths."""


@pytest.mark.parametrize("together", BOMBS, ids=lambda names: ", ".join(f"{k} {v}" for k, v in names.items()))
def test_what_a_parser_never_ends_at(ground: Repo, together: dict[str, str]) -> None:
    """Aliases that expand, nesting, endless numbers, wrong types, escapes: read, or refused with a place."""
    for kind, name in together.items():
        paths, bombs = shapes.CONTENTS[kind]
        for path in paths:
            shapes.put(ground.root, path, bombs[name])
    tracked(ground, ())
    obeyed = "what a terminal obeys" in together.values()
    verified(ground, 1, formats=FORMATS if obeyed else ())
    if "JSON" in together:
        is_an_answer(limited(ground, "bans"), 0, 1, 2)
    if "TSV" in together:
        is_an_answer(limited(ground, "loop", "audit"), 0, 1, 2)
    assert not os.path.exists(ground / "PWNED")


@pytest.mark.parametrize("name", shapes.YAML_BOMBS)
def test_a_config_that_a_parser_never_ends_at(shared: Repo, name: str) -> None:
    """Exit 2 with the place, or the FAIL of the rows that own the keys."""
    with standing(shared, (shapes.CONFIG,), holding(shapes.YAML_BOMBS[name])):
        is_an_answer(limited(shared, "verify", "--static", "--only", "GT-01,PT-02"), 1, 2)
        is_an_answer(limited(shared, "install", "--target", ".", "--check-config"), 1, 2)


@pytest.mark.parametrize("name", shapes.JSON_BOMBS)
def test_a_record_that_a_parser_never_ends_at(shared: Repo, name: str) -> None:
    """It is the FAIL of its row, and no installer trusts it."""
    with standing(shared, (shapes.RECORD,), holding(shapes.JSON_BOMBS[name])):
        is_an_answer(limited(shared, "verify", "--static", "--only", "IN-01,IN-02"), 1, 2)
        is_an_answer(limited(shared, "install", "--target", ".", "--uninstall", "--dry-run"), 0, 1, 2)


@pytest.mark.parametrize("name", shapes.TSV_BOMBS)
def test_a_table_that_a_parser_never_ends_at(shared: Repo, name: str) -> None:
    """The manifest is broken, and the place is named; a table of the project's own alike."""
    for path in shapes.TABLES:
        with standing(shared, (path,), holding(shapes.TSV_BOMBS[name])):
            is_an_answer(limited(shared, "verify", "--static", "--only", "IN-01"), 1, 3)


def test_contents_that_a_pattern_never_ends_at(ground: Repo) -> None:
    """2,000 characters of one piece alone, after something that begins a finding, in every kind of file."""
    for number, piece in enumerate(shapes.REPEATED):
        text = (piece * 2_000)[:2_000]
        for path in shapes.TEXT[:6] if number == 0 else ():
            shapes.put(ground.root, path, text)
        for ending in ("ts", "js", "py", "go", "html", "md"):
            shapes.put(ground.root, f"src/p{number}.{ending}", f"let a = {text}")
        for path in (
            f"reviews/p{number}.md",
            f"checks/p{number}.py",
            f"checks/p{number}.sh",
            f"checks/p{number}.mjs",
        ):
            shapes.put(ground.root, path, text)
        shapes.put(ground.root, f"P{number}-SPEC.md", f"# Acceptance\n- {text}\n")
        shapes.put(
            ground.root,
            f".github/workflows/p{number}.yml",
            f"on: push\njobs:\n  a:\n    steps:\n      - run: |\n          {text!r}\n",
        )
    tracked(ground, ())
    verified(ground, 1)
    is_an_answer(limited(ground, "bans"), 0, 1)
