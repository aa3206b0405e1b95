"""FM and VA: the map of features that a person or an agent drives, and the doctor that says it can run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from goblin import clock
from goblin.outcome import Finding, Outcome, failed, passed, skipped
from goblin.pattern import lazy
from goblin.redact import clean, mask

if TYPE_CHECKING:
    from goblin.facts.config import Config
    from goblin.facts.doctor import Visit
    from goblin.facts.entrypaths import EntryPaths
    from goblin.facts.featuremap import Feature, FeatureMap
    from goblin.facts.mappages import Pages

SECTIONS = ("Sub-features", "How to get to it (user POV)", "Driving it with <harness>", "Gotchas")
_DRIVING = lazy(r"Driving it with \S.*")
MOST = 5
"""Files of one entry path that are listed."""


def every_feature_is_indexed_and_whole(feature_map: FeatureMap, config: Config, map_links: Pages) -> Outcome:
    """The feature map is indexed, and each feature file keeps the entry contract.

    Reads the index that `feature_map` names and the other `*.md` files beside it. A feature file opens with
    front matter: `feature` (its file stem) and `entry_paths` (one or more single tokens), and has exactly
    the sections `Sub-features`, `How to get to it (user POV)`, `Driving it with <harness>`, `Gotchas`.
    SKIP: no map declared. FAIL: no index; no feature file; one that the index does not link; a relative
    link to an `.md` file that does not exist; another `feature`, no entry path, other sections.
    PASS: otherwise, with the number of feature files.
    """
    if not feature_map.page:
        return skipped("no map is declared (feature_map)")
    broken = _unusable(feature_map, config)
    if broken:
        return broken
    features = feature_map.features
    if not features:
        return failed(f"the map has no feature file: no other *.md stands beside {feature_map.page}")
    found = [Finding(link.source, link.line, 0, link.problem) for link in map_links.broken]
    for feature in features:
        if feature.path not in map_links.linked:
            found.append(Finding(feature.path, message=f"{feature_map.page} does not link it"))
        found += _shape(feature)
    if found:
        return failed(f"{len(found)} fault(s) in a map of {len(features)} feature file(s)", found)
    return passed(f"{len(features)} feature file(s) indexed in {feature_map.page}")


def _unusable(feature_map: FeatureMap, config: Config) -> Outcome | None:
    if not feature_map.problem:
        return None
    where = config.where("feature_map", f"{clean(feature_map.page)}: {clean(feature_map.problem)}")
    return failed(f"the index of the feature map: {clean(feature_map.problem)}", [where])


def _shape(feature: Feature) -> Iterator[Finding]:
    """What a feature file lacks of the contract."""
    if feature.problem:
        yield Finding(feature.path, message=feature.problem)
        return
    if isinstance(feature.front, Finding):
        yield feature.front
    else:
        name = feature.value("feature")
        if name != feature.stem:
            told = f"feature is {clean(name)[:80]!r}, and the file is {feature.stem}.md"
            yield Finding(feature.path, feature.line_of("feature"), 0, told)
        if isinstance(feature.tokens, Finding):
            yield feature.tokens
    names = [heading.text for heading in feature.sections]
    for at, wanted in enumerate(SECTIONS):
        if at >= len(names):
            yield Finding(feature.path, message=f"lacks the section ## {wanted}")
        elif not (_DRIVING.fullmatch(names[at]) if at == 2 else names[at] == wanted):
            line = feature.sections[at].line
            yield Finding(
                feature.path, line, 0, f"section {at + 1} is {clean(names[at])[:80]!r}, not {wanted!r}"
            )
    for heading in feature.sections[len(SECTIONS) :]:
        told = f"a section more than the four: {clean(heading.text)[:80]!r}"
        yield Finding(feature.path, heading.line, 0, told)


def entry_paths_resolve_and_are_no_newer(
    feature_map: FeatureMap, config: Config, entry_paths: EntryPaths
) -> Outcome:
    """Every entry path still occurs in the source, and no file that holds it changed after `verified`.

    Reads the map, the tracked text files under `source_root` (without the map, the harness directory,
    `.goblin/` and the skills folders) and their last commits. A day is that of the commit's own offset; an
    uncommitted change counts as today.
    SKIP: no map declared, or no entry path in it. FAIL: no index; a token that no tracked file holds; one
    whose file, any of them, changed after the day; no `verified`, no date, or one in the future; a shallow
    clone. PASS: otherwise, with the number of entry paths.
    """
    config.path("source_root")  # a wrong one is this row's to say, declared map or not
    if not feature_map.page:
        return skipped("no entry paths to resolve: no map is declared (feature_map)")
    broken = _unusable(feature_map, config)
    if broken:
        return broken
    tokens = sum(len(feature.named) for feature in feature_map.features)
    unread = [feature for feature in feature_map.features if feature.problem]
    if not tokens and not unread:
        return skipped("no entry paths to resolve: the map names none (FM-01)")
    if entry_paths.shallow:
        return failed("shallow clone: days of commits are not to be trusted; fetch full history first",
                      remedy="git fetch --unshallow")  # fmt: skip
    found = [Finding(feature.path, message=feature.problem) for feature in unread]
    for feature in feature_map.features:
        if not feature.problem:
            found += _stale(feature, entry_paths)
    if found:
        return failed(f"{len(found)} fault(s) among {tokens} entry path(s)", found)
    files = len({path for paths in entry_paths.tracked.values() for path in paths})
    return passed(f"{tokens} entry path(s) resolve, in {files} file(s) no newer than their day")


def _stale(feature: Feature, entry_paths: EntryPaths) -> Iterator[Finding]:
    written, day = feature.value("verified"), feature.verified
    if day is None:
        told = f"verified is {clean(written)[:40]!r}, no date" if written else "verified is not set"
        yield Finding(feature.path, feature.line_of("verified"), 0, told)
    elif clock.in_future(day):
        yield Finding(feature.path, feature.line_of("verified"), 0, f"verified {day} is in the future")
    where = f" under {entry_paths.root}" if entry_paths.root != "." else ""
    for token in feature.named:
        shown = clean(token.text)[:120]
        files = entry_paths.tracked.get(token.text, ())
        if not files:
            others = entry_paths.untracked.get(token.text, ())
            told = f"no occurrence of {shown} in a tracked file{where}"
            if others:
                told = f"{shown} occurs only in {', '.join(map(clean, others[:MOST]))}, which is not tracked"
            yield Finding(feature.path, token.line, 0, told)
        newer = [path for path in files if day and entry_paths.days[path] > day.isoformat()]
        for path in newer[:MOST]:
            told = f"{shown} is in {clean(path)}, which changed on {entry_paths.days[path]}, after {day}"
            yield Finding(feature.path, token.line, 0, told)
        if len(newer) > MOST:
            told = f"{shown} is in {len(newer) - MOST} more file(s) that changed after {day}"
            yield Finding(feature.path, token.line, 0, told)


_EMPTY = lazy(r"(?:true|:|exit(?:\s+0)?|echo(?:\s.*)?)", re.DOTALL)


def the_doctor_exits_0(doctor: Visit) -> Outcome:
    """The declared doctor runs, exits 0, and leaves the tree as it is.

    Runs `verify_doctor` with `bash -c` in the root, once, for at most 300 s.
    SKIP: none declared. FAIL: another exit code, with its first lines; 126, 127, a signal or a time-out
    (could not run); `git status` differs afterwards. PASS: otherwise; a doctor that cannot fail is named.
    """
    if not doctor.command:
        return skipped("no doctor is declared (verify_doctor)")
    command = clean(mask(" ".join(doctor.command.split())))[:200]
    said = [Finding("", message=line) for line in doctor.said]
    if doctor.problem:
        return failed(f"the doctor could not be executed: {doctor.problem}: {command}", said)
    if doctor.code:
        return failed(f"the doctor exits {doctor.code}: {command}", said)
    if doctor.changed:
        found = [Finding(path, message="changed by the doctor") for path in doctor.changed]
        return failed(f"the doctor changed the tree: {len(found)} entr(y|ies): {command}", found)
    notes = []
    if _EMPTY.fullmatch(doctor.command.strip()):
        notes.append("this doctor cannot fail, so it shows nothing")
    if doctor.unwatched:
        notes.append(doctor.unwatched)
    return passed(f"1 doctor, exit 0: {command}", [Finding("", message=note) for note in notes])
