"""Fact `record`: what `goblin-install` wrote, `.goblin/installed.json` (spec IN-01, docs/decisions/0002).

The record names every path by kind with the SHA-256 of its bytes. It is read as JSON in any layout
and written in exactly one. Nothing signs it by itself, so it is never the only witness; every path
in it is confined before anybody acts on it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from goblin.outcome import CheckFailed, Finding
from goblin.paths import ReadRefused, confined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from goblin.paths import Tree

PATH = ".goblin/installed.json"
LIMIT = 8 << 20
"""Bytes of a record that will be read; a real one has some tens of thousands."""

REMEDY = f"git checkout -- {PATH}, or delete it and run goblin-install again"
CLASSES = "ABCDEF"
_HEX = frozenset("0123456789abcdef")
_MAPS = ("files", "owned", "refused", "adopted", "conflicts", "merged")


class RecordError(ValueError):
    """A record that nobody can act on; the message says what is wrong, for a person."""


class Options(NamedTuple):
    """The choices of the install."""

    skills: tuple[str, ...] = ()  # platforms; none means `--skills no`
    archive: bool | None = None  # None where the record holds no boolean (CL-02 FAILs)
    parts: str = "all"  # the raw `--parts` text


class Record(NamedTuple):
    """Everything that the installer remembers. Maps go from a relative path to 64 hex digits."""

    version: str
    source_sha: str
    class_name: str
    installed_at: str
    options: Options
    disabled: tuple[str, ...] | None  # None where an older record does not say
    files: dict[str, str]  # installed, hash-checked, replaced by an upgrade
    owned: dict[str, str]  # created once, then the project's: the hash of the bytes at creation
    refused: dict[str, str]  # existed before and left alone: the hash seen then
    adopted: dict[str, str]  # of `files`: existed before with the very same bytes
    conflicts: dict[str, str]  # `<path>.goblin-new` files beside edited ones
    merged: dict[str, str]  # ours and theirs in one file: the hash of our share, as released or appended
    dirs_created: tuple[str, ...]
    payload_digest: str
    engine: dict[str, Any]
    taken_over: dict[str, str] = {}  # noqa: RUF012  (what `--force` replaced, by the hash that it had)
    ignore_block: str = ""  # digest of what was appended to .gitignore, LF line ends; "" for none of ours
    opted_in: tuple[str, ...] = ()  # parts that are off until somebody asks for them, and were asked for

    def all_paths(self) -> Iterator[tuple[str, str]]:
        """Every path with the name of the member that holds it, in the record's order."""
        for member in (*_MAPS, "taken_over"):
            for path in getattr(self, member):
                yield member, path
        for path in self.dirs_created:
            yield "dirs_created", path


def payload_digest(files: Mapping[str, str]) -> str:
    """SHA-256 over the sorted `path TAB hash LF` lines of `files`."""
    import hashlib

    lines = sorted(f"{path}\t{digest}\n".encode() for path, digest in files.items())
    return hashlib.sha256(b"".join(lines)).hexdigest()


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise RecordError(f"the key {key!r} stands twice")
        found[key] = value
    return found


def _text(raw: Mapping[str, Any], key: str) -> str:
    value = raw.get(key, "")
    if not isinstance(value, str):
        raise RecordError(f"{key!r} is not text")
    return value


def _object(raw: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = raw.get(key, {})
    if not isinstance(value, dict):
        raise RecordError(f"{key!r} is not an object")
    return value


def _texts(raw: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = raw.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise RecordError(f"{key!r} is not a list of texts")
    return tuple(value)


def _map(raw: Mapping[str, Any], key: str) -> dict[str, str]:
    found = _object(raw, key)
    for path, value in found.items():
        if not isinstance(value, str):
            raise RecordError(f"{key!r}: the digest of {path!r} is not text")
    return found


def _options(raw: Mapping[str, Any]) -> Options:
    found = _object(raw, "options")
    skills = found.get("skills", "no")
    if isinstance(skills, str):
        if skills not in ("yes", "no"):
            raise RecordError("'options': 'skills' is neither \"no\" nor a list of platforms")
        platforms: tuple[str, ...] = ("hermes",) if skills == "yes" else ()
    else:
        platforms = _texts(found, "skills")
    archive = found.get("archive")
    return Options(platforms, archive if isinstance(archive, bool) else None, _text(found, "parts") or "all")


def parse(data: bytes) -> Record:
    """Read a record in any JSON layout; unknown members are ignored.

    Raises `RecordError` when it is no JSON object, names a key twice, or a member has a type that
    leaves nothing to act on. The finer rules are `faults`.
    """
    try:
        raw = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_unique)
    except RecordError:
        raise
    except UnicodeDecodeError as error:
        raise RecordError(f"byte {error.start + 1} is not UTF-8") from error
    except json.JSONDecodeError as error:
        what = "is empty" if not data.strip() else f"is not JSON: {error.msg}"
        raise RecordError(f"line {error.lineno}, column {error.colno}: {what}") from error
    except (RecursionError, ValueError) as error:
        raise RecordError("is nested too deeply, or holds a number too long, to be a record") from error
    if not isinstance(raw, dict):
        raise RecordError("is not a JSON object")
    files = _map(raw, "files")
    return Record(
        version=_text(raw, "version"),
        source_sha=_text(raw, "source_sha"),
        class_name=_text(raw, "class"),
        installed_at=_text(raw, "installed_at"),
        options=_options(raw),
        disabled=_texts(raw, "disabled") if "disabled" in raw else None,
        files=files,
        owned=_map(raw, "owned"),
        refused=_map(raw, "refused"),
        adopted={path: files.get(path, "") for path in _object(raw, "adopted")},
        conflicts=_map(raw, "conflicts"),
        merged=_map(raw, "merged"),
        dirs_created=_texts(raw, "dirs_created"),
        payload_digest=_text(raw, "payload_digest"),
        engine=_object(raw, "engine"),
        taken_over=_map(raw, "taken_over"),
        ignore_block=_text(raw, "ignore_block"),
        opted_in=_texts(raw, "opted_in"),
    )


def is_digest(text: str, length: int = 64) -> bool:
    """True for exactly `length` lower-case hexadecimal digits."""
    return len(text) == length and _HEX.issuperset(text)


def _is_stamp(text: str) -> bool:
    shape = "".join("0" if char in "0123456789" else char for char in text)
    return shape == "0000-00-00T00:00:00Z"


def path_faults(record: Record) -> list[str]:
    """The paths that nobody may act on: absolute, leaving the root, or inside a git directory."""
    return [
        f"{member}: {path!r} is not a relative path inside the repository"
        for member, path in record.all_paths()
        if not confined(path) or any(part.casefold() == ".git" for part in path.split("/"))
    ]


def faults(record: Record) -> list[str]:
    """Everything that breaks the shape of a record (spec IN-01), one line each; none when it is sound."""
    found: list[str] = []
    if not record.version.strip():
        found.append("'version' is missing or empty")
    if not (record.source_sha == "unknown" or any(is_digest(record.source_sha, n) for n in (40, 64))):
        found.append("'source_sha' is neither a full commit id nor \"unknown\"")
    if len(record.class_name) != 1 or record.class_name not in CLASSES:
        found.append("'class' is not one of A B C D E F")
    if not _is_stamp(record.installed_at):
        found.append("'installed_at' is not YYYY-MM-DDTHH:MM:SSZ")
    if not record.files and record.engine.get("mode") != "global":
        found.append("'files' is missing or empty")
    found += path_faults(record)
    for member in ("files", "owned", "refused", "conflicts", "merged", "taken_over"):
        for path, digest in getattr(record, member).items():
            if not is_digest(digest):
                found.append(f"{member}: the digest of {path!r} is not 64 lower-case hexadecimal digits")
    if record.ignore_block and not is_digest(record.ignore_block):
        found.append("'ignore_block' is not 64 lower-case hexadecimal digits")
    homes = ("files", "owned", "refused")
    for index, first in enumerate(homes):
        for second in homes[index + 1 :]:
            both = getattr(record, first).keys() & getattr(record, second).keys()
            found += [f"{path!r} stands in both {first} and {second}" for path in sorted(both)]
    if record.payload_digest and record.payload_digest != payload_digest(record.files):
        found.append("'payload_digest' is not the digest of 'files'")
    return found


def load(tree: Tree) -> Record:
    """The record of the repository under test.

    Raises `CheckFailed` when it is missing, unreadable, no regular file or no JSON object.
    """
    try:
        return parse(tree.read(PATH, LIMIT))
    except ReadRefused as error:
        if tree.kind(PATH) == "missing":
            raise CheckFailed(f"no record: {PATH} is missing", remedy=REMEDY) from error
        raise CheckFailed(str(error), [Finding(PATH)], REMEDY) from error
    except RecordError as error:
        raise CheckFailed(f"{PATH} cannot be read: {error}", [Finding(PATH)], REMEDY) from error


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _block(opening: str, entries: list[str], closing: str) -> str:
    body = ",\n".join(f"    {entry}" for entry in entries)
    return "\n".join(part for part in (opening, body, f"  {closing}") if part)


def _object_text(entries: Mapping[str, Any]) -> str:
    return _block("{", [f"{_line(key)}: {_line(value)}" for key, value in entries.items()], "}")


def render(record: Record) -> bytes:
    """The record in its one layout: fixed key order, `options` on a line, each map entry on its own."""
    skills: object = list(record.options.skills) or "no"
    members = {
        "version": _line(record.version),
        "source_sha": _line(record.source_sha),
        "class": _line(record.class_name),
        "installed_at": _line(record.installed_at),
        "options": _line(
            {"skills": skills, "archive": record.options.archive, "parts": record.options.parts}
        ),
    }
    if record.disabled is not None:
        members["disabled"] = _line(list(record.disabled))
    for name in _MAPS:
        entries: dict[str, Any] = getattr(record, name)
        if name == "adopted":
            entries = {path: {"preexisting": True} for path in entries}
        if entries or name in ("files", "owned", "refused"):
            members[name] = _object_text(entries)
    if record.dirs_created:
        members["dirs_created"] = _block("[", [_line(path) for path in record.dirs_created], "]")
    members["payload_digest"] = _line(record.payload_digest)
    if record.taken_over:
        members["taken_over"] = _object_text(record.taken_over)
    if record.ignore_block:
        members["ignore_block"] = _line(record.ignore_block)
    if record.opted_in:
        members["opted_in"] = _line(list(record.opted_in))
    if record.engine:
        members["engine"] = _line(record.engine)
    body = ",\n".join(f"  {_line(name)}: {text}" for name, text in members.items())
    return f"{{\n{body}\n}}\n".encode()
