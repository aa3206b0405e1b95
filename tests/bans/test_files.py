"""Which lines of git's listing are looked at: a part of it stands for the whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from goblin.bans.globs import read
from goblin.bans.record import Probe
from goblin.bans.rules import Rule
from goblin.bans.table import Ban
from goblin.facts.banfiles import Scope

names = st.lists(
    st.sampled_from(["a", "a-b", "a.ts", "b", "b.ts", "c\tb", "é", "a\ta"]), min_size=1, max_size=3
)
paths = st.sets(names.map("/".join), max_size=8)
GLOBS = ("a", "a/b", "a-b", "b", "a.ts", "b/*.ts", "é", "c/**/a", ".")


def scope(globs: str) -> Scope:
    """What one ban is about."""
    ban = Ban("OWN-01", "", globs, "", "", "", "", "")
    return Scope([Probe(ban, read(globs.split()), frozenset({"ts", ""}), Rule())], ())


@given(paths, st.lists(st.sampled_from(GLOBS), min_size=1, max_size=4))
def test_what_is_left_out_of_a_listing_is_not_in_scope(paths: set[str], globs: list[str]) -> None:
    """Whatever folders, files and wildcards are named, and wherever git sorts them."""
    ordered = sorted(path.encode() for path in paths)
    listing = b"".join(b"H 100644 %040x 0\t%s\0" % (number, path) for number, path in enumerate(ordered))
    asked = scope(" ".join(globs))
    lines = list(asked.lines(listing))
    assert list(asked.lines(asked.part(listing))) == lines
    found = {line.name: line for line in lines}
    assert all(asked.line(listing, path) == found.get(path) for path in ordered)
