"""A check cell resolved to something runnable, and run with the facts that it needs.

A cell has three forms (design section 4): `advisory`; `checks/<file>.py::<function>`, which is
called in this process; anything else is a shell command. A function resolves inside the engine
that is running and is never imported from the repository under test. A row that the adopter adds
(`rules/<file>.py::<function>`) runs in a process of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from goblin import home
from goblin.facts import Facts, executes, parameters
from goblin.manifest import FUNCTION, Row
from goblin.outcome import (
    CannotRun,
    CheckFailed,
    Finding,
    Outcome,
    Verdict,
    advisory,
    failed,
    passed,
    skipped,
)
from goblin.redact import clean, lines

SHELL_TIMEOUT = 300.0
"""Seconds that a shell row may take."""

MOST_PRINTED = 1000
"""Lines of a lint row's command that are read as findings."""

SKIP_CODE = 77
NO_OUTCOME = "return passed(), failed(), skipped() or advisory()"

BAN = ".goblin/bin/goblin-bans --row --only {}"
"""The cell of a row about a ban of the repository's own. It is judged in this process: with the other bans
in one pass, and finding by finding, so that each may be waived.
"""

_modules: dict[str, ModuleType] = {}


def function_of(row: Row) -> Callable[..., Any] | None:
    """The Python function behind a shipped row, or None for the other forms."""
    match = FUNCTION.fullmatch(row.check)
    if not match or match[1] != "checks":
        return None
    found: Callable[..., Any] = getattr(_module(home.path("checks", match[2]), match[2][:-3]), match[3])
    return found


def asks_for(row: Row, fact: str) -> bool:
    """True when the function behind a row names this fact."""
    function = function_of(row)
    return function is not None and fact in parameters(function)


def _module(path: str, stem: str) -> ModuleType:
    if path not in _modules:
        from importlib.machinery import SourceFileLoader
        from importlib.util import module_from_spec, spec_from_loader

        loader = SourceFileLoader(f"goblin_checks.{stem}", path)
        spec = spec_from_loader(loader.name, loader)
        assert spec is not None
        module = module_from_spec(spec)
        loader.exec_module(module)
        _modules[path] = module
    return _modules[path]


def declared_by_repository(row: Row) -> bool:
    """True when running the row would run a command that the repository, not a release, chose."""
    if row.check == "advisory" or (not row.project and FUNCTION.fullmatch(row.check)):
        return False
    if row.project:
        return True
    from goblin.generated.registry import SHIPPED

    return bool(SHIPPED.get(row.id) != row.check)


def _is_ban(row: Row) -> bool:
    return row.project and row.check == BAN.format(row.id)


def runs_declared_commands(row: Row) -> bool:
    """True for a row that `--static` leaves out: it, or a fact behind it, runs a declared command."""
    function = function_of(row)
    if function is not None:
        return executes(parameters(function))
    return declared_by_repository(row) and not _is_ban(row)  # a ban knows whether it is a command


def run(row: Row, facts: Facts) -> Outcome:
    """Judge one row. Never raises, but for `CannotRun` and an interrupt: a check that breaks is a FAIL."""
    try:
        if row.check == "advisory":
            return advisory()
        if FUNCTION.fullmatch(row.check):
            return _project_function(row, facts) if row.project else _function(row, facts)
        if _is_ban(row):
            found: Outcome = facts.get("bans").outcome(row.id)
            return found
        return _shell(row, facts)
    except CheckFailed as failure:
        return failure.outcome
    except CannotRun:
        raise
    except Exception as error:  # noqa: BLE001  (fail closed: whatever a check raises is this row's FAIL)
        return _broke(row, error)


def _broke(row: Row, error: Exception) -> Outcome:
    from goblin.git import GitError

    if isinstance(error, GitError):
        return failed(str(error), remedy="run the git command by hand in the repository")
    what = clean(f"{type(error).__name__}: {error}")[:300]
    return failed(
        f"the check itself broke ({what})",
        remedy="set GOBLIN_DEBUG=1 to see where, and report it with that output",
    )


def _function(row: Row, facts: Facts) -> Outcome:
    function = function_of(row)
    assert function is not None
    outcome = function(**facts.arguments(function))
    if not isinstance(outcome, Outcome):
        return failed(f"{row.check} returned no outcome", remedy=NO_OUTCOME)
    return outcome


def _environment(facts: Facts) -> dict[str, str]:
    from goblin.process import environment

    root = facts.run.root
    return environment(
        {"GOBLIN_ROOT": root, "GOBLIN_CONFIG": f"{root}/.goblin/goblin.yaml", "GOBLIN_HOME": home.HOME}
    )


def _shell(row: Row, facts: Facts) -> Outcome:
    from goblin.process import run_shell

    done = run_shell(row.check, facts.run.root, _environment(facts), SHELL_TIMEOUT)
    lint = row.enforced_by == "lint"  # its findings may be waived, so each counts
    said = lines(done.output, most=MOST_PRINTED if lint else 20)
    if done.could_not_run():
        return failed(f"{done.could_not_run()}: {clean(row.check)}", _spoken(said))
    if done.code == 0:
        return passed(f"exit 0: {clean(row.check)}", _spoken(said[-1:]))
    if done.code == SKIP_CODE:
        return skipped(said[-1] if said else "the command exited 77 without a reason")
    if lint:
        from goblin.bans.printed import findings

        return failed(f"exit {done.code}: {clean(row.check)}", findings(said))
    return failed(f"exit {done.code}: {clean(row.check)}", _spoken(said))


def _spoken(said: list[str]) -> list[Finding]:
    return [Finding("", message=line) for line in said]


def _project_function(row: Row, facts: Facts) -> Outcome:
    """Run an adopter's Python check in its own interpreter and read its outcome back."""
    import json

    from goblin.process import run as run_argv

    argv = [sys.executable, "-I", "-S", "-c", _CHILD, home.PACKAGE, facts.run.root, row.check]
    done = run_argv(argv, facts.run.root, _environment(facts), SHELL_TIMEOUT)
    if done.could_not_run():
        return failed(f"{done.could_not_run()}: {row.check}", _spoken(lines(done.output)))
    last = done.output.rstrip(b"\n").rpartition(b"\n")[2]
    try:
        value = json.loads(last)
        findings = [
            Finding(str(p), int(line), int(col), str(text)) for p, line, col, text in value["findings"]
        ]
        return Outcome(
            Verdict(value["verdict"]), str(value["summary"]), tuple(findings), str(value["remedy"])
        )
    except (ValueError, KeyError, TypeError, ArithmeticError, RecursionError):
        return failed(f"{row.check} gave no outcome (exit {done.code})", _spoken(lines(done.output)))


# Started with `python3 -I -S -c`: only the engine's own folders are importable, and the adopter's
# file is executed by path, so nothing else in the repository can be imported by name.
_CHILD = """
import os, sys
package, root, cell = sys.argv[1:4]
sys.dont_write_bytecode = True
engine = os.path.dirname(package)
sys.path[:0] = [engine, os.path.join(engine, "_vendor")]
from goblin.check import project_child
project_child(root, cell)
"""


def project_child(root: str, cell: str) -> None:
    """The other side of a project check: call the function with its facts, print the outcome as JSON."""
    import json
    import os

    from goblin.facts import Run
    from goblin.locate import locate

    match = FUNCTION.fullmatch(cell)
    assert match is not None
    path = os.path.join(root, ".goblin", "rules", match[2])
    try:
        if os.path.islink(path) or not os.path.isfile(path):
            raise CheckFailed(f"there is no file .goblin/rules/{match[2]}")
        place = locate(root)
        facts = Facts(Run(root=place.root, repo=place.repo))
        namespace: dict[str, Any] = {"__name__": f"goblin_rules.{match[2][:-3]}", "__file__": path}
        with open(path, "rb") as stream:
            exec(compile(stream.read(), path, "exec"), namespace)  # noqa: S102  (the adopter's own check)
        function = namespace.get(match[3])
        if not callable(function):
            raise CheckFailed(f".goblin/rules/{match[2]} defines no function {match[3]}")
        outcome = function(**facts.arguments(function))
        if not isinstance(outcome, Outcome):
            raise CheckFailed(f"{cell} returned no outcome", remedy=NO_OUTCOME)
    except CheckFailed as failure:
        outcome = failure.outcome
    except Exception as error:  # noqa: BLE001  (the parent shows it as this row's FAIL)
        outcome = failed(clean(f"{cell} raised {type(error).__name__}: {error}")[:400])
    sys.stdout.flush()
    print(
        "\n" + json.dumps({**outcome._asdict(), "findings": [list(f) for f in outcome.findings]}), flush=True
    )
