"""The edits that a control makes in a scratch copy, as commands of a shell prelude.

Run as a script (`python3 -I -S mutate.py VERB ...`); every verb fails loudly when it changes nothing,
so that a control cannot pass because its mutation missed. docs/rules.md lists them.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC

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
commit() { git add -A && git commit -q --allow-empty -m "${1:-control}"; }
today() { date -u +%F; }
days() { _edit days "$1"; }
_engine='import os, sys
engine = os.path.dirname(os.path.dirname(os.environ["GOBLIN_MUTATE"]))
libraries = os.environ.get("GOBLIN_LIBRARIES", "").split(os.pathsep)
sys.path[:0] = [engine, os.path.join(engine, "_vendor"), *libraries]
from goblin.commands.loop import main
sys.exit(main(sys.argv[1:]))'
goblin_loop() { "$GOBLIN_PYTHON" -I -S -B -c "$_engine" "$@"; }
run_record() {
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


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise Missed(f"{path}: {error.strerror}") from error


def _put(path: str, data: bytes) -> None:
    folder = os.path.dirname(path)
    if folder:
        os.makedirs(folder, exist_ok=True)
    with open(path, "wb") as stream:
        stream.write(data)


def _unescape(text: str) -> bytes:
    return os.fsencode(text.replace("\\n", "\n").replace("\\t", "\t"))


def swap(path: str, old: str, new: str) -> None:
    """Replace the first place of the literal text `old` by `new`."""
    data, wanted = _read(path), _unescape(old)
    if wanted not in data:
        raise Missed(f"{path} does not hold {old!r}")
    _put(path, data.replace(wanted, _unescape(new), 1))


def append(path: str, text: str) -> None:
    """Add a line at the end of a file, which may be new."""
    data = _read(path) if os.path.exists(path) else b""
    if data and not data.endswith(b"\n"):
        data += b"\n"
    _put(path, data + _unescape(text) + b"\n")


def write(path: str, text: str) -> None:
    """Make the whole content of a file, which may be new."""
    _put(path, _unescape(text) + b"\n")


def setkey(key: str, value: str) -> None:
    """Set a dotted key of the configuration to a piece of YAML."""
    engine = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path[:0] = [
        engine,
        os.path.join(engine, "_vendor"),
        *os.environ.get("GOBLIN_LIBRARIES", "").split(os.pathsep),
    ]
    from goblin import yaml

    path = ".goblin/goblin.yaml"
    _put(path, yaml.set_key(_read(path), key, value, path))


def setcell(row: str, column: str, value: str) -> None:
    """Set one cell of a row of the installed matrix; `value` may be empty."""
    path = ".goblin/manifest/enforcement.tsv"
    lines = _read(path).decode("utf-8").split("\n")
    place = lines[0].split("\t").index(column)
    for number, line in enumerate(lines):
        cells = line.split("\t")
        if cells[0] == row:
            cells[place] = value
            lines[number] = "\t".join(cells)
            _put(path, "\n".join(lines).encode("utf-8"))
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


def loop_record(turns: str) -> None:
    """Open a loop in order, with that many turns behind it: red each, on a captured output of its own.

    A record that stands here is closed first, as goblin-loop would: archived, and chained.
    """
    import hashlib

    previous = _close_loop()
    predicate = f"# loop {len(previous) + 1}: done when this file is there\ntest -f loop-is-done\n".encode()
    pin = "\n".join([hashlib.sha256(predicate).hexdigest(), *previous, ""])
    _put(f"{_LOOP}/predicate", predicate)
    _put(f"{_LOOP}/predicate.sha256", pin.encode())
    _put(f"{_LOOP}/first-run", f"exit=1 ts={_moment(0)}\n".encode())
    _put(f"{_LOOP}/budget", b"9\n")
    _put(f"{_LOOP}/decisions.tsv", b"ts\tphase\tdecision\twhy\tevidence\tresult\n")
    for number in range(int(turns)):
        output = f"turn {number + 1}: loop-is-done is not there\n".encode()
        digest = hashlib.sha256(output).hexdigest()
        _put(f"{_LOOP}/out/{digest}.txt", output)
        turn("verdict:continue", f"sha256:{digest}", "predicate:red")


def _close_loop() -> list[str]:
    """Archive a standing record's predicate and pin; the `previous:` lines of the next pin."""
    if not os.path.exists(f"{_LOOP}/predicate"):
        return []
    lines = _read(f"{_LOOP}/predicate.sha256").decode().split("\n")
    count = sum(name.startswith("closed-") for name in os.listdir(_LOOP))
    archive = f"{_LOOP}/closed-2026-01-01-{count + 1}"
    os.makedirs(archive)
    for name in ("predicate", "predicate.sha256"):
        os.rename(f"{_LOOP}/{name}", f"{archive}/{name}")
    for name in ("stuck.md", "control", "surface.sha256", "events.jsonl"):
        if os.path.exists(f"{_LOOP}/{name}"):
            os.unlink(f"{_LOOP}/{name}")
    return [*(line for line in lines if line.startswith("previous:")), f"previous: {lines[0]}"]


def turn(decision: str, evidence: str, result: str) -> None:
    """Add a row to the loop record, one minute after the row above."""
    path = f"{_LOOP}/decisions.tsv"
    data = _read(path)
    cells = (_moment(data.count(b"\n")), "check", decision, "a control wrote this row", evidence, result)
    _put(path, data + os.fsencode("\t".join(cells)) + b"\n")


def _moment(minutes: int) -> str:
    """A timestamp that many minutes after midnight of the day before yesterday, so never in the future."""
    from datetime import datetime, timedelta

    start = datetime.now(UTC).replace(hour=0, minute=0, second=0) - timedelta(days=2)
    return (start + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")


VERBS = {f.__name__: f for f in (swap, append, write, setkey, setcell, days, slug, loop_record, turn)}


def main(argv: list[str]) -> int:
    """Make one edit; 1 with a line on standard error when it cannot be made."""
    try:
        VERBS[argv[0]](*argv[1:])
    except (Missed, KeyError, IndexError, TypeError, ValueError, OSError) as error:
        print(f"mutation missed: {' '.join(argv[:2])}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
