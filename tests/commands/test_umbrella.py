"""goblin: one name for every command, nothing added to what the command does, and help for a slip."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module

import pytest

from goblin.commands import loop, umbrella
from tests.support import PROJECT, Repo, run_cli


def scripts() -> dict[str, str]:
    """The commands that the package installs, with the function behind each."""
    found: dict[str, str] = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["scripts"]
    return found


def test_every_installed_command_has_its_word() -> None:
    """`goblin NAME` is `goblin-NAME`: a command that is added and forgotten here would be found nowhere."""
    installed = {name.removeprefix("goblin-"): at for name, at in scripts().items() if name != "goblin"}
    assert {name: f"{module}:main" for name, (module, _) in umbrella.COMMANDS.items()} == installed


def test_the_words_that_are_meant_exist() -> None:
    """A suggestion, or a short word, never leads to another error."""
    for words in [*umbrella.MEANT.values(), *(" ".join(words) for words, _ in umbrella.SHORT.values())]:
        name, *rest = words.split()
        module = import_module(umbrella.COMMANDS[name][0])
        known = {option.name for option in module.COMMAND.options} if name != "loop" else loop.SUBCOMMANDS
        assert set(rest) <= set(known)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """How a call ended, and what it wrote to each stream."""
    code = umbrella.main(list(words))
    told = capsys.readouterr()
    return code, told.out, told.err


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("verfy",), "goblin verify"),
        (("instal", "--target", "."), "goblin install"),
        (("goblin-bans",), "goblin bans"),
        (("CHECK",), "goblin verify"),
        (("upgrade",), "goblin install --upgrade"),
        (("strat",), "goblin loop start"),
        (("mornin",), "goblin morning"),
        (("help", "lop"), "goblin loop"),
    ],
)
def test_a_slip_is_named_with_what_was_meant(
    words: tuple[str, ...], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 2, and nothing is run on a guess."""
    code, out, err = said(capsys, *words)
    assert (code, out) == (2, "")
    assert f"(did you mean {meant}?)" in err


@pytest.mark.parametrize("words", [(), ("zzz",), ("--zzz",), ("help", "--zzz"), ("\x1b[31m",)])
def test_what_is_near_nothing_is_refused_without_a_guess(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """No command, an unknown word, an unknown option, and one that a terminal would obey."""
    code, out, err = said(capsys, *words)
    assert (code, out) == (2, "")
    assert "did you mean" not in err
    assert "goblin --help" in err
    assert "\x1b" not in err


def test_help_shows_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """One line each, within 100 columns; `goblin help NAME` is the help of that command."""
    code, out, err = said(capsys, "--help")
    assert (code, err) == (0, "")
    listed = re.findall(r"^  (\w+)  +\S", out, re.MULTILINE)
    assert listed == [*umbrella.COMMANDS, *umbrella.SHORT, "completion"]
    assert max(map(len, out.splitlines())) <= 100
    assert said(capsys, "help") == (0, out, "")
    code, out, _ = said(capsys, "help", "bans")
    assert code == 0
    assert out.startswith("Usage: goblin-bans ")


def test_a_subcommand_of_the_loop_is_suggested_too(capsys: pytest.CaptureFixture[str]) -> None:
    """The commands below a command have the same courtesy."""
    code, _, err = said(capsys, "loop", "recrod")
    assert code == 2
    assert "no such subcommand: recrod (did you mean record?)" in err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("verify", "--only", "HP-01"), 0),
        (("verify", "--only", "HP-99"), 2),
        (("bans", "--only", "BN-06"), 3),
        (("count", "bytes", "--max", "1", "src"), 1),
        (("loop", "status"), 0),
        (("morning",), 2),
        (("explain", "HP-01"), 0),
        (("explain",), 2),
        (("--version",), 0),
    ],
)
def test_it_is_the_command_to_the_byte(
    words: tuple[str, ...],
    code: int,
    installed_sample: Repo,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Exit code and both streams are those of the command itself, called as it is installed."""
    monkeypatch.chdir(installed_sample.root)
    code_here, out, err = said(capsys, *words)
    assert code_here == code
    if words[0] == "--version":
        return
    first, *rest = [*umbrella.SHORT[words[0]][0], *words[1:]] if words[0] in umbrella.SHORT else words
    done = run_cli(f"goblin-{first}", *rest, cwd=".")
    assert (done.code, done.out, done.err) == (code, out, err)


def test_it_loads_only_its_command(installed_sample: Repo) -> None:
    """The umbrella brings neither click nor another command to a run."""
    code = (
        "import sys; from goblin.commands.umbrella import main; code = main(sys.argv[1:]); "
        "print(*sorted(sys.modules)); sys.exit(code)"
    )
    done = run_cli("python", "-c", code, "verify", "--only", "HP-99", cwd=installed_sample)
    assert done.code == 2
    loaded = set(done.out.split())
    assert {name for name in loaded if name.startswith("goblin.commands.")} == {
        "goblin.commands.gate",
        "goblin.commands.options",
        "goblin.commands.outputs",
        "goblin.commands.umbrella",
        "goblin.commands.verify",
    }
    assert "click" not in loaded
