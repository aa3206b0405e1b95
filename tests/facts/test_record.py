"""The record: read in any layout, written in one, and never acted on further than the repository."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from goblin import home
from goblin.facts import record as records
from goblin.facts.record import Options, Record, RecordError, faults, load, parse, payload_digest, render
from goblin.outcome import CheckFailed
from goblin.paths import Tree
from tests.support import write_files

ONE, TWO = "1" * 64, "2" * 64

SAMPLE = Record(
    version="0.1.0",
    source_sha="a" * 40,
    class_name="A",
    installed_at="2026-01-31T09:00:00Z",
    options=Options(("hermes",), False, "all"),
    disabled=("tokens",),
    files={".goblin/bin/goblin-verify": ONE, 'café "x".md': TWO},
    owned={"HANDOFF.md": TWO},
    refused={},
    adopted={'café "x".md': TWO},
    conflicts={},
    merged={"AGENTS.md": ONE},
    dirs_created=(".goblin", ".goblin/bin"),
    payload_digest=payload_digest({".goblin/bin/goblin-verify": ONE, 'café "x".md': TWO}),
    engine={},
    taken_over={"HANDOFF.md": ONE},
)

TEXT = f"""\
{{
  "version": "0.1.0",
  "source_sha": "{"a" * 40}",
  "class": "A",
  "installed_at": "2026-01-31T09:00:00Z",
  "options": {{"skills": ["hermes"], "archive": false, "parts": "all"}},
  "disabled": ["tokens"],
  "files": {{
    ".goblin/bin/goblin-verify": "{ONE}",
    "café \\"x\\".md": "{TWO}"
  }},
  "owned": {{
    "HANDOFF.md": "{TWO}"
  }},
  "refused": {{
  }},
  "adopted": {{
    "café \\"x\\".md": {{"preexisting": true}}
  }},
  "merged": {{
    "AGENTS.md": "{ONE}"
  }},
  "dirs_created": [
    ".goblin",
    ".goblin/bin"
  ],
  "payload_digest": "{SAMPLE.payload_digest}",
  "taken_over": {{
    "HANDOFF.md": "{ONE}"
  }}
}}
"""


def raw(**members: Any) -> bytes:
    """The sample as JSON with members changed; `...` takes one out."""
    whole = {**json.loads(render(SAMPLE)), **members}
    return json.dumps({key: value for key, value in whole.items() if value is not ...}).encode()


def test_the_layout_is_this_one_byte_for_byte() -> None:
    """Key order, indentation, `options` on a line, one map entry a line, empty maps over two lines."""
    assert render(SAMPLE).decode() == TEXT


def test_what_is_written_reads_back_the_same() -> None:
    """Also minified, re-ordered, with a byte-order mark and with CRLF."""
    assert parse(render(SAMPLE)) == SAMPLE
    shuffled = dict(reversed(json.loads(TEXT).items()))
    assert parse(json.dumps(shuffled).encode()) == SAMPLE
    assert parse(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode()) == SAMPLE


def test_the_sample_is_sound_and_fits_the_published_schema() -> None:
    """`schemas/record.schema.json` describes what is written."""
    assert faults(SAMPLE) == []
    schema = json.loads(Path(home.path("schemas", "record.schema.json")).read_bytes())
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.validate(json.loads(TEXT), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(json.loads(raw(files={"../x": ONE})), schema)


def test_no_skills_are_written_as_no() -> None:
    """`"no"` or a list of platforms, never an empty list; the older `"yes"` reads as its platform."""
    text = render(SAMPLE._replace(options=Options((), True, "handoff,gate")))
    assert b'"options": {"skills": "no", "archive": true, "parts": "handoff,gate"},' in text
    assert parse(raw(options={"skills": "yes", "archive": False, "parts": "all"})).options.skills == (
        "hermes",
    )


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "line 1, column 1: is empty"),
        (b'"version"', "is not a JSON object"),
        (b"[]", "is not a JSON object"),
        (b'{"version": "1"', "line 1, column 16: is not JSON"),
        (b'{"version": "\xff"}', "byte 14 is not UTF-8"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"version": ' + b"1" * 5000 + b"}", "a number too long"),
        (b'{"files": {"a": "1", "a": "2"}}', "the key 'a' stands twice"),
        (raw(files=["a"]), "'files' is not an object"),
        (raw(files={"a": 1}), "the digest of 'a' is not text"),
        (raw(version=1), "'version' is not text"),
        (raw(options=[]), "'options' is not an object"),
        (raw(options={"skills": "maybe"}), "'skills' is neither"),
        (raw(disabled="tokens"), "'disabled' is not a list of texts"),
        (raw(dirs_created=[1]), "'dirs_created' is not a list of texts"),
    ],
)
def test_what_nobody_can_act_on_is_an_error_with_its_place(data: bytes, said: str) -> None:
    """Rubbish never crashes a reader and never passes for a record."""
    with pytest.raises(RecordError) as caught:
        parse(data)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"version": ...}, "'version' is missing or empty"),
        ({"version": " "}, "'version' is missing or empty"),
        ({"source_sha": "abc"}, "'source_sha' is neither"),
        ({"class": "G"}, "'class' is not one of"),
        ({"class": "AB"}, "'class' is not one of"),
        ({"installed_at": "yesterday"}, "'installed_at' is not"),
        ({"files": ...}, "'files' is missing or empty"),
        ({"files": {"a": "A" * 64}}, "the digest of 'a' is not 64"),
        ({"files": {"a": "1" * 63}}, "the digest of 'a' is not 64"),
        ({"owned": {"../a": ONE}}, "owned: '../a' is not a relative path inside"),
        ({"refused": {"/etc/passwd": ONE}}, "refused: '/etc/passwd' is not a relative path"),
        ({"files": {"C:/x": ONE}}, "'C:/x' is not a relative path"),
        ({"files": {"a\\b": ONE}}, "is not a relative path"),
        ({"merged": {".git/config": ONE}}, "merged: '.git/config' is not a relative path"),
        ({"adopted": {"../b": {}}}, "adopted: '../b' is not a relative path"),
        ({"dirs_created": ["a/../b"]}, "dirs_created: 'a/../b' is not"),
        ({"owned": {".goblin/bin/goblin-verify": ONE}}, "stands in both files and owned"),
        ({"refused": {"HANDOFF.md": ONE}}, "stands in both owned and refused"),
        ({"payload_digest": ONE}, "'payload_digest' is not the digest of 'files'"),
        ({"taken_over": {"x": "1"}}, "taken_over: the digest of 'x'"),
    ],
)
def test_each_rule_of_the_shape_is_named(members: dict[str, Any], said: str) -> None:
    """One change breaks one rule, and the line says which."""
    assert any(said in fault for fault in faults(parse(raw(**members)))), faults(parse(raw(**members)))


@pytest.mark.parametrize(
    "member", ["disabled", "adopted", "conflicts", "merged", "payload_digest", "taken_over"]
)
def test_a_member_that_older_records_lack_may_be_absent(member: str) -> None:
    """Readers take what is there; `disabled` is then unknown, not empty."""
    record = parse(raw(**{member: ...}))
    assert faults(record) == []
    assert member != "disabled" or record.disabled is None


def test_archive_that_is_no_boolean_is_told_apart_from_false() -> None:
    """CL-02 fails for it."""
    assert parse(raw(options={"skills": "no", "archive": "false"})).options.archive is None
    assert parse(raw(options={"skills": "no", "archive": False})).options.archive is False


def test_the_payload_digest_depends_on_paths_and_digests_not_on_order() -> None:
    """Sorted `path TAB digest LF` lines."""
    assert payload_digest({"b": ONE, "a": TWO}) == payload_digest({"a": TWO, "b": ONE})
    assert payload_digest({"a": ONE}) != payload_digest({"a": TWO})
    assert payload_digest({}) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "no record: .goblin/installed.json is missing"),
        ({records.PATH: ""}, "is empty"),
        ({f"{records.PATH}@": "/etc/hostname"}, "symbolic link"),
        ({f"{records.PATH}/x": ""}, "not a regular file"),
    ],
    ids=["missing", "empty", "link", "folder"],
)
def test_the_fact_fails_with_the_reason_and_a_remedy(
    tmp_path: Path, files: dict[str, str], said: str
) -> None:
    """Rows that need the record FAIL with this one reason."""
    write_files(tmp_path, files)
    with pytest.raises(CheckFailed, match=r"\.goblin/installed\.json") as caught:
        load(Tree(str(tmp_path)))
    assert said in caught.value.outcome.summary
    assert caught.value.outcome.remedy == records.REMEDY


def test_the_fact_reads_the_record(tmp_path: Path) -> None:
    """The one on disk."""
    write_files(tmp_path, {records.PATH: render(SAMPLE)})
    assert load(Tree(str(tmp_path))) == SAMPLE
