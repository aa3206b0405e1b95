"""Every tracked file speaks of the project alone: of no machine, no registry and no workplace.

What is forbidden is put together at run time, so that this file does not hold it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support import PROJECT, build_repo, git

NAMES_OF_MODELS = "manifest/models.tsv"  # what MD-01 looks for, kept in this one table
SHIPPED = ("checks/", "manifest/", "schemas/", "skills/", "templates/", "bin/", "src/")


class Word(NamedTuple):
    """A pattern that no line may match, what it gives away, and a line that must be caught."""

    gives_away: str
    pattern: re.Pattern[str]
    sample: str


def _word(gives_away: str, pattern: str, sample: str) -> Word:
    return Word(gives_away, re.compile(pattern, re.IGNORECASE), sample)


def _any(*parts: tuple[str, ...]) -> str:
    return "|".join(re.escape("".join(part)) for part in parts)


HOSTS = _any(
    ("pypi", ".org"),
    ("python", "hosted.org"),
    ("registry.npm", "js.org"),
    ("registry.yarn", "pkg.com"),
    ("crates", ".io"),
    ("proxy.go", "lang.org"),
    ("ruby", "gems.org"),
    ("deb.deb", "ian.org"),
    ("hugging", "face.co"),
)
PLACES = _any(("/work", "/main"), ("/work", "/shared"), ("brief", ".md"), ("/.pyenv", "/"))

WORDS = (
    _word("a home folder", r"(?<![\w.$}>-])/(?:ho" + r"me|Us" + r"ers)/[\w.-]+/", "see /ho" + "me/someone/x"),
    _word("a home folder", r"(?<![\w.$}>-])/ro" + r"ot/", "at /ro" + "ot/x"),
    _word("a package registry", HOSTS, "from https://pypi" + ".org/simple"),
    _word("a workplace", PLACES, "in /work" + "/main/README.md"),
    _word(
        "a person",
        r"[\w.+-]+@(?!(?:[\w-]+\.)*example\.(?:com|net|org|invalid)|users\.noreply\.|git" + r"hub\.com:)"
        r"(?:[\w-]+\.)+(?!(?:service|timer|socket|py|sh|md|tsv|yml|yaml|json|js|mjs|ts)\b)[a-z]{2,}\b",
        "ask someone@some" + "where.org",
    ),
)
MODEL = _word(
    "a model",
    r"\b(?:" + _any(("gp", "t"), ("cla", "ude"), ("gem", "ini"), ("lla", "ma"), ("mis", "tral"), ("qw", "en"))
    + "|" + _any(("deep", "seek"), ("gro", "k"), ("son", "net"), ("op", "us"), ("hai", "ku"), ("ki", "mi"))
    + r")[-_ ]?v?(?:\d|opus|sonnet|haiku|turbo|mini|flash|pro\b|ultra)",
    "use gp" + "t-4o here",
)  # fmt: skip


LIBRARIES = ".goblin/engine/_vendor/"


def texts() -> Iterator[tuple[str, str]]:
    """Each tracked text file as (path, contents); a name is judged like a line.

    The libraries that an install copies are as their authors wrote them.
    """
    for name in filter(None, git(PROJECT, "-c", "safe.directory=*", "ls-files", "-z").split("\0")):
        path = PROJECT / name
        if path.is_file() and not path.is_symlink() and not name.startswith(LIBRARIES):
            yield name, f"{name}\n{path.read_bytes().decode('utf-8', 'replace')}"


def found(words: tuple[Word, ...], files: Iterator[tuple[str, str]]) -> list[str]:
    """`path:line: what it gives away: the match` for each match; the name counts as line 0."""
    return [
        f"{name}:{number}: {word.gives_away}: {match[0]}"
        for name, text in files
        for number, line in enumerate(text.split("\n"))
        for word in words
        for match in word.pattern.finditer(line)
    ]


def test_no_tracked_file_speaks_of_a_machine_a_registry_or_a_workplace() -> None:
    """A file that names where it was written is wrong everywhere else."""
    assert found(WORDS, texts()) == []


def test_no_shipped_rule_names_a_model() -> None:
    """Rules outlive models: which model does what is the adopter's mapping file."""
    shipped = ((name, text) for name, text in texts() if name.startswith(SHIPPED) and name != NAMES_OF_MODELS)
    assert found((MODEL,), shipped) == []


def test_no_commit_message_speaks_of_them_either() -> None:
    """The history is read like a file."""
    log = git(PROJECT, "-c", "safe.directory=*", "log", "--format=%H%x00%B%x01")
    messages = (entry.partition("\0") for entry in log.split("\x01") if entry.strip())
    assert found(WORDS, ((sha.strip()[:7], text) for sha, _, text in messages)) == []


@pytest.mark.parametrize("word", [*WORDS, MODEL], ids=lambda word: word.gives_away)
def test_each_pattern_catches_its_sample(word: Word) -> None:
    """A pattern that matches nothing would keep every file clean."""
    assert len(found((word,), iter([("a.md", f"a.md\nfirst\n{word.sample}\n")]))) == 1


@pytest.mark.parametrize(
    "line",
    [
        "author@example.invalid and a.b@sub.example.com",
        "uses: actions/checkout@v4.2.2",
        "git clone git@git" + "hub.com:owner/name",
        "$HOME/.config and ~/.config/goblin/models.yaml",
        "the Gem" + "ini protocol, a son" + "net, Cla" + "ude Shannon",
        "checks/home/page.py",
        "@pytest.fixture",
    ],
)
def test_ordinary_words_are_no_finding(line: str) -> None:
    """The search is for what gives a place away, not for its letters."""
    assert found((*WORDS, MODEL), iter([("a.md", f"a.md\n{line}")])) == []


def test_this_file_is_no_exception(tmp_path: Path) -> None:
    """The search reads this very file, and a planted line in a copy of it is found."""
    repo = build_repo({"copy.py": Path(__file__).read_bytes()}, tmp_path)
    text = repo.read("copy.py")
    assert found((*WORDS, MODEL), iter([("copy.py", text)])) == []
    assert len(found(WORDS, iter([("copy.py", text + "\n# /ro" + "ot/here\n")]))) == 1
