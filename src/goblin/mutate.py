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
commit() { git add -A && git commit -q --allow-empty -m "${1:-control}"; }
today() { date -u +%F; }
days() { _edit days "$1"; }
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


VERBS = {f.__name__: f for f in (swap, append, write, setkey, setcell, days, slug)}


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
