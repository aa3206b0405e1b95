"""The repositories that are measured: made anew each time, with goblin installed and committed.

Run as a process of its own (`python -m benchmarks.samples FOLDER FILES [TURNS]`): a process that is started
counts the memory of the one that started it, so the one that measures must stay small.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta

ENVIRONMENT: Mapping[str, str] = {
    "PATH": os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)]),
    "HOME": os.devnull,
    "LC_ALL": "C.UTF-8",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "Sample Author",
    "GIT_AUTHOR_EMAIL": "author@example.invalid",
    "GIT_COMMITTER_NAME": "Sample Author",
    "GIT_COMMITTER_EMAIL": "author@example.invalid",
}
"""The environment of every process that is measured, and of those that make the samples."""

SUFFIXES = ("ts", "py", "md", "json", "css")


def run(folder: str, *command: str, stdin: bytes = b"", codes: tuple[int, ...] = (0,)) -> None:
    """Run a command in a folder, its output thrown away; raises `CalledProcessError` for another code."""
    done = subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, input=stdin, stdout=subprocess.DEVNULL, check=False
    )
    if done.returncode not in codes:
        raise subprocess.CalledProcessError(done.returncode, command)


def _stream(count: int) -> Iterator[bytes]:
    """A git fast-import stream of one commit that holds `count` small text files."""
    yield b"commit refs/heads/main\ncommitter Sample Author <author@example.invalid> 1767323045 +0000\n"
    yield b"data 5\nStart\n"
    for number in range(count):
        suffix = SUFFIXES[number % len(SUFFIXES)]
        text = (
            f"// file {number}\n".encode() + b"a line of ordinary text, sixty bytes long or nearly so\n" * 8
        )
        path = f"src/part{number % 50:02}/unit{number // 50 % 40:02}/file{number}.{suffix}"
        yield f"M 100644 inline {path}\ndata {len(text)}\n".encode() + text
    yield b"done\n"


def make(folder: str, files: int) -> None:
    """A class-A repository of about `files` files at `folder`, installed and committed."""
    os.makedirs(folder)
    run(folder, "git", "init", "--quiet", "--initial-branch=main")
    run(folder, "git", "fast-import", "--quiet", "--done", stdin=b"".join(_stream(files)))
    run(folder, "git", "reset", "--quiet", "--hard")
    run(folder, "goblin-install", "--target", ".", "--class", "A")
    _open_loop(folder, turns=3)
    run(folder, "git", "add", "--all")
    run(folder, "git", "commit", "--quiet", "--message", "Install goblin")
    _open_loop(folder, turns=0)
    run(folder, "git", "add", "--all")
    run(folder, "git", "commit", "--quiet", "--message", "Open another loop")
    run(folder, "git", "gc", "--quiet")
    run(folder, "goblin-verify")  # leaves the gate line that a later --static run looks for


def many_turns(folder: str, turns: int) -> None:
    """Give the open loop of a sample so many turns, each on evidence of its own that resolves."""
    start = datetime.now(UTC) - timedelta(days=2)
    with open(os.path.join(folder, ".goblin", "loop", "first-run"), "w", encoding="utf-8") as file:
        file.write(f"exit=1 ts={start:%Y-%m-%dT%H:%M:%SZ}\n")
    with open(os.path.join(folder, ".goblin", "loop", "decisions.tsv"), "a", encoding="utf-8") as file:
        for number in range(turns):
            at = start + timedelta(milliseconds=1500 * number)
            path = f"src/part{number % 20:02}/unit00/file{number % 20}.{SUFFIXES[number % len(SUFFIXES)]}"
            file.write(
                f"{at:%Y-%m-%dT%H:%M:%SZ}\tcheck\tverdict:continue\tturn {number} of many\t"
                f"file:{path}, cmd:turn {number}\tpredicate:red\n"
            )


def _open_loop(folder: str, turns: int) -> None:
    """A loop with some turns behind it; one that stands here is closed, and chained to the new one."""
    mutate = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src/goblin/mutate.py")
    run(folder, sys.executable, "-I", "-S", mutate, "loop_record", str(turns))


if __name__ == "__main__":
    make(sys.argv[1], int(sys.argv[2]))
    many_turns(sys.argv[1], int(sys.argv[3])) if sys.argv[3:] else None
