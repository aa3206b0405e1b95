"""The files under `templates/`, and the values that fill them (install contract, sections 7.2, 12 to 14).

A placeholder is `{{NAME}}`: capitals, digits and underscores. Values are put in as they are, in one
pass, so nothing in a value is special: no `&`, no backslash, and no placeholder that it may hold.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from goblin import home, yaml
from goblin.install.presets import TODO_CEILING, Preset
from goblin.redact import clean

SCHEMA = "schemas/config.schema.json"
"""Where an editor finds the config's schema, from the folder of the config."""

_PLACEHOLDER = re.compile(r"(?P<blank>[ ]*)\{\{(?P<name>[A-Z0-9_]+)\}\}(?P<end>\n|\Z)?")
_ANY = re.compile(r"\{\{([A-Z0-9_]+)\}\}")


class TemplateError(ValueError):
    """A template and its values do not fit, or a value cannot stand in the file."""


class TargetFacts(NamedTuple):
    """What is true of the target before the install."""

    branch: str
    head: str  # short commit id, or 0000000 where there is no commit
    email: str
    date: str  # YYYY-MM-DD, UTC
    project: str  # name of the target's folder


class Choices(NamedTuple):
    """What was asked for and measured. Texts are "" where there is nothing."""

    class_name: str
    archive: bool
    disabled: tuple[str, ...]  # parts
    models_file: str
    practice: str
    practice_sha256: str
    skills_dirs: tuple[str, ...]  # such as .hermes/skills; empty when no skills are installed
    ceiling: str  # of the ratchet: digits, or "" when not measured
    todo_ceiling: str  # of the marker gate: digits, or "" where the class has none
    gate_line: str  # the measured line for the handoff, or ""
    version: str


def load(name: str, place: home.Place | None = None) -> str:
    """The text of one template of a release (default: the running one), such as `load("ci/github.yml")`.

    Raises `TemplateError` for a name that is no template there.
    """
    folder = (place or home.here()).path("templates")
    path = os.path.normpath(os.path.join(folder, name))
    if not path.startswith(folder + os.sep):
        raise TemplateError(f"{name}: not a template")
    try:
        with open(path, encoding="utf-8", newline="") as stream:
            return stream.read()
    except OSError as error:
        raise TemplateError(f"template {name}: {error.strerror}; reinstall goblin-stack") from error


def names() -> list[str]:
    """The names of all templates, sorted."""
    folder = home.path("templates")
    return sorted(
        os.path.relpath(os.path.join(parent, name), folder).replace(os.sep, "/")
        for parent, folders, files in os.walk(folder)
        if "__pycache__" not in parent
        for name in files
    )


def placeholders(text: str) -> set[str]:
    """The names of the placeholders that a text holds."""
    return set(_ANY.findall(text))


def render(text: str, values: Mapping[str, str]) -> str:
    """`text` with each placeholder replaced by its value, once and literally, and one final newline.

    At the end of a line an empty value takes the blanks before it along, and a line that holds
    nothing else goes whole. Raises `TemplateError` for a placeholder without a value.
    """

    def fill(match: re.Match[str]) -> str:
        blank, name, end = match["blank"], match["name"], match["end"]
        if name not in values:
            raise TemplateError(f"no value for {{{{{name}}}}}")
        value = values[name]
        if value or end is None:
            return blank + value + (end or "")
        before = text[match.start() - 1 : match.start()]
        return "" if before in ("", "\n") else end

    return _PLACEHOLDER.sub(fill, text).rstrip("\n") + "\n"


# --- values that survive where they stand ------------------------------------------------------


def yaml_quote(value: str, indent: int = 6) -> str:
    """`value` as a YAML scalar that reads back as the same text, whatever it holds.

    One line is single-quoted; several are a literal block, indented by `indent` blanks (more than
    the key's own); what neither form can carry is double-quoted with escapes. Raises
    `TemplateError` for what no YAML can hold: a NUL, or a path of bytes that are not UTF-8.
    """
    lines = value.split("\n")
    if all(line.isprintable() for line in lines):
        if len(lines) == 1:
            return "'" + value.replace("'", "''") + "'"
        if lines[-1] and not value.startswith((" ", "\n")):
            return "|-\n" + "\n".join(" " * indent + line if line else "" for line in lines)
    try:
        return yaml.scalar(value)
    except ValueError as error:
        shown = clean(value)
        raise TemplateError(f"{shown} cannot stand in a config: it is not UTF-8 text; rename it") from error


def code_span(value: str) -> str:
    """`value` as a Markdown code span, whatever backticks it holds."""
    longest = max((len(run) for run in re.findall("`+", value)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if value.startswith("`") or value.endswith("`") else ""
    return f"{fence}{pad}{value}{pad}{fence}"


def plain(value: str) -> str:
    """A name fit for a heading: letters, digits and `._+@()-` stay; a run of anything else is one hyphen."""
    return re.sub(r"[^\w.+@() -]+", "-", " ".join(value.split())).strip("-") or "this repository"


def _set(value: str) -> str:
    """A quoted scalar, or nothing for an unset key."""
    return yaml_quote(value) if value else ""


def _number(value: str, what: str) -> str:
    if value and not (value.isascii() and value.isdigit()):
        raise TemplateError(f"{what} is a whole number, not {value!r}")
    return value


def _line(value: str, what: str) -> str:
    if re.search(r"[\x00-\x1f\x7f]", value):
        raise TemplateError(f"{what} is one line of text, not {value!r}")
    return value


# --- every placeholder of every template --------------------------------------------------------


def values(preset: Preset, target: TargetFacts, choices: Choices) -> dict[str, str]:
    """The value of every placeholder of every template.

    `IGNORE_NEGATIONS` is empty here; an installer that finds a host rule in the way (decided 55)
    replaces it by the `!` lines, joined by newlines. Raises `TemplateError` for a value that
    cannot stand in its file: text that is not UTF-8, a number that is none, a gate line of more
    than one line.
    """
    return {
        **_common(preset, target, choices),
        **_config(preset, target, choices),
        **_prose(preset, choices),
        **_ignore(preset),
        "BRANCH_PATTERN": yaml_quote(re.sub(r"([\\*?+\[\]!])", r"\\\1", target.branch)),
    }


def _common(preset: Preset, target: TargetFacts, choices: Choices) -> dict[str, str]:
    return {
        "VERSION": _line(choices.version, "the version"),
        "CLASS": choices.class_name,
        "LABEL": preset["label"],
        "DATE": target.date,
        "HEAD": target.head,
        "PROJECT": plain(target.project),
        "MD_BRANCH": code_span(_line(target.branch, "the branch")),
    }


def _config(preset: Preset, target: TargetFacts, choices: Choices) -> dict[str, str]:
    gates = "\n".join(
        f"  - name: {gate.name}\n    cmd: {yaml_quote(cmd)}"
        for gate in preset.gates
        if (cmd := gate.cmd.replace(TODO_CEILING, _number(choices.todo_ceiling, "the marker ceiling")))
    )
    return {
        "SCHEMA": SCHEMA,
        "YAML_BRANCH": _set(target.branch),
        "YAML_MODELS_FILE": _set(choices.models_file),
        "YAML_PRACTICE": _set(choices.practice),
        "YAML_PRACTICE_SHA256": _set(choices.practice_sha256),
        "YAML_OWNER_EMAIL": _set(target.email),
        "ARCHIVE": "true" if choices.archive else "false",
        "ADVISORY_CEILING": preset["advisory_ceiling"],
        "GITIGNORE_FAMILY": preset["security.gitignore_family"],
        "YAML_BUILD_OUTPUT": _set(preset["security.build_output"]),
        "YAML_AUDIT_CMD": _set(preset["security.audit_cmd"]),
        "AUDIT_MAX_AGE_DAYS": preset["security.audit_max_age_days"],
        "WAIVER_MAX_AGE_DAYS": preset["security.waiver_max_age_days"],
        "YAML_WRITE_ROUTES": _set(preset["security.write_routes"]),
        "YAML_PERF_METRIC": preset["perf.metric"],
        "YAML_PERF_CMD": _set(preset["perf.cmd"]),
        "PERF_BASELINE_VALUE": preset["perf.baseline_value"],
        "YAML_PERF_HOST_GATE": _set(preset["perf.host_gate"]),
        "YAML_HARNESS_DIR": preset["harness_dir"],
        "SCAFFOLD_CHECKS": "no" if choices.archive else preset["scaffold_checks"],
        "LOOP_MAX_TURNS_CEILING": preset["loop_max_turns_ceiling"],
        "YAML_GATES": gates,
        "YAML_RATCHET_NAME": preset["ratchet.name"],
        "YAML_RATCHET_CMD": _set(preset["ratchet.cmd"]),
        "CEILING": _number(choices.ceiling, "the ceiling"),
        "YAML_RUNTIME_DATA": f"  - {preset['runtime_data']}" if preset["runtime_data"] else "",
        "BANS": ", ".join(preset["bans"].split()),
        "YAML_REPLAY_ENV": preset["replay.env"],
        "YAML_REPLAY_CMD": _set(preset["replay.cmd"]),
        "DISABLED": ",".join(sorted(set(choices.disabled), key=os.fsencode)),
    }


UNMEASURED = (
    "Nothing was measured at the install: run `.goblin/bin/goblin-verify --only GT-02` and put its line here."
)
HANDOFF_FIRST = "Read `HANDOFF.md` first. It holds the state, the measured gates and what is not verified."
ARCHIVED = "This project is archived: no handoff is kept."
NO_SKILLS = "No skills are installed; the playbooks are rows of `.goblin/manifest/playbooks.tsv`."
NEXT_SPEC = "Before the next change write `ROUND-001-SPEC.md`: measured cause, AC items, a negative control."
NEXT_ANSWER = "Write the first answer down, with its sources, where the next reader will look."
NO_REPLAY = "Keep `disabled:` in the config true: a part listed there is not looked at."


def _prose(preset: Preset, choices: Choices) -> dict[str, str]:
    off = set(choices.disabled)
    skills = ", ".join(code_span(f"{folder}/") for folder in choices.skills_dirs)
    harness = (
        f"Write the first harness into `{preset['harness_dir']}/`, see it red on the commit before its "
        "change, and pin that commit under `replay:` in the config."
    )
    return {
        "HANDOFF_LINE": ARCHIVED if choices.archive else HANDOFF_FIRST,
        "SKILLS_LINE": (
            f"Load the skill `goblin-mode` before anything else; skills are in {skills}."
            if skills
            else NO_SKILLS
        ),
        "BANS_LINE": _bans_line(),
        "GATE_LINE": _line(choices.gate_line, "the gate line") or UNMEASURED,
        "SPEC_STEP": NEXT_ANSWER if "spec" in off else NEXT_SPEC,
        "HARNESS_STEP": NO_REPLAY if "replay" in off else harness,
    }


def _bans_line() -> str:
    """How to look for forbidden code before writing it, with the commands that this engine brings."""
    table = "the table is `.goblin/manifest/bans.tsv`"
    if os.path.exists(home.path("bin", "goblin-bans")):
        return f"Before writing code run `.goblin/bin/goblin-bans`: what is forbidden here; {table}."
    return "Forbidden code is listed by id under `bans:` in the config; read it before writing code."


def _ignore(preset: Preset) -> dict[str, str]:
    secrets: Sequence[str] = ()
    if preset.yes("security.gitignore_family"):
        secrets = ("# Secrets: never in history.", ".env", ".env.*", "!.env.example", "*.pem", "*.key")
    runtime: Sequence[str] = ()
    if preset["runtime_data"]:
        runtime = ("# What the program writes while it runs.", preset["runtime_data"])
    return {
        "IGNORE_SECRETS": "\n".join(secrets),
        "IGNORE_RUNTIME": "\n".join(runtime),
        "IGNORE_NEGATIONS": "",
    }
