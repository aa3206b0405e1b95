"""What writes one file outside of the installer, cut at every system call that changes something.

Each writer is run once for real, and what it hands to `atomic.write` is written again and again: with one
call that fails, and in a process that ends before that call. The file is the old one or the new one.
"""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from goblin import atomic, baseline, cache
from goblin.server import registration
from tests.install.faults import in_child
from tests.support import Repo
from tests.support.mini import facts_of

CALLS = ("open", "fchmod", "write", "fsync", "replace", "unlink")
ERRORS = (errno.ENOSPC, errno.EACCES, errno.EIO)

WRITERS: dict[str, tuple[str, Callable[[Repo], object]]] = {
    "a baseline": (".goblin/baseline.tsv", lambda repo: baseline.write(facts_of(repo), ("BN-01",))),
    "waivers": (".goblin/waivers.tsv", lambda repo: baseline.open_waivers(facts_of(repo), ("BN-01",))),
    "a cache": (
        ".git/goblin/cache/own.json",
        lambda repo: cache.remember(str(repo.root / ".git"), "own.json", [1]),
    ),
    "a registration": (".mcp.json", lambda repo: registration.register(str(repo.root))),
}


def cut(patch: pytest.MonkeyPatch, at: int, stop: Callable[[], object]) -> list[str]:
    """Let `stop` run before the call of that number; the list fills with the calls that are made."""
    made: list[str] = []

    def counted(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            made.append(name)
            if len(made) == at:
                if name == "write":  # a part of it is on the disk by then
                    real(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
                stop()
            return real(*arguments, **options)

        return call

    for name in CALLS:
        patch.setattr(os, name, counted(name, getattr(os, name)))
    return made


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_is_the_old_or_the_new_one_wherever_its_writer_is_cut(
    sample: Repo, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Each call fails for each of three reasons; each call is the last of a killed process."""
    path, write = WRITERS[name]
    sample.commit("a finding", {"src/own.ts": "export const own: any = 1;\n"})
    given: list[tuple[str, bytes]] = []
    real = atomic.write

    def noted(place: str, data: bytes) -> None:
        given.append((place, data))
        real(place, data)

    with monkeypatch.context() as patch:
        patch.setattr(atomic, "write", noted)
        write(sample)
    ((place, data),) = [one for one in given if one[0] == str(sample.root / path)]
    before = data + b"old\n"

    def names() -> set[str]:
        return set(os.listdir(os.path.dirname(place)))

    def rewound() -> None:
        Path(place).write_bytes(before)
        for stray in names() - there:
            os.unlink(os.path.join(os.path.dirname(place), stray))

    there = names()
    with monkeypatch.context() as patch:
        calls = cut(patch, 0, lambda: None)
        real(place, data)
    assert calls.count("fsync") == 2
    for at, call in enumerate(calls, start=1):
        for code in ERRORS:

            def fail(code: int = code) -> None:
                raise OSError(code, os.strerror(code))

            rewound()
            with monkeypatch.context() as patch:
                cut(patch, at, fail)
                failed = False
                try:
                    real(place, data)
                except OSError as error:
                    failed = str(error.filename) == place
            assert Path(place).read_bytes() == (before if failed else data), (call, at)
            assert names() == there, f"{call} {at} left something behind"
        rewound()

        def killed(at: int = at) -> None:
            with pytest.MonkeyPatch.context() as patch:
                cut(patch, at, lambda: os.kill(os.getpid(), signal.SIGKILL))
                real(place, data)

        assert in_child(killed) == -9, (call, at)
        assert Path(place).read_bytes() in (before, data), (call, at)
        real(place, data)  # the next run
        assert Path(place).read_bytes() == data
    print(f"{name}: {len(calls)} places killed, {3 * len(calls)} failed")
