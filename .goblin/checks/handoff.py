"""HP: the handoff. What HANDOFF.md holds, and whether its numbers and its commit are real."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goblin import clock
from goblin.commitid import Named
from goblin.facts.handoff import GATE, PATH, SLOTS, UNVERIFIED
from goblin.outcome import CheckFailed, Finding, Outcome, advisory, failed, passed, skipped
from goblin.redact import clean

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.config import Config
    from goblin.facts.handoff import Edits, GateLine, Handoff
    from goblin.facts.head import Head
    from goblin.facts.history import History
    from goblin.facts.repository import Repository
    from goblin.git import Git

MOST_IDS = 10_000
"""Ids that are looked up in a handoff without a HEAD line."""


def a_handoff_exists(handoff: Handoff, repository: Repository, git: Git) -> Outcome:
    """The root holds HANDOFF.md: a regular, tracked, non-empty UTF-8 file.

    Reads the file and the index.
    FAIL: missing, a folder, a link, a special file, empty, not UTF-8, or not tracked by git (an
    ignore rule that hides it is named). PASS: otherwise; what it says is not judged here.
    """
    if repository.tracks(PATH):
        return passed(f"{PATH}: {len(handoff.text.splitlines())} line(s), tracked")
    asked = ("--no-literal-pathspecs", "check-ignore", "-v", "--", PATH)  # it refuses any pathspec switch
    rule = git.call(*asked).out.decode("utf-8", "replace").partition("\t")[0]
    if rule:
        return failed(
            f"{PATH} is ignored by git, so nobody else gets it",
            [Finding(PATH, message=f"ignored by {rule}")],
            f"take that rule out, then git add {PATH}",
        )
    return failed(f"{PATH} is not tracked by git", [Finding(PATH)], f"git add {PATH}, then commit")


def the_five_sections_are_present(handoff: Handoff) -> Outcome:
    """Each of five sections opens with its name in a level-2 or level-3 heading.

    Reads HANDOFF.md. The sections and the words that may open them, in any case: Start here; State,
    Status; Gate, Gates; Next steps, Next; Not verified, Unverified, Not proven, Unproven, Pending ...
    device test. Emoji, numbers and marks may stand before the words, other words may not.
    FAIL: a section without such a heading (each is listed; fenced code and comments do not count), or
    a Not verified section that holds no text and does not say `nothing outstanding`.
    PASS: all five; two headings for one section are listed.
    """
    problems: list[Finding] = []
    notes: list[Finding] = []
    for slot in SLOTS:
        found = handoff.headings(slot)
        notes += [Finding(PATH, h.line, 0, f"another heading for {slot.name}: {h.text}") for h in found[1:]]
        if found:
            continue
        missing = f"missing section: {slot.name} (## or ### and one of: {slot.accepted})"
        problems.append(Finding(PATH, message=missing))
        problems += [
            Finding(PATH, near.line, 0, f"this heading {near.reason}") for near in handoff.near(slot)
        ]
    unverified = handoff.headings(UNVERIFIED)
    if unverified and not any(map(handoff.says_something, unverified)):
        told = "this section is empty; name what nobody has verified, or write 'nothing outstanding'"
        problems.append(Finding(PATH, unverified[0].line, 0, told))
    if problems:
        return failed("a section is missing or empty", [*problems, *notes])
    return passed(f"{len(SLOTS)} of {len(SLOTS)} sections", notes)


def gate_numbers_are_dated(handoff: Handoff, config: Config) -> Outcome:
    """Each gate number in the Gates section carries the date on which it was measured.

    Reads the Gates sections of HANDOFF.md (to the next heading of level 1 to 3) and the declared gates.
    A gate line holds `=` and the name of a declared gate, or one of tsc, build, hex, safelist or
    <n>/<n> before a `=`. Fenced code and comments are skipped; a line that says `example of the
    required form` counts only where it names a declared gate outside its code spans.
    FAIL: no gate line; one without `measured YYYY-MM-DD`; a date that is in no calendar or later than
    tomorrow (UTC); a host gate without a dated line. SKIP: no gate line and no declared gate, where
    the part `gate` is opted out. PASS: otherwise, with the declared gates that have no line.
    """
    gates = config.gates()
    names = frozenset(gate.name for gate in gates)
    lines = handoff.gate_lines(names)
    if not lines and not gates and "gate" in config.disabled:
        return skipped("no gate line, and no gate is declared (opt-out: gate)")
    problems = [finding for line in lines for finding in _undated(line)]
    dated = {name for line in lines if not _undated(line) for name in line.names}
    problems += [
        Finding(PATH, message=f"the host gate {gate.name} has no dated line; run it by hand and write one")
        for gate in gates
        if gate.host and gate.name not in dated
    ]
    declared = f"declared: {_listed(names)}"
    if not lines:
        hints = _why_no_line(handoff, names)
        return failed(f"no gate line in the Gates section; {declared}", [*hints, *problems])
    without = names.difference(*(line.names for line in lines))
    told = f"{len(lines)} gate line(s); {declared}"
    told += f"; without a line: {_listed(without)}" if without else ""
    return failed(told, problems) if problems else passed(f"{told}; each line is dated")


def _listed(names: frozenset[str]) -> str:
    return clean(", ".join(sorted(names))) or "none"


def _undated(line: GateLine) -> list[Finding]:
    """What is wrong with the dates of one gate line."""
    shown = line.text if len(line.text) <= 160 else line.text[:160] + "..."
    if not line.dates:
        return [Finding(PATH, line.line, 0, f"no 'measured YYYY-MM-DD': {shown}")]
    found = []
    for text in line.dates:
        day = clock.parse_date(text)
        if day is None:
            found.append(Finding(PATH, line.line, 0, f"{text} is not a date: {shown}"))
        elif clock.in_future(day):
            found.append(Finding(PATH, line.line, 0, f"{text} is in the future: {shown}"))
    return found


def _why_no_line(handoff: Handoff, names: frozenset[str]) -> list[Finding]:
    if not handoff.headings(GATE):
        return [Finding(PATH, message="there is no Gates section (## Gates)")]
    hidden = handoff.hidden_gate_lines(names)
    return [
        Finding(PATH, line.line, 0, "this line stands in fenced code or in a comment, which is not read")
        for line in hidden
    ]


def a_stale_sentence_is_corrected_in_place(facts: Facts) -> Outcome:
    """A stale sentence gets a dated correction in place; it is not deleted.

    Always ADV: whether a removed sentence was stale needs judgement. Says so when the last commit that
    touched HANDOFF.md, or the work tree, takes five or more non-blank lines out and adds no line that
    holds `corrected`. A line that only moved was not taken out.
    """
    try:
        edits: Edits = facts.get("handoff_edits")
    except CheckFailed as failure:
        return advisory(f"could not look: {failure.outcome.summary}")
    return advisory("; ".join(edits.noticed))


def the_handoff_names_an_ancestor(handoff: Handoff, head: Head, history: History) -> Outcome:
    """The handoff names a commit of this repository that is HEAD or an ancestor of HEAD.

    Reads HANDOFF.md and git. An id is 7 to 40 lower-case hex digits between non-word characters; it is
    looked up as an object id, never as a branch or tag, and must stand for one commit.
    Where a line says `HEAD when this file was written`, the id after these words must qualify; without
    such a line, one id anywhere in the file must.
    FAIL: none qualifies (each says why), no commit yet, or a shallow clone in which it cannot be shown.
    PASS: with the number of commits that HEAD is ahead of it.
    """
    head.need_commit()
    longest = max(40, history.id_length)
    lines = handoff.head_lines(longest)
    asked = lines or handoff.ids(longest)[:MOST_IDS]
    named = _judged(history, [id.token for id in asked])
    good = [id for id in asked if named[id.token].commit]
    problems = [
        Finding(PATH, id.line, 0, f"{id.token} {named[id.token].reason}".lstrip())
        for id in asked
        if named[id.token].reason
    ]
    if good and not (lines and problems):
        least = "at least " if history.shallow else ""
        ahead = history.distance(named[good[0].token].commit)
        return passed(f"line {good[0].line} names {good[0].token[:12]}, {least}{ahead} commit(s) behind HEAD")
    if history.shallow:
        told = (
            "this clone is shallow, so the commit that the handoff names cannot be judged: fetch full history"
        )
        return failed(told, problems, "git fetch --unshallow (in CI: check out with full history)")
    if not asked:
        return failed("the handoff names no commit", [Finding(PATH, message="no id of 7 to 40 hex digits")])
    what = "the HEAD line names" if lines else "the handoff names"
    return failed(f"{what} no commit that is HEAD or an ancestor of HEAD", problems)


def _judged(history: History, tokens: list[str]) -> dict[str, Named]:
    """What each id names, where that is HEAD or an ancestor of HEAD; else the reason why it does not do."""
    named = history.named(token for token in tokens if token)
    under = history.ancestors([name.commit for name in named.values() if name.commit])
    for token, name in named.items():
        if name.commit and name.commit not in under:
            named[token] = Named(reason="is neither HEAD nor an ancestor of HEAD")
    named[""] = Named(reason="no commit id of 7 or more lower-case hex digits follows on this line")
    return named
