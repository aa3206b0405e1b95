"""Completion, asked for as the shells do it: bash, and zsh and fish where they are installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from goblin import counting
from goblin.commands import complete, count, suggest, umbrella, verify
from tests.support import Repo, hermetic
from tests.support.cli import SCRIPTS
from tests.support.env import ENVIRONMENT


def shell(name: str, script: str, cwd: Path, home: Path) -> list[str]:
    """The lines that a shell prints for a script of its own, with the installed commands on PATH."""
    if shutil.which(name) is None:
        pytest.skip(f"no {name} here (on Debian: apt-get install {name})")
    flags = {"bash": ["--noprofile", "--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[name]
    done = subprocess.run(
        [name, *flags, "-c", script],
        cwd=cwd,
        env=hermetic(PATH=f"{SCRIPTS}:{ENVIRONMENT['PATH']}", HOME=str(home), TERM="xterm"),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    return done.stdout.splitlines()


BASH = """
source <(goblin completion bash)
ask() {
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
    local spec; spec=$(complete -p "$1") || return 1
    spec=${spec#*-F }; ${spec%% *} "$1"
    echo "$*= ${COMPREPLY[*]}"
}
ask goblin ver
ask goblin verify --form
ask goblin verify --format s
ask goblin-verify --only HP-0
ask goblin-verify --only HP-01,HP-0
ask goblin-verify --output ht
ask goblin-bans --only BN-0
ask goblin loop re
ask goblin-loop start --bu
ask goblin-count b
ask goblin-count bytes --g
ask goblin-install --opt-out ha
ask goblin explain SC-1
ask goblin morning --ch
ask goblin completion f
"""


def test_bash_completes_what_the_tables_hold(installed_sample: Repo, tmp_path: Path) -> None:
    """Commands, options, choices, ids of this repository one after the other, files, subcommands."""
    lines = shell("bash", BASH, installed_sample.root, tmp_path)
    found = {asked: set(told.split()) for asked, _, told in (line.partition("= ") for line in lines)}
    assert found == {
        "goblin ver": {"verify"},
        "goblin verify --form": {"--format"},
        "goblin verify --format s": {"sarif"},
        "goblin-verify --only HP-0": {"HP-01", "HP-02", "HP-03", "HP-04", "HP-05"},
        "goblin-verify --only HP-01,HP-0": {"HP-01,HP-02", "HP-01,HP-03", "HP-01,HP-04", "HP-01,HP-05"},
        "goblin-verify --output ht": {"html=goblin.html"},
        "goblin-bans --only BN-0": {f"BN-0{n}" for n in "12356789"},
        "goblin loop re": {"record"},
        "goblin-loop start --bu": {"--budget"},
        "goblin-count b": {"bytes"},
        "goblin-count bytes --g": {"--glob"},
        "goblin-install --opt-out ha": {"handoff"},
        "goblin explain SC-1": {"SC-10"},
        "goblin morning --ch": {"--check"},
        "goblin completion f": {"fish"},
    }


def test_fish_completes_with_what_each_means(installed_sample: Repo, tmp_path: Path) -> None:
    """It shows the rule beside its id."""
    script = "goblin completion fish | source; complete -C 'goblin-verify --explain HP-01'; "
    script += "complete -C 'goblin lo'"
    lines = shell("fish", script, installed_sample.root, tmp_path)
    assert [line.split("\t")[0] for line in lines] == ["HP-01", "loop"]
    assert lines[0].split("\t")[1].startswith("The root holds a handoff")


ZSH = """
autoload -Uz compinit && compinit -u -d "$HOME/dump"
eval "$(goblin completion zsh)"
_describe() { print -l -- "${(P)3[@]}" }  # called by completion alone, so its words are shown instead
words=(goblin-verify --explain HP-01); CURRENT=3
$_comps[goblin-verify]
words=(goblin-loop rec); CURRENT=2
$_comps[goblin-loop]
"""


def test_zsh_completes_with_what_each_means(installed_sample: Repo, tmp_path: Path) -> None:
    """Each command has its function after one `eval`, and the function has the words."""
    lines = shell("zsh", ZSH, installed_sample.root, tmp_path)
    assert [line.partition(":")[0] for line in lines] == ["HP-01", "record"]
    assert lines[0].startswith("HP-01:The root holds a handoff")


@pytest.mark.parametrize("name", complete.SHELLS)
def test_every_command_is_completed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The script of a shell names each of them, and its name for the variable is the one that is read."""
    assert umbrella.main(["completion", name]) == 0
    out = capsys.readouterr().out
    for command in ("goblin", *(f"goblin-{word}" for word in umbrella.COMMANDS)):
        assert f"{complete.variable(command)}={name}_complete" in out


@pytest.mark.parametrize("words", [["completion"], ["completion", "tcsh"], ["completion", "bash", "zsh"]])
def test_another_shell_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """With the shells that there are."""
    assert umbrella.main(words) == 2
    assert "remedy: goblin completion bash|zsh|fish" in capsys.readouterr().err


def test_a_hostile_table_completes_to_nothing_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a repository calls a row reaches the shell only where it is an id; a pipe is no table."""
    table = tmp_path / ".goblin/manifest/enforcement.tsv"
    table.parent.mkdir(parents=True)
    cells = "\ttarget\t-\tscript\tTold \x1b[31m\n"
    table.write_text("id\n" + "".join(f"{name}{cells}" for name in ("HP-01", "$(touch x)", "a;b", "HP-1 x")))
    monkeypatch.chdir(tmp_path)
    option = verify.COMMAND.options[0]
    found = suggest.values("goblin-verify", option, "")
    assert [(item.value, item.help) for item in found] == [("HP-01", r"Told \x1b[31m")]
    table.unlink()
    os.mkfifo(table)
    assert "HP-02" in [item.value for item in suggest.values("goblin-verify", option, "")], (
        "the release's own"
    )


def test_the_tables_of_the_counter_are_what_it_reads() -> None:
    """It parses by itself, since a gate waits for it; the table must not promise what it refuses."""
    for command in count.COMMANDS:
        what = command.name.split()[-1]
        for option in command.options:
            words = ["src"] if option.kind == "arguments" else [option.name, "3"]
            least = ["--ext", "py"] if what == "markers" else ["src"]
            assert counting.parse([what, *least, *words]).what == what
        named = {option.name for option in command.options if option.name.startswith("--")}
        assert named == {"markers": {"--ext", "--max"}, "bytes": {"--glob", "--max"}}[what]
        for option in command.options:
            assert option.name in count.USAGE
