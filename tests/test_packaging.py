"""What people install: the wheel holds the payload and works without the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tests.support import Result, build_repo, git, hermetic, run_cli
from tests.support.checkout import checkout as copied

PAYLOAD = ("adapters", "bin", "checks", "manifest", "schemas", "skills", "templates", "CHANGELOG.md")


def build(source: Path, target: str, folder: Path) -> Path:
    """Build one distribution (`wheel` or `sdist`) of the project at `source` with hatchling."""
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(folder)],
        cwd=source,
        env=hermetic(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tracked files alone: what a build on a clean machine has."""
    return copied(tmp_path_factory.mktemp("checkout")).root


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of a clean checkout."""
    return build(checkout, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def sdist(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution of a clean checkout."""
    return build(checkout, "sdist", tmp_path_factory.mktemp("sdist"))


def contents(wheel: Path) -> dict[str, bytes]:
    """Every file of a wheel but its record of digests."""
    with zipfile.ZipFile(wheel) as archive:
        return {n: archive.read(n) for n in archive.namelist() if not n.endswith(".dist-info/RECORD")}


def test_the_wheel_holds_every_tracked_file_of_the_payload(checkout: Path, wheel: Path) -> None:
    """Byte for byte, dot files included: a rule that is left out would silently not be installed."""
    packed = contents(wheel)
    tracked = git(checkout, "ls-files", "-z", *PAYLOAD, "src/goblin").rstrip("\0").split("\0")
    assert {name.split("/")[0] for name in tracked} >= {
        "checks",
        "manifest",
        "schemas",
        "skills",
        "templates",
    }
    for name in tracked:
        inside = name.removeprefix("src/") if name.startswith("src/") else f"goblin/_payload/{name}"
        assert packed.get(inside) == (checkout / name).read_bytes(), name


def test_the_wheel_holds_nothing_else(wheel: Path) -> None:
    """No tests, no scripts, no bytecode, nothing beside the package, its description and its manual."""
    names = [name.split("/") for name in contents(wheel)]
    stem = next(name[0] for name in names if name[0].endswith(".dist-info")).removesuffix(".dist-info")
    assert {name[0] for name in names} == {"goblin", f"{stem}.dist-info", f"{stem}.data"}
    assert {tuple(name[1:-1]) for name in names if name[0] == f"{stem}.data"} == {
        ("data", "share", "man", "man1")
    }
    assert [name for name in contents(wheel) if "__pycache__" in name or name.endswith(".pyc")] == []


def test_a_wheel_built_from_the_sdist_is_the_same_wheel(sdist: Path, wheel: Path, tmp_path: Path) -> None:
    """A registry that builds from source gives its users what we tested."""
    unpacked = tmp_path / "unpacked"
    unpacked.mkdir()
    subprocess.run(["tar", "-xzf", sdist, "-C", unpacked], check=True)
    (top,) = unpacked.iterdir()
    assert contents(build(top, "wheel", tmp_path / "again")) == contents(wheel)


class Scratch:
    """A virtual environment that holds the wheel and its dependencies, and not the checkout."""

    def __init__(self, root: Path, wheel: Path) -> None:
        self.bin = root / "venv" / "bin"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", root / "venv"], check=True)
        self._pip("install", "--no-deps", "--no-index", str(wheel))
        # The dependencies of the environment that runs the tests, offered as a plain folder: its
        # own .pth files, one of which is the editable checkout, are then not read.
        site = subprocess.check_output(
            [self.bin / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True
        )
        Path(site.strip(), "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")

    def _pip(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "pip", "--python", str(self.bin / "python"), *arguments]
        quiet = ["--quiet", "--disable-pip-version-check"]
        done = subprocess.run([*command, *quiet], env=hermetic(), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    def run(self, name: str, *arguments: str, cwd: Path) -> Result:
        """Run an installed command of this environment."""
        return run_cli(self.bin / name, *arguments, cwd=cwd)


@pytest.fixture(scope="module")
def scratch(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Scratch:
    """The wheel, installed."""
    return Scratch(tmp_path_factory.mktemp("scratch"), wheel)


def test_the_installed_package_does_not_read_the_checkout(scratch: Scratch, tmp_path: Path) -> None:
    """Otherwise every other test here would prove nothing."""
    code = "import goblin, goblin.home; print(goblin.__file__); print(goblin.home.HOME)"
    done = scratch.run("python", "-c", code, cwd=tmp_path)
    package, home = done.out.splitlines()
    assert package.startswith(str(scratch.bin.parent))
    assert home == os.path.join(os.path.dirname(package), "_payload")


COMMANDS = ("verify", "install", "count", "model", "emit", "doctor", "mcp")


@pytest.mark.parametrize("command", [f"goblin-{name}" for name in COMMANDS])
def test_each_command_explains_itself(scratch: Scratch, tmp_path: Path, command: str) -> None:
    """`--help` works from the wheel and names the command."""
    done = scratch.run(command, "--help", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"Usage: {command} ")


def test_the_manual_is_found_beside_the_commands(scratch: Scratch, checkout: Path) -> None:
    """Where `man` looks for it once the folder of the commands is on PATH."""
    pages = scratch.bin.parent / "share" / "man" / "man1"
    assert sorted(page.name for page in pages.iterdir()) == sorted(
        page.name for page in (checkout / "docs/man").iterdir()
    )


def test_the_installed_command_lists_every_row(scratch: Scratch, tmp_path: Path, checkout: Path) -> None:
    """The matrix comes from the payload, also where nothing is installed."""
    done = scratch.run("goblin-verify", "--list", cwd=build_repo(root=tmp_path / "empty").root)
    assert done.code == 0
    rows = (checkout / "manifest" / "enforcement.tsv").read_text().splitlines()[1:]
    for row in filter(None, rows):
        assert row.split("\t")[0] in done.out


def test_the_wheel_installs_a_repository_that_is_green(scratch: Scratch, tmp_path: Path) -> None:
    """Install, commit, verify: with the vendored launcher and with the installed command alike."""
    repo = build_repo({"README.md": "# Sample\n"}, tmp_path / "sample")
    done = scratch.run("goblin-install", "--target", ".", "--class", "A", cwd=repo.root)
    assert done.code == 0, done.out + done.err
    repo.commit("Install goblin")
    vendored = run_cli(repo / ".goblin/bin/goblin-verify", cwd=repo)
    installed = scratch.run("goblin-verify", cwd=repo.root)
    assert vendored.code == 0, vendored.out + vendored.err
    assert (installed.code, installed.out) == (0, vendored.out)
