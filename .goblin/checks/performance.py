"""PF: performance. Whether the recorded baseline is tied to the commit that it was measured on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from goblin import clock
from goblin.outcome import CheckFailed, Finding, Outcome, failed, passed, skipped
from goblin.redact import clean, mask

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.config import Config

Value = TypeVar("Value")
CONFIG = ".goblin/goblin.yaml"


def the_baseline_names_its_commit(config: Config, facts: Facts) -> Outcome:
    """The performance baseline names the commit that it was measured on, and the ratchet holds it.

    Reads `perf`, `ratchet.name`, `ratchet.ceiling` and the history. Measures nothing.
    SKIP: no metric declared, or no baseline recorded yet (with the fields to fill).
    FAIL: `metric` is not the ratchet's name; `baseline_value` and `ceiling` are not the same whole number,
    or there is no ceiling; `measured` is no date or in the future; `baseline_commit` is no id of 7 digits
    or more, names no commit, or one that is no ancestor of HEAD; a value of `perf` that cannot be read.
    PASS: otherwise, with the number. Whether it was measured, and matters, is not seen.
    """
    wrong = config.faults("perf")
    if wrong:
        first = f"{wrong[0].message}{f' (and {len(wrong) - 1} more)' if len(wrong) > 1 else ''}"
        return failed(first, [fault.finding() for fault in wrong], wrong[0].remedy)
    metric = config.text("perf.metric").strip()
    if not metric:
        ratchet = _text(config, "ratchet.name")
        named = f"; the ratchet is {_shown(ratchet)}" if ratchet else ""
        return skipped(f"no perf metric declared{named}")
    commit = config.text("perf.baseline_commit").strip().lower()
    if not commit:
        command = _shown(config.text("perf.cmd")) or "what produces the number"
        return skipped(
            f"no perf baseline recorded: run {command}, then fill perf.baseline_commit, perf.baseline_value, "
            "perf.measured and ratchet.ceiling"
        )
    found = _about_the_number(config, metric)
    found += _about_the_day(config)
    found += _about_the_commit(config, commit, facts)
    if found:
        return failed(f"the baseline of {_shown(metric)} does not hold: {len(found)} fault(s)", found)
    value, ceiling = config.integer("perf.baseline_value"), config.integer("ratchet.ceiling")
    host = _shown(config.text("perf.host_gate")) or "none"
    day = config.text("perf.measured")
    return passed(
        f"{_shown(metric)} = {value} measured {day} on {commit[:12]} (ceiling {ceiling}), host gate: {host}"
    )


def _shown(text: str) -> str:
    return clean(mask(" ".join(text.split())))[:200]


def _text(config: Config, key: str) -> str:
    try:
        return config.text(key).strip()
    except CheckFailed:  # GT-04 says what is wrong with the ratchet
        return ""


def _about_the_number(config: Config, metric: str) -> list[Finding]:
    found: list[Finding] = []
    name = _read(found, config.text, "ratchet.name")
    if name is not None and name.strip() != metric:
        told = f"perf.metric is {_shown(metric)!r}, and the ratchet is {_shown(name)!r}"
        found.append(config.where("perf.metric", told))
    value = _read(found, config.integer, "perf.baseline_value")
    if not _text(config, "ratchet.ceiling") and not config.faults("ratchet.ceiling"):
        found.append(config.where("ratchet.ceiling", "a baseline is recorded, and ratchet.ceiling is empty"))
        return found
    ceiling = _read(found, config.integer, "ratchet.ceiling")
    if value is not None and ceiling is not None and value != ceiling:
        told = f"ratchet.ceiling is {ceiling}, and perf.baseline_value is {value}: move both in one change"
        found.append(config.where("ratchet.ceiling", told))
    return found


def _read(found: list[Finding], accessor: Callable[[str], Value], key: str) -> Value | None:
    try:
        return accessor(key)
    except CheckFailed as error:
        found += error.outcome.findings or (Finding(CONFIG, message=error.outcome.summary),)
        return None


def _about_the_day(config: Config) -> list[Finding]:
    text = config.text("perf.measured").strip()
    day = clock.parse_date(text)
    if day is None:
        told = f"perf.measured is {text!r}, no date" if text else "perf.measured is empty"
        return [config.where("perf.measured", clean(told))]
    if clock.in_future(day):
        return [config.where("perf.measured", f"perf.measured is {text}, which is in the future")]
    return []


def _about_the_commit(config: Config, token: str, facts: Facts) -> list[Finding]:
    head, history = facts.get("head"), facts.get("history")
    head.need_commit()
    hint = "; this is a shallow clone: fetch full history (git fetch --unshallow)" if head.shallow else ""
    named = history.named([token])[token]
    where = config.where("perf.baseline_commit")
    if not named.commit:
        return [
            where._replace(message=f"perf.baseline_commit {token} does not resolve: it {named.reason}{hint}")
        ]
    if history.distance(named.commit) is None:
        return [where._replace(message=f"perf.baseline_commit {token} is no ancestor of HEAD{hint}")]
    return []
