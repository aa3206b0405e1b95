"""The rule files of bans. Those of the release are kept parsed in the engine (`generated/bans.py`), a
project's own in the git directory: a YAML parser costs more than a run.

A shipped rule is read from the engine that is running, as its code is; a project's own from
`.goblin/rules/`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goblin import cache, home, yaml
from goblin.bans import astgrep, rules
from goblin.bans.astgrep import AstGrep
from goblin.bans.rules import BadRule, Rule
from goblin.digest import sha256
from goblin.generated.bans import RULES
from goblin.paths import ReadRefused, Tree

if TYPE_CHECKING:
    from goblin.bans.table import Ban
    from goblin.facts import Run
    from goblin.yaml import Node

CACHE = "ban-rules.json"
_LIMIT = 256 << 10
_KEPT = 64


def _of(tree: Node, shown: str) -> Rule | AstGrep:
    return astgrep.of(tree, shown) if astgrep.is_one(tree) else rules.of(tree, shown)


class Rules:
    """Gives the rule behind a ban."""

    def __init__(self, run: Run) -> None:
        self._root = run.root
        self._keep = run.git_dir or "" if run.cache and not run.static else ""
        self._known: dict[str, object] | None = None

    def data(self, ban: Ban) -> tuple[bytes, str]:
        """The bytes of a rule file, and its name for messages. Raises `BadRule`."""
        folder, name = ban.rule
        if not folder:
            raise BadRule(f"{ban.id} detects by {ban.detect!r}, which names no rule file")
        base, shown = (home.HOME, "bans") if folder == "bans" else (self._root, ".goblin/rules")
        try:
            return Tree(base).read(f"{shown}/{name}", _LIMIT), f"{shown}/{name}"
        except ReadRefused as error:
            raise BadRule(str(error)) from error

    def read(self, ban: Ban) -> Rule | AstGrep:
        """The rule of a ban that has a rule file. Raises `BadRule`."""
        data, shown = self.data(ban)
        if not ban.project and (shipped := RULES.get(sha256(data))):
            return rules.of(yaml.load_tree(shipped), shown)
        name = sha256(shown.encode() + b"\0" + data)
        known = self._recall()
        if isinstance(kept := known.get(name), dict):
            try:
                return _of(yaml.load_tree(kept), shown)
            except (BadRule, ValueError, TypeError, KeyError, RecursionError):
                pass  # not what was written
        tree = rules.parse(data, shown)
        rule = _of(tree, shown)
        if self._keep:
            known[name] = yaml.dump_tree(tree)
            while len(known) > _KEPT:
                del known[next(iter(known))]
            cache.remember(self._keep, CACHE, known)
        return rule

    def _recall(self) -> dict[str, object]:
        if self._known is None:
            value = cache.recall(self._keep, CACHE) if self._keep else None
            self._known = value if isinstance(value, dict) else {}
        return self._known
