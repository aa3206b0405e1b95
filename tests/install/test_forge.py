"""The workflow of each forge, and when none is added."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from goblin.install import forge
from goblin.install.disk import Disk
from goblin.yaml import List, Map, load
from tests.install.driving import record_of, run
from tests.install.faults import picture
from tests.support import Repo, build_repo, run_cli
from tests.support.repo import Files

pytestmark = pytest.mark.usefixtures("one_payload")

OURS = {name: known.workflow for name, known in forge.FORGES.items()}
GATE = """\
on: [push, pull_request]
jobs:
  all:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@fbc6f3992d24b796d5a048ff273f7fcc4a7b6c09
        with: {fetch-depth: 0}
      - run: .goblin/bin/goblin-verify
"""


@pytest.mark.parametrize("name", OURS)
def test_each_forge_gets_its_own_workflow_which_is_a_gate(tmp_path: Path, name: str) -> None:
    """One file where that forge looks; PG-05, PG-06 and CL-01 accept it; the next run changes nothing."""
    repo = build_repo({"README.md": "x\n"}, tmp_path / "repo")
    assert run(repo, forge=name).code == 0
    here = {path for path in OURS.values() if (repo / path).exists()}
    assert here == {OURS[name]}
    record = record_of(repo)
    assert OURS[name] in (record.owned if name == "gitlab" else record.files)
    repo.commit("Install goblin")
    done = run_cli("goblin-verify", "--only", "PG-05,PG-06,CL-01", cwd=repo)
    assert done.code == 0, done.out
    assert done.out.count("PASS  ") == 3
    assert run(repo).counts.startswith("no-op: ")
    assert run(repo, upgrade=True).counts.startswith("no-op: ")


@pytest.mark.parametrize("name", OURS)
def test_no_workflow_asks_for_more_than_it_needs(tmp_path: Path, name: str) -> None:
    """Full history, no condition, nothing writable, no moving action, no text of others in a script."""
    repo = build_repo({"README.md": "x\n"}, tmp_path / "repo")
    run(repo, forge=name)
    text = repo.read(OURS[name])
    code = re.sub(r"(?m)^\s*#.*$", "", text).replace("  artifacts:\n    when: always\n", "  artifacts:\n")
    assert not re.search(
        r"(?m)^\s*-?\s*(if|rules|only|except|when|needs|allow_failure|continue-on-error):", code
    )
    root = load(text.encode(), OURS[name])
    assert isinstance(root, Map)
    if name == "gitlab":
        job = root["goblin-gate"]
        assert isinstance(job, Map)
        assert job["variables"] == {"GIT_DEPTH": "0"}
        return
    assert root["permissions"] == {"contents": "read"}
    jobs = root["jobs"]
    assert isinstance(jobs, Map)
    (job,) = jobs.values()
    assert isinstance(job, Map)
    steps = job["steps"]
    assert isinstance(steps, List)
    checkout, verify = steps
    assert isinstance(checkout, Map)
    assert re.fullmatch(r"actions/checkout@[0-9a-f]{40}", str(checkout["uses"]))
    assert checkout["with"] == {"fetch-depth": "0", "persist-credentials": "false"}
    assert isinstance(verify, Map)
    assert "${{" not in verify["run"]


GATES: dict[str, Files] = {
    "another name": {".github/workflows/ci.yml": GATE},
    "our own name": {".github/workflows/goblin-gate.yml": GATE},
    "on forgejo": {".forgejo/workflows/all.yaml": GATE},
    "on gitea": {".gitea/workflows/all.yml": GATE},
    "on gitlab": {".gitlab-ci.yml": "all:\n  script: [.goblin/bin/goblin-verify]\n"},
    "with python": {".github/workflows/ci.yml": GATE.replace("run: .goblin", "run: python3 .goblin")},
}


@pytest.mark.parametrize("case", GATES)
def test_where_a_workflow_is_the_gate_already_none_is_added(tmp_path: Path, case: str) -> None:
    """It is named; nothing is refused, and an upgrade adds none either. Once it is gone, ours comes."""
    files = GATES[case]
    (path,) = files
    repo = build_repo(files, tmp_path / "repo")
    for upgrade in (False, True):
        ran = run(repo, upgrade=upgrade)
        assert ran.code == 0, ran.text
        assert f"note: {path} already runs the whole verify; no second workflow is added" in ran.out
        assert {place for place in OURS.values() if (repo / place).exists()} <= {path}
        record = record_of(repo)
        assert not {*record.files, *record.owned, *record.refused} & set(OURS.values())
    repo.remove(path)
    assert run(repo).code == 0
    assert OURS["github"] in record_of(repo).files


NO_GATES: dict[str, str] = {
    "another command": GATE.replace(".goblin/bin/goblin-verify", "make test"),
    "some rows": GATE.replace("goblin-verify", "goblin-verify --only HP-01"),
    "conditional": GATE.replace("  all:\n", "  all:\n    if: github.actor == 'me'\n"),
    "lenient": GATE.replace("      - run:", "      - continue-on-error: true\n        run:"),
    "by hand": GATE.replace("on: [push, pull_request]", "on: workflow_dispatch"),
    "another branch": GATE.replace("on: [push, pull_request]", "on: {push: {branches: [release]}}"),
    "a comment": "# .goblin/bin/goblin-verify\n" + GATE.replace(".goblin/bin/goblin-verify", "true"),
    "no YAML": GATE + "\t- broken: [goblin-verify\n",
}


@pytest.mark.parametrize("case", NO_GATES)
def test_a_workflow_that_is_no_gate_does_not_stand_for_ours(tmp_path: Path, case: str) -> None:
    """Each of these can be green without a whole verify."""
    repo = build_repo({".github/workflows/ci.yml": NO_GATES[case]}, tmp_path / "repo")
    assert run(repo).code == 0
    assert OURS["github"] in record_of(repo).files
    assert repo.read(".github/workflows/ci.yml") == NO_GATES[case]


def test_a_gitlab_file_of_the_project_is_refused_until_it_verifies(tmp_path: Path) -> None:
    """One file holds all jobs there: exit 1 with what to add, then exit 0."""
    repo = build_repo({".gitlab-ci.yml": "test:\n  script: [make]\n"}, tmp_path / "repo")
    ran = run(repo, forge="gitlab")
    assert ran.code == 1
    assert "refused to overwrite: .gitlab-ci.yml" in ran.out
    assert any(
        "remedy: .gitlab-ci.yml: let a job of it run .goblin/bin/goblin-verify" in line for line in ran.err
    )
    assert run(repo).code == 1
    assert not (repo / ".github").exists()
    repo.write(
        {".gitlab-ci.yml": repo.read(".gitlab-ci.yml") + "gate:\n  script: [.goblin/bin/goblin-verify]\n"}
    )
    assert run(repo).code == 0  # the forge is remembered by what was refused there
    assert record_of(repo).refused == {}
    assert not (repo / ".github").exists()


def test_a_change_of_forge_takes_the_old_workflow_away(tmp_path: Path) -> None:
    """It is recorded by what stands there; an edited one is kept and named."""
    repo = build_repo({"README.md": "x\n"}, tmp_path / "repo")
    run(repo)
    assert run(repo, forge="forgejo").code == 0
    assert not (repo / ".github").exists()
    assert (repo / OURS["forgejo"]).exists()
    assert run(repo).counts.startswith("no-op: ")
    repo.write({OURS["forgejo"]: "edited: true\n"})
    ran = run(repo, forge="github")
    assert ran.code == 1
    assert f"error: edited, and no part of this release: {OURS['forgejo']}" in ran.err


@pytest.mark.parametrize(
    ("files", "named"),
    [
        ({".gitlab-ci.yml": "x: {script: [make]}\n"}, "gitlab"),
        ({".forgejo/workflows/x.yml": "on: push\n"}, "forgejo"),
        ({".gitea/workflows/x.yml": "on: push\n"}, "forgejo"),
        ({".github/workflows/x.yml": "on: push\n", ".gitlab-ci.yml": "x: {script: [make]}\n"}, ""),
        ({"README.md": "x\n"}, ""),
    ],
)
def test_traces_of_another_forge_are_a_hint_and_no_guess(tmp_path: Path, files: Files, named: str) -> None:
    """The default stays what it is; the hint is said once."""
    repo = build_repo(files, tmp_path / "repo")
    ran = run(repo)
    hints = [line for line in ran.out if "this looks like a project on" in line]
    assert len(hints) == bool(named)
    assert not named or f"--forge {named}" in hints[0]
    assert OURS["github"] in record_of(repo).files
    assert not any("this looks like" in line for line in run(repo).out)


def test_a_class_without_the_part_gets_no_workflow_on_any_forge(tmp_path: Path) -> None:
    """And its own are not looked at."""
    repo = build_repo({".github/workflows/ci.yml": GATE}, tmp_path / "repo")
    ran = run(repo, "B", forge="forgejo")
    assert ran.code == 0
    assert "already runs" not in ran.text
    assert not {path for path in picture(repo.root) if path.startswith((".forgejo", ".gitlab"))}


def test_a_hostile_workflow_is_not_followed(tmp_path: Path) -> None:
    """A link, a folder, a file of gigabytes, and one that is nothing but nesting."""
    repo = Repo(tmp_path / "repo")
    build_repo({"x": "y"}, repo.root)
    workflows = repo / ".github/workflows"
    workflows.mkdir(parents=True)
    (workflows / "link.yml").symlink_to("/dev/zero")
    (workflows / "folder.yml").mkdir()
    (workflows / "deep.yml").write_text("# goblin-verify\n" + "[" * 5000)
    with (workflows / "large.yml").open("wb") as stream:
        stream.truncate(1 << 33)
    assert forge.verifying(Disk(str(repo.root)), "main") == ""
