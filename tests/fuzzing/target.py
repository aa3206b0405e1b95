"""What a fuzzing target is, and the little that the tables of targets share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cache
from glob import glob
from typing import Any, NamedTuple

from tests.support import PROJECT

Run = Callable[[bytes], object]

FOUND = os.path.join(os.path.dirname(__file__), "found")
"""Inputs that once broke something, `found/<target>/<name>`: each is a seed for ever."""


class Target(NamedTuple):
    """One parser of ours, as something that takes bytes.

    `name` is the function from below `goblin`, as `facts.record.parse`; a word behind a colon tells
    two targets of one function apart. `run` gives it bytes, takes all of its answer, and asserts what
    must hold of that. `raises` are the errors that it documents; any other is a finding. `seeds` are
    inputs to start from: text, bytes, or `@` and a pattern of files of the project. `through` names the
    functions that it reaches besides its own.
    """

    name: str
    run: Run
    seeds: tuple[str | bytes, ...] = ()
    raises: tuple[type[Exception], ...] = ()
    through: tuple[str, ...] = ()

    def survives(self, data: bytes) -> None:
        """Give it these bytes; what it documents to raise is no finding, all else passes through."""
        try:
            self.run(data)
        except self.raises:
            return

    def inputs(self) -> tuple[bytes, ...]:
        """Its seeds, and what it once broke on."""
        return (b"", *_files(self.seeds), *_files((f"@{FOUND}/{self.name.replace(':', '-')}/*",)))


@cache
def _files(seeds: tuple[str | bytes, ...]) -> tuple[bytes, ...]:
    found: list[bytes] = []
    for seed in seeds:
        if isinstance(seed, str) and seed.startswith("@"):
            for path in sorted(glob(os.path.join(PROJECT, seed[1:]), recursive=True)):
                with open(path, "rb") as stream:
                    found.append(stream.read())
        else:
            found.append(seed.encode("utf-8", "surrogateescape") if isinstance(seed, str) else seed)
    return tuple(found)


def text(function: Callable[[str], object]) -> Run:
    """For a function that takes text: bytes that are no UTF-8 come as `os.fsdecode` gives them."""
    return lambda data: taken(function(data.decode("utf-8", "surrogateescape")))


def utf8(function: Callable[[str], object]) -> Run:
    """For a function that takes text of which its callers know that it was UTF-8."""
    return lambda data: taken(function(data.decode("utf-8", "replace")))


def whole(function: Callable[[bytes], object]) -> Run:
    """For a function that takes bytes; an answer that comes piece by piece is taken to its end."""
    return lambda data: taken(function(data))


def taken(value: Any) -> Any:
    """All of an answer."""
    if isinstance(value, Iterable) and not isinstance(value, str | bytes | dict | list | tuple):
        return list(value)
    return value


def parted(data: bytes, most: int = 3) -> list[str]:
    """Several texts out of one input, parted by NUL; always `most` of them."""
    found = [part.decode("utf-8", "surrogateescape") for part in data.split(b"\0", most - 1)]
    return found + [""] * (most - len(found))


def gives_back(write: Callable[[Any], bytes], read: Callable[[bytes], Any], known: Any) -> None:
    """What is written is read back as it was."""
    again = read(write(known))
    assert again == known, f"written and read back, {known!r} is {again!r}"
