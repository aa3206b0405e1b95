"""Commands that a repository declares: bounded, fed nothing, leaving nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from goblin import child
from goblin.process import KEEP, Completed, environment, run, run_shell
from tests.support import PROJECT
from tests.support.waiting import PROMPT, until

ENDLESS = "sleep 86399"


def alive(pid: int) -> bool:
    """True while a process runs; one that has ended and waits to be collected does not."""
    try:
        state = subprocess.run(
            ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        try:
            stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return False
        return stat != "Z"
    return bool(state.stdout.strip()) and not state.stdout.strip().startswith("Z")


class TestHowItEnds:
    """The exit code is the command's own, and an end that is no answer says so."""

    @pytest.mark.parametrize("code", [0, 1, 2, 77, 125, 128, 255])
    def test_an_exit_code_is_kept_and_is_an_answer(self, tmp_path: Path, code: int) -> None:
        """128 is what git ends with, 255 what a language runtime may: both are answers."""
        done = run_shell(f"echo out; exit {code}", str(tmp_path))
        assert (done.code, done.output, done.could_not_run()) == (code, b"out\n", "")

    def test_a_command_that_does_not_exist(self, tmp_path: Path) -> None:
        """127 from bash, and bash's own words are kept."""
        done = run_shell("no-such-program-here --x", str(tmp_path))
        assert done.code == 127
        assert done.could_not_run() == "could not run: exit 127, command not found"
        assert b"no-such-program-here" in done.output

    @pytest.mark.parametrize("name", ["plain.txt", "folder"])
    def test_a_file_that_cannot_be_executed(self, tmp_path: Path, name: str) -> None:
        """126 for a file without the bit and for a folder; neither passes nor counts as a broken rule."""
        (tmp_path / "plain.txt").write_text("echo ran > ran\n")
        (tmp_path / "folder").mkdir()
        done = run_shell(f"./{name}", str(tmp_path))
        assert (done.code, done.could_not_run()) == (126, "could not run: exit 126, not executable")
        assert not (tmp_path / "ran").exists()

    @pytest.mark.parametrize("name", ["KILL", "TERM", "SEGV", "HUP", "ABRT"])
    def test_death_by_signal(self, tmp_path: Path, name: str) -> None:
        """128+n, and never mistaken for an answer."""
        number = getattr(signal, f"SIG{name}").value
        done = run_shell(f"kill -{name} $$", str(tmp_path))
        assert (done.code, done.signalled) == (128 + number, number)
        assert done.could_not_run() == f"could not run: ended by signal {number}"

    def test_death_by_signal_of_a_program_under_the_shell(self, tmp_path: Path) -> None:
        """Bash lives on and reports 128+n as its own exit code: no answer either."""
        done = run_shell("sh -c 'kill -9 $$'; exit $?", str(tmp_path))
        assert (done.code, done.signalled) == (137, 0)
        assert done.could_not_run() == "could not run: exit 137, as a shell reports signal 9"

    def test_a_program_that_is_not_there(self, tmp_path: Path) -> None:
        """An argument list gives 127 too, and names the program."""
        done = run([str(tmp_path / "gone"), "x"], str(tmp_path))
        assert done.code == 127
        assert b"gone" in done.output

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        """A missing working folder is no answer, and raises nothing."""
        done = run_shell("true", str(tmp_path / "gone"))
        assert done.could_not_run()
        assert b"gone" in done.output

    @pytest.mark.parametrize("command", ["true\0", "x" * 300_000])
    def test_a_command_that_the_system_refuses(self, tmp_path: Path, command: str) -> None:
        """A NUL and a line longer than the system takes: 126, and no exception."""
        done = run_shell(command, str(tmp_path))
        assert done.code == 126
        assert done.could_not_run()

    def test_the_code_counts_even_when_the_caller_ignored_its_children(self, tmp_path: Path) -> None:
        """Under an inherited "ignore SIGCHLD" the system forgets exit codes, and `false` would read as 0."""
        probe = f"""
import sys
sys.path.insert(0, {str(PROJECT / "src")!r})
from goblin.process import run_shell
print(run_shell("exit 3", {str(tmp_path)!r}).code)
"""
        ignoring = """
import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])
"""
        done = subprocess.run(
            [sys.executable, "-c", ignoring, sys.executable, "-I", "-c", probe],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout == "3\n", done.stderr


class TestTime:
    """A limit holds whatever the command does."""

    @pytest.mark.parametrize(
        "command",
        [
            ENDLESS,
            f"trap '' TERM INT HUP; {ENDLESS}",
            f"exec >&- 2>&-; {ENDLESS}",
            "while :; do :; done",
            "kill -STOP $$",
            f"({ENDLESS}) & ({ENDLESS}) & wait",
        ],
        ids=["sleeps", "ignores signals", "closed its output", "spins", "stopped itself", "waits for others"],
    )
    def test_it_is_124_and_no_answer(self, tmp_path: Path, command: str) -> None:
        """Every way of not ending ends at the limit, with what was printed before it."""
        done = run_shell(f"echo before; {command}", str(tmp_path), timeout=0.5)
        assert (done.code, done.timed_out, done.signalled) == (124, True, 0)
        assert done.could_not_run() == "could not run: no end within 0.5 s"
        assert done.output.startswith(b"before\n")
        assert done.seconds < PROMPT

    def test_endless_output_does_not_outrun_the_limit(self, tmp_path: Path) -> None:
        """A stream that is always ready to be read must not starve the clock, nor fill the memory."""
        done = run_shell("yes flood", str(tmp_path), timeout=0.5)
        assert done.code == 124
        assert done.seconds < PROMPT
        assert len(done.output) < 3 * KEEP
        assert done.dropped > 0

    def test_a_limit_of_years_is_no_error(self, tmp_path: Path) -> None:
        """One wait may not be longer than the system call takes; the limit may."""
        assert run_shell("echo 1", str(tmp_path), timeout=1e12).output == b"1\n"

    def test_an_exit_124_of_its_own_is_an_answer(self, tmp_path: Path) -> None:
        """Only the limit makes a time-out, not the number."""
        done = run_shell("exit 124", str(tmp_path))
        assert (done.code, done.timed_out, done.could_not_run()) == (124, False, "")


class TestNothingIsLeft:
    """The end of the command is the end of the run and of everything in its process group."""

    def test_a_background_child_that_holds_the_output_does_not_hold_the_run(self, tmp_path: Path) -> None:
        """The run ends with the shell, promptly, and the child is gone."""
        done = run_shell(f"{ENDLESS} & echo $! > pid; echo said", str(tmp_path), timeout=600)
        assert (done.code, done.output) == (0, b"said\n")
        assert done.seconds < PROMPT
        pid = int((tmp_path / "pid").read_text())
        assert until(lambda: not alive(pid))

    def test_a_time_out_takes_the_whole_group(self, tmp_path: Path) -> None:
        """Children and grandchildren go with the command."""
        command = f"(bash -c '{ENDLESS} & echo $! > deep; wait') & echo $! > child; wait"
        done = run_shell(command, str(tmp_path), timeout=1)
        assert done.timed_out
        for name in ("child", "deep"):
            pid = int((tmp_path / name).read_text())
            assert until(lambda pid=pid: not alive(pid)), name  # type: ignore[misc]

    def test_a_child_with_a_session_of_its_own_does_not_hold_the_run_either(self, tmp_path: Path) -> None:
        """It cannot be found by its group, but its hold on the output delays nobody."""
        command = f"setsid {ENDLESS} & echo $! > pid; echo said"
        done = run_shell(command, str(tmp_path), timeout=600)
        pid = int((tmp_path / "pid").read_text())
        try:
            assert (done.code, done.output) == (0, b"said\n")
            assert done.seconds < PROMPT
        finally:
            subprocess.run(["kill", "-9", str(pid)], capture_output=True, check=False)

    def test_output_written_just_before_the_end_is_all_there(self, tmp_path: Path) -> None:
        """The end of the process does not cut off what still stands in the pipe."""
        for _ in range(20):
            done = run_shell("printf '%05d\\n' {1..5000}", str(tmp_path))
            assert done.output.endswith(b"05000\n")
            assert len(done.output) == 30_000

    def test_no_descriptor_is_left_open(self, tmp_path: Path) -> None:
        """Neither after a good end, nor a time-out, nor a program that cannot be started."""
        run_shell("true", str(tmp_path))
        before = len(os.listdir("/dev/fd"))
        run_shell("echo 1", str(tmp_path))
        run_shell("echo 1 >&2", str(tmp_path), apart=True)
        run_shell(ENDLESS, str(tmp_path), timeout=0.1)
        run(["no-such-program-here"], str(tmp_path))
        run_shell("\0", str(tmp_path))
        assert len(os.listdir("/dev/fd")) == before

    @pytest.mark.parametrize(("name", "code"), [("INT", 130), ("TERM", 143), ("HUP", 129)])
    def test_a_signal_that_ends_the_verifier_takes_the_command_with_it(
        self, tmp_path: Path, name: str, code: int
    ) -> None:
        """Ctrl-C, a cancelled job and a closed terminal reach a command that has a session of its own."""
        os.mkfifo(tmp_path / "ready")
        probe = f"""
import sys
sys.path.insert(0, {str(PROJECT / "src")!r})
from goblin.process import run_shell
try:
    run_shell("echo $$ > pid; echo > ready; {ENDLESS}", {str(tmp_path)!r})
except KeyboardInterrupt:
    sys.exit(130)
"""
        child = subprocess.Popen([sys.executable, "-I", "-c", probe])
        with open(tmp_path / "ready") as ready:
            ready.read()
        pid = int((tmp_path / "pid").read_text())
        assert alive(pid)
        child.send_signal(getattr(signal, f"SIG{name}"))
        assert child.wait(PROMPT) == code
        assert until(lambda: not alive(pid))


class TestInput:
    """A command is fed nothing."""

    def test_standard_input_is_at_its_end(self, tmp_path: Path) -> None:
        """`cat` sees nothing and ends; whatever the caller's own input holds stays there."""
        probe = f"""
import sys
sys.path.insert(0, {str(PROJECT / "src")!r})
from goblin.process import run_shell
done = run_shell("cat; echo done", {str(tmp_path)!r}, timeout=60)
print(done.code, done.output, sys.stdin.read())
"""
        done = subprocess.run(
            [sys.executable, "-I", "-c", probe],
            input="secret input",
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout == "0 b'done\\n' secret input\n", done.stderr

    def test_there_is_no_terminal_to_ask(self, tmp_path: Path) -> None:
        """A program that opens the terminal for a password fails instead of waiting."""
        done = run_shell("read -r line < /dev/tty", str(tmp_path), timeout=60)
        assert done.code == 1

    def test_metacharacters_of_an_argument_list_are_text(self, tmp_path: Path) -> None:
        """Only `run_shell` knows a shell."""
        done = run(["printf", "%s|", "$(touch PWNED)", "; touch PWNED", "*"], str(tmp_path))
        assert done.output == b"$(touch PWNED)|; touch PWNED|*|"
        assert os.listdir(tmp_path) == []


class TestOutput:
    """Both streams, in order, in bounded memory."""

    def test_both_streams_together_in_order(self, tmp_path: Path) -> None:
        """What a terminal would have shown."""
        done = run_shell("echo 1; echo 2 >&2; echo 3", str(tmp_path))
        assert (done.output, done.errors) == (b"1\n2\n3\n", b"")

    def test_both_streams_apart(self, tmp_path: Path) -> None:
        """For a command whose standard output is a value."""
        done = run_shell("echo 1; echo warning >&2; echo 3; exit 5", str(tmp_path), apart=True)
        assert (done.code, done.output, done.errors) == (5, b"1\n3\n", b"warning\n")

    def test_a_flood_on_both_streams_apart(self, tmp_path: Path) -> None:
        """Neither pipe fills up while the other is read."""
        done = run_shell(
            "yes out | head -c 3000000; yes err | head -c 3000000 >&2", str(tmp_path), apart=True
        )
        assert done.code == 0
        assert done.output.startswith(b"out\n")
        assert done.errors.endswith(b"err\n")
        assert len(done.output) + len(done.errors) < 5 * KEEP

    def test_of_a_long_output_both_ends_are_kept_and_the_rest_is_counted(self, tmp_path: Path) -> None:
        """The first and the last line stand, and one line between says how many bytes are missing."""
        done = run_shell("echo FIRST; yes 0123456789 | head -n 100000; echo LAST", str(tmp_path))
        assert done.output.startswith(b"FIRST\n0123456789\n")
        assert done.output.endswith(b"0123456789\nLAST\n")
        note = f"\n[... {done.dropped} bytes left out ...]\n".encode()
        assert note in done.output
        assert len(done.output) - len(note) + done.dropped == len("FIRST\n") + 1_100_000 + len("LAST\n")

    @pytest.mark.parametrize("size", [2 * KEEP - 1, 2 * KEEP])
    def test_what_fits_is_kept_whole(self, tmp_path: Path, size: int) -> None:
        """Nothing is cut up to the limit itself."""
        done = run_shell(f"yes word | head -c {size}", str(tmp_path))
        assert (len(done.output), done.dropped) == (size, 0)
        assert done.output == (b"word\n" * size)[:size]

    @pytest.mark.parametrize("offset", range(-45, 46, 3))
    def test_no_half_of_a_credential_stands_where_output_was_cut(self, tmp_path: Path, offset: int) -> None:
        """Masking knows whole credentials only, so a word that the cut would halve is left out whole."""
        token = "ghp_" + "Qz7" * 12
        (tmp_path / "out").write_text(
            "x" * 1000
            + " " * (KEEP - 1020 + offset)
            + f" {token} "
            + "y\n" * KEEP
            + f"{token} "
            + "z\n" * (KEEP // 2)
        )
        for shift in range(3):
            with (tmp_path / "out").open("a") as file:
                file.write("z" * shift)
            done = run_shell("cat out", str(tmp_path))
            assert done.dropped
            pieces = done.output.replace(token.encode(), b"")
            assert b"Qz7" not in pieces

    def test_one_line_without_end_loses_its_cut_edges_too(self, tmp_path: Path) -> None:
        """Where no blank marks the end of a word, as much is left out as any credential is long."""
        done = run_shell("head -c 1000000 /dev/zero | tr '\\0' x", str(tmp_path))
        assert done.output.startswith(b"x" * (KEEP - 300))
        assert done.dropped > 1_000_000 - 2 * KEEP


class TestEnvironment:
    """A command sees the caller's environment, but for what would answer for another repository."""

    def test_no_git_variable_reaches_a_command(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Inside a git hook these name another repository, another index or other settings."""
        for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_CONFIG_PARAMETERS"):
            monkeypatch.setenv(name, "/elsewhere")
        monkeypatch.setenv("MINE", "kept")
        assert run_shell("env | grep ^GIT_; echo $MINE", str(tmp_path)).output == b"kept\n"

    def test_the_verifier_inside_a_command_knows_that_it_is_inside(self) -> None:
        """The depth is set for children, whatever it was, and more may be added."""
        assert environment()["GOBLIN_VERIFY_DEPTH"] == "1"
        assert environment({"A": "b"})["A"] == "b"
        assert "A" not in os.environ

    def test_an_environment_given_is_the_whole_environment(self, tmp_path: Path) -> None:
        """Nothing is added to it."""
        done = run(
            [sys.executable, "-I", "-c", "import os; print(sorted(os.environ))"], str(tmp_path), {"A": "b"}
        )
        assert b"GOBLIN" not in done.output
        assert b"'A'" in done.output


def test_runs_in_threads_do_not_mix(tmp_path: Path) -> None:
    """Rows may run side by side: each gets its own output and its own code."""
    results: dict[int, Completed] = {}

    def one(number: int) -> None:
        results[number] = run_shell(f"echo {number}; exit {number}", str(tmp_path))

    threads = [threading.Thread(target=one, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {n: (done.code, done.output) for n, done in results.items()} == {
        n: (n, f"{n}\n".encode()) for n in range(8)
    }


def test_a_lost_exit_code_is_no_success(tmp_path: Path) -> None:
    """Where children are ignored and that cannot be changed, nobody knows how the command ended."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    results: list[Completed] = []
    try:
        other = threading.Thread(target=lambda: results.append(run_shell("exit 0", str(tmp_path))))
        other.start()
        other.join()
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert results[0].could_not_run()
    assert b"exit code is lost" in results[0].output


def test_ignored_children_are_heeded_where_that_is_possible() -> None:
    """In the main thread the default comes back; elsewhere nothing is raised."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        other = threading.Thread(target=child.heed_children)
        other.start()
        other.join()
        assert signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN
        child.heed_children()
        assert signal.getsignal(signal.SIGCHLD) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGCHLD, before)
