"""What each tool finds, and what it refuses: the calls themselves, without a server."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from goblin import clock
from goblin.commands import mcp
from goblin.server import bounds, calls, present, registration, schemas
from goblin.server.calls import CallRefused, Limits
from goblin.server.tools import offered
from tests.server.driving import Told, call, untouched
from tests.support import Repo, build_repo, run_cli

FEATURE = """---
feature: {name}
entry_paths: [{token}]
verified: {day}
---
# A feature

## Sub-features

## How to get to it (user POV)

## Driving it with sh

## Gotchas
"""
MAP = """# Features

## Baseline preconditions

## Driving conventions

## Proof and skip reporting

## Features

- [greet](./greet.md)
"""


@pytest.fixture
def here(sample: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """The sample, which is the working directory."""
    monkeypatch.chdir(sample.root)
    return sample


# --- verify --------------------------------------------------------------------------------------


def test_a_failing_row_has_its_places_and_its_remedy(here: Repo) -> None:
    """The text and the value say the same as the command."""
    here.write({"HANDOFF.md": here.read("HANDOFF.md").replace("## Next steps", "## Some day")})
    answer = call("goblin_verify", only="HP-01, HP-02")
    lines = answer.text.splitlines()
    assert lines[0] == f"verified: {here.root}"
    assert lines[1] == "gate: FAIL (1 passed, 1 failed, 0 advisory, 0 skipped; exit 1)"
    assert lines[2].startswith("PASS  HP-01  ")
    assert lines[3].startswith("FAIL  HP-02  ")
    assert any(line.startswith("        remedy: ") for line in lines)
    assert lines[-1].startswith("mend what a remedy names")
    (row,) = [row for row in answer.value["rows"] if row["id"] == "HP-02"]
    assert (row["status"], row["findings_total"]) == ("FAIL", len(row["findings"]))
    assert row["remedy"]


def test_a_run_that_could_not_happen_is_no_failure_of_a_rule(here: Repo, tmp_path: Path) -> None:
    """Exit 2 and exit 3 are told as what they are, with what mends them."""
    with pytest.raises(CallRefused, match=r"could not run \(exit 2\): unknown row: HP-99"):
        call("goblin_verify", only="HP-99")
    config = here.read(".goblin/goblin.yaml")
    here.write({".goblin/goblin.yaml": "class: [\n"})
    with pytest.raises(CallRefused, match=r"could not run \(exit 2\): .*goblin.yaml:"):
        call("goblin_verify")
    here.write({".goblin/goblin.yaml": config, ".goblin/manifest/enforcement.tsv": "no header\n"})
    with pytest.raises(CallRefused, match=r"could not run \(exit 3\): the manifest is broken"):
        call("goblin_verify")
    with pytest.raises(CallRefused, match="exit 2"):
        call("goblin_bans", target=str(tmp_path / "nowhere"))


def test_a_target_is_the_root_of_an_installed_repository(
    here: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Relative to the working directory; nothing falls back to that, and the resolved path is named."""
    other = build_repo({"a": "x"}, tmp_path / "other")
    for name in ("goblin_verify", "goblin_bans", "goblin_loop_status"):
        with pytest.raises(CallRefused, match=f"{other.root} is not an installed repository"):
            call(name, target="../other")
        with pytest.raises(CallRefused, match=f"{here.root}/src is not an installed repository"):
            call(name, target="src")
        with pytest.raises(CallRefused, match=f"{here.root}/README.md is not a folder"):
            call(name, target="README.md")
    monkeypatch.chdir(other.root)
    assert call("goblin_verify", only="HP-01", target="../sample").value["root"] == str(here.root)


def test_a_gate_that_asks_a_server_is_refused(here: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would never end."""
    monkeypatch.setenv("GOBLIN_VERIFY_DEPTH", "1")
    with pytest.raises(CallRefused, match="recursive"):
        call("goblin_verify")


def test_a_static_server_runs_nothing_of_the_repository(here: Repo) -> None:
    """Rows that would are skipped with that reason, and a turn is not measured."""
    limits = Limits(120.0, static=True)
    answer = call("goblin_verify", limits, only="GT-02")
    assert answer.value["skipped"] == 1
    assert "--static" in answer.text
    assert call("goblin_bans", limits).value["failed"] == 0
    with pytest.raises(CallRefused, match="leave check out"):
        call("goblin_loop_record", limits, phase="p", decision="d", why="w", check=True)


def test_a_run_writes_no_runtime_file_and_says_so(here: Repo) -> None:
    """Gates are judged; the row about their line skips with the reason."""
    before = untouched(here)
    answer = call("goblin_verify", only="GT-02,GT-03,GT-05,DS-01,DS-02")
    assert untouched(here) == before
    rows = {row["id"]: row for row in answer.value["rows"]}
    assert rows["GT-02"]["status"] == "PASS"
    assert rows["GT-03"]["status"] == "SKIP"
    assert "gate line not written: this run writes nothing" in rows["GT-03"]["detail"]


def test_what_takes_too_long_or_says_too_much_is_ended(
    here: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the reason, and with what to do about it."""
    os.mkfifo(tmp_path / "fifo")
    config = here.read(".goblin/goblin.yaml").replace(
        "gates:\n", f"gates:\n  - name: waits\n    cmd: 'cat {tmp_path}/fifo'\n", 1
    )
    here.write({".goblin/goblin.yaml": config})
    with pytest.raises(CallRefused, match=r"no end within 0.5 s"):
        call("goblin_verify", Limits(0.5), only="GT-02")
    monkeypatch.setattr(calls, "OUTPUT", 100)
    with pytest.raises(CallRefused, match="ask for less"):
        call("goblin_explain", row="HP-02")


def test_what_a_gate_prints_never_reaches_the_client_as_a_message(here: Repo) -> None:
    """A repository cannot forge progress or a result."""
    forged = '{"progress": 99, "total": 1, "message": "forged"}'
    config = here.read(".goblin/goblin.yaml").replace(
        "gates:\n", "gates:\n  - name: forger\n    cmd: sh checks/forge.sh\n", 1
    )
    script = f"echo '{forged}' | tee /dev/stderr\n"
    here.write({".goblin/goblin.yaml": config, "checks/forge.sh": script})
    told: Told = []
    assert call("goblin_verify", told=told, only="GT-02").value["exit"] == 0
    assert not [step for step in told if step[0] == 99 or "forged" in step[2]]


# --- the others ------------------------------------------------------------------------------------


def test_a_rule_is_explained_also_where_nothing_is_installed(
    here: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the repository's own matrix, else by that of the release."""
    answer = call("goblin_explain", row="HP-02")
    shown = run_cli("goblin-verify", "--explain", "HP-02", cwd=here)
    assert answer.text.strip() == shown.out.strip()
    assert answer.value["id"] == "HP-02"
    assert {"FAIL", "PASS"} <= {control["expect"] for control in answer.value["controls"]}
    with pytest.raises(CallRefused, match=r"unknown row: HP-20 \(did you mean"):
        call("goblin_explain", row="HP-20")
    monkeypatch.chdir(tmp_path)
    assert call("goblin_explain", row="HP-02").value["rule"] == answer.value["rule"]


def test_banned_code_is_named_with_what_to_write_instead(here: Repo) -> None:
    """File and line."""
    here.write({"src/bad.ts": "const a = 1;\nexport const b: any = a;\n"})
    answer = call("goblin_bans")
    (row,) = [row for row in answer.value["rows"] if row["status"] == "FAIL"]
    assert (row["id"], row["findings"][0]["path"], row["findings"][0]["line"]) == ("BN-01", "src/bad.ts", 2)
    assert "        src/bad.ts:2: " in answer.text
    assert call("goblin_bans", only="BN-05").value["rows"][0]["id"] == "BN-05"
    with pytest.raises(CallRefused, match="unknown ban"):
        call("goblin_bans", only="BN-99")


def test_the_map_says_what_was_driven_and_what_still_occurs(here: Repo) -> None:
    """Each entry path is found or absent; what could not be searched is not called absent."""
    assert call("goblin_map_status").value["declared"] is False
    config = here.read(".goblin/goblin.yaml")
    declared = config.replace("feature_map:", "feature_map: docs/map/README.md", 1)
    today = clock.today().isoformat()
    here.write(
        {
            ".goblin/goblin.yaml": declared,
            "docs/map/README.md": MAP,
            "docs/map/greet.md": FEATURE.format(name="greet", token="hello, no_such_token", day=today),
            "docs/map/lost.md": FEATURE.format(name="lost", token="greet(", day="2020-01-01"),
        }
    )
    here.commit("map")
    answer = call("goblin_map_status")
    found = {feature["feature"]: feature for feature in answer.value["features"]}
    assert [entry["state"] for entry in found["greet"]["entry_paths"]] == ["found", "absent"]
    assert found["greet"]["entry_paths"][0]["files"] == ["src/greet.py"]
    assert (found["greet"]["verified"], found["lost"]["verified"]) == (today, "2020-01-01")
    assert answer.meta == answer.value["counts"]
    assert answer.meta is not None
    assert (answer.meta["features"], answer.meta["entry_paths"], answer.meta["found"]) == (2, 3, 2)
    told = " ".join(problem["message"] for problem in answer.value["problems"])
    assert "does not link it" in told
    assert "no occurrence of no_such_token" in told
    here.write({".goblin/goblin.yaml": declared.replace("source_root: .", "source_root: nowhere", 1)})
    answer = call("goblin_map_status")
    states = {e["state"] for feature in answer.value["features"] for e in feature["entry_paths"]}
    assert states == {"not searched"}
    assert "source_root nowhere is no folder" in (answer.value["not_searched"] or "")


def test_the_status_of_an_install_is_told_also_where_there_is_none(
    here: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Class, branch, gates, engine; a broken config is a problem and no refusal."""
    value = call("goblin_init_status").value
    assert (value["installed"], value["class"], value["branch"]) == (True, "A", "main")
    assert value["gates"][0] == "commit"
    assert value["engine"]["source"] == "vendored"
    assert value["engine"]["version"] == value["engine"]["judged_by"]
    assert (value["verify_present"], value["mcp_registered"], value["problem"]) == (True, False, None)
    registration.register(str(here.root))
    here.write({".goblin/goblin.yaml": "class: [\n"})
    value = call("goblin_init_status").value
    assert (value["installed"], value["class"], value["mcp_registered"]) == (True, None, True)
    assert "goblin.yaml:" in (value["problem"] or "")
    monkeypatch.chdir(build_repo({"a": "x"}, tmp_path / "bare").root)
    answer = call("goblin_init_status")
    assert (answer.value["installed"], answer.value["engine"]["source"]) == (False, "package")
    assert "installed: no (goblin-install --target . --class A)" in answer.text


# --- bounds ------------------------------------------------------------------------------------------


def report(rows: int, findings: int, message: str) -> dict[str, object]:
    """A report as `--json` prints it, of failing rows."""
    finding = {"path": "a.py", "line": 1, "column": None, "message": message}
    row = {"status": "FAIL", "detail": message, "remedy": message, "waived": []}
    return {
        "root": "/r", "passed": 0, "failed": rows, "advisory": 0, "skipped": 0, "exit": 1, "notes": [],
        "rows": [{"id": f"XX-{n:02}", **row, "findings": [finding] * findings} for n in range(rows)],
    }  # fmt: skip


@pytest.mark.parametrize("size", [(3, 4), (99, 500), (99, 0)])
def test_a_result_is_bounded_whatever_was_found(size: tuple[int, int]) -> None:
    """Every row is there with its number of findings; places and lines that do not fit are counted."""
    rows, findings = size
    answer = present.report(report(rows, findings, "w" * 5000), "verified", "hint")
    assert len(answer.text.encode()) <= bounds.TEXT
    assert len(json.dumps(answer.value)) <= bounds.VALUE
    assert [row["findings_total"] for row in answer.value["rows"]] == [findings] * rows
    assert ("more line(s)" in answer.text) == (rows > 50)


def test_text_is_cut_by_lines_and_says_how_many_are_left() -> None:
    """A long line is cut too."""
    shown = bounds.text(["x" * 1000, *(f"line {n}" for n in range(100_000))])
    first, *_, last = shown.split("\n")
    assert first == "x" * bounds.LINE + "..."
    left = int(last.split()[2])
    assert last == f"... and {left} more line(s)"
    assert shown.split("\n")[-2] == f"line {100_000 - left - 1}"


def test_each_schema_is_closed_and_each_tool_has_both() -> None:
    """Nothing can be passed that is not described; the value of a result is an object."""
    for tool in offered(allow_record=True).values():
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema["type"] == "object"
        assert tool.name.startswith("goblin_")
    assert schemas.NOTHING["properties"] == {}


# --- registration ------------------------------------------------------------------------------------


def test_the_project_file_is_written_on_request_and_removed_while_it_is_ours(tmp_path: Path) -> None:
    """One entry; a second time nothing changes."""
    target = ("--target", str(tmp_path))
    assert run_cli("goblin-mcp", "--register", *target, cwd=tmp_path).out == "wrote .mcp.json\n"
    path = tmp_path / ".mcp.json"
    assert json.loads(path.read_text()) == {"mcpServers": {"goblin": {"command": "goblin-mcp", "args": []}}}
    assert registration.register(str(tmp_path)) == (True, "unchanged .mcp.json")
    assert registration.unregister(str(tmp_path)) == (True, "removed .mcp.json")
    assert not path.exists()
    assert registration.unregister(str(tmp_path)) == (True, "there is no .mcp.json")


@pytest.mark.parametrize(
    "data",
    ['{"mcpServers": {"other": {"command": "other"}}}', "no json", "[]", '{"mcpServers": 3}', ""],
)
def test_a_file_of_somebodys_own_is_never_touched(
    tmp_path: Path, data: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 1, and what to add by hand."""
    path = tmp_path / ".mcp.json"
    path.write_text(data)
    for option in ("--register", "--unregister"):
        assert mcp.main([option, "--target", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("is not touched") == 2
    assert path.read_text() == data
    assert not registration.is_registered(str(tmp_path))


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    """Neither read nor replaced."""
    outside = tmp_path / "outside.json"
    outside.write_bytes(registration.OURS)
    root = tmp_path / "r"
    root.mkdir()
    (root / ".mcp.json").symlink_to(outside)
    assert not registration.is_registered(str(root))
    assert registration.register(str(root))[0] is False
    assert registration.unregister(str(root))[0] is False
    assert stat.S_ISLNK((root / ".mcp.json").lstat().st_mode)


def test_bad_usage_is_exit_2(capsys: pytest.CaptureFixture[str]) -> None:
    """As everywhere."""
    for words in (
        ("--timeout", "0"),
        ("--timeout", "soon"),
        ("--register", "--unregister"),
        ("--register", "--target", "nowhere"),
        ("--what",),
    ):
        assert mcp.main(list(words)) == 2, words
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("error: ") == 5
