"""Counting for gates and ratchets, the same on every machine: marker lines, and bytes of what ships.

`markers` counts lines that hold the word TODO or FIXME in the files that git tracks or would add;
`bytes` adds up the sizes of files below folders that are built. Neither follows a link, opens a
FIFO or a device, or holds a file in memory. Left out: `.git`, `.goblin`, the skills folders
(decided 46 and 50), and `node_modules` (of which `bytes` leaves out only the one at the top: a
`node_modules` inside a build is what ships).
"""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from typing import IO, NamedTuple

from goblin import git
from goblin.paths import ReadRefused, Tree, confined, reader
from goblin.pattern import lazy

SKILLS_DIRECTORIES = (
    ".hermes/skills",
    ".claude/skills",
    ".agents/skills",
    ".github/skills",
    ".cursor/skills",
    ".opencode/skills",
    ".gemini/skills",
)
"""Where the platforms keep skills (decided 46)."""

LEFT_OUT = (".git", ".goblin", *SKILLS_DIRECTORIES)
PLACES = 10
"""Places of a count that are kept for the message."""

_MARKER = lazy(rb"(?<![0-9A-Za-z_])(?:TODO|FIXME)(?![0-9A-Za-z_])")
_BLOCK = 1 << 20
_MARGIN = 8  # bytes at the end of a block that are judged again with the next one


class Misuse(Exception):
    """An argument that cannot be meant; the message says which and what is accepted."""


class CountFailed(Exception):
    """Something that should have been counted could not be looked at; a number would be a guess."""


class Request(NamedTuple):
    """What to count."""

    what: str  # markers or bytes
    paths: tuple[str, ...] = ()
    extensions: frozenset[str] = frozenset()  # lower case, without the dot
    globs: tuple[str, ...] = ()
    limit: int | None = None


class Count(NamedTuple):
    """What was counted. `examined` is the number of files; `absent` the paths that do not exist."""

    number: int
    examined: int
    places: tuple[tuple[str, int], ...] = ()
    absent: tuple[str, ...] = ()


def parse(arguments: Sequence[str]) -> Request:
    """Read `markers --ext E,... [--max N] [PATH...]` or `bytes [--glob G]... [--max N] ROOT...`.

    Raises `Misuse` for an unknown option, a missing or malformed value, and a path that is not
    below the working directory.
    """
    if not arguments or arguments[0] not in ("markers", "bytes"):
        raise Misuse("say what to count: markers or bytes")
    what, rest = arguments[0], list(arguments[1:])
    values: dict[str, list[str]] = {"--ext": [], "--glob": [], "--max": []}
    accepted = ("--ext", "--max") if what == "markers" else ("--glob", "--max")
    paths: list[str] = []
    while rest:
        word = rest.pop(0)
        if word == "--":
            paths += rest
            break
        if not word.startswith("-"):
            paths.append(word)
            continue
        name, equals, value = word.partition("=")
        if name not in accepted:
            raise Misuse(f"{what} takes no {name}; it takes {' and '.join(accepted)}")
        if not equals:
            if not rest:
                raise Misuse(f"{name} needs a value")
            value = rest.pop(0)
        values[name].append(value)
    extensions = {part.strip().lstrip(".").lower() for value in values["--ext"] for part in value.split(",")}
    if what == "markers" and not extensions - {""}:
        raise Misuse("markers needs --ext with the file name endings to read, such as --ext ts,js")
    if what == "bytes" and not paths:
        raise Misuse("bytes needs at least one folder, such as dist")
    return Request(
        what,
        tuple(_relative(path) for path in paths),
        frozenset(extensions - {""}),
        tuple(values["--glob"]) or ("*",),
        _limit(values["--max"]),
    )


def _limit(values: list[str]) -> int | None:
    for value in values:
        if not (value.isascii() and value.isdigit()):
            raise Misuse(f"--max takes a whole number, not {value!r}")
    return int(values[-1]) if values else None


def _relative(path: str) -> str:
    """The path as git would write it, "" for the working directory itself."""
    plain = os.path.normpath(path).replace(os.sep, "/") if path else ""
    if plain == ".":
        return ""
    if not confined(plain):
        raise Misuse(f"{path!r} is not a path below the working directory")
    return plain


def count(request: Request, root: str) -> Count:
    """Count below `root` and return the number.

    Raises `CountFailed` where git fails, a named path of `markers` does not exist, a named root of
    `bytes` is a link, or something cannot be read.
    """
    tree = Tree(root)
    try:
        return _markers(request, tree) if request.what == "markers" else _bytes(request, tree)
    except ReadRefused as error:
        raise CountFailed(str(error)) from error
    except git.GitError as error:
        raise CountFailed(str(error)) from error
    except OSError as error:
        raise CountFailed(f"{error.filename or root}: {error.strerror or 'unreadable'}") from error


def left_out(path: str) -> bool:
    """True when a relative path lies in one of `LEFT_OUT`, at any depth."""
    slashed = f"/{path}/"
    return any(f"/{folder}/" in slashed for folder in LEFT_OUT)


# --- markers ---------------------------------------------------------------------------------


class _File(NamedTuple):
    path: str
    blob: str  # id of the content for a file that a sparse checkout keeps out of the tree, else ""


def _markers(request: Request, tree: Tree) -> Count:
    for path in request.paths:
        if path and tree.kind(path) not in ("file", "dir"):
            raise CountFailed(f"{path}: no such file or folder (a link is not followed)")
    repo = git.discover(tree.root)
    files = _tracked(git.Git(repo), tree, request) if repo and repo.top else _walked(tree, request)
    number, examined = 0, 0
    places: list[tuple[str, int]] = []
    hidden: list[_File] = []

    def hits() -> Iterator[tuple[str, int]]:
        nonlocal examined
        for file in files:
            if file.blob:
                hidden.append(file)
                continue
            with _opened(tree, file.path) as read:
                if read:
                    examined += 1
                    yield from ((file.path, line) for line in marker_lines(read))
        if hidden and repo:
            examined += len(hidden)
            yield from _in_blobs(git.Git(repo), hidden)

    for place in hits():
        number += 1
        if number <= PLACES:
            places.append(place)
    return Count(number, examined, tuple(places))


def _wanted(path: str, request: Request) -> bool:
    if left_out(path) or "/node_modules/" in f"/{path}":
        return False
    _, dot, ending = path.rpartition("/")[2].rpartition(".")
    if not dot or ending.lower() not in request.extensions:
        return False
    return not request.paths or any(
        not asked or path == asked or path.startswith(asked + "/") for asked in request.paths
    )


def _tracked(repository: git.Git, tree: Tree, request: Request) -> Iterator[_File]:
    """The files that git tracks below the root, then those that `git add` would take.

    Both, so that the number is the same before and after `git add`.
    """
    prefix = os.path.relpath(tree.root, repository.repo.top).replace(os.sep, "/")
    prefix = "" if prefix == "." else prefix + "/"
    below = ("--", prefix) if prefix else ()
    last = ""
    for record in repository.run("ls-files", "-s", "-t", "-z", *below).split(b"\0"):
        head, _, raw = record.partition(b"\t")
        fields = head.split(b" ")
        path = os.fsdecode(raw).removeprefix(prefix)
        if len(fields) != 4 or not fields[1].startswith(b"100") or path == last:
            continue
        last = path
        if _wanted(path, request):
            yield _File(path, fields[2].decode() if fields[0] == b"S" else "")
    for raw in repository.run("ls-files", "-o", "--exclude-standard", "-z", *below).split(b"\0"):
        path = os.fsdecode(raw).removeprefix(prefix)
        if path and not path.endswith("/") and _wanted(path, request):
            yield _File(path, "")


def _walked(tree: Tree, request: Request) -> Iterator[_File]:
    """The files on disk, for a tree without git."""
    for folder, entry in _scan(tree, "", lambda path: path.rpartition("/")[2] == "node_modules"):
        path = f"{folder}/{entry.name}" if folder else entry.name
        if _wanted(path, request):
            yield _File(path, "")


@contextmanager
def _opened(tree: Tree, path: str) -> Iterator[Callable[[int], bytes] | None]:
    """A reader of a regular file; None when the path is gone from the tree or is no regular file."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    if "\\" in path:
        raise CountFailed(f"{path}: a name with a backslash is not read; rename it")
    if tree.kind(path) != "file":
        yield None
        return
    descriptor = os.open(tree.full(path), flags)
    try:
        regular = stat.S_ISREG(os.fstat(descriptor).st_mode)
        yield reader(descriptor) if regular else None
    finally:
        os.close(descriptor)


def marker_lines(read: Callable[[int], bytes]) -> Iterator[int]:
    """The numbers (from 1) of the lines that hold a marker; LF ends a line.

    `read(size)` gives the next bytes and b"" at the end. Memory stays at about one block, however
    long a line is. A marker is the whole word in capitals: `TODO_LIST` and `todo` are none.
    """
    line, reported, kept, edge = 1, 0, b"", 0  # `edge` bytes of `kept` are only the left side of a word
    while True:
        block = read(_BLOCK)
        data = kept + block
        end = max(len(data) - _MARGIN, edge) if block else len(data)
        at = edge
        for match in _MARKER.finditer(data, edge):
            if match.start() >= end:
                break
            line += data.count(b"\n", at, match.start())
            at = match.start()
            if reported != line:
                reported = line
                yield line
        line += data.count(b"\n", at, end)
        if not block:
            return
        if end > edge:
            kept, edge = data[end - 1 :], 1
        else:
            kept = data


def _in_blobs(repository: git.Git, files: Sequence[_File]) -> Iterator[tuple[str, int]]:
    """The marker lines of contents that are in git and not on disk, through one `cat-file`."""
    process = subprocess.Popen(
        repository.argv(["cat-file", "--batch"]),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=git.environment(),
    )
    with process:
        assert process.stdin
        assert process.stdout
        for file in files:
            process.stdin.write(file.blob.encode() + b"\n")
            process.stdin.flush()
            fields = process.stdout.readline().split()
            if len(fields) != 3:
                process.kill()
                raise CountFailed(f"{file.path}: git has no content for it (a partial clone?)")
            for line in marker_lines(_first(process.stdout, int(fields[2]))):
                yield file.path, line
            process.stdout.read(1)


def _first(stream: IO[bytes], size: int) -> Callable[[int], bytes]:
    """A reader of the next `size` bytes of a stream, and no more."""
    left = size

    def read(most: int) -> bytes:
        nonlocal left
        data = stream.read(min(most, left))
        left -= len(data)
        return data

    return read


# --- bytes -----------------------------------------------------------------------------------


def _bytes(request: Request, tree: Tree) -> Count:
    number, examined = 0, 0
    absent = []
    for root in outermost(request.paths):
        kind = tree.kind(root) if root else "dir"
        if kind == "missing":
            absent.append(root)
            continue
        if kind == "file":
            status = os.lstat(tree.full(root))
            if any(fnmatchcase(root.rpartition("/")[2], glob) for glob in request.globs):
                number, examined = number + status.st_size, examined + 1
            continue
        if kind != "dir":
            raise CountFailed(f"{root}: a link or a special file is not followed; name the folder itself")
        for _, entry in _scan(tree, root, lambda path: path == "node_modules"):
            if any(fnmatchcase(entry.name, glob) for glob in request.globs):
                number += entry.stat(follow_symlinks=False).st_size
                examined += 1
    return Count(number, examined, (), tuple(absent))


def outermost(roots: Sequence[str]) -> list[str]:
    """The roots without those that lie inside another, so that each file is counted once."""
    kept: list[str] = []
    for root in sorted(set(roots)):
        if not any(not outer or root.startswith(outer + "/") for outer in kept):
            kept.append(root)
    return kept


def _scan(tree: Tree, root: str, prune: Callable[[str], bool]) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Every regular file below `root` with the folder that holds it; links are neither given nor entered."""
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        with os.scandir(tree.full(folder) if folder else tree.root) as entries:
            for entry in entries:
                path = f"{folder}/{entry.name}" if folder else entry.name
                if entry.is_dir(follow_symlinks=False):
                    if not left_out(path) and not prune(path):
                        waiting.append(path)
                elif entry.is_file(follow_symlinks=False):
                    yield folder, entry
