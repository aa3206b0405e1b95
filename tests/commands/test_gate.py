"""Every failure of a command becomes an exit code and one message, never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import IO, NamedTuple

import pytest

from goblin.commands.gate import guard
from goblin.manifest import ManifestBroken
from goblin.outcome import CannotRun
from tests.support import PROJECT, hermetic


def raising(error: BaseException) -> int:
    """What `guard` makes of a body that raises this."""

    def body() -> int:
        raise error

    return guard(body)


@pytest.mark.parametrize("code", [0, 1, 2, 3, 130])
def test_a_body_that_returns_decides_the_exit_code(code: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is added to what it printed."""
    assert guard(lambda: print("said") or code) == code
    assert capsys.readouterr() == ("said\n", "")


@pytest.mark.parametrize(
    ("error", "code", "lines"),
    [
        (CannotRun("no install", "install it"), 2, ["error: no install", "remedy: install it"]),
        (CannotRun("no install"), 2, ["error: no install"]),
        (
            ManifestBroken("m.tsv:3: a cell is empty"),
            3,
            [
                "error: the manifest is broken: m.tsv:3: a cell is empty",
                "remedy: git checkout -- .goblin/manifest, or mend the line named",
            ],
        ),
        (KeyboardInterrupt(), 130, ["error: interrupted"]),
        (
            KeyError("x"),
            2,
            [
                "error: internal: KeyError: 'x'",
                "remedy: set GOBLIN_DEBUG=1 to see where, and report it with that output",
            ],
        ),
        (
            PermissionError(13, "Permission denied", "a/b"),
            2,
            [
                "error: internal: PermissionError: [Errno 13] Permission denied: 'a/b'",
                "remedy: set GOBLIN_DEBUG=1 to see where, and report it with that output",
            ],
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_each_kind_of_failure_has_its_code_and_its_words(
    error: BaseException, code: int, lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """What is wrong, and the edit or command that mends it; on standard error alone."""
    assert raising(error) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == lines


def test_a_message_cannot_move_the_cursor_or_break_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Names of a hostile repository reach messages."""
    raising(CannotRun("a\x1b[2Jb\nc\u202ed", "rm \x07x"))
    assert capsys.readouterr().err == "error: a\\x1b[2Jb\\nc\\u202ed\nremedy: rm \\x07x\n"


def test_a_very_long_internal_message_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    """The first 400 characters say enough."""
    raising(ValueError("x" * 10_000))
    assert len(capsys.readouterr().err.splitlines()[0]) < 430


def test_on_error_hears_every_failure_and_no_success() -> None:
    """The JSON report prints what it is told."""
    heard: list[tuple[str, int]] = []

    def body(error: BaseException | None) -> int:
        if error:
            raise error
        return 1

    for error in (None, CannotRun("a", "b"), ManifestBroken("c"), KeyboardInterrupt(), ValueError("d")):
        guard(lambda error=error: body(error), lambda message, code: heard.append((message, code)))  # type: ignore[misc]
    assert heard == [
        ("a", 2),
        ("the manifest is broken: c", 3),
        ("interrupted", 130),
        ("internal: ValueError: d", 2),
    ]


def test_with_goblin_debug_the_failure_itself_comes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever debugs wants the traceback; a refusal stays a refusal."""
    monkeypatch.setenv("GOBLIN_DEBUG", "1")
    with pytest.raises(KeyError):
        raising(KeyError("x"))
    assert raising(CannotRun("a")) == 2


class Ended(NamedTuple):
    """How a process that guards a body ended."""

    code: int
    out: bytes
    err: str


PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from goblin.commands.gate import guard
from goblin.outcome import CannotRun
def body():
    {body}
    return 0
sys.exit(guard(body, {on_error}))
"""


def process(
    body: str,
    *,
    on_error: str = "None",
    redirect: str = "",
    stdout: int | IO[bytes] | None = None,
    **env: str,
) -> Ended:
    """Run a body (one line) in a process; `redirect` is shell text, `stdout` an open file."""
    code = PROGRAM.format(body=body, on_error=on_error)
    argv = [sys.executable, "-c", code, os.path.join(PROJECT, "src")]
    if redirect:
        argv = ["bash", "-c", f'exec "$@" {redirect}', "bash", *argv]
    target = subprocess.PIPE if stdout is None else stdout
    done = subprocess.run(argv, stdout=target, stderr=subprocess.PIPE, env=hermetic(**env), check=False)
    return Ended(done.returncode, done.stdout or b"", done.stderr.decode())


@pytest.mark.parametrize("amount", [1, 1_000_000])
def test_a_reader_that_went_away_is_no_complaint(amount: int) -> None:
    """Nobody reads the pipe: seen while the report is written, or when the rest of it is flushed."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        assert process(f"print('x' * {amount})", stdout=writer) == Ended(2, b"", "")
    finally:
        os.close(writer)


@pytest.mark.parametrize("amount", [1, 1_000_000])
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_said_in_one_line(amount: int) -> None:
    """The report is not there, so the verdict must not pass for one that is."""
    with open("/dev/full", "wb") as full:
        ended = process(f"print('x' * {amount})", stdout=full)
    assert ended == Ended(2, b"", "error: could not write: No space left on device\n")


def test_a_closed_output_leaves_the_exit_code_as_the_answer() -> None:
    """A hook may close what it does not want to read."""
    assert process("print('x')", redirect=">&-") == Ended(0, b"", "")
    assert process("raise CannotRun('no install')", redirect=">&-").err == "error: no install\n"


def test_a_closed_standard_error_sends_no_message_to_the_report() -> None:
    """A message on standard output would be read as the report."""
    assert process("raise CannotRun('no install')", redirect="2>&-") == Ended(2, b"", "")


def test_a_report_about_a_failure_that_nobody_reads_is_no_complaint() -> None:
    """The JSON of an error is output like any other."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ended = process("raise CannotRun('x')", on_error="lambda m, c: print(m)", stdout=writer)
    finally:
        os.close(writer)
    assert ended == Ended(2, b"", "error: x\n")


def test_a_character_that_the_terminal_lacks_is_escaped() -> None:
    """A name in another script ends no run."""
    ended = process("print('caf\u00e9 \u20ac')")
    assert ended.out == "caf\u00e9 \u20ac\n".encode()
    ended = process("print('caf\u00e9')", PYTHONIOENCODING="ascii")
    assert (ended.code, ended.out) == (0, b"caf\\xe9\n")


def test_an_interrupt_ends_with_130() -> None:
    """A real signal, once the body says that it runs."""
    code = PROGRAM.format(body="print('ready', flush=True); sys.stdin.read()", on_error="None")
    argv = [sys.executable, "-c", code, os.path.join(PROJECT, "src")]
    pipe = subprocess.PIPE
    with subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=pipe, env=hermetic()) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
    assert (child.returncode, out, err) == (130, b"", b"error: interrupted\n")
