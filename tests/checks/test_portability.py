"""PT: rules belong to no machine, and the default branch is the declared one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from goblin.outcome import Outcome, Verdict
from tests.checks.judging import judge, said
from tests.support import PROJECT, Repo, build_repo, git
from tests.support.mini import CONFIG, mini_repo

PLACES = "checks/portability.py::rules_belong_to_no_machine"
BRANCH = "checks/portability.py::the_default_branch_is_the_declared_one"
SKILL = ".hermes/skills/mine/SKILL.md"

HOME, MAC, SUPER = "/ho" + "me", "/Us" + "ers", "/ro" + "ot"
CONFIGURED = CONFIG + "tenant_strings:\n  - Acme\n  - 'big client'\n  -\n"


def placed(root: Path, text: str, path: str = SKILL) -> Outcome:
    """The verdict on one rule with this text."""
    return judge(mini_repo(root, [], {path: text}, CONFIGURED), PLACES)


@pytest.mark.parametrize(
    "text",
    [
        f"{HOME}/alice/repo",
        f"cd '{HOME}/alice'",
        f"PATH={HOME}/bob.b/bin:/usr/bin",
        f"/usr/bin:{HOME}/bob",
        f"host:{HOME}/bob/x",
        f"file://{HOME}/alice/x",
        f"/var{HOME}/alice",
        f"{HOME.upper()}/ALICE",
        f"{MAC}/bob/Library",
        f"/mnt/c{MAC}/bob",
        f"/c{MAC}/bob",
        f"{SUPER}/.config",
        "C:\\Us" + "ers\\bob\\x",
        "c:\\\\us" + "ers\\\\bob",
        "D:/Us" + "ers/bob",
        "mail author@example.invalid now",
        "<AUTHOR@Example.Invalid>",
        "made for ACME's shop",
        "the acmecorp account",
        "a Big Client of ours",
    ],
)
def test_a_string_of_one_machine_or_tenant_is_a_hit(tmp_path: Path, text: str) -> None:
    """The finding names the file, the line and what it is."""
    outcome = placed(tmp_path, f"# A\n\nx {text}\n")
    assert outcome.verdict is Verdict.FAIL, said(outcome)
    assert [(f.path, f.line) for f in outcome.findings] == [(SKILL, 3)]
    assert "in 1 place(s) of 1 file(s)" in outcome.summary


@pytest.mark.parametrize(
    "text",
    [
        f"<root>{HOME}/x and $HOME/x and ~/x and ${{HOME}}{HOME}/x",
        f"{HOME}/<user>, {HOME}/$USER, {HOME}/{{user}}, {HOME}/*, {HOME}/",
        f"https://example.com{HOME}/index.html",
        f"src{HOME}/page.tsx, ./src{HOME}/page, ..{HOME}/x",
        "GET /us" + "ers/me, POST /api/us" + "ers/1",
        f"app{MAC}/list.ts, <root>/.goblin, the root/branch, {SUPER}less",
        "/path/to/repo, /tmp/x, /dev/null, /usr/bin/env, /app, /srv/data",
        "C:\\Windows\\System32, %USERPROFILE%\\x",
        "notauthor@example.invalid, author@example.invalidated",
        "bigclient, big  client, acne",
    ],
)
def test_what_is_the_same_on_every_machine_is_no_hit(tmp_path: Path, text: str) -> None:
    """Placeholders, variables, routes, URLs, folders called home and other people's names."""
    outcome = placed(tmp_path, f"# A\n\nx {text}\n")
    assert outcome.verdict is Verdict.PASS, said(outcome)


def test_the_config_and_files_that_are_no_rules_may_hold_them(tmp_path: Path) -> None:
    """Exactly `.goblin/goblin.yaml` is exempt, and not every file of that name."""
    path = f"{HOME}/alice/x\n"
    files = {"docs/a.md": path, "tests/a.py": path, "src/a.py": path, ".goblin/engine/_vendor/a.py": path}
    config = CONFIG + f"practice: {HOME}/alice/standard.md\n"
    assert judge(mini_repo(tmp_path / "a", [], files, config), PLACES).verdict is Verdict.PASS
    harness = {"manifest/enforcement.tsv": "id\tscope\n", "templates/x/goblin.yaml": path, **files}
    outcome = judge(mini_repo(tmp_path / "b", [], harness, config), PLACES)
    assert [f.place() for f in outcome.findings] == ["templates/x/goblin.yaml:1:1"]


def test_the_home_of_whoever_runs_this_is_a_hit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fixed list of places misses a home that lies elsewhere."""
    home = tmp_path / "people" / "someone"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    assert placed(tmp_path / "a", f"see {home}/notes\n").verdict is Verdict.FAIL
    assert placed(tmp_path / "b", f"see {home}where and x{home}\n").verdict is Verdict.PASS


@pytest.mark.parametrize("home", ["/dev/null", "/tmp", "/nonexistent", "/", "", "/usr/bin"])
def test_a_home_that_is_no_ones_own_is_not_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    """Service accounts and containers have such homes, and every rule may name those folders."""
    monkeypatch.setenv("HOME", home)
    monkeypatch.setattr(os, "getuid", lambda: 54321)
    assert placed(tmp_path, "2>/dev/null /tmp/x /nonexistent/y /usr/bin/env\n").verdict is Verdict.PASS


def test_a_word_as_owner_email_is_not_looked_for(tmp_path: Path) -> None:
    """CM-01 says that it is no address; every file would hold it."""
    config = CONFIG.replace("author@example.invalid", "rule")
    repo = mini_repo(tmp_path, [], {SKILL: "a rule\n"}, config)
    assert judge(repo, PLACES).verdict is Verdict.PASS


def test_tenant_strings_that_are_no_list_of_texts_are_a_fail(tmp_path: Path) -> None:
    """A wrong value is said with its line, never skipped."""
    repo = mini_repo(tmp_path, [], {SKILL: "x\n"}, CONFIG + "tenant_strings: {a: b}\n")
    outcome = judge(repo, PLACES)
    assert outcome.verdict is Verdict.FAIL
    assert "tenant_strings" in said(outcome)


def test_what_we_ship_belongs_to_no_machine(tmp_path: Path) -> None:
    """Every file of the project that an install copies or reads is clean by its own rule."""
    folders = ("bin", "checks", "manifest", "schemas", "skills", "src", "templates")
    paths = git(PROJECT, "ls-files", "-co", "--exclude-standard", "-z", "--", *folders).split("\0")
    files = {
        f".goblin/rules/{path}": (PROJECT / path).read_bytes()
        for path in paths
        if path and (PROJECT / path).is_file()
    }
    outcome = judge(build_repo({**files, ".goblin/goblin.yaml": CONFIG}, tmp_path), PLACES)
    assert outcome.verdict is Verdict.PASS, said(outcome)
    assert len(files) > 60


def declared(repo: Repo, name: str = "main") -> Outcome:
    """The verdict on a repository whose config declares this branch ("" declares none)."""
    repo.write({".goblin/goblin.yaml": CONFIG.replace("branch: main\n", f"branch: {name}\n" if name else "")})
    return judge(repo, BRANCH)


def test_the_checked_out_default_branch_passes(tmp_path: Path) -> None:
    """Also beside a second branch, and after the refs were packed."""
    repo = mini_repo(tmp_path, [])
    repo.git("branch", "other")
    outcome = declared(repo)
    assert outcome.verdict is Verdict.PASS
    assert outcome.summary == "declared main, actual main (1 ref(s): a local branch); HEAD is on main"
    repo.git("pack-refs", "--all")
    assert declared(repo) == outcome


@pytest.mark.parametrize(
    "name", ["trunk", "mai", "main/x", "refs/heads/main", "MAIN", "../heads/main", "HEAD"]
)
def test_a_branch_that_does_not_exist_fails(tmp_path: Path, name: str) -> None:
    """Near misses, full names, patterns and paths are no branch; also when packed."""
    repo = mini_repo(tmp_path, [])
    for packed in (False, True):
        if packed:
            repo.git("pack-refs", "--all")
        outcome = declared(repo, f"'{name}'")
        assert outcome.verdict is Verdict.FAIL
        assert f"declared {name}, actual main" in outcome.summary
        assert outcome.findings[0].path == ".goblin/goblin.yaml"


def test_a_declaration_that_is_no_branch_name_fails(tmp_path: Path) -> None:
    """The value is named with its line."""
    outcome = declared(mini_repo(tmp_path, []), "'*'")
    assert outcome.verdict is Verdict.FAIL
    assert outcome.findings[0].place().startswith(".goblin/goblin.yaml:2")


@pytest.mark.parametrize("name", ["", "''", "~"])
def test_no_declaration_fails_and_says_what_to_set(tmp_path: Path, name: str) -> None:
    """A deleted line is no consent."""
    outcome = declared(mini_repo(tmp_path, []), name)
    assert outcome.verdict is Verdict.FAIL
    assert "branch is not declared" in outcome.summary
    assert outcome.remedy == "set branch: main"


def test_a_feature_branch_passes_and_is_named(tmp_path: Path) -> None:
    """The rule is about the default, not about where you stand."""
    repo = mini_repo(tmp_path, [])
    repo.git("switch", "-q", "-c", "feat/x")
    outcome = declared(repo)
    assert outcome.verdict is Verdict.PASS
    assert outcome.summary.endswith("HEAD is on feat/x")
    repo.git("branch", "-D", "main")
    assert declared(repo).verdict is Verdict.FAIL
    assert declared(repo, "feat/x").verdict is Verdict.PASS


def test_a_detached_checkout_of_origins_branch_passes(tmp_path: Path) -> None:
    """CI checks out a commit, with no local branch at all."""
    origin = mini_repo(tmp_path / "origin", [])
    git(tmp_path, "clone", "-q", "origin", "clone")
    clone = Repo(tmp_path / "clone")
    clone.git("checkout", "-q", "--detach", "origin/main")
    clone.git("branch", "-D", "main")
    outcome = declared(clone)
    assert outcome.verdict is Verdict.PASS
    assert f"2 ref(s): origin/main, origin/HEAD); HEAD is detached at {origin.head[:7]}" in outcome.summary
    clone.git("pack-refs", "--all")
    assert declared(clone) == outcome
    clone.git("update-ref", "-d", "refs/remotes/origin/main")
    clone.git("symbolic-ref", "-d", "refs/remotes/origin/HEAD")
    outcome = declared(clone)
    assert outcome.verdict is Verdict.FAIL
    assert "neither a local branch nor origin/main" in outcome.summary


@pytest.mark.parametrize("exists", [True, False])
def test_another_default_of_origin_fails(tmp_path: Path, exists: bool) -> None:
    """The remote's default decides, also where that branch was never fetched."""
    repo = mini_repo(tmp_path, [])
    if exists:
        repo.git("update-ref", "refs/remotes/origin/master", "HEAD")
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/master")
    outcome = declared(repo)
    assert outcome.verdict is Verdict.FAIL
    assert "declared main, actual master (origin/HEAD says so)" in outcome.summary
    assert "set branch: master" in outcome.remedy


def test_the_branch_without_a_commit_passes_where_head_stands_on_it(tmp_path: Path) -> None:
    """A fresh repository is no defect of the declaration."""
    repo = mini_repo(tmp_path / "a", [])
    fresh = build_repo({}, tmp_path / "fresh", commit=None)
    outcome = declared(fresh)
    assert outcome.verdict is Verdict.PASS
    assert "HEAD is on main, no commit yet" in outcome.summary
    assert declared(fresh, "trunk").verdict is Verdict.FAIL
    repo.git("switch", "-q", "--orphan", "pages")
    assert declared(repo).verdict is Verdict.PASS
    assert declared(repo, "pages").verdict is Verdict.PASS


def test_a_linked_worktree_reads_the_shared_refs_and_its_own_head(tmp_path: Path) -> None:
    """Branches live in the common directory, HEAD in the worktree's."""
    repo = mini_repo(tmp_path / "main", [])
    repo.git("worktree", "add", "-q", "-b", "side", "../side")
    outcome = declared(Repo(tmp_path / "side"))
    assert outcome.verdict is Verdict.PASS
    assert outcome.summary.endswith("HEAD is on side")


def test_refs_that_are_no_files_are_asked_of_git(tmp_path: Path) -> None:
    """Where the git directory keeps refs as a table (its folder says so), no file is believed."""
    repo = build_repo({}, tmp_path, commit=None)
    (tmp_path / ".git" / "reftable").mkdir()
    assert "HEAD is on main, no commit yet" in declared(repo).summary
    repo.commit("first")
    assert declared(repo).summary.endswith("(1 ref(s): a local branch); HEAD is on main")
    assert declared(repo, "trunk").verdict is Verdict.FAIL
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/master")
    assert "actual master" in declared(repo).summary
    repo.git("switch", "-q", "--detach")
    assert "HEAD is detached at" in declared(repo).summary


def test_a_pipe_in_place_of_a_ref_is_not_waited_for(tmp_path: Path) -> None:
    """Nothing but a regular file is opened."""
    repo = mini_repo(tmp_path, [])
    os.mkfifo(tmp_path / ".git" / "refs" / "heads" / "trunk")
    assert "neither a local branch" in said(declared(repo, "trunk"))


def test_without_a_repository_the_row_fails_with_the_reason(tmp_path: Path) -> None:
    """No git, no branch."""
    import shutil

    repo = mini_repo(tmp_path, [])
    shutil.rmtree(tmp_path / ".git")
    outcome = judge(repo, BRANCH)
    assert outcome.verdict is Verdict.FAIL
    assert "no git repository" in outcome.summary
