"""When a workflow runs for the declared branch, and which patterns say so."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin import yaml
from goblin.facts.triggers import Triggers, judge, selects
from goblin.install.templates import yaml_quote
from goblin.yaml import Map


def triggers(text: str, branch: str = "main") -> Triggers:
    """The triggers of a workflow of this text."""
    root = yaml.load(text.encode(), "w.yml", merge=True)
    assert isinstance(root, Map)
    return judge(root.get("on"), branch, root.marks.get("on", (1, 1)))


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("on: push", ("push",)),
        ('"on": [push, pull_request]', ("push", "pull_request")),
        ("on: {push: {branches: [main]}}", ("push",)),
        ("on: {push: , pull_request: }", ("push", "pull_request")),
        ("on: {push: {branches: main}}", ("push",)),
        ("on: {push: {branches: ['*']}}", ("push",)),
        ("on: {push: {branches: [main], tags: ['v*']}}", ("push",)),
        ("on: {push: {branches-ignore: [docs/**]}}", ("push",)),
        ("on: {pull_request: {branches: ['m*']}}", ("pull_request",)),
        ("on: {pull_request: {types: [opened, synchronize, reopened, labeled]}}", ("pull_request",)),
        ("x: &b [main]\non: {push: {branches: *b}}", ("push",)),
        ("on: [push, schedule, workflow_dispatch]", ("push",)),
    ],
)
def test_what_reaches_the_branch(text: str, events: tuple[str, ...]) -> None:
    """Every way to write a trigger that runs for each change of the branch."""
    found = triggers(text)
    assert (found.events, found.refusals) == (events, ())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name: x", "it runs on nothing"),
        ("on: ~", "it runs on nothing"),
        ("on: [schedule, issues]", "it runs on issues, schedule"),
        ("on: pull_request_target", "it runs on pull_request_target"),
        ("on: workflow_call", "it runs on workflow_call"),
        ("on: {push: {tags: ['v*']}}", "for tags alone"),
        ("on: {push: {branches: [dev]}}", "`branches` under `push` leaves main out"),
        ("on: {push: {branches: ['**', '!main']}}", "leaves main out"),
        ("on: {push: {branches-ignore: ['ma*']}}", "`branches-ignore` under `push` names main"),
        ("on: {push: {paths: [src]}}", "`paths` under `push` leaves changes out"),
        ("on: {push: {paths-ignore: [docs]}}", "`paths-ignore` under `push` leaves changes out"),
        ("on: {pull_request: {types: [opened]}}", "`types` under `pull_request` lacks"),
    ],
)
def test_what_does_not_reach_it(text: str, said: str) -> None:
    """Each with the reason, on the line of the key."""
    found = triggers(text)
    assert found.events == ()
    assert said in found.refusals[0].message
    assert found.refusals[0].line == 1


def test_one_event_of_two_is_enough() -> None:
    """The other is named with its reason and its place."""
    found = triggers("on:\n  push:\n  pull_request:\n    paths: [src]\n")
    assert found.events == ("push",)
    assert [(place.line, place.column) for place in found.filters] == [(4, 5)]


def test_without_a_declared_branch_only_an_unfiltered_trigger_counts() -> None:
    """Nothing says whether a pattern would match."""
    assert triggers("on: push", "").events == ("push",)
    assert "no branch is declared" in triggers("on: {push: {branches: [main]}}", "").refusals[0].message


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("main", ["main"], ["mains", "amain", "Main"]),
        ("*", ["a", "main"], ["a/b"]),
        ("**", ["a", "a/b/c"], []),
        ("releases/**", ["releases/1", "releases/1/b"], ["release/1"]),
        ("releases/*", ["releases/1"], ["releases/1/b"]),
        ("**/docs", ["docs", "a/docs", "a/b/docs"], ["adocs", "docs/a"]),
        ("v[12].[0-9]+.[0-9]+", ["v1.10.1", "v2.0.0"], ["v3.0.0", "v1.x.0"]),
        ("colou?r", ["color", "colour"], ["colouur"]),
        ("go+d", ["god", "good"], ["gd"]),
        (r"release\+1", ["release+1"], ["releasee1"]),
        (r"wip\!x\[1\]", ["wip!x[1]"], ["wipx1"]),
        ("a[b", ["a[b"], ["ab"]),
        ("*-fix", ["a-fix", "-fix"], ["fix"]),
    ],
)
def test_patterns(pattern: str, matching: list[str], other: list[str]) -> None:
    """As the forge documents them."""
    assert [name for name in [*matching, *other] if selects([pattern], name)] == matching


def test_later_patterns_take_back_and_give_again() -> None:
    """In order; only negative ones choose nothing."""
    assert selects(["releases/**", "!releases/**-alpha"], "releases/1")
    assert not selects(["releases/**", "!releases/**-alpha"], "releases/1-alpha")
    assert selects(["**", "!a/**", "a/b"], "a/b")
    assert not selects(["!a"], "b")


@given(st.text(alphabet="abz019-_./+!]", min_size=1, max_size=30))
def test_the_installed_pattern_of_any_branch_matches_that_branch_alone(branch: str) -> None:
    """The installer escapes what a pattern would read as a sign."""
    quoted = yaml_quote(re.sub(r"([\\*?+\[\]!])", r"\\\1", branch))
    found = triggers(f"on: {{push: {{branches: [{quoted}]}}}}", branch)
    assert found.events == ("push",)
    assert triggers(f"on: {{push: {{branches: [{quoted}]}}}}", branch + "x").events == ()


@given(st.text(alphabet="ab*?+[]!\\/-", max_size=25), st.text(alphabet="ab/-", max_size=25))
def test_any_pattern_is_judged(pattern: str, name: str) -> None:
    """None crashes; the two stars match all."""
    assert selects([pattern], name) in (True, False)
    assert selects(["**"], name)


def test_a_pattern_cannot_cost_more_than_its_size() -> None:
    """No backtracking."""
    started = time.monotonic()
    assert not selects(["*a" * 200 + "x"], "a" * 2000)
    assert not selects(["**/" * 200 + "x"], "a/" * 1000)
    assert time.monotonic() - started < 10
