"""What a control's text means: the same in the proof's own process and in a shell."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from goblin import home, mutate, prove
from goblin.manifest import read_folder
from goblin.process import run_shell
from tests.support import PROJECT

SHELL = {
    "PATH": os.environ["PATH"],
    "LC_ALL": "C.UTF-8",
    "GOBLIN_PYTHON": sys.executable,
    "GOBLIN_MUTATE": str(PROJECT / "src/goblin/mutate.py"),
}

TEXTS = [
    "write a/b.txt one",
    "write a 'x y' && append a \"z 'w'\"; swap a x 'q\\nr'",
    'write a "tab\\there and \\d"\nappend a ""',
    "write a 'one'\"two\"three && append 'a' -- ",
    "append a a=b; append a -x,y%z:@+",
    "write a 'it''s'",
    "write a 'é ! # * ? [x] {y} ~ $z `w`'",
]
"""Controls that need no shell."""

REST = [
    ("write a b > c", [], "write a b > c"),
    ("write a $(date)", [], "write a $(date)"),
    ('write a "$b"', [], 'write a "$b"'),
    ('write a "x\\"y"', [], 'write a "x\\"y"'),
    ("write a b || true", [], "write a b || true"),
    ("write a b | cat", [], "write a b | cat"),
    ("write a b &", [], "write a b &"),
    ("write a *", [], "write a *"),
    ("write a ~", [], "write a ~"),
    ("write a {b,c}", [], "write a {b,c}"),
    ("write a b # why", [], "write a b # why"),
    ("x=1; write a b", [], "x=1; write a b"),
    ("if write a b; then true; fi", [], "if write a b; then true; fi"),
    ("writes a b", [], "writes a b"),
    ("write a b; x=1 && write c $x", [["write", "a", "b"]], "x=1 && write c $x"),
    ("write a b && commit", [["write", "a", "b"]], "commit"),
]


@pytest.mark.parametrize(("text", "calls", "rest"), REST, ids=[text for text, _, _ in REST])
def test_what_only_a_shell_can_read_is_left_to_it(text: str, calls: list[list[str]], rest: str) -> None:
    """From the first word on that a shell would change."""
    assert mutate.split(text) == (calls, rest)


@pytest.mark.parametrize("text", TEXTS)
def test_a_shell_would_have_done_the_same(text: str, tmp_path: Path) -> None:
    """File for file, byte for byte."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    calls, rest = mutate.split(text)
    assert calls
    assert rest == ""
    for call in calls:
        mutate.edit(str(here), call)
    done = run_shell(mutate.PRELUDE + text, str(there), SHELL, 60)
    assert done.code == 0, done.output
    found = [
        {path.name: path.read_bytes() for path in root.rglob("*") if path.is_file()} for root in (here, there)
    ]
    assert found[0] == found[1] != {}


def test_the_words_of_every_shipped_control_are_those_of_a_shell(tmp_path: Path) -> None:
    """All of them in one shell, which prints what it would have called."""
    calls: list[list[str]] = []
    script = [
        "call() { printf '%s\\0' \"$@\" .; }",
        *(f'{verb}() {{ call {verb} "$@"; }}' for verb in mutate.EDITS),
    ]
    for control in prove.controls_of(read_folder(home.path("manifest"))):
        found, rest = mutate.split(control.mutate)
        calls += found
        script.append(control.mutate[: len(control.mutate) - len(rest)].strip().removesuffix("&&"))
    (tmp_path / "script").write_text("\n".join(script))
    said = subprocess.run(["bash", "script"], cwd=tmp_path, capture_output=True, check=True).stdout
    assert len(calls) > 500
    assert said.decode().split("\0")[:-1] == [word for call in calls for word in (*call, ".")]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["swap", "a", "nothing", "x"], "does not hold"),
        (["swap", "missing", "x", "y"], "No such file"),
        (["append", "pipe", "x"], "not a regular file"),
        (["write", "pipe", "x"], "not a regular file"),
        (["write", "a"], "missing"),
        (["setcell", "XX-01", "check", "x"], "No such file"),
        (["turn", "a", "b", "c"], "No such file"),
    ],
)
def test_an_edit_that_cannot_be_made_says_why(tmp_path: Path, call: list[str], said: str) -> None:
    """And waits for no pipe."""
    (tmp_path / "a").write_text("text\n")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(mutate.Missed, match=said):
        mutate.edit(str(tmp_path), call)
