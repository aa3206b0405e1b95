"""PR-01: whatever the installer is told to do, nothing outside its target changes."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from tests.support import Repo, build_repo, run_cli

SKIPPED = ("repo", "tmp")


def world(folder: Path) -> dict[str, str]:
    """Everything below a folder but the target and the temporary folder: each path with what it is."""
    found: dict[str, str] = {}
    for here, folders, files in os.walk(folder):
        if here == str(folder):
            folders[:] = [name for name in folders if name not in SKIPPED]
        for name in (*folders, *files):
            path = Path(here, name)
            if path.is_symlink():
                found[str(path)] = f"link {os.readlink(path)}"
            elif path.is_dir():
                found[str(path)] = "folder"
            else:
                found[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a target, a sentinel beside it, a home of its own and a temporary folder."""
    for name in ("home", "tmp", "beside"):
        (tmp_path / name).mkdir()
    (tmp_path / "sentinel").write_text("do not touch")
    (tmp_path / "home/.profile").write_text("do not touch")
    (tmp_path / "beside/file").write_text("do not touch")
    build_repo({"README.md": "# Sample\n", "src/a.ts": "a\n"}, tmp_path / "repo")
    return tmp_path


def install(place: Path, *options: str) -> int:
    """Run the installer on the target; its exit code."""
    env = {"HOME": str(place / "home"), "TMPDIR": str(place / "tmp"), "XDG_CONFIG_HOME": ""}
    done = run_cli("goblin-install", "--target", str(place / "repo"), *options, cwd=place / "beside", env=env)
    return done.code


def test_installing_again_upgrading_and_uninstalling(place: Path) -> None:
    """Each of them, one after the other, also with edited files and with force."""
    before = world(place)
    repo = Repo(place / "repo")
    steps: list[tuple[str, ...]] = [
        ("--class", "A"),
        ("--class", "A"),
        ("--class", "A", "--skills", "claude,hermes"),
        ("--class", "A", "--opt-out", "spec"),
        ("--upgrade",),
        ("--class", "F", "--force"),
        ("--uninstall",),
        ("--class", "D"),
        ("--uninstall", "--purge"),
    ]
    ended = []
    for number, step in enumerate(steps):
        ended.append(install(place, *step))
        assert world(place) == before, step
        if number == 1:
            repo.write({"HANDOFF.md": "edited\n", ".goblin/manifest/roles.tsv": "edited\n"})
    assert ended[0] == ended[1] == 0
    assert 2 not in ended
    assert not list((place / "tmp").iterdir())


@pytest.mark.parametrize(
    "link", [".goblin", ".github", "checks", ".hermes", "reviews", "HANDOFF.md", ".gitignore"]
)
def test_a_link_out_of_the_target_is_not_written_through(place: Path, link: str) -> None:
    """To a folder, or to a file that is there."""
    os.symlink(place / ("beside/file" if "." in link[1:] else "beside"), place / "repo" / link)
    before = world(place)
    for options in (("--class", "A"), ("--class", "A", "--force")):
        install(place, *options)
        assert world(place) == before


def test_a_write_outside_would_be_seen(place: Path) -> None:
    """The picture tells a new file, a changed one, a removed one, a new link and a new folder."""
    pictures = [world(place)]
    (place / "new").write_text("x")
    pictures.append(world(place))
    (place / "home/.profile").write_text("changed")
    pictures.append(world(place))
    (place / "sentinel").unlink()
    pictures.append(world(place))
    (place / "beside/link").symlink_to("file")
    pictures.append(world(place))
    (place / "home/.config").mkdir()
    pictures.append(world(place))
    (place / "repo/inside").write_text("x")
    assert world(place) == pictures[-1]
    assert len({tuple(sorted(picture.items())) for picture in pictures}) == len(pictures)
