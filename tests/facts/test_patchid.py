"""Patch ids: those that git gives, whatever the configuration says, and nobody's program is run."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from goblin.facts import patchid
from goblin.facts.patchid import BESIDE, PatchIds
from goblin.git import Git, GitError, at
from goblin.outcome import CheckFailed
from tests.support import Repo, build_repo, hermetic
from tests.support.mini import facts_of
from tests.support.repo import Files


def ids_of(repo: Repo) -> PatchIds:
    """The fact for a repository."""
    value = facts_of(repo).get("patch_ids")
    assert isinstance(value, PatchIds)
    return value


def by_git(repo: Repo, base: str, head: str, form: str = "verbatim") -> str:
    """What a person gets who types it."""
    diff = subprocess.run(
        ["git", "diff", "--full-index", base, head],
        cwd=repo.root,
        env=hermetic(),
        capture_output=True,
        check=True,
    ).stdout
    return repo.git("patch-id", f"--{form}", stdin=diff).split(" ")[0]


BEFORE = "".join(f"line {n}\n" for n in range(40))
FILES: Files = {
    "a.py": f"if x:\n    a()\n\n{BEFORE}",
    "b.txt": BEFORE,
    "naïve name.txt": "x\n",
    "c.bin": b"\0\1" * 50,
}
AFTER: Files = {
    "a.py": f"if x:\n    a()\n\n{BEFORE}".replace("line 20", "line twenty"),
    "moved.txt": BEFORE.replace("line 3\n", "line three\n"),
    "naïve name.txt": "y\n",
    "c.bin": b"\0\2" * 50,
    "run": "#!/bin/sh\n",
}


@pytest.fixture
def changed(tmp_path: Path) -> tuple[Repo, str, str]:
    """A repository with a change of every kind, and the two commits around it."""
    repo = build_repo(FILES, tmp_path / "repo")
    base = repo.head
    repo.remove("b.txt")
    return repo, base, repo.commit("change", AFTER)


def test_both_ids_are_those_of_git(changed: tuple[Repo, str, str]) -> None:
    """Text, a rename, a mode, a binary file, and a name that git quotes."""
    repo, base, head = changed
    found = ids_of(repo).of(base, head)
    assert found.verbatim == by_git(repo, base, head)
    assert found.folded == by_git(repo, base, head, "stable")
    assert found.verbatim != found.folded


SETTINGS = {
    "diff.noprefix": "true",
    "diff.mnemonicPrefix": "true",
    "color.ui": "always",
    "diff.external": "touch ../PWNED-external; false",
    "diff.context": "9",
    "diff.interHunkContext": "9",
    "diff.suppressBlankEmpty": "true",
    "diff.algorithm": "patience",
    "diff.renames": "false",
    "diff.orderFile": "order",
    "diff.relative": "true",
    "diff.x.textconv": "touch ../PWNED-textconv; cat",
    "diff.x.command": "touch ../PWNED-command; false",
    "diff.x.xfuncname": "^.*$",
    "filter.x.smudge": "touch ../PWNED-smudge; cat",
    "filter.x.clean": "touch ../PWNED-clean; cat",
    "core.quotePath": "false",
    "core.fsmonitor": "touch ../PWNED-fsmonitor; false",
    "core.pager": "touch ../PWNED-pager; cat",
    "core.attributesFile": ".git/attributes",
    "diff.renameLimit": "1",
    "patchid.stable": "false",
}


@pytest.mark.parametrize("place", [".gitattributes", ".git/info/attributes", ".git/attributes"])
def test_no_setting_and_no_attribute_changes_an_id_or_runs(
    changed: tuple[Repo, str, str], place: str
) -> None:
    """Neither of the repository nor of the work tree."""
    repo, base, head = changed
    before = ids_of(repo).of(base, head)
    for key, value in SETTINGS.items():
        repo.git("config", key, value)
    repo.write({place: "* diff=x filter=x -text\n*.txt -diff\n", "order": "run\n"})
    assert ids_of(repo).of(base, head) == before
    assert [path.name for path in repo.root.parent.iterdir() if path.name.startswith("PWNED")] == []


def test_the_users_own_settings_do_not_either(
    changed: tuple[Repo, str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A home folder and the environment are the user's."""
    repo, base, head = changed
    before = ids_of(repo).of(base, head)
    (tmp_path / ".gitconfig").write_text("[diff]\n\tsuppressBlankEmpty = true\n\tcontext = 8\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    monkeypatch.setenv("GIT_DIFF_OPTS", "-u8")
    assert ids_of(repo).of(base, head) == before


def test_a_dedent_changes_the_verbatim_id_alone(tmp_path: Path) -> None:
    """White space decides what a program does."""
    repo = build_repo({"a.py": "x\n"}, tmp_path)
    base = repo.head
    first = repo.commit("one", {"a.py": "if x:\n    grant()\n"})
    repo.git("reset", "-q", "--hard", base)
    second = repo.commit("two", {"a.py": "if x:\ngrant()\n"})
    one, two = ids_of(repo).of(base, first), ids_of(repo).of(base, second)
    assert one.folded == two.folded
    assert one.verbatim != two.verbatim


def test_a_change_behind_a_nul_counts(tmp_path: Path) -> None:
    """Git takes a file for text that has its first NUL late; `git patch-id` alone would not read on."""
    long = "x" * 9000 + "\n"
    repo = build_repo({"a": long + "a\0b\n"}, tmp_path)
    base = repo.head
    one = repo.commit("one", {"a": long + "c\0d\n"})
    repo.git("reset", "-q", "--hard", base)
    two = repo.commit("two", {"a": long + "c\0e\n"})
    assert ids_of(repo).verbatim(base, one) != ids_of(repo).verbatim(base, two)


def test_a_binary_file_counts_by_its_content(tmp_path: Path) -> None:
    """Two changes that a diff shows as the same line."""
    repo = build_repo({"a": b"\0a"}, tmp_path)
    base = repo.head
    one = repo.commit("one", {"a": b"\0b"})
    repo.git("reset", "-q", "--hard", base)
    two = repo.commit("two", {"a": b"\0c"})
    assert ids_of(repo).verbatim(base, one) != ids_of(repo).verbatim(base, two)


def test_an_empty_range_has_no_id(tmp_path: Path) -> None:
    """Equal commits, and different ones with equal files."""
    repo = build_repo({"a": "x"}, tmp_path)
    base = repo.head
    other = repo.commit("nothing")
    assert ids_of(repo).of(base, base) == ids_of(repo).of(base, other) == ("", "")


def test_paths_can_be_left_out(tmp_path: Path) -> None:
    """What records a review is no part of what was reviewed."""
    repo = build_repo({"a": "x"}, tmp_path)
    base = repo.head
    plain = repo.commit("one", {"a": "y"})
    more = repo.commit("two", {"reviews/n.md": "z", "HANDOFF.md": "z", "reviewsx": "x"})
    repo.git("rm", "-q", "reviewsx")
    less = repo.commit("three")
    ids = ids_of(repo)
    assert ids.verbatim(base, more, BESIDE) != ids.verbatim(base, plain)
    assert ids.verbatim(base, less, BESIDE) == ids.verbatim(base, plain)
    assert ids.verbatim(plain, less, BESIDE) == ""


def test_each_commit_of_a_range_has_its_own(tmp_path: Path) -> None:
    """Newest first, merges left out, also one that changes nothing."""
    repo = build_repo({"a": "x"}, tmp_path)
    base = repo.head
    one = repo.commit("one", {"b": "y"})
    empty = repo.commit("empty")
    repo.git("switch", "-q", "-c", "side", base)
    side = repo.commit("side", {"c": "z"})
    repo.git("merge", "-q", "--no-edit", "main")
    found = ids_of(repo).of_commits(base, repo.head)
    assert set(found) == {one, empty, side}
    assert found[one] == by_git(repo, base, one)
    assert found[empty] == ""


def test_many_ranges_cost_one_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also several of one head, and one that runs backwards."""
    repo = build_repo({"a": "x\n"}, tmp_path)
    first = repo.head
    second, third = repo.commit("two", {"a": "y\n"}), repo.commit("three", {"b": "z\n"})
    pairs = [(first, second), (first, third), (second, third), (third, first)]
    wanted = [ids_of(repo).verbatim(*pair) for pair in pairs]
    ids = ids_of(repo)
    ids.prime([*pairs, (third, third)])
    monkeypatch.setattr(patchid, "_bare", lambda *_: pytest.fail("computed one by one"))
    assert [ids.verbatim(*pair) for pair in pairs] == wanted
    assert wanted[0] == by_git(repo, first, second)


def test_what_fails_among_many_fails_when_it_is_asked_for(tmp_path: Path) -> None:
    """A commit that is missing spoils no other."""
    repo = build_repo({"a": "x\n"}, tmp_path)
    base, head = repo.head, repo.commit("two", {"a": "y\n"})
    ids = ids_of(repo)
    ids.prime([(base, head), (base, "deadbeef" * 5)])
    assert ids.verbatim(base, head) == by_git(repo, base, head)
    with pytest.raises(GitError):
        ids.verbatim(base, "deadbeef" * 5)


def test_a_kept_id_is_not_computed_again(
    changed: tuple[Repo, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can never change; a spoilt cache is no cache."""
    repo, base, head = changed
    first = facts_of(repo, cache=True).get("patch_ids").of(base, head)
    with monkeypatch.context() as patch:
        patch.setattr(patchid, "_bare", lambda *_: pytest.fail("computed again"))
        assert facts_of(repo, cache=True).get("patch_ids").of(base, head) == first
    (repo / ".git/goblin/cache/patch-ids.json").write_text('{"format": 1, "ids": {"x": 3}}')
    assert facts_of(repo, cache=True).get("patch_ids").of(base, head) == first
    assert not list(Path(repo.root).glob("goblin-diff-*"))


def test_a_static_run_keeps_nothing(changed: tuple[Repo, str, str]) -> None:
    """Its git directory is not trusted."""
    repo, base, head = changed
    facts_of(repo, cache=True, static=True).get("patch_ids").of(base, head)
    assert not (repo / ".git/goblin").exists()


def test_a_sha_256_repository_has_ids_of_its_own(tmp_path: Path) -> None:
    """Longer ones."""
    repo = Repo(tmp_path)
    repo.git("init", "-q", "--object-format=sha256", "--initial-branch=main")
    base, head = repo.commit("one", {"a": "x\n"}), repo.commit("two", {"a": "y\n"})
    assert ids_of(repo).verbatim(base, head) == by_git(repo, base, head)
    assert len(ids_of(repo).verbatim(base, head)) == 64


def test_a_worktree_and_borrowed_objects_are_read(changed: tuple[Repo, str, str], tmp_path: Path) -> None:
    """The objects may stand elsewhere."""
    repo, base, head = changed
    wanted = ids_of(repo).of(base, head)
    repo.git("worktree", "add", "-q", "../linked", base)
    assert ids_of(Repo(tmp_path / "linked")).of(base, head) == wanted
    repo.git("clone", "-q", "--shared", ".", "../shared")
    assert ids_of(Repo(tmp_path / "shared")).of(base, head) == wanted


def test_a_missing_commit_is_git_s_complaint(changed: tuple[Repo, str, str]) -> None:
    """Never an empty id."""
    repo, base, _ = changed
    with pytest.raises(GitError, match=r"git said: .*deadbeef"):
        ids_of(repo).verbatim(base, "deadbeef" * 5)


def test_a_diff_that_is_too_large_is_refused(
    changed: tuple[Repo, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bounded; nothing is left behind."""
    repo, base, head = changed
    monkeypatch.setattr(patchid, "MOST_BYTES", 100)
    with pytest.raises(CheckFailed, match="the diff has more than"):
        ids_of(repo).verbatim(base, head)


def test_a_git_that_is_too_old_says_so(
    changed: tuple[Repo, str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The option is from git 2.39."""
    repo, base, head = changed
    real = subprocess.run(["which", "git"], capture_output=True, text=True, check=True).stdout.strip()
    old = tmp_path / "bin/git"
    old.parent.mkdir()
    complains = 'for word; do [ "$word" = patch-id ] && echo "usage: git patch-id" >&2 && exit 129; done'
    old.write_text(f'#!/bin/sh\n{complains}\nexec {real} "$@"\n')
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{old.parent}:{os.environ['PATH']}")
    with pytest.raises(GitError, match=r"git 2\.39 or later"):
        PatchIds(Git(at(str(repo.root)) or pytest.fail("no repository"))).verbatim(base, head)


def test_no_answer_in_time_is_no_answer(
    changed: tuple[Repo, str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A git that hangs is ended."""
    repo, base, head = changed
    hanging = tmp_path / "bin/git"
    hanging.parent.mkdir()
    hanging.write_text("#!/bin/sh\nexec sleep 600\n")
    hanging.chmod(0o755)
    monkeypatch.setenv("PATH", f"{hanging.parent}:{os.environ['PATH']}")
    monkeypatch.setattr(patchid, "TIMEOUT", 0.3)
    with pytest.raises(GitError, match="no answer within"):
        PatchIds(Git(at(str(repo.root)) or pytest.fail("no repository"))).verbatim(base, head)
