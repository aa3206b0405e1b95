#!/usr/bin/env -S python3 -I -S
"""drift-audit: name every repository whose record no longer equals its files (playbook P14, spec PR-05).

It runs each repository's own verifier with `--json --only IN-02,HP-05`. Clean is silent. With drift it
prints one line a finding and, with --cards, files one card a repository; it repairs nothing, and its
only writes are the card and one line in the state file.

exit 0: clean, stopped by `enabled: false`, or capped; 1: drift; 2: could not run
"""

import argparse
import glob
import hashlib
import json
import os
import re
import shlex
import stat
import sys

if not (sys.flags.isolated and sys.flags.no_site):  # run as `python3 FILE`: only this engine counts
    os.execv(sys.executable, [sys.executable, "-I", "-S", os.path.realpath(__file__), *sys.argv[1:]])  # noqa: S606

ENGINE = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "engine")
sys.path += [ENGINE, os.path.join(ENGINE, "_vendor")]
sys.pycache_prefix = os.path.join(os.devnull, "goblin")  # no bytecode beside the source is read
sys.dont_write_bytecode = True

from goblin import clock, git, process  # noqa: E402
from goblin.board import BoardError, Card, file_card  # noqa: E402
from goblin.redact import clean  # noqa: E402

SUMMARY = "Name every repository whose record no longer equals its files."
ROWS = ("IN-02", "HP-05")
CONFIG = ".goblin/goblin.yaml"
VERIFIER = ".goblin/bin/goblin-verify"
TIMEOUT = 600.0
STATE_LIMIT = 1 << 20
ON = ("true", "yes", "on", "1")


class CannotRun(Exception):
    """Nothing can be audited; the message says what to do."""


class Skipped(Exception):
    """A folder that is not audited; the message is the reason."""


def main(argv):
    options = parse(argv)
    try:
        return audit(options)
    except CannotRun as error:
        print(f"error: {clean(str(error))}", file=sys.stderr)
        return 2


def parse(argv):
    parser = argparse.ArgumentParser(prog="drift-audit", description=SUMMARY, allow_abbrev=False)
    parser.add_argument(
        "--root", action="append", metavar="GLOB", help="folders to audit; else $GOBLIN_ROOTS"
    )
    parser.add_argument(
        "--state", metavar="FILE", help="kill switch and run lines; default in $XDG_STATE_HOME"
    )
    parser.add_argument("--limit", type=int, default=5, metavar="N", help="runs with drift a UTC day (5)")
    parser.add_argument("--dry-run", action="store_true", help="print, file no card, write no run line")
    parser.add_argument("--cards", action="store_true", help="file one card for each drifting repository")
    options = parser.parse_args(argv)
    if options.limit < 0:
        parser.error("--limit is 0 or more")
    return options


def audit(options):
    state = State(options.state or default_state())
    if not state.enabled:
        print(f"stopped: {clean(state.path)} holds enabled: false", file=sys.stderr)
        return 0
    today = clock.today().isoformat()  # a day is a UTC day
    runs, unfiled = state.count("run", today), state.count("failed", today)
    if runs >= options.limit:
        print(f"# capped: {runs} of {options.limit} runs with drift today ({today} UTC), nothing audited")
        return 0

    audited, drifting, skipped = [], [], []
    for folder in folders(options.root or environment_roots()):
        try:
            findings = judged(folder)
        except Skipped as reason:
            skipped.append((folder, str(reason)))
            continue
        audited.append(folder)
        if findings:
            drifting.append((folder, findings))
    if not drifting:
        broken = [item for item in skipped if item[1] != "nothing installed"]
        if broken and not audited:
            print(f"note: no repository could be audited: {named(broken)}", file=sys.stderr)
        return 0

    for folder, findings in drifting:
        for row, _ in findings:
            print("\t".join(map(clean, (folder, row, command(folder, row)))))
    print(
        f"# coverage: {len(audited)} target(s) audited by glob, {len(drifting)} drifting, "
        f"skipped: {named(skipped)}"
    )
    failed = 0
    if options.cards and not options.dry_run:
        failed = sum(not filed(card(*item), item[0]) for item in drifting)
    if not options.dry_run:
        runs, unfiled = runs + 1, unfiled + bool(failed)
        state.add(f"run: {today}", *([f"failed: {today}"] if failed else []))
    tail = f", {unfiled} could not file a card" if unfiled else ""
    print(f"# run: {runs} of {options.limit} today{tail}")
    return 1


def named(skipped):
    return ", ".join(f"{clean(folder)} ({reason})" for folder, reason in skipped) or "none"


def command(folder, row):
    return shlex.join([os.path.join(folder, VERIFIER), "--target", folder, "--only", row])


# --- which folders ---------------------------------------------------------------------------------


def environment_roots():
    roots = [root for root in os.environ.get("GOBLIN_ROOTS", "").split(os.pathsep) if root]
    if not roots:
        raise CannotRun("which repositories? give --root '<glob>', or set GOBLIN_ROOTS")
    return roots


def folders(roots):
    """Every folder that the globs find, once each, in order. One that only holds others is opened."""
    found = {}
    for root in roots:
        matches = [os.path.abspath(m) for m in glob.glob(os.path.expanduser(root)) if os.path.isdir(m)]
        for match in sorted(matches):
            for folder in opened(match):
                found.setdefault(os.path.realpath(folder), folder)
    if not found:
        raise CannotRun(f"no folder matches {' '.join(roots)}")
    return list(found.values())


def opened(folder):
    if any(os.path.lexists(os.path.join(folder, name)) for name in (".git", ".goblin")):
        return [folder]
    inside = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if not name.startswith(".")]
    return [path for path in inside if os.path.isdir(path)] or [folder]


# --- one repository --------------------------------------------------------------------------------


def judged(folder):
    """The rows that are red in one repository, as (row, what it says)."""
    if not regular(os.path.join(folder, CONFIG)):
        raise Skipped("nothing installed")
    if not regular(os.path.join(folder, VERIFIER)):
        raise Skipped("no-verifier")
    done = verify(folder, ",".join(ROWS))
    if done.code == 0:
        return []
    if not done.dropped:
        return [(row, text) for row, text in red(done.output) if row in ROWS] or unread()
    # More findings than are kept: the exit code of each row says as much.
    return [(row, "") for row in ROWS if verify(folder, row).code == 1] or unread()


def verify(folder, rows):
    environment = process.environment()
    del environment["GOBLIN_VERIFY_DEPTH"]  # this is no gate of that repository
    argv = [sys.executable, "-I", "-S", os.path.join(folder, VERIFIER), "--target", folder]
    done = process.run(
        [*argv, "--json", "--no-cache", "--only", rows], folder, environment, TIMEOUT, apart=True
    )
    if done.code not in (0, 1):
        raise Skipped(f"verify-exit-{done.code}")
    return done


def red(output):
    try:
        rows = json.loads(output)["rows"]
        return [(row["id"], str(row["detail"])) for row in rows if row["status"] == "FAIL"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise Skipped("verify-unreadable") from error


def unread():
    raise Skipped("verify-unreadable")


def regular(path):
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


# --- one card --------------------------------------------------------------------------------------


def card(folder, findings):
    name = os.path.basename(folder)
    rows = "+".join(sorted(row for row, _ in findings))
    told = "\n".join(f"{row}: {clean(text)[:400]}\n    {command(folder, row)}" for row, text in findings)
    return Card(
        title=f"drift {name}: {rows}",
        key=f"drift:{identity(folder)}:{rows}",
        max_runtime=1800,
        max_retries=1,
        assignee="architect",
        skill="goblin-drift-audit",
        body=f"repository: {clean(folder)}\n{told}\n",
    )


def identity(folder):
    """What one project is called wherever it lies: its remote, else its first commit, else its path."""
    repo = git.at(folder)
    text = os.path.realpath(folder)
    if repo is not None:
        ask = git.Git(repo)
        remote = ask.call("config", "--get", "remote.origin.url").out.decode("utf-8", "replace").strip()
        roots = sorted(ask.call("rev-list", "--max-parents=0", "HEAD").out.decode("ascii", "replace").split())
        text = without_login(remote) or next(iter(roots), text)
    return hashlib.sha256(os.fsencode(text)).hexdigest()[:12]


def without_login(remote):
    return re.sub(r"^([a-z+]+://)[^/@]*@", r"\1", remote).rstrip("/").removesuffix(".git")


def filed(item, folder):
    try:
        file_card(item, os.environ, folder)
    except BoardError as error:
        print(f"note: no card for {clean(folder)}: {error}", file=sys.stderr)
        return False
    return True


# --- the state file --------------------------------------------------------------------------------


def default_state():
    home = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(home, "goblin", "drift-audit")


class State:
    """Lines of `key: value`: `enabled: false` stops every run, `run: <date>` is one run with drift."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.lines = [self.pair(line) for line in self.read().split("\n")]
        given = [value for key, value in self.lines if key == "enabled"]
        self.enabled = all(value.lower() in ON for value in given)  # what is not plainly on is off

    def read(self):
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except (FileNotFoundError, NotADirectoryError):
            return ""
        except OSError as error:
            raise CannotRun(f"{self.path}: {error.strerror}") from error
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise CannotRun(f"{self.path}: not a regular file")
        with open(descriptor, "rb") as stream:
            data = stream.read(STATE_LIMIT + 1)
        if len(data) > STATE_LIMIT:
            raise CannotRun(f"{self.path}: more than {STATE_LIMIT} bytes; delete its old run lines")
        return data.decode("utf-8", "replace").removeprefix("\ufeff")

    @staticmethod
    def pair(line):
        key, _, value = line.partition(":")
        return key.strip().lower(), value.partition(" #")[0].strip().strip("'\"").strip()

    def count(self, key, value):
        return self.lines.count((key, value))

    def add(self, *lines):
        """Append in one write, so that two runs at once lose nothing of each other."""
        try:
            os.makedirs(os.path.dirname(self.path), exist_ok=True)
            descriptor = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
            with open(descriptor, "r+b", buffering=0) as stream:
                size = os.fstat(descriptor).st_size
                ended = not size or os.pread(descriptor, 1, size - 1) == b"\n"
                stream.write(
                    ("" if ended else "\n").encode() + "".join(f"{line}\n" for line in lines).encode()
                )
                os.fsync(descriptor)
        except OSError as error:
            raise CannotRun(f"{self.path}: {error.strerror}; the run is not counted") from error


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
