"""The edits that a control makes in a scratch copy, as commands of a shell prelude.

Run as a script (`python3 -I -S mutate.py VERB ...`), or in the proof's own process where a control
begins with them (`split`); every verb fails loudly when it changes nothing, so that a control cannot
pass because its mutation missed. docs/rules.md lists them.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Callable, Sequence
from datetime import UTC
from functools import lru_cache

PRELUDE = r"""
set -e
_edit() { "$GOBLIN_PYTHON" -I -S -B "$GOBLIN_MUTATE" "$@"; }
swap() { _edit swap "$@"; }
append() { _edit append "$@"; }
write() { _edit write "$@"; }
setkey() { _edit setkey "$@"; }
setcell() { _edit setcell "$@"; }
slug() { _edit slug "$@"; }
loop_record() { _edit loop_record "$@"; }
turn() { _edit turn "$@"; }
free_archive() { _edit free_archive; }
supersede() { _edit supersede "$@"; }
commit() { git add -A && git commit -q --allow-empty -m "${1:-control}"; }
no_remotes() { git for-each-ref --format='delete %(refname)' refs/remotes | git update-ref --stdin; }
today() { date -u +%F; }
days() { _edit days "$1"; }
_engine='import os, sys
engine = os.path.dirname(os.path.dirname(os.environ["GOBLIN_MUTATE"]))
libraries = os.environ.get("GOBLIN_LIBRARIES", "").split(os.pathsep)
sys.path[:0] = [engine, os.path.join(engine, "_vendor"), *libraries]
from goblin.commands.loop import main
sys.exit(main(sys.argv[1:]))'
goblin_loop() { "$GOBLIN_PYTHON" -I -S -B -c "$_engine" "$@"; }
_content() {
    cp .git/index "$GOBLIN_KEPT/index" && GIT_INDEX_FILE="$GOBLIN_KEPT/index" git add -A
    GIT_INDEX_FILE="$GOBLIN_KEPT/index" git write-tree
}
run_record() {
    local kept=
    if [ ! -e .goblin/loop ]; then
        kept="$GOBLIN_KEPT/$(git rev-parse HEAD)-$(_content)-$*"
        if [ -d "$kept" ]; then cp -a "$kept" .goblin/loop && return 0; fi
    fi
    _run_record "$@"
    [ -z "$kept" ] || cp -a .goblin/loop "$kept"
}
_run_record() {
    if [ -e .goblin/loop ]; then
        goblin_loop stuck --tried nothing --blocks 'a control takes its place' || true
        goblin_loop close || true
    fi
    goblin_loop start --budget 9 --predicate 'test -f loop-is-done' --control 'touch loop-is-done'
    for number in $(seq "$1"); do
        goblin_loop record --phase check --decision verdict:continue --result predicate:red \
            --why "turn $number of a control" --run -- printf '%s' "turn $number: loop-is-done is not there"
    done
    [ "${2:-}" = close ] || return 0
    [ "$1" = 0 ] || goblin_loop stuck --tried nothing --blocks 'a control ended it'
    goblin_loop close
}
"""
"""Bash functions that every control may use."""


class Missed(Exception):
    """A mutation that could not be made; the message says what it did not find."""


def _read(root: str, path: str) -> bytes:
    full = os.path.join(root, path)
    try:
        _plain(full, path)
        with open(full, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise Missed(f"{path}: {error.strerror}") from error


def _put(root: str, path: str, data: bytes) -> None:
    full = os.path.join(root, path)
    os.makedirs(os.path.dirname(full) or ".", exist_ok=True)
    if os.path.exists(full):
        _plain(full, path)
    with open(full, "wb") as stream:
        stream.write(data)


def _plain(full: str, path: str) -> None:
    """Open no pipe and no device: that could wait for ever."""
    if not stat.S_ISREG(os.stat(full).st_mode):
        raise Missed(f"{path}: not a regular file")


def _unescape(text: str) -> bytes:
    return os.fsencode(text.replace("\\n", "\n").replace("\\t", "\t"))


def swap(root: str, path: str, old: str, new: str) -> None:
    """Replace the first place of the literal text `old` by `new`."""
    data, wanted = _read(root, path), _unescape(old)
    if wanted not in data:
        raise Missed(f"{path} does not hold {old!r}")
    _put(root, path, data.replace(wanted, _unescape(new), 1))


def append(root: str, path: str, text: str) -> None:
    """Add a line at the end of a file, which may be new."""
    data = _read(root, path) if os.path.exists(os.path.join(root, path)) else b""
    if data and not data.endswith(b"\n"):
        data += b"\n"
    _put(root, path, data + _unescape(text) + b"\n")


def write(root: str, path: str, text: str) -> None:
    """Make the whole content of a file, which may be new."""
    _put(root, path, _unescape(text) + b"\n")


def setkey(root: str, key: str, value: str) -> None:
    """Set a dotted key of the configuration to a piece of YAML."""
    path = ".goblin/goblin.yaml"
    _put(root, path, _with_key(_read(root, path), key, value, path))


@lru_cache(maxsize=64)
def _with_key(data: bytes, key: str, value: str, path: str) -> bytes:
    """The same edit stands at the start of many controls, and reads the file with great care."""
    from goblin import yaml

    return yaml.set_key(data, key, value, path)


def setcell(root: str, row: str, column: str, value: str) -> None:
    """Set one cell of a row of the installed matrix; `value` may be empty."""
    path = ".goblin/manifest/enforcement.tsv"
    lines = _read(root, path).decode("utf-8").split("\n")
    place = lines[0].split("\t").index(column)
    for number, line in enumerate(lines):
        cells = line.split("\t")
        if cells[0] == row:
            cells[place] = value
            lines[number] = "\t".join(cells)
            _put(root, path, "\n".join(lines).encode("utf-8"))
            return
    raise Missed(f"{path} has no row {row}")


def days(count: str) -> None:
    """Print the UTC date that many days from today."""
    from datetime import datetime, timedelta

    print((datetime.now(UTC) + timedelta(days=int(count))).date())


def slug(family: str) -> None:
    """Print a model slug of a family, put together here so that no table holds one."""
    print(f"{family}-{4}.{1}")


_LOOP = ".goblin/loop"


def loop_record(root: str, turns: str) -> None:
    """Open a loop in order, with that many turns behind it: red each, on a captured output of its own.

    A record that stands here is closed first, as goblin-loop would: archived, and chained.
    """
    import hashlib

    previous = _close_loop(root)
    predicate = f"# loop {len(previous) + 1}: done when this file is there\ntest -f loop-is-done\n".encode()
    pin = "\n".join([hashlib.sha256(predicate).hexdigest(), *previous, ""])
    _put(root, f"{_LOOP}/predicate", predicate)
    _put(root, f"{_LOOP}/predicate.sha256", pin.encode())
    _put(root, f"{_LOOP}/first-run", f"exit=1 ts={_moment(0)}\n".encode())
    _put(root, f"{_LOOP}/budget", b"9\n")
    _put(root, f"{_LOOP}/decisions.tsv", b"ts\tphase\tdecision\twhy\tevidence\tresult\n")
    for number in range(int(turns)):
        output = f"turn {number + 1}: loop-is-done is not there\n".encode()
        digest = hashlib.sha256(output).hexdigest()
        _put(root, f"{_LOOP}/out/{digest}.txt", output)
        turn(root, "verdict:continue", f"sha256:{digest}", "predicate:red")


def _close_loop(root: str) -> list[str]:
    """Archive a standing record's predicate and pin; the `previous:` lines of the next pin."""
    loop = os.path.join(root, _LOOP)
    if not os.path.exists(f"{loop}/predicate"):
        return []
    lines = _read(root, f"{_LOOP}/predicate.sha256").decode().split("\n")
    count = sum(name.startswith("closed-") for name in os.listdir(loop))
    archive = f"{loop}/closed-2026-01-01-{count + 1}"
    os.makedirs(archive)
    for name in ("predicate", "predicate.sha256"):
        os.rename(f"{loop}/{name}", f"{archive}/{name}")
    for name in ("stuck.md", "control", "surface.sha256", "events.jsonl"):
        if os.path.exists(f"{loop}/{name}"):
            os.unlink(f"{loop}/{name}")
    return [*(line for line in lines if line.startswith("previous:")), f"previous: {lines[0]}"]


def free_archive() -> None:
    """Print a `closed-<today>` folder that is not there yet: a loop may have been closed today."""
    from datetime import datetime

    name = f"{_LOOP}/closed-{datetime.now(UTC).date()}"
    names = (name, *(f"{name}-{number}" for number in range(2, 10_000)))
    print(next(path for path in names if not os.path.lexists(path)))


def supersede(root: str, archive: str, command: str) -> None:
    """Archive predicate and pin in a folder, and put another predicate in their place, pinned.

    All is right about it but one thing: no `previous:` line names what was archived.
    """
    import hashlib

    pin = _read(root, f"{_LOOP}/predicate.sha256")
    os.makedirs(os.path.join(root, archive))
    for part in ("predicate", "predicate.sha256"):
        os.rename(os.path.join(root, _LOOP, part), os.path.join(root, archive, part))
    write(root, f"{_LOOP}/predicate", command)
    digest = hashlib.sha256(_read(root, f"{_LOOP}/predicate")).hexdigest().encode()
    kept = [line for line in pin.split(b"\n") if line.startswith(b"previous:")]
    _put(root, f"{_LOOP}/predicate.sha256", b"\n".join([digest, *kept, b""]))


def turn(root: str, decision: str, evidence: str, result: str) -> None:
    """Add a row to the loop record, one minute after the row above."""
    path = f"{_LOOP}/decisions.tsv"
    data = _read(root, path)
    cells = (_moment(data.count(b"\n")), "check", decision, "a control wrote this row", evidence, result)
    _put(root, path, data + os.fsencode("\t".join(cells)) + b"\n")


def _moment(minutes: int) -> str:
    """A timestamp that many minutes after midnight of the day before yesterday, so never in the future."""
    from datetime import datetime, timedelta

    start = datetime.now(UTC).replace(hour=0, minute=0, second=0) - timedelta(days=2)
    return (start + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")


EDITS: dict[str, Callable[..., None]] = {
    f.__name__: f for f in (swap, append, write, setkey, setcell, loop_record, supersede, turn)
}
"""Verbs that change files below a folder."""

PRINTS: dict[str, Callable[..., None]] = {"days": days, "slug": slug, "free_archive": free_archive}

_WORD = r"""(?:[\w./:@%+,=-]|'[^']*'|"(?:[^"$`\\]|\\[^"$`\\\n])*")+"""
_CALL = re.compile(rf"[ \t\n]*({'|'.join(EDITS)})((?:[ \t]+{_WORD})*)[ \t]*(?:;|&&|\n|\Z)")
"""One verb with words that mean themselves, up to a separator after which the next command follows."""


def split(text: str) -> tuple[list[list[str]], str]:
    """The edits that a control begins with, word by word, and the rest, which needs a shell.

    A shell with its interpreter costs a hundred times what the edit does.
    """
    calls: list[list[str]] = []
    at = 0
    while call := _CALL.match(text, at):
        quoted = re.findall(_WORD, call[2])
        calls.append([call[1], *(re.sub(r"'([^']*)'|\"([^\"]*)\"", r"\1\2", word) for word in quoted)])
        at = call.end()
    return calls, text[at:].strip()


def edit(root: str, call: Sequence[str]) -> None:
    """Make one edit below `root`; raises `Missed` where it cannot be made."""
    try:
        EDITS[call[0]](root, *call[1:])
    except (KeyError, IndexError, TypeError, ValueError, OSError) as error:
        raise Missed(str(error)) from error


def main(argv: list[str]) -> int:
    """Make one edit in the working directory, or print; 1 with a line on standard error if it cannot."""
    engine = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    libraries = os.environ.get("GOBLIN_LIBRARIES", "").split(os.pathsep)
    sys.path[:0] = [engine, os.path.join(engine, "_vendor"), *libraries]
    try:
        if argv and argv[0] in PRINTS:
            PRINTS[argv[0]](*argv[1:])
        else:
            edit(".", argv)
    except (Missed, IndexError, TypeError, ValueError) as error:
        print(f"mutation missed: {' '.join(argv[:2])}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
