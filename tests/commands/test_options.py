"""One table of options, two readers: whatever the quick one accepts, click reads the same way."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goblin.commands import install, options, verify
from goblin.commands.options import Command, Option, Values, quick, run, thorough
from goblin.outcome import CannotRun
from tests.support import PROJECT, hermetic, run_cli

EVERY_KIND = Command(
    "every-kind",
    (
        Option("--flag", "flag", "A flag."),
        Option("--two-words", "value", "A value."),
        Option("--chosen", "value", "One of some.", choices=("one", "two")),
        Option("--maybe", "optional", "A value may follow."),
        Option("--many", "many", "Several.", "ID[,ID]"),
        Option("--flagged", "flag", "Its name begins like another's."),
        Option("WORD", "argument", "A word of its own."),
    ),
    "Summary.",
    "Epilog.",
)
WITH_PATHS = Command(
    "with-paths",
    (
        Option("--flag", "flag", "A flag."),
        Option("--many", "many", "Several.", "ID[,ID]"),
        Option("WORD", "argument", "A word of its own."),
        Option("PATH", "arguments", "All that is left."),
    ),
    "Summary.",
    "Epilog.",
)
COMMANDS = (EVERY_KIND, WITH_PATHS, verify.COMMAND, install.COMMAND)

VALUES = [
    "",
    "A",
    "A,B",
    " A , ,B ",
    ",",
    " ",
    "-",
    "--",
    "-x",
    "one",
    "text",
    "json",
    "x=y",
    "@f",
    "caf\u00e9",
    "\udcff",
    "\n",
    "*",
]


def words(command: Command) -> st.SearchStrategy[str]:
    """Words of a command line: names, halves of names, names with values, values, and anything else."""
    names = st.sampled_from(
        [option.name for option in command.options] * 2 + ["--help", "-h", "--fla", "--", "-"]
    )
    values = st.sampled_from(VALUES) | st.text(max_size=5)
    return names | values | st.tuples(names, values).map("=".join)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
@settings(max_examples=250)
@given(data=st.data())
def test_what_the_quick_reader_accepts_click_reads_the_same(command: Command, data: st.DataObject) -> None:
    """The quick reader gives click's values, or leaves the line to click."""
    argv = data.draw(st.lists(words(command), max_size=6))
    values = quick(command, argv)
    if values is not None:
        assert thorough(command, argv) == values


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
@settings(max_examples=100)
@given(data=st.data())
def test_a_plain_command_line_needs_no_click(command: Command, data: st.DataObject) -> None:
    """Every line of known options with plain values is read quickly, so that a run stays cheap."""
    word = st.tuples(st.sampled_from("abXYZ0./~"), st.text("abcXYZ-09./,", max_size=5)).map("".join)
    argv: list[str] = []
    placed = False
    for option in data.draw(st.lists(st.sampled_from(command.options), max_size=5)):
        value = data.draw(st.sampled_from(option.choices) if option.choices else word)
        joined = data.draw(st.booleans())
        if option.kind == "flag":
            argv.append(option.name)
        elif option.kind == "argument":
            argv += [] if placed else [value]
            placed = True
        elif option.kind == "arguments":
            argv.append(value)
        elif joined:
            argv.append(f"{option.name}={value}")
        else:
            argv += [option.name, value]
    values = quick(command, argv)
    assert values is not None
    assert thorough(command, argv) == values


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        ([], {}),
        (["--flag", "--flag"], {"flag": True}),
        (["--two-words", "a", "--two-words=b"], {"two_words": "b"}),
        (["--chosen=two"], {"chosen": "two"}),
        (["--maybe"], {"maybe": ""}),
        (["--maybe", "--flag"], {"maybe": "", "flag": True}),
        (["--maybe", "A"], {"maybe": "A"}),
        (["--many", "A, B", "--many=C"], {"many": ("A", "B", "C")}),
        (["--flag", "A", "--two-words", "b"], {"flag": True, "word": "A", "two_words": "b"}),
    ],
)
def test_each_kind_has_its_value(argv: list[str], expected: Values) -> None:
    """A flag, the last of a repeated value, an optional one, and everything of many."""
    defaults = {"flag": False, "two_words": "", "chosen": "", "maybe": None, "many": ()}
    defaults |= {"flagged": False, "word": ""}
    assert quick(EVERY_KIND, argv) == {**defaults, **expected}


@pytest.mark.parametrize(
    "argv",
    [
        ["--unknown"],
        ["--fla"],
        ["--flag=1"],
        ["a", "stray"],
        [""],
        ["--"],
        ["--two-words"],
        ["--two-words", "--flag"],
        ["--chosen", "three"],
        ["--chosen="],
        ["--many", ","],
        ["--many="],
        ["--maybe", "-x"],
        ["--help"],
        ["-h"],
    ],
)
def test_a_line_that_is_not_plainly_well_formed_goes_to_click(argv: list[str]) -> None:
    """Every doubt is click's to judge, so there is one source of messages."""
    assert quick(EVERY_KIND, argv) is None


def test_completion_goes_to_click(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shell that asks for completions sets a variable and gives a half-typed line."""
    monkeypatch.setenv("_EVERY_KIND_COMPLETE", "bash_complete")
    assert quick(EVERY_KIND, ["--flag"]) is None


def refused(argv: Sequence[str]) -> CannotRun:
    with pytest.raises(CannotRun) as caught:
        run(EVERY_KIND, argv, lambda values: pytest.fail(f"the body was called with {values}"))
    return caught.value


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["--flagg"], "No such option '--flagg'"),
        (["--two-words"], "'--two-words' requires an argument"),
        (["--chosen", "three"], "'three' is not one of 'one', 'two'"),
        (["--many", " , "], "--many needs at least one ID[,ID]"),
        (["a", "stray"], "unexpected extra argument (stray)"),
        ([""], "WORD needs a word"),
        (["--flag=1"], "'--flag' does not take a value"),
    ],
)
def test_a_bad_line_is_refused_with_the_usage_and_what_is_wrong(
    argv: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message reaches the one gate, which maps it to exit 2 and to JSON."""
    error = refused(argv)
    assert told in error.message
    assert error.remedy == "every-kind --help"
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("Usage: every-kind [OPTIONS]")


def test_help_shows_every_option_and_calls_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """It ends with 0, whatever else stands on the line."""
    assert run(EVERY_KIND, ["--flag", "--help"], lambda values: pytest.fail("called")) == 0
    out = capsys.readouterr().out
    for option in EVERY_KIND.options:
        assert option.name in out
        assert option.help in out or option.kind == "argument"
    assert "Epilog." in out


@pytest.mark.parametrize("quickly", [True, False])
def test_the_body_runs_outside_of_click(quickly: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its exit code and whatever it raises reach the caller whole, by either reader."""
    if not quickly:
        monkeypatch.setattr(options, "quick", lambda command, argv: None)
    assert run(EVERY_KIND, [], lambda values: 3) == 3

    def broken(values: Values) -> int:
        raise BrokenPipeError

    def interrupted(values: Values) -> int:
        raise KeyboardInterrupt

    with pytest.raises(BrokenPipeError):
        run(EVERY_KIND, [], broken)
    with pytest.raises(KeyboardInterrupt):
        run(EVERY_KIND, [], interrupted)


def test_a_plain_line_does_not_load_click(tmp_path: Path) -> None:
    """The whole reason for two readers."""
    code = (
        "import sys; sys.path.insert(0, sys.argv.pop(1))\n"
        "from goblin.commands.options import run\n"
        "from goblin.commands.verify import COMMAND\n"
        "run(COMMAND, ['--only', 'HP-01', '--json'], lambda values: 0)\n"
        "sys.exit('click' in sys.modules)"
    )
    argv = [sys.executable, "-c", code, os.path.join(PROJECT, "src")]
    assert subprocess.run(argv, cwd=tmp_path, env=hermetic(), check=False).returncode == 0


def test_a_bad_line_has_an_answer_in_json_too(tmp_path: Path) -> None:
    """A script that asked for JSON gets JSON on standard output, and the usage on standard error."""
    done = run_cli("goblin-verify", "--json", "--bogus", cwd=tmp_path)
    assert done.code == 2
    assert done.out == '{"error": "No such option \'--bogus\'.", "exit": 2}\n'
    assert "Usage: goblin-verify" in done.err
