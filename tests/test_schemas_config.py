"""The published config schema, and the validator that is generated from it."""

from __future__ import annotations

import copy
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema.validators import extend

from goblin.facts.config import CLASSES
from goblin.generated.config_defaults import DEFAULTS
from goblin.generated.config_schema import COMMANDS, KEYS, SAYS, validate
from goblin.manifest import PARTS
from scripts import gen_config, generate
from tests.support import PROJECT

PUBLISHED = gen_config.published()
DERIVED = gen_config.string_only(PUBLISHED)
GENERATED = ("src/goblin/generated/config_defaults.py", "src/goblin/generated/config_schema.py")

Place = tuple[str, str]


def _ecma_pattern(validator: Any, pattern: str, instance: object, schema: object) -> Iterator[Any]:
    """`pattern` as JSON Schema means it: `$` is the end of the text, not of its last line."""
    if isinstance(instance, str) and not re.search(pattern.replace("$", r"\Z"), instance):
        yield jsonschema.ValidationError(f"{instance!r} does not match {pattern!r}")


Draft7 = extend(jsonschema.Draft7Validator, {"pattern": _ecma_pattern})  # type: ignore[no-untyped-call]


def broken(schema: gen_config.Schema, instance: object) -> set[Place]:
    """What jsonschema finds: `.key[0].member` and the keyword that is broken there."""
    found = set()
    for error in Draft7(schema).iter_errors(instance):
        steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path]
        found.add(("".join(steps), str(error.validator)))
    return found


def known() -> dict[str, gen_config.Schema]:
    """Every value of the published schema by its dotted key."""
    return gen_config._walk(PUBLISHED, PUBLISHED["definitions"], "")


# --- the published schema ----------------------------------------------------------------------


def test_the_schema_is_a_draft_7_schema() -> None:
    """It names its draft and itself, and every reference in it resolves."""
    jsonschema.Draft7Validator.check_schema(PUBLISHED)
    assert PUBLISHED["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert PUBLISHED["$id"]
    references = set(re.findall(r'"#/definitions/(\w+)"', json.dumps(PUBLISHED)))
    assert references == set(PUBLISHED["definitions"])


@pytest.mark.parametrize("key", [key for key in known() if not key.endswith("[]")])
def test_an_editor_can_explain_every_key(key: str) -> None:
    """Each key has a title and a sentence; each value says what it must be, for people."""
    node = known()[key]
    assert node["title"]
    assert node["description"].endswith(".")
    assert not key or SAYS[key][0]


@pytest.mark.parametrize("key", list(known()))
def test_defaults_and_examples_are_allowed_values(key: str) -> None:
    """What is offered, typed or as text, is what the schema takes."""
    node = known()[key]
    if not key or "properties" in node:
        return
    offered = [*node.get("examples", []), *([node["default"]] if "default" in node else [])]
    assert offered or "definitions" not in node
    rules = {**node, "definitions": PUBLISHED["definitions"]}
    for value in offered:
        assert broken(rules, value) == set()
        if isinstance(value, int):
            assert broken(rules, str(value).lower()) == set()


SPEC = {
    **dict.fromkeys(["class", "branch", "models_file", "practice", "practice_sha256", "owner_email"]),
    **dict.fromkeys(["archive", "tenant_strings", "feature_map", "verify_doctor", "reference_manifest"]),
    **dict.fromkeys(
        ["quarantine_root", "runtime_data", "bans", "bans_exempt", "layers", "disabled", "gates"]
    ),
    **dict.fromkeys(["gates[].name", "gates[].cmd", "gates[].kind", "ratchet.name", "ratchet.cmd"]),
    **dict.fromkeys(["ratchet.ceiling", "ratchet.raised", "replay.env", "replay.cmd", "replay.commit"]),
    **dict.fromkeys(["security.build_output", "security.audit_cmd", "security.write_routes", "perf.metric"]),
    **dict.fromkeys(["perf.cmd", "perf.baseline_commit", "perf.measured", "perf.host_gate", "engine_dir"]),
    "max_dirty": "0",
    "advisory_ceiling": "10",
    "harness_dir": "checks",
    "scaffold_checks": "no",
    "gates[].timeout_s": "1800",
    "loop_max_turns_ceiling": "20",
    "source_root": ".",
    "security.gitignore_family": "yes",
    "security.audit_max_age_days": "90",
    "security.waiver_max_age_days": "180",
    "perf.baseline_value": "0",
    "judge_rederive": "no",
}


def test_the_schema_holds_the_keys_and_defaults_of_the_contract() -> None:
    """No key more, no key less; a key without a default is empty when absent."""
    groups = {key.partition("[")[0] for key in KEYS if key}
    leaves = {f"{group}.{key}".removeprefix(".") for group, keys in KEYS.items() for key in keys}
    assert leaves - groups == set(SPEC) - {"gates"}
    assert {key: value for key, value in SPEC.items() if value is not None} == DEFAULTS


def test_the_schema_knows_the_classes_and_the_parts() -> None:
    """The tables and the schema name the same ones; `anchor` is a part that no class table holds."""
    assert PUBLISHED["properties"]["class"]["enum"] == list(CLASSES)
    assert set(DERIVED["properties"]["disabled"]["items"]["enum"]) == set(PARTS)


def test_the_commands_are_known() -> None:
    """A tag or an anchor in front of one of these is a fault, because it changes what runs."""
    assert set(COMMANDS) == {key for key in SPEC if re.search(r"(^|[._])cmd$|doctor$", key)}


TYPED: list[tuple[dict[str, Any], set[Place]]] = [
    ({}, set()),
    ({"archive": True, "max_dirty": 3, "scaffold_checks": True, "practice": None}, set()),
    ({"archive": "true", "max_dirty": "3", "scaffold_checks": "no", "practice": ""}, set()),
    (
        {
            "verify_doctor": False,
            "owner_email": None,
            "branch": 2026,
            "replay": {"cmd": 5, "commit": 1234567},
        },
        set(),
    ),
    ({"ratchet": {"name": "n", "cmd": True, "ceiling": 5, "raised": "5 + 4 = 9: why"}}, set()),
    (
        {
            "gates": [
                {"name": 1, "cmd": True, "timeout_s": 5},
                {"name": "b", "cmd": "c", "kind": "host"},
                None,
            ]
        },
        set(),
    ),
    (
        {"security": {"build_output": ["a", 5]}, "perf": {"measured": "2026-01-01", "baseline_value": 0}},
        set(),
    ),
    ({"disabled": [None, "spec"], "bans": None, "layers": ["a b"], "security": None}, set()),
    ({"max_dirty": -1}, {(".max_dirty", "minimum")}),
    ({"max_dirty": 1.5}, {(".max_dirty", "type")}),
    ({"max_dirty": True}, {(".max_dirty", "type")}),
    ({"max_dirty": "-1"}, {(".max_dirty", "pattern")}),
    ({"max_dirty": "5\n"}, {(".max_dirty", "pattern")}),
    ({"loop_max_turns_ceiling": 0}, {(".loop_max_turns_ceiling", "minimum")}),
    ({"archive": "yes"}, {(".archive", "enum")}),
    ({"archive": None}, {(".archive", "enum")}),
    ({"class": "a"}, {(".class", "enum")}),
    ({"gates": [{"name": "a", "cmd": None}]}, {(".gates[0].cmd", "type")}),
    ({"gates": [{"name": "a", "cmd": " "}]}, {(".gates[0].cmd", "pattern")}),
    ({"gates": [{"name": "a"}, "b"]}, {(".gates[0]", "required"), (".gates[1]", "type")}),
    ({"gates": [{"name": "a", "cmd": "b", "x": 1}]}, {(".gates[0]", "additionalProperties")}),
    ({"zzz": 1}, {("", "additionalProperties")}),
    ({"harness_dir": "../x"}, {(".harness_dir", "pattern")}),
    ({"harness_dir": "a/.."}, {(".harness_dir", "pattern")}),
    ({"harness_dir": "a..b/...c"}, set()),
]


@pytest.mark.parametrize(
    ("document", "places"), TYPED, ids=lambda value: json.dumps(value) if isinstance(value, dict) else ""
)
def test_an_editor_may_hand_over_typed_values(document: dict[str, Any], places: set[Place]) -> None:
    """Numbers, booleans and nulls as YAML types them stand beside the same written as text."""
    assert broken(PUBLISHED, {"class": "A", "archive": False, **document}) == places


def test_class_and_archive_are_required() -> None:
    """Everything else has a default."""
    assert broken(PUBLISHED, {}) == {("", "required")}
    assert broken(PUBLISHED, {"class": "A", "archive": True}) == set()


def test_the_template_names_the_schema_for_editors() -> None:
    """The first line is the one that editors look for."""
    first = (PROJECT / "templates/goblin.yaml").read_text().splitlines()[0]
    assert first.startswith("# yaml-language-server: $schema=")


# --- the generated validator -------------------------------------------------------------------


@pytest.mark.parametrize("name", GENERATED)
def test_the_generated_files_are_in_step(name: str) -> None:
    """Generating again gives the same bytes: run python scripts/generate.py after an edit of the schema."""
    assert generate.FILES[name](PROJECT) == (PROJECT / name).read_text(encoding="utf-8")


def test_a_file_out_of_step_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--check` writes nothing and exits 1; without it the files are written and in step again."""
    monkeypatch.setattr(generate, "FILES", {name: generate.FILES[name] for name in GENERATED})
    monkeypatch.setattr(generate, "SETS", ())
    for folder in ("schemas", "src/goblin/generated"):
        shutil.copytree(PROJECT / folder, tmp_path / folder)
    assert generate.main([], tmp_path) == 0
    capsys.readouterr()
    assert generate.main(["--check"], tmp_path) == 0
    assert capsys.readouterr().out == ""
    schema = tmp_path / gen_config.SCHEMA
    schema.write_text(schema.read_text().replace('"default": 20', '"default": 21'))
    before = (tmp_path / GENERATED[0]).read_bytes()
    assert generate.main(["--check"], tmp_path) == 1
    said = capsys.readouterr().out
    assert all(f"{name}: out of step" in said for name in GENERATED)
    assert len(said.splitlines()) == len(GENERATED)
    assert (tmp_path / GENERATED[0]).read_bytes() == before
    assert generate.main([], tmp_path) == 0
    assert generate.main(["--check"], tmp_path) == 0
    assert "21" in (tmp_path / GENERATED[0]).read_text()


def test_an_option_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """A typo must not write files."""
    assert generate.main(["--chek"]) == 2
    assert "--check" in capsys.readouterr().err


WORDS = [
    *(
        "A",
        "a",
        "b",
        "true",
        "false",
        "yes",
        "no",
        "null",
        "~",
        "0",
        "00",
        "1",
        "5",
        "020",
        "-1",
        "+5",
        "1.5",
    ),
    *(
        "1e3",
        "0x10",
        "1_000",
        "9" * 15,
        "1" + "0" * 15,
        "x",
        "y.z",
        "host",
        "spec",
        "gate",
        "tokns",
        "anchor",
    ),
    *("main", "-x", "feat/x", "a..b", "HEAD", "1234567", "deadbeef", "2026-01-01", "2026-1-1", "../x", "/x"),
    *("~/x", "C:/x", "a/../b", "a\\b", "./a", "a/", "BN-01", "GOBLIN_X", "A-B", "9X", "\u0665"),
]
VALUES = [
    *WORDS,
    "a b",
    "a b c",
    " a",
    "5\n",
    "x\n",
    "BN-02 src",
    "5 + 4 = 9: why",
    "5+4=9: why",
    "\u2028",
    "a\u00a0b",
]
VALUES += ["f" * 64, "F" * 63, "0" * 64, "g" * 64]
texts = st.sampled_from(VALUES) | st.text(min_size=1, max_size=8).filter(str.strip)


def _names(key: str) -> st.SearchStrategy[str]:
    return st.sampled_from([*KEYS[key], "zzz"])


members = st.one_of(*(st.dictionaries(_names(key), texts, max_size=5) for key in KEYS))
shallow = texts | st.lists(texts, max_size=3) | members | st.lists(members, max_size=3)
nodes = shallow | st.lists(shallow, max_size=3) | st.dictionaries(_names(""), shallow, max_size=2)
groups = {
    "gates": st.lists(st.dictionaries(_names("gates[]"), texts | shallow, max_size=5) | shallow, max_size=4),
    **{
        key: st.dictionaries(_names(key), shallow, max_size=6)
        for key in ("security", "perf", "ratchet", "replay")
    },
}
documents = st.builds(
    lambda plain, inner: {**plain, **inner},
    st.dictionaries(_names(""), nodes, max_size=8),
    st.fixed_dictionaries({}, optional=groups),
)


@given(documents | nodes)
@settings(max_examples=400)
def test_the_generated_validator_is_jsonschema_on_the_same_texts(document: object) -> None:
    """The same keywords are broken in the same places, whatever a config holds."""
    found = set(validate(document))
    assert found == broken(DERIVED, document)
    assert found == broken(PUBLISHED, document)


LEAVES = [key for key in SAYS if not key.endswith("[]") and key not in KEYS and key != "gates"]


@pytest.mark.parametrize("key", LEAVES)
def test_every_key_is_judged_alike_for_every_kind_of_value(key: str) -> None:
    """The table behind the property: each key with each text, a list, a mapping and both nested."""
    for value in [*VALUES, [], {}, ["a"], [["a"]], [{"a": "b"}], {"a": "b"}, ["a b", "../x", "spec"]]:
        *parents, name = key.split(".")
        document: dict[str, Any] = {"class": "A", "archive": "true"}
        if parents == ["gates[]"]:
            document["gates"] = [{"name": "n", "cmd": "c", name: value}]
        else:
            inner = document.setdefault(parents[0], {}) if parents else document
            inner[name] = value
        assert set(validate(document)) == broken(DERIVED, document) == broken(PUBLISHED, document)


def test_the_property_would_see_a_difference() -> None:
    """The comparison bites: with one rule of the schema changed, the validator no longer agrees."""
    other = copy.deepcopy(DERIVED)
    other["properties"]["max_dirty"]["pattern"] = "^[0-9]+$"
    document = {"class": "A", "archive": "true", "max_dirty": "1" * 16}
    assert set(validate(document)) == {(".max_dirty", "pattern")}
    assert broken(other, document) == set()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"oneOf": []}, "oneOf cannot be narrowed"),
        ({"$ref": "#/definitions/count", "pattern": "x"}, "a rule beside \\$ref is ignored"),
        ({"type": "integer", "minimum": 0}, "a bound needs a pattern"),
    ],
)
def test_what_cannot_be_narrowed_faithfully_stops_the_build(change: dict[str, Any], said: str) -> None:
    """A new kind of rule needs a decision, not a silent loss."""
    schema = {**PUBLISHED, "properties": {**PUBLISHED["properties"], "max_dirty": change}}
    with pytest.raises(ValueError, match=f"config.max_dirty: {said}"):
        gen_config.string_only(schema)


def test_the_validator_needs_no_library() -> None:
    """It runs where nothing is installed: `re` alone."""
    text = (PROJECT / GENERATED[1]).read_text(encoding="utf-8")
    assert re.findall(r"^(?:import|from) (\S+)", text, re.MULTILINE) == ["__future__", "re"]
