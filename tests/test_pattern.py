"""Patterns that wait: each is right, and behaves as the pattern that it stands for."""

from __future__ import annotations

import importlib
import pkgutil
import re
from types import ModuleType

import pytest

import goblin
from goblin import pattern
from tests.support import PROJECT


def modules() -> list[ModuleType]:
    """Every module of the engine that needs nothing extra, and every check."""
    names = [found.name for found in pkgutil.walk_packages(goblin.__path__, "goblin.")]
    names += [f"checks.{path.stem}" for path in sorted((PROJECT / "checks").glob("*.py"))]
    return [importlib.import_module(name) for name in names if "_vendor" not in name]


def test_every_waiting_pattern_can_be_compiled() -> None:
    """One that cannot would be told only where it is first used."""
    found = {
        f"{module.__name__}.{name}": value
        for module in modules()
        for name, value in vars(module).items()
        if isinstance(value, pattern._Lazy)
    }
    assert len(found) > 100
    assert [name for name, value in found.items() if not isinstance(value.pattern, str | bytes)] == []


def test_it_does_what_the_pattern_does() -> None:
    """Every method, before and after the first use."""
    for _ in range(2):
        one = pattern.lazy(r"(a)(b)?", re.IGNORECASE)
        assert one.pattern == r"(a)(b)?"
        assert one.sub("x", "cAb") == "cx"
        assert [match.span() for match in one.finditer("ab a")] == [(0, 2), (3, 4)]
        assert one.split("1a2") == ["1", "a", None, "2"]
        match = one.fullmatch("ab")
        assert match is not None
        assert match.groups() == ("a", "b")
        assert one.flags & re.IGNORECASE


def test_bytes_are_searched_in_bytes() -> None:
    """The kind is that of the source."""
    assert pattern.lazy(rb"a+").findall(b"caab") == [b"aa"]


def test_a_wrong_pattern_is_told_of_at_its_first_use() -> None:
    """As `re` tells it."""
    wrong = pattern.lazy("(")
    with pytest.raises(re.error, match="missing"):
        wrong.search("")
