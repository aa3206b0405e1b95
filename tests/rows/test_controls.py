"""Every shipped row proves itself: its controls exist, hold on a fresh install, and discriminate."""

from __future__ import annotations

from collections import Counter

import pytest

from goblin import check, home, prove
from goblin.bans import astprobe, extra
from goblin.manifest import Manifest, Row, read_folder
from goblin.outcome import advisory, passed
from goblin.scratch import Scratch
from tests.support import Repo
from tests.support.mini import facts_of

MANIFEST: Manifest = read_folder(home.path("manifest"))
CONTROLS = prove.controls_of(MANIFEST)
TARGET = [row for row in MANIFEST.rows if row.scope == "target"]
IDS = [row.id for row in TARGET]
FAMILIES = sorted({row.family for row in TARGET})


def rows_of(family: str) -> list[str]:
    """The ids of a family: proved together, they share the scratch clones."""
    return [row.id for row in TARGET if row.family == family]


def controls(row: Row) -> list[prove.Control]:
    """The controls of one row."""
    return [control for control in CONTROLS if control.row == row.id]


_SIZES = (
    "IN:6 HP:5 SP:3 GT:5 HS:3 CM:3 MD:3 PG:6 DS:2 DOC:2 SK:4 PT:2 CL:2 "
    "SC:10 PF:1 AU:4 BN:9 FM:2 VA:1 JG:4 LP:6 RC:4 WV:1 RN:6 PR:5"
)
FAMILY_SIZES = {name: int(size) for name, size in (word.split(":") for word in _SIZES.split())}
"""How many rows each family has; BN counts from 00 and has no 04, RN has 01, 02, 03, 05, 07 and 09."""


def test_the_matrix_is_whole() -> None:
    """No row of any family is missing, and none stands there that is not counted here."""
    assert Counter(row.family for row in MANIFEST.rows) == FAMILY_SIZES
    numbers = {
        family: [r.id.partition("-")[2] for r in MANIFEST.rows if r.family == family]
        for family in FAMILY_SIZES
    }
    assert sorted(numbers.pop("BN")) == ["00", "01", "02", "03", "05", "06", "07", "08", "09"]
    assert sorted(numbers.pop("RN")) == ["01", "02", "03", "05", "07", "09"]
    for family, found in numbers.items():
        assert sorted(found) == [f"{n:02}" for n in range(1, FAMILY_SIZES[family] + 1)], family


@pytest.mark.parametrize("row", TARGET, ids=IDS)
def test_a_row_has_two_red_controls_and_one_that_must_stay(row: Row) -> None:
    """A rule that nothing is shown to break is refused."""
    kinds = Counter(control.red for control in controls(row))
    assert kinds[True] >= 2, f"{row.id} has {kinds[True]} red control(s)"
    assert kinds[False] >= 1, f"{row.id} has no control that must stay not red"


@pytest.mark.parametrize("row", TARGET, ids=IDS)
def test_red_controls_name_what_the_row_must_say(row: Row) -> None:
    """Without a phrase, a row that fails for another reason would pass for proof."""
    nameless = [control.name for control in controls(row) if control.red and control.because == "-"]
    assert nameless == []


@pytest.mark.parametrize("family", FAMILIES)
def test_controls_hold_on_a_fresh_install(family: str, installed_sample: Repo) -> None:
    """On a fresh class-A repository every control can be tried, and every one holds."""
    proof = prove.prove(facts_of(installed_sample), rows_of(family))
    assert [row.row.id for row in proof.rows if row.verdict != "BITES"] == [], proof.as_text()
    assert [row.row.id for row in proof.rows if row.count("unprovable")] == [], proof.as_text()


def test_controls_of_bans_hold_by_the_text_probe(
    installed_sample: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same without a syntax tree, as the copy in a repository runs them."""
    assert astprobe.usable(), "the other test is the one with a tree"
    monkeypatch.setattr(astprobe, "usable", lambda: False)
    monkeypatch.setattr(extra, "versions", lambda: "")
    monkeypatch.delattr(astprobe, "AstProbe")  # nobody may ask for one
    rows = [name for name in rows_of("BN") if name != "BN-00"]
    proof = prove.prove(facts_of(installed_sample), rows)
    assert [row.row.id for row in proof.rows if row.verdict != "BITES"] == [], proof.as_text()
    assert [row.row.id for row in proof.rows if row.count("unprovable")] == [], proof.as_text()


@pytest.mark.parametrize("family", FAMILIES)
def test_red_controls_fail_a_build_where_rows_always_pass(
    family: str, installed_sample: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A control that a sleeping row would survive proves nothing."""
    monkeypatch.setattr(
        check, "run", lambda row, facts: advisory("asleep") if row.advisory else passed("asleep")
    )
    # The other test shows that each mutation applies; a sleeping row does not look at what it did.
    monkeypatch.setattr(prove, "_mutate", lambda *_: "")
    monkeypatch.setattr(Scratch, "reset", lambda _: None)
    proof = prove.prove(facts_of(installed_sample), rows_of(family))
    assert all(row.trials for row in proof.rows), proof.as_text()
    survivors = [
        (row.row.id, trial.control.name)
        for row in proof.rows
        for trial in row.trials
        if trial.control.red and trial.state != "broken"
    ]
    assert survivors == []
