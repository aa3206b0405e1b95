"""The commands that a CI script runs, and why the failure of one may not fail the script.

A gate in CI is worth what its exit status is worth. For each command of a script this says what
would swallow that status (`|| true`, a pipe, `&`, `set +e`, an `if` around it) or keep the command
from running at all. Shells differ in what they do after a failing command; `Shell` carries that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from goblin.facts import shell
from goblin.facts.shell import Compound, Pipeline, Simple, Statement, Word
from goblin.facts.shelltokens import ShellError
from goblin.facts.wrappers import Shell, flags, inner_script, unwrapped
from goblin.pattern import lazy

_ENDS_WELL = lazy(r"\bexit\b(?!\s+[1-9])")


class Run(NamedTuple):
    """One thing that a script runs: a statement, a pipeline of it, or a command of that.

    `words` are those of a plain command, assignments and wrappers such as `env` taken off; longer
    things have none. `faults` say why its failure may not fail the script. Statements of one list
    share a `block` and count up in `number`.
    """

    text: str
    words: tuple[Word, ...]
    line: int
    faults: tuple[str, ...]
    moved: bool  # after a `cd`
    block: int
    number: int


class Script(NamedTuple):
    """What a script runs, in order, and the functions that it defines."""

    runs: tuple[Run, ...]
    functions: frozenset[str]

    def matching(self, command: Sequence[str]) -> Run | None:
        """The first run of these statements, one after the other; one without faults goes first.

        `command` is what `statements` made of a declared command.
        """
        first = [run for run in self.runs if run.text == command[0]]
        if len(command) > 1:
            first = list(self._followed(first, command))
        return next((run for run in first if not run.faults), first[0] if first else None)

    def _followed(self, first: Iterable[Run], command: Sequence[str]) -> Iterator[Run]:
        places = {(run.block, run.number): run for run in self.runs if run.number >= 0}
        for run in first:
            block = [places.get((run.block, run.number + at)) for at in range(len(command))]
            found = [one for one in block if one is not None]
            if run.number >= 0 and [one.text for one in found] == list(command):
                faults = dict.fromkeys(fault for one in found for fault in one.faults)
                yield run._replace(faults=tuple(faults))


def statements(command: str) -> tuple[str, ...]:
    """A declared command as the texts of its statements: blanks collapsed, `2>/dev/null` left out.

    One that is no shell this reader knows is one text.
    """
    try:
        found = tuple(statement.text + (" &" if statement.background else "")
                      for statement in shell.parse(command))  # fmt: skip
    except ShellError:
        found = ()
    return found or (" ".join(command.split()),)


def read(script: str, how: Shell = Shell()) -> Script:  # noqa: B008  (a value that nobody can change)
    """What a script of bash or sh runs; raises `ShellError` for one that cannot be read."""
    walk = _Walk()
    walk.body(shell.parse(script), _State(how), (), last=True, errexit=True)
    return Script(tuple(walk.runs), frozenset(walk.functions))


class _State:
    """What the commands so far have switched."""

    def __init__(self, how: Shell) -> None:
        self.how = how
        self.switched_off = False  # by `set +e`
        self.trapped = False
        self.ended = ""  # by this command
        self.failing = False  # which fails
        self.moved = False

    def copy(self) -> _State:
        other = _State(self.how)
        other.__dict__.update(self.__dict__)
        return other

    def weaken(self, other: _State) -> None:
        """Take over what commands that may not have run would have switched to the worse."""
        ours, theirs = self.how, other.how
        self.how = Shell(ours.errexit and theirs.errexit, ours.pipefail and theirs.pipefail)
        self.switched_off |= other.switched_off
        self.trapped |= other.trapped
        if other.ended and not other.failing:
            self.ended = self.ended or other.ended
        self.moved |= other.moved

    def faults(self) -> tuple[str, ...]:
        found = []
        if self.switched_off:
            found.append("`set +e` stands before it")
        if self.trapped:
            found.append("a `trap` before it may replace the exit status")
        if self.ended:
            found.append(f"`{self.ended}` stands before it")
        return tuple(found)


class _Walk:
    """One pass over a script.

    `last`: the status of this list is what the script ends with. `errexit`: nothing around this
    list switches `set -e` off (bash ignores it on the left of `&&` and `||`, under `!` and in a
    condition).
    """

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self.functions: set[str] = set()
        self.blocks = 0

    def body(
        self, body: Sequence[Statement], state: _State, faults: tuple[str, ...], last: bool, errexit: bool
    ) -> None:
        """Follow the statements of one list."""
        self.blocks += 1
        block = self.blocks
        undone = _undone(body)
        for number, statement in enumerate(body):
            is_last = last and number == len(body) - 1
            own = [*faults, *state.faults()]
            if statement.background:
                own.append("`&` runs it in the background")
            own += [f"`{text}` stands behind it" for at, text in undone if at > number]
            if not is_last and not (state.how.errexit and errexit):
                own.append("no `set -e`: what follows decides the status")
            self._statement(statement, state, own, is_last, errexit, (block, number))

    def _statement(
        self,
        statement: Statement,
        state: _State,
        faults: list[str],
        last: bool,
        errexit: bool,
        place: tuple[int, int],
    ) -> None:
        pipelines, joints = statement.pipelines, statement.joints
        whole = list(faults)
        if not last and (joints or pipelines[0].negated):
            sign = joints[0] if joints else "!"
            whole.append(f"with `{sign}` in it `set -e` does not end the script: put it last")
        self._add(statement.text, statement.line, whole, state, place)
        rescue = _rescues(statement)
        for at, pipeline in enumerate(pipelines):
            own = [*faults, *state.faults()]
            before = joints[at - 1] if at else ""
            if before == "||":
                own.append("it runs only where what stands before `||` fails")
            elif before and not last:
                own.append("where what stands before `&&` fails, it is left out and the script goes on")
            if rescue[at]:
                own.append(f"`|| {rescue[at]}` hides its failure")
            elif rescue[at] is None and at < len(joints) and not last:
                own.append(
                    "with `&&` behind it `set -e` does not end the script: put it on a line of its own"
                )
            certain = not before and not statement.background and len(pipeline.commands) == 1
            inner = state if certain else state.copy()
            self._pipeline(pipeline, inner, own, last, errexit and at == len(joints), bool(joints))
            if not certain and not statement.background and len(pipeline.commands) == 1:
                state.weaken(inner)

    def _pipeline(
        self, pipeline: Pipeline, state: _State, faults: list[str], last: bool, errexit: bool, apart: bool
    ) -> None:
        if apart and (pipeline.negated or len(pipeline.commands) > 1):
            self._add(pipeline.text, pipeline.line, faults, state)
        if pipeline.negated:
            faults = [*faults, "`!` turns its exit status round"]
            errexit = False
        for at, command in enumerate(pipeline.commands):
            own = list(faults)
            is_end = at == len(pipeline.commands) - 1
            if not is_end and not state.how.pipefail:
                own.append("a pipe without `set -o pipefail` hides its failure")
            self._command(command, state, tuple(own), last and is_end, errexit)

    def _command(
        self, command: Simple | Compound, state: _State, faults: tuple[str, ...], last: bool, errexit: bool
    ) -> None:
        if isinstance(command, Simple):
            self._simple(command, state, faults)
        elif command.kind == "{":
            self.body(command.parts[0], state, faults, last, errexit)
        elif command.kind == "(":
            # A subshell ends as its list ends, and `set -e` heeds a subshell whatever failed in it.
            self.body(command.parts[0], state.copy(), faults, True, errexit)
        elif command.kind == "function":
            self.functions.add(command.name)
            for part in command.parts:
                self.body(
                    part, state.copy(), (*faults, f"the function `{command.name}` holds it"), last, errexit
                )
        else:
            guarded = _guarded(command)
            if guarded:
                condition = state.copy()
                self._command(guarded, condition, faults, True, False)
                state.weaken(condition)
            for part in command.parts[1 if guarded else 0 :]:
                inner = state.copy()
                self.body(part, inner, (*faults, f"it stands inside `{command.kind}`"), last, errexit)
                state.weaken(inner)

    def _simple(self, command: Simple, state: _State, faults: tuple[str, ...]) -> None:
        words = unwrapped(command.words)
        self._add(command.text, command.line, faults, state, words=words)
        _switch([word.value for word in command.words], state)
        inner = inner_script(words)
        if inner is not None:
            script, how = inner
            within = _State(how)
            within.moved = state.moved
            try:
                self.body(shell.parse(script), within, faults, True, True)
            except ShellError:
                return

    def _add(
        self,
        text: str,
        line: int,
        faults: Iterable[str],
        state: _State,
        place: tuple[int, int] = (0, -1),
        words: tuple[Word, ...] = (),
    ) -> None:
        self.runs.append(Run(text, words, line, tuple(dict.fromkeys(faults)), state.moved, *place))


def _rescues(statement: Statement) -> list[str | None]:
    """For each pipeline what a failure of it leads to: None for no `||`, "" where that fails for sure."""
    found: list[str | None] = [None] * len(statement.pipelines)
    for at in range(len(statement.joints) - 1, -1, -1):
        found[at] = found[at + 1]
        if statement.joints[at] == "||":
            rest = statement.pipelines[at + 1]
            is_sure = _exits(rest, behind=True) or (rest.text == "false" and rest is statement.pipelines[-1])
            found[at] = "" if is_sure else rest.text
    return found


def _undone(body: Sequence[Statement]) -> list[tuple[int, str]]:
    """The last statement of a list that ends in success whatever happened before it, and its number."""
    found = [(at, item.text) for at, item in enumerate(body) if item.text in ("true", ":", "exit 0")]
    return found[-1:]


def _exits(pipeline: Pipeline, behind: bool = False) -> bool:
    """True for what is sure to end a script in failure: `exit 1`, `{ x; exit 1; }`.

    `exit $?` does where it stands right `behind` the command that failed.
    """
    command = pipeline.commands[0]
    if len(pipeline.commands) > 1 or pipeline.negated:
        return False
    if isinstance(command, Compound):
        return command.kind == "{" and _ends_in_failure(command.parts[0])
    words = [word.value for word in command.words]
    return (behind and words == ["exit", "$?"]) or (words[:1] == ["exit"] and _is_failure(*words[1:2]))


def _ends_in_failure(body: Sequence[Statement]) -> bool:
    return bool(body) and not body[-1].background and not body[-1].joints and _exits(body[-1].pipelines[0])


def _is_failure(code: str = "") -> bool:
    return code.isascii() and code.isdigit() and len(code) < 4 and int(code) % 256 != 0


def _guarded(command: Compound) -> Simple | Compound | None:
    """X of `if ! X; then ...; exit 1; fi` and of `if X; then ...; else ...; exit 1; fi`."""
    if command.kind != "if" or len(command.parts[0]) != 1 or command.parts[0][0].joints:
        return None
    condition = command.parts[0][0]
    pipeline = condition.pipelines[0]
    if condition.background or len(pipeline.commands) > 1 or len(command.parts) > 3:
        return None
    if pipeline.negated:
        return pipeline.commands[0] if _ends_in_failure(command.parts[1]) else None
    return pipeline.commands[0] if len(command.parts) == 3 and _ends_in_failure(command.parts[2]) else None


def _switch(words: list[str], state: _State) -> None:
    """Follow `set`, `trap`, `cd`, `exit` and `exec`."""
    if not words:
        return
    name, *rest = words
    if name == "set":
        how = flags(rest, state.how)
        state.switched_off = (state.switched_off or state.how.errexit) and not how.errexit
        state.how = how
    elif name == "trap" and len(rest) > 1 and _ENDS_WELL.search(rest[0]):
        state.trapped = True
    elif name in ("cd", "pushd"):
        state.moved = True
    elif name == "exit":
        state.ended = " ".join(words)
        state.failing = bool(rest) and _is_failure(rest[0])
    elif name == "exec" and rest:
        state.ended = name
