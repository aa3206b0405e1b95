"""Rendering, and the config: every placeholder filled, every value whole, every command as it was."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from goblin import counting, yaml
from goblin.install import classes, presets, templates
from goblin.install.templates import TemplateError
from tests.install.rendering import OURS, TARGET, choices, read_yaml, rendered
from tests.support import PROJECT, build_repo

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
