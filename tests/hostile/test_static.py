"""`--static` runs nothing that the repository declares: a canary in every place that can hold a command."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from goblin import home
from goblin.manifest import COLUMNS, TABLES
from tests.hostile.canary import Canary
from tests.support import Repo, Result, run_cli
from tests.support.loops import digest, record, row
from tests.support.mini import table

CONFIG = ".goblin/goblin.yaml"
MATRIX = ".goblin/manifest/enforcement.tsv"
BANS = ".goblin/manifest/bans.tsv"
VERIFY = ".goblin/bin/goblin-verify"

KEYS = {
    "gates[].cmd": "gate",
    "ratchet.cmd": "ratchet",
    "replay.cmd": "replay",
    "verify_doctor": "doctor",
    "perf.cmd": "measurement",
    "security.audit_cmd": "audit",
    "judge_rederive": "predicate",
}
"""The keys of the config that hold a command, or let one run, with the name of the canary in each."""

DECLARED = """\
class: A
branch: main
archive: false
owner_email: author@example.invalid
security: {{audit_cmd: "{audit}"}}
perf: {{metric: n, cmd: "{measurement}"}}
verify_doctor: "{doctor}"
judge_rederive: yes
gates: [{{name: g, cmd: "{gate}"}}]
ratchet: {{name: n, cmd: "{ratchet}; echo 1", ceiling: 1}}
replay: {{env: X, cmd: "{replay}; test -f {{path}} && exit 1", commit: {commit}}}
bans: [BN-01, OWN-07]
"""
"""A config with a command in each of them, for `str.format`."""

ELSEWHERE = (
    *("own-row", "own-function", "own-ban", "own-control", "shipped-row", "shipped-ban"),
    *("control", "harness", "producer", "script"),
)
"""The canaries in other files."""

RUN_BY_A_FULL_RUN = (
    *("gate", "ratchet", "replay", "doctor", "predicate"),
    *("own-row", "own-function", "shipped-row", "shipped-ban"),
)
"""Those that sing without `--static`, which shows that they could."""


class Round(NamedTuple):
    """One run of each kind: its result, and the canaries that sang."""

    results: dict[str, Result]
    marks: dict[str, list[str]]


def plant(repo: Repo, canary: Canary) -> None:
    """Put a canary everywhere."""
    run = canary.command
    commands = {name: run(name) for name in KEYS.values() if name != "predicate"}
    usual = {"scope": "target", "enforced_by": "script", "rule": "a rule", "artifact": "x", "remedy": "x"}
    rows = []
    for name, check in (("OWN-01", run("own-row")), ("OWN-02", "rules/own.py::function")):
        cells = {**dict.fromkeys(COLUMNS, "-"), **usual, "id": name, "check": check}
        rows.append(tuple(cells[column] for column in COLUMNS))
    ban = ("OWN-07", "a ban", "src", run("own-ban"), "x", "none", "x", "x")
    swapped = "\n".join(
        line.replace("ast:bans/BN-01.yml", run("shipped-ban")) for line in repo.read(BANS).split("\n")
    )
    matrix = [line.split("\t") for line in repo.read(MATRIX).split("\n")]
    for line in matrix:
        if line[0] == "CL-02":
            line[COLUMNS.index("check")] = run("shipped-row")
    predicate = f"{run('predicate')}; test -f loop-is-done\n"
    done = row("10:00", "predicate:green", f"sha:{repo.head}", decision="verdict:done")
    loop = record(
        [done], predicate=predicate, predicate__sha256=digest(predicate) + "\n", control=run("control")
    )
    repo.write(
        {
            CONFIG: DECLARED.format(**commands, commit=repo.head),
            MATRIX: "\n".join("\t".join(line) for line in matrix),
            BANS: swapped,
            ".goblin/rules/enforcement.tsv": table(COLUMNS, rows),
            ".goblin/rules/bans.tsv": table(TABLES["bans.tsv"], [ban]),
            ".goblin/rules/controls.tsv": table(
                TABLES["controls.tsv"], [("OWN-01", "c", run("own-control"), "FAIL", "x")]
            ),
            ".goblin/rules/own.py": canary.module("own-function") + "def function(tree):\n    return None\n",
            "checks/harness.sh": f"#!/bin/sh\n{run('harness')}\nexit 1\n",
            ".goblin/automations/own.py": "#!/usr/bin/env python3\n" + canary.module("producer"),
            "package.json": json.dumps(
                {"name": "x", "scripts": {"test": run("script"), "install": run("script")}}
            ),
            "Makefile": f"all:\n\t{run('script')}\n",
            "conftest.py": canary.module("script"),
            "src/app.ts": "export const answer: any = 42;\n",
            **loop,
        }
    )


@pytest.fixture(scope="module")
def done(installed_sample: Repo, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Round]:
    """One planted copy of the sample, looked at in every way that runs nothing, and last with a full run."""
    place = tmp_path_factory.mktemp("static")
    shutil.copytree(installed_sample.root, place / "repo", symlinks=True)
    repo, canary = Repo(place / "repo"), Canary(place / "canary")
    plant(repo, canary)
    repo.commit("canaries")
    rounds = Round({}, {})
    for name, command in {
        "static": ("goblin-verify", "--static"),
        "static, by the copy": (str(repo / VERIFY), "--static", "--no-cache"),
        "the list": ("goblin-verify", "--list"),
        "an explanation": ("goblin-verify", "--explain", "OWN-01"),
        "bans": ("goblin-bans",),
        "full": ("goblin-verify",),
    }.items():
        rounds.results[name] = run_cli(*command, cwd=repo)
        rounds.marks[name] = canary.marks()
        canary.forget()
    yield rounds
    shutil.rmtree(place)


def test_every_key_that_holds_a_command_has_a_canary() -> None:
    """By the published schema: a new key of the kind must be planted here."""
    with open(home.path("schemas", "config.schema.json"), encoding="utf-8") as stream:
        schema = json.load(stream)
    found = set()

    def walk(node: dict[str, object], path: str) -> None:
        for key, value in node.get("properties", {}).items():  # type: ignore[attr-defined]
            here = f"{path}{key}"
            if key.endswith("cmd") or re.search("command|executes", value.get("description", "")):
                found.add(here)
            walk(value, f"{here}.")
            walk(value.get("items", {}), f"{here}[].")

    walk(schema, "")
    assert found == KEYS.keys()


@pytest.mark.parametrize("how", ["static", "static, by the copy", "the list", "an explanation"])
def test_nothing_is_run(done: Round, how: str) -> None:
    """No canary sings, and what is left out says so."""
    assert done.marks[how] == []
    assert done.results[how].code in (0, 1)
    assert done.results[how].out


def test_what_is_left_out_is_shown(done: Round) -> None:
    """A SKIP with its reason for each row that would run a command."""
    out = done.results["static"].out
    skipped = {line.split()[1] for line in out.split("\n") if line.startswith("SKIP") and "--static" in line}
    assert {"GT-02", "GT-05", "HS-02", "VA-01", "JG-04", "OWN-01", "OWN-02", "CL-02", "BN-01"} <= skipped


def test_the_canaries_do_sing(done: Round) -> None:
    """In a full run, which is for a repository that one trusts."""
    assert set(RUN_BY_A_FULL_RUN) <= set(done.marks["full"])
    assert set(done.marks["full"]) <= {*KEYS.values(), *ELSEWHERE}
    assert "own-ban" in done.marks["bans"]
    assert not {"audit", "measurement", "own-control", "control", "script"} & set(done.marks["full"])
