"""Globs against a matcher that tries everything, and globs that would cost another matcher hours."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from goblin.bans import globs

GLOB = st.lists(st.sampled_from(["a", "b", "/", "*", "?", "**", "/**/", "**/", "[ab]", "[!a]"]), max_size=8)


def brute(glob: str, path: str) -> bool:
    """True where a glob means a path or a folder above it, by trying every way."""

    @cache
    def fits(at: int, to: int) -> bool:
        if at == len(glob):
            return to == len(path) or path[to] == "/"
        if glob.startswith("**/", at) and (at == 0 or glob[at - 1] == "/"):
            return fits(at + 3, to) or any(
                fits(at + 3, end + 1) for end in range(to, len(path)) if path[end] == "/"
            )
        if glob.startswith("**", at):
            return any(fits(at + 2, end) for end in range(to, len(path) + 1))
        if glob[at] == "*":
            end = to
            while not fits(at + 1, end):
                if end == len(path) or path[end] == "/":
                    return False
                end += 1
            return True
        if to == len(path):
            return False
        if glob[at] == "[":
            negated = glob[at + 1] == "!"
            close = glob.index("]", at + 2)
            inside = path[to] in glob[at + 1 + negated : close]
            return path[to] != "/" and inside != negated and fits(close + 1, to + 1)
        return (path[to] == glob[at] or (glob[at] == "?" and path[to] != "/")) and fits(at + 1, to + 1)

    return fits(0, 0)


@given(GLOB.map("".join), st.text(alphabet="ab/", max_size=10))
@example("a/**/b/*a", "a/b/b/aa")
@example("**/b*", "b/a/b")
def test_a_glob_means_what_trying_everything_finds(glob: str, path: str) -> None:
    """Whatever its stars, in paths as git writes them."""
    try:
        (read,) = globs.read([glob])
    except globs.BadGlob:
        return
    plain = glob.removeprefix("./").rstrip("/")
    if read.pattern and "//" not in path and not path.startswith("/") and "//" not in plain:
        assert read.covers(path) == brute(plain, path)


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("src/**/test/*.ts", "src/a/test/x.ts"),
        ("src/**/test/*.ts", "src/test/x.ts"),
        ("**/generated", "a/b/generated/c.ts"),
        ("src/[!a]*.ts", "src/b.ts"),
        ("src/[]a].ts", "src/].ts"),
    ],
)
def test_folders_between_two_parts(glob: str, path: str) -> None:
    """`**/` is none, one or many folders, wherever it stands."""
    assert globs.read([glob])[0].covers(path)


@pytest.mark.parametrize("piece", ["**a", "*a", "**/a", "[ab]*", "?*"])
def test_many_stars_cost_no_more_than_few(piece: str) -> None:
    """A matcher that tries every way would meet the suite's limit for one test."""
    (read,) = globs.read([piece * 12 + "!"])
    assert not read.covers("a" * 200)
    assert not read.covers("a/" * 100)


@pytest.mark.parametrize("glob", ["a/[z-a]", "a/[.--]"])
def test_a_range_that_runs_backwards_is_refused(glob: str) -> None:
    """The table's owner is told, and nothing breaks."""
    with pytest.raises(globs.BadGlob, match="runs backwards"):
        globs.read([glob])
