"""MD: no reusable rule names a model, and reviews run on another family than the code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from goblin.outcome import Finding, Outcome, advisory

if TYPE_CHECKING:
    from goblin.facts.modelnames import ModelNames
    from goblin.facts.ruletext import RuleText
    from goblin.lanes import Kinship, Lane, Lanes


def no_rule_names_a_model(ruletext: RuleText, model_names: ModelNames) -> Outcome:
    """No reusable rule names a model.

    Reads the rules below .goblin (programs, tables, verifiers, bans, project rules, automations, our
    part of the engine), the skills directories of the install, and in a checkout of a harness the
    five folders that it is built from. Files of .goblin with their recorded bytes are counted as the
    release's own and not searched. The families and variants are manifest/models.tsv.

    A hit is a family with a version-like tail: a separator and a digit, a letter with a digit, or a
    variant; also where a line break cuts it or an odd hyphen stands in it. A bare family is none:
    it is the name of a platform, a person or a protocol as often.

    FAIL: a hit, a rule that cannot be read, or a wrong line in models.tsv. PASS: none. SKIP: there is
    no rule text. In a project's own skills, manifest, bin, templates and presets a hit is shown and
    fails nothing.
    """
    hits = ((hit.text, hit.text.finding(hit.offset, hit.name)) for hit in model_names.find(ruletext))
    return ruletext.judge(hits, "a model's name")


def review_runs_on_another_family(lanes: Lanes) -> Outcome:
    """Review runs on another model family than coding, and the judge likewise.

    Reads the roles code, review-panel and judge of manifest/roles.tsv, and the file that models_file
    of the config names, on this machine. A family is a slug without vendor prefix, version, date and
    variant; the raw slugs are printed beside it.

    Always advisory. It says: no model mapping configured; did not resolve both lanes (a role is
    missing); unresolved (a profile has no model); the same family; or a different family. Every
    lane of the panel is compared, then the judge.
    """
    if lanes.workers is None:
        return advisory(lanes.absence)
    code, panel, judge = (lanes.of(role) for role in ("code", "review-panel", "judge"))
    if not code or not panel:
        missing = " and ".join(name for name, of in (("code", code), ("review-panel", panel)) if not of)
        return advisory(f"did not resolve both lanes: roles.tsv gives {missing} no profile")
    shown = [Finding("", message=_shown(lane)) for lane in (*code, *panel, *judge)]
    panel_told = _compared(lanes.kinship("review-panel"))
    return advisory(f"review and code: {panel_told}; {_judged(lanes.kinship('judge'), judge)}", shown)


def _shown(lane: Lane) -> str:
    family = f"family {lane.family}" if lane.family else "unresolved"
    return f"{lane.role} {lane.profile}: {lane.worker.model} ({family})"


def _compared(kinship: Kinship) -> str:
    if kinship.same:
        return f"same family ({', '.join(kinship.same)})"
    unresolved = dict.fromkeys((*kinship.authors_unresolved, *kinship.unresolved))
    if unresolved:
        return f"unresolved ({', '.join(unresolved)})"
    return "different family"


def _judged(kinship: Kinship, judge: Sequence[Lane]) -> str:
    if not judge:
        return "judge: unresolved; give the role judge a profile in roles.tsv"
    if kinship.unresolved:
        return f"judge: unresolved; add the profile {', '.join(kinship.unresolved)} to the mapping file"
    if not kinship.comparable:
        return "judge: not comparable while the code lane is unresolved"
    return f"judge: {'the SAME family as the code lane' if kinship.same else 'different family'}"
