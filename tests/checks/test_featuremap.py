"""FM and VA: a map whose pages are whole, whose entry paths are true, and a doctor that runs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from goblin import clock
from goblin.facts import doctor, entrypaths
from goblin.outcome import Outcome, Verdict
from tests.checks.judging import judge, said
from tests.support import Repo, build_repo
from tests.support.repo import Content
from tests.support.waiting import until

MAP = "docs/features"
CONFIG = f"class: A\nbranch: main\narchive: false\nfeature_map: {MAP}/README.md\n"


@pytest.fixture(autouse=True)
def _one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands still in UTC."""
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 3, 4, 12, 0, 0, tzinfo=UTC))


def feature(entry: str = "/panel", verified: str = "2026-03-01") -> str:
    """A feature file that is whole."""
    return (
        f"---\nfeature: panel  # the stem\nentry_paths:\n  - {entry}  # a route\nverified: {verified}\n---\n"
        "# The panel\n\n## Sub-features\n\nText.\n\n## How to get to it (user POV)\n\n"
        "## Driving it with goblin\n\n```\n## Not a heading\n```\n\n## Gotchas\n"
    )


def mapped(root: Path, files: Mapping[str, Content] | None = None, config: str = CONFIG) -> Repo:
    """A repository with a map of one feature, committed on 2 January 2026."""
    content: dict[str, Content] = {
        ".goblin/goblin.yaml": config,
        f"{MAP}/README.md": "# Map\n\n- [Panel](./panel.md)\n",
        f"{MAP}/panel.md": feature(),
        "src/routes.ts": "route('/panel')\n",
        **(files or {}),
    }
    return build_repo(content, root)


def fm01(repo: Repo) -> Outcome:
    return judge(repo, "checks/featuremap.py::every_feature_is_indexed_and_whole")


def fm02(repo: Repo) -> Outcome:
    return judge(repo, "checks/featuremap.py::entry_paths_resolve_and_are_no_newer")


def va01(repo: Repo) -> Outcome:
    return judge(repo, "checks/featuremap.py::the_doctor_exits_0")


class TestTheMap:
    """FM-01."""

    def test_a_whole_map_passes(self, tmp_path: Path) -> None:
        """With the number of feature files; the index is no feature, whatever it is called."""
        assert said(fm01(mapped(tmp_path / "a"))) == f"PASS\n1 feature file(s) indexed in {MAP}/README.md"
        repo = mapped(tmp_path / "b", {f"{MAP}/index.md": "[p](panel.md) [r](README.md)"},
                      CONFIG.replace("README", "index"))  # fmt: skip
        assert "README.md:1: no front matter" in said(fm01(repo))

    @pytest.mark.parametrize("line", ["", "feature_map:\n", "feature_map: ~\n", "feature_map: ''\n"])
    def test_no_map_skips(self, tmp_path: Path, line: str) -> None:
        """A fresh install is green."""
        repo = mapped(tmp_path, config=f"class: A\narchive: false\n{line}")
        for outcome in (fm01(repo), fm02(repo)):
            assert outcome.verdict is Verdict.SKIP
            assert "no map is declared" in said(outcome)

    @pytest.mark.parametrize(
        ("declared", "told"),
        [
            ("docs/none.md", "it does not exist"),
            ("../x.md", "not a file inside the repository"),
            ("/etc/hosts", "not a file inside the repository"),
            ("docs", "not a regular file"),
            ("out/x.md", "not a file inside the repository"),
            ("link.md", "a symbolic link"),
            ("[a]", "feature_map"),
        ],
    )
    def test_a_declared_index_must_be_there(self, tmp_path: Path, declared: str, told: str) -> None:
        """A file, inside, and no link; both rows say so."""
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "elsewhere/x.md").write_text("x")
        files = {"out@": str(tmp_path / "elsewhere"), "link.md@": f"{MAP}/README.md"}
        repo = mapped(tmp_path / "r", files, f"class: A\narchive: false\nfeature_map: {declared}\n")
        for outcome in (fm01(repo), fm02(repo)):
            assert outcome.verdict is Verdict.FAIL
            assert told in said(outcome)

    def test_an_absolute_path_inside_is_the_same(self, tmp_path: Path) -> None:
        """Spec: relative to the root or absolute."""
        repo = mapped(tmp_path)
        repo.write(
            {".goblin/goblin.yaml": f"class: A\narchive: false\nfeature_map: {tmp_path}/{MAP}/README.md\n"}
        )
        assert fm01(repo).verdict is Verdict.PASS

    def test_an_empty_map_is_a_fail(self, tmp_path: Path) -> None:
        """And gives FM-02 nothing to resolve."""
        repo = mapped(tmp_path).remove(f"{MAP}/panel.md").write({f"{MAP}/README.md": "# Map\n"})
        assert "no feature file" in said(fm01(repo))
        assert fm01(repo).verdict is Verdict.FAIL
        assert fm02(repo).verdict is Verdict.SKIP

    @pytest.mark.parametrize(
        "index",
        [
            "[Panel](panel.md#part)",
            "[Panel](<./panel.md>)",
            "[P][p]\n\n[p]: ./panel.md",
            "[a](../../src/routes.ts) [P](panel.md)",
        ],
    )
    def test_a_link_in_any_form_will_do(self, tmp_path: Path, index: str) -> None:
        """Without `./`, with a fragment, by reference, the second on a line."""
        assert fm01(mapped(tmp_path, {f"{MAP}/README.md": index})).verdict is Verdict.PASS

    @pytest.mark.parametrize(
        ("index", "told"),
        [
            ("# Map\n", f"{MAP}/panel.md: {MAP}/README.md does not link it"),
            ("`[Panel](./panel.md)`\n", "does not link it"),
            ("```\n[Panel](./panel.md)\n```\n", "does not link it"),
            ("<!-- [Panel](./panel.md) -->\n", "does not link it"),
            (
                "[P](panel.md) [G](./gone.md)\n",
                f"README.md:1: the link ./gone.md leads to {MAP}/gone.md, which",
            ),
            (
                "[P](panel.md)\n[G](../../../up.md)\n",
                "README.md:2: the link ../../../up.md leaves the repository",
            ),
            ("[P](panel.md) [G](gone.md#x)\n", "the link gone.md#x leads to"),
        ],
    )
    def test_links_that_are_missing_or_lead_nowhere(self, tmp_path: Path, index: str, told: str) -> None:
        """Each with its line."""
        outcome = fm01(mapped(tmp_path, {f"{MAP}/README.md": index}))
        assert outcome.verdict is Verdict.FAIL
        assert told in said(outcome)

    def test_links_of_feature_files_are_followed_too(self, tmp_path: Path) -> None:
        """A map is read page by page; a link out of the repository is no link."""
        (tmp_path / "x.md").write_text("x")
        text = feature() + "[a](./gone.md) [b](README.md) [c](https://example.com/x.md) [d](out.md)\n"
        repo = mapped(tmp_path / "r", {f"{MAP}/panel.md": text, f"{MAP}/out.md@": str(tmp_path / "x.md")})
        found = [f.message for f in fm01(repo).findings if f.path == f"{MAP}/panel.md"]
        assert found == [
            f"the link ./gone.md leads to {MAP}/gone.md, which does not exist",
            "the link out.md leaves the repository by a symbolic link",
        ]

    @pytest.mark.parametrize(
        ("old", "new", "told"),
        [
            ("## Gotchas", "### Gotchas", "lacks the section ## Gotchas"),
            ("## Gotchas", "```\n## Gotchas\n```", "lacks the section ## Gotchas"),
            ("## Gotchas", "## Gotchas\n\n## More", "a section more than the four: 'More'"),
            ("## Gotchas", "## Gotchas\n\n  ## More", "a section more than the four: 'More'"),
            ("## Gotchas", "## Gotchas\n\nMore\n----", "a section more than the four: 'More'"),
            ("## Sub-features", "## Subfeatures", "section 1 is 'Subfeatures', not 'Sub-features'"),
            ("Driving it with goblin", "Driving it with", "section 3 is 'Driving it with'"),
            ("Driving it with goblin", "Driving it by hand", "section 3 is 'Driving it by hand'"),
            ("feature: panel", "feature: sidebar", "feature is 'sidebar', and the file is panel.md"),
            ("feature: panel", "feature:", "feature is '', and the file is panel.md"),
            ("  - /panel", "  -", "entry_paths names no entry path"),
            ("entry_paths:\n  - /panel", "entry_paths: []", "entry_paths names no entry path"),
            ("entry_paths:\n  - /panel  # a route\n", "", "entry_paths names no entry path"),
            ("  - /panel", "  - the panel", "entry path 'the panel' is not one token"),
            ("  - /panel", "  - [a]", "an entry path is one text"),
            ("---\nfeature", "--\nfeature", "no front matter"),
            ("2026-03-01\n---\n", "2026-03-01\n", "not closed"),
            ("feature: panel", "feature: panel\nfeature: panel", "front matter: "),
            ("feature: panel", "feature: [", "front matter: "),
        ],
    )
    def test_a_page_that_is_not_whole(self, tmp_path: Path, old: str, new: str, told: str) -> None:
        """The file and the clause are named."""
        assert old in feature()
        outcome = fm01(mapped(tmp_path, {f"{MAP}/panel.md": feature().replace(old, new)}))
        assert outcome.verdict is Verdict.FAIL
        assert told in said(outcome)
        assert f"{MAP}/panel.md" in said(outcome)

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("Text.", "```md\n## Note\n```"),
            ("Text.", "Text, another one.\n\n---\n\n### Deep\n\n- item\n---"),
            ("## Sub-features", "## Sub-features ##"),
            ("feature: panel", "feature: 'panel'"),
            ("\n", "\r\n"),
            ("---\nfeature", "\ufeff---\nfeature"),
            ("goblin", "a harness of some length"),
        ],
    )
    def test_what_changes_nothing(self, tmp_path: Path, old: str, new: str) -> None:
        """Fences, rules, quotes, line ends, a byte-order mark, another harness."""
        text = feature().replace(old, new)
        assert said(fm01(mapped(tmp_path, {f"{MAP}/panel.md": text}))).startswith("PASS")

    def test_a_file_that_cannot_be_read(self, tmp_path: Path) -> None:
        """It is named, by both rows."""
        repo = mapped(tmp_path, {f"{MAP}/b.md": b"\xff", f"{MAP}/c.md@": "panel.md"})
        for outcome in (fm01(repo), fm02(repo)):
            assert outcome.verdict is Verdict.FAIL
            assert "b.md:1: byte 1 is not UTF-8" in said(outcome) or ":1: byte 1 is not UTF-8" in said(
                outcome
            )
            assert f"{MAP}/c.md: a symbolic link" in said(outcome)

    def test_all_faults_are_reported(self, tmp_path: Path) -> None:
        """Of every file."""
        repo = mapped(tmp_path, {f"{MAP}/other.md": "nothing\n", f"{MAP}/README.md": "[x](x.md)\n"})
        assert len(fm01(repo).findings) >= 8


class TestEntryPaths:
    """FM-02."""

    def test_a_token_that_stands_in_the_source(self, tmp_path: Path) -> None:
        """With the numbers of tokens and files."""
        assert (
            said(fm02(mapped(tmp_path)))
            == "PASS\n1 entry path(s) resolve, in 1 file(s) no newer than their day"
        )

    @pytest.mark.parametrize(
        "place",
        [
            ".goblin/x.ts",
            ".hermes/x.ts",
            ".claude/skills/x/SKILL.md",
            "checks/a.mjs",
            f"{MAP}/more.txt",
            f"{MAP}/d/x.ts",
        ],
    )
    def test_some_places_do_not_count(self, tmp_path: Path, place: str) -> None:
        """The map and the harness would make every token resolve."""
        repo = mapped(tmp_path, {"src/routes.ts": "x\n", place: "/panel\n"})
        outcome = fm02(repo)
        assert outcome.verdict is Verdict.FAIL
        assert f"{MAP}/panel.md:4: no occurrence of /panel in a tracked file" in said(outcome)

    def test_a_folder_of_the_same_name_deeper_counts(self, tmp_path: Path) -> None:
        """`src/checks` is no harness."""
        assert (
            fm02(mapped(tmp_path, {"src/routes.ts": "x", "src/checks/a.ts": "/panel"})).verdict
            is Verdict.PASS
        )

    def test_the_source_root_bounds_the_search(self, tmp_path: Path) -> None:
        """Outside of it nothing counts; it must be a folder."""
        repo = mapped(tmp_path, {"lib/a.ts": "x"}, CONFIG + "source_root: lib\n")
        assert "no occurrence of /panel in a tracked file under lib" in said(fm02(repo))
        for root in ("gone", "src/routes.ts", "../x"):
            repo.write({".goblin/goblin.yaml": CONFIG + f"source_root: {root}\n"})
            assert fm02(repo).verdict is Verdict.FAIL
            assert "source_root" in said(fm02(repo))
        repo.write({".goblin/goblin.yaml": CONFIG + "source_root: src\n"})
        assert fm02(repo).verdict is Verdict.PASS

    @pytest.mark.parametrize("ignored", [False, True])
    def test_an_untracked_file_is_not_enough(self, tmp_path: Path, ignored: bool) -> None:
        """It has no history, and nobody else has it."""
        repo = mapped(tmp_path, {"src/routes.ts": "x", ".gitignore": "new.ts\n" if ignored else ""})
        repo.write({"src/new.ts": "/panel"})
        outcome = fm02(repo)
        assert outcome.verdict is Verdict.FAIL
        assert "/panel occurs only in src/new.ts, which is not tracked" in said(outcome)

    @pytest.mark.parametrize("content", [b"\0/panel", b"x" * 100 + b"\0\n/panel"])
    def test_a_binary_file_is_no_source(self, tmp_path: Path, content: bytes) -> None:
        """Nor is a link whose target reads so."""
        repo = mapped(tmp_path, {"src/routes.ts": content, "src/link@": "/panel"})
        assert fm02(repo).verdict is Verdict.FAIL

    def test_attributes_hide_nothing(self, tmp_path: Path) -> None:
        """A file called binary by an attribute, and a driver for its text."""
        repo = mapped(tmp_path / "r", {".gitattributes": "*.ts binary diff=evil\n"})
        repo.git("config", "diff.evil.textconv", f"touch {tmp_path}/PWNED; cat")
        assert fm02(repo).verdict is Verdict.PASS
        assert not (tmp_path / "PWNED").exists()

    def test_a_token_is_text_and_no_pattern(self, tmp_path: Path) -> None:
        """Dots, brackets, a leading hyphen; case counts."""
        tokens = {"a.c": "abc", "[id]": "i", "--flag": "-flag", "/Panel": "/panel", "$(x)": "x"}
        for index, (token, text) in enumerate(tokens.items()):
            quoted = f"'{token}'"
            repo = mapped(tmp_path / str(index), {f"{MAP}/panel.md": feature(quoted), "src/routes.ts": text})
            assert fm02(repo).verdict is Verdict.FAIL
            repo.write({"src/routes.ts": f"x{token}x"})
            repo.write({f"{MAP}/panel.md": feature(quoted, verified="2026-03-04")})
            assert fm02(repo).verdict is Verdict.PASS, token

    @pytest.mark.parametrize(
        ("verified", "told"),
        [
            ("2020-01-01", "/panel is in src/routes.ts, which changed on 2026-01-02, after 2020-01-01"),
            ("2026-01-01", "which changed on 2026-01-02, after 2026-01-01"),
            ("", "verified is not set"),
            ("soon", "verified is 'soon', no date"),
            ("2026-02-30", "no date"),
            ("2099-01-01", "verified 2099-01-01 is in the future"),
            ("2026-03-06", "in the future"),
        ],
    )
    def test_days_that_do_not_hold(self, tmp_path: Path, verified: str, told: str) -> None:
        """Older than the file, none, or not come yet."""
        outcome = fm02(mapped(tmp_path, {f"{MAP}/panel.md": feature(verified=verified)}))
        assert outcome.verdict is Verdict.FAIL
        assert told in said(outcome)

    @pytest.mark.parametrize("verified", ["2026-01-02", "2026-03-04", "2026-03-05"])
    def test_days_that_hold(self, tmp_path: Path, verified: str) -> None:
        """The day of the commit, today, tomorrow somewhere else."""
        assert fm02(mapped(tmp_path, {f"{MAP}/panel.md": feature(verified=verified)})).verdict is Verdict.PASS

    def test_the_day_is_that_of_the_commits_own_offset(self, tmp_path: Path) -> None:
        """Whoever drove it on the evening of the commit is in time."""
        repo = mapped(tmp_path, {f"{MAP}/panel.md": feature(verified="2026-02-01")})
        repo.commit(
            "x", {"src/routes.ts": "/panel 2"}, env={"GIT_COMMITTER_DATE": "2026-02-01T23:30:00-1000"}
        )
        assert fm02(repo).verdict is Verdict.PASS
        repo.commit(
            "x", {"src/routes.ts": "/panel 3"}, env={"GIT_COMMITTER_DATE": "2026-02-02T00:30:00+1000"}
        )
        assert fm02(repo).verdict is Verdict.FAIL

    def test_any_newer_file_is_enough(self, tmp_path: Path) -> None:
        """Not the first one found; each is listed."""
        repo = mapped(tmp_path, {"src/z.ts": "/panel", "src/y.ts": "other"})
        later = {"GIT_COMMITTER_DATE": "2026-03-02T12:00:00+0000"}
        repo.commit("x", {"src/z.ts": "/panel 2", "src/y.ts": "other 2"}, env=later)
        outcome = fm02(repo)
        assert [f.message for f in outcome.findings] == [
            "/panel is in src/z.ts, which changed on 2026-03-02, after 2026-03-01"
        ]

    def test_an_uncommitted_change_is_of_today(self, tmp_path: Path) -> None:
        """In the work tree or staged; the feature that was verified today is in time."""
        repo = mapped(tmp_path).write({"src/routes.ts": "/panel edited"})
        assert "which changed on 2026-03-04" in said(fm02(repo))
        repo.git("add", "src/routes.ts")
        assert "which changed on 2026-03-04" in said(fm02(repo))
        repo.write({f"{MAP}/panel.md": feature(verified="2026-03-04")})
        assert fm02(repo).verdict is Verdict.PASS

    def test_a_change_that_a_merge_threw_away_is_none(self, tmp_path: Path) -> None:
        """The content comes from an older commit."""
        repo = mapped(tmp_path, {"src/z.ts": "/panel"})
        repo.git("checkout", "-q", "-b", "side")
        later = {"GIT_COMMITTER_DATE": "2026-03-02T12:00:00+0000"}
        repo.commit("side", {"src/routes.ts": "/panel 2", "src/z.ts": "/panel 2"}, env=later)
        repo.git("checkout", "-q", "main")
        repo.commit("main", {"README": "x"})
        repo.git("merge", "-q", "-s", "ours", "-m", "ours", "side")
        assert fm02(repo).verdict is Verdict.PASS

    def test_a_sparse_checkout_is_read_from_the_index(self, tmp_path: Path) -> None:
        """What is tracked is source, checked out or not; what was deleted is not."""
        repo = mapped(tmp_path)
        repo.git("update-index", "--skip-worktree", "src/routes.ts")
        repo.remove("src/routes.ts")
        assert fm02(repo).verdict is Verdict.PASS
        repo.git("update-index", "--no-skip-worktree", "src/routes.ts")
        assert fm02(repo).verdict is Verdict.FAIL

    def test_a_shallow_clone_is_a_fail(self, tmp_path: Path) -> None:
        """Its days are not to be trusted."""
        origin = mapped(tmp_path / "origin")
        origin.commit("more", {"x": "x"})
        origin.git("clone", "-q", "--depth=1", f"file://{origin.root}", str(tmp_path / "clone"))
        outcome = fm02(Repo(tmp_path / "clone"))
        assert outcome.verdict is Verdict.FAIL
        assert "shallow clone" in said(outcome)
        assert "fetch full history" in said(outcome)

    def test_before_the_first_commit(self, tmp_path: Path) -> None:
        """What is staged is of today."""
        repo = mapped(tmp_path)
        repo.git("update-ref", "-d", "HEAD")
        assert "which changed on 2026-03-04" in said(fm02(repo))

    def test_without_git(self, tmp_path: Path) -> None:
        """A declared map cannot be judged, and says so; an undeclared one is no matter."""
        files = {
            ".goblin/goblin.yaml": CONFIG,
            f"{MAP}/README.md": "[p](panel.md)",
            f"{MAP}/panel.md": feature(),
        }
        repo = Repo(tmp_path).write(files)
        assert "no git repository" in said(fm02(repo))
        repo.write({".goblin/goblin.yaml": "class: A\narchive: false\n"})
        assert fm02(repo).verdict is Verdict.SKIP

    def test_a_file_behind_a_link_is_not_read(self, tmp_path: Path) -> None:
        """A tracked folder that became a link out of the repository."""
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "elsewhere/routes.ts").write_text("/panel")
        repo = mapped(tmp_path / "r")
        repo.remove("src/routes.ts")
        (repo / "src").rmdir()
        (repo / "src").symlink_to(tmp_path / "elsewhere")
        assert fm02(repo).verdict is Verdict.FAIL

    def test_a_map_at_the_root(self, tmp_path: Path) -> None:
        """Then the pages themselves are left out, and not the whole tree."""
        files = {"index.md": "[p](panel.md)", "panel.md": feature(), "src/a.ts": "/panel",
                 ".goblin/goblin.yaml": "class: A\narchive: false\nfeature_map: index.md\n"}  # fmt: skip
        repo = build_repo(files, tmp_path)
        assert (fm01(repo).verdict, fm02(repo).verdict) == (Verdict.PASS, Verdict.PASS)
        repo.write({"src/a.ts": "x"})
        assert fm02(repo).verdict is Verdict.FAIL

    def test_many_newer_files_are_counted(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Five are listed."""
        files = {f"src/{number}.ts": "/panel" for number in range(9)}
        repo = mapped(tmp_path, {**files, f"{MAP}/panel.md": feature(verified="2020-01-01")})
        assert "/panel is in 5 more file(s)" in said(fm02(repo))
        monkeypatch.setattr(entrypaths, "VERIFIED", 1)
        assert "/panel is in 5 more file(s)" in said(fm02(repo))


class TestTheDoctor:
    """VA-01."""

    def with_doctor(self, root: Path, command: str, files: Mapping[str, Content] | None = None) -> Repo:
        """A repository that declares a doctor."""
        config = f"class: A\narchive: false\nverify_doctor: |-\n  {command}\n"
        return build_repo({".goblin/goblin.yaml": config, **(files or {})}, root)

    def test_green(self, tmp_path: Path) -> None:
        """The command is shown, and runs in the root."""
        outcome = va01(self.with_doctor(tmp_path, 'test -f .goblin/goblin.yaml && echo "fine"'))
        assert said(outcome) == 'PASS\n1 doctor, exit 0: test -f .goblin/goblin.yaml && echo "fine"'

    @pytest.mark.parametrize("command", ["true", ":", "exit 0", "exit", "echo fine", "echo"])
    def test_a_doctor_that_cannot_fail_is_named(self, tmp_path: Path, command: str) -> None:
        """It passes."""
        outcome = va01(self.with_doctor(tmp_path, command))
        assert outcome.verdict is Verdict.PASS
        assert "this doctor cannot fail" in said(outcome)

    @pytest.mark.parametrize("line", ["", "verify_doctor:\n", "verify_doctor: ''\n"])
    def test_none_declared(self, tmp_path: Path, line: str) -> None:
        """A SKIP."""
        repo = build_repo({".goblin/goblin.yaml": f"class: A\narchive: false\n{line}"}, tmp_path)
        assert said(va01(repo)) == "SKIP\nno doctor is declared (verify_doctor)"

    @pytest.mark.parametrize(
        ("command", "told"),
        [
            ("false", "the doctor exits 1: false"),
            ("exit 3", "the doctor exits 3"),
            ("nosuchtool --check", "could not run: exit 127"),
            ("./.goblin/goblin.yaml", "could not run: exit 126"),
            ("kill -9 $$", "could not run: ended by signal 9"),
        ],
    )
    def test_red(self, tmp_path: Path, command: str, told: str) -> None:
        """With the code, or why there is none."""
        outcome = va01(self.with_doctor(tmp_path, command))
        assert outcome.verdict is Verdict.FAIL
        assert told in said(outcome)

    def test_its_first_lines_are_shown(self, tmp_path: Path) -> None:
        """Three of them, without a credential."""
        key = "AKIA" + "ABCDEFGHIJKLMNOP"
        outcome = va01(self.with_doctor(tmp_path, f"printf 'a {key}\\nb\\nc\\nd\\n'; exit 1"))
        assert [f.message for f in outcome.findings] == ["a <cloud access key hidden>", "b", "c"]
        assert key not in said(outcome)

    def test_a_doctor_that_changes_the_tree_is_a_fail(self, tmp_path: Path) -> None:
        """A new file, a changed one; an ignored one is no change, nor is what was dirty before."""
        repo = self.with_doctor(tmp_path / "a", "echo x > stray.txt")
        assert "stray.txt: changed by the doctor" in said(va01(repo))
        assert va01(repo).verdict is Verdict.PASS  # it was there already
        repo = self.with_doctor(
            tmp_path / "b", "echo y >> a; echo x > log", {"a": "a", ".gitignore": "log\n"}
        )
        assert [f.path for f in va01(repo).findings] == ["a"]
        repo = self.with_doctor(tmp_path / "c", "echo x > log", {".gitignore": "log\n"})
        assert va01(repo.write({"dirty": "x"})).verdict is Verdict.PASS

    def test_its_time_is_bounded(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """And nothing of it is left."""
        monkeypatch.setattr(doctor, "TIMEOUT", 0.5)
        outcome = va01(self.with_doctor(tmp_path, "sleep 9137 & wait"))
        assert outcome.verdict is Verdict.FAIL
        assert "timed out, could not run: no end within 0.5 s" in said(outcome)
        listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
        assert "sleep 9137" not in listed.stdout

    def test_a_background_child_does_not_hold_it(self, tmp_path: Path) -> None:
        """The doctor's own end is the end."""
        outcome = va01(self.with_doctor(tmp_path, "sleep 9138 & test -d .goblin"))
        assert outcome.verdict is Verdict.PASS

        def gone() -> bool:
            listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
            return "sleep 9138" not in listed.stdout

        assert until(gone)  # killed, and not yet taken off the list

    def test_quotes_stay_what_they_are(self, tmp_path: Path) -> None:
        """A command that ends in a quote."""
        text = 'class: A\narchive: false\nverify_doctor: test "a b" = \'a b\' && test "x" = "x"\n'
        assert va01(build_repo({".goblin/goblin.yaml": text}, tmp_path)).verdict is Verdict.PASS

    def test_without_git(self, tmp_path: Path) -> None:
        """It runs, and says what was not looked at."""
        repo = Repo(tmp_path).write(
            {".goblin/goblin.yaml": "class: A\narchive: false\nverify_doctor: test -d .goblin\n"}
        )
        assert "was not looked at" in said(va01(repo))
        assert va01(repo).verdict is Verdict.PASS
        assert os.path.isdir(repo / ".goblin")
