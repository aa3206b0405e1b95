"""The config fact: what may be set, what is said about a wrong value, and what is remembered."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from goblin import __version__, yaml
from goblin.facts import Run, config
from goblin.facts.config import Config, Gate, Problem, Ratchet
from goblin.generated.config_defaults import DIGEST
from goblin.git import Repo
from goblin.outcome import CannotRun, CheckFailed, Finding
from tests.support import PROJECT, build_repo, hermetic

BASE = "class: A\narchive: false\n"

Load = Callable[..., Config]


def run_on(root: Path, *, static: bool = False, cache: bool = True) -> Run:
    """A run on a repository made by git."""
    git_dir = str(root / ".git")
    return Run(str(root), Repo(str(root), git_dir, git_dir, False), static=static, cache=cache)


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Load a config that holds these lines below class and archive."""

    def _load(text: str = "", base: str = BASE) -> Config:
        (tmp_path / ".goblin").mkdir(exist_ok=True)
        (tmp_path / config.PATH).write_bytes((base + text).encode())
        return config.load(Run(str(tmp_path)))

    return _load


def failure(call: Callable[[], object]) -> CheckFailed:
    """The failure that an accessor raises: it has a place and a remedy."""
    with pytest.raises(CheckFailed) as caught:
        call()
    outcome = caught.value.outcome
    assert outcome.remedy
    assert outcome.findings
    return caught.value


# --- what ends the run -------------------------------------------------------------------------


def refusal(load: Load, text: str, base: str = "") -> CannotRun:
    """Why this config ends the run."""
    with pytest.raises(CannotRun) as caught:
        load(text, base)
    assert caught.value.remedy
    return caught.value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("class: A\nclass: B\n", ":2:1: the key `class` stands twice, on line 1 and on line 2"),
        ("class: A\nratchet:\n  name: x\n  name: y\n", ":4:3: the key `name` stands twice"),
        ("class: A\n\tx: y\n", ":2:1: a TAB"),
        ("class: A\ngates:\n  - name: a\n   cmd: b\n", ":4:4: "),
        ("- class: A\n", ":1:1: the config must hold `key: value` lines"),
        ("", ":1:1: the config must hold"),
        ("A", ":1:1: the config must hold"),
        ("archive: false\n", ":1:1: `class` is not set"),
        ("# c\nclass: # none\n", ":2:7: `class` is not set"),
        ("class: ~\n", ":1:8: `class` is not set"),
        ("class: ''\n", ":1:8: `class` is not set"),
        ("class: a\n", ":1:8: unknown class `a`"),
        ("class: software\n", ":1:8: unknown class `software`"),
        ("class: [A]\n", ":1:8: unknown class that is no text"),
        ('class: "\\e[31m"\n', ":1:8: unknown class `\\x1b[31m`"),
        ("class: A\n---\nclass: B\n", ":2:1: a second document"),
        ("class: \ud800", ":1:8: not UTF-8"),
    ],
)
def test_a_file_that_is_no_config_ends_the_run(tmp_path: Path, text: str, said: str) -> None:
    """Exit 2 with file, line and column: parse errors, duplicate keys, no mapping, no class."""
    (tmp_path / ".goblin").mkdir()
    (tmp_path / config.PATH).write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(CannotRun) as caught:
        config.load(Run(str(tmp_path)))
    assert f"{config.PATH}{said}" in caught.value.message
    assert caught.value.remedy


def test_no_config_means_not_installed(tmp_path: Path) -> None:
    """The remedy is the command that installs."""
    with pytest.raises(CannotRun, match="not installed") as caught:
        config.load(Run(str(tmp_path)))
    assert caught.value.remedy == "goblin-install --target . --class A"


@pytest.mark.parametrize("kind", ["folder", "link", "pipe", "large"])
def test_what_is_no_regular_file_is_not_opened(tmp_path: Path, kind: str) -> None:
    """A pipe would hang the run, a link lead out of the repository."""
    (tmp_path / ".goblin").mkdir()
    path = tmp_path / config.PATH
    if kind == "folder":
        path.mkdir()
    elif kind == "link":
        (tmp_path / "elsewhere").write_text(BASE)
        path.symlink_to(tmp_path / "elsewhere")
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.write_text(BASE + "# " + "x" * config.LIMIT)
    with pytest.raises(CannotRun, match=re.escape(config.PATH)):
        config.load(Run(str(tmp_path)))


# --- values ------------------------------------------------------------------------------------


@pytest.mark.parametrize("written", ["", " ~", " null", ' ""', " ''", " '  '", " # none"])
def test_absent_empty_and_null_mean_not_set(load: Load, written: str) -> None:
    """Each accessor gives its default, which is the schema's where the caller names none."""
    keys = ("branch", "max_dirty", "harness_dir", "scaffold_checks", "bans", "gates", "ratchet", "security")
    found = load("".join(f"{key}:{written}\n" for key in keys))
    for c in (found, load()):
        assert c.problems() == ()
        assert c.items("branch") is None
        assert (c.text("branch"), c.text("branch", "main")) == ("", "main")
        assert (c.integer("max_dirty"), c.integer("max_dirty", 7)) == (0, 7)
        assert (c.path("harness_dir"), c.path("harness_dir", "x")) == ("checks", "x")
        assert (c.flag("scaffold_checks"), c.flag("scaffold_checks", True)) == (False, True)
        assert c.words("bans") == ()
        assert c.gates() == ()
        assert c.ratchet() is None
        assert c.integer("security.audit_max_age_days", positive=True) == 90
        assert c.flag("security.gitignore_family")
        assert c.disabled == ()


def test_values_are_read_as_text_and_converted_by_key(load: Load) -> None:
    """What a typed reader would bend stays as it was written."""
    c = load(
        "max_dirty: 020\nowner_email: 'a@example.org' # me\nverify_doctor: false\n"
        "scaffold_checks: yes\njudge_rederive: true\nharness_dir: ./tools/checks/\nsource_root: .\n"
        "perf: {baseline_commit: 0123456, measured: 2026-01-01, metric: 1e10}\n"
        "security:\n  build_output: dist  out\n  write_routes:\n  - app\n  -\n  - my app # c\n"
        "bans: [BN-01, ~, BN-02]\nreplay:\n  cmd: |\n    node {path}\n"
    )
    assert c.problems() == ()
    assert c.class_name == "A"
    assert c.integer("max_dirty") == 20
    assert c.text("owner_email") == "a@example.org"
    assert c.text("verify_doctor") == "false"
    assert c.flag("scaffold_checks")
    assert c.flag("judge_rederive")
    assert c.path("harness_dir") == "tools/checks"
    assert c.path("source_root") == "."
    assert c.text("perf.baseline_commit") == "0123456"
    assert c.text("perf.measured") == "2026-01-01"
    assert c.text("perf.metric") == "1e10"
    assert c.words("security.build_output") == ("dist", "out")
    assert c.words("security.write_routes") == ("app", "my app")
    assert c.words("bans") == ("BN-01", "BN-02")
    assert c.text("replay.cmd") == "node {path}"


def test_gates_are_read_in_every_layout(load: Load) -> None:
    """Members in any order, commands in any style, in file order."""
    c = load(
        "gates:\n  - name: one\n    cmd: 'a: b # c'\n  -\n  - cmd: |\n      two\n      lines\n    name: 2.x\n"
        "    timeout_s: 9\n  - {name: device, cmd: run, kind: host}\n"
    )
    assert c.problems() == ()
    assert c.gates() == (
        Gate("one", "a: b # c", 1800, False, 4),
        Gate("2.x", "two\nlines", 9, False, 7),
        Gate("device", "run", 1800, True, 12),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name: n\n  cmd: c\n  ceiling: 040\n", Ratchet("n", "c", 40, "")),
        ("name: n\n  cmd: c\n  ceiling:\n", Ratchet("n", "c", None, "")),
        ("name: n\n", Ratchet("n", "", None, "")),
        ("cmd: c\n", Ratchet("", "c", None, "")),
        ("ceiling: 4\n", None),
        ("name: n\n  raised: '1 + 2 = 3: more'\n", Ratchet("n", "", None, "1 + 2 = 3: more")),
        ("name: n\n  raised: because\n", Ratchet("n", "", None, "because")),
    ],
)
def test_a_ratchet_may_be_declared_in_part(load: Load, text: str, expected: Ratchet | None) -> None:
    """Its rows say which member is missing; an empty ceiling is `not measured`, and `raised` is GT-05's."""
    assert load(f"ratchet:\n  {text}").ratchet() == expected


def test_raw_nodes_stay_within_reach(load: Load) -> None:
    """GT-01 counts what is declared, sound or not."""
    c = load("gates:\n  - name: a\n  - b\n")
    raw = c.items("gates")
    assert isinstance(raw, yaml.List)
    assert raw == [{"name": "a"}, "b"]
    assert c.items("gates.name") is None
    assert c.tree["gates"] is raw


def test_a_place_is_the_value_or_what_lacks_it(load: Load) -> None:
    """Nearest first: the value, the key that has none, the mapping, the file."""
    c = load("branch: main\nmax_dirty: # none\nratchet:\n  name: n\n")
    assert c.where("branch", "here") == Finding(config.PATH, 3, 9, "here")
    assert c.where("max_dirty") == Finding(config.PATH, 4, 11)
    assert c.where("ratchet.name") == Finding(config.PATH, 6, 9)
    assert c.where("ratchet.cmd") == Finding(config.PATH, 5, 1)
    assert c.where("branch.x") == Finding(config.PATH, 3, 1)
    assert c.where("verify_doctor") == Finding(config.PATH)


# --- wrong values ------------------------------------------------------------------------------

WRONG = [
    ("branch: -x", 3, 9, "`branch` must be the name of a branch: it is `-x`"),
    ("branch: [main]", 3, 9, "`branch` must be the name of a branch: it is a list"),
    ("practice_sha256: abc", 3, 18, "`practice_sha256` must be 64 hex digits: it is `abc`"),
    (
        "max_dirty: ten",
        3,
        12,
        "`max_dirty` must be a whole number of 0 or more, in digits alone: it is `ten`",
    ),
    ("max_dirty: -1", 3, 12, "in digits alone: it is `-1`"),
    ("max_dirty: 1_000", 3, 12, "in digits alone: it is `1_000`"),
    ("max_dirty: 0x10", 3, 12, "in digits alone: it is `0x10`"),
    ("max_dirty: 1e3", 3, 12, "in digits alone: it is `1e3`"),
    ("max_dirty: 5.0", 3, 12, "in digits alone: it is `5.0`"),
    ("max_dirty: +5", 3, 12, "in digits alone: it is `+5`"),
    ("max_dirty: '٣'", 3, 12, "in digits alone: it is `٣`"),
    ("max_dirty: 1000000000000000", 3, 12, "in digits alone: it is `1000000000000000`"),
    ("loop_max_turns_ceiling: 0", 3, 25, "must be a whole number of 1 or more, in digits alone: it is `0`"),
    ("scaffold_checks: on", 3, 18, "`scaffold_checks` must be yes or no: it is `on`"),
    ("judge_rederive: maybe", 3, 17, "`judge_rederive` must be yes or no: it is `maybe`"),
    (
        "harness_dir: ../x",
        3,
        14,
        "must be a path inside the repository, relative to its root and without `..`",
    ),
    ("harness_dir: /x", 3, 14, "it is `/x`"),
    ("harness_dir: a/../../x", 3, 14, "it is `a/../../x`"),
    ("harness_dir: ~/x", 3, 14, "it is `~/x`"),
    ("harness_dir: C:/x", 3, 14, "it is `C:/x`"),
    ("harness_dir: 'a\\b'", 3, 14, "it is `a\\b`"),
    ("runtime_data: x", 3, 15, "`runtime_data` must be a list of paths inside the repository: it is `x`"),
    ("runtime_data: [x, ../y]", 3, 19, "item 2 of `runtime_data` must be a path inside the repository"),
    ("runtime_data: ['', ../y]", 3, 20, "item 1 of `runtime_data` must be a path inside the repository"),
    ("disabled: gate", 3, 11, "`disabled` must be a list of parts such as [spec, tokens]: it is `gate`"),
    ("disabled: [spec, tokns]", 3, 18, "item 2 of `disabled` must be the name of a part: it is `tokns`"),
    ("bans: BN-01", 3, 7, "`bans` must be a list such as [a, b]: it is `BN-01`"),
    ("layers: [src]", 3, 10, "item 1 of `layers` must be two paths with a blank between"),
    ("layers: [a b c]", 3, 10, "item 1 of `layers` must be two paths with a blank between"),
    ("security: yes", 3, 11, "`security` must hold lines of the form `key: value`: it is `yes`"),
    (
        "security: {build_output: {a: b}}",
        3,
        26,
        "must be words with blanks between, or a list: it is a mapping",
    ),
    ("perf: {measured: 1.2.2026}", 3, 18, "`perf.measured` must be a date of the form YYYY-MM-DD"),
    ("perf: {baseline_commit: HEAD}", 3, 25, "must be 7 to 64 hex digits of a commit: it is `HEAD`"),
    ("replay: {env: A-B}", 3, 15, "`replay.env` must be the name of an environment variable"),
    ("replay: {cmd: [a]}", 3, 15, "`replay.cmd` must be one command"),
    ("replay: {cmd: !a b}", 3, 18, "`replay.cmd` starts with `!a`, which YAML takes for a tag and drops"),
    ("replay: {cmd: ! a}", 3, 17, "`replay.cmd` starts with `!`, which YAML takes for a tag and drops"),
    ("replay: {cmd: &a b}", 3, 18, "`replay.cmd` starts with `&a`, which YAML takes for an anchor and drops"),
    ("owner_email: !a b", 3, 17, "`owner_email` starts with `!a`, which YAML takes for a tag and drops"),
    ("ratchet: {name: n, ceiling: many}", 3, 29, "`ratchet.ceiling` must be a whole number of 0 or more"),
    ("ratchet: {raised: more}", 3, 19, "`ratchet.raised` must have the form '<old> + <n> = <new>: <reason>'"),
    ("ratchet: [a]", 3, 10, "`ratchet` must hold the lines"),
    ("gates: x", 3, 8, "`gates` must be a list"),
    ("gates: [x]", 3, 9, "item 1 of `gates` must be a gate"),
    ("gates: [{name: a}]", 3, 9, "item 1 of `gates` has no `cmd`"),
    ("gates: [{cmd: a}]", 3, 9, "item 1 of `gates` has no `name`"),
    ("gates: [{name: a, cmd: ' '}]", 3, 19, "item 1 of `gates` has no `cmd`"),
    ("gates: [{name: a b, cmd: c}]", 3, 16, "`name` of item 1 of `gates` must be made of letters"),
    ("gates: [{name: a, cmd: [b]}]", 3, 24, "`cmd` of item 1 of `gates` must be one command"),
    ("gates: [{name: a, cmd: b, timeout_s: 0}]", 3, 38, "`timeout_s` of item 1 of `gates` must be a whole"),
    ("gates: [{name: a, cmd: b, kind: hosts}]", 3, 33, "`kind` of item 1 of `gates` can only be `host`"),
    ("gates: [{name: a, cmd: b}, {name: a, cmd: c}]", 3, 35, "the gate `a` stands twice, on line 3"),
    (
        "gates: [{name: a, cmd: b, timeout: 5}]",
        3,
        27,
        "unknown key `timeout` in item 1 of `gates`: did you mean",
    ),
    ("max_dirt: 5", 3, 1, "unknown key `max_dirt`: did you mean `max_dirty`?"),
    ("build_output: x", 3, 1, "unknown key `build_output` here: it belongs below `security`"),
    ("cmd: x", 3, 1, "unknown key `cmd` here: it belongs below `perf` or `gates` or `ratchet` or `replay`"),
    ("perf: {branch: x}", 3, 8, "unknown key `branch` in `perf` here: it belongs in the first column"),
    ("zzz: 5", 3, 1, "unknown key `zzz`"),
    ("<<: {max_dirty: 5}", 3, 1, "unknown key `<<`"),
    ('"\\e[31m": 5', 3, 1, "unknown key `\\x1b[31m`"),
]


@pytest.mark.parametrize(("line", "row", "column", "said"), WRONG, ids=[wrong[0] for wrong in WRONG])
def test_a_wrong_value_is_one_problem_with_its_place(
    load: Load, line: str, row: int, column: int, said: str
) -> None:
    """`--check-config` shows what is wrong, where, in words that name no schema."""
    found = load(line + "\n").problems()
    assert len(found) == 1
    assert found[0][:3] == (config.PATH, row, column)
    assert said in found[0].message
    assert "data" not in found[0].message.replace("runtime_data", "")


def test_every_problem_is_reported_in_file_order(load: Load) -> None:
    """Not only the first, and each key's own."""
    text = "".join(f"{wrong[0]}\n" for wrong in WRONG if not wrong[0].startswith(("gates", "ratchet", "<<")))
    names = [line.partition(":")[0] for line in text.splitlines()]
    kept = [line for i, line in enumerate(text.splitlines()) if names[i] not in names[:i]]
    found = load("\n".join(kept) + "\n").problems()
    assert [problem.line for problem in found] == list(range(3, 3 + len(kept)))


def test_a_missing_archive_is_a_problem_without_a_line(load: Load) -> None:
    """`archive` is required; the file as a whole lacks it."""
    c = load("", "class: A\n")
    assert c.problems() == (Finding(config.PATH, 0, 0, "`archive` is not set"),)
    assert not c.archive
    assert (
        failure(lambda: c.flag("archive")).outcome.remedy == f"add the line `archive: false` to {config.PATH}"
    )


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("branch: [a]\n", lambda c: c.text("branch")),
        ("max_dirty: ten\n", lambda c: c.integer("max_dirty", 0)),
        ("max_dirty: ten\n", lambda c: c.text("max_dirty")),
        ("scaffold_checks: maybe\n", lambda c: c.flag("scaffold_checks", False)),
        ("harness_dir: /etc\n", lambda c: c.path("harness_dir")),
        ("feature_map: /etc/map\n", lambda c: c.path("feature_map")),
        ("disabled: gate\n", lambda c: c.words("disabled")),
        ("security: x\n", lambda c: c.words("security.build_output")),
        ("security: {build_output: [a, {b: c}]}\n", lambda c: c.words("security.build_output")),
        ("security: {build_output: [a]}\n", lambda c: c.text("security.build_output")),
        ("branch: main\n", lambda c: c.integer("branch")),
        ("branch: main\n", lambda c: c.flag("branch")),
        ("max_dirty: 0\n", lambda c: c.integer("max_dirty", positive=True)),
        ("gates: [{name: a}]\n", lambda c: c.gates()),
        ("gates: [{name: a, cmd: b, x: c}]\n", lambda c: c.gates()),
        ("ratchet: {ceiling: x}\n", lambda c: c.ratchet()),
        ("ratchet: x\n", lambda c: c.ratchet()),
        ("ratchet: {name: a, cmd: b, ceilling: 5}\n", lambda c: c.ratchet()),
        ("ratchet: {name: a, cmd: b, ceilling: 5}\n", lambda c: c.text("ratchet.ceiling")),
        ("rachet: {name: a}\n", lambda c: c.ratchet()),
        ("max_dirt: 5\n", lambda c: c.integer("max_dirty", 0)),
        ("build_output: dist\n", lambda c: c.words("security.build_output")),
    ],
)
def test_an_accessor_fails_for_a_wrong_value(load: Load, text: str, call: Callable[[Config], object]) -> None:
    """The row that reads it FAILs, with place and remedy: a misspelt key is no silent default."""
    c = load(text)
    outcome = failure(lambda: call(c)).outcome
    assert outcome.findings[0].path == config.PATH
    assert outcome.findings[0].line == 3
    assert "line 3" in outcome.remedy


def test_a_wrong_value_harms_no_other_key(load: Load) -> None:
    """Rows that do not read it are judged as ever."""
    c = load("max_dirty: ten\nbranch: main\nsecurity: {audit_cmd: [x], build_output: dist, zzz: 1}\nzzz: 1\n")
    assert len(c.problems()) == 4
    assert c.text("branch") == "main"
    assert c.words("security.build_output") == ("dist",)
    assert c.text("security.write_routes") == ""
    assert c.integer("advisory_ceiling") == 10


def test_a_misspelt_key_beside_the_right_one_is_no_failure_of_its_row(load: Load) -> None:
    """What was meant is set; the stray line is still a problem."""
    c = load("max_dirt: 5\nmax_dirty: 6\n")
    assert c.integer("max_dirty") == 6
    assert len(c.problems()) == 1


def test_a_wrong_switch_switches_nothing_off(load: Load) -> None:
    """A malformed `disabled` or `archive` leaves every row running, and its own row FAILs."""
    c = load("disabled: handoff\n", "class: A\narchive: yes\n")
    assert c.disabled == ()
    assert not c.archive
    assert "must be a list of parts" in str(failure(lambda: c.words("disabled")))
    assert "must be true or false" in str(failure(lambda: c.flag("archive")))
    assert load("disabled: [handoff, tokns]\n").disabled == ("handoff", "tokns")
    assert load("", "class: A\narchive: true\n").archive


def test_one_failure_names_every_fault_of_its_key(load: Load) -> None:
    """The summary counts them, the findings place them."""
    c = load("gates:\n  - name: a\n  - x\n  - cmd: c\n    zzz: 1\n")
    outcome = failure(c.gates).outcome
    assert outcome.summary == "item 1 of `gates` has no `cmd` (and 3 more)"
    assert [finding.line for finding in outcome.findings] == [4, 5, 6, 7]


def test_a_value_is_shown_safe_and_short(load: Load) -> None:
    """No terminal control, no credential, no page of text."""
    key = "ghp_" + "a" * 36
    for value in ('"\\e]0;x\\a"', f"'{key}'", "x" * 5000):
        said = load(f"max_dirty: {value}\n").problems()[0].message
        assert "\x1b" not in said
        assert key not in said
        assert len(said) < 200


def test_problems_can_be_asked_for_by_key(load: Load) -> None:
    """For a row that reports all faults of what it reads, and for its remedies."""
    c = load("perf: {baseline_commit: HEAD, measured: x}\nmax_dirty: x\nmax_dirt: 1\n")
    assert [p.key for p in c.faults("perf")] == ["perf.baseline_commit", "perf.measured"]
    assert [p.key for p in c.faults("perf.measured", "max_dirty")] == ["perf.measured", "max_dirty"]
    assert len(c.problems()) == 4


@pytest.mark.parametrize(
    ("own", "asked", "touched"),
    [
        ("a", "a", True),
        ("a.b", "a", True),
        ("a[0].b", "a", True),
        ("a", "a.b", True),
        ("ab", "a", False),
        ("a.b", "a.c", False),
        ("a.bc", "a.b", False),
    ],
)
def test_a_fault_touches_its_key_and_what_holds_it(own: str, asked: str, touched: bool) -> None:
    """Names are compared whole."""
    assert Problem(own, 0, 0, "", "", "").touches(asked) is touched


@pytest.mark.parametrize("prefix", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_byte_order_mark_and_crlf_change_nothing(tmp_path: Path, prefix: str, end: str) -> None:
    """The same values, the same places."""
    text = f"{BASE}max_dirty: ten\ngates:\n  - name: a\n    cmd: |\n      x\n      y\n"
    (tmp_path / ".goblin").mkdir()
    (tmp_path / config.PATH).write_bytes((prefix + text.replace("\n", end)).encode())
    c = config.load(Run(str(tmp_path)))
    assert [finding[:3] for finding in c.problems()] == [(config.PATH, 3, 12)]
    assert c.gates() == (Gate("a", "x\ny", 1800, False, 5),)


def test_the_shipped_template_has_no_problem() -> None:
    """Every key of the template is known, and what the installer leaves empty is allowed to be."""
    text = (PROJECT / "templates/goblin.yaml").read_text()
    text = text.replace("{{CLASS}}", "A").replace("{{ARCHIVE}}", "false")
    text = text.replace("{{YAML_GATES}}", "  - name: a\n    cmd: b").replace(
        "{{YAML_RUNTIME_DATA}}", "  - a/b"
    )
    text = re.sub(r"\{\{\w+\}\}", "", text)
    tree = yaml.load(text.encode(), "template")
    assert isinstance(tree, yaml.Map)
    from goblin.facts.configfaults import judge

    assert judge(tree) == []


# --- the cache ---------------------------------------------------------------------------------


def cached(root: Path) -> list[Path]:
    """The cached configs of a repository."""
    return sorted((root / ".git/goblin/cache").glob("*"))


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with a config that has a problem."""
    text = f"{BASE}max_dirty: ten\nbranch: main # c\ngates: [{{name: a, cmd: !b c}}]\n"
    return build_repo({config.PATH: text}, tmp_path / "repo").root


def same(one: Config, other: Config) -> bool:
    """True when two configs hold the same values, places and problems."""
    return yaml.dump_tree(one.tree) == yaml.dump_tree(other.tree) and one.faults() == other.faults()


def test_a_config_is_remembered_in_the_git_directory(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second run reads the tree with its places and its problems, and parses nothing."""
    fresh = config.load(run_on(repo, cache=False))
    assert cached(repo) == []
    first = config.load(run_on(repo))
    assert [path.name.partition("-")[0] for path in cached(repo)] == ["config"]
    monkeypatch.setattr(yaml, "load", None)
    second = config.load(run_on(repo))
    assert same(fresh, first)
    assert same(fresh, second)
    assert len(second.problems()) == 2
    assert second.where("branch") == Finding(config.PATH, 4, 9)


def test_a_changed_config_is_read_again(repo: Path) -> None:
    """The name is the digest of the bytes."""
    config.load(run_on(repo))
    (repo / config.PATH).write_text("class: B\narchive: true\n")
    assert config.load(run_on(repo)).class_name == "B"
    assert len(cached(repo)) == 2


def test_the_digest_is_sha256_whichever_module_makes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter's own module is the quick way; hashlib gives the same name."""
    maker = "\0".join((config._CACHE_FORMAT, __version__, DIGEST, "")).encode()
    expected = hashlib.sha256(maker + b"x").hexdigest()
    assert config._digest(b"x") == expected
    for name in ("_sha2", "_sha256"):
        monkeypatch.setitem(sys.modules, name, None)
    assert config._digest(b"x") == expected


@pytest.mark.parametrize("name", ["__version__", "DIGEST", "_CACHE_FORMAT"])
def test_what_another_engine_or_schema_judged_is_judged_again(
    repo: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Version, schema and form are in the digest."""
    config.load(run_on(repo))
    monkeypatch.setattr(config, name, "other")
    config.load(run_on(repo))
    assert len(cached(repo)) == 2


@pytest.mark.parametrize("options", [{"static": True}, {"cache": False}])
def test_a_run_without_cache_neither_reads_nor_writes_it(repo: Path, options: dict[str, bool]) -> None:
    """A git directory that came with an untrusted repository could hold any answer."""
    config.load(run_on(repo, **options))
    assert cached(repo) == []
    config.load(run_on(repo))
    (path,) = cached(repo)
    path.write_text(path.read_text().replace('"main"', '"evil"'))
    assert config.load(run_on(repo)).text("branch") == "evil"
    assert config.load(run_on(repo, **options)).text("branch") == "main"


GOOD = {"tree": {"at": [1, 1], "map": [["class", 1, 1, ["A", 1, 8]]]}, "problems": []}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\x00",
        b"[" * 100_000,
        b"null",
        b"[]",
        b"{}",
        json.dumps(GOOD)[:-1].encode(),
        json.dumps({**GOOD, "tree": ["A", 1, 1]}).encode(),
        json.dumps({**GOOD, "tree": {"at": [1, 1], "map": []}}).encode(),
        json.dumps({**GOOD, "tree": {"at": [1, 1], "map": [["class", 1, 1, ["Z", 1, 8]]]}}).encode(),
        json.dumps({**GOOD, "problems": [["a", 1]]}).encode(),
        json.dumps({**GOOD, "problems": [["a", "1", 1, "b", "c", "d"]]}).encode(),
        json.dumps({**GOOD, "problems": [[1, 1, 1, "b", "c", "d"]]}).encode(),
        json.dumps({**GOOD, "problems": {"a": 1}}).encode(),
        b" " * (config._CACHE_LIMIT + 1),
    ],
)
def test_a_corrupt_cache_is_made_again(repo: Path, content: bytes) -> None:
    """Whatever a file in the cache holds, the answer is the config's own."""
    fresh = config.load(run_on(repo))
    (path,) = cached(repo)
    path.write_bytes(content)
    assert same(config.load(run_on(repo)), fresh)
    assert path.read_bytes() != content


@pytest.mark.parametrize("kind", ["folder", "link", "pipe"])
def test_a_cache_that_is_no_file_is_not_opened(repo: Path, kind: str) -> None:
    """A pipe there cannot hang a run, and a link is not followed."""
    fresh = config.load(run_on(repo))
    (path,) = cached(repo)
    path.unlink()
    if kind == "folder":
        path.mkdir()
    elif kind == "link":
        (repo / "planted").write_text(json.dumps(GOOD))
        path.symlink_to(repo / "planted")
    else:
        os.mkfifo(path)
    assert same(config.load(run_on(repo)), fresh)


def test_a_cache_that_cannot_be_written_costs_only_time(repo: Path) -> None:
    """A read-only git directory still verifies."""
    (repo / ".git/goblin").write_text("in the way")
    assert config.load(run_on(repo)).class_name == "A"
    assert config.load(run_on(repo)).class_name == "A"


def test_old_entries_go(repo: Path) -> None:
    """The cache holds a few configs, the newest ones, and touches nothing that is not its own."""
    config.load(run_on(repo))
    folder = repo / ".git/goblin/cache"
    (folder / "scan-x.json").write_text("another's")
    for number in range(20):
        (repo / config.PATH).write_text(f"{BASE}max_dirty: {number}\n")
        config.load(run_on(repo))
    kept = [path for path in cached(repo) if path.name.startswith("config-")]
    assert len(kept) == config._CACHE_KEPT
    assert (folder / "scan-x.json").exists()
    config.load(run_on(repo))
    (repo / config.PATH).write_text(f"{BASE}max_dirty: 18\n")
    before = cached(repo)
    config.load(run_on(repo))
    assert cached(repo) == before


def test_a_config_that_ends_the_run_is_not_remembered(repo: Path) -> None:
    """Only what was parsed and judged is kept."""
    (repo / config.PATH).write_text("class: A\nclass: B\n")
    with pytest.raises(CannotRun):
        config.load(run_on(repo))
    assert cached(repo) == []


def test_a_remembered_config_costs_no_import(repo: Path) -> None:
    """Neither the parser nor the validator is loaded, nor anything that costs more than a row."""
    code = (
        "from goblin.facts import Run, config; from goblin.git import Repo; import sys;"
        f"run = Run({str(repo)!r}, Repo({str(repo)!r}, *[{str(repo / '.git')!r}] * 2, False));"
        "c = config.load(run); c.text('branch'); c.where('branch'); c.problems(); c.disabled; c.ratchet();"
        "print(sorted(sys.modules))"
    )
    path = f"import sys; sys.path.insert(0, {str(PROJECT / 'src')!r}); "
    config.load(run_on(repo))
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", path + code],
        env=hermetic(),
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(re.findall(r"'([\w.]+)'", done.stdout))
    assert "goblin.facts.config" in loaded
    costly = {
        "ruamel",
        "fastjsonschema",
        "jsonschema",
        "dataclasses",
        "pathlib",
        "tempfile",
        "inspect",
        "difflib",
    }
    assert costly & {name.split(".")[0] for name in loaded} == set()
    assert {
        "goblin.generated.config_schema",
        "goblin.facts.configfaults",
        "goblin.yaml.compose",
    } & loaded == set()
