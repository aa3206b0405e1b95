"""Start hooks: an agent that begins to work in a repository is told how its rules stand (spec install 21).

The entry goes into the file that the vendor reads, among the entries of others, and only where the
vendor's folder is there already. `.goblin/manifest/hooks.tsv` records it, since whoever takes the install
away may be on another machine than whoever added the hook.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from typing import Any, NamedTuple

from goblin import tables
from goblin.emit import Refused, jsonedit
from goblin.emit.apply import perform
from goblin.emit.ledger import ABSENT, digest
from goblin.emit.places import in_project
from goblin.emit.plan import Change
from goblin.facts.installed import HOOKS
from goblin.install.content import LAUNCHER

COLUMNS = ("vendor", "file", "sha256", "before")
BOM = b"\xef\xbb\xbf"
MARK = f"{LAUNCHER} --hook"
"""What tells an entry of ours from those of others."""

SECONDS = 30


class Vendor(NamedTuple):
    """An agent that reads hooks from a file of the project."""

    file: str
    event: str
    docs_url: str
    docs_read: str
    nested: bool  # an entry holds a list of commands
    base: tuple[tuple[str, Any], ...] = ()  # what a new file holds besides

    @property
    def folder(self) -> str:
        """The vendor's folder in a project."""
        return self.file.partition("/")[0]

    def entry(self, name: str) -> dict[str, Any]:
        """What is put into the list of the event. It is silent and ends well where nothing is installed."""
        command = f"[ ! -f {LAUNCHER} ] || python3 -I -S {MARK} {name}"
        if self.nested:  # the vendor says where the project is; the working folder may be below it
            command = f'cd "$CLAUDE_PROJECT_DIR" && {{ {command}; }} || true'
            return {"hooks": [{"type": "command", "command": command, "timeout": SECONDS}]}
        return {"command": f"{command} || true", "timeout": SECONDS}


VENDORS = {
    "claude": Vendor(
        ".claude/settings.json", "SessionStart", "https://code.claude.com/docs/en/hooks", "2026-11-30", True
    ),
    "cursor": Vendor(
        ".cursor/hooks.json",
        "sessionStart",
        "https://cursor.com/docs/hooks",
        "2026-11-30",
        False,
        (("version", 1),),
    ),
}


class Row(NamedTuple):
    """One recorded hook: the digest of the entry, and of the file before it (`-` for none)."""

    vendor: str
    file: str
    sha256: str
    before: str


class Hooking(NamedTuple):
    """What adding or removing a hook would do, and the line that says so."""

    changes: tuple[Change, ...]
    line: str


def add(root: str, name: str) -> Hooking:
    """Add the hook of a vendor. Raises `Refused` where its file cannot be added to."""
    vendor = _vendor(name)
    if not os.path.isfile(os.path.join(root, LAUNCHER)):
        told = f"there is no {LAUNCHER}, which the hook would run"
        raise Refused(told, "goblin-install --target . --class A")
    if not os.path.isdir(os.path.join(root, vendor.folder)):
        return Hooking((), f"no hook: there is no {vendor.folder} folder here, and none is made for it")
    place, entry, rows = in_project(root, vendor.file), vendor.entry(name), _rows(root)
    recorded = next((row for row in rows if row.vendor == name), None)
    old = place.read()
    if old is None:
        whole = {**dict(vendor.base), "hooks": {vendor.event: [entry]}}
        new, before = (json.dumps(whole, indent=2) + "\n").encode(), ABSENT
    else:
        mark, text, held = _standing(vendor, old)
        ours = [value for value in held if _is_ours(value)]
        if entry in ours:
            return Hooking((), f"unchanged {vendor.file}: the hook is there")
        before = digest(old)
        if ours and recorded and recorded.sha256 in map(_sha256, ours):  # the entry of another release
            text, before = next(_taken_out(vendor, text, recorded.sha256)), recorded.before
        elif ours:
            return Hooking((), f"kept {vendor.file}: somebody has edited the hook there")
        new = mark + _placed(vendor, text, entry).encode()
    row = Row(name, vendor.file, _sha256(entry), before)
    record = _record(root, [*(row for row in rows if row.vendor != name), row])
    change = Change(place, old, new, context=True)
    return Hooking((record, change), f"{change.word} {vendor.file}: {vendor.event} runs {MARK} {name}")


def remove(root: str, name: str) -> Hooking:
    """Take the hook of a vendor out again while it is as it was recorded. Raises `Refused`."""
    rows = _rows(root)
    row = next((row for row in rows if row.vendor == name), None)
    if row is None:
        return Hooking((), f"no hook is recorded for {name} here")
    record = _record(root, [other for other in rows if other.vendor != name])
    vendor = _vendor(name)
    place = in_project(root, vendor.file)
    old = place.read()
    if old is None:
        return Hooking((record,), f"{vendor.file} is gone already")
    try:
        mark, text, held = _standing(vendor, old)
    except Refused as refused:
        return Hooking((record,), f"kept what goblin-emit added: {refused.message}")
    if row.sha256 not in map(_sha256, held):
        edited = any(map(_is_ours, held))
        what = "somebody has edited the hook there" if edited else "the hook is not in it any more"
        return Hooking((record,), f"kept {vendor.file}: {what}")
    candidates = list(_taken_out(vendor, text, row.sha256))
    rest = next((text for text in candidates if digest(mark + text.encode()) == row.before), candidates[0])
    alone = row.before == ABSENT and jsonedit.read(rest) == dict(vendor.base)
    change = Change(place, old, None if alone else mark + rest.encode(), context=True)
    return Hooking((change, record), f"{'removed' if alone else 'took the hook out of'} {vendor.file}")


def carry_out(hooking: Hooking) -> None:
    """Do it; raises `OSError` with every file as before. The record comes first and goes last: a hook without
    a row would be nobody's."""
    perform(hooking.changes)


def everything_in(root: str, *, dry_run: bool) -> Iterator[str]:
    """Take every recorded hook out of a project; yields a line for each. Raises `Refused`."""
    for row in _rows(root):
        if row.vendor not in VENDORS:
            continue
        hooking = remove(root, row.vendor)
        if not dry_run:
            carry_out(hooking)
        yield f"{'would be: ' if dry_run else ''}{hooking.line}"


# --- the file of the vendor ------------------------------------------------------------------------


def _vendor(name: str) -> Vendor:
    if name not in VENDORS:
        told = f"{name} is not known to read start hooks from a file of the project"
        raise Refused(told, f"those that do: {', '.join(VENDORS)}")
    return VENDORS[name]


def _standing(vendor: Vendor, data: bytes) -> tuple[bytes, str, list[Any]]:
    """The byte-order mark, the text behind it, and the entries of the event. Raises `Refused`."""
    remedy = f"mend it, or add to hooks.{vendor.event} by hand what docs/platforms.md shows"
    mark = BOM if data.startswith(BOM) else b""
    try:
        text = data[len(mark) :].decode("utf-8")
        value = jsonedit.read(text)
    except UnicodeDecodeError as error:
        raise Refused(f"{vendor.file} is not UTF-8", remedy) from error
    except jsonedit.NotPlain as error:
        raise Refused(f"{vendor.file}: {error}", remedy) from error
    for key, wanted in vendor.base:
        if value.get(key) != wanted:
            raise Refused(f'{vendor.file} lacks "{key}": {json.dumps(wanted)}, so it is not read', remedy)
    hooks = value.get("hooks", {})
    if not isinstance(hooks, dict):
        raise Refused(f'{vendor.file}: "hooks" is no object', remedy)
    held = hooks.get(vendor.event, [])
    if not isinstance(held, list):
        raise Refused(f'{vendor.file}: "{vendor.event}" is no list', remedy)
    return mark, text, held


def _placed(vendor: Vendor, text: str, entry: dict[str, Any]) -> str:
    """The text with the entry at the end of the event's list; list and object are made where need be."""
    at, depth = jsonedit.top(text), 0
    for key, value in (("hooks", {vendor.event: [entry]}), (vendor.event, [entry])):
        child = next((one for one in jsonedit.children(text, at) if one.key == key), None)
        if child is None:
            return jsonedit.added(text, at, value, key, depth=depth)
        at, depth = child.value, depth + 1
    return jsonedit.added(text, at, entry, depth=depth)


def _taken_out(vendor: Vendor, text: str, sha256: str) -> Iterator[str]:
    """The text without the recorded entry, and first without the list and the object that it leaves empty."""
    path = [jsonedit.top(text)]
    places = []
    for key in ("hooks", vendor.event):
        held = jsonedit.children(text, path[-1])
        number = next(number for number, child in enumerate(held) if child.key == key)
        places.append(number)
        path.append(held[number].value)
    entries = jsonedit.children(text, path[-1])
    places.append(
        next(
            n
            for n, child in enumerate(entries)
            if _sha256(json.loads(text[child.value : child.end])) == sha256
        )
    )
    if len(entries) == 1:
        if len(jsonedit.children(text, path[1])) == 1:
            yield from jsonedit.without(text, path[0], places[0], depth=0)
        yield from jsonedit.without(text, path[1], places[1], depth=1)
    yield from jsonedit.without(text, path[2], places[2], depth=2)


def _sha256(entry: Any) -> str:
    canonical = json.dumps(entry, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _is_ours(entry: Any) -> bool:
    return MARK in json.dumps(entry)


# --- the record ------------------------------------------------------------------------------------


def _rows(root: str) -> list[Row]:
    data = in_project(root, HOOKS).read()
    if data is None:
        return []
    try:
        return [Row(*record.cells) for record in tables.read(data, COLUMNS, HOOKS)]
    except tables.TableError as error:
        raise Refused(str(error), f"git checkout -- {HOOKS}") from error


def _record(root: str, rows: list[Row]) -> Change:
    place = in_project(root, HOOKS)
    return Change(place, place.read(), tables.write(COLUMNS, rows) if rows else None)
