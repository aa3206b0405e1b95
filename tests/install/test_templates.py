"""What an install writes: every placeholder filled, every value whole, every file fit for its reader."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from goblin import counting, yaml
from goblin.facts.specs import Spec
from goblin.install import classes, presets, templates
from goblin.install.templates import Choices, TargetFacts, TemplateError
from goblin.markdown import headings
from goblin.outcome import Verdict
from tests.checks.judging import judge, said
from tests.support import PROJECT, Repo, Result, build_repo, hermetic, run_cli

TARGET = TargetFacts("main", "abc1234", "owner@example.invalid", "2026-01-31", "sample")
GATE_LINE = "commit=0 \u00b7 measured 2026-01-31"
OURS = [name for name in templates.names() if not name.startswith("launchers/")]
"""Every template but the launchers, which are filled by whoever copies the engine."""


def choices(letter: str = "A", **more: Any) -> Choices:
    """The choices of a plain install of one class."""
    plain = Choices(
        class_name=letter,
        archive=False,
        disabled=tuple(classes.forbidden(letter)),
        models_file="~/.config/goblin/models.yaml",
        practice="",
        practice_sha256="",
        skills_dirs=(".hermes/skills",),
        ceiling="",
        todo_ceiling="160" if letter == "A" else "",
        gate_line=GATE_LINE,
        version="1.2.3",
    )
    return plain._replace(**more)


def rendered(name: str, letter: str = "A", target: TargetFacts = TARGET, **more: Any) -> str:
    """One template as an install of a class writes it."""
    values = templates.values(presets.load(letter), target, choices(letter, **more))
    return templates.render(templates.load(name), values)


def read_yaml(text: str) -> Any:
    """YAML 1.2, every scalar as text."""
    return YAML(typ="base", pure=True).load(text)


# --- render ----------------------------------------------------------------------------------


@given(st.text())
@example("{{B}}")
@example("a & \\1 \\g<0> $x `y` 'z' \"")
@example("# not a comment")
def test_a_value_is_put_in_as_it_is(value: str) -> None:
    """Nothing in a value is special, and it is never expanded again."""
    assert templates.render("[{{A}}|{{B}}|{{A}}]\n", {"A": value, "B": "b"}) == f"[{value}|b|{value}]\n"


def test_an_empty_value_leaves_no_blank_behind() -> None:
    """A key without a value ends at its colon, and a line of its own disappears."""
    text = "a: {{A}}\n{{A}}\n  {{A}}\nb [{{A}}]\n{{A}}"
    assert templates.render(text, {"A": ""}) == "a:\nb []\n"
    assert templates.render(text, {"A": "x"}) == "a: x\nx\n  x\nb [x]\nx\n"


@pytest.mark.parametrize("text", ["a", "a\n", "a\n\n\n", "{{A}}"])
def test_there_is_exactly_one_final_newline(text: str) -> None:
    """Whatever the template or the last value ends with."""
    assert templates.render(text, {"A": "a\n\n"}) == "a\n"


def test_a_placeholder_without_a_value_is_an_error() -> None:
    """A half-filled file is never written."""
    with pytest.raises(TemplateError, match=r"\{\{B\}\}"):
        templates.render("{{A}} {{B}}", {"A": "{{B}}"})


def test_what_only_looks_like_a_placeholder_stays() -> None:
    """Expressions of a workflow and the names of a replay command are other people's braces."""
    text = "${{ github.ref }} {name} {{lower}} {{ SPACED }} {{}}\n"
    assert templates.render(text, {}) == text


@pytest.mark.parametrize("name", ["../manifest/roles.tsv", "gone", "", ".", "/etc/passwd", "checks"])
def test_only_a_template_is_loaded(name: str) -> None:
    """The name cannot leave the folder, and a missing one says so."""
    with pytest.raises(TemplateError):
        templates.load(name)


# --- every template of every class -----------------------------------------------------------


@pytest.mark.parametrize("letter", presets.LETTERS)
@pytest.mark.parametrize("name", OURS)
def test_no_placeholder_is_left(name: str, letter: str) -> None:
    """Nothing in braces of ours reaches a repository."""
    for archive, skills in ((False, (".hermes/skills",)), (True, ())):
        assert templates.placeholders(rendered(name, letter, archive=archive, skills_dirs=skills)) == set()


@pytest.mark.parametrize("letter", presets.LETTERS)
def test_the_gate_block_was_really_rendered(letter: str) -> None:
    """The control of the test above: the text that replaced the placeholder is there."""
    assert "{{YAML_GATES}}" in templates.load("goblin.yaml")
    assert "\n  - name: commit\n    cmd: 'git rev-parse --verify --quiet HEAD'\n" in rendered(
        "goblin.yaml", letter
    )


def test_every_value_is_asked_for_by_some_template() -> None:
    """A value that no template holds is dead."""
    asked = set().union(*(templates.placeholders(templates.load(name)) for name in OURS))
    assert asked == set(templates.values(presets.load("A"), TARGET, choices()))


@pytest.mark.parametrize("name", OURS)
def test_a_template_is_ascii_with_lf_and_one_final_newline(name: str) -> None:
    """The bytes are the same on every machine and in every terminal."""
    data = (PROJECT / "templates" / name).read_bytes()
    assert data.isascii()
    assert b"\r" not in data
    assert data.endswith(b"\n")
    assert not data.endswith(b"\n\n")


@pytest.mark.parametrize("name", OURS)
def test_a_template_holds_no_marker_and_no_path_of_a_machine(name: str) -> None:
    """A marker would count against the project; an absolute path is true on one machine only."""
    text = templates.load(name).removeprefix("#!/usr/bin/env")
    assert not re.search("|".join(["TO" + "DO", "FIX" + "ME"]), re.sub(r"TO" + r"DO_[A-Z]+", "", text))
    assert not re.search(r"(?<![\w./~}{*])/(?:usr|home|Users|root|tmp|etc|opt|var)/", text)


@pytest.mark.parametrize("letter", presets.LETTERS)
def test_what_is_written_does_not_raise_the_count_of_its_own_class(tmp_path: Path, letter: str) -> None:
    """Class E counts Markdown and YAML: the harness's own text must not be in that number."""
    files = {name: rendered(name, letter) for name in OURS}
    files |= {f"workflow{name[2:]}" if name.startswith("ci/") else name: text for name, text in files.items()}
    endings = "ts,tsx,js,jsx,mjs,py,cs,sh,yaml,yml,md"
    request = counting.parse(["markers", "--ext", endings])
    found = counting.count(request, os.fspath(build_repo(files, tmp_path)))
    assert found.number == 0
    assert found.examined >= 6


# --- the config ------------------------------------------------------------------------------


@pytest.mark.parametrize("letter", presets.LETTERS)
def test_the_config_says_what_was_chosen(letter: str) -> None:
    """Read back as YAML 1.2, each key holds its preset, fact or choice, and nothing is guessed."""
    preset = presets.load(letter)
    config = read_yaml(
        rendered("goblin.yaml", letter, ceiling="12", practice="~/p.md", practice_sha256="ab" * 32)
    )
    assert config["class"] == letter
    assert config["branch"] == "main"
    assert config["models_file"] == "~/.config/goblin/models.yaml"
    assert (config["practice"], config["practice_sha256"]) == ("~/p.md", "ab" * 32)
    assert config["owner_email"] == "owner@example.invalid"
    assert (config["archive"], config["max_dirty"]) == ("false", "0")
    for block in ("security", "perf", "ratchet", "replay"):
        for key in config[block]:
            expected = {"ratchet.ceiling": "12"}.get(f"{block}.{key}")
            unset = f"{block}.{key}" in ("perf.baseline_commit", "perf.measured", "replay.commit")
            assert config[block][key] == ("" if unset else expected or preset[f"{block}.{key}"]), key
    assert [gate["name"] for gate in config["gates"]] == [gate.name for gate in preset.gates]
    assert all(set(gate) == {"name", "cmd"} and gate["cmd"] for gate in config["gates"])
    assert config["runtime_data"] == [".goblin/state.json"]
    assert config["bans"] == preset["bans"].split()
    assert config["bans_exempt"] == config["layers"] == config["tenant_strings"] == []
    for key in ("feature_map", "verify_doctor", "reference_manifest", "quarantine_root"):
        assert config[key] == ""
    for key in ("advisory_ceiling", "harness_dir", "scaffold_checks", "loop_max_turns_ceiling"):
        assert config[key] == preset[key]


@pytest.mark.parametrize("letter", presets.LETTERS)
def test_the_config_keeps_to_its_schema_as_an_editor_reads_it(letter: str) -> None:
    """Typed YAML against the published schema, with and without measured numbers."""
    schema = json.loads((PROJECT / templates.SCHEMA).read_bytes())
    full: dict[str, Any] = {"ceiling": "12", "practice": "~/p.md", "practice_sha256": "0" * 64}
    for more in ({}, full):
        typed = YAML(typ="safe", pure=True).load(rendered("goblin.yaml", letter, **more))
        jsonschema.validate(typed, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**typed, "max_drity": 0}, schema)  # the schema is not one that takes anything


@pytest.mark.parametrize(
    ("letter", "line"),
    [
        ("A", "disabled: []"),
        ("B", "disabled: [ci-gate,pr-gate,replay,review-panel,tokens]"),
        ("C", "disabled: [tokens]"),
        ("D", "disabled: [ci-gate,pr-gate,ratchet,replay,review-panel,spec,tokens]"),
        ("E", "disabled: [tokens]"),
        ("F", "disabled: []"),
    ],
)
def test_the_disabled_parts_are_sorted_by_byte_on_one_line(letter: str, line: str) -> None:
    """The line is the same on every machine, whatever order the parts came in."""
    assert f"\n{line}\n" in rendered("goblin.yaml", letter)
    backwards = tuple(sorted(classes.forbidden(letter), reverse=True)) * 2
    assert f"\n{line}\n" in rendered("goblin.yaml", letter, disabled=backwards)


def test_the_marker_gate_carries_the_measured_ceiling() -> None:
    """Class A's second gate names the number, not a placeholder."""
    gates = read_yaml(rendered("goblin.yaml", "A", todo_ceiling="217"))["gates"]
    assert gates[1]["cmd"].endswith("--ext ts,tsx,js,jsx,mjs --max 217")


@pytest.mark.parametrize("letter", presets.LETTERS)
def test_each_command_of_ours_in_the_config_is_understood_by_our_counter(letter: str) -> None:
    """A preset with a misspelt option would be red in every repository."""
    config = read_yaml(rendered("goblin.yaml", letter))
    for cmd in [*(gate["cmd"] for gate in config["gates"]), config["ratchet"]["cmd"]]:
        if cmd.startswith("python3 "):
            words = subprocess.run(
                ["bash", "-c", f"printf '%s\\0' {cmd}"], capture_output=True, text=True, check=True
            ).stdout.split("\0")[2:-1]
            assert counting.parse(words).what in ("markers", "bytes")


def test_the_config_starts_with_the_line_that_editors_read() -> None:
    """And every block below it is explained: no key stands at the margin without a comment above."""
    lines = rendered("goblin.yaml").split("\n")
    assert lines[0] == f"# yaml-language-server: $schema={templates.SCHEMA}"
    block_starts = [n for n, line in enumerate(lines) if re.match(r"[a-z_]+:", line) and not lines[n - 1]]
    assert block_starts == []


def test_commands_are_quoted_or_literal_blocks() -> None:
    """A plain command with ` #` would be cut there, and one that starts with `&` would not parse."""
    for letter in presets.LETTERS:
        for line in rendered("goblin.yaml", letter).split("\n"):
            match = re.match(r"\s*(?:cmd|audit_cmd):(.*)", line)
            assert not match or match[1] == "" or match[1].startswith((" '", " |-"))


HOSTILE = [
    "a & b && c",
    "back\\slash \\1 \\n",
    'it\'s "quoted"',
    "cut # here",
    "key: value",
    "{{GATE_LINE}} {{X}}",
    "&anchor *alias !tag %dir @at `tick` [a, b] {c: d}",
    "- item",
    "? key",
    "| literal",
    "> folded",
    "  leading and trailing  ",
    "two\nlines # and 'quotes'",
    "\nstarts with an empty line",
    "ends with one\n",
    "tab\tinside",
    "\ttab first",
    "bell\a escape\x1b[2J del\x7f next\x85line",
    "separators \u2028 \u2029 bom \ufeff",
    "caf\u00e9 \U0001f47a",
    "true",
    "null",
    "~",
    "012",
    "1e3",
    "2026-01-31",
    "",
]


@pytest.mark.parametrize("value", HOSTILE)
def test_a_hostile_value_reads_back_whole(value: str) -> None:
    """In each place of the config where a text of the target or the user can stand."""
    branch = value if value.isprintable() and value else "main"  # git refuses controls in a branch
    text = rendered("goblin.yaml", "A", TARGET._replace(branch=branch, email=value), practice=value)
    config = read_yaml(text)
    assert [config[key] for key in ("branch", "owner_email", "practice")] == [branch, value, value]
    assert config["disabled"] == []  # the last key still stands where it stood
    assert read_yaml(f"a:\n  b: {templates.yaml_quote(value)}\nz: end\n") == {"a": {"b": value}, "z": "end"}


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_any_text_survives_quoting(value: str) -> None:
    """Whatever Unicode holds comes back from YAML 1.2 as it was, and so does what follows it."""
    document = f"a:\n  - name: x\n    cmd: {templates.yaml_quote(value)}\nz: end\n"
    assert read_yaml(document) == {"a": [{"name": "x", "cmd": value}], "z": "end"}
    assert YAML(typ="safe", pure=True).load(document)["a"][0]["cmd"] == value
    assert yaml.load(document.encode(), "config") == {"a": [{"name": "x", "cmd": value}], "z": "end"}


def test_a_hostile_gate_command_reaches_the_config_byte_for_byte() -> None:
    """Ampersand, backslash, quotes and braces in a command are the project's."""
    plain = presets.load("A")
    for value in HOSTILE[:-1]:
        preset = presets.Preset(
            "A", "x", (presets.Gate("g", value),), {"ratchet.cmd": value, "perf.cmd": value}
        )
        values = templates.values(preset, TARGET, choices())
        config = read_yaml(templates.render(templates.load("goblin.yaml"), values))
        assert (config["gates"], config["ratchet"]["cmd"]) == ([{"name": "g", "cmd": value}], value)
        assert config["perf"]["cmd"] == value
    assert plain.gates


@pytest.mark.parametrize(
    "more",
    [
        {"models_file": "bad\udcff"},
        {"practice": "nul\0"},
        {"ceiling": "12 "},
        {"ceiling": "-1"},
        {"todo_ceiling": "many"},
        {"gate_line": "a=0\n## Forged"},
        {"version": "1\n2"},
    ],
)
def test_a_value_that_cannot_stand_is_refused(more: dict[str, Any]) -> None:
    """Rather no file than one that says something else."""
    with pytest.raises(TemplateError):
        rendered("goblin.yaml", "A", **more)


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
    from goblin.install.vendor import LAUNCHERS

    for name in OURS:
        for path in re.findall(r"\.goblin/bin/([\w-]+)", rendered(name)):
            assert path in LAUNCHERS, name


# --- under the real rules --------------------------------------------------------------------


@pytest.fixture(scope="module")
def adopted(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """What an install of class A writes, committed on top of the commit that the handoff names."""
    repo = build_repo({"README.md": "# Sample\n"}, tmp_path_factory.mktemp("adopted"))
    target = TARGET._replace(head=repo.git("rev-parse", "--short", "HEAD"))
    places = {
        ".goblin/goblin.yaml": "goblin.yaml",
        ".gitignore": "gitignore",
        "checks/assert.py": "checks/assert.py",
        "checks/gate.py": "checks/gate.py",
        "HANDOFF.md": "HANDOFF.md",
        "ROUND-000-SPEC.md": "ROUND-000-SPEC.md",
    }
    repo.commit("adopt", {place: rendered(name, "A", target) for place, name in places.items()})
    return repo


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
    assert verify["run"] == ".goblin/bin/goblin-verify"


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


# --- the scaffold ----------------------------------------------------------------------------


def scaffold(tmp_path: Path, change: str = "", env: dict[str, str] | None = None) -> tuple[int, list[str]]:
    """Run the harness scaffold, with `change` in place of its assertion, and return code and lines."""
    text = templates.load("checks/assert.py")
    (line,) = [line for line in text.split("\n") if line.startswith("assert_that(")]
    path = tmp_path / "assert.py"
    path.write_text(text.replace(line, change or line))
    done = run_cli(sys.executable, path, cwd=tmp_path, env=env)
    return done.code, done.out.splitlines()


def test_the_scaffold_is_green_and_says_what_it_is(tmp_path: Path) -> None:
    """One assertion, true by construction."""
    code, lines = scaffold(tmp_path)
    assert code == 0
    assert lines[0].startswith("PASS  scaffold - true by construction")
    assert lines[-1] == "1/1 passed"


def test_a_false_assertion_makes_the_scaffold_red(tmp_path: Path) -> None:
    """Every assertion is still printed, and the last line counts."""
    code, lines = scaffold(tmp_path, "assert_that('a', 1 > 2, 'measured 1')\nassert_that('b', True)")
    assert (code, lines) == (1, ["FAIL  a - measured 1", "PASS  b - ", "1/2 passed"])


def test_the_scaffold_knows_a_replay(tmp_path: Path) -> None:
    """The variable of `replay.env` is what tells the two trees apart."""
    _, lines = scaffold(tmp_path, env={"GOBLIN_PRE_COMMIT": "0123456789abcdef"})
    assert "replay on 0123456789ab: each probe of the change must be red here" in lines


def test_the_scaffold_has_the_house_shape_and_the_gate_runner_has_not() -> None:
    """A call of an assertion and an exit make a harness (HS-01); the runner is a utility."""

    def calls(name: str) -> set[str]:
        tree = ast.parse(templates.load(name))
        return {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}

    assert {"assert_that", "sys.exit"} <= calls("checks/assert.py")
    assert not any(name.startswith("assert") for name in calls("checks/gate.py"))


def blank_comments(source: bytes, style: str) -> bytes:
    """The scaffold's own helper, taken from its text."""
    tree = ast.parse(templates.load("checks/assert.py"))
    wanted = (ast.Import, ast.FunctionDef, ast.Assign)
    kept: list[ast.stmt] = [node for node in tree.body if isinstance(node, wanted)]
    scope: dict[str, Any] = {}
    exec(compile(ast.Module(kept, []), "assert.py", "exec"), scope)  # noqa: S102
    blanked: bytes = scope["blank_comments"](source, style)
    return blanked


@pytest.mark.parametrize(
    ("style", "source", "code"),
    [
        ("//", b'a(); // b\nc("// d"); /* e\nf */ g', b'a();     \nc("// d");     \n     g'),
        ("//", b"x = `// y\n` /* open", b"x = `// y\n`        "),
        ("//", b"'it\\'s // in' // out", b"'it\\'s // in'       "),
        ("#", b"a = '#' # b\n'''#\n#''' # c\n", b"a = '#'    \n'''#\n#'''    \n"),
    ],
)
def test_the_blanking_helper_blanks_comments_and_nothing_else(style: str, source: bytes, code: bytes) -> None:
    """A mark inside a string is no comment."""
    assert blank_comments(source, style) == code


@given(
    st.binary(max_size=60) | st.text("/*#'\"`\\\n a\u00e9", max_size=40).map(str.encode),
    st.sampled_from("#/"),
)
def test_the_blanking_helper_keeps_lines_and_byte_positions(source: bytes, mark: str) -> None:
    """Whatever the source is, a finding stands where it stood."""
    blanked = blank_comments(source, "#" if mark == "#" else "//")
    assert len(blanked) == len(source)
    assert [n for n, byte in enumerate(blanked) if byte == 10] == [
        n for n, byte in enumerate(source) if byte == 10
    ]
    assert all(new in (old, 32) for old, new in zip(source, blanked, strict=True))


# --- the gate runner ---------------------------------------------------------------------------


def run_gates(repo: Repo, *changes: tuple[str, str]) -> Result:
    """Run the installed `checks/gate.py` after each change (old text, new text) to the config."""
    config = repo / ".goblin/goblin.yaml"
    for old, new in changes:
        text = config.read_text()
        assert old in text
        config.write_text(text.replace(old, new))
    return run_cli(sys.executable, repo / "checks/gate.py", cwd=repo.root.parent)


def test_the_gate_runner_prints_the_measured_line_alone(sample: Repo) -> None:
    """One line, the one that the verifier measured and left, from any working directory."""
    done = run_gates(sample)
    assert done.code == 0, done.err
    assert re.fullmatch(r"commit=0 todo_ceiling=0 \u00b7 measured \d{4}-\d\d-\d\d\n", done.out)
    assert done.out == sample.read(".goblin/last-gate-line")
    assert done.err == ""


def test_a_failing_gate_is_exit_1_and_still_one_line(sample: Repo) -> None:
    """Every gate runs, and the line holds its exit code."""
    done = run_gates(sample, ("cmd: 'git rev-parse --verify --quiet HEAD'", "cmd: 'exit 7'"))
    assert done.code == 1
    assert done.out.startswith("commit=7 todo_ceiling=0 \u00b7 ")
    assert done.out.count("\n") == 1
    assert "GT-02: " in done.err


def test_no_declared_gate_is_exit_1(sample: Repo) -> None:
    """Silence about gates is not green."""
    text = sample.read(".goblin/goblin.yaml")
    block = text[text.index("gates:\n") : text.index("\n\n", text.index("gates:\n"))]
    done = run_gates(sample, (block, "gates: []"))
    assert done.code == 1
    assert "GT-01: " in done.err


def test_a_ratchet_above_its_ceiling_is_exit_1(sample: Repo) -> None:
    """The number stands on the line beside the ceiling that it broke."""
    sample.write({"dist/a.js": "12345"})
    done = run_gates(sample, ("\n  ceiling:\n", "\n  ceiling: 4\n"))
    assert done.code == 1
    assert "client_js_bytes 5 (ceiling 4)" in done.out
    assert "GT-05: " in done.err


def test_a_gate_that_is_opted_out_of_is_not_green(sample: Repo) -> None:
    """Nothing ran, and the one line says why."""
    done = run_gates(sample, ("disabled: []", "disabled: [gate]"))
    assert done.code == 1
    assert "opt-out" in done.out


def test_a_config_that_cannot_be_read_is_exit_2_with_its_place(sample: Repo) -> None:
    """The engine's own message, and no line that could be taken for numbers."""
    done = run_gates(sample, ("max_dirty: 0", "max_dirty: 0\nmax_dirty: 1"))
    assert (done.code, done.out) == (2, "")
    assert ".goblin/goblin.yaml:" in done.err


def test_the_gate_runner_without_an_engine_says_so(tmp_path: Path) -> None:
    """After an uninstall the scaffold may still be there."""
    (tmp_path / "gate.py").write_text(templates.load("checks/gate.py"))
    done = run_cli(sys.executable, tmp_path / "gate.py", cwd=tmp_path)
    assert done.code == 2
    assert "no .goblin/bin/goblin-verify" in done.err


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
