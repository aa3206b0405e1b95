"""SK: the installed skills, and the cap on rules that have no mechanism."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goblin.facts.installed import NO_RECORD
from goblin.facts.record import PATH
from goblin.facts.skills import BLIND_SPOT, Fault
from goblin.outcome import Finding, Outcome, failed, passed, skipped

if TYPE_CHECKING:
    from goblin.facts.config import Config
    from goblin.facts.installed import Installed
    from goblin.facts.skills import Skill, Skills
    from goblin.manifest import Manifest

KEYS = ("name", "description")
PREFIX = "goblin-"
"""How the harness's own skills are named, but for the playbooks."""

WANTED = "goblin-install --target . --skills hermes (or another platform), or --opt-out playbooks"


def skills_open_with_front_matter(skills: Skills) -> Outcome:
    """Each installed skill opens with front matter that has a name and a description.

    Reads the SKILL.md of every folder in the recorded skills folders; the block between the first two
    `---` lines is YAML. A byte-order mark and CRLF are tolerated and shown.
    PASS: both values are text that is not empty, and the name is that of the folder; counts the skills.
    FAIL: the first line is not `---`; the block is not closed, does not parse or is no mapping; a
    value is missing, empty or no text; the name differs; the file cannot be read; there is no skill.
    """
    if not skills.all:
        return _no_skill(skills)
    faults = [fault for skill in skills.all for fault in _front_faults(skill)]
    notes = [Finding(skill.path, 1, message=odd) for skill in skills.all for odd in skill.oddities]
    if faults:
        bad = len({fault.path for fault in faults})
        return failed(f"{bad} of {len(skills.all)} skill(s) without sound front matter", [*faults, *notes])
    return passed(f"{len(skills.all)} skill(s), each with a name and a description", notes)


def _no_skill(skills: Skills) -> Outcome:
    where = " or ".join(skills.folders) or "any folder: the record holds no platform"
    return failed(f"no skill in {where}", [Finding(folder) for folder in skills.folders], WANTED)


def _front_faults(skill: Skill) -> list[Finding]:
    if skill.problem:
        return [Finding(skill.path, message=f"cannot be read: {skill.problem}")]
    fields = skill.fields
    if isinstance(fields, Fault):
        return [Finding(skill.path, *fields)]
    found = []
    for key in KEYS:
        field = fields.get(key)
        if field is None:
            found.append(Finding(skill.path, 1, message=f"the front matter has no {key}"))
        elif field.text is None:
            found.append(Finding(skill.path, field.line, field.column, f"{key} is no text"))
        elif not field.text.strip():
            found.append(Finding(skill.path, field.line, field.column, f"{key} has no value"))
        elif key == "name" and field.text != skill.name:
            told = f"name is {field.text!r} and the folder is {skill.name!r}: make them equal"
            found.append(Finding(skill.path, field.line, field.column, told))
    return found


def installed_skills_keep_their_hash(skills: Skills, installed: Installed | None) -> Outcome:
    """Every recorded file below the skills folders has its recorded bytes.

    Reads the record's `files`. A skill of your own, which the record does not name, is not judged; one
    whose folder carries the harness's prefix `goblin-` is shown.
    PASS: all digests are equal; the summary counts the files.
    FAIL: a file is missing or differs; no skill is recorded for a recorded platform.
    SKIP: the engine is a global one and nothing was recorded.
    """
    if installed is None:
        return skipped(NO_RECORD)
    recorded = {
        folder: [path for path in installed.record.files if path.startswith(f"{folder}/")]
        for folder in skills.folders
    }
    bare = [folder for folder, paths in recorded.items() if not paths]
    if bare or not recorded:
        told = f"no skill recorded below {' or '.join(bare) or 'any skills folder'}"
        return failed(
            told, [Finding(PATH, message=f"'files' names nothing below {f}/") for f in bare], WANTED
        )
    paths = [path for group in recorded.values() for path in group]
    drifted = [Finding(path, message=drift) for path, drift in installed.drifted(paths)]
    notes = [
        Finding(skill.path, message=f"carries the prefix {PREFIX} and no record names it")
        for skill in skills.all
        if skill.name.startswith(PREFIX) and skill.path not in installed.record.files
    ]
    if drifted:
        return failed(f"{len(drifted)} of {len(paths)} skill file(s) changed", [*drifted, *notes])
    return passed(f"{len(paths)} skill file(s) hashed", notes)


def advisories_are_capped(manifest: Manifest, config: Config) -> Outcome:
    """The rows labelled advisory are at most `advisory_ceiling`, and are counted aloud.

    Reads the matrix in all its scopes, the project's own rows too, and `advisory_ceiling` (10 where it
    is not set). A row counts while its enforced_by or its check says advisory, whatever the other says.
    PASS: at or under the ceiling; the summary names the free slots, the detail the rows.
    FAIL: over it, or a ceiling that is not a whole number.
    """
    labelled = [row.id for row in manifest.rows if row.advisory]
    ceiling = config.integer("advisory_ceiling")
    count, free = len(labelled), ceiling - len(labelled)
    names = [Finding("", message=f"labelled advisory: {' '.join(labelled) or 'none'}")]
    if free < 0:
        where = config.where("advisory_ceiling", f"the ceiling is {ceiling}")
        return failed(f"advisory {count} of ceiling {ceiling} (over by {-free})", [where, *names])
    slots = f"{free} free slot(s)" if free else "0 free slots: the next advisory row FAILs"
    return passed(f"advisory {count} of ceiling {ceiling} ({slots})", names)


def skills_say_what_they_cannot_see(skills: Skills) -> Outcome:
    """Each installed skill has a section `## What this cannot see` that says something.

    Reads the SKILL.md of every folder in the recorded skills folders; a heading in fenced code, in an
    HTML comment or in the front matter is none.
    PASS: each has the heading at level 2 and at least one line with a word below it; counts the skills.
    FAIL: a skill lacks it, or the section is empty; the file cannot be read; there is no skill.
    """
    if not skills.all:
        return _no_skill(skills)
    faults = []
    for skill in skills.all:
        if skill.problem:
            faults.append(Finding(skill.path, message=f"cannot be read: {skill.problem}"))
            continue
        sections = skill.blind_spots()
        if not sections:
            faults.append(Finding(skill.path, message=f"no section ## {BLIND_SPOT}"))
        elif not any(says for _, says in sections):
            faults.append(Finding(skill.path, sections[0][0], message=f"## {BLIND_SPOT} is empty"))
    if faults:
        return failed(f"{len(faults)} of {len(skills.all)} skill(s) do not say what they cannot see", faults)
    return passed(f"{len(skills.all)} skill(s), each with a section ## {BLIND_SPOT}")
