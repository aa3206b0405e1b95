"""Findings that stood in a repository before its first install: they become the baseline.

A repository with a past would start red on rules that nobody had promised it. What the lint rows find in
its own tracked files is recorded as part of that install, counted in the open, and may only become less
(docs/decisions/0010). An install that follows, an upgrade among them, never adds a line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from goblin import git, waivers
from goblin.install import content
from goblin.install.content import OWNED, Wanted
from goblin.install.disk import Disk
from goblin.install.target import Target
from goblin.install.vendor import PLAIN
from goblin.manifest import ManifestBroken
from goblin.outcome import CannotRun, CheckFailed, Finding
from goblin.waivers import BASELINE

Judge = Callable[[str, git.Repo, bytes], list[tuple[str, Finding, str]]]
"""Row, finding and fingerprint of what the lint rows find below a root, in a repository, with a config."""

SECRET = frozenset({"SC-01", "SC-03", "SC-10"})
VERIFY = ".goblin/bin/goblin-verify --write-baseline"


class Old(NamedTuple):
    """What was found, and whether it is recorded."""

    found: tuple[tuple[str, Finding, str], ...] = ()
    recorded: bool = True
    note: str = ""

    def wanted(self) -> list[Wanted]:
        """The file to make; none where there is nothing to record."""
        if not self.found or not self.recorded:
            return []
        return [Wanted(BASELINE, OWNED, PLAIN, partial(waivers.baseline_of, self.found))]

    def lines(self, *, dry_run: bool) -> list[str]:
        """What is said of it at the end."""
        if self.note or not self.found:
            return [self.note] if self.note else []
        rows = [row for row, _, _ in self.found]
        counts = ", ".join(f"{row} {rows.count(row)}" for row in sorted(set(rows)))
        some = ",".join(sorted(set(rows)))
        said = []
        if self.recorded:
            said.append(f"{'would record' if dry_run else 'recorded'} in {BASELINE}: {counts}")
            said.append(
                "  they were there before, and may only become fewer: a new one FAILs, and once some are "
                f"mended, {VERIFY} {some} takes them out"
            )
        else:
            said.append(f"findings that were there before, left red (--no-baseline): {counts}")
            said.append(f"  mend them, or record them so that they may only become fewer: {VERIFY} {some}")
        if SECRET.intersection(rows):
            said.append("  a secret among them that is real stays one: rotate it, history keeps it")
        return said


def look(
    target: Target, disk: Disk, wanted: Sequence[Wanted], config: bytes, judge: Judge | None, *, record: bool
) -> Old:
    """What the lint rows find in files that are the project's own, and not part of the install.

    Nothing is looked for without a repository, where our files stand already, and where there is a
    baseline. One that HEAD holds and somebody took away may come back, and cannot grow by that.
    """
    repo = target.repo
    standing = any(disk.status(path) is not None for path in (content.LAUNCHER, BASELINE))
    if judge is None or repo is None or standing:
        return Old()
    try:
        found = judge(target.root, repo, config)
    except (CheckFailed, CannotRun, ManifestBroken) as error:
        return Old(note=f"note: findings that were there before were not looked for: {error}")
    ours = {item.path for item in wanted}
    before = git.Git(repo).objects([f"HEAD:{BASELINE}"])[0]
    known = waivers.kept_lines(before[2]) if before else None
    kept = [
        (row, finding, name)
        for row, finding, name in found
        if finding.path not in ours and (known is None or (row, finding.path, name) in known)
    ]
    return Old(tuple(kept), record)
