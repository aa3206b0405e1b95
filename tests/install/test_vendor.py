"""The engine that a repository carries: what is in it, and what can reach into it."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from goblin.install import vendor
from goblin.install.vendor import Library
from goblin.outcome import CannotRun
from tests.support import PROJECT, Repo, build_repo, git, hermetic

PRINTS_PATH = "import sys, json; print(json.dumps(sys.path))"


# --- what is in it -----------------------------------------------------------------------------


def everything() -> list[vendor.Item]:
    """Every item but the skills, in the order of the plan."""
    return [*vendor.launchers(), *vendor.rules(), *vendor.engine(), *vendor.libraries()]


def test_the_copy_is_the_same_every_time_and_in_bytewise_order() -> None:
    """Two installs of one release are equal, so their records are."""
    assert everything() == everything()
    for group in (vendor.engine(), vendor.libraries()):
        paths = [item.path for item in group]
        assert paths == sorted(paths)


def test_the_engine_is_this_package_less_the_installer() -> None:
    """Every module is there as it is; nothing that only installs, no bytecode."""
    copied = {item.path.removeprefix(f"{vendor.ENGINE}/"): item.data for item in vendor.engine()}
    source = PROJECT / "src" / "goblin"
    expected = {str(path.relative_to(source)): path.read_bytes() for path in source.rglob("*.py")}
    left_out = {name for name in expected if name.startswith(("install/", "emit/", "server/"))} | {
        "adoption.py"
    }
    left_out |= {f"commands/{name}.py" for name in ("doctor", "emit", "install", "mcp", "model", "umbrella")}
    assert copied == {name: data for name, data in expected.items() if name not in left_out}
    assert "commands/verify.py" in copied
    assert "commands/count.py" in copied


def test_tables_and_checks_are_copied_as_they_are() -> None:
    """Every table of the manifest, every verifier, and the schema that the config names."""
    copied = {item.path: item.data for item in vendor.rules()}
    for folder, pattern in (("manifest", "*.tsv"), ("checks", "*.py")):
        for path in (PROJECT / folder).glob(pattern):
            assert copied[f".goblin/{folder}/{path.name}"] == path.read_bytes()
    assert ".goblin/schemas/config.schema.json" in copied
    assert not any("presets" in path for path in copied)


def test_the_libraries_are_those_that_are_pinned_and_bring_their_licences() -> None:
    """click, ruamel.yaml and tabulate; the generated validator of the config needs no library."""
    paths = {item.path.removeprefix(f"{vendor.VENDOR}/") for item in vendor.libraries()}
    assert {"click/core.py", "ruamel/yaml/main.py", "tabulate/__init__.py"} <= paths
    assert {path.split("/")[0] for path in paths} == {"click", "ruamel", "tabulate", "licenses"}
    for library in vendor.LIBRARIES:
        assert any(path.startswith(f"licenses/{library.name}-{library.version}/LICEN") for path in paths)
    assert all(path.endswith(".py") or path.startswith("licenses/") for path in paths)
    assert not any(path.endswith("setup.py") for path in paths)


def test_the_pins_are_those_of_the_package() -> None:
    """What is copied is pinned in pyproject.toml to the very version that is copied."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    assert {f"{library.name}=={library.version}" for library in vendor.LIBRARIES} <= set(
        project["dependencies"]
    )


@pytest.mark.parametrize(
    ("library", "said"),
    [
        (Library("no-such-library", "1"), "no-such-library is not installed"),
        (Library("click", "1.0"), r"click .* is installed, 1\.0 is pinned"),
    ],
)
def test_another_library_than_the_pinned_one_is_refused(
    monkeypatch: pytest.MonkeyPatch, library: Library, said: str
) -> None:
    """A copy must be the release that it claims to be."""
    monkeypatch.setattr(vendor, "LIBRARIES", (library,))
    with pytest.raises(CannotRun, match=said) as caught:
        vendor.libraries()
    assert caught.value.remedy == f"pip install --force-reinstall {library.name}=={library.version}"


def test_a_library_that_was_edited_after_its_release_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each file is held against the digest that its own release recorded."""
    real = importlib.metadata.distribution("tabulate")
    for entry in real.files or ():
        if "__pycache__" not in str(entry):
            (tmp_path / entry).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(entry.locate(), tmp_path / entry)
    with (tmp_path / "tabulate/__init__.py").open("a") as stream:
        stream.write("import os\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(CannotRun, match=r"tabulate/__init__\.py is not the file that tabulate .* released"):
        vendor.libraries()


def test_a_skill_is_copied_for_each_platform_with_its_own_attributes() -> None:
    """The hashed bytes of a skill survive a clone that converts line ends."""
    paths = [item.path for item in vendor.skills({"hermes": ".hermes/skills", "claude": ".claude/skills"})]
    assert ".hermes/skills/goblin-mode/SKILL.md" in paths
    assert ".claude/skills/goblin-mode/.gitattributes" in paths
    assert len(paths) == len(set(paths))


def test_the_source_is_the_commit_of_the_checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A full id; `unknown` where the payload is no checkout of its own, even inside a repository."""
    repo = build_repo({"site-packages/goblin/x": ""}, tmp_path)
    monkeypatch.setattr("goblin.home.HOME", str(tmp_path))
    assert vendor.source_sha() == repo.head
    monkeypatch.setattr("goblin.home.HOME", str(tmp_path / "site-packages" / "goblin"))
    assert vendor.source_sha() == "unknown"


# --- what can reach into it --------------------------------------------------------------------


class Harness(NamedTuple):
    """A repository whose vendored engine is one small command that reports on itself."""

    repo: Repo

    @property
    def launcher(self) -> Path:
        """The vendored goblin-verify."""
        return self.repo / ".goblin/bin/goblin-verify"

    def run(
        self, *argv: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run the launcher, or another argument list."""
        return subprocess.run(
            [*map(str, argv)] or [str(self.launcher)],
            cwd=cwd or self.repo.root,
            env=hermetic(
                PATH=os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]]), **(env or {})
            ),
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def harness(tmp_path: Path) -> Harness:
    """The launcher in place, with an engine whose `main` prints what it is asked for."""
    return Harness(plant(build_repo(root=tmp_path / "repo")))


def plant(repo: Repo) -> Repo:
    """Put the real launchers and a small engine into a repository."""
    repo.write({item.path: item.data for item in vendor.launchers()})
    main = "import json, sys\nimport goblin.part\n"
    main += (
        "def main():\n    print(json.dumps([goblin.part.SAYS, sys.path, sys.pycache_prefix, sys.argv[1:]]))\n"
    )
    main += "    return 7\n"
    return repo.write(
        {
            ".goblin/engine/goblin/__init__.py": "",
            ".goblin/engine/goblin/commands/__init__.py": "",
            ".goblin/engine/goblin/commands/verify.py": main,
            ".goblin/engine/goblin/part.py": "SAYS = 'clean'\n",
            ".goblin/engine/_vendor/vendored.py": "",
        }
    )


def report(done: subprocess.CompletedProcess[str]) -> tuple[str, list[str], str, list[str]]:
    """What the small engine printed."""
    import json

    assert done.returncode == 7, done.stderr
    says, path, prefix, arguments = json.loads(done.stdout)
    return says, path, prefix, arguments


def test_both_ways_to_start_it_give_the_same_imports(harness: Harness, tmp_path: Path) -> None:
    """As a program and through `python3`, with a hostile environment: standard library and engine alone."""
    (tmp_path / "evil").mkdir()
    (tmp_path / "evil/json.py").write_text("raise SystemExit('evil json')\n")
    hostile = {
        "PYTHONPATH": str(tmp_path / "evil"),
        "PYTHONHOME": "",
        "PYTHONSTARTUP": str(tmp_path / "evil/json.py"),
    }
    direct = report(harness.run())
    through = report(harness.run(sys.executable, harness.launcher, "--only", "X", env=hostile))
    assert direct[1] == through[1]
    assert through[3] == ["--only", "X"]
    engine = str(harness.repo / ".goblin/engine")
    assert direct[1][-2:] == [engine, os.path.join(engine, "_vendor")]
    standard = os.path.dirname(os.__file__)
    assert standard in direct[1]
    assert not any("site-packages" in entry or str(tmp_path / "evil") in entry for entry in direct[1])
    assert str(harness.launcher.parent) not in direct[1]


def test_a_module_beside_the_launcher_or_in_the_working_folder_is_not_imported(harness: Harness) -> None:
    """Files of the repository under test do not shadow the standard library."""
    shadow = "raise SystemExit('shadowed')\n"
    harness.repo.write({".goblin/bin/json.py": shadow, "json.py": shadow, "goblin/__init__.py": shadow})
    assert report(harness.run())[0] == "clean"
    assert report(harness.run(sys.executable, harness.launcher))[0] == "clean"


def planted_bytecode(harness: Harness) -> str:
    """Bytecode beside the clean source, valid for it by time and size, that says something else."""
    source = harness.repo / ".goblin/engine/goblin/part.py"
    clean = source.read_bytes()
    source.write_bytes(clean.replace(b"'clean'", b"'owned'"))
    status = source.stat()
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(source)], check=True, env=hermetic())
    source.write_bytes(clean)
    os.utime(source, ns=(status.st_mtime_ns, status.st_mtime_ns))
    (found,) = (source.parent / "__pycache__").glob("part.*.pyc")
    return str(found)


def test_planted_bytecode_does_not_run(harness: Harness) -> None:
    """The same bytecode does run in a plain Python, and never through the launcher."""
    planted_bytecode(harness)
    plain = harness.run(
        sys.executable,
        "-c",
        "import sys; sys.path.insert(0, '.goblin/engine'); import goblin.part as p; print(p.SAYS)",
    )
    assert plain.stdout == "owned\n"
    for _ in range(2):
        assert report(harness.run())[0] == "clean"
        assert report(harness.run(sys.executable, harness.launcher))[0] == "clean"


def test_bytecode_without_its_source_is_no_module(harness: Harness) -> None:
    """Nobody reviews it; a plain Python would import it where the source is missing."""
    source = harness.repo / ".goblin/engine/goblin/part.py"
    compiled = source.with_suffix(".pyc")
    os.rename(planted_bytecode(harness), compiled)
    source.unlink()
    for done in (harness.run(), harness.run(sys.executable, harness.launcher)):
        assert done.returncode == 1
        assert "No module named 'goblin.part'" in done.stderr


def test_bytecode_is_kept_in_the_git_directory_and_nowhere_in_the_tree(harness: Harness) -> None:
    """A second run finds it; the tree stays as it was committed."""
    harness.repo.commit("all")
    prefix = report(harness.run())[2]
    assert prefix == str(harness.repo / ".git/goblin/pycache")
    kept = [path.name for path in Path(prefix).rglob("*.pyc")]
    assert any(name.startswith("part.") for name in kept)
    assert not any(name.startswith("json") for name in kept), "the standard library has its own"
    assert harness.repo.git("status", "--porcelain", "--ignored") == ""


@pytest.mark.parametrize("kind", ["worktree", "submodule"])
def test_where_git_is_a_file_the_named_git_directory_is_used(
    harness: Harness, tmp_path: Path, kind: str
) -> None:
    """Linked worktrees and submodules have their own git directory."""
    harness.repo.commit("all")
    if kind == "worktree":
        harness.repo.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "linked"))
        place, git_dir = tmp_path / "linked", harness.repo / ".git/worktrees/linked"
    else:
        outer = build_repo(root=tmp_path / "outer")
        outer.git(
            "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(harness.repo.root), "sub"
        )
        place, git_dir = outer / "sub", outer / ".git/modules/sub"
    done = harness.run(place / ".goblin/bin/goblin-verify", cwd=place)
    assert report(done)[2] == str(git_dir / "goblin/pycache")
    assert git(place, "status", "--porcelain", "--ignored") == ""


@pytest.mark.parametrize(
    "dot_git", [None, "gitdir: ../planted/git\n", "gitdir: .goblin/git\n", "rubbish", "gitdir: /nowhere\n"]
)
def test_without_a_git_directory_no_bytecode_is_read_or_written(tmp_path: Path, dot_git: str | None) -> None:
    """None at all, a pointer into the tree, a pointer to nothing: clean source is compiled each time."""
    root = tmp_path / "plain"
    build_repo(root=root)
    shutil.rmtree(root / ".git")
    harness = Harness(plant(Repo(root)))
    harness.repo.write({".goblin/git/HEAD": "ref: refs/heads/main\n"})
    if dot_git is not None:
        (root / ".git").write_text(dot_git)
    planted_bytecode(harness)
    before = sorted(path for path in root.rglob("*"))
    says, _, prefix, _ = report(harness.run())
    assert says == "clean"
    assert prefix.startswith(os.devnull)
    assert sorted(path for path in root.rglob("*")) == before


def test_a_git_directory_that_cannot_be_written_is_no_obstacle(harness: Harness) -> None:
    """A file where the cache folder would be stands for a read-only checkout."""
    (harness.repo / ".git/goblin").write_text("in the way")
    assert report(harness.run())[0] == "clean"


def test_it_works_through_a_link_and_from_any_folder(harness: Harness, tmp_path: Path) -> None:
    """People link it into a folder on PATH."""
    link = tmp_path / "verify"
    link.symlink_to(harness.launcher)
    assert report(harness.run(link, cwd=tmp_path))[1][-2] == str(harness.repo / ".goblin/engine")


def test_an_old_python_is_told_so_in_one_line(harness: Harness, tmp_path: Path) -> None:
    """Exit 2 and no traceback: the launcher is read by a Python that says it is 3.10."""
    drive = tmp_path / "drive.py"
    drive.write_text(
        "import runpy, sys\nsys.version_info = (3, 10, 4, 'final', 0)\n"
        "runpy.run_path(sys.argv[1], run_name='__main__')\n"
    )
    done = harness.run(sys.executable, "-I", "-S", drive, harness.launcher)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: goblin-verify needs Python 3.11 or newer; this is Python 3.10\n"


def test_a_launcher_reads_as_old_python_too() -> None:
    """No syntax newer than 3.0 stands before the version is judged, or the message would never be seen."""
    import ast

    for item in vendor.launchers():
        ast.parse(item.data, feature_version=(3, 4))
        assert item.mode == 0o755
        assert item.data.startswith(b"#!/usr/bin/env -S python3 -I -S\n")
