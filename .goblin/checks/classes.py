"""CL: the class contract. What a class requires and forbids, and whether the archive waiver is real."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goblin.facts.record import PATH
from goblin.manifest import PARTS
from goblin.outcome import Finding, Outcome, failed, passed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goblin.facts.classes import ClassTable, Part
    from goblin.facts.config import Config
    from goblin.facts.installed import Installed
    from goblin.facts.record import Record

NO_RECORD = Finding(PATH, message="no record to compare with: the engine is a global one")
OLD_RECORD = Finding(PATH, message="the record does not say which parts the install opted out")


def parts_match_the_class(
    config: Config, classes: ClassTable, parts: dict[str, Part], installed: Installed | None
) -> Outcome:
    """Every part that the class requires is present, and none that it forbids.

    Reads `class`, `disabled` and `archive` in the config, the class table, the record, and each part's
    artifact. A part that the class forbids must not stand here even when it is opted out; of the CI
    workflows that is our own file alone. An optional part is reported, present or absent.
    PASS: no fault; the summary counts the parts and says what became of each.
    FAIL: a forbidden part's artifact stands here; a required one is absent, neither opted out nor waived
    by `archive: true`; a required part is opted out in the config and not in the record (`opt-out not
    recorded`); `disabled` names an unknown part; `class` is not the recorded one; the class table lacks
    a pair, holds one twice, or holds a need outside R O -.
    """
    faults: list[Finding] = list(classes.faults)
    record = installed.record if installed else None
    told: dict[str, list[str]] = {}
    for part in PARTS:
        need = classes.needs.get((config.class_name, part), "")
        state, fault = _judge(parts[part], need, config, record)
        if fault:
            faults.append(fault)
        elif state:
            told.setdefault(state, []).append(part)
    faults += _config_faults(config, record)
    if faults:
        return failed(f"class {config.class_name}: {len(faults)} fault(s)", faults)
    states = "; ".join(f"{state}: {' '.join(names)}" for state, names in told.items())
    notes = [NO_RECORD] if record is None else [OLD_RECORD] if record.disabled is None else []
    return passed(f"class {config.class_name}, {len(PARTS)} part(s): {states}", notes)


def _judge(part: Part, need: str, config: Config, record: Record | None) -> tuple[str, Finding | None]:
    """What became of one part, or the fault; both empty for a pair that the table lacks."""
    note = f" ({part.note})" if part.note else ""
    if need == "-" and part.forbidden:
        told = f"{part.name}: class {config.class_name} forbids it, and {part.artifact} is here: remove it"
        return "", Finding(part.place, message=told)
    if part.name in config.disabled:
        known = record is None or record.disabled is None or part.name in record.disabled
        if need != "R" or known:
            return "opt-out", None
        told = (
            f"{part.name}: opt-out not recorded: the config disables it and the record does not; "
            f"run goblin-install --target . --opt-out {part.name}, or take it out of disabled"
        )
        return "", config.where("disabled", told)
    if need == "R":
        if config.archive:
            return "waived by archive: true", None
        if part.present:
            return "required, present", None
        told = (
            f"{part.name}: class {config.class_name} requires it, and {part.artifact} is not here{note}: "
            f"create it, or run goblin-install --target . --opt-out {part.name}"
        )
        return "", Finding(part.place, message=told)
    if need == "O":
        return f"optional, {'present' if part.present else 'absent'}", None
    return ("off", None) if need == "-" else ("", None)


def _config_faults(config: Config, record: Record | None) -> Iterable[Finding]:
    yield from config.problems("disabled")
    if record is not None and record.class_name != config.class_name:
        told = (
            f"class is {config.class_name} here and {record.class_name} in the record: set it back, or run "
            f"goblin-install --target . --class {config.class_name} --force"
        )
        yield config.where("class", told)


def the_archive_waiver_is_the_recorded_one(config: Config, installed: Installed | None) -> Outcome:
    """`archive` is true or false, and the record holds the same value.

    Reads `archive` in the config and the JSON boolean `options.archive` in the record. While it is
    true the handoff, spec, gate and runtime-data rows SKIP, and a required part may be absent.
    PASS: exactly `true` or `false`, equal to the record.
    FAIL: any other text or none; the record holds no boolean; the two differ (`flipped by hand`).
    """
    archive = config.flag("archive")
    value = str(archive).lower()
    if installed is None:
        return passed(f"archive: {value}", [NO_RECORD])
    recorded = installed.record.options.archive
    if recorded is None:
        return failed("the record holds no boolean in options.archive", [Finding(PATH)])
    if recorded is not archive:
        told = f"archive is {value} here and {str(recorded).lower()} in the record"
        return failed(f"flipped by hand: {told}", [config.where("archive")])
    return passed(f"archive: {value}, as the install recorded it")
