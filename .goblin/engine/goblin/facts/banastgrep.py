"""Asks the program `ast-grep` what a project's own rules for it find (`pip install goblin-stack[ast]`).

A process of its own: a source that its parsers cannot bear ends it, and not the run. It is given files by
name and a configuration of ours, so nothing in the repository tells it where to look or what to load.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from goblin.bans.astgrep import suppressions
from goblin.paths import ReadRefused
from goblin.redact import clean

if TYPE_CHECKING:
    from goblin.bans.record import Probe
    from goblin.paths import Tree

LARGEST = 3_000_000
"""Bytes of a file that ast-grep reads; it passes over larger ones without a word."""

TIMEOUT = 120.0
"""Seconds that one call may take."""

_PATHS = 500_000  # bytes of names in one call
_OUTPUT = 256 << 20
_EVERYTHING = ("hidden", "dot", "exclude", "global", "parent", "vcs")


class Found(NamedTuple):
    """What was found: path to ban to offsets in bytes; or why nobody could look."""

    hits: Mapping[str, Mapping[str, Sequence[int]]]
    fault: str = ""


def program() -> str:
    """The program: on PATH, or beside the interpreter that runs this; "" where there is none."""
    import shutil

    folders = [*os.environ.get("PATH", os.defpath).split(os.pathsep), os.path.dirname(sys.executable)]
    return shutil.which("ast-grep", path=os.pathsep.join(filter(os.path.isabs, folders))) or ""


def version(path: str) -> str:
    """What tells one version of the program from another, without running it."""
    try:
        status = os.stat(os.path.realpath(path))
    except OSError:
        return path
    return f"{path} {status.st_size} {status.st_mtime_ns}"


def search(root: str, documents: Sequence[str], paths: Sequence[str]) -> Found:
    """What rules find in files of the tree at `root`, given by their paths in it."""
    import tempfile

    tool = program()
    if not tool:
        return Found({}, "ast-grep is not installed: pip install 'goblin-stack[ast]'")
    hits: dict[str, dict[str, list[int]]] = {}
    with tempfile.NamedTemporaryFile("w", suffix=".yml") as config:
        config.write("ruleDirs: []\n")
        config.flush()
        command = [tool, "scan", "--config", config.name, "--json=stream", "--color=never"]
        command += [word for kind in _EVERYTHING for word in ("--no-ignore", kind)]
        command += ["--inline-rules", "\n---\n".join(documents), "--"]
        for part in _parts(paths):
            shown = {os.fsencode(path).decode("utf-8", "replace"): path for path in part}
            try:
                for told in _call(command + [f"./{path}" for path in part], root):
                    path = shown.get(str(told["file"]).removeprefix("./"), "")
                    start = int(told["range"]["byteOffset"]["start"])
                    hits.setdefault(path, {}).setdefault(str(told["ruleId"]), []).append(start)
            except (OSError, ValueError, KeyError, TypeError, ArithmeticError, RecursionError) as error:
                return Found({}, f"ast-grep: {clean(str(error))}")
    return Found(hits)


def _parts(paths: Sequence[str]) -> Iterator[list[str]]:
    part: list[str] = []
    size = 0
    for path in paths:
        if size > _PATHS:
            yield part
            part, size = [], 0
        part.append(path)
        size += len(os.fsencode(path)) + 16
    if part:
        yield part


def _call(command: Sequence[str], root: str) -> Iterator[dict[str, Any]]:
    """The matches that one call prints. Raises `OSError` where it does not end well."""
    import subprocess
    import threading

    late: list[bool] = []
    process = subprocess.Popen(
        command, cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )

    def stop() -> None:
        late.append(True)
        process.kill()

    timer = threading.Timer(TIMEOUT, stop)
    timer.daemon = True
    timer.start()
    said: list[bytes] = []
    assert process.stdout
    assert process.stderr
    errors = process.stderr
    reader = threading.Thread(target=lambda: said.append(errors.read(1 << 16)), daemon=True)
    reader.start()
    size = 0
    try:
        for line in process.stdout:
            size += len(line)
            if size > _OUTPUT:
                raise OSError(f"more than {_OUTPUT >> 20} MiB of matches")
            yield json.loads(line)
        process.wait()
    finally:
        timer.cancel()
        process.kill()
        process.wait()
        reader.join(1)
        process.stdout.close()
        errors.close()
    if late:
        raise OSError(f"no end within {TIMEOUT:g} s")
    if process.returncode < 0:
        raise OSError(f"ended by signal {-process.returncode}")
    if process.returncode not in (0, 1):
        lines = [line.strip() for line in b"".join(said).decode("utf-8", "replace").splitlines()]
        raise OSError("; ".join(line for line in lines if line)[:400] or f"exit {process.returncode}")


class Outside:
    """The places that ast-grep finds for some bans of one run, asked for before the files are judged.

    `hits` are paths to bans to offsets in bytes, `refused` what it does not read, `fault` why it could not be
    asked.
    """

    def __init__(self, tree: Tree, probes: Sequence[Probe]) -> None:
        self._tree = tree
        self._probes = probes
        self.version = version(program()) if probes else ""
        self.hits: dict[str, dict[str, list[int]]] = {}
        self.refused: dict[str, str] = {}
        self.fault = ""

    def ask(self, files: Iterable[tuple[str, Sequence[Probe]]]) -> None:
        """Look into some files of the work tree, each with the bans that are about it."""
        if not self._probes or self.fault:
            return
        about = {path: [probe for probe in probes if probe.outside] for path, probes in files}
        paths = [path for path, probes in about.items() if probes and self._reads(path, probes)]
        documents = [probe.outside.document(probe.ban.id) for probe in self._probes if probe.outside]
        found = search(self._tree.root, documents, paths) if paths else Found({})
        self.fault = found.fault
        for path, places in found.hits.items():
            for probe in about.get(path, ()):
                if probe.ban.id in places:
                    self.hits.setdefault(path, {}).setdefault(probe.ban.id, []).extend(places[probe.ban.id])

    def _reads(self, path: str, probes: Sequence[Probe]) -> bool:
        """True for a file that ast-grep reads; what tells it to look away from a line is a place itself."""
        if self._tree.kind(path) != "file":
            return False
        try:
            data = self._tree.read(path, LARGEST)
            data.decode("utf-8")
        except (ReadRefused, UnicodeDecodeError) as error:
            self.refused[path] = str(error) if isinstance(error, ReadRefused) else f"{path}: not UTF-8"
            return False
        for probe in probes if b"ast-grep-ignore" in data else ():
            if places := suppressions(data, probe.ban.id):
                self.hits.setdefault(path, {}).setdefault(probe.ban.id, []).extend(places)
        return True
