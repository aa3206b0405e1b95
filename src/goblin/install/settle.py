"""What an install is asked to do: the options, the record of the last one and the config, made one.

Bad input is found here, before anything is looked at closely: unknown parts, classes and platforms
end with exit 2 and say what there is to choose from.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from goblin.facts.installed import PLATFORMS
from goblin.facts.record import Record
from goblin.install import classes, forge, presets, standard
from goblin.install.config import Known
from goblin.install.disk import Disk
from goblin.install.preflight import Refused
from goblin.install.presets import Preset
from goblin.manifest import ON_REQUEST, PARTS
from goblin.outcome import CannotRun

MODELS = "~/.config/goblin/models.yaml"
ALL = "all"


class Request(NamedTuple):
    """The options as they were given; None and "" mean that an option was left out."""

    target: str
    class_name: str
    models: str = ""
    practice: str = ""
    parts: str = ""
    archive: bool | None = None
    skills: str = ""
    opt_out: tuple[str, ...] = ()
    opt_in: tuple[str, ...] = ()
    dry_run: bool = False
    verbose: bool = False
    force: bool = False
    merge_agents: bool = False
    upgrade: bool = False
    forge: str = ""
    add_missing_keys: bool = False
    sign: str = ""  # the key
    no_baseline: bool = False


class Settled(NamedTuple):
    """Every choice, made."""

    preset: Preset
    needs: dict[str, str]  # part to R, O or -
    platforms: dict[str, str]  # platform to folder; none means no skills
    archive: bool
    parts: str  # the raw text, for the record
    reached: frozenset[str]  # parts whose files are installed
    disabled: tuple[str, ...]  # for the record
    config_disabled: tuple[str, ...]  # for the config
    opted_in: tuple[str, ...]  # for the record: parts that are off until somebody asks for them
    models_file: str
    practice: str
    practice_sha256: str
    forge: str
    notices: tuple[str, ...]

    @property
    def class_name(self) -> str:
        """The class letter."""
        return self.preset.letter


def check(request: Request) -> None:
    """Raise `CannotRun` for what no target could make right."""
    if request.class_name:
        _known_class(request.class_name)
    for option, names in (("--opt-out", request.opt_out), ("--opt-in", request.opt_in)):
        _known_parts(option, names)
    if request.parts and request.parts != ALL:
        _known_parts("--parts", _split(request.parts) or [""])
    both = sorted(set(request.opt_out) & set(request.opt_in))
    if both:
        raise CannotRun(f"{', '.join(both)} is both opted out and opted in", "name each part once")
    if request.skills not in ("", "yes", "no"):
        _platforms(request.skills)
    forge.check(request.forge)


def _known_class(letter: str) -> None:
    if letter in presets.LETTERS:
        return
    given = f"--class {letter}: no such class" if letter else "--class is missing"
    raise CannotRun(
        given, f"choose one of: {' '.join(presets.LETTERS)} (goblin-install --help says what they are)"
    )


def with_class(request: Request, record: Record | None) -> Request:
    """The request with the class that was left to the record: where goblin is installed, that knows it.

    Raises `CannotRun` where there is nothing to upgrade, where the record names no class, and for a
    part that the class must not have.
    """
    if request.upgrade and record is None:
        raise CannotRun(
            "nothing to upgrade: there is no .goblin/installed.json here",
            "install first: goblin-install --target . --class A",
        )
    if record is None:
        _known_class(request.class_name)
    letter = request.class_name or (record.class_name if record else "")
    if letter not in presets.LETTERS:
        raise CannotRun(f"the record names the class {letter!r}, and there is none", "say which: --class A")
    forbidden = classes.forbidden(letter)
    barred = [part for part in request.opt_in if part in forbidden]
    if barred:
        raise CannotRun(
            f"--opt-in {','.join(barred)}: class {letter} forbids it (CL-01)",
            "choose a class that has this part; the matrix is .goblin/manifest/classes.tsv",
        )
    return request._replace(class_name=letter)


def _split(text: str) -> list[str]:
    return [part for part in (part.strip() for part in text.split(",")) if part]


def _known_parts(option: str, names: Iterable[str]) -> None:
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        raise CannotRun(
            f"{option}: there is no part {', '.join(map(repr, unknown))}", f"the parts are: {' '.join(PARTS)}"
        )


def _platforms(text: str) -> dict[str, str]:
    names = _split(text)
    unknown = [name for name in names if name not in PLATFORMS]
    if unknown or not names:
        raise CannotRun(
            f"--skills: there is no platform {', '.join(map(repr, unknown)) or repr(text)}",
            f"say yes, no, or a list of: {' '.join(sorted(PLATFORMS))}",
        )
    return {name: PLATFORMS[name] for name in dict.fromkeys(names)}


def settle(request: Request, record: Record | None, known: Known | None, disk: Disk) -> Settled:
    """Make every choice, from the options first, then the record, then the preset.

    Raises `Refused` for a class that differs from the record's without `--force`.
    """
    letter = request.class_name
    needs = classes.needs(letter)
    preset = presets.load(letter)
    notices: list[str] = []
    if record and record.class_name != letter and not request.force:
        raise Refused(_class_change(record, letter))
    if known and (request.practice or request.models):
        notices.append(
            "--practice and --models go into a new config only; the one here is yours and stays as it is"
        )
    platforms = _skills(request, record, preset, notices)
    archive = _archive(request, record, notices)
    parts = request.parts or _recorded_parts(request, record, notices)
    add, drop = set(request.opt_out), set(request.opt_in)
    asked = {*_split(request.parts), *drop, *(record.opted_in if record else ())} - add
    if record is None or bool(record.options.skills) != bool(platforms):
        (drop if platforms else add).add("playbooks")
        drop -= set(request.opt_out)
    if record is None:
        disabled = classes.forbidden(letter) | add - drop
        config_disabled = disabled if known is None else frozenset(known.disabled) | add - drop
    else:
        swap = _swap(record.class_name, letter)
        before = record.disabled if record.disabled is not None else known.disabled if known else ()
        disabled = (frozenset(before) - swap[0] | swap[1] | add) - drop
        config_disabled = (frozenset(known.disabled) - swap[0] | swap[1] | add) - drop if known else disabled
    practice, pin = _practice(request, notices) if known is None else ("", "")
    return Settled(
        preset=preset,
        needs=needs,
        platforms=platforms,
        archive=archive,
        parts=parts,
        reached=frozenset(PARTS if parts == ALL else _split(parts)),
        disabled=ordered(disabled),
        config_disabled=ordered(config_disabled),
        opted_in=ordered(asked & set(ON_REQUEST)),
        models_file=request.models or os.environ.get("GOBLIN_MODELS", "") or MODELS,
        practice=practice,
        practice_sha256=pin,
        forge=forge.chosen(request.forge, record, disk, notices),
        notices=tuple(notices),
    )


def ordered(parts: Iterable[str]) -> tuple[str, ...]:
    """Parts sorted bytewise, each once."""
    return tuple(sorted(set(parts), key=lambda part: part.encode("utf-8", "surrogateescape")))


def _swap(old: str, new: str) -> tuple[frozenset[str], frozenset[str]]:
    """What a change of class takes out of `disabled:` and what it puts in."""
    if old == new or old not in presets.LETTERS:
        return frozenset(), frozenset()
    return classes.forbidden(old), classes.forbidden(new)


def _class_change(record: Record, letter: str) -> tuple[str, str]:
    gone = classes.forbidden(letter) - (
        classes.forbidden(record.class_name) if record.class_name in presets.LETTERS else frozenset()
    )
    orphaned = (
        f"; class {letter} forbids {', '.join(sorted(gone))}, and their files would be orphaned"
        if gone
        else ""
    )
    return (
        f"this repository was installed as class {record.class_name or '?'}, not {letter}{orphaned}",
        f"run again with --class {record.class_name}, or with --force to change the class",
    )


def _skills(request: Request, record: Record | None, preset: Preset, notices: list[str]) -> dict[str, str]:
    if request.skills == "no":
        return {}
    if request.skills == "" and record is not None:
        kept = [name for name in record.options.skills if name in PLATFORMS]
        notices.append(f"skills: {', '.join(kept) or 'no'}; they are kept")
        return {name: PLATFORMS[name] for name in kept}
    return _platforms(preset["skills"] if request.skills in ("", "yes") else request.skills)


def _recorded_parts(request: Request, record: Record | None, notices: list[str]) -> str:
    """What `--parts` stands for where it was left out: an upgrade goes on with what is installed."""
    if not request.upgrade or record is None or record.options.parts == ALL:
        return ALL
    named = _split(record.options.parts)
    kept = [part for part in named if part in PARTS]
    notices.append(f"parts: {', '.join(kept) or 'none'}; they are kept (--parts all adds the others)")
    return record.options.parts if kept == named else ",".join(kept) or ALL


def _archive(request: Request, record: Record | None, notices: list[str]) -> bool:
    if request.archive is not None:
        return request.archive
    if record is not None and record.options.archive:
        notices.append("archive: kept as recorded; --no-archive takes it back")
        return True
    return False


def _practice(request: Request, notices: list[str]) -> tuple[str, str]:
    """The standard's path and hash for a new config; both empty where there is no such file."""
    given = request.practice or os.environ.get("GOBLIN_PRACTICE", "")
    if not given:
        return "", ""
    full = os.path.abspath(os.path.expanduser(given))
    try:
        pin = standard.hashed(full)
    except standard.Unreadable as problem:
        raise CannotRun(f"--practice {given}: {problem}") from problem
    if pin is None:
        if request.practice:
            notices.append(f"--practice {given} does not exist: practice and practice_sha256 stay empty")
        return "", ""
    return (given if given.startswith("~") else full), pin


def skipped_parts(settled: Settled) -> Sequence[str]:
    """The parts that this class has and `--parts` leaves out."""
    return [p for p in classes.REACHED if settled.needs[p] != "-" and p not in settled.reached]
