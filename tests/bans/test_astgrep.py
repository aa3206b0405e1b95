"""A project's own ban may be a rule of ast-grep, in any language that ast-grep knows."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from goblin.bans import astgrep
from goblin.bans.rules import BadRule, parse
from goblin.facts import Facts, Run, banastgrep
from goblin.git import at
from goblin.outcome import Outcome, Verdict
from tests.bans.repos import ban_repo, outcome, places
from tests.support import Repo, git

OWN = ("OWN-07", "no print", "src", "ast:rules/print.yml", "the logger", "say why", "is it needed", "us")
RULE = "language: Python\nrule:\n  pattern: print($$$WHAT)\n  not:\n    inside: {kind: class_definition}\n"
FILES = {
    "src/a.py": "é = 1; print(é)\nprint(2)  # BAN-OK(OWN-07): for people\n# print(3)\ns = 'print(4)'\n",
    "src/b.py": "print(1)\n",
    "src/none.py": "log(1)\n",
    "src/web.ts": "print(1)\n",
    "src/-e $(touch PWNED)\n.py": "print(1)\n",
    "src/ignored.py": "# ast-grep-ignore\nprint(1)\n# ast-grep-ignore: other\nlog(1)\n",
    "src/.hidden/c.py": "print(1)\n",
    "other/d.py": "print(1)\n",
}


def repository(tmp_path: Path, rule: str = RULE, files: dict[str, str | bytes] | None = None) -> Repo:
    """A repository whose own ban is a rule of ast-grep."""
    config = "bans_exempt: ['OWN-07 src/b.py']\n"
    given = {**FILES, ".goblin/rules/print.yml": rule, **(files or {})}
    return ban_repo(tmp_path, given, "OWN-07", "BN-01", config=config, own=(OWN,))


def kept(repo: Repo) -> Outcome:
    """The verdict of a run that keeps its answers, told as the one that keeps none."""
    root = str(repo.root.resolve())
    found = outcome(repo, "OWN-07", Facts(Run(root=root, repo=at(root), selected=frozenset({"OWN-07"}))))
    assert found == outcome(repo, "OWN-07")
    return found


def test_places_exemptions_and_escapes_are_those_of_every_ban(tmp_path: Path) -> None:
    """Every file of the language in the globs, whatever its name, and no other; what hides a line is told."""
    repo = repository(tmp_path)
    found = kept(repo)
    assert found.verdict is Verdict.FAIL
    expected = ["src/-e $(touch PWNED)\n.py:1", "src/.hidden/c.py:1", "src/a.py:1", "src/ignored.py:1"]
    assert places(found) == expected
    assert found.summary.startswith("4 violation(s), 1 exempted, 1 escaped inline in 6 file(s)")
    assert (found.findings[2].column, found.findings[2].message) == (8, "é = 1; print(é)")
    assert not list(tmp_path.rglob("PWNED"))
    repo.write({"src/a.py": "log(1)\n", "src/new.py": "\nprint(1)\n"})
    os.unlink(repo.root / "src/.hidden/c.py")
    assert places(kept(repo)) == [expected[0], "src/ignored.py:1", "src/new.py:2"]
    repo.write({"src/-e $(touch PWNED)\n.py": "", "src/ignored.py": ""})
    git(repo.root, "add", "--all")
    git(repo.root, "commit", "--quiet", "--message", "mend")
    assert places(kept(repo)) == ["src/new.py:2"]


def test_what_is_not_looked_at_is_told_and_asked_again(tmp_path: Path) -> None:
    """A text in another encoding, and a file larger than ast-grep reads."""
    repo = repository(
        tmp_path, files={"src/latin.py": b"# \xff\n", "src/large.py": "#" * (banastgrep.LARGEST + 1)}
    )
    for _ in range(2):
        found = kept(repo)
        told = {finding.path: finding.message for finding in found.findings}
        assert told["src/latin.py"] == "ast-grep does not look at it: not UTF-8"
        assert "more than the 3000000" in told["src/large.py"]
        assert found.summary.startswith("could not run: 2 file(s) not judged")


def test_a_repository_tells_ast_grep_nothing(tmp_path: Path) -> None:
    """Neither its ignore files nor its configuration hide a file or load a library."""
    config = "ruleDirs: [nowhere]\ncustomLanguages: {x: {libraryPath: evil.so, extensions: [x]}}\n"
    files: dict[str, str | bytes] = {"sgconfig.yml": config, ".ignore": "src\n", ".gitignore": "src/b.py\n"}
    assert len(places(kept(repository(tmp_path, files=files)))) == 4


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (
            "language: Cobol\nrule: {pattern: x}\n",
            ".goblin/rules/print.yml:1:11: ast-grep knows no such language",
        ),
        ("language: Python\n", "`rule` is missing"),
        ("language: Python\nfiles: [a]\nrule: {pattern: x}\n", "2:1: `files` has no place here"),
        ("language: Python\nrules: 1\n", "no such key: rules"),
        ("language: Python\nrule: {kind: nonsense}\n", "Kind `nonsense` is invalid"),
        ("language: Python\nrule: {patern: x}\n", "unknown field `patern`"),
    ],
)
def test_a_rule_that_cannot_be_used_is_no_pass(tmp_path: Path, rule: str, said: str) -> None:
    """It says where, or what ast-grep has to say of it; the shipped bans go on."""
    repo = repository(tmp_path, rule)
    found = kept(repo)
    assert found.verdict is Verdict.FAIL
    assert found.summary.startswith("could not run: ")
    assert said in found.summary
    assert outcome(repo, "BN-01").verdict is Verdict.PASS


def test_without_the_program_the_ban_could_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its absence is told with what mends it, and is not kept for the next run."""
    repo = repository(tmp_path)
    monkeypatch.setattr(banastgrep, "program", str)
    assert kept(repo).summary == "could not run: ast-grep is not installed: pip install 'goblin-stack[ast]'"
    monkeypatch.undo()
    assert len(places(kept(repo))) == 4


def test_a_program_that_ends_badly_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A signal is no clean run."""
    tool = tmp_path / "bin" / "ast-grep"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\nkill -9 $$\n")
    tool.chmod(0o755)
    repo = repository(tmp_path / "repo")
    monkeypatch.setattr(banastgrep, "program", lambda: str(tool))
    assert kept(repo).summary == "could not run: ast-grep: ended by signal 9"


def test_numbers_and_truths_reach_ast_grep_as_such() -> None:
    """The rest of a rule stays text, a pattern that looks like a number too."""
    text = "language: js\nrule:\n  pattern: '1'\n  nthChild: {position: 2, reverse: true}\n  regex: 12\n"
    rule = astgrep.of(parse(text.encode(), "x"), "x")
    assert rule.document("OWN-01") == (
        '{"id": "OWN-01", "language": "javascript", "severity": "hint", "message": "OWN-01", "rule": '
        '{"nthChild": {"position": 2, "reverse": true}, "pattern": "1", "regex": "12"}}'
    )
    with pytest.raises(BadRule, match="in each other"):
        astgrep.of(parse(("language: js\nrule: " + "{not: " * 60 + "{}" + "}" * 60).encode(), "x"), "x")
