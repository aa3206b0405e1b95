"""The commands of a Markdown page, run as a reader would: in order, in one shell, in one folder.

The convention (CONTRIBUTING.md, "Pages that run"):

- a fence marked `sh` is run; `console` shows a session with its output and is not; no other
  language name for shell is allowed, so that nothing escapes by its name;
- `<!-- not run: reason -->` on the line before a fence leaves that fence out;
- a line that ends with `# exit N` must end with that code, every other command with 0;
- `<!-- start: repository -->` begins in a git repository with one commit, `<!-- start: installed -->`
  in one with class A installed and committed; without it, the folder is empty;
- `make TARGET` is not run (it would run the tests inside the tests): the target must exist.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.support.cli import SAMPLE, SCRIPTS, installed_repo
from tests.support.env import ENVIRONMENT, hermetic
from tests.support.repo import build_repo

FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,}|~{3,}) *(?P<language>[\w+-]*)")
NOT_RUN = re.compile(r"^\s*<!-- not run: *(?P<reason>.*?) *-->\s*$")
START = re.compile(r"^<!-- start: *(?P<start>\w+) *-->$", re.MULTILINE)
EXIT = re.compile(r"^(?P<command>.*\S)\s+# exit (?P<code>\d+)$")
MAKE = re.compile(r"^make(?P<words>( [\w=./-]+)*)$")
ALIASES = ("bash", "shell", "zsh", "ksh", "shellsession", "terminal", "cmd")


class Block(NamedTuple):
    """One fence: the page line of its first command (from 1), its language, its lines.

    `not_run` is the reason of a fence that is left out ("" when the reason is missing), else None.
    """

    line: int
    language: str
    lines: tuple[str, ...]
    not_run: str | None


def blocks(text: str) -> Iterator[Block]:
    """Every fence of a page. Raises `AssertionError` for one that is never closed."""
    lines = text.split("\n")
    position = 0
    while position < len(lines):
        opening = FENCE.match(lines[position])
        if opening is None:
            position += 1
            continue
        first = position + 1
        end = first
        while end < len(lines) and lines[end].strip() != opening["ticks"]:
            end += 1
        assert end < len(lines), f"line {first}: the fence is never closed"
        indent = len(opening["indent"])
        body = tuple(line[indent:] if not line[:indent].strip() else line for line in lines[first:end])
        mark = NOT_RUN.match(lines[position - 1]) if position else None
        yield Block(first + 1, opening["language"].lower(), body, mark["reason"] if mark else None)
        position = end + 1


def faults(text: str, targets: Sequence[str]) -> list[str]:
    """What breaks the convention on a page, as `line: what`; `targets` are those of the Makefile."""
    wrong = []
    for block in blocks(text):
        if block.language in ALIASES:
            wrong.append(f"{block.line}: mark shell as `sh` (run) or `console` (shown), not {block.language}")
        if block.not_run == "":
            wrong.append(f"{block.line}: say why it is not run")
        for number, line in enumerate(block.lines, block.line):
            made = MAKE.match(line) if block.language in ("sh", "console") else None
            for word in made["words"].split() if made else ():
                if "=" not in word and word not in targets:
                    wrong.append(f"{number}: the Makefile has no target {word}")
    start = START.search(text)
    if start and start["start"] not in ("empty", "repository", "installed"):
        wrong.append(f"no such start: {start['start']}")
    return wrong


def script(text: str, name: str) -> str:
    """The page as one bash script whose line numbers are the page's; "" when it runs nothing."""
    lines = [""] * (text.count("\n") + 1)
    run = [block for block in blocks(text) if block.language == "sh" and block.not_run is None]
    for block in run:
        for number, line in enumerate(block.lines, block.line):
            lines[number - 1] = _translated(line, name, number)
    if not run:
        return ""
    assert run[0].line > 1, "a page starts with its title"
    page = shlex.quote(name)
    lines[0] = f"set -eEuo pipefail; trap 'echo {page}:$LINENO: ended with $? >&2' ERR"
    return "\n".join(lines) + "\n"


def _translated(line: str, name: str, number: int) -> str:
    if MAKE.match(line):
        return ":"
    wanted = EXIT.match(line)
    if wanted is None:
        return line
    code = wanted["code"]
    complaint = f"echo {shlex.quote(f'{name}:{number}: ended with')} $got, not {code} >&2; exit 99"
    return f"if {wanted['command']}; then got=0; else got=$?; fi; [ $got -eq {code} ] || {{ {complaint}; }}"


def follow(text: str, name: str, folder: Path) -> str:
    """Run a page's commands in `folder` and return "" or what went wrong, with the page's line."""
    text_of_script = script(text, name)
    if not text_of_script:
        return ""
    start = START.search(text)
    here = folder / "page"
    if start is None or start["start"] == "empty":
        here.mkdir()
    elif start["start"] == "repository":
        build_repo(SAMPLE, here)
    else:
        installed_repo(here)
    home = folder / "home"
    home.mkdir()
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-c", text_of_script, name],
        cwd=here,
        env=hermetic(HOME=str(home), PATH=f"{SCRIPTS}:{ENVIRONMENT.get('PATH', '')}"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    return "" if done.returncode == 0 else f"exit {done.returncode}\n{done.stdout}"
