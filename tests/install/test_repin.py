"""`--re-pin`: the standard's hash as it is now, on one line, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from goblin import clock
from goblin.facts.record import PATH
from goblin.install.journal import digest
from goblin.install.repin import HISTORY, Pinning, re_pin
from goblin.install.session import Output
from goblin.outcome import CannotRun
from tests.install import crashing
from tests.install.crashing import OLD
from tests.install.driving import CONFIG, Ran, run
from tests.install.faults import picture
from tests.support import Repo, build_repo, run_cli

pytestmark = pytest.mark.usefixtures("one_payload")

FIRST, SECOND = digest(b"be kind\n"), digest(b"be kinder\n")


def pin(repo: Repo, **options: bool) -> Ran:
    """Re-pin; `options` are those of `Pinning`."""
    ran = Ran()
    ran.code = re_pin(Pinning(os.fspath(repo), **options), Output(ran.out.append, ran.err.append))
    return ran


@pytest.fixture
def standard(tmp_path: Path) -> Path:
    """The house standard, outside every repository."""
    (tmp_path / "standard.md").write_text("be kind\n")
    return tmp_path / "standard.md"


@pytest.fixture
def repo(tmp_path: Path, standard: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A repository that pins it."""
    crashing.release(monkeypatch, "1.0", OLD)
    repo = build_repo({"README.md": "x\n"}, tmp_path / "repo")
    assert run(repo, practice=str(standard)).code == 0
    repo.commit("Install goblin")
    return repo


def changed_lines(before: str, after: str) -> list[tuple[str, str]]:
    """The lines that differ, in pairs."""
    return [(old, new) for old, new in zip(before.split("\n"), after.split("\n"), strict=True) if old != new]


def test_a_pin_that_holds_is_left_alone(repo: Repo) -> None:
    """Not a byte changes."""
    before = picture(repo.root)
    ran = pin(repo)
    assert (ran.code, ran.out) == (0, ["practice pin already current"])
    assert picture(repo.root) == before


def test_one_line_of_the_config_follows_the_standard(repo: Repo, standard: Path) -> None:
    """Both hashes are shown; the record is untouched; the replaced pin is kept in a table."""
    standard.write_text("be kinder\n")
    before = picture(repo.root)
    text = repo.read(CONFIG)
    ran = pin(repo)
    assert ran.code == 0
    assert ran.out[:3] == [f"practice re-pinned: {standard}", f"  recorded {FIRST}", f"  now      {SECOND}"]
    ((old, new),) = changed_lines(text, repo.read(CONFIG))
    assert old == f"practice_sha256: '{FIRST}'"
    assert new.startswith("practice_sha256: ")
    assert SECOND in new
    after = picture(repo.root)
    assert {path for path in after if after[path] != before.get(path)} == {CONFIG, HISTORY}
    assert after[PATH] == before[PATH]
    assert repo.read(HISTORY) == f"date\tpath\told\tnew\n{clock.today()}\t{standard}\t{FIRST}\t{SECOND}\n"
    standard.write_text("be kind\n")
    assert pin(repo).code == 0
    assert repo.read(HISTORY).endswith(f"{clock.today()}\t{standard}\t{SECOND}\t{FIRST}\n")
    assert repo.read(HISTORY).count("\n") == 3


def test_verify_agrees_before_and_after(tmp_path: Path, standard: Path) -> None:
    """IN-02 is red for the edit, and green for the pin."""
    repo = build_repo({"README.md": "x\n"}, tmp_path / "real")
    run(repo, practice=str(standard))
    standard.write_text("be kinder\n")
    repo.commit("Install goblin")
    verify = ("goblin-verify", "--only", "IN-02")
    assert run_cli(*verify, cwd=repo).code == 1
    done = run_cli("goblin-install", "--target", ".", "--re-pin", cwd=repo)
    assert done.code == 0, done.err
    assert run_cli(*verify, cwd=repo).code == 0


def test_a_dry_run_shows_both_hashes_and_writes_nothing(repo: Repo, standard: Path) -> None:
    """Exit 0."""
    standard.write_text("be kinder\n")
    before = picture(repo.root)
    ran = pin(repo, dry_run=True)
    assert ran.code == 0
    assert ran.out == [f"would re-pin: {standard}", f"  recorded {FIRST}", f"  now      {SECOND}"]
    assert picture(repo.root) == before


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("practice_sha256: {old}  # since May", "practice_sha256: {new}  # since May"),
        ('practice_sha256: "{old}"', "practice_sha256: {new}"),
        ("practice_sha256:", "practice_sha256: {new}"),
        ("'practice_sha256':   '{old}'", "'practice_sha256':   {new}"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_however_the_line_is_written_the_rest_of_it_stays(
    repo: Repo, standard: Path, line: str, left: str, newline: str
) -> None:
    """Comment, spacing, line ends."""
    standard.write_text("be kinder\n")
    text = (
        repo.read(CONFIG)
        .replace(f"practice_sha256: '{FIRST}'", line.format(old=FIRST))
        .replace("\n", newline)
    )
    (repo / CONFIG).write_bytes(text.encode())
    assert pin(repo).code == 0
    ((_, new),) = changed_lines(text, (repo / CONFIG).read_bytes().decode())
    assert new.rstrip("\r").replace("'", "").replace(" ", "") == left.format(new=SECOND).replace(
        "'", ""
    ).replace(" ", "")


def test_a_path_is_found_as_verify_finds_it(
    repo: Repo, standard: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From home, or from the root of the repository."""
    monkeypatch.setenv("HOME", str(standard.parent))
    for written in ("~/standard.md", "../standard.md"):
        repo.write({CONFIG: repo.read(CONFIG).replace(f"practice: '{standard}'", f"practice: {written}")})
        assert pin(repo).out == ["practice pin already current"]
        repo.git("checkout", "-q", "--", CONFIG)


def replaced(standard: Path, make: Callable[[Path], None]) -> None:
    """Put something that is no file where the standard was."""
    standard.unlink()
    make(standard)


REFUSALS: dict[str, tuple[Callable[[Repo, Path], object], str]] = {
    "no config": (lambda repo, standard: repo.remove(CONFIG), "nothing to re-pin"),
    "no path": (
        lambda repo, standard: repo.write(
            {CONFIG: repo.read(CONFIG).replace(f"practice: '{standard}'", "practice:")}
        ),
        "no practice: recorded",
    ),
    "no file": (lambda repo, standard: standard.unlink(), "is not there"),
    "a folder": (lambda repo, standard: replaced(standard, os.mkdir), "not a regular file"),
    "a FIFO": (lambda repo, standard: replaced(standard, os.mkfifo), "not a regular file"),
    "no line": (
        lambda repo, standard: repo.write(
            {CONFIG: repo.read(CONFIG).replace(f"practice_sha256: '{FIRST}'\n", "")}
        ),
        "there is no practice_sha256: line",
    ),
    "no YAML": (lambda repo, standard: repo.write({CONFIG: "a: b: c\n"}), ".goblin/goblin.yaml:1:"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_without_something_to_pin_it_ends_with_2(repo: Repo, standard: Path, case: str) -> None:
    """And writes nothing."""
    prepare, said = REFUSALS[case]
    prepare(repo, standard)
    before = picture(repo.root)
    with pytest.raises(CannotRun) as caught:
        pin(repo)
    assert said in caught.value.message
    assert picture(repo.root) == before
