"""The pages, the workflow and the files around git: fit for the people and the rules that read them."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from goblin.facts.specs import Spec
from goblin.install import presets, templates
from goblin.install.vendor import LAUNCHERS
from goblin.markdown import headings
from goblin.outcome import Verdict
from tests.checks.judging import judge, said
from tests.install.rendering import GATE_LINE, OURS, TARGET, adopt, choices, read_yaml, rendered
from tests.support import Repo, build_repo, hermetic

# --- the pages that people read --------------------------------------------------------------


@pytest.mark.parametrize("letter", presets.LETTERS)
def test_the_handoff_has_its_five_sections_its_head_line_and_its_measured_line(letter: str) -> None:
    """What HP-02, HP-03 and HP-05 read."""
    text = rendered("HANDOFF.md", letter)
    assert [h.text for h in headings(text) if h.level == 2] == [
        "START HERE",
        "State",
        "Gates",
        "Next steps",
        "Not verified",
    ]
    assert "\n- HEAD when this file was written: `abc1234`\n" in text
    gates = text.split("## Gates\n")[1].split("\n## ")[0]
    assert f"- {GATE_LINE}\n" in gates
    others = [line for line in gates.split("\n") if "=" in line and GATE_LINE not in line]
    assert len(others) == 1
    assert "example of the required form" in others[0]
    assert not re.search("=", re.sub(r"`[^`]*`", "", others[0]))  # its `=` stands in a code span


def test_a_handoff_without_a_measured_line_says_so_and_fakes_none() -> None:
    """HP-03 is then red, which is true."""
    gates = rendered("HANDOFF.md", gate_line="").split("## Gates\n")[1].split("\n## ")[0]
    assert "Nothing was measured at the install" in gates
    assert [
        line for line in gates.split("\n") if "=" in line and "example of the required form" not in line
    ] == []


@pytest.mark.parametrize(
    "name", ["a\n## Gates\n\nforged=0", "<!-- hidden", "`x`", "# x", "", "\x1b[2J", "[a](b)"]
)
def test_the_name_of_a_folder_cannot_add_a_heading_or_hide_one(name: str) -> None:
    """The name is shown, and changes nothing around it."""
    target = TARGET._replace(project=name)
    for page in ("HANDOFF.md", "AGENTS.md", "ROUND-000-SPEC.md"):
        titles = [h.text for h in headings(rendered(page, "A", target))]
        assert titles[1:] == [h.text for h in headings(rendered(page))][1:]
        assert len(titles[0]) < 80


def test_a_branch_is_shown_whole_in_the_handoff() -> None:
    """Backticks are allowed in a branch name."""
    assert "- Branch: ``a`b``. Class A" in rendered("HANDOFF.md", "A", TARGET._replace(branch="a`b"))
    assert templates.code_span("`x``") == "``` `x`` ```"


@pytest.mark.parametrize("letter", [letter for letter in presets.LETTERS if letter != "D"])
def test_the_first_spec_has_items_that_a_machine_can_compare(letter: str) -> None:
    """What SP-03 reads, with at least one negative control."""
    items = Spec("ROUND-000-SPEC.md", rendered("ROUND-000-SPEC.md", letter).encode()).items
    assert len(items) >= 3
    assert all(item.comparable for item in items)
    assert any("negative control" in item.text for item in items)


@pytest.mark.parametrize("page", ["AGENTS.md", "AGENTS.block.md"])
def test_the_pointer_names_what_an_agent_needs(page: str) -> None:
    """Class, date, verify and its four codes, matrix, config, handoff, standard, skills, two promises."""
    text = rendered(page)
    for wanted in (
        "class A",
        "2026-01-31",
        "`HANDOFF.md` first",
        ".goblin/bin/goblin-verify",
        ".goblin/manifest/enforcement.tsv",
        ".goblin/goblin.yaml",
        "`practice:`",
        "`goblin-mode`",
        "`.hermes/skills/`",
        "chooses no models",
        "nothing outside this tree",
    ):
        assert wanted in text
    assert all(re.search(rf"\b{code}\b \|?[ ]*[a-z]", text) for code in "0123")
    assert text.count("\n") < 50


def test_the_pointer_of_an_archived_repository_without_skills_promises_neither() -> None:
    """It does not send an agent to files that are not there."""
    text = rendered("AGENTS.md", "D", archive=True, skills_dirs=())
    assert "HANDOFF.md" not in text
    assert "goblin-mode" not in text
    assert ".goblin/manifest/playbooks.tsv" in text


def test_the_block_for_an_existing_page_stands_between_its_own_markers() -> None:
    """They are not the markers of any other tool's block."""
    lines = rendered("AGENTS.block.md").split("\n")
    assert lines[0] == "<!-- goblin-stack:agents-begin -->"
    assert lines[-2:] == ["<!-- goblin-stack:agents-end -->", ""]


def test_every_command_that_a_page_names_is_one_that_is_installed() -> None:
    """A pointer to a program that is not there costs an agent its first minutes."""
    for name in OURS:
        for path in re.findall(r"\.goblin/bin/([\w-]+)", rendered(name)):
            assert path in LAUNCHERS, name


# --- under the real rules --------------------------------------------------------------------


@pytest.fixture(scope="module")
def adopted(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A repository that holds what an install of class A writes."""
    return adopt(tmp_path_factory.mktemp("adopted"))


@pytest.mark.parametrize(
    "cell",
    [
        "checks/handoff.py::a_handoff_exists",
        "checks/handoff.py::the_five_sections_are_present",
        "checks/handoff.py::gate_numbers_are_dated",
        "checks/handoff.py::the_handoff_names_an_ancestor",
        "checks/spec.py::a_spec_exists",
        "checks/spec.py::no_spec_is_uncommitted",
        "checks/spec.py::acceptance_items_can_be_compared",
    ],
)
def test_a_fresh_install_is_green_under_the_rules_that_read_it(adopted: Repo, cell: str) -> None:
    """The rows' own verifiers, on the files as they are written."""
    outcome = judge(adopted, cell)
    assert outcome.verdict is Verdict.PASS, said(outcome)


# --- the workflow ----------------------------------------------------------------------------


def workflow(branch: str = "main") -> Any:
    """The rendered workflow, parsed."""
    return read_yaml(rendered("ci/github.yml", "A", TARGET._replace(branch=branch)))


def test_the_workflow_is_one_unconditional_job_that_runs_every_rule() -> None:
    """The forge reports a skipped job as a success, so nothing may skip it (PG-05, PG-06)."""
    read = workflow()
    assert read["name"] == "goblin-gate"
    assert read["on"] == {"push": {"branches": ["main"]}, "pull_request": ""}
    assert read["permissions"] == {"contents": "read"}
    assert read["concurrency"]["cancel-in-progress"] == "true"
    assert list(read["jobs"]) == ["gate"]
    job = read["jobs"]["gate"]
    assert set(job) == {"runs-on", "timeout-minutes", "steps"}
    assert job["timeout-minutes"] == "20"
    checkout, verify = job["steps"]
    assert re.fullmatch(r"actions/checkout@[0-9a-f]{40}", checkout["uses"])
    assert checkout["with"] == {"fetch-depth": "0", "persist-credentials": "false"}
    assert set(verify) == {"name", "run"}
    assert verify["run"] == ".goblin/bin/goblin-verify --format github"


def test_each_action_is_pinned_by_commit_with_its_version_beside_it() -> None:
    """A tag can be moved; a commit cannot, and the comment says which release it is."""
    used = re.findall(r"uses: (.*)", templates.load("ci/github.yml"))
    assert used
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", use) for use in used)


@pytest.mark.parametrize(
    ("branch", "pattern"),
    [
        ("release/1.0", "release/1.0"),
        ("it's#{1}&", "it's#{1}&"),
        ("c++", "c\\+\\+"),
        ("!x", "\\!x"),
        ("${{github.token}}", "${{github.token}}"),
        ("{{GATE_LINE}}", "{{GATE_LINE}}"),
    ],
)
def test_an_odd_branch_name_is_a_literal_pattern(branch: str, pattern: str) -> None:
    """The forge reads a pattern there, so the marks of patterns are escaped; nothing else moves."""
    read = workflow(branch)
    assert read["on"]["push"]["branches"] == [pattern]
    assert read["jobs"] == workflow()["jobs"]


# --- the files around git --------------------------------------------------------------------


def test_git_ignores_what_the_block_is_for_and_nothing_that_is_committed(tmp_path: Path) -> None:
    """Asked of git itself, for each kind of file."""
    repo = build_repo({".gitignore": rendered("gitignore")}, tmp_path)
    ignored = [
        *(f".goblin/{name}" for name in ("last-gate-line", "last-gate.json", ".ds-report", "ratchet-last")),
        *(f".goblin/{name}" for name in ("lock", "journal/1", "backup/x/HANDOFF.md", "state.json")),
        *(".env", "app/.env.local", ".env.production", "certs/a.pem", "b.key"),
    ]
    kept = [
        ".env.example",
        ".goblin/goblin.yaml",
        ".goblin/installed.json",
        ".goblin/bin/goblin-verify",
        "HANDOFF.md",
    ]
    for path in ignored:
        assert repo.git("check-ignore", "--no-index", path) == path
    done = subprocess.run(["git", "check-ignore", "--no-index", *kept], cwd=repo, env=hermetic(), check=False)
    assert done.returncode == 1  # git says: none of them


def test_the_ignore_block_keeps_its_markers_and_takes_negations() -> None:
    """An installer puts the lines that undo a host rule at the end of the block."""
    text = rendered("gitignore")
    assert text.startswith("# >>> goblin-stack >>>\n")
    assert text.endswith("\n# <<< goblin-stack <<<\n")
    values = templates.values(presets.load("A"), TARGET, choices()) | {
        "IGNORE_NEGATIONS": "!bin/\n!.goblin/bin/"
    }
    with_negations = templates.render(templates.load("gitignore"), values)
    assert with_negations == text.replace("# <<<", "!bin/\n!.goblin/bin/\n# <<<")


def test_hashed_files_are_never_converted(tmp_path: Path) -> None:
    """Also where the project turns every line end into CRLF."""
    files = {".gitattributes": "* text=auto eol=crlf\n", ".goblin/.gitattributes": rendered("gitattributes")}
    repo = build_repo({**files, ".goblin/bin/x": "#!/bin/sh\nexit 0\n", "a.txt": "a\n"}, tmp_path / "one")
    repo.git("clone", "-q", ".", os.fspath(tmp_path / "two"))
    assert (tmp_path / "two/.goblin/bin/x").read_bytes() == b"#!/bin/sh\nexit 0\n"
    assert (tmp_path / "two/a.txt").read_bytes() == b"a\r\n"  # the setting works elsewhere


# --- what is for copying by hand -------------------------------------------------------------


def test_the_loop_templates_cannot_end_a_loop_that_copied_them() -> None:
    """One command, red for ever until it is replaced; a header of six columns."""
    commands = [line for line in templates.load("loop/predicate").split("\n") if line and line[0] != "#"]
    assert commands == ["false"]
    header = templates.load("loop/decisions.tsv")
    assert header == "ts\tphase\tdecision\twhy\tevidence\tresult\n"


@pytest.mark.parametrize("name", ["audit-waiver.tsv", "boundary-waivers", "install-hooks.allowlist"])
def test_a_fresh_decision_record_decides_nothing(name: str) -> None:
    """Comments alone: nothing is waived or allowed by an install."""
    assert all(line.startswith("#") for line in templates.load(name).splitlines())
