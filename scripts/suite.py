"""Every test of the project, one after the other, and one plain line at the end.

Linters, generated files, pytest and bats each run whatever the others said; a part that failed is
named. The last line is `N passed, N failed` (with `, N skipped` when something was skipped): each
test of pytest and of bats counts as one, and so does each other part. Counts come from JUnit XML and
TAP, never from prose. Exit code 0 when nothing failed, 1 when something did, 2 for a bad argument.

Usage: scripts/test [PART ...], where a part is one of `PARTS`; without one, all of them.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
REPORTS = os.path.join(ROOT, "build", "reports")
LAST_LINE = os.path.join(REPORTS, "last-line.txt")
"""The plain last line again, for a caller that prints something after us, as make does on failure."""
LIMIT = 1500
"""Seconds that one part may take before it is stopped and counted as failed."""

MEMORY = "/dev/shm"  # noqa: S108  (only where it is there, and in a folder of our own)
ROOM = 2 << 30
"""Bytes that must be free in memory before the tests write there: an install asks the disk to keep each
of its files, and waiting for a thousand installs is most of what the suite would take."""

VERIFY = ".goblin/bin/goblin-verify"
"""This repository lives under its own rules, by the release in `.goblin`; OWN rows are its own."""

SHELL = re.compile(rb"#!\s*/\S*?\b(?:env\s+(?:-S\s+)?)?(?:sh|bash|dash|bats)\b")


class Tally(NamedTuple):
    """What a part found: how many passed and were skipped, and the names of those that failed."""

    passed: int = 0
    failed: tuple[str, ...] = ()
    skipped: int = 0

    def plus(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    def line(self) -> str:
        """The plain last line."""
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        return f"{self.passed} passed, {len(self.failed)} failed{skipped}"


class Ended(NamedTuple):
    """How a process ended. `code` is None when the time limit stopped it; `out` holds both streams."""

    code: int | None
    out: str

    def why(self) -> str:
        """The reason in words, for a process that did not do what it should."""
        return f"no end within {LIMIT} s" if self.code is None else f"exit {self.code}"


def run(command: Sequence[str], extra: Mapping[str, str] = {}, *, show: bool = False) -> Ended:
    """Run a command from the project's root without input; with `show`, its output goes to the terminal.

    `extra` are variables of its environment.

    It gets its own process group, so that nothing it started outlives it.
    """
    scripts = os.path.dirname(sys.executable)
    search = os.pathsep.join([scripts, os.environ.get("PATH", os.defpath)])
    env = {**os.environ, "PATH": search, "VENV": sys.prefix, **extra}
    stream = None if show else subprocess.PIPE
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=stream,
        stderr=None if show else subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            out, _ = process.communicate(timeout=LIMIT)
            return Ended(process.returncode, (out or b"").decode("utf-8", "replace"))
        except subprocess.TimeoutExpired:
            return Ended(None, "")
        finally:
            _end_group(process.pid)


@contextlib.contextmanager
def scratch(memory: str = MEMORY, room: int = ROOM) -> Iterator[dict[str, str]]:
    """The environment in which tests keep their files: in memory where there is room, else as it is."""
    try:
        free = shutil.disk_usage(memory).free
        folder = tempfile.mkdtemp(prefix="goblin-tests-", dir=memory) if free >= room else ""
    except OSError:
        folder = ""
    if not folder:
        yield {}
        return
    os.chmod(folder, 0o755)  # noqa: S103  (a test gives up its rights and still reads its files)
    try:
        yield {"TMPDIR": folder}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _end_group(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def shell_files() -> list[str]:
    """Every shell script and bats file of the project, by suffix or by first line, sorted."""
    git = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    command = [*git, "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    names = sorted({os.fsdecode(name) for name in listed.split(b"\0") if name})
    return [name for name in names if _is_shell(name)]


def _is_shell(name: str) -> bool:
    path = os.path.join(ROOT, name)
    if not os.path.isfile(path) or os.path.islink(path):
        return False
    if name.endswith((".sh", ".bash", ".bats")):
        return True
    with open(path, "rb") as file:
        return SHELL.match(file.read(80)) is not None


def from_junit(xml: str, ended: Ended, name: str = "pytest") -> Tally:
    """Count a JUnit report. `xml` is its text, "" when none was written; `name` names the part.

    A process that failed without a failing test (a crash, a collection that broke) is itself one
    failure, so that it cannot hide behind the tests that did run.
    """
    worst: dict[str, int] = {}
    for case in ElementTree.fromstring(xml).iter("testcase") if xml else ():  # noqa: S314 our own report
        label = "::".join(filter(None, (case.get("classname"), case.get("name"))))
        kinds = {child.tag for child in case}
        grade = 2 if kinds & {"failure", "error"} else 1 if "skipped" in kinds else 0
        worst[label] = max(grade, worst.get(label, 0))
    failed = tuple(label for label, grade in worst.items() if grade == 2)
    if not failed and (ended.code != 0 or not worst):
        failed = (f"{name}: {ended.why() if ended.code != 0 else 'no test ran'}",)
    grades = list(worst.values())
    return Tally(grades.count(0), failed, grades.count(1))


def from_tap(text: str, ended: Ended, name: str) -> Tally:
    """Count one TAP stream. `name` is the file that it came from.

    A stream without a plan, or with another number of results than planned, is one more failure.
    """
    results = re.findall(r"^(ok|not ok) \d+ ?(.*)$", text, re.MULTILINE)
    failed = tuple(f"{name}: {title}" for state, title in results if state == "not ok")
    skipped = sum(1 for state, title in results if state == "ok" and re.search(r"# skip\b", title))
    plan = re.search(r"^1\.\.(\d+)", text, re.MULTILINE)
    if plan is None or int(plan[1]) != len(results) or (ended.code != 0 and not failed):
        planned = plan[1] if plan else "no"
        failed += (f"{name}: {ended.why()}, {len(results)} results of {planned} planned",)
    passed = len(results) - skipped - sum(1 for state, _ in results if state == "not ok")
    return Tally(passed, failed, skipped)


def _one(name: str, command: Sequence[str]) -> tuple[Tally, str]:
    """A part that counts as one: what it printed matters only when it failed."""
    ended = run(command)
    if ended.code == 0:
        return Tally(1), f"ok    {name}"
    return Tally(0, (f"{name}: {ended.why()}",)), f"FAIL  {name} ({ended.why()})\n{ended.out.rstrip()}"


def _python(*arguments: str) -> list[str]:
    return [sys.executable, *arguments]


LINTERS: dict[str, Callable[[], list[str]]] = {
    "ruff": lambda: _python("-m", "ruff", "check", "."),
    "format": lambda: _python("-m", "ruff", "format", "--check", "."),
    "mypy": lambda: _python("-m", "mypy"),
    "shellcheck": lambda: ["shellcheck", "--external-sources", *shell_files()],
    "generated": lambda: _python("scripts/generate.py", "--check"),
    "rules": lambda: _python("-I", "-S", VERIFY),
    "rules-prove": lambda: _python("-I", "-S", VERIFY, "--prove", "OWN-01,OWN-02,OWN-03"),
}


def lint(names: Sequence[str]) -> Tally:
    """Run these linters, as many at once as there are processors, and print each in order."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        total = Tally()
        for tally, report in pool.map(lambda name: _one(name, LINTERS[name]()), names):
            print(report, flush=True)
            total = total.plus(tally)
    return total


def pytest() -> Tally:
    """Run pytest on every processor and count its report."""
    report = os.path.join(REPORTS, "pytest.xml")
    if os.path.exists(report):
        os.unlink(report)
    command = _python("-m", "pytest", "-n", "auto", "--dist", "worksteal", f"--junitxml={report}")
    with scratch() as place:
        ended = run(command, place, show=True)
    xml = ""
    if os.path.exists(report):
        with open(report, encoding="utf-8") as file:
            xml = file.read()
    return from_junit(xml, ended)


def bats() -> Tally:
    """Run each bats file, as many at once as there are processors, and count their TAP."""
    folder = os.path.join(ROOT, "tests", "cli")
    files = [f"tests/cli/{name}" for name in sorted(os.listdir(folder)) if name.endswith(".bats")]
    total = Tally()
    with scratch() as place, ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, ended in zip(files, pool.map(lambda name: _bats_file(name, place), files), strict=True):
            tally = from_tap(ended.out, ended, name)
            print(f"{'FAIL' if tally.failed else 'ok  '}  {name} ({tally.line()})", flush=True)
            if tally.failed:
                print(ended.out.rstrip(), flush=True)
            total = total.plus(tally)
    return total if files else Tally(0, ("bats: no test file in tests/cli",))


def _bats_file(name: str, place: dict[str, str]) -> Ended:
    return run(["bats", "--formatter", "tap", name], place)


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


PARTS = (*LINTERS, "pytest", "bats")


def parts(chosen: Sequence[str]) -> Iterator[Callable[[], Tally]]:
    """The work to do for these part names, in the order of `PARTS`."""
    linters = [name for name in LINTERS if name in chosen]
    if linters:
        yield lambda: lint(linters)
    if "pytest" in chosen:
        yield pytest
    if "bats" in chosen:
        yield bats


def main(arguments: Sequence[str]) -> int:
    """Run the parts, name what failed, end with the plain line."""
    unknown = [name for name in arguments if name not in PARTS]
    if unknown:
        print(f"error: no such part: {', '.join(unknown)}; there are: {', '.join(PARTS)}", file=sys.stderr)
        return 2
    os.makedirs(REPORTS, exist_ok=True)
    _write(LAST_LINE, "the suite did not end\n")
    total = Tally()
    for part in parts(arguments or PARTS):
        total = total.plus(part())
    for name in total.failed:
        print(f"failed: {name}")
    _write(LAST_LINE, total.line() + "\n")
    print(total.line(), flush=True)
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
