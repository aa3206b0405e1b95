"""The rules of this repository about itself: floors, controls, and pages that are in step."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from goblin.outcome import Finding, Outcome, failed, passed, skipped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goblin.facts.repository import Repository
    from goblin.paths import Tree

MATRIX, CONTROLS, PAGES = "manifest/enforcement.tsv", "manifest/controls.tsv", "docs/rules"
_UPWARD = re.compile(r"^[ \t]*(?:from|import)[ \t]+goblin\.(?:commands|install|prove)\b", re.MULTILINE)


def nothing_below_imports_what_stands_above(tree: Tree, repository: Repository) -> Outcome:
    """Facts, reports and checks import neither a command, the installer nor the proof.

    The suite holds all floors with import-linter; this is the part that needs nothing installed.
    Reads every tracked Python file of src/goblin/facts, src/goblin/report and checks.
    """
    folders = ("src/goblin/facts", "src/goblin/report", "checks")
    paths = [entry.path for folder in folders for entry in repository.below(folder) if entry.is_file]
    paths = [path for path in paths if path.endswith(".py")]
    if not paths:
        return skipped("no Python file below facts, report and checks")
    found = [
        Finding(path, text.count("\n", 0, match.start()) + 1, 0, match.group().strip())
        for path in paths
        for text in (tree.text(path),)
        for match in _UPWARD.finditer(text)
    ]
    if found:
        return failed(f"{len(found)} import(s) of a floor above", found)
    return passed(f"{len(paths)} file(s), none of them imports what stands above it")


def _rows(tree: Tree, path: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(tree.text(path).split("\n"), start=1):
        if number > 1 and line and not line.startswith("#"):
            yield number, line.split("\t")


def each_row_has_its_controls(tree: Tree) -> Outcome:
    """Each target row of the matrix has two red controls and one that must stay not red."""
    red: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    for _, cells in _rows(tree, CONTROLS):
        (red if cells[3] == "FAIL" or cells[3].startswith("exit:") else kept)[cells[0]] += 1
    rows = [(line, cells[0]) for line, cells in _rows(tree, MATRIX) if cells[1] == "target"]
    found = [
        Finding(MATRIX, line, 0, f"{row}: {red[row]} red control(s), {kept[row]} that must stay not red")
        for line, row in rows
        if red[row] < 2 or kept[row] < 1
    ]
    if found:
        return failed(f"{len(found)} row(s) without the controls that prove them", found)
    return passed(f"{len(rows)} row(s) with {red.total()} red control(s) and {kept.total()} that stay")


def each_row_has_its_page(tree: Tree) -> Outcome:
    """Each row of the matrix has a page in docs/rules, and each page a row."""
    rows = {cells[0]: line for line, cells in _rows(tree, MATRIX)}
    pages = {name.removesuffix(".md") for name in tree.names(PAGES) if re.fullmatch(r"[A-Z]+-\d+\.md", name)}
    found = [
        Finding(MATRIX, rows[row], 0, f"{row}: no page {PAGES}/{row}.md") for row in rows if row not in pages
    ]
    found += [
        Finding(f"{PAGES}/{page}.md", message="a page without a row") for page in sorted(pages - rows.keys())
    ]
    if found:
        return failed(f"{len(found)} row(s) and pages out of step", found)
    return passed(f"{len(rows)} row(s), each with its page")
