"""Carrying out a plan: the ledger first, then the files, and all of it taken back where one write fails.

A row stands before the file does. A process that is killed between the two leaves rows whose files are
still as they were, which an undo and the next emission can tell by the digests.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress

from goblin import __version__, clock
from goblin.emit import Refused
from goblin.emit.ledger import Ledger, Row, digest
from goblin.emit.plan import Change


def carry_out(ledger: Ledger, platform: str, scope: str, changes: Sequence[Change]) -> None:
    """Write what differs, and record it.

    Raises `Refused` where a write fails: then every file, folder and row is as before.
    """
    rows = ledger.rows()
    stamp = clock.stamp()
    added = [
        Row(platform, scope, change.place.full, digest(change.old), digest(change.new), __version__, stamp)
        for change in changes
        if _is_recorded(change, platform, scope, rows)
    ]
    if not added:
        return
    changed = [change for change in changes if change.old != change.new]
    made = dict.fromkeys(
        folder for change in changed if change.new is not None for folder in change.place.missing_folders()
    )
    folders = ledger.folders()
    try:
        for change in changed:
            if change.old is not None:
                ledger.keep(change.place.full, change.old)
        ledger.save_folders({**folders, **dict.fromkeys(made, stamp)})
        ledger.save([*rows, *added])
        perform(changed, list(made))
    except BaseException as error:
        with suppress(OSError):
            ledger.save(rows)
            ledger.save_folders(folders)
            ledger.forget(added)
        if isinstance(error, OSError):
            raise failed(error) from error
        raise


def failed(error: OSError) -> Refused:
    """What is said of a write that failed and was taken back."""
    told = f"could not write {error.filename or ''}: {error.strerror}; nothing was changed"
    return Refused(told, "mend what stands in the way, then run it again")


def _is_recorded(change: Change, platform: str, scope: str, rows: Sequence[Row]) -> bool:
    """True for a write, and for a file that another platform shares: who needs it is counted."""
    if change.old != change.new:
        return True
    here = [row for row in rows if row.path == change.place.full]
    return bool(here) and not any((row.platform, row.scope) == (platform, scope) for row in here)


def perform(changes: Sequence[Change], made: Sequence[str] = ()) -> None:
    """Change the files; raises `OSError` with all of them, and the folders in `made`, as before."""
    done: list[Change] = []
    try:
        for change in changes:
            done.append(change)
            change.place.put_back(change.new)
    except BaseException:
        for change in reversed(done):
            with suppress(OSError):
                change.place.put_back(change.old)
        for folder in reversed(made):
            with suppress(OSError):
                os.rmdir(folder)
        raise
