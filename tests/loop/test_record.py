"""The record of a loop: every file read as it stands, and nothing in it raises."""

from __future__ import annotations

import hashlib
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.loop.decisions import Log
from goblin.loop.record import (
    Budget,
    LoopRecord,
    Measured,
    Pin,
    Predicate,
    Text,
    parse_budget,
    parse_measured,
    parse_pin,
    parse_predicate,
    read,
)
from tests.support import write_files
from tests.support.repo import Files

LOOP = ".goblin/loop"
PREDICATE = "# done when the marker is there\ntest -f marker\n"
DIGEST = hashlib.sha256(PREDICATE.encode()).hexdigest()
OTHER = "b" * 64


def record(root: Path, files: Files) -> LoopRecord:
    """The record that these files make, by their names in it."""
    write_files(root, {f"{LOOP}/{name}": content for name, content in files.items()})
    return read(str(root))


class TestPredicate:
    def test_one_command_between_comments(self) -> None:
        """The digest is of the bytes, comments included."""
        found = parse_predicate(PREDICATE.encode())
        assert (found.command, found.digest, found.faults) == ("test -f marker", DIGEST, ())

    def test_a_mark_and_crlf_change_the_digest_alone(self) -> None:
        """The command is the same; a pin compares bytes."""
        found = parse_predicate(b"\xef\xbb\xbf" + PREDICATE.replace("\n", "\r\n").encode())
        assert found.command == "test -f marker"
        assert found.faults == ()
        assert found.digest != DIGEST

    @pytest.mark.parametrize(
        ("data", "lines"),
        [
            (b"", [0]),
            (b"# a comment\n\n   # another\n", [0]),
            (b"a\nb\nc\n", [2, 3]),
            (b"a \\\n  b\n", [2]),
            (b"caf\xe9\n", [1]),
            (b"a\0b\n", [1]),
        ],
    )
    def test_anything_but_one_command_is_a_fault_with_its_line(self, data: bytes, lines: list[int]) -> None:
        """And no command is given to run."""
        found = parse_predicate(data)
        assert [fault.line for fault in found.faults] == lines
        assert found.command == ""

    def test_a_hash_inside_a_command_is_no_comment(self) -> None:
        """Only a line that starts with one is."""
        assert parse_predicate(b"test x = x # then done\n").command == "test x = x # then done"


class TestPin:
    def test_the_chain_and_the_surface(self) -> None:
        """Hex is folded, comments and blank lines are passed over."""
        chain = f"previous: {OTHER.upper()}\nprevious: {DIGEST}\nsurface: {OTHER}\n"
        text = f"{DIGEST.upper()}\n\n# closed twice\n{chain}"
        found = parse_pin(text.encode())
        assert found[2:] == (DIGEST, (OTHER, DIGEST), OTHER, ())

    @pytest.mark.parametrize(
        ("text", "line", "message"),
        [
            ("", 1, "exactly 64 hex"),
            (f"\n{DIGEST}\n", 1, "exactly 64 hex"),
            (f"# pin\n{DIGEST}\n", 1, "exactly 64 hex"),
            (f"{DIGEST[:-1]}\n", 1, "exactly 64 hex"),
            (f"{DIGEST} \n", 1, "sha256sum"),
            (f"{DIGEST}  predicate\n", 1, "sha256sum"),
            (f"{DIGEST}\n{OTHER}\n", 2, "without `previous: `"),
            (f"{DIGEST}\nprevious:{OTHER}\n", 2, "neither"),
            (f"{DIGEST}\nprevious: {OTHER[1:]}\n", 2, "neither"),
            (f"{DIGEST}\n  previous: {OTHER}\n", 2, "neither"),
            (f"{DIGEST}\nsurface: {OTHER}\nsurface: {OTHER}\n", 3, "second surface"),
        ],
    )
    def test_another_line_is_a_fault(self, text: str, line: int, message: str) -> None:
        """With its number and what is wrong."""
        faults = parse_pin(text.encode()).faults
        assert (line, True) in [(fault.line, message in fault.message) for fault in faults]

    def test_a_mark_and_crlf_are_tolerated(self) -> None:
        """The same pin."""
        text = f"{DIGEST}\nprevious: {OTHER}\n"
        plain = parse_pin(text.encode())
        assert parse_pin(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()) == plain


class TestMeasured:
    @pytest.mark.parametrize("code", ["0", "1", "42", "255"])
    def test_an_exit_and_an_instant(self, code: str) -> None:
        """The last line end may be missing."""
        found = parse_measured(f"exit={code} ts=2026-01-02T02:00:00+02:00".encode())
        assert (found.exit, found.ts, found.faults) == (int(code), datetime(2026, 1, 2, tzinfo=UTC), ())

    def test_a_digest_may_follow(self) -> None:
        """The control names what was printed."""
        found = parse_measured(f"exit=0 ts=2026-01-02T00:00:00Z sha256={DIGEST.upper()}\n".encode())
        assert (found.output, found.faults) == (DIGEST, ())

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "exit=1",
            "exit=1abc ts=2026-01-02T00:00:00Z",
            "exit=-1 ts=2026-01-02T00:00:00Z",
            "exit=256 ts=2026-01-02T00:00:00Z",
            "exit=01 ts=2026-01-02T00:00:00Z",
            "exit=1  ts=2026-01-02T00:00:00Z",
            "exit=1 ts=2026-01-02T00:00:00Z more",
            "exit=1 ts=2026-01-02T00:00:00Z\nexit=1 ts=2026-01-02T00:00:00Z",
            "\nexit=1 ts=2026-01-02T00:00:00Z",
        ],
    )
    def test_another_line_is_a_fault_and_gives_no_exit(self, text: str) -> None:
        """Nothing of it is used."""
        found = parse_measured(text.encode())
        assert found.exit is None
        assert len(found.faults) == 1

    def test_a_time_without_an_offset_is_a_fault(self) -> None:
        """The exit code is still told."""
        found = parse_measured(b"exit=1 ts=2026-01-02T00:00:00\n")
        assert (found.exit, found.ts) == (1, None)
        assert "offset" in found.faults[0].message


class TestBudget:
    @pytest.mark.parametrize("text", ["6", "6\n", " 6 \n", "6\r\n", "\ufeff6\n", "6\n\n"])
    def test_a_plain_positive_number(self, text: str) -> None:
        """Blanks around it, a mark and line ends are no part of it."""
        assert parse_budget(text.encode())[2:] == (6, ())

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "0",
            "-1",
            "+6",
            "20 turns",
            "1e9",
            "020",
            "\u0662\u0660",
            "5.0",
            "3\n4",
            "x",
            "9" * 10_000,
            "1_0",
        ],
        ids=lambda text: ascii(text[:12]),
    )
    def test_anything_else_is_no_budget(self, text: str) -> None:
        """Zero is never `unlimited`."""
        found = parse_budget(text.encode())
        assert found.turns is None
        assert len(found.faults) == 1


class TestRecord:
    def test_a_whole_record(self, tmp_path: Path) -> None:
        """Every file by its name, and the archives in order."""
        found = record(
            tmp_path,
            {
                "predicate": PREDICATE,
                "predicate.sha256": DIGEST + "\n",
                "first-run": "exit=1 ts=2026-01-02T00:00:00Z\n",
                "control": "exit=0 ts=2026-01-02T00:00:00Z\n",
                "budget": "6\n",
                "decisions.tsv": "ts\tphase\tdecision\twhy\tevidence\tresult\n",
                "stuck.md": "\ufeffstuck\n",
                "closed-2026-01-01/predicate": "true\n",
                "closed-2026-01-01/predicate.sha256": OTHER,
                "closed-2026-01-01-2/predicate": "false\n",
            },
        )
        assert found.exists
        assert found.fault == ""
        assert found.predicate.digest == found.pin.digest == DIGEST
        assert (found.first_run.exit, found.control.exit, found.budget.turns) == (1, 0, 6)
        assert found.decisions == found.verdicts == ()
        assert found.log.exists
        assert found.stuck.text == "stuck\n"
        first, second = found.archives
        assert (first.name, first.pin.digest, first.faults) == ("closed-2026-01-01", OTHER, ())
        assert (second.predicate.command, second.pin.exists) == ("false", False)
        assert not found.surface.exists

    def test_no_record_at_all(self, tmp_path: Path) -> None:
        """Everything is absent, and nothing is a fault."""
        found = read(str(tmp_path))
        assert not found.exists
        assert not found.predicate.exists
        assert not found.log.exists
        assert found.archives == ()

    @pytest.mark.parametrize(
        "name", ["closed-", "closed-old", "closed-2026-13-01", "closed-2026-01-01-0", "closed-2026-01-01x"]
    )
    def test_an_archive_without_a_date_is_a_fault(self, tmp_path: Path, name: str) -> None:
        """It is still listed."""
        (archive,) = record(tmp_path, {f"{name}/predicate": "true\n"}).archives
        assert "is not named" in archive.faults[0].message

    def test_a_file_in_the_place_of_an_archive_is_a_fault(self, tmp_path: Path) -> None:
        """And so is a link, which is not entered."""
        found = record(tmp_path, {"closed-2026-01-01": "x", "closed-2026-01-02@": "../../elsewhere"})
        write_files(tmp_path, {"elsewhere/predicate": "true\n"})
        assert [archive.faults[0].message for archive in found.archives] == ["is no folder", "is no folder"]

    @pytest.mark.parametrize("kind", ["file", "link", "pipe", "link above"])
    def test_a_record_that_is_no_folder_is_entered_by_nobody(self, tmp_path: Path, kind: str) -> None:
        """It exists, it has a fault, and it holds nothing."""
        outside = tmp_path / "outside"
        write_files(outside, {"loop/predicate": "true\n"})
        root = tmp_path / "root"
        (root / ".goblin").mkdir(parents=True)
        place = root / LOOP
        if kind == "file":
            place.write_text("x")
        elif kind == "pipe":
            os.mkfifo(place)
        elif kind == "link":
            place.symlink_to(outside / "loop")
        else:
            (root / ".goblin").rmdir()
            (root / ".goblin").symlink_to(outside)
        found = read(str(root))
        assert found.exists
        assert found.fault
        assert not found.predicate.exists
        assert found.archives == ()
        assert not found.log.exists

    @pytest.mark.parametrize(
        "name", ["predicate", "predicate.sha256", "first-run", "budget", "decisions.tsv", "stuck.md"]
    )
    def test_a_pipe_is_not_opened_and_a_link_not_followed(self, tmp_path: Path, name: str) -> None:
        """The file exists and cannot be read, which is a fault with the reason."""
        (tmp_path / LOOP).mkdir(parents=True)
        for make in (os.mkfifo, lambda path: os.symlink("/etc/passwd", path)):
            make(str(tmp_path / LOOP / name))
            found = read(str(tmp_path))
            parts: dict[str, Predicate | Pin | Measured | Budget | Log | Text] = {
                "predicate": found.predicate,
                "predicate.sha256": found.pin,
                "first-run": found.first_run,
                "budget": found.budget,
                "decisions.tsv": found.log,
                "stuck.md": found.stuck,
            }
            part = parts[name]
            assert part.exists
            assert len(part.faults) == 1
            assert part.faults[0].line == 0
            (tmp_path / LOOP / name).unlink()

    def test_a_file_of_gigabytes_is_not_read(self, tmp_path: Path) -> None:
        """A sparse one costs the disk nothing and would cost a reader all."""
        found = record(tmp_path, {"predicate": "", "decisions.tsv": ""})
        for name in ("predicate", "decisions.tsv"):
            os.truncate(tmp_path / LOOP / name, 4 << 30)
        assert "more than the" in found.predicate.faults[0].message
        assert "more than the" in found.log.faults[0].message

    def test_each_file_is_read_once(self, tmp_path: Path) -> None:
        """What a row saw, the next row sees too."""
        found = record(tmp_path, {"budget": "6\n"})
        assert found.budget.turns == 6
        write_files(tmp_path, {f"{LOOP}/budget": "7\n"})
        assert found.budget.turns == 6
        assert read(str(tmp_path)).budget.turns == 7


@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_no_bytes_raise_in_any_file(data: bytes) -> None:
    """Each parser gives what it found, or a fault."""
    predicate = parse_predicate(data)
    assert bool(predicate.command) != bool(predicate.faults)
    pin = parse_pin(data)
    assert bool(pin.digest) or bool(pin.faults)
    assert (parse_budget(data).turns is None) == bool(parse_budget(data).faults)
    measured = parse_measured(data)
    assert (measured.ts is None) == bool(measured.faults)


@given(st.from_regex(r"\A(?:[0-9a-f]{64}\n)?(?:(?:previous|surface): [0-9a-f]{63,65}\n|#.*\n|\n){0,5}\Z"))
def test_every_line_of_a_pin_is_accounted_for(text: str) -> None:
    """It is a digest, a link of the chain, the surface, passed over, or a fault."""
    found = parse_pin(text.encode("utf-8", "surrogatepass"))
    written = [
        line for line in text.split("\n")[1:] if line.rstrip("\r").strip() and not line.startswith("#")
    ]
    assert len(written) <= len(found.previous) + bool(found.surface) + len(found.faults)
