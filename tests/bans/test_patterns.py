"""Patterns with one `*`: which of many a name fits best."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from goblin.bans.patterns import best, filled

words = st.text("ab*/", max_size=5)


@given(st.lists(words, max_size=8), words)
def test_the_best_is_what_its_words_say(patterns: list[str], name: str) -> None:
    """Itself, else the longest start, else the longest in all."""
    fitting = [one for one in patterns if filled(one, name) is not None]
    wanted = max(fitting, key=lambda one: (one == name, len(one.partition("*")[0]), len(one)), default=None)
    assert best(patterns, name) == wanted


def test_many_patterns_of_one_start() -> None:
    """More ends than the name has letters: the longest that fits."""
    many = ["a/*", *(f"a/*{number}" for number in range(3000))]
    assert best(many, "a/x2999") == "a/*2999"
    assert best(many, "a/x") == "a/*"
    assert best(many, "b") is None
