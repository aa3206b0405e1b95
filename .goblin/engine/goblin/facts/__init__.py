"""The facts of the repository under test: computed once a run, on first need, never changed.

A fact is a function whose parameters name other facts. `FACTS` is the one explicit table. Three
names need no computing: `run` (where and how this run looks), `facts` (for a fact that needs
another only sometimes) and `git`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any, NamedTuple

from goblin import git as plumbing
from goblin.outcome import CheckFailed
from goblin.watch import SILENT, Watch


class Run(NamedTuple):
    """Where a run looks, and what it may do there."""

    root: str  # absolute, resolved
    repo: plumbing.Repo | None = None  # None where there is no git repository
    selected: frozenset[str] = frozenset()  # ids of the rows that will really run
    static: bool = False  # run no command that the repository declares
    cache: bool = True  # read and write caches inside the git directory
    manifest_dir: str = ""  # folder of the tables; "" means <root>/.goblin/manifest
    watch: Watch = SILENT  # told what the run is at
    staged: bool = False  # what is about to be committed is judged, so it is not committed yet
    frozen: bool = False  # write no runtime file; caches are switched off by `cache`

    @property
    def git_dir(self) -> str | None:
        """The git directory, where caches live; None without one."""
        return self.repo.git_dir if self.repo else None


class Fact(NamedTuple):
    """Where a fact is computed, and whether that runs a command which the repository declares.

    Where one of the rows in `early` will run, computing it begins before the first row: it starts a
    process that works beside them.
    """

    module: str
    function: str
    executes: bool = False
    early: frozenset[str] = frozenset()


FACTS: dict[str, Fact] = {
    "tree": Fact("goblin.facts.tree", "load"),
    "config": Fact("goblin.facts.config", "load"),
    "record": Fact("goblin.facts.record", "load"),
    "installed": Fact("goblin.facts.installed", "load"),
    "release": Fact("goblin.facts.release", "load"),
    "signature": Fact("goblin.facts.signature", "load"),
    "practice": Fact("goblin.facts.practice", "load"),
    "shipped": Fact("goblin.facts.shipped", "load"),
    "classes": Fact("goblin.facts.classes", "load"),
    "parts": Fact("goblin.facts.classes", "parts"),
    "manifest": Fact("goblin.manifest", "load"),
    "repository": Fact("goblin.facts.repository", "load"),
    "path_log": Fact("goblin.facts.pathlog", "load"),
    "head": Fact("goblin.facts.head", "load"),
    "waivers": Fact("goblin.waivers", "load"),
    "history": Fact("goblin.facts.history", "load"),
    "head_changes": Fact("goblin.facts.history", "head_changes"),
    "status": Fact("goblin.facts.status", "load"),
    "handoff": Fact("goblin.facts.handoff", "load"),
    "handoff_edits": Fact("goblin.facts.handoff", "edits"),
    "specs": Fact("goblin.facts.specs", "load"),
    "gate_run": Fact("goblin.facts.gates", "load", executes=True),
    "ratchet_run": Fact("goblin.facts.ratchet", "load", executes=True),
    "ratchet_base": Fact("goblin.facts.ratchet", "base"),
    "anchor": Fact("goblin.facts.anchor", "load"),
    "governance": Fact("goblin.facts.governance", "load"),
    "gate_line": Fact("goblin.facts.gateline", "load"),
    "data_report": Fact("goblin.facts.datareport", "load"),
    "data_line": Fact("goblin.facts.datareport", "line"),
    "data_exposed": Fact("goblin.facts.dataignore", "load"),
    "skills": Fact("goblin.facts.skills", "load"),
    "ruletext": Fact("goblin.facts.ruletext", "load"),
    "model_names": Fact("goblin.facts.modelnames", "load"),
    "branches": Fact("goblin.facts.branches", "load"),
    "lanes": Fact("goblin.lanes", "load"),
    "loop": Fact("goblin.loop.record", "load"),
    "loop_log": Fact("goblin.loop.events", "load"),
    "event_history": Fact("goblin.facts.eventhistory", "load"),
    "event_copies": Fact("goblin.facts.eventcopies", "load"),
    "record_files": Fact("goblin.facts.recordfiles", "load"),
    "handles": Fact("goblin.loop.handles", "load"),
    "loop_history": Fact("goblin.facts.loophistory", "load"),
    "rederived": Fact("goblin.facts.rederive", "load", executes=True),
    "search": Fact("goblin.facts.search", "load", early=frozenset({"SC-03", "SC-04", "SC-10"})),
    "ignoring": Fact("goblin.facts.ignoring", "load"),
    "shipping": Fact("goblin.facts.shipping", "load"),
    "boundary": Fact("goblin.facts.boundary", "load"),
    "lockfiles": Fact("goblin.facts.lockfiles", "load"),
    "audit": Fact("goblin.facts.auditrecord", "load"),
    "credentials": Fact("goblin.facts.credentials", "load"),
    "cookies": Fact("goblin.facts.cookies", "load"),
    "public_names": Fact("goblin.facts.publicnames", "load"),
    "scanner": Fact("goblin.facts.scanner", "load"),
    "sources": Fact("goblin.facts.sources", "load"),
    "ban_index": Fact("goblin.facts.banindex", "load"),
    "ban_table": Fact("goblin.facts.bantable", "load"),
    "bans": Fact("goblin.facts.bans", "load"),
    "harness": Fact("goblin.facts.harness", "load"),
    "workflows": Fact("goblin.facts.workflows", "load"),
    "ci_gate": Fact("goblin.facts.cigate", "load"),
    "reviews": Fact("goblin.facts.reviews", "load"),
    "patch_ids": Fact("goblin.facts.patchid", "load"),
    "reviewed": Fact("goblin.facts.reviewed", "load"),
    "feature_map": Fact("goblin.facts.featuremap", "load"),
    "map_links": Fact("goblin.facts.mappages", "load"),
    "entry_paths": Fact("goblin.facts.entrypaths", "load"),
    "doctor": Fact("goblin.facts.doctor", "load", executes=True),
    "reports": Fact("goblin.facts.reports", "load"),
    "producers": Fact("goblin.facts.producers", "load"),
    "report_keys": Fact("goblin.facts.reportkeys", "load"),
    "reference": Fact("goblin.facts.reference", "load"),
    "build_output": Fact("goblin.facts.buildoutput", "load"),
    "acquisitions": Fact("goblin.facts.acquisition", "load"),
    "lab": Fact("goblin.facts.corpus", "load"),
    "replay": Fact("goblin.facts.replay", "load", executes=True),
}


def parameters(function: Callable[..., object]) -> tuple[str, ...]:
    """The names that a check or a fact asks for (`inspect` costs more than a whole row)."""
    code = function.__code__
    return tuple(code.co_varnames[: code.co_argcount])


def executes(names: tuple[str, ...]) -> bool:
    """True when one of the facts, or a fact behind it, runs a command that the repository declares."""
    seen: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        fact = FACTS.get(name)
        if fact is None or name in seen:
            continue
        seen.add(name)
        if fact.executes:
            return True
        waiting += parameters(getattr(import_module(fact.module), fact.function))
    return False


class Facts:
    """The facts of one run. `get` computes a fact on first need and remembers it, or its failure.

    `began` is when nothing was known yet, in nanoseconds since 1970.
    """

    def __init__(self, run: Run) -> None:
        self.began = time.time_ns()
        self._known: dict[str, Any] = {"run": run, "facts": self}
        self._failed: dict[str, BaseException] = {}
        self._pending: list[str] = []

    @property
    def run(self) -> Run:
        """Where and how this run looks."""
        value: Run = self._known["run"]
        return value

    def selecting(self, rows: frozenset[str]) -> None:
        """Say which rows will run, before any fact that depends on it is asked for."""
        self._known["run"] = self.run._replace(selected=rows)
        for name, fact in FACTS.items():
            if fact.early & rows:
                with suppress(Exception):  # whoever asks for it is told
                    self.get(name)

    def again(self) -> Facts:
        """Facts of the same run that share what is known now and nothing that is computed later."""
        other = Facts(self.run)
        other.began = self.began
        other._known.update(self._known, facts=other)
        return other

    def provide(self, name: str, value: Any) -> None:
        """Give a fact that only the engine can know, before a row asks for it."""
        self._known[name] = value

    def get(self, name: str) -> Any:
        """The fact called `name`.

        Raises what its computing raised, every time it is asked for: `CheckFailed` turns each row
        that needs it into a FAIL, `CannotRun` ends the run with exit 2. Raises `LookupError` for
        a name that is no fact, and for facts that need each other.
        """
        if name in self._known:
            return self._known[name]
        if name in self._failed:
            raise self._failed[name]
        if name == "git":
            return self._git()
        if name not in FACTS:
            raise LookupError(f"there is no fact called {name}")
        if name in self._pending:
            raise LookupError(f"facts need each other: {' -> '.join([*self._pending, name])}")
        fact = FACTS[name]
        self._pending.append(name)
        try:
            function = getattr(import_module(fact.module), fact.function)
            value = function(**self.arguments(function))
        except plumbing.GitError as error:
            self._failed[name] = CheckFailed(str(error))
            raise self._failed[name] from error
        except Exception as error:
            self._failed[name] = error
            raise
        finally:
            self._pending.pop()
        self._known[name] = value
        return value

    def arguments(self, function: Callable[..., object]) -> dict[str, Any]:
        """The facts that a function asks for, by parameter name."""
        return {name: self.get(name) for name in parameters(function)}

    def _git(self) -> plumbing.Git:
        if self.run.repo is None:
            raise CheckFailed("no git repository here", remedy="git init, then commit")
        value = plumbing.Git(self.run.repo)
        self._known["git"] = value
        return value
