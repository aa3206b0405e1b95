"""PG-01 to PG-03: review notes. What was reviewed, how thoroughly, and whether that still stands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goblin import clock
from goblin.outcome import Finding, Outcome, failed, passed, skipped
from goblin.pattern import lazy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goblin.facts import Facts
    from goblin.facts.reviewed import Reviewed
    from goblin.facts.reviews import Note

NO_NOTE = "no review note in reviews/"
TIERS = ("S0", "S1", "S2", "S3", "S4")
DEEPEN = "git fetch --unshallow (in CI: check out with full history)"

_NOTHING = frozenset({"", "none", "no", "nil", "na", "nothing", "todo", "tbd", "skipped"})
_PATCH_ID = lazy(r"[0-9a-f]{40}|[0-9a-f]{64}")
_DECISION = lazy(
    r"(.*\S)[\s,;]+([0-9]{4}-[0-9]{2}-[0-9]{2})[\s,;:]+(accept|reject)(?:ed|s)?\.?", re.IGNORECASE
)


def a_note_names_what_it_reviewed(reviews: tuple[Note, ...], facts: Facts) -> Outcome:
    """Each review note names the commit that it reviewed, and that commit exists.

    Reads the header of each `reviews/*.md` (`README.md` is none) and the commits reachable from any ref.
    FAIL: no `head`, or one that is not 7 or more digits of one reachable commit; a `base` that is set
    and is not; a file name ending `-<hex>` that is another commit; a header that cannot be read; no
    commit yet. A head that is gone still passes, with a note, where a reachable range has the same
    verbatim patch id (a clean rebase). A shallow clone is named as such. SKIP: no note. PASS: otherwise.
    """
    if not reviews:
        return skipped(NO_NOTE)
    reviewed: Reviewed = facts.get("reviewed")
    faults: list[Finding] = []
    notes: list[Finding] = []
    lost = False
    for note in reviews:
        if note.problem:
            faults.append(note.problem)
            continue
        wrong = [*_wrong_name(note)]
        head, base = reviewed.named(note, "head"), reviewed.named(note, "base")
        if not note.text("head"):
            wrong.append(note.where("head", "no `head:`: name the commit that was reviewed"))
        elif not head.reachable:
            lost = True
            twin = reviewed.twin(note) if not _malformed(head.reason) else None
            if twin and not twin.folded:
                told = f"{head.reason}, and {twin.name} has the same patch id: a clean rebase"
                notes.append(note.where("head", told))
            else:
                told = f"; {twin.name} differs from it in white space only" if twin else ""
                wrong.append(note.where("head", head.reason + told))
        if note.text("base") and not base.reachable and (head.reachable or not base.oid):
            lost = True
            wrong.append(note.where("base", base.reason))
        faults += wrong
    if faults and lost and reviewed.shallow:
        told = "this clone is shallow, so commits may be missing: fetch full history"
        return failed(told, [*faults, *notes], DEEPEN)
    if faults:
        return failed(f"{len(faults)} fault(s) in {len(reviews)} review note(s)", [*faults, *notes])
    return passed(f"{len(reviews)} review note(s)", notes)


def _malformed(reason: str) -> bool:
    return "write 7 or more" in reason or "all zeros" in reason


def _wrong_name(note: Note) -> Iterable[Finding]:
    named, head = note.named_head, note.text("head").lower()
    if named and head and not (head.startswith(named) or named.startswith(head)):
        told = f"the file's name ends with {named} and `head` is {head[:40]}: one of them is another commit"
        yield note.where("head", told)


def the_stakes_have_their_evidence(reviews: tuple[Note, ...]) -> Outcome:
    """Each review note states its stakes, and the evidence of that tier stands in its header.

    Reads the header of each `reviews/*.md`; prose below it is no evidence. S0 needs nothing, S1 a look
    of one's own, S2 one reviewer with checks run, S3 two or more lanes, S4 a human decision too.
    FAIL: `stakes` not S0 to S4; from S2 on nothing in `checks-run` (a text, a list or a block); from S3
    on `lanes` that is neither a whole number of 2 or more nor two different names; at S4 nothing in
    `human`, or a date there that is none or in the future; a header that cannot be read. SKIP: no note.
    PASS: otherwise, with the number of notes of each tier; a missing `security` line from S2 on and a
    `human` line without name, date and accept or reject are listed.
    """
    if not reviews:
        return skipped(NO_NOTE)
    faults: list[Finding] = []
    notes: list[Finding] = []
    counts = dict.fromkeys(TIERS, 0)
    for note in reviews:
        if note.problem:
            faults.append(note.problem)
            continue
        stakes = note.text("stakes")
        if stakes not in TIERS:
            shown = f"`stakes` is {stakes[:40]!r}" if stakes else "no `stakes:`"
            faults.append(note.where("stakes", f"{shown}: write one of {' '.join(TIERS)}"))
            continue
        counts[stakes] += 1
        tier = TIERS.index(stakes)
        faults += _missing_evidence(note, stakes, tier)
        notes += _worth_saying(note, stakes, tier)
    if faults:
        return failed(f"{len(faults)} fault(s) in {len(reviews)} review note(s)", [*faults, *notes])
    told = ", ".join(f"{count} {tier}" for tier, count in counts.items() if count)
    return passed(f"{len(reviews)} review note(s): {told}", notes)


def _missing_evidence(note: Note, stakes: str, tier: int) -> Iterable[Finding]:
    if tier >= 2 and not _evidence(note, "checks-run"):
        told = f"{stakes} needs `checks-run:`: the checks that ran at that commit, with their numbers"
        yield note.where("checks-run", told)
    if tier >= 3 and not _lanes(note):
        told = f"{stakes} needs `lanes:`: a whole number of 2 or more, or a list of two different names"
        yield note.where("lanes", told)
    if tier >= 4:
        if not _evidence(note, "human"):
            yield note.where("human", f"{stakes} needs `human: <name> <date> <accept|reject>`")
        decided = _DECISION.fullmatch(note.text("human"))
        day = clock.parse_date(decided[2]) if decided else None
        if decided and (day is None or clock.in_future(day)):
            why = "is no date" if day is None else "is in the future"
            yield note.where("human", f"{decided[2]} {why}")


def _evidence(note: Note, key: str) -> bool:
    """True where a field says anything: a letter or a digit, and not merely that there is nothing."""
    said = ("".join(filter(str.isalnum, text)).lower() for text in note.words(key))
    return any(text not in _NOTHING for text in said)


def _lanes(note: Note) -> bool:
    number = note.text("lanes")
    if number.isascii() and number.isdigit():
        return len(number) < 4 and int(number) >= 2
    names = [part for text in note.words("lanes") for part in text.split(",")]
    plain = {"".join(filter(str.isalnum, name)).casefold() for name in names}
    return len(plain - _NOTHING) >= 2


def _worth_saying(note: Note, stakes: str, tier: int) -> Iterable[Finding]:
    if tier >= 2 and not _evidence(note, "security"):
        yield note.where("security", f"{stakes} without a `security:` line")
    human = note.text("human")
    if tier >= 4 and _evidence(note, "human") and not _DECISION.fullmatch(human):
        yield note.where("human", "write it as `human: <name> <date> <accept|reject>`")


def the_verdict_stands_for_this_head(reviews: tuple[Note, ...], facts: Facts) -> Outcome:
    """Each review note's patch id is that of the range which it names, and no later change voids it.

    Reads `base`, `head` and `patch-id` of each note, and git. The id is that of
    `git diff --full-index BASE HEAD | git patch-id --verbatim` with git's own settings; one that
    matches only where white space is folded (`--stable`) passes with a note.
    FAIL: a field is missing; another id (both are shown); an empty range; a commit that this clone
    lacks; `verdict void`: HEAD is not on the declared branch, the note's head is on HEAD's side of it,
    and a path outside `reviews/` and `HANDOFF.md` differs since. A note whose head stands below that of
    a valid one without a gap is superseded. SKIP: no note. PASS: otherwise, with the number of notes.
    """
    if not reviews:
        return skipped(NO_NOTE)
    reviewed: Reviewed = facts.get("reviewed")
    faults: list[Finding] = []
    notes: list[Finding] = []
    standing: list[Note] = []
    lacking = False
    for note in reviews:
        found = list(_wrong_range(note, reviewed))
        lacking = lacking or any("fetch full history" in fault.message for fault in found)
        faults += found
        if not found:
            standing.append(note)
            notes += _folded(note, reviewed)
    void, superseded = _void(standing, reviewed)
    faults += void
    notes += superseded
    if reviewed.unanchored and not faults:
        notes.append(Finding("reviews", message=f"not held against the branch: {reviewed.unanchored}"))
    if faults:
        remedy = DEEPEN if lacking and reviewed.shallow else ""
        return failed(f"{len(faults)} fault(s) in {len(reviews)} review note(s)", [*faults, *notes], remedy)
    return passed(f"{len(reviews)} review note(s), each patch id computed again", notes)


def _wrong_range(note: Note, reviewed: Reviewed) -> Iterable[Finding]:
    """What is wrong with the range and the id of one note."""
    if note.problem:
        yield note.problem
        return
    missing = [key for key in ("base", "head", "patch-id") if not note.text(key)]
    if missing:
        for key in missing:
            yield note.where(key, f"no `{key}:`")
        return
    head, base = reviewed.named(note, "head"), reviewed.named(note, "base")
    absent = [(key, named) for key, named in (("head", head), ("base", base)) if not named.oid]
    for key, named in absent:
        more = (
            "" if _malformed(named.reason) or "more digits" in named.reason else " here: fetch full history"
        )
        yield note.where(key, named.reason + more)
    if absent:
        return
    verbatim = reviewed.verbatim(base.oid, head.oid)
    recorded = note.text("patch-id").lower()
    if not verbatim:
        yield note.where("patch-id", "base and head hold the same files: an empty range has no patch id")
    elif recorded != verbatim and recorded != reviewed.folded(base.oid, head.oid):
        what = "" if _PATCH_ID.fullmatch(recorded) else " (which is no patch id)"
        told = (
            f"recorded {recorded[:70]}{what}, now {verbatim}: base..head is not the range that was reviewed"
        )
        yield note.where("patch-id", told)


def _folded(note: Note, reviewed: Reviewed) -> Iterable[Finding]:
    base, head = reviewed.named(note, "base"), reviewed.named(note, "head")
    verbatim = reviewed.verbatim(base.oid, head.oid)
    if note.text("patch-id").lower() != verbatim:
        told = f"white space is folded in this id; git patch-id --verbatim gives {verbatim}"
        yield note.where("patch-id", told)


def _void(notes: list[Note], reviewed: Reviewed) -> tuple[list[Finding], list[Finding]]:
    """The notes that later changes void, and those that a later note stands in for."""
    heads = {note.path: reviewed.named(note, "head").oid for note in notes}
    bases = {note.path: reviewed.named(note, "base").oid for note in notes}
    here = [note for note in notes if reviewed.on_this_branch(heads[note.path])]
    changed = {note.path: reviewed.changed_after(heads[note.path]) for note in here}
    good = [note for note in here if not changed[note.path]]
    waiting = [note for note in here if changed[note.path]]
    superseded: list[Finding] = []
    again = True
    while again:
        again = False
        for note in list(waiting):
            head = heads[note.path]
            for other in good:
                if (
                    heads[other.path] != head
                    and reviewed.leads_to(head, heads[other.path])
                    and reviewed.leads_to(bases[other.path], head)
                ):
                    superseded.append(note.where("head", f"superseded by {other.path}"))
                    waiting.remove(note)
                    good.append(note)
                    again = True
                    break
    return [_void_finding(note, changed[note.path], reviewed) for note in waiting], superseded


def _void_finding(note: Note, changed: list[str], reviewed: Reviewed) -> Finding:
    base, head = reviewed.named(note, "base").oid, reviewed.named(note, "head").oid
    shown = ", ".join(changed[:3]) + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")
    how = " (whitespace only)" if reviewed.only_white_space(base, head) else ""
    return note.where("head", f"verdict void: after the reviewed head {head[:12]} there is{how} {shown}")
