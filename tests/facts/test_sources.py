"""The source set, and the one pass that says which contents may hold what a rule looks for."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

from goblin import cache, git
from goblin.facts import Facts, Run, content, search
from goblin.facts.needles import COOKIE, PUBLIC_NAME, SECRET, table
from goblin.facts.sources import Sources
from goblin.git import at
from goblin.paths import ReadRefused
from tests.support import Repo, build_repo
from tests.support.mini import CONFIG, mini_repo

TOKEN = "gh" + "p_" + "a" * 36
WRITE = 'document.cookie = "a=b";\n'


def sources(repo: Repo, /, **settings: object) -> Sources:
    """The fact as a run computes it."""
    root = str(repo.root.resolve())
    run = Run(root=root, repo=at(root), cache=False)._replace(**settings)  # type: ignore[arg-type]
    found: Sources = Facts(run).get("sources")
    return found


def held(repo: Repo, needle: str = SECRET, **settings: object) -> list[tuple[str, str]]:
    """Path and note of each version that may hold a needle."""
    return [(source.path, source.note) for source in sources(repo, **settings).holding(needle)]


def repo_with(tmp_path: Path, files: dict[str, str | bytes], config: str = CONFIG) -> Repo:
    """A committed repository with a config."""
    return mini_repo(tmp_path / "repo", [], files, config)


SETS = {
    "src/a.ts": True,
    "src/b.TSX": True,
    "web/c.svelte": True,
    "d.mjs": True,
    "a/node_modules/x/e.js": False,
    "node_modules/e.js": False,
    ".goblin/x.js": False,
    ".hermes/skills/x.js": False,
    "dist/f.js": False,
    "distribution/f.js": True,
    "packages/dist/f.js": True,
    "build/tracked.js": True,
    "readme.md": False,
    "noending": False,
}


def test_the_source_set_is_decided_on_the_path(tmp_path: Path) -> None:
    """Folders at the top, node_modules anywhere, declared output; another folder with its name is source."""
    config = f"{CONFIG}security:\n  build_output: dist ./out/\n"
    repo = repo_with(tmp_path, dict.fromkeys(SETS, "x"), config)
    repo.git("add", "--all", "--force")
    found = sources(repo)
    assert {path for path in SETS if path in found.source_set} == {path for path, yes in SETS.items() if yes}


def test_new_files_are_sources_and_ignored_ones_are_not(tmp_path: Path) -> None:
    """What git would add counts before it is added."""
    repo = repo_with(tmp_path, {".gitignore": "out/\n", "a.ts": "x"})
    repo.write({"b.ts": WRITE, "out/c.ts": WRITE, "d.txt": WRITE})
    assert set(sources(repo).source_set) == {"a.ts", "b.ts"}
    assert held(repo, COOKIE) == [("b.ts", "")]


def test_a_link_is_no_source(tmp_path: Path) -> None:
    """Neither tracked nor new ones are read, wherever they lead."""
    repo = repo_with(tmp_path, {"real.ts": "x", "link.ts@": "real.ts", "loop@": "."})
    outside = tmp_path / "outside.ts"
    outside.write_text(WRITE)
    repo.write({"new.ts@": str(outside)})
    found = sources(repo)
    assert found.holding(COOKIE) == ()
    assert found.links == 2
    assert found.unread == ()


STATES = ["clean", "staged", "changed", "deleted", "sparse", "assumed", "intended"]


@pytest.mark.parametrize("many", [False, True], ids=["few", "many"])
def test_a_content_is_found_in_whatever_state_its_file_is(
    tmp_path: Path, many: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The index is searched, and the work tree's version of what differs; both ways of searching agree."""
    monkeypatch.setattr(search, "MANY", 0 if many else 10_000)
    repo = repo_with(tmp_path, {f"{state}.txt": TOKEN for state in STATES if state != "intended"})
    repo.write({"changed.txt": "clean now", "staged.txt": "gone", "new.txt": TOKEN, "late.txt": "x"})
    repo.git("add", "staged.txt")
    repo.commit("late", {"late.txt": "x"})
    repo.write({"changed.txt": "clean now", "late.txt": f"late {TOKEN}"})
    repo.git("rm", "--quiet", "--cached", "new.txt", "changed.txt")
    repo.git("reset", "--quiet", "changed.txt")
    repo.write({"intended.txt": TOKEN})
    repo.git("add", "--intent-to-add", "intended.txt")
    repo.git("update-index", "--skip-worktree", "sparse.txt")
    repo.git("update-index", "--assume-unchanged", "assumed.txt")
    repo.remove("deleted.txt", "sparse.txt")
    repo.write({"assumed.txt": "other"})
    found = held(repo)
    assert ("clean.txt", "") in found
    assert ("late.txt", "") in found
    assert ("intended.txt", "") in found
    assert ("deleted.txt", "in the index; deleted in the work tree") in found
    assert ("sparse.txt", "in the index; not checked out") in found
    assert ("assumed.txt", "") in found
    assert not [path for path, _ in found if path in ("staged.txt", "new.txt")]


@pytest.mark.parametrize("many", [False, True], ids=["few", "many"])
def test_every_side_of_an_unresolved_merge_is_found(
    tmp_path: Path, many: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git itself searches none of them."""
    monkeypatch.setattr(search, "MANY", 0 if many else 10_000)
    repo = repo_with(tmp_path, {"a.txt": "x\n"})
    repo.git("checkout", "--quiet", "-b", "other")
    repo.commit("theirs", {"a.txt": f"{TOKEN}\n"})
    repo.git("checkout", "--quiet", "main")
    repo.commit("ours", {"a.txt": "y\n"})
    with pytest.raises(AssertionError):
        repo.git("merge", "other")
    repo.write({"a.txt": "resolved\n"})
    assert held(repo) == [("a.txt", "one side of an unresolved merge")]


def test_a_submodule_is_named_and_not_entered(tmp_path: Path) -> None:
    """With and without its folder."""
    repo = repo_with(tmp_path, {"a.txt": "x"})
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},vendor/lib")
    assert sources(repo).submodules == ("vendor/lib",)
    (repo / "vendor/lib").mkdir(parents=True)
    repo.write({"vendor/lib/key.txt": TOKEN})
    assert held(repo) == []


NAMES = [
    "café/clés.txt",
    "with space/k.txt",
    "$(touch PWNED).txt",
    "--output=PWNED",
    "-e.txt",
    'q"uote.txt',
    "a\u2028b/k.txt",
]


@pytest.mark.parametrize("many", [False, True], ids=["few", "many"])
def test_odd_names_are_ordinary_names(tmp_path: Path, many: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is found under its real name, and none is taken for anything else."""
    monkeypatch.setattr(search, "MANY", 0 if many else 10_000)
    repo = repo_with(tmp_path, dict.fromkeys(NAMES, TOKEN))
    raw = os.fsdecode(b"bytes\xff\\name.txt")
    repo.write({raw: TOKEN})
    repo.git("add", "--all")
    assert sorted(path for path, _ in held(repo)) == sorted([*NAMES, raw])
    assert not (repo / "PWNED").exists()


def test_the_pass_runs_nothing_that_the_repository_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pagers, textconv, filters and grep settings of its configuration change nothing."""
    monkeypatch.setattr(search, "MANY", 0)
    repo = repo_with(tmp_path, {"a.txt": TOKEN, ".gitattributes": "*.txt diff=x filter=x\n"})
    for key in ("core.pager", "diff.x.textconv", "filter.x.clean", "filter.x.smudge", "core.fsmonitor"):
        repo.git("config", key, "touch PWNED")
    for key, value in {
        "grep.patternType": "fixed",
        "grep.lineNumber": "true",
        "grep.threads": "100000",
    }.items():
        repo.git("config", key, value)
    repo.git("config", "grep.fallbackToNoIndex", "false")
    assert held(repo) == [("a.txt", "")]
    assert not (repo / "PWNED").exists()


def test_without_a_searching_git_the_answer_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A git without PCRE refuses; each content is then looked at."""
    files: dict[str, str | bytes] = {f"f{number}.txt": "x" for number in range(60)}
    files |= {"k.txt": TOKEN, "w.bin": TOKEN.encode("utf-16")}
    repo = repo_with(tmp_path, files)
    with_git = held(repo)
    argv = git.Git.argv

    def refusing(self: git.Git, args: object) -> list[str]:
        given = argv(self, args)  # type: ignore[arg-type]
        return [*given, "--no-such-switch"] if "grep" in given else given

    monkeypatch.setattr(git.Git, "argv", refusing)
    assert held(repo) == with_git == [("k.txt", ""), ("w.bin", "")]


def test_what_a_partial_clone_lacks_is_named(tmp_path: Path) -> None:
    """A blob that is not here is not a clean one."""
    repo = repo_with(tmp_path, {"a.txt": "some content that nothing else has"})
    oid = repo.git("rev-parse", "HEAD:a.txt")
    os.unlink(repo / f".git/objects/{oid[:2]}/{oid[2:]}")
    found = sources(repo)
    assert [(f.path, f.message) for f in found.unread] == [
        ("a.txt", "not looked at: this clone has no content for it")
    ]


def test_without_git_the_disk_is_walked(tmp_path: Path) -> None:
    """Everything on disk is new; links and the left-out folders are passed over."""
    root = tmp_path / "plain"
    repo = Repo(root)
    repo.write({".goblin/goblin.yaml": CONFIG, "src/a.ts": WRITE, "node_modules/b.ts": WRITE, "loop@": "."})
    found = sources(repo, repo=None)
    assert set(found.source_set) == {"src/a.ts"}
    assert [source.path for source in found.holding(COOKIE)] == ["src/a.ts"]
    assert found.tracked == 0


def test_settings_files_are_looked_at_for_public_names(tmp_path: Path) -> None:
    """Tracked or new, unless git ignores them."""
    text = "VITE_" + "SECRET=1\n"
    repo = repo_with(tmp_path, {".gitignore": ".env.local\n", "app/.env.example": text, "a.txt": text})
    repo.write({".env.local": text, ".env": text})
    assert held(repo, PUBLIC_NAME) == [(".env", ""), ("app/.env.example", "")]


# --- what is kept between runs ------------------------------------------------------------------------


def test_a_second_run_looks_at_what_is_new_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ids of the contents decide: a rename costs nothing, a new content is found."""
    repo = repo_with(tmp_path, {"a.txt": TOKEN, "b.txt": "nothing here"})
    assert held(repo, cache=True) == [("a.txt", "")]
    repo.git("mv", "a.txt", "c.txt")
    repo.commit("more", {"d.txt": f"new {TOKEN}"})
    asked: list[str] = []
    windows = content.Blobs.windows

    def counting(self: content.Blobs, oid: str) -> object:
        asked.append(oid)
        return windows(self, oid)

    monkeypatch.setattr(content.Blobs, "windows", counting)
    assert held(repo, cache=True) == [("c.txt", ""), ("d.txt", "")]
    assert asked == [repo.git("rev-parse", "HEAD:d.txt")]


@pytest.mark.parametrize(
    "value",
    [
        [],
        {},
        {"rules": "other", "clean": "", "held": {}, "width": 40},
        {"rules": None, "clean": 5, "held": {}, "width": 40},
        {"rules": None, "clean": "zz", "held": [], "width": 40},
        {"rules": None, "clean": "", "held": {"a": 1}, "width": 7},
    ],
)
def test_what_was_not_written_by_this_search_is_not_believed(tmp_path: Path, value: object) -> None:
    """Another rule set, another shape: everything is searched again."""
    repo = repo_with(tmp_path, {"a.txt": TOKEN})
    git_dir = str(repo / ".git")
    rules = "|".join(f"(?:{needle.pattern})" for needle in table())
    if isinstance(value, dict) and value.get("rules", 0) is None:
        value["rules"] = rules
    cache.remember(git_dir, search.CACHE, value)
    assert held(repo, cache=True) == [("a.txt", "")]


def test_a_static_run_keeps_and_believes_nothing(tmp_path: Path) -> None:
    """Its git directory is not trusted."""
    repo = repo_with(tmp_path, {"a.txt": TOKEN})
    assert held(repo, cache=True, static=True) == [("a.txt", "")]
    assert not (repo / ".git/goblin/cache" / search.CACHE).exists()


# --- reading ------------------------------------------------------------------------------------------


def test_a_large_file_is_searched_and_not_held(tmp_path: Path) -> None:
    """The credential at its end is found; a rule that wants the whole text is refused."""
    big = b"x\n" * (9 << 20)
    repo = repo_with(tmp_path, {"big.ts": big + TOKEN.encode() + b"\ncookie"})
    found = sources(repo)
    (source,) = found.holding(SECRET)
    assert sum(len(window.data) for window in found.windows(source)) > len(big)
    with pytest.raises(ReadRefused, match="more than the 16 MiB"):
        found.data(source)


def test_the_search_ends_with_the_one_who_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that stops before any rule asks leaves no process behind."""
    monkeypatch.setattr(search, "MANY", 0)
    repo = repo_with(tmp_path, {"a.txt": TOKEN})
    root = str(repo.root.resolve())
    facts = Facts(Run(root=root, repo=at(root), cache=False))
    facts.selecting(frozenset({"SC-10"}))
    process = facts.get("search")._process
    assert process is not None
    del facts
    gc.collect()
    assert process.returncode is not None


def test_rows_that_do_not_read_text_start_no_search(tmp_path: Path) -> None:
    """Only the rows that need it pay for it."""
    repo = build_repo({"a.txt": "x"}, tmp_path)
    root = str(repo.root.resolve())
    facts = Facts(Run(root=root, repo=at(root), cache=False))
    facts.selecting(frozenset({"HP-01"}))
    assert "search" not in facts._known
