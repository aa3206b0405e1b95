"""A governed repository of few lines, and the GT rows judged on it."""

from __future__ import annotations

from pathlib import Path

from goblin.outcome import Outcome
from tests.checks.judging import judge
from tests.support import Repo, build_repo
from tests.support.mini import CONFIG

IGNORED = ".goblin/last-gate-line\n.goblin/last-gate.json\n.goblin/ratchet-last\n.goblin/.ds-report\n"
LINE = ".goblin/last-gate-line"
SIDECAR = ".goblin/last-gate.json"
MEMORY = ".goblin/ratchet-last"


def governed(
    root: Path, gates: str, files: dict[str, str] | None = None, *, commit: str | None = "start"
) -> Repo:
    """A repository with these lines in its config."""
    content = {".goblin/goblin.yaml": CONFIG + gates, ".gitignore": IGNORED, **(files or {})}
    return build_repo(content, root, commit=commit)


def gates_of(*commands: str) -> str:
    """A `gates:` block of gates a, b, c ..."""
    items = [f"  - name: {chr(97 + n)}\n    cmd: |-\n      {cmd}\n" for n, cmd in enumerate(commands)]
    return "gates:\n" + "".join(items)


def ratchet_of(cmd: str, ceiling: object = 9, raised: str = "") -> str:
    """A `ratchet:` block."""
    more = f"  raised: '{raised}'\n" if raised else ""
    return f"ratchet:\n  name: markers\n  cmd: '{cmd}'\n  ceiling: {ceiling}\n{more}"


def gt01(repo: Repo) -> Outcome:
    return judge(repo, "checks/gates.py::every_gate_has_a_command")


def gt02(repo: Repo, *selected: str) -> Outcome:
    rows = frozenset({"GT-02", *selected})
    return judge(repo, "checks/gates.py::every_gate_exits_0", selected=rows)


def gt03(repo: Repo, *selected: str, **settings: object) -> Outcome:
    rows = frozenset({"GT-03", *selected})
    return judge(repo, "checks/gates.py::the_gate_line_is_of_this_head", selected=rows, **settings)


def gt04(repo: Repo) -> Outcome:
    return judge(repo, "checks/gates.py::a_ratchet_is_declared")


def gt05(repo: Repo) -> Outcome:
    rows = frozenset({"GT-05"})
    return judge(repo, "checks/gates.py::the_number_is_under_its_ceiling", selected=rows)
