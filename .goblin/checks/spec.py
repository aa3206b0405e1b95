"""SP: the spec. That one exists, is committed, and states what a machine can compare."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goblin.facts.specs import SUFFIX
from goblin.outcome import CheckFailed, Finding, Outcome, failed, passed, skipped
from goblin.redact import clean

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.head import Head
    from goblin.facts.repository import Repository
    from goblin.facts.specs import Spec, Specs
    from goblin.facts.status import Change

NONE = "no *-SPEC.md at the root"


def a_spec_exists(specs: Specs, facts: Facts) -> Outcome:
    """The root holds at least one regular, non-empty file that ends in -SPEC.md.

    Reads the names at the root, and the install record to know the scaffold again.
    FAIL: none (a folder, a link or an empty file of such a name is listed, and is none).
    PASS: with the count, and `scaffold only` where the one spec is still the installed template.
    """
    bad = [Finding(spec.path, message=spec.problem) for spec in specs.root if spec.problem]
    if not specs.good:
        return failed(NONE, bad)
    told = f"{len(specs.good)} spec(s) at the root"
    if len(specs.good) == 1 and _is_scaffold(specs.good[0], facts):
        told += f": {clean(specs.good[0].path)}, scaffold only; write the round's own before code moves"
    return passed(told, bad)


def _is_scaffold(spec: Spec, facts: Facts) -> bool:
    """True where a spec has the bytes that the installer wrote, under whatever name."""
    try:
        owned: dict[str, str] = facts.get("record").owned
    except CheckFailed:  # IN-01 says what is wrong with the record
        return False
    return not spec.digests().isdisjoint(digest for path, digest in owned.items() if path.endswith(SUFFIX))


def no_spec_is_uncommitted(
    head: Head, specs: Specs, repository: Repository, status: tuple[Change, ...]
) -> Outcome:
    """No spec is left uncommitted.

    Reads the names at the root, the index and the state of the work tree.
    FAIL: a path that ends in -SPEC.md, at any depth, that is untracked or only staged; one at the root
    that git ignores; no commit yet; git failing. SKIP: no spec anywhere. PASS: with the count; an edit
    of a committed spec is for CM-03 to report.
    """
    head.need_commit()
    problems = [
        Finding(change.path, message=_STATES[state])
        for change in status
        if change.path.endswith(SUFFIX) and (state := _state(change))
    ]
    known = {finding.path for finding in problems}
    problems += [
        Finding(spec.path, message="ignored by git; take the rule out, or use git add --force")
        for spec in specs.root
        if spec.path not in known and not repository.tracks(spec.path) and spec.problem != "is a folder"
    ]
    if problems:
        return failed(f"{len(problems)} spec(s) not committed", sorted(problems))
    tracked = {entry.path for entry in repository.ending(SUFFIX)}
    return passed(f"{len(tracked)} spec(s) committed") if tracked else skipped("no *-SPEC.md anywhere")


_STATES = {"untracked": "untracked", "staged": "staged, not committed"}


def _state(change: Change) -> str:
    """What keeps a path out of HEAD's tree; "" for a path that is in it."""
    index, tree = change.state[0], change.state[1]
    if change.state == "??":
        return "untracked"
    if (index == "A" and tree not in "AU") or change.state in (" A", "UA"):  # AA and AU are in HEAD
        return "staged"
    return ""


def acceptance_items_can_be_compared(specs: Specs) -> Outcome:
    """Each acceptance item shows something that a machine can compare.

    Reads the specs at the root. An item is a bullet (-, *, + or numbered) with a label such as `AC1:`
    or `**AC1**:`; its wrapped lines and deeper bullets belong to it. Fenced code and comments hold none.
    It is comparable when it holds code in backticks, `==`, `<`, `>`, `exit <n>`, `exits <n>` or `exit code`.
    FAIL: an item with none of these; no spec; a spec that cannot be read. PASS: with the count, and
    a word where it is 0.
    """
    if not specs.good:
        return failed(NONE, [Finding(spec.path, message=spec.problem) for spec in specs.root])
    problems: list[Finding] = []
    count = 0
    for spec in specs.good:
        try:
            items = spec.items
        except UnicodeDecodeError as error:
            line = spec.data.count(b"\n", 0, error.start) + 1
            problems.append(Finding(spec.path, line, 0, "not UTF-8"))
            continue
        count += len(items)
        problems += [
            Finding(spec.path, i.line, 0, f"nothing to compare: {_short(i.text)}")
            for i in items
            if not i.comparable
        ]
    told = f"{count} AC item(s) in {len(specs.good)} spec(s)"
    if problems:
        return failed(told, problems)
    if not count:
        told += "; write at least one, such as: - AC1: `make test` exits 0"
    return passed(told)


def _short(text: str) -> str:
    return text if len(text) <= 160 else text[:160] + "..."
