"""Start hooks: an entry among those of others, which goes again to the byte, and what it tells an agent."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.commands import install, verify
from goblin.emit import Refused, hooks, jsonedit
from goblin.emit.hooks import MARK, VENDORS
from goblin.facts.installed import HOOKS
from tests.emit.driving import Machine, snapshot
from tests.support import ENVIRONMENT, Repo

BESIDE = '{"permissions": {"allow": ["Bash(ls)"]}}'
STANDING = {
    "claude": {
        "nothing": None,
        "empty": "{}",
        "empty, on two lines": "{\n}\n",
        "other settings": f"{BESIDE}\n",
        "tabs": '{\n\t"model": "x",\n\t"hooks": {}\n}',
        "CRLF": '{\r\n    "model": "x"\r\n}\r\n',
        "a byte-order mark": '\ufeff{"a": 1}',
        "another event": '{"hooks": {"Stop": [{"hooks": []}]}}',
        "an empty event": '{"hooks": {"SessionStart": [ ]}}',
        "a hook of theirs": '{"hooks": {"SessionStart": [{"hooks": [{"command": "date"}]}]}}',
    },
    "cursor": {
        "nothing": None,
        "no hooks": '{"version": 1}',
        "a hook of theirs": '{\n  "version": 1,\n  "hooks": {"sessionStart": [{"command": "date"}]}\n}\n',
    },
}
CASES = [(vendor, name) for vendor, cases in STANDING.items() for name in cases]


@pytest.fixture
def installed(machine: Machine) -> Path:
    """The project with the file that a hook runs."""
    launcher = machine.project / ".goblin/bin/goblin-verify"
    launcher.parent.mkdir(parents=True)
    launcher.write_text("import sys\nprint('judged', *sys.argv[1:])\n")
    (machine.project / ".goblin/manifest").mkdir()
    return machine.project


def stand(project: Path, vendor: str, text: str | None) -> Path:
    """The vendor's folder, with a file in it or not."""
    path = project / VENDORS[vendor].file
    path.parent.mkdir()
    if text is not None:
        path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(("vendor", "name"), CASES)
def test_a_hook_among_others_and_back_to_the_byte(
    machine: Machine, installed: Path, vendor: str, name: str
) -> None:
    """It is the last of its event; a second run is a no-op; taken back, every byte is as it was."""
    text = STANDING[vendor][name]
    path = stand(installed, vendor, text)
    before = snapshot(installed)
    done = machine.emit(vendor, "--hooks")
    assert done.code == 0, done.err
    value = json.loads(path.read_text("utf-8-sig"))
    entries = value["hooks"][VENDORS[vendor].event]
    assert entries[-1] == VENDORS[vendor].entry(vendor)
    theirs = json.loads(text.removeprefix("\ufeff")) if text else dict(VENDORS[vendor].base)
    assert {**value, "hooks": None} == {**theirs, "hooks": None}
    assert entries[:-1] == theirs.get("hooks", {}).get(VENDORS[vendor].event, [])
    written = snapshot(installed)
    again = machine.emit(vendor, "--hooks")
    assert again.out == f"unchanged {VENDORS[vendor].file}: the hook is there\n"
    assert snapshot(installed) == written
    assert len((installed / HOOKS).read_text().splitlines()) == 2
    assert machine.emit(vendor, "--hooks", "--undo").code == 0
    assert snapshot(installed) == before


def test_what_the_vendor_runs(machine: Machine, installed: Path) -> None:
    """The command finds the project from any folder, ends with 0 and is silent once the copy is gone."""
    for vendor in VENDORS:
        stand(installed, vendor, None)
        assert machine.emit(vendor, "--hooks").code == 0
    nested = VENDORS["claude"].entry("claude")["hooks"][0]["command"]
    flat = VENDORS["cursor"].entry("cursor")["command"]
    environment = {**ENVIRONMENT, "CLAUDE_PROJECT_DIR": str(installed)}

    def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
        asked = ["bash", "-c", command]
        return subprocess.run(asked, cwd=folder, env=environment, capture_output=True, text=True, check=False)

    below = installed / ".goblin"
    assert run(nested, below).stdout == "judged --hook claude\n"
    assert run(flat, installed).stdout == "judged --hook cursor\n"
    (installed / ".goblin/bin/goblin-verify").write_text("raise SystemExit(3)\n")
    assert run(nested, below).returncode == run(flat, installed).returncode == 0
    (installed / ".goblin/bin/goblin-verify").unlink()
    for done in (run(nested, below), run(flat, installed)):
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_no_folder_is_made(machine: Machine, installed: Path) -> None:
    """Without the vendor's folder nothing is written, which is said, and is no failure."""
    before = snapshot(installed)
    done = machine.emit("claude", "--hooks")
    assert (done.code, done.out) == (0, "no hook: there is no .claude folder here, and none is made for it\n")
    assert snapshot(installed) == before


def test_a_dry_run_writes_nothing(machine: Machine, installed: Path) -> None:
    """It says what would be."""
    stand(installed, "claude", BESIDE)
    before = snapshot(installed)
    assert "updated .claude/settings.json" in machine.emit("claude", "--hooks", "--dry-run").out
    assert snapshot(installed) == before


@pytest.mark.parametrize(
    ("vendor", "text", "told"),
    [
        ("claude", "[]", ".claude/settings.json: the whole is no object"),
        ("claude", '{"a": 1,}', ".claude/settings.json: no plain JSON"),
        ("claude", '{"hooks": {}, "hooks": {}}', "the key 'hooks' stands twice"),
        ("claude", '{"a": NaN}', ".claude/settings.json: NaN is no JSON"),
        ("claude", '{"hooks": []}', '"hooks" is no object'),
        ("claude", '{"hooks": {"SessionStart": {}}}', '"SessionStart" is no list'),
        ("claude", "[" * 100_000, ".claude/settings.json: nested too deep"),
        ("cursor", "{}", '.cursor/hooks.json lacks "version": 1'),
    ],
)
def test_a_file_that_cannot_be_added_to(
    machine: Machine, installed: Path, vendor: str, text: str, told: str
) -> None:
    """Refused with the reason and a remedy, and every byte stays."""
    stand(installed, vendor, text)
    before = snapshot(installed)
    done = machine.emit(vendor, "--hooks")
    assert done.code == 1
    assert told in done.err
    assert "remedy: " in done.err
    assert snapshot(installed) == before


def test_what_is_refused_besides(machine: Machine, installed: Path) -> None:
    """A platform without such a file, a scope that has none, skills beside it, a link out, no install."""
    assert "those that do: claude, cursor" in machine.emit("gemini", "--hooks").err
    assert machine.emit("claude", "--hooks", scope="global").code == 2
    assert machine.emit("claude", "--hooks", "--skills", "core").code == 2
    (machine.home / "settings.json").write_text("{}")
    (installed / ".claude").mkdir()
    (installed / ".claude/settings.json").symlink_to(machine.home / "settings.json")
    assert "symbolic link" in machine.emit("claude", "--hooks").err
    (installed / ".goblin/bin/goblin-verify").unlink()
    assert "goblin-install" in machine.emit("cursor", "--hooks").err


def test_a_hook_that_somebody_edited_stays(machine: Machine, installed: Path) -> None:
    """It is named, by a second run too; the record goes."""
    path = stand(installed, "claude", None)
    machine.emit("claude", "--hooks")
    path.write_text(path.read_text().replace('"timeout": 30', '"timeout": 90'))
    edited = path.read_bytes()
    assert "somebody has edited the hook" in machine.emit("claude", "--hooks").out
    assert "kept .claude/settings.json: somebody has edited the hook there" in (
        machine.emit("claude", "--hooks", "--undo").out
    )
    assert path.read_bytes() == edited
    assert not (installed / HOOKS).exists()


def test_what_others_added_since_stays(machine: Machine, installed: Path) -> None:
    """Only our entry goes, and no file that holds something of others."""
    path = stand(installed, "claude", None)
    machine.emit("claude", "--hooks")
    value = json.loads(path.read_text())
    value["hooks"]["SessionStart"].append({"hooks": [{"type": "command", "command": "date"}]})
    path.write_text(json.dumps(value))
    machine.emit("claude", "--hooks", "--undo")
    assert json.loads(path.read_text())["hooks"] == {
        "SessionStart": [{"hooks": [{"type": "command", "command": "date"}]}]
    }


def test_the_entry_of_another_release_is_replaced(
    machine: Machine, installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One entry and one row are left, and an undo still gives the first bytes back."""
    path = stand(installed, "claude", BESIDE)
    with monkeypatch.context() as older:
        older.setattr(hooks, "SECONDS", 5)
        machine.emit("claude", "--hooks")
    assert machine.emit("claude", "--hooks").out.startswith("updated ")
    assert path.read_text().count(MARK) == 1
    assert len((installed / HOOKS).read_text().splitlines()) == 2
    machine.emit("claude", "--hooks", "--undo")
    assert path.read_text() == BESIDE


def test_a_broken_record_is_named(machine: Machine, installed: Path) -> None:
    """Nothing is taken back on the word of a table that cannot be read."""
    stand(installed, "claude", None)
    (installed / HOOKS).write_text("vendor\tfile\nclaude\tx\n")
    done = machine.emit("claude", "--hooks")
    assert done.code == 1
    assert f"{HOOKS}:1" in done.err


def test_an_uninstall_takes_hooks_out(
    sample: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Also on another machine than the one that added them: the record is in the repository."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(sample.root)
    (sample.root / ".cursor").mkdir()
    sample.write({".claude/settings.json": BESIDE})
    for vendor in VENDORS:
        hooks.carry_out(hooks.add(str(sample.root), vendor))
    assert verify.main(["--only", "IN-02"]) == 0
    assert "hooks.tsv" not in capsys.readouterr().out  # it is no stray file of the install
    assert install.main(["--target", str(sample.root), "--uninstall", "--purge"]) == 0
    assert "took the hook out of .claude/settings.json" in capsys.readouterr().out
    assert sample.read(".claude/settings.json") == BESIDE
    assert not (sample.root / HOOKS).exists()
    assert not (sample.root / ".cursor/hooks.json").exists()


def test_what_an_agent_is_told(
    sample: Repo, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The count, each row that fails with place and remedy, exit 0; or why nothing was judged."""
    monkeypatch.chdir(sample.root)
    verify.main(["--only", "GT-02"])
    capsys.readouterr()
    sample.commit("A later commit", {"later.txt": "1\n"})
    sample.write({"stray.txt": "1\n"})
    assert verify.main(["--hook", "claude"]) == 0
    text = capsys.readouterr().out
    assert "FAIL CM-03: " in text
    assert "  stray.txt: untracked\n" in text
    assert "  remedy: " in text
    assert "Only measured anew, by a run of .goblin/bin/goblin-verify: GT-03" in text
    assert "FAIL GT-03" not in text
    assert verify.main(["--hook", "cursor"]) == 0
    assert json.loads(capsys.readouterr().out) == {"additional_context": text}
    monkeypatch.chdir(tmp_path)
    assert verify.main(["--hook", "claude"]) == 0
    assert capsys.readouterr().out.startswith("goblin-verify could not judge this repository: ")


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.sampled_from(["hooks", "model", "a"]), plain, max_size=3),
    st.sampled_from([None, 0, 2, "\t"]),
    st.sampled_from([b"", b"\xef\xbb\xbf"]),
    st.sampled_from(["", "\n", "\r\n"]),
    st.sampled_from(["[]", "[ ]", "[\n]", "[\n  \n ]"]),
)
def test_any_object_comes_back_to_the_byte(
    value: Any, indent: Any, mark: bytes, end: str, space: str
) -> None:
    """Whatever stands there: refused, or added and taken out without a trace."""
    vendor = VENDORS["claude"]
    text = json.dumps(value, indent=indent).replace("\n", end or "\n").replace("[]", space) + end
    entry = vendor.entry("claude")
    try:
        found, read, held = hooks._standing(vendor, mark + text.encode())
    except Refused:
        return
    assert (found, read) == (mark, text)
    new = hooks._placed(vendor, text, entry)
    wanted = {**value, "hooks": {**value.get("hooks", {}), vendor.event: [*held, entry]}}
    assert jsonedit.read(new) == wanted
    assert text in list(hooks._taken_out(vendor, new, hooks._sha256(entry)))
