"""Targets: tables, the configuration, the install record and journal, the record of a loop."""

from __future__ import annotations

import json
from contextlib import suppress

from goblin import clock, lanes, markdown, mutate, tables, waivers, yaml
from goblin.bans import table as bantable
from goblin.emit import jsonedit
from goblin.facts import (
    acquisition,
    auditrecord,
    boundary,
    configfaults,
    datareport,
    gateline,
    intake,
    lockfiles,
    modelnames,
    ratchet,
    record,
    recordfiles,
    reference,
    reports,
    reviews,
)
from goblin.facts.config import Config, Problem
from goblin.install import journal, keys, lock, merge, settle, versions
from goblin.loop import decisions, events, handles, instant, outputs, place, pointers, surface, writeup
from goblin.loop import record as looprecord
from goblin.loop.refusal import Refused
from goblin.outcome import CannotRun, CheckFailed
from tests.fuzzing.target import Target, gives_back, parted, text, utf8, whole
from tests.support import PROJECT

COLUMNS = ("row", "path", "fingerprint")
TURN = "2026-01-02T03:04:05Z\tverdict\tkeep\tsha:0123456,file:README.md\twhy not\tred"
HANDLES = "sha:0123456789abcdef, file:README.md@HEAD, sha256:00, cmd:make test, word"
CONFIG = "@templates/goblin.yaml"
YAML = (CONFIG, "@.github/workflows/*.yml", "@bans/*.yml", "a: &b {c: [d, 'e', \"f\\n\"]}\ng: *b\n<<: *b\n")
RECORD = json.dumps(
    {"version": "1.0.0", "class": "A", "options": {"skills": "no", "parts": ["a"]}, "disabled": ["b"],
     "files": {".goblin/a": "0" * 64}, "dirs_created": [".goblin"], "engine": {"mode": "vendored"},
     "payload_sha256": "0" * 64, "installed_at": "2026-01-02T03:04:05Z"}
)  # fmt: skip
INTENT = json.dumps(
    {"format": 1, "folders": [".goblin"], "emptied": [["a", 493]],
     "steps": [dict.fromkeys(journal.Step._fields, 0) | {"path": "a/b", "temp": "a/.b.tmp"}]}
)  # fmt: skip
SIDECAR = (
    '{"line_sha256": "a", "head": "unborn", "measured_at": "b", "gates": [{"name": "c", "exit": 0}],'
    ' "ratchet": {"name": "d", "value": 1, "ceiling": 2}}'
)
EVENT = (
    '{"at":"2026-01-02T03:04:05.000Z","data":{"text":"a"},"prev":"' + "0" * 64 + '",'
    '"run":"run_a","seq":1,"span":null,"type":"note","v":1}\n'
)


def _table(data: bytes) -> None:
    table = tables.parse(data, COLUMNS, comments=True)
    last = data.count(b"\n") + 1
    assert all(1 <= fault.line <= last for fault in table.faults)
    cells = [one.cells for one in table.records]
    if not any(mark in cell for row in cells for cell in row for mark in "\r\0"):
        again = tables.read(tables.write(COLUMNS, cells), COLUMNS, "")
        assert [one.cells for one in again] == [row for row in cells if any(map(str.strip, row)) or row]


def _yaml(data: bytes) -> None:
    for merged in (False, True):
        for root in yaml.load_all(data, "", merge=merged):
            assert yaml.load_tree(json.loads(json.dumps(yaml.dump_tree(root)))) == root


def _scalar(word: str) -> None:
    assert yaml.load(yaml.scalar(word).encode(), "") == word
    assert yaml.load(yaml.flow([word, word]).encode(), "") == [word, word]


def _edited(data: bytes) -> None:
    whole_, _, name = data.rpartition(b"\0")
    value = yaml.scalar(name.decode("utf-8", "replace"))
    for done in (
        yaml.set_key(whole_, "branch", value, ""),
        yaml.set_list(whole_, "disabled", ["a", value], ""),
        yaml.replace(whole_, {"ratchet.name": "b"}, ""),
    ):
        yaml.load(done, "")


def config_of(data: bytes) -> Config:
    """A config, as the fact makes it from a tree."""
    tree = yaml.load(data, "")
    tree = tree if isinstance(tree, yaml.Map) else yaml.Map()
    return Config(tree, [Problem(*fault) for fault in configfaults.judge(tree)])


_ACCESSORS = ("gates", "ratchet", "problems", "unknown")
_KEYS = ("branch", "disabled", "gates", "ratchet.ceiling", "runtime_data", "advisory_ceiling", "replay.cmd")


def _config(data: bytes) -> None:
    config = config_of(data)
    assert isinstance(config.archive, bool)
    asked = [getattr(config, name) for name in _ACCESSORS]
    for kind in (config.text, config.words, config.integer, config.flag, config.path, config.where):
        asked += [lambda kind=kind, key=key: kind(key) for key in _KEYS]
    for question in asked:
        with suppress(CheckFailed):
            question()


def _missing(data: bytes) -> None:
    template = (PROJECT / "templates" / "goblin.yaml").read_bytes()
    tree = yaml.load(data, "")
    if isinstance(tree, yaml.Map):
        keys.added(data, keys.missing(tree, template))


def _datareport(data: bytes) -> None:
    gives_back(datareport.render, datareport.parse, datareport.parse(data))


def _sidecar(data: bytes) -> None:
    gives_back(gateline.render, gateline.parse, gateline.parse(data))


def _surface(data: bytes) -> None:
    known = surface.parse(data).entries
    gives_back(surface.render, lambda again: surface.parse(again).entries, known)


def _events(data: bytes) -> None:
    for event in events.parse(data).events:
        event.instant("at"), event.number("seq"), event.text("text")
        assert json.loads(events.canonical(dict(event.data))) == event.data


def _note(data: bytes) -> None:
    note = reviews.Note("reviews/2026-01-02-0123456.md", data)
    for key in ("base", "head", "patch-id", "governance", "findings"):
        note.text(key), note.words(key), note.where(key, "")
    assert note.named_head == "0123456"


def _instant(word: str) -> None:
    found = instant.parse_instant(word)
    assert found is None or (found.tzinfo is not None and pointers.stamp(found))


def _families(data: bytes) -> None:
    table = tables.parse(data, ("name", "family", "numbers", "variants"), comments=True)
    modelnames.parse(table.records)


def _known_family(word: str) -> None:
    known = {"gamma": "gamma", "delta": "delta"}
    assert isinstance(lanes.family(word, known, {"mini", "pro"}), str)


def _intake(data: bytes) -> None:
    report = intake.read(data, "a.yaml")
    if not report.faults and not report.missing:
        assert report.key()


def _mutations(script: str) -> None:
    edits, rest = mutate.split(script)
    assert isinstance(rest, str)
    assert all(isinstance(word, str) for edit in edits for word in edit)


def _three(data: bytes) -> None:
    ours, base, theirs = (part.encode("utf-8", "surrogateescape") for part in parted(data))
    for path in (".goblin/goblin.yaml", ".goblin/rules/enforcement.tsv", ".goblin/a.py"):
        merge.still_reads(path, ours or base or theirs)


def _json_edit(source: str) -> None:
    """A value is put into an object of others and taken out again, and every byte is as it was."""
    value = jsonedit.read(source)
    at = jsonedit.top(source)
    if "goblin" not in value:
        once = jsonedit.added(source, at, [1], "goblin", depth=0)
        assert json.dumps(jsonedit.read(once)) == json.dumps({**value, "goblin": [1]})
        held = jsonedit.children(once, at)
        assert source in jsonedit.without(once, at, len(held) - 1, depth=0)


def _ratchet_sum(word: str) -> None:
    found = ratchet.Raised.read(word)
    assert found is None or isinstance(found.adds_up and found.has_reason, bool)


def _safe(data: bytes) -> None:
    shown = outputs.safe(data)
    shown.encode()
    outputs.steady(shown, "/tmp/a")
    assert len(outputs.bound(shown, 3)) <= 2 * outputs.KEEP + 1000


TARGETS = (
    Target("tables.parse", _table, ("row\tpath\tfingerprint\nIN-01\ta\tb\n# c\n", "@manifest/bans.tsv")),
    Target("tables.read", lambda d: tables.read(d, COLUMNS, ""), ("row\tpath\tfingerprint\nA\ta\tb\n",),
           (tables.TableError,)),
    Target("waivers.kept_lines", whole(waivers.kept_lines), ("row\tpath\tfingerprint\nSC-10\ta\t0123\n",)),
    Target("bans.table.read", lambda d: [one.fault() for one in bantable.bans(bantable.read(d).records)],
           ("@manifest/bans.tsv",), through=("bans.table.bad_pattern",)),
    Target("bans.table.bad_pattern", utf8(bantable.bad_pattern), ("a{2,}b", "(?i)a", "[a-", "(?P<a>b)\\1")),
    Target("facts.modelnames.parse", _families, ("@manifest/models.tsv",), (CheckFailed,)),
    Target("yaml.load", _yaml, YAML, (yaml.YamlError,), ("yaml.load_all", "yaml.compose.compose")),
    Target("yaml.scalar", utf8(_scalar), ("a", "~", "- a", "'", "1e3"), (ValueError,),
           ("yaml.edit.scalar",)),
    Target("yaml.set_key", _edited, (CONFIG, "a:\n  - b # c\nd: [e]\n\0f"), (yaml.YamlError, ValueError),
           ("yaml.set_list", "yaml.replace", "yaml.edit.set_key", "yaml.edit.set_list")),
    Target("facts.config", _config, (CONFIG, "class: A\ngates:\n  - name: a\n    cmd: 'true'\n"),
           (yaml.YamlError,)),
    Target("facts.ratchet.declared", whole(ratchet.declared), (CONFIG,), (ValueError,)),
    Target("facts.ratchet.Raised.read", utf8(_ratchet_sum), ("1 + 2 = 3: why",)),
    Target("install.keys.missing", _missing, (CONFIG, "class: A\n"), (CannotRun, yaml.YamlError),
           ("install.keys.added",)),
    Target("emit.jsonedit.read", utf8(_json_edit), ('{"a": {"b": []},\n  "c": 1}\n', "{}", "\n{\r\n\t\r\n}"),
           (jsonedit.NotPlain,), tuple(f"emit.jsonedit.{name}" for name in ("added", "children", "top",
           "without"))),
    Target("install.merge.still_reads", _three, (CONFIG,)),
    Target("lanes.parse_map", whole(lanes.parse_map),
           ("profiles:\n  a: {provider: p, model: m, effort: e}\n", "a:\n  model: m\n"), (lanes.MapError,)),
    Target("lanes.family", utf8(_known_family), ("gamma-4-mini", "p/delta_2:pro")),
    Target("facts.record.parse", whole(record.parse), (RECORD, "{}"), (record.RecordError,)),
    Target("facts.record.is_digest", utf8(lambda word: record.is_digest(word, 64)), ("0" * 64,)),
    Target("install.journal", journal._parse, (INTENT,), (journal.Stuck,)),
    Target("install.lock", utf8(lock._holder), ("pid=1\nhost=a\nstart=2\n", "1 a"),),
    Target("install.versions.key", utf8(versions.key), ("1.2.3", "1.0.0rc1", "2.0.0.dev3+a")),
    Target("install.settle", utf8(settle._split), ("a,b c",)),
    Target("facts.reviews.Note", _note,
           ("# T\n\nbase: 0123\nhead: 4567\ngovernance: a, b\n\n# V\n", "---\na: [b]\n---\n"),
           through=("facts.reviews.header",)),
    Target("facts.boundary.parse", whole(boundary.parse), ("@templates/boundary-waivers", "a # b\n")),
    Target("facts.lockfiles.parse_allowlist", whole(lockfiles.parse_allowlist),
           ("@templates/install-hooks.allowlist", "esbuild # builds\n")),
    Target("facts.auditrecord.parse", whole(auditrecord.parse),
           (auditrecord.render((), "2026-01-02", ("run: a",)),)),
    Target("facts.auditrecord.parse_waivers", whole(auditrecord.parse_waivers),
           ("@templates/audit-waiver.tsv", "a\tb\tc\td\t2026-01-02\n")),
    Target("facts.auditrecord.cell", utf8(auditrecord.cell), ("a\tb\r\nc",)),
    Target("facts.acquisition.parse", text(lambda t: acquisition.parse("a", t)),
           (f"# source : a\n# md5 : b\n{'0' * 64}  a.bin\n",)),
    Target("facts.acquisition.any_digests", whole(acquisition.any_digests), ("0" * 64,)),
    Target("facts.reference.parse", whole(reference.parse), ('{"format": 1, "entries": []}',), (ValueError,)),
    Target("facts.datareport.parse", _datareport, ("before=a=1\nafter=a=2\nhead=b\nrun=c\n",), (ValueError,)),
    Target("facts.gateline.parse", _sidecar,
           (SIDECAR, SIDECAR.replace("0", "1e999")), (ValueError,)),
    Target("facts.gateline.digest", utf8(gateline.digest), ("[gate] a",)),
    Target("facts.gateline.with_data", lambda d: gateline.with_data(*parted(d, 2)), ("[gate] a data=b\0c",)),
    Target("facts.intake.read", _intake,
           ("repo: a\nsymptom: b\nexpected: c\nobserved: d\nrevision: e\nrepro_steps: [f]\n",)),
    Target("facts.reports.normalised", utf8(reports.normalised), ("A  b\n",)),
    Target("facts.reports.is_one_line", utf8(reports.is_one_line), ("a\nb",)),
    Target("facts.recordfiles.secrets_in", whole(recordfiles.secrets_in), ("AKIA" + "A" * 16,)),
    Target("loop.decisions.parse", lambda d: decisions.parse(d, "a").earliest,
           ("@templates/loop/decisions.tsv", TURN)),
    Target("loop.events.parse", _events, (EVENT, EVENT * 2)),
    Target("loop.handles.parse", utf8(lambda cell: [one.text for one in handles.parse(cell)]), (HANDLES,)),
    Target("loop.instant.parse_instant", utf8(_instant),
           ("2026-01-02T03:04:05Z", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:60-23:59")),
    Target("clock.parse_date", utf8(clock.parse_date), ("2026-01-02", "0000-00-00")),
    Target("loop.surface.parse", _surface, (f"{'0' * 64}  a/b\n{'1' * 64}  c\n",)),
    Target("loop.record.parse_predicate", lambda d: looprecord.parse_predicate(d, "a"),
           ("# a\nmake test\n",)),
    Target("loop.record.parse_pin", lambda d: looprecord.parse_pin(d, "a"),
           (f"{'0' * 64}\nprevious: {'1' * 64}\nsurface: {'2' * 64}\n",)),
    Target("loop.record.parse_measured", lambda d: looprecord.parse_measured(d, "a"),
           (f"exit=1 ts=2026-01-02T03:04:05Z sha256={'0' * 64}\n",)),
    Target("loop.record.parse_budget", lambda d: looprecord.parse_budget(d, "a"), ("20\n", "9" * 5000)),
    Target("loop.outputs.safe", _safe, ("\x1b[31ma\x1b[0m\rb\n", b"\xff\xfe"), through=("loop.outputs.bound",
           "loop.outputs.steady")),
    Target("loop.outputs.secret_in", text(outputs.secret_in), ("AKIA" + "A" * 16,)),
    Target("loop.pointers.printable", text(pointers.printable), ("a\tb\u202ec",)),
    Target("loop.place.one_line", utf8(lambda word: place.one_line(word, "a", 200)), ("a b",), (Refused,)),
    Target("loop.place.command", utf8(lambda word: place.command(word, "a")), ("make test",), (Refused,)),
    Target("loop.writeup.WriteUp", utf8(lambda t: writeup.WriteUp.of(t, looprecord.parse_predicate(b"a",
           "b"))),
           ("# Tried\n\na\n\n# Blocks\n\nb\n",)),
    Target("mutate.split", utf8(_mutations), ("@manifest/controls.tsv", "swap a 'b c' d; append e f\nrm g"),
           (ValueError,)),
    Target("markdown.front_matter", text(markdown.front_matter), ("---\na: b\n---\n# c\n",)),
)  # fmt: skip
