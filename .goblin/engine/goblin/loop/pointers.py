"""Each pointer of a record turned into something a person can read: a subject, a state, some output.

A handle that resolves only says that something is there. A reader wants to know what: the subject and
date of a commit, what a file has become since, the last lines of a captured output. Everything
returned is printable text, masked and cut.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from goblin.git import Git
from goblin.loop.handles import CAPTURE_LIMIT, OUTPUTS, Handle, Resolver
from goblin.paths import ReadRefused, Tree
from goblin.redact import clean, lines, mask

EXCERPT = 12
"""Lines of an output that are shown: the last ones, where a program says how it ended."""

CARD = "turn card"
"""How the state of a turn card begins; what follows says how its commands ended."""

_WIDTH = 160
_SUBJECT = 200  # characters of a commit's subject
_CHANGES = 1000  # commits looked through for what touched a file last
_PER_CALL = 200  # paths on one command line
_CARD = 1 << 20  # bytes of a turn card


class Evidence(NamedTuple):
    """One pointer, readable."""

    handle: str  # as written
    kind: str  # sha, file, sha256, cmd or other
    resolved: bool
    reason: str = ""  # why it points at nothing
    title: str = ""  # a commit's subject, a path, the name of a captured output
    when: str = ""  # of the commit, or of the last commit of the file: UTC, YYYY-MM-DDThh:mm:ssZ
    state: str = ""  # what has become of it since
    excerpt: tuple[str, ...] = ()


def printable(text: str, width: int = 2000) -> str:
    """Text of a record as it may be shown: one line, masked, cleaned and cut to `width` characters."""
    cut = text[: width + 200]  # enough that a credential at the cut is seen whole
    safe = clean(mask(cut.replace("\t", " ")).strip())
    return safe if len(safe) <= width and len(cut) == len(text) else safe[:width].rstrip() + "..."


def stamp(instant: datetime | None) -> str:
    """An instant as `YYYY-MM-DDThh:mm:ssZ`; "" for None."""
    return "" if instant is None else instant.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")


class Reader:
    """Reads what the handles of one record point at, many at a time."""

    def __init__(self, root: str, git: Git | None, resolver: Resolver, directory: str) -> None:
        self._tree = Tree(root)
        self._git = git
        self._resolver = resolver
        self._directory = directory
        self._outputs: dict[str, str] | None = None

    def read(self, handles: Iterable[Handle]) -> dict[str, Evidence]:
        """Each handle, by its text. Costs at most five git processes, however many there are."""
        wanted = {handle.text: handle for handle in handles}
        resolved = {text: self._resolver.resolve(handle) for text, handle in wanted.items()}
        found = [answer.canonical.partition(":") for answer in resolved.values() if answer.ok]
        commits, away = self._commits([name for kind, _, name in found if kind == "sha"])
        files = self._files([name for kind, _, name in found if kind == "file"])
        shown = {}
        for text, handle in wanted.items():
            ok, canonical, reason = resolved[text]
            name = canonical.partition(":")[2]
            told = Evidence(printable(handle.text, 160), handle.kind, ok, printable(reason, 300))
            if ok and handle.kind == "sha":
                subject, when = commits.get(name, ("", ""))
                told = told._replace(
                    title=subject or "(no subject)", when=when, state="not under HEAD" if name in away else ""
                )
            elif ok and handle.kind == "file":
                when, state = files.get(name, ("", ""))
                told = told._replace(title=printable(name, 200), when=when, state=state)
            elif ok and handle.kind == "sha256":
                told = self._output(told, name)
            shown[text] = told
        return shown

    def _commits(self, ids: Sequence[str]) -> tuple[dict[str, tuple[str, str]], set[str]]:
        """Subject and date of each commit, and those that HEAD does not reach."""
        found: dict[str, tuple[str, str]] = {}
        asked = list(dict.fromkeys(ids))
        if not asked or self._git is None:
            return found, set()
        for oid, item in zip(asked, self._git.objects(asked), strict=True):
            if item and item[1] == "commit":
                found[oid] = _commit(item[2])
        stdin = "".join(f"{oid}\n" for oid in asked).encode()
        result = self._git.call("rev-list", "--stdin", "--not", "HEAD", stdin=stdin)
        beyond = set(result.out.decode("ascii", "replace").split()) if result.code == 0 else set()
        return found, beyond.intersection(asked)

    def _files(self, paths: Sequence[str]) -> dict[str, tuple[str, str]]:
        """Of each tracked file: when its last commit was made, and its state now in words."""
        found: dict[str, tuple[str, str]] = {}
        asked = list(dict.fromkeys(paths))
        if self._git is None:
            return found
        for at in range(0, len(asked), _PER_CALL):
            some = asked[at : at + _PER_CALL]
            edited = self._edited(some)
            last = self._last_commits(some)
            for path in some:
                subject, when = last.get(path, ("", ""))
                words = [f"last commit: {subject}" if when else "not committed yet"]
                words += ["edited since"] if path in edited and when else []
                words += [self._size(path)]
                found[path] = (when, ", ".join(filter(None, words)))
        return found

    def _edited(self, paths: Sequence[str]) -> set[str]:
        assert self._git is not None
        result = self._git.call("diff-index", "--name-only", "-z", "HEAD", "--", *paths, worktree=True)
        return {os.fsdecode(name) for name in result.out.split(b"\0") if name} if result.code == 0 else set()

    def _last_commits(self, paths: Sequence[str]) -> dict[str, tuple[str, str]]:
        """Subject and date of the last commit that touched each path, where it is not too far back."""
        assert self._git is not None
        result = self._git.call(
            "log", "-z", "--format=%x01%ct %s", "--name-only", "--no-renames", f"--max-count={_CHANGES}",
            "HEAD", "--", *paths,
        )  # fmt: skip
        found: dict[str, tuple[str, str]] = {}
        commit = ("", "")
        for field in result.out.split(b"\0") if result.code == 0 else ():
            field = field.lstrip(b"\n")
            if field.startswith(b"\x01"):
                seconds, _, subject = field[1:].partition(b" ")
                commit = (printable(subject.decode("utf-8", "surrogateescape"), 120), _date(seconds))
            elif field:
                found.setdefault(os.fsdecode(field), commit)
        return found

    def _size(self, path: str) -> str:
        try:
            return size(os.lstat(self._tree.full(path)).st_size)
        except (OSError, ReadRefused):
            return ""

    def _output(self, told: Evidence, digest: str) -> Evidence:
        path = self._captured(digest)
        if not path:
            return told
        try:
            data = self._tree.read(path, CAPTURE_LIMIT)
        except ReadRefused as refused:
            return told._replace(title=path, state=printable(str(refused)))
        card = _card(data) if path.endswith(".json") else None
        if card is None:
            return told._replace(
                title=path, state=size(len(data)), excerpt=tuple(lines(data, EXCERPT, _WIDTH))
            )
        output = self._captured(card.get("predicate_out"))
        return told._replace(title=path, state=_says(card), excerpt=self._end_of(output))

    def _end_of(self, path: str) -> tuple[str, ...]:
        """The last lines of an output, none where it cannot be read."""
        try:
            return tuple(lines(self._tree.read(path, CAPTURE_LIMIT), EXCERPT, _WIDTH)) if path else ()
        except ReadRefused:
            return ()

    def _captured(self, digest: object) -> str:
        """The file of the record that has this digest, "" for none."""
        import hashlib

        if not isinstance(digest, str) or len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
            return ""
        for ending in (".txt", ".json"):
            path = f"{self._directory}/{OUTPUTS}/{digest}{ending}"
            if self._tree.kind(path) == "file":
                return path
        if self._outputs is None:
            self._outputs = {}
            for path in self._record_files():
                try:
                    found = hashlib.sha256(self._tree.read(path, CAPTURE_LIMIT)).hexdigest()
                except ReadRefused:
                    continue
                self._outputs.setdefault(found, path)
        return self._outputs.get(digest, "")

    def _record_files(self) -> Iterator[str]:
        """Every file that a digest may name: of the record itself, of its outputs, of its archives."""
        try:
            names = self._tree.names(self._directory)
            folders = [self._directory]
            folders += [f"{self._directory}/{n}" for n in names if n == OUTPUTS or n.startswith("closed-")]
            for folder in folders:
                for name in self._tree.names(folder):
                    if self._tree.kind(f"{folder}/{name}") == "file":
                        yield f"{folder}/{name}"
        except ReadRefused:
            return


def size(count: int) -> str:
    """A number of bytes as a person says it."""
    if count < 1000:
        return f"{count} byte{'' if count == 1 else 's'}"
    value, units = count / 1000, ["TB", "GB", "MB", "kB"]
    while value >= 1000 and len(units) > 1:
        value /= 1000
        units.pop()
    return f"{value:.1f} {units[-1]}" if value < 10 else f"{value:.0f} {units[-1]}"


def _date(seconds: bytes | str) -> str:
    try:
        return stamp(datetime.fromtimestamp(int(seconds), UTC))
    except (ValueError, OverflowError, OSError):
        return ""


def _commit(data: bytes) -> tuple[str, str]:
    """The subject and the committer's date of a raw commit object."""
    head, _, message = data.partition(b"\n\n")
    when = ""
    for line in head.split(b"\n"):
        if line.startswith(b"committer "):
            fields = line.rsplit(b" ", 2)
            when = _date(fields[1]) if len(fields) == 3 else ""
    subject = message.lstrip(b"\n").split(b"\n\n", 1)[0][:4096].replace(b"\n", b" ")
    return printable(subject.decode("utf-8", "surrogateescape"), _SUBJECT), when


def _card(data: bytes) -> Mapping[str, Any] | None:
    """A turn card, or None for an output that is none."""
    if len(data) > _CARD:
        return None
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and "predicate_exit" in value else None


def _says(card: Mapping[str, Any]) -> str:
    """How the predicate and the gates of a turn ended, as its card says."""
    words = [f"predicate exit {card['predicate_exit']}"] if _number(card.get("predicate_exit")) else []
    gates = card.get("gates")
    for gate in gates if isinstance(gates, list) else ():
        if isinstance(gate, dict) and isinstance(gate.get("id"), str) and _number(gate.get("exit")):
            words.append(f"gate {gate['id'][:60]} exit {gate['exit']}")
    return printable(f"{CARD}: {', '.join(words[:20]) or 'it says of no command how it ended'}", 400)


def _number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 255
