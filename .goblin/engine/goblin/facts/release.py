"""Fact `release`: the release that the vendored files are held against, where `--source` names one.

The record vouches for the files and nobody for the record, so whoever edits both is seen only from
outside: by the files of the release itself. Reading those is the installer's business, which no
repository carries; the command hands the answer in. Without `--source` there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from goblin.facts.installed import FOLDERS, MISSING
from goblin.facts.record import PATH
from goblin.paths import ReadRefused

if TYPE_CHECKING:
    from goblin.facts.installed import Installed


class Release(NamedTuple):
    """The files of a release by path, with the SHA-256 of each; or why there are none to compare with.

    `note` says so of a source that is no release, `fault` of one that is not the release to compare with.
    """

    where: str
    version: str = ""
    always: Mapping[str, str] = {}
    chosen: Mapping[str, str] = {}
    framed: Mapping[str, tuple[bytes, bytes]] = {}
    note: str = ""
    fault: str = ""

    def differences(self, installed: Installed) -> list[tuple[str, str]]:
        """Each path at which the install is not this release, with how."""
        record = installed.record
        if record.version != self.version:
            return [(PATH, f"names release {record.version!r}; {self.where} is release {self.version}")]
        known = {**self.always, **self.chosen}
        found = []
        for path, digest in known.items():
            if path not in self.always and path not in record.files:
                continue
            how = installed.compare(path, digest, f"as {self.version} has it")
            if how and not (how == MISSING and installed.may_be_absent(path)):
                found.append((path, how))
        for path in record.files:
            if path in self.framed and not _framed(installed, path, *self.framed[path]):
                found.append((path, f"not as {self.version} writes it"))
            elif path not in known and path not in self.framed:
                found.append((path, f"recorded, and {self.version} has no such file"))
        beside = [path for path, _ in installed.extras() if path.startswith(FOLDERS) and path not in known]
        found += [(path, f"{self.version} has no such file") for path in beside]
        return found


def _framed(installed: Installed, path: str, head: bytes, tail: bytes) -> bool:
    """True where a file is the release's but for one text without a line break."""
    try:
        data = installed.tree.read(path)
    except ReadRefused:
        return False
    between = data[len(head) : len(data) - len(tail)]
    return data == head + between + tail and b"\n" not in between


def load() -> Callable[[], Release] | None:
    """None: no release was named."""
    return None
