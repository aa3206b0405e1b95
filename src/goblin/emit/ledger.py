"""The ledger of one machine: which file was written for which platform, and the bytes that stood there.

`~/.goblin-stack/emissions.tsv` (`$GOBLIN_EMISSIONS`) has one row a write. The old bytes lie below
`~/.goblin-stack/preimages/` (`$GOBLIN_PREIMAGES`), keyed by their digest and by the path, readable by
their owner alone. Folders that were made are listed beside the ledger. Every write is atomic, and one
process at a time may hold the ledger.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import NamedTuple

from goblin import atomic, tables
from goblin.emit import Refused

COLUMNS = ("platform", "scope", "path", "sha256_before", "sha256_after", "goblin_version", "recorded_at")
FOLDER_COLUMNS = ("path", "recorded_at")
HOME = os.path.join("~", ".goblin-stack")
ABSENT = "-"
"""The digest of a file that is not there."""

LIMIT = 16 << 20
PRIVATE = 0o600


class Row(NamedTuple):
    """One write. `path` is absolute; a digest is `-` where no file stood or none was left."""

    platform: str
    scope: str
    path: str
    before: str
    after: str
    version: str
    recorded_at: str


def digest(data: bytes | None) -> str:
    """The digest of a file's bytes, `-` for none."""
    return ABSENT if data is None else hashlib.sha256(data).hexdigest()


class Ledger:
    """The ledger, held by this process within a `with`. Raises `Refused` for what it cannot use."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        home = os.path.expanduser(HOME)
        self.path = os.path.abspath(environ.get("GOBLIN_EMISSIONS") or os.path.join(home, "emissions.tsv"))
        self.preimages = os.path.abspath(environ.get("GOBLIN_PREIMAGES") or os.path.join(home, "preimages"))
        self.folder_list = os.path.join(os.path.dirname(self.path), "folders.tsv")
        self._lock = -1

    def __enter__(self) -> Ledger:
        import fcntl

        folder = os.path.dirname(self.path)
        try:
            os.makedirs(folder, mode=0o700, exist_ok=True)
            self._lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._lock)
            told = f"another goblin-emit holds the ledger {self.path}"
            raise Refused(told, "wait for it to end, then try again") from error
        except OSError as error:
            if self._lock >= 0:
                os.close(self._lock)
            told = f"the ledger cannot be kept in {folder}: {error.strerror}"
            raise Refused(told, "name a place with $GOBLIN_EMISSIONS") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._lock)  # which frees the lock
        self._lock = -1

    # --- rows ------------------------------------------------------------------------------------

    def rows(self) -> tuple[Row, ...]:
        """Every row in the order written; none where there is no ledger yet."""
        return tuple(Row(*cells) for cells in _read(self.path, COLUMNS))

    def save(self, rows: Sequence[Row]) -> None:
        """Replace the rows. Raises `Refused` for a path that no table can hold, and `OSError`."""
        try:
            data = tables.write(COLUMNS, rows)
        except ValueError as error:  # a line break in a name, or bytes that are not UTF-8
            raise Refused(f"the ledger cannot hold it: {error}", "rename that folder") from error
        atomic.write(self.path, data, PRIVATE)

    # --- folders ---------------------------------------------------------------------------------

    def folders(self) -> dict[str, str]:
        """The folders that were made, with when."""
        return {cells[0]: cells[1] for cells in _read(self.folder_list, FOLDER_COLUMNS)}

    def save_folders(self, folders: Mapping[str, str]) -> None:
        """Replace the list of folders."""
        if folders or os.path.lexists(self.folder_list):
            atomic.write(self.folder_list, tables.write(FOLDER_COLUMNS, folders.items()), PRIVATE)

    # --- old bytes -------------------------------------------------------------------------------

    def _kept(self, path: str, sha256: str) -> str:
        key = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
        return os.path.join(self.preimages, sha256, key)

    def keep(self, path: str, data: bytes) -> None:
        """Keep the bytes that stand at `path`."""
        kept = self._kept(path, digest(data))
        os.makedirs(os.path.dirname(kept), mode=0o700, exist_ok=True)
        atomic.write(kept, data, PRIVATE)

    def kept(self, path: str, sha256: str) -> bytes | None:
        """The bytes that once stood at `path`, None for `-`; raises `Refused` where they are lost."""
        if sha256 == ABSENT:
            return None
        place = self._kept(path, sha256)
        try:
            with open(place, "rb") as stream:
                data = stream.read(LIMIT + 1)
        except OSError as error:
            raise Refused(f"the old bytes of {path} are lost: {place}: {error.strerror}") from error
        if digest(data) != sha256:
            raise Refused(f"the old bytes of {path} were changed: {place}", "restore that file by hand")
        return data

    def forget(self, dropped: Iterable[Row]) -> None:
        """Remove the old bytes that only these rows needed."""
        needed = {(row.path, row.before) for row in self.rows()}
        for row in dropped:
            if row.before == ABSENT or (row.path, row.before) in needed:
                continue
            kept = self._kept(row.path, row.before)
            for remove, path in ((os.unlink, kept), (os.rmdir, os.path.dirname(kept))):
                try:
                    remove(path)
                except OSError:  # gone already, or another path's bytes lie there too
                    break


def _read(path: str, columns: Sequence[str]) -> list[tuple[str, ...]]:
    try:
        with open(path, "rb") as stream:
            data = stream.read(LIMIT + 1)
        if len(data) > LIMIT:
            raise Refused(f"{path} is larger than {LIMIT >> 20} MiB")
        return [record.cells for record in tables.read(data, columns, path)]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}") from error
    except tables.TableError as error:
        raise Refused(str(error), "mend that line; it says what goblin-emit may take back") from error
