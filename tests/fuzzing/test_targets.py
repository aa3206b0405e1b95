"""Every parser of ours survives what a hostile repository holds: it answers, or raises what it documents."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzzing.exempt import NO_PARSER
from tests.fuzzing.target import FOUND
from tests.fuzzing.targets import TARGETS
from tests.support import PROJECT
from tests.support.mutated import UNITS, mutated

EXAMPLES = 12
"""Inputs a target; `scripts/fuzz` tries millions."""

LENGTH = 1100
"""How often a unit is said: deeper than the interpreter recurses."""

TURNS = 4
"""A target takes every fourth unit, and the next target the next ones; `scripts/fuzz --growth` tries all."""

names = pytest.mark.parametrize("name", sorted(TARGETS))


@names
def test_what_once_broke_it_and_what_it_starts_from(name: str) -> None:
    """Its seeds are read without a finding."""
    for data in TARGETS[name].inputs():
        TARGETS[name].survives(data)


@names
def test_an_edited_file_is_read_or_refused(name: str) -> None:
    """Whatever is put into a real file, taken out of it or said again."""
    target = TARGETS[name]
    seeds = [seed[:2000] for seed in target.inputs()]

    @settings(max_examples=EXAMPLES, database=None, suppress_health_check=list(HealthCheck))
    @given(mutated(seeds))
    def survives(data: bytes) -> None:
        target.survives(data)

    survives()


@names
def test_what_is_said_again_and_again_is_read_or_refused(name: str) -> None:
    """No nesting is too deep, no line too long: each target has its turn of the units."""
    first = sorted(TARGETS).index(name)
    for unit in UNITS[first % TURNS :: TURNS]:
        TARGETS[name].survives(unit * LENGTH)


# --- the registry is whole ----------------------------------------------------------------------------

ELSEWHERE = ("commands/", "generated/", "report/", "server/")
"""Folders that read nothing of the repository under test by themselves."""

BYTES = ("bytes", "bytes | None")
WORDS = frozenset(
    [
        "text",
        "script",
        "source",
        "cell",
        "symptom",
        "literal",
        "pattern",
        "word",
        "line",
        "output",
        "document",
    ]
)
"""What a parameter is called that holds something out of a file."""


def _parsers() -> Iterator[str]:
    """Every public function, and every class, whose first parameter is bytes or text out of a file."""
    for top, _, files in os.walk(PROJECT / "src" / "goblin"):
        for file in files:
            path = os.path.relpath(os.path.join(top, file), PROJECT / "src" / "goblin")
            if file.endswith(".py") and not path.startswith(
                ("commands/", "generated/", "report/", "server/")
            ):
                module = path[:-3].replace("/", ".").removesuffix(".__init__")
                with open(os.path.join(top, file), "rb") as stream:
                    yield from (f"{module}.{name}" for name in _named(ast.parse(stream.read())))


def _named(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and _takes_content(node.args.args):
            yield node.name
        if not isinstance(node, ast.ClassDef):
            continue
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and method.name in ("__init__", "of", "read"):
                taken = any(_takes_content([argument]) for argument in method.args.args[1:3])
                yield from [node.name] if taken else []


def _takes_content(arguments: list[ast.arg]) -> bool:
    if not arguments or arguments[0].annotation is None:
        return False
    kind = ast.unparse(arguments[0].annotation)
    return kind in BYTES or (kind == "str" and arguments[0].arg in WORDS)


def _public(name: str) -> bool:
    return not name.rpartition(".")[2].startswith("_")


def test_every_parser_is_a_target() -> None:
    """A function that takes what stands in a file is fuzzed, or `exempt.py` says why it need not be."""
    covered = {target.name.partition(":")[0] for target in TARGETS.values()}
    covered.update(name for target in TARGETS.values() for name in target.through)
    found = set(filter(_public, _parsers()))
    assert found - covered - NO_PARSER.keys() == set()


def test_no_exemption_is_left_over() -> None:
    """What is exempt exists, and is no target."""
    assert NO_PARSER.keys() <= set(_parsers())


def test_what_was_found_belongs_to_a_target() -> None:
    """A seed under a name that no target has would never be tried again."""
    known = {name.replace(":", "-") for name in TARGETS}
    assert set(os.listdir(FOUND) if os.path.isdir(FOUND) else ()) <= known


@given(st.data())
@settings(max_examples=20)
def test_a_mutated_seed_is_bytes(data: st.DataObject) -> None:
    """Also from an empty seed."""
    assert isinstance(data.draw(mutated([b""])), bytes)
