"""Processes that are started without `subprocess`: what they are given, what they say, how they end."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from goblin import child
from goblin.child import Conversation, Ended
from goblin.facts import content
from goblin.git import Git, at
from tests.support import build_repo, hermetic

ECHO = "import sys\nfor line in sys.stdin.buffer: sys.stdout.buffer.write(line.upper()); sys.stdout.flush()"


def run(script: str, stdin: bytes = b"", timeout: float = 60.0) -> Ended:
    """How a Python script ends."""
    argv = [sys.executable, "-I", "-S", "-c", script]
    return child.run(sys.executable, argv, hermetic(), stdin, timeout)


def conversation(script: str, timeout: float = 60.0) -> Conversation:
    """A Python script that can be asked."""
    argv = [sys.executable, "-I", "-S", "-c", script]
    return Conversation(sys.executable, argv, hermetic(), timeout)


def is_gone(pid: int) -> bool:
    """True where no such process is left, not even one that nobody waited for."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_both_outputs_and_the_exit_code_come_back() -> None:
    """Each by itself, and the code as the shell would show it; a signal is negative."""
    script = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(7)"
    assert run(script) == Ended(7, b"out\n", b"err\n")
    assert run("import os; os.kill(os.getpid(), 15)") == Ended(-signal.SIGTERM, b"", b"")


def test_more_than_a_pipe_holds_goes_in_and_out_at_once() -> None:
    """Input, output and errors of a megabyte each: whoever waits for one of them only would hang."""
    script = (
        "import sys\ndata = sys.stdin.buffer\n"
        "while block := data.read(1000):\n"
        "    sys.stderr.buffer.write(block); sys.stdout.buffer.write(block)"
    )
    given = os.urandom(1 << 20)
    assert run(script, given) == Ended(0, given, given)


def test_input_that_nobody_reads_is_no_error() -> None:
    """The program has ended, or has closed its end."""
    assert run("print('enough')", b"x" * (1 << 20)) == Ended(0, b"enough\n", b"")


def test_without_input_there_is_none() -> None:
    """A program that reads finds the end at once, and not what we are given ourselves."""
    assert run("import sys; print(len(sys.stdin.read()))") == Ended(0, b"0\n", b"")


@pytest.mark.parametrize(
    "silent",
    [
        "import time; time.sleep(3600)",
        "import os, time; os.close(1); os.close(2); time.sleep(3600)",
        "import sys, time; sys.stdout.write('half'); sys.stdout.flush(); time.sleep(3600)",
    ],
    ids=["silent", "closed its outputs", "half an answer"],
)
def test_what_does_not_end_in_time_is_ended(silent: str, tmp_path: Path) -> None:
    """And is gone; nothing that it said counts."""
    note = tmp_path / "pid"
    ended = run(f"import os; open({str(note)!r}, 'w').write(str(os.getpid()))\n{silent}", timeout=2.0)
    assert ended == Ended(-signal.SIGKILL, b"", b"", True)
    assert is_gone(int(note.read_text()))


def test_a_program_that_cannot_be_started_leaves_no_descriptor_open() -> None:
    """The caller says what is missing."""
    before = sorted(os.listdir("/dev/fd"))
    with pytest.raises(FileNotFoundError):
        child.run("/nowhere/at/all", ["all"], {})
    with pytest.raises(FileNotFoundError):
        Conversation("/nowhere/at/all", ["all"], {}, 1.0)
    assert sorted(os.listdir("/dev/fd")) == before


def test_signals_that_python_ignores_end_it() -> None:
    """A program that writes to a pipe which nobody reads ends by SIGPIPE, as in a shell."""
    # Python itself ignores SIGPIPE from its start, so another program is asked.
    ended = child.run("/bin/sh", ["sh", "-c", "kill -PIPE $$; echo survived"], {})
    assert (ended.code, ended.out) == (-signal.SIGPIPE, b"")


def test_a_conversation_answers_question_after_question() -> None:
    """Lines and counted bytes, in order; it ends with whoever holds it."""
    talk = conversation(ECHO)
    pid = talk._pid
    talk.ask(b"one\ntwo\n")
    assert (talk.line(), talk.read(2), talk.line()) == (b"ONE\n", b"TW", b"O\n")
    talk.ask(b"three\n")
    assert talk.line() == b"THREE\n"
    del talk
    assert is_gone(pid)


def test_a_conversation_that_ended_says_so() -> None:
    """What it still said is read; then comes the end, and a question is an error."""
    talk = conversation("print('last words', end='')")
    assert talk.line() == b"last words"
    assert talk.line() == b""
    assert talk.read(5) == b""
    with pytest.raises(BrokenPipeError):
        talk.ask(b"x" * (1 << 20))


def test_a_conversation_that_falls_silent_is_ended() -> None:
    """Nobody waits for ever, and nobody reads half an answer afterwards."""
    talk = conversation("import time; time.sleep(3600)", timeout=0.1)
    pid = talk._pid
    with pytest.raises(TimeoutError):
        talk.line()
    assert is_gone(pid)


def test_git_is_asked_through_one_process_until_something_goes_wrong(tmp_path: Path) -> None:
    """Objects and blobs share it; two questions at once get one each; a fork begins its own."""
    repo = build_repo({"a": "1", "b": "2" * 100_000}, tmp_path)
    place = at(str(tmp_path))
    assert place is not None
    git = Git(place)
    first, second = git.objects(["HEAD:a", "HEAD:b", "HEAD:c", ""])[:2]
    assert first is not None
    assert second is not None
    (talk,) = git._idle
    blobs = content.Blobs(git)
    reading = blobs.windows(second[0])
    assert len(next(reading).data) == 100_000
    assert git.objects(["HEAD"])[0][0] == repo.head  # type: ignore[index]
    assert list(reading) == []
    assert len(git._idle) == 2
    assert talk in git._idle
    pid = os.fork()
    if not pid:
        found = git.objects(["HEAD:a"])
        os._exit(0 if found == [first] and git._idle[-1].is_open() and git._idle[-1] is not talk else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    for idle in git._idle:
        os.kill(idle._pid, signal.SIGKILL)
    assert git.objects(["HEAD:a"]) == [first]
    next(blobs.windows(second[0]))  # given up at once: its half-read answer is nobody else's
    assert git.objects(["HEAD:a"]) == [first]


def test_a_question_that_was_begun_is_answered_once(tmp_path: Path) -> None:
    """Whoever asks it takes the answer of the process that runs already; the next asks anew."""
    repo = build_repo({"a": "1"}, tmp_path)
    place = at(str(tmp_path))
    assert place is not None
    git = Git(place)
    git.begin("ls-files", "-z")
    (begun,) = git._begun.values()
    repo.write({"b": "2"}).git("add", "b")
    pid = os.fork()
    if not pid:  # a fork has no claim on what its parent began
        os._exit(0 if git.run("ls-files", "-z") == b"a\0b\0" else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    begun._until = 0.0  # so that the answer is seen to come from it
    assert git.call("ls-files", "-z").code == 124
    assert Git(place).run("ls-files", "-z") == b"a\0b\0"
    ours = Git(place)
    ours.begin("ls-files", "-z")
    (begun,) = ours._begun.values()
    pid = begun._pid
    del begun, ours
    assert is_gone(pid)
