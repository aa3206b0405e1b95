"""Commands of a shell script that reach the network, at any depth (spec AU-01).

Command names are read from the grammar: a comment, a quoted word or a line of a here-document that
begins with `curl` is no command, and `x=$(/usr/bin/env curl y)` holds one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from goblin.facts import shell
from goblin.facts.shell import Compound, Simple, Statement
from goblin.facts.shelltokens import Scanner, ShellError, Token, closing
from goblin.facts.wrappers import SHELLS


def words(text: str) -> frozenset[str]:
    """A set of words."""
    return frozenset(text.split())


VERBS = words("curl wget gh npm npx pnpm yarn pip pip3 nc ncat netcat telnet ssh scp sftp rsync ftp")
GIT_VERBS = frozenset({"fetch", "pull", "push", "clone", "ls-remote"})
SOCKETS = ("/dev/tcp/", "/dev/udp/")

_GIT_VALUED = frozenset(
    {
        "-C",
        "-c",
        "--git-dir",
        "--work-tree",
        "--namespace",
        "--exec-path",
        "--config-env",
    }
)
# A command that runs another -> its options that take a value.
_WRAPPERS: dict[str, frozenset[str]] = {
    "builtin": frozenset(),
    "busybox": frozenset(),
    "command": frozenset(),
    "doas": frozenset({"-u", "-C"}),
    "env": frozenset({"-u", "-C", "--unset", "--chdir"}),
    "exec": frozenset({"-a"}),
    "ionice": frozenset({"-c", "-n"}),
    "nice": frozenset({"-n", "--adjustment"}),
    "nohup": frozenset(),
    "setsid": frozenset(),
    "stdbuf": frozenset({"-i", "-o", "-e"}),
    "sudo": words("-u -g -h -p -C -D -R -T --user --group --host --prompt --chdir"),
    "time": frozenset({"-f", "-o"}),
    "timeout": frozenset({"-k", "-s", "--kill-after", "--signal"}),
    "watch": frozenset({"-n", "--interval"}),
    "xargs": words("-a -d -E -I -L -n -P -s --arg-file --delimiter --max-args --max-procs"),
}
_FIND_RUNS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})


class Hit(NamedTuple):
    """One thing that reaches the network; `line` counts from 1."""

    line: int
    what: str


def hits(script: str, first: int = 1) -> list[Hit]:
    """Every hit of a script whose first line has the number `first`; raises `ShellError`."""
    return sorted(set(_script(script, first)))


def command_hits(given: Sequence[str], line: int) -> Iterator[Hit]:
    """Hits of one command, given as its words."""
    rest = _peeled([*given])
    if not rest:
        return
    name = rest[0].rpartition("/")[2]
    if name in VERBS:
        yield Hit(line, name)
    elif name == "git":
        verb = next(iter(_without_options(rest[1:], _GIT_VALUED)), "")
        if verb in GIT_VERBS:
            yield Hit(line, f"git {verb}")
    elif name in SHELLS or name in ("zsh", "ksh"):
        yield from _quoted(_after_c(rest), line)
    elif name in ("eval", "trap"):
        yield from _quoted(" ".join(rest[1:]) if name == "eval" else "".join(rest[1:2]), line)
    elif name == "find":
        for at, word in enumerate(rest):
            if word in _FIND_RUNS:
                yield from command_hits(rest[at + 1 :], line)
    elif name.startswith("python"):
        yield from _python(rest, line)


def _script(script: str, first: int) -> Iterator[Hit]:
    body = shell.parse(script)
    for token in Scanner(script.replace("\r\n", "\n")).scan():
        yield from _token(token, first)
    yield from _body(body, first)


def _token(token: Token, first: int) -> Iterator[Hit]:
    if token.kind not in ("word", "redirect"):
        return
    head, broken, body = token.text.partition("\n")
    document = token.kind == "redirect" and bool(broken) and "<<" in head.split("'")[0].split('"')[0]
    for socket in SOCKETS:
        if socket in (head if document else token.text):
            yield Hit(first + token.line, socket)
    if document:
        if not set("'\"\\") & set(head):
            yield from _substitutions(body, first + token.line + 1, quotes=False)
        return
    yield from _substitutions(token.text, first + token.line, quotes=True)


def _substitutions(text: str, first: int, quotes: bool) -> Iterator[Hit]:
    """Hits inside `$(...)`, backticks, `<(...)` and `>(...)`."""
    at, double = 0, False
    while at < len(text):
        char, two = text[at], text[at : at + 2]
        if char == "\\":
            at += 2
        elif char == "'" and quotes and not double:
            end = text.find("'", at + 1)
            ansi = text[at - 1 : at] == "$" and at > 0
            while ansi and end > 0 and text[end - 1] == "\\":
                end = text.find("'", end + 1)
            at = len(text) if end < 0 else end + 1
        elif char == '"' and quotes:
            double = not double
            at += 1
        elif char == "`":
            end = at + 1
            while end < len(text) and text[end] != "`":
                end += 2 if text[end] == "\\" else 1
            yield from _script(text[at + 1 : end].replace("\\`", "`"), first + text.count("\n", 0, at))
            at = end + 1
        elif two == "$(" or (two in ("<(", ">(") and not double and quotes):
            end = closing(text, at + 2)
            inside, line = text[at + 2 : end - 1], first + text.count("\n", 0, at)
            if inside.startswith("(") and inside.endswith(")"):  # arithmetic, nearly always
                yield from _substitutions(inside[1:-1], line, quotes=False)
            else:
                yield from _script(inside, line)
            at = end
        else:
            at += 1


def _body(body: Sequence[Statement], first: int) -> Iterator[Hit]:
    for statement in body:
        for pipeline in statement.pipelines:
            for command in pipeline.commands:
                yield from _command(command, first)


def _command(command: Simple | Compound, first: int) -> Iterator[Hit]:
    if isinstance(command, Compound):
        for part in command.parts:
            yield from _body(part, first)
        return
    given = [word.value for word in command.words]
    line = first + command.line
    yield from command_hits(given, line)
    # A here-document that a shell or Python reads is a script, not data.
    name = next(iter(_peeled(given)), "").rpartition("/")[2]
    head, _, document = command.text.partition("\n")
    if document and "<<" in head:
        if name in SHELLS:
            yield from _quoted(document.rpartition("\n")[0], line)
        elif name.startswith("python"):
            yield from _python([name, "-c", document.rpartition("\n")[0]], line)


def _peeled(given: list[str]) -> list[str]:
    """The command behind assignments and behind commands that run another."""
    rest = given
    while rest:
        while rest and _assigns(rest[0]):
            rest = rest[1:]
        name = rest[0].rpartition("/")[2] if rest else ""
        if name not in _WRAPPERS or (name == "command" and rest[1:2] in (["-v"], ["-V"])):
            break
        split = next((at for at, word in enumerate(rest) if word in ("-S", "--split-string")), 0)
        if name == "env" and split:
            rest = " ".join(rest[split + 1 :]).split()
            continue
        rest = _without_options(rest[1:], _WRAPPERS[name])
        if name == "timeout" and rest:
            rest = rest[1:]
    return rest


def _assigns(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.removesuffix("+").partition("[")[0].isidentifier()


def _without_options(given: list[str], valued: frozenset[str]) -> list[str]:
    rest = given
    while rest and rest[0].startswith("-"):
        if rest[0] == "--":
            return rest[1:]
        rest = rest[2 if rest[0] in valued else 1 :]
    return rest


def _after_c(given: list[str]) -> str:
    """The script of `bash -c '...'`, or ""."""
    for at, word in enumerate(given[1:], 1):
        if word.startswith("-") and not word.startswith("--") and "c" in word:
            return next((later for later in given[at + 1 :] if not later.startswith("-")), "")
    return ""


def _quoted(script: str, line: int) -> Iterator[Hit]:
    """Hits of a script that stands in a word; what cannot be read as one is told apart by no guess."""
    for hit in hits(script):
        yield Hit(line, hit.what)


def _python(given: list[str], line: int) -> Iterator[Hit]:
    from goblin.facts.netimports import MODULES, imports

    for at, word in enumerate(given[:-1]):
        if word == "-m" and given[at + 1].partition(".")[0] in (*VERBS, *MODULES):
            yield Hit(line, f"python -m {given[at + 1]}")
        elif word == "-c":
            for what in imports(given[at + 1]):
                yield Hit(line, what)


__all__ = ["Hit", "ShellError", "command_hits", "hits"]
