"""`--re-pin`: record the hash that the house standard has now, and nothing else (spec install 10).

A pin that follows its file by itself would pin nothing, so no verify and no upgrade ever does this.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from goblin import clock
from goblin.install import config, preflight, standard
from goblin.install.disk import Disk
from goblin.install.journal import Change
from goblin.install.session import CONSOLE, DONE, REFUSED, Output, Session, answered
from goblin.install.target import look
from goblin.outcome import CannotRun
from goblin.redact import clean
from goblin.yaml import YamlError, scalar, set_key

KEY = "practice_sha256"
HISTORY = ".goblin/pins.tsv"
HEADER = "date\tpath\told\tnew\n"
"""The pins that were accepted before; the project's own record."""


class Pinning(NamedTuple):
    """The options as they were given."""

    target: str
    dry_run: bool = False


def re_pin(pinning: Pinning, output: Output = CONSOLE, make_disk: Callable[[str], Disk] = Disk) -> int:
    """Pin the standard as it is now and return 0, or 1 where the write is refused or fails.

    Raises `CannotRun` (exit 2) without a config, a `practice:`, the file that it names, or a line to change.
    """
    target = look(pinning.target)
    session = Session(target, make_disk(target.root), output, dry_run=pinning.dry_run)
    return answered(output, target.root, lambda: session.run(lambda: _re_pin(pinning, session)))


def _re_pin(pinning: Pinning, session: Session) -> int:
    say, disk = session.output.say, session.disk
    known = config.read(disk)
    if known is None:
        raise CannotRun(f"nothing to re-pin: there is no {config.PATH} here", "install first")
    path = known.text("practice").strip()
    if not path:
        raise CannotRun(
            f"no practice: recorded in {config.PATH}", "set practice: to the path of the standard"
        )
    if KEY not in known.tree:
        raise CannotRun(f"there is no {KEY}: line in {config.PATH}", f"add the line {KEY}:")
    old, new = known.text(KEY).strip(), _hash(disk.root, path)
    if old.lower() == new:
        say("practice pin already current")
        return DONE
    told = [f"  recorded {clean(old) or '(none)'}", f"  now      {new}"]
    if pinning.dry_run:
        for line in (f"would re-pin: {clean(path)}", *told):
            say(line)
        return DONE
    try:
        edited = set_key(known.data, KEY, scalar(new), config.PATH)
    except YamlError as error:
        raise CannotRun(str(error), f"set {KEY}: {new} by hand") from error
    preflight.check(disk, [config.PATH, HISTORY])
    past = disk.read(HISTORY)
    row = "\t".join([str(clock.today()), *(clean(cell).replace("\t", "\\t") for cell in (path, old, new))])
    history = (
        HEADER.encode() if not past else past if past.endswith(b"\n") else past + b"\n"
    ) + f"{row}\n".encode()
    session.commit([Change(HISTORY, history, past, 0o644), Change(config.PATH, edited, known.data)])
    if disk.read(config.PATH) != edited:
        session.output.complain(
            f"error: {config.PATH} does not hold what was written to it; nothing is claimed"
        )
        return REFUSED
    for line in (f"practice re-pinned: {clean(path)}", *told, *_steps()):
        say(line)
    return DONE


def _hash(root: str, path: str) -> str:
    """The hash of the standard; a relative path starts at the repository's root, as for IN-02."""
    place = os.path.expanduser(path) if path.startswith("~/") else path
    try:
        found = standard.hashed(os.path.join(root, place))
    except standard.Unreadable as problem:
        raise CannotRun(f"practice {path}: {problem}", "name a regular file under practice:") from problem
    if found is None:
        raise CannotRun(f"practice {path} is not there", "bring the file back, or correct practice:")
    return found


def _steps() -> list[str]:
    return [
        "next:",
        "  1. read what changed in the standard: the pin now vouches for it",
        f"  2. commit: git add {config.PATH} {HISTORY} && git commit",
        "  3. verify: .goblin/bin/goblin-verify --only IN-02",
    ]
