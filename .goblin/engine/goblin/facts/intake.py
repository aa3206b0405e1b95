"""One bug report as the intake reads it: every key that is required, and what is wrong (spec PR-05).

A report is hostile input: nothing in it is run, and nothing of it is printed raw. Its dedup key is that
of `goblin.facts.reports`, which rule AU-02 checks with.
"""

from __future__ import annotations

from typing import NamedTuple

from goblin import yaml
from goblin.facts.reports import LIMIT, REQUIRED, dedup_key, is_one_line
from goblin.redact import clean

OPTIONAL = ("environment", "evidence")
ONE_LINE = ("repo", "symptom", "expected", "observed", "revision", "dedup_key")
LISTS = ("repro_steps", "evidence")


class Fault(NamedTuple):
    """One thing that is wrong with a report; `line` is 0 where there is no place."""

    line: int
    column: int
    message: str


class Report(NamedTuple):
    """The values that a report gives, one text a key, and what is wrong with it.

    `missing` names the required keys without a value, `dedup_key` among them; `faults` are values of
    the wrong shape, and a report that does not parse has nothing else.
    """

    values: dict[str, str]
    lines: dict[str, int]
    missing: tuple[str, ...]
    faults: tuple[Fault, ...]

    def key(self) -> str:
        """The key that its content gives."""
        return dedup_key(self.values["repo"], self.values["symptom"])


def read(data: bytes, source: str) -> Report:
    """Read a report; `source` names it in messages. Never raises for what it holds."""
    try:
        root = yaml.load(data, source, limit=LIMIT)
    except yaml.YamlError as error:
        return Report({}, {}, (), (Fault(error.line, error.column, error.message),))
    if not isinstance(root, yaml.Map):
        return Report({}, {}, (), (Fault(1, 1, "a report is a mapping of key: value lines"),))
    values: dict[str, str] = {}
    lines: dict[str, int] = {}
    faults: list[Fault] = []
    for key in (*REQUIRED, *OPTIONAL):
        node = root.get(key)
        if node is None or yaml.is_unset(node):
            continue
        line, column = root.marks[key]
        text, problem = _listed(node) if key in LISTS else _text(node, key in ONE_LINE)
        if problem:
            faults.append(Fault(line, column, f"{key} {problem}"))
        elif text:
            values[key], lines[key] = text, line
    wrong = {fault.message.split(" ", 1)[0] for fault in faults}
    missing = tuple(key for key in REQUIRED if key not in values and key not in wrong)
    return Report(values, lines, missing, tuple(faults))


def _text(node: yaml.Node, one_line: bool) -> tuple[str, str]:
    if not isinstance(node, str):
        return "", "is no text"
    if one_line and str(node).strip() and not is_one_line(str(node)):
        return "", "is not one line"
    return str(node).strip(), ""


def _listed(node: yaml.Node) -> tuple[str, str]:
    if not isinstance(node, yaml.List):
        return "", "is no list: write one `- item` a line"
    if not all(isinstance(item, str) for item in node):
        return "", "holds an item that is no text"
    return "\n".join(clean(str(item)) for item in node if str(item).strip()), ""
