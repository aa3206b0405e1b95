"""`goblin-verify --source`: the vendored files are those of the release, whatever the record says."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from goblin import __version__, home
from goblin.facts.installed import Installed
from goblin.facts.record import PATH, parse
from goblin.facts.release import Release
from goblin.install import release
from goblin.install.journal import digest
from goblin.paths import Tree
from tests.install.releases import Release as Built
from tests.install.releases import old
from tests.support import PROJECT, Repo, run_cli

VERIFY = ".goblin/bin/goblin-verify"
GATES = ".goblin/checks/gates.py"
WORKFLOW = ".github/workflows/goblin-gate.yml"


@pytest.fixture(scope="module")
def ours() -> Release:
    """The release of this checkout, read once."""
    return release.read(release.INSTALLED_PACKAGE)


@pytest.fixture(scope="module")
def target(installed_sample: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """One copy of the sample that the cases change and change back."""
    root = tmp_path_factory.mktemp("source") / "sample"
    shutil.copytree(installed_sample.root, root, symlinks=True)
    return Repo(root)


def differences(repo: Repo, against: Release) -> dict[str, str]:
    """Path to how it differs."""
    installed = Installed(Tree(str(repo.root)), parse((repo / PATH).read_bytes()))
    return dict(against.differences(installed))


def edit_record(repo: Repo, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the record as whoever forges it would: it stays sound."""
    record = json.loads(repo.read(PATH))
    change(record)
    lines = sorted(f"{path}\t{value}\n" for path, value in record["files"].items())
    record["payload_digest"] = digest("".join(lines).encode())
    repo.write({PATH: json.dumps(record)})


def recorded(repo: Repo, path: str, text: str) -> None:
    """Write a file, and its hash into the record."""
    repo.write({path: text})
    edit_record(repo, lambda record: record["files"].update({path: digest(text.encode())}))


def test_an_install_is_the_release_it_claims_to_be(target: Repo, ours: Release) -> None:
    """By a checkout as by the package; every recorded file is one of the release's."""
    assert differences(target, ours) == {}
    assert release.read(str(PROJECT))._replace(where="") == ours._replace(where="")
    files = json.loads(target.read(PATH))["files"]
    assert files.keys() <= {*ours.always, *ours.chosen, *ours.framed}
    assert len(ours.always) > 200


def forge_and_edit(repo: Repo) -> None:
    recorded(repo, GATES, repo.read(GATES) + "\n# weaker\n")


def drop_from_both(repo: Repo) -> None:
    repo.remove(GATES)
    edit_record(repo, lambda record: record["files"].pop(GATES))


def call_it_refused(repo: Repo) -> None:
    repo.write({GATES: "weaker = True\n"})
    edit_record(repo, lambda record: record["refused"].update({GATES: record["files"].pop(GATES)}))


def call_it_merged(repo: Repo) -> None:
    before = json.loads(repo.read(PATH))["files"][GATES]
    recorded(repo, GATES, "weaker = True\n")
    edit_record(repo, lambda record: record.setdefault("merged", {}).update({GATES: before}))


def call_it_global(repo: Repo) -> None:
    repo.write({GATES: "weaker = True\n"})
    edit_record(repo, lambda record: record.update(files={}, engine={"mode": "global"}))


def decline_the_skills(repo: Repo) -> None:
    recorded(repo, ".hermes/skills/practice/SKILL.md", "do as you like\n")
    edit_record(repo, lambda record: record["options"].update(skills="no"))


def add_a_module(repo: Repo) -> None:
    repo.write({".goblin/engine/goblin/extra.py": "x = 1\n"})


def make_it_conditional(repo: Repo) -> None:
    recorded(repo, WORKFLOW, repo.read(WORKFLOW).replace("  gate:\n", "  gate:\n    if: false\n"))


def put_more_than_a_branch(repo: Repo) -> None:
    text = repo.read(WORKFLOW)
    more = re.sub(r"branches: .*\n", "branches: [x]\n    paths: [nowhere]\n", text)
    assert more != text
    recorded(repo, WORKFLOW, more)


def become_a_link(repo: Repo) -> None:
    os.replace(repo / VERIFY, repo / "moved")
    os.symlink(repo / "moved", repo / VERIFY)


TAMPERED: dict[str, tuple[Callable[[Repo], None], str, str]] = {
    "file and record edited together": (forge_and_edit, GATES, f"as {__version__} has it "),
    "file and record dropped together": (drop_from_both, GATES, "missing"),
    "called refused": (call_it_refused, GATES, f"as {__version__} has it "),
    "called merged": (call_it_merged, GATES, f"as {__version__} has it "),
    "called global": (call_it_global, GATES, f"as {__version__} has it "),
    "skill edited and declined": (decline_the_skills, ".hermes/skills/practice/SKILL.md", "as "),
    "module added and recorded": (
        lambda repo: recorded(repo, ".goblin/engine/goblin/extra.py", "x = 1\n"),
        ".goblin/engine/goblin/extra.py",
        f"recorded, and {__version__} has no such file",
    ),
    "module added": (
        add_a_module,
        ".goblin/engine/goblin/extra.py",
        f"{__version__} has no such file",
    ),
    "another version claimed": (
        lambda repo: edit_record(repo, lambda record: record.update(version="9.9.9")),
        PATH,
        f"names release '9.9.9'; installed-package is release {__version__}",
    ),
    "workflow made conditional": (
        make_it_conditional,
        WORKFLOW,
        f"not as {__version__} writes it",
    ),
    "lines in the place of the branch": (
        put_more_than_a_branch,
        WORKFLOW,
        f"not as {__version__} writes it",
    ),
    "launcher became a link": (
        become_a_link,
        VERIFY,
        "is now a symbolic link",
    ),
}


@pytest.mark.parametrize("case", TAMPERED)
def test_tampering_is_seen_whatever_the_record_says(target: Repo, ours: Release, case: str) -> None:
    """Each of these leaves a sound record, and IN-02 alone believes most of them."""
    tamper, path, how = TAMPERED[case]
    try:
        tamper(target)
        found = differences(target, ours)
        assert found[path].startswith(how), found
        assert len(found) <= 2
    finally:
        target.git("clean", "-fdq")
        target.git("reset", "-q", "--hard")


def test_the_row_fails_and_a_signature_or_a_release_each_is_enough(sample: Repo) -> None:
    """The command, from a package and from a checkout; the copy in the repository cannot vouch for itself."""
    options = ("--only", "IN-02", "--source")
    fine = run_cli("goblin-verify", *options, PROJECT, cwd=sample)
    assert fine.code == 0, fine.out
    assert f"installed files hashed | as release {__version__} has them" in fine.out
    forge_and_edit(sample)
    assert run_cli("goblin-verify", "--only", "IN-01,IN-02", cwd=sample).code == 0
    for source in ("installed-package", str(PROJECT)):
        done = run_cli("goblin-verify", *options, source, cwd=sample)
        assert done.code == 1
        assert f"FAIL  IN-02  1 difference(s) from the release at {source}" in done.out
        assert f"{GATES}: as {__version__} has it " in done.out
    itself = run_cli(sample / VERIFY, *options, PROJECT, cwd=sample)
    assert itself.code == 0
    assert "held against no release: this is the copy in the repository" in itself.out
    refused = run_cli(sample / VERIFY, *options, "installed-package", cwd=sample)
    assert (refused.code, refused.out) == (2, "")
    assert "run the goblin-verify that is installed beside goblin-install" in refused.err


def test_a_folder_of_tables_is_no_release(sample: Repo, tmp_path: Path) -> None:
    """Only the rows are read from it, and that is said."""
    shutil.copytree(home.path("manifest"), tmp_path / "rules/manifest")
    done = run_cli("goblin-verify", "--only", "IN-02", "--source", tmp_path / "rules", cwd=sample)
    assert done.code == 0
    assert "holds tables and no release: only the rows are read from it" in done.out


def test_another_release_is_not_compared_and_is_no_pass(target: Repo, tmp_path: Path) -> None:
    """What is copied where is known to the running release alone; a source is never run."""
    Built(tmp_path / "other", "0.0.9", old)
    (tmp_path / "other/src/goblin/install/vendor.py").write_text("raise SystemExit('it ran')\n")
    found = release.read(str(tmp_path / "other"))
    assert "is release 0.0.9" in found.fault
    assert found.fault.endswith("run goblin-verify 0.0.9")
    broken = tmp_path / "broken"
    (broken / "src/goblin").mkdir(parents=True)
    (broken / "src/goblin/__init__.py").write_text(f'__version__ = "{__version__}"\n')
    assert "cannot be read whole" in release.read(str(broken)).fault


def test_a_package_is_found_by_any_of_its_names(tmp_path: Path) -> None:
    """The package's folder, and the payload in it."""
    package = tmp_path / "site/goblin"
    (package / "_payload/manifest").mkdir(parents=True)
    wanted = (str(package / "_payload"), str(package))
    assert release.place(str(package)) == wanted
    assert release.place(str(package / "_payload")) == wanted
    assert release.place(release.INSTALLED_PACKAGE) == (home.HOME, home.PACKAGE)
