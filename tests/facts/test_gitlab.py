"""`.gitlab-ci.yml` where its words mean what those of the other forges mean."""

from __future__ import annotations

import time

import pytest

from goblin import yaml
from goblin.facts import workflows
from goblin.facts.cigate import assess
from goblin.facts.jobs import Job, Workflow


def parsed(text: str) -> Workflow:
    """A file of this text."""
    return workflows.read(".gitlab-ci.yml", yaml.load(text.encode(), ".gitlab-ci.yml", merge=True))


def job(text: str, name: str = "a") -> Job:
    """One job of a file."""
    found = parsed(text).job(name)
    assert found is not None
    return found


def test_jobs_are_the_mappings_that_are_no_keyword_and_not_hidden() -> None:
    """In file order."""
    text = (
        "stages: [x]\nvariables: {A: b}\n.b: {script: x}\na: {script: x}\npages: {script: y}\nworkflow: {}\n"
    )
    assert [one.name for one in parsed(text).jobs] == ["a", "pages"]


def test_a_script_is_what_runs_before_it_and_its_lines_in_one_shell() -> None:
    """The nearest `before_script`; nested lists are flat; references to other jobs are followed."""
    text = (
        "before_script: [one]\n.s: {script: [three, four]}\n"
        "a: {script: [two, !reference [.s, script], [five]]}\nb: {before_script: [], script: six}\n"
    )
    assert job(text).steps[0].script == "one\ntwo\nthree\nfour\nfive"
    assert job(text, "b").steps[0].script == "six"


def test_extends_is_merged_and_the_job_itself_wins() -> None:
    """Later parents over earlier ones, mappings merged, and conditions come with it."""
    text = (
        ".x: {script: x, rules: [{if: $A}], variables: {B: c}}\n.y: {extends: .x, script: y}\n"
        "a: {extends: [.x, .y]}\nb: {extends: .y, script: z, rules: [{when: always}]}\n"
    )
    assert job(text).steps[0].script == "y"
    assert [one.key for one in job(text).conditions] == ["rules"]
    assert job(text, "b").steps[0].script == "z"
    assert job(text, "b").conditions == ()


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("a: {stage: x}", False),
        ("a: {script: }", False),
        ("a: {script: []}", False),
        ("a: {script: x}", True),
        ("a: {trigger: x/y}", True),
        ("a: {extends: .from-an-include}", True),
        ("a: {extends: a}", True),
        ("include: [{template: Security/SAST.gitlab-ci.yml}]\na: {stage: x}", True),
    ],
)
def test_a_job_that_runs_nothing(text: str, runs: bool) -> None:
    """What comes from an include is not known."""
    assert bool(job(text).faults) is not runs


@pytest.mark.parametrize("text", ["", "x", "[a]", "stages: [a]", ".a: {script: x}"])
def test_a_file_without_jobs(text: str) -> None:
    """Unless it includes others."""
    assert parsed(text).faults
    assert not parsed("include: x.yml").faults


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ("rules: [{if: $A}]", ["rules"]),
        ("rules: [{changes: [a]}]", ["rules"]),
        ("rules: [{when: never}]", ["rules"]),
        ("rules: [{when: on_success}]", []),
        ("rules: x", ["rules"]),
        ("rules: []", ["rules"]),
        ("rules: [{if: $A}, {when: always}]", []),
        ("rules: [{if: $A, when: never}, {when: always}]", ["rules"]),
        ("rules: [{if: $A, when: manual}, {when: on_success}]", ["rules"]),
        ("rules: [{when: always}, {if: $A, when: never}]", []),
        ("only: [main]", ["only"]),
        ("except: [tags]", ["except"]),
        ("when: manual", ["when"]),
        ("when: on_failure", ["when"]),
        ("when: always", []),
        ("when: delayed", []),
        ("needs: [b]", []),
    ],
)
def test_conditions(line: str, keys: list[str]) -> None:
    """What decides whether a job runs; a failed need fails the pipeline there."""
    assert [one.key for one in job(f"a:\n  script: x\n  {line}\n").conditions] == keys


@pytest.mark.parametrize(
    ("value", "lenient"), [("true", True), ("{exit_codes: 3}", True), ("false", False), ("", False)]
)
def test_a_job_that_may_fail(value: str, lenient: bool) -> None:
    """Unless it is off."""
    assert bool(job(f"a:\n  script: x\n  allow_failure: {value}\n").lenient) is lenient
    ruled = job(
        f"a:\n  script: x\n  rules:\n    - if: $A\n      allow_failure: {value}\n    - when: always\n"
    )
    assert [setting.line for setting in ruled.lenient] == [5] * lenient


def test_the_whole_verify_is_a_gate_there_too() -> None:
    """On every push, unless `workflow` limits when a pipeline is made."""
    text = "a:\n  script: ['.goblin/bin/goblin-verify | tee log']\n"
    (plain,) = assess([parsed(text)], {}, "main").gatings
    assert (plain.accepted, plain.triggers.events) == (True, ("push",))
    (limited,) = assess([parsed(f"workflow: {{rules: [{{if: $A}}]}}\n{text}")], {}, "main").gatings
    assert not limited.accepted
    assert limited.triggers.refusals[0].message == "`rules` of `workflow` leave changes out"


def test_jobs_that_extend_one_another_cost_no_more_than_their_number() -> None:
    """Parents of parents are worked out once; a circle ends."""
    lines = [
        f".j{n}: {{extends: [{', '.join(f'.j{n + 1}' for _ in range(40))}], script: x}}" for n in range(40)
    ]
    started = time.monotonic()
    parsed("\n".join([*lines, "a: {extends: .j0}", "b: {extends: c, script: x}", "c: {extends: b}"]))
    assert time.monotonic() - started < 20
