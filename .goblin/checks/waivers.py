"""WV: waivers and the baseline. WV-01."""

from __future__ import annotations

from collections.abc import Callable

from goblin.facts.anchor import Anchor
from goblin.git import Git
from goblin.manifest import Manifest
from goblin.outcome import Finding, Outcome, failed, passed, skipped
from goblin.paths import Tree
from goblin.tables import parse
from goblin.waivers import BASELINE, KEPT, SOON, Fingerprints, Waivers
from goblin.yaml import List, Map, YamlError, load


def every_waiver_is_owned_dated_and_used(
    waivers: Waivers, judged: dict[str, Outcome], manifest: Manifest, tree: Tree, anchor: Anchor, git: Git
) -> Outcome:
    """Every waiver is owned, reasoned, dated and used, and the baseline only shrinks.

    Reads `.goblin/waivers.tsv` (`row path fingerprint reason owner until`) and
    `.goblin/baseline.tsv` (`row path fingerprint`), and runs the rows that they name.
    FAIL: a broken header or field count; an unknown row, or one that takes no waivers (only lint
    rows do); no reason or owner; an end that is no date, is past, or is more than 180 days ahead;
    the same line twice; a line that covers no finding; a baseline that holds a line which the one
    at the merge base with the declared branch does not, but for rows that the merge base did not
    have and bans that it had not enabled: their first lines are counted. SKIP: neither file. PASS:
    the counts, and each waiver that ends within 14 days.
    """
    if not waivers.present:
        return skipped("neither .goblin/waivers.tsv nor .goblin/baseline.tsv exists; nothing is waived")
    findings = [Finding(file, fault.line, 0, fault.message) for file, fault in waivers.faults]
    findings += waivers.wrong(judged, manifest, Fingerprints(tree))
    grown, note = _growth(waivers, anchor, git)
    findings += grown
    if findings:
        return failed(
            f"{len(findings)} fault(s) in what is waived",
            findings,
            "delete or mend each line named; goblin-verify --write-baseline ID drops what is no longer found",
        )
    kept = sum(line.baseline for line in waivers.lines)
    soon = waivers.ending()
    ending = f"; {len(soon)} end(s) within {SOON.days} days" if soon else ""
    told = f"{len(waivers.lines) - kept} waiver(s), {kept} in the baseline, each used{ending}{note}"
    return passed(told, soon)


def _growth(waivers: Waivers, anchor: Anchor, git: Git) -> tuple[list[Finding], str]:
    """Lines of the baseline that the merge base's does not hold, and what to say on the row's line."""
    mine = [line for line in waivers.lines if line.baseline]
    if not mine:
        return [], ""
    if not anchor.base:
        return [], f"; growth not judged: {anchor.reason}"
    found = git.objects([f"{anchor.base}:{BASELINE}"])[0]
    if found is None or found[1] != "blob":
        return [], f"; a first baseline of {len(mine)}"
    before = {record.cells for record in parse(found[2], KEPT, comments=True).records}
    added = [line for line in mine if line.key not in before]
    new = _not_held_yet(git, anchor.base, {line.row for line in added})
    told = f"the baseline may only shrink, and {anchor.name} does not hold this line"
    grown = [Finding(BASELINE, line.line, 0, told) for line in added if line.row not in new]
    first = sum(line.row in new for line in added)
    return grown, f"; a first baseline of {first} for {' '.join(sorted(new))}" if first else ""


def _not_held_yet(git: Git, base: str, rows: set[str]) -> set[str]:
    """Those of some rows that the merge base did not hold to: it had no such row, or the ban was off."""
    names = (".goblin/manifest/enforcement.tsv", ".goblin/rules/enforcement.tsv", ".goblin/goblin.yaml")
    found = git.objects([f"{base}:{name}" for name in names]) if rows else []
    read = [one[2] if one is not None and one[1] == "blob" else b"" for one in found]
    ids = {line.partition(b"\t")[0] for data in read[:2] for line in data.split(b"\n")}
    if not any(ids):
        return set()
    off = _bans_off(read[2]) if any(row.startswith("BN-") for row in rows) else None
    return {row for row in rows if row.encode() not in ids or (off is not None and off(row))}


def _bans_off(config: bytes) -> Callable[[str], bool]:
    """Whether a configuration leaves a shipped ban switched off; nothing is, in one that cannot be read."""
    try:
        tree = load(config, ".goblin/goblin.yaml")
    except YamlError:
        return lambda row: False
    listed = tree.get("bans") if isinstance(tree, Map) else None
    enabled = set(map(str, listed)) if isinstance(listed, List) else set(str(listed or "").split())
    return lambda row: row.startswith("BN-") and row not in enabled
