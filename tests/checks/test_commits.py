"""CM: who wrote HEAD, how its message came in, and what is uncommitted."""

from __future__ import annotations

from pathlib import Path

import pytest

from goblin.outcome import Outcome, Verdict
from tests.checks.judging import judge, said
from tests.support import Repo, build_repo, git
from tests.support.env import EMAIL
from tests.support.mini import CONFIG, facts_of

IGNORED = ".goblin/last-gate-line\n.goblin/last-gate.json\n.goblin/ratchet-last\n.goblin/.ds-report\n"
OTHER = {"GIT_AUTHOR_EMAIL": "other@example.invalid", "GIT_COMMITTER_EMAIL": "other@example.invalid"}


def governed(
    root: Path, config: str = CONFIG, *, commit: str | None = "start", ignored: str = IGNORED
) -> Repo:
    """A repository with this config, committed by the owner."""
    files = {".goblin/goblin.yaml": config, ".gitignore": ignored, "README.md": "x\n"}
    return build_repo(files, root, commit=commit)


def owned_by(address: str) -> str:
    """The config with another owner."""
    return CONFIG.replace("owner_email: author@example.invalid", f"owner_email: {address}")


def cm01(repo: Repo) -> Outcome:
    return judge(repo, "checks/commits.py::head_is_by_the_owner")


def cm02(repo: Repo) -> Outcome:
    return judge(repo, "checks/commits.py::backticks_of_the_message_are_paired")


def cm03(repo: Repo, *selected: str, **settings: object) -> Outcome:
    rows = frozenset({"CM-03", *selected})
    return judge(repo, "checks/commits.py::the_work_tree_is_clean", selected=rows, **settings)


class TestAuthor:
    """CM-01."""

    def test_the_owner(self, tmp_path: Path) -> None:
        """One commit is examined, and named."""
        repo = governed(tmp_path)
        assert said(cm01(repo)) == f"PASS\n1 commit examined: commit {repo.head[:10]} is by {EMAIL}"

    def test_somebody_else(self, tmp_path: Path) -> None:
        """Both addresses are printed, and the command that mends it."""
        repo = governed(tmp_path)
        repo.commit("x", env=OTHER)
        text = said(cm01(repo))
        assert text.startswith(
            f"FAIL\ncommit {repo.head[:10]} is by other@example.invalid, and owner_email is {EMAIL}"
        )
        assert f"git config user.email {EMAIL} && git commit --amend --reset-author --no-edit" in text

    def test_only_head_is_judged(self, tmp_path: Path) -> None:
        """An older wrong identity below a right one is not seen."""
        repo = governed(tmp_path)
        repo.commit("x", env=OTHER)
        repo.commit("y")
        assert cm01(repo).verdict is Verdict.PASS

    @pytest.mark.parametrize(
        "owner",
        [
            "'author@example.invalid'",
            '"author@example.invalid"',
            "author@example.invalid   # me",
            "  author@example.invalid",
            "author@Example.INVALID",
            "' author@example.invalid '",
        ],
    )
    def test_ways_to_write_the_same_owner(self, tmp_path: Path, owner: str) -> None:
        """Quotes, blanks, a comment and the case of the domain do not matter."""
        assert cm01(governed(tmp_path, owned_by(owner))).verdict is Verdict.PASS

    @pytest.mark.parametrize(
        "owner",
        [
            "Author@example.invalid",
            "thor@example.invalid",
            "author@example.invalid.example.com",
            "author@example",
            "author",
            "'.*'",
            "'author@example.invalid,other@example.invalid'",
        ],
    )
    def test_an_owner_that_is_another(self, tmp_path: Path, owner: str) -> None:
        """An address is equal or it is not: no substring, no pattern."""
        assert cm01(governed(tmp_path, owned_by(owner))).verdict is Verdict.FAIL

    @pytest.mark.parametrize("owner", ["", "''", "~", "'  '"])
    def test_an_unset_owner(self, tmp_path: Path, owner: str) -> None:
        """Nothing to compare with is no pass."""
        text = said(cm01(governed(tmp_path, owned_by(owner))))
        assert text.startswith("FAIL\nowner_email is not set")

    def test_an_unset_owner_without_a_commit(self, tmp_path: Path) -> None:
        """Empty is not equal to empty."""
        repo = governed(tmp_path, owned_by(""), commit=None)
        assert said(cm01(repo)) == "FAIL\nno commits yet\ngit commit"

    def test_a_mailmap_does_not_speak(self, tmp_path: Path) -> None:
        """The commit itself says who wrote it."""
        repo = governed(tmp_path)
        repo.commit("x", {".mailmap": "Owner <author@example.invalid> <other@example.invalid>\n"}, env=OTHER)
        assert repo.git("log", "-1", "--format=%aE") == EMAIL
        assert cm01(repo).verdict is Verdict.FAIL

    def test_a_replacement_does_not_speak(self, tmp_path: Path) -> None:
        """Nor does a replace ref."""
        repo = governed(tmp_path)
        good = repo.head
        repo.commit("x", env=OTHER)
        repo.git("replace", repo.head, good)
        assert repo.git("log", "-1", "--format=%ae") == EMAIL
        assert cm01(repo).verdict is Verdict.FAIL

    def test_a_trailer_is_no_author(self, tmp_path: Path) -> None:
        """Whoever is named in the message, the author is judged."""
        repo = governed(tmp_path)
        repo.commit(f"x\n\nCo-authored-by: Owner <{EMAIL}>", env=OTHER)
        assert cm01(repo).verdict is Verdict.FAIL
        repo.commit("x\n\nCo-authored-by: evil-allowed[bot] <evil-allowed[bot]@example.invalid>")
        assert cm01(repo).verdict is Verdict.PASS

    def test_another_committer_is_named(self, tmp_path: Path) -> None:
        """It changes no verdict."""
        repo = governed(tmp_path)
        env = {"GIT_COMMITTER_EMAIL": "noreply@example.com", "GIT_COMMITTER_NAME": "Forge"}
        repo.commit("x", env=env)
        text = said(cm01(repo))
        assert text.startswith("PASS")
        assert "committed by Forge <noreply@example.com>" in text

    def test_a_bot_is_named_as_one(self, tmp_path: Path) -> None:
        """By the suffix that forges reserve, exactly; as author it is not the owner."""
        repo = governed(tmp_path)
        bot = {
            "GIT_AUTHOR_NAME": "helper[bot]",
            "GIT_AUTHOR_EMAIL": "1+helper[bot]@users.noreply.example.com",
        }
        repo.commit("x", env=bot)
        text = said(cm01(repo))
        assert text.startswith("FAIL")
        assert "the author helper[bot] is a bot" in text
        assert "set owner_email" not in text
        repo.commit(
            "x", env={"GIT_COMMITTER_NAME": "helper[bot]", "GIT_COMMITTER_EMAIL": "h@example.invalid"}
        )
        assert "committed by helper[bot] <h@example.invalid>, a bot" in said(cm01(repo))
        repo.commit(
            "x", env={"GIT_AUTHOR_NAME": "robot [bot] fan", "GIT_AUTHOR_EMAIL": "bot@example.invalid"}
        )
        assert "is a bot" not in said(cm01(repo))

    def test_a_private_address_of_a_forge_is_explained(self, tmp_path: Path) -> None:
        """A commit made in the browser hides the author's own address."""
        address = "123+someone@users.noreply.example.com"
        repo = governed(tmp_path)
        repo.commit("x", env={"GIT_AUTHOR_EMAIL": address})
        text = said(cm01(repo))
        assert f"{address} is the private address that a forge gives someone" in text
        assert f"set owner_email to {address}" in text

    def test_a_detached_merge_is_judged_by_what_it_merges(self, tmp_path: Path) -> None:
        """As a forge checks out a proposed change; on a branch the merge itself is judged."""
        repo = governed(tmp_path)
        repo.git("checkout", "-q", "-b", "work")
        change = repo.commit("work", {"w": "1"})
        repo.git("checkout", "-q", "main")
        repo.commit("theirs", {"t": "1"}, env=OTHER)
        repo.git("merge", "-q", "--no-ff", "-m", "merge", "work", env=OTHER)
        assert cm01(repo).verdict is Verdict.FAIL
        merge = repo.head
        repo.git("checkout", "-q", "--detach")
        text = said(cm01(repo))
        assert text.startswith(f"PASS\n1 commit examined: commit {change[:10]} is by {EMAIL}")
        assert f"HEAD {merge[:10]} is a detached merge: its merged-in parent is judged" in text

    def test_a_detached_merge_of_somebody_elses_change(self, tmp_path: Path) -> None:
        """The owner's button does not make the change the owner's."""
        repo = governed(tmp_path)
        repo.git("checkout", "-q", "-b", "work")
        repo.commit("work", {"w": "1"}, env=OTHER)
        repo.git("checkout", "-q", "main")
        repo.git("merge", "-q", "--no-ff", "-m", "merge", "work")
        repo.git("checkout", "-q", "--detach")
        assert cm01(repo).verdict is Verdict.FAIL

    def test_a_detached_merge_in_a_cut_clone(self, tmp_path: Path) -> None:
        """The parent is not there to judge: how to get it is said."""
        repo = governed(tmp_path / "r")
        repo.git("checkout", "-q", "-b", "work")
        repo.commit("work", {"w": "1"})
        repo.git("checkout", "-q", "main")
        repo.git("merge", "-q", "--no-ff", "-m", "merge", "work")
        git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repo.root}", "cut")
        git(tmp_path / "cut", "checkout", "-q", "--detach")
        text = said(cm01(Repo(tmp_path / "cut")))
        assert text.startswith("FAIL")
        assert "git fetch --unshallow" in text

    def test_a_detached_ordinary_commit_is_judged_itself(self, tmp_path: Path) -> None:
        """Detached alone changes nothing."""
        repo = governed(tmp_path)
        repo.commit("x", env=OTHER)
        repo.git("checkout", "-q", "--detach")
        assert cm01(repo).verdict is Verdict.FAIL

    @pytest.mark.parametrize(
        "author",
        [
            "<author@example.invalid> 1 +0000",
            "A <author@example.invalid> <other@example.invalid> 1 +0000",
            "A <other@example.invalid> <author@example.invalid> 1 +0000",
            "A author@example.invalid 1 +0000",
            "A <author@example.invalid",
            "A <author@example.invalid> not-a-time +0000",
            f"A <author@example.invalid> {'9' * 30} +0000",
            "",
        ],
    )
    def test_a_forged_author_line(self, tmp_path: Path, author: str) -> None:
        """Commits need not come from `git commit`: the owner is found only where git finds nothing else."""
        repo = governed(tmp_path)
        tree = repo.git("rev-parse", "HEAD^{tree}")
        raw = f"tree {tree}\nauthor {author}\ncommitter C <c@example.invalid> 1 +0000\n\nx\n".encode()
        oid = repo.git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=raw)
        (tmp_path / ".git" / "refs" / "heads" / "main").write_text(f"{oid}\n")
        one_address = author.count("<") == author.count(">") == 1
        assert cm01(repo).verdict is (Verdict.PASS if one_address else Verdict.FAIL)

    def test_an_address_that_would_be_a_command_is_quoted_in_the_remedy(self, tmp_path: Path) -> None:
        """What a person copies runs nothing that a config made up."""
        repo = governed(tmp_path, owned_by("'a@b.c; touch PWNED'"))
        assert "git config user.email 'a@b.c; touch PWNED' &&" in said(cm01(repo))

    def test_without_git(self, tmp_path: Path) -> None:
        """A folder without a repository is a FAIL that says so."""
        (tmp_path / ".goblin").mkdir()
        (tmp_path / ".goblin" / "goblin.yaml").write_text(CONFIG)
        assert facts_of_folder(tmp_path, "checks/commits.py::head_is_by_the_owner").startswith(
            "FAIL\nno git repository here"
        )


def facts_of_folder(folder: Path, cell: str) -> str:
    """What a check says of a folder without a repository."""
    from goblin import check
    from goblin.facts import Facts, Run
    from goblin.manifest import Row

    row = Row("ZZ-01", "target", "", "script", "rule", "artifact", cell, "-", "-")
    return said(check.run(row, Facts(Run(str(folder), None))))


class TestMessage:
    """CM-02: it never fails."""

    def test_nothing_to_say(self, tmp_path: Path) -> None:
        """Paired backticks, none, and a fence."""
        repo = governed(tmp_path)
        for message in ("plain", "use `x`", "a\n\n```\ncode\n```\n"):
            repo.commit(message)
            assert said(cm02(repo)) == "ADV"

    def test_an_odd_backtick_is_named(self, tmp_path: Path) -> None:
        """In subject or body, with the number."""
        repo = governed(tmp_path)
        repo.commit("subject\n\nrun `make and see `x`")
        text = said(cm02(repo))
        assert text.startswith("ADV")
        assert "holds 3 backtick(s), an odd number" in text

    def test_states_without_a_message(self, tmp_path: Path) -> None:
        """No commit and no repository are said, and are no FAIL."""
        assert said(cm02(governed(tmp_path / "u", commit=None))) == "ADV\nno commits yet"
        (tmp_path / "n" / ".goblin").mkdir(parents=True)
        (tmp_path / "n" / ".goblin" / "goblin.yaml").write_text(CONFIG)
        cell = "checks/commits.py::backticks_of_the_message_are_paired"
        assert facts_of_folder(tmp_path / "n", cell) == "ADV\nno git repository here"


class TestWorkTree:
    """CM-03."""

    def test_a_clean_tree(self, tmp_path: Path) -> None:
        """The number and the limit stand in the detail; an ignored file does not count."""
        repo = governed(tmp_path)
        repo.write({".goblin/last-gate-line": "x\n"})
        assert said(cm03(repo)) == "PASS\n0 dirty entries, max_dirty 0"

    def test_each_kind_of_entry_is_named(self, tmp_path: Path) -> None:
        """Untracked, modified, staged, deleted, renamed: one line each, with its path."""
        repo = governed(tmp_path)
        repo.commit("more", {"a": "1", "b": "2", "c": "3", "é x": "4"})
        repo.write({"new": "", "a": "x", "staged": "1"}).remove("b")
        repo.git("add", "staged")
        repo.git("mv", "c", "d")
        repo.git("rm", "-q", "--cached", "é x")
        text = said(cm03(repo))
        assert text.startswith("FAIL\n8 dirty entries, max_dirty 0\n")
        for line in (
            "a: modified",
            "b: deleted",
            "c: deleted",
            "d: added",
            "new: untracked",
            "staged: added",
        ):
            assert f"\n{line}\n" in text
        assert "\né x: deleted\n" in text
        assert "\né x: untracked\n" in text

    def test_a_new_folder_counts_file_by_file(self, tmp_path: Path) -> None:
        """Fifty files in one folder are fifty entries."""
        repo = governed(tmp_path, CONFIG + "max_dirty: 49\n")
        repo.write({f"folder/{n}": "" for n in range(50)})
        assert said(cm03(repo)).startswith("FAIL\n50 dirty entries, max_dirty 49")

    @pytest.mark.parametrize("value", ["no", "normal"])
    def test_a_setting_that_hides_untracked_files_changes_nothing(self, tmp_path: Path, value: str) -> None:
        """Not even in the repository's own configuration."""
        repo = governed(tmp_path)
        repo.git("config", "status.showUntrackedFiles", value)
        repo.write({"x/new": ""})
        assert said(cm03(repo)).startswith("FAIL\n1 dirty entry, max_dirty 0\nx/new: untracked")

    def test_as_many_as_allowed(self, tmp_path: Path) -> None:
        """Equal passes, and the entries are listed all the same."""
        repo = governed(tmp_path, CONFIG + "max_dirty: 1\n")
        repo.write({"new": ""})
        assert said(cm03(repo)) == "PASS\n1 dirty entry, max_dirty 1\nnew: untracked"

    @pytest.mark.parametrize("value", ["ten", "-1", "1.5", "1e1", "[1]", "true", "'٣'"])
    def test_a_limit_that_is_no_number_caps_nothing_and_fails(self, tmp_path: Path, value: str) -> None:
        """It is a FAIL of this row, with its place, and no advisory."""
        text = said(cm03(governed(tmp_path, CONFIG + f"max_dirty: {value}\n")))
        assert text.startswith("FAIL\n")
        assert "max_dirty" in text
        assert ".goblin/goblin.yaml:5" in text

    def test_what_a_gate_leaves_behind_counts(self, tmp_path: Path) -> None:
        """Where this run runs the gates; a run of this row alone runs none."""
        gate = "gates:\n  - name: a\n    cmd: 'touch litter'\n"
        repo = governed(tmp_path, CONFIG + gate)
        assert cm03(repo).verdict is Verdict.PASS
        assert cm03(repo, "GT-02", static=True).verdict is Verdict.PASS
        assert not (tmp_path / "litter").exists()
        assert "litter: untracked" in said(cm03(repo, "GT-02"))

    def test_gates_that_cannot_run_do_not_hide_the_tree(self, tmp_path: Path) -> None:
        """The rows that run gates say why; this one judges what is there."""
        repo = governed(tmp_path, CONFIG + "gates: 5\n")
        repo.write({"new": ""})
        assert "1 dirty entry" in said(cm03(repo, "GT-02"))

    def test_runtime_files_without_the_ignore_block_are_named(self, tmp_path: Path) -> None:
        """They are the verifier's own: the fix is the block, not a commit."""
        gate = "gates:\n  - name: a\n    cmd: 'true'\n"
        repo = governed(tmp_path, CONFIG + gate, ignored="")
        text = said(cm03(repo, "GT-02"))
        assert text.startswith("FAIL\n2 dirty entries")
        assert (
            ".goblin/last-gate-line: untracked; the verifier's own runtime file: restore the ignore block"
            in text
        )
        assert "restore the ignore block that names .goblin/last-gate-line .goblin/last-gate.json" in text
        assert "commit or remove the other paths" not in text
        repo.write({"new": ""})
        assert "commit or remove the other paths" in said(cm03(repo, "GT-02"))

    def test_a_committed_runtime_file_is_named_too(self, tmp_path: Path) -> None:
        """Tracking it makes every run dirty."""
        repo = governed(tmp_path, ignored="")
        repo.commit("oops", {".goblin/ratchet-last": "1\n"})
        repo.write({".goblin/ratchet-last": "2\n"})
        assert "git rm --cached .goblin/ratchet-last, and restore the ignore block" in said(cm03(repo))

    def test_a_broken_index_is_a_fail(self, tmp_path: Path) -> None:
        """Hidden errors would count as nothing dirty."""
        repo = governed(tmp_path)
        (tmp_path / ".git" / "index").write_bytes(b"garbage")
        text = said(cm03(repo))
        assert text.startswith("FAIL\ngit said: ")

    def test_without_git(self, tmp_path: Path) -> None:
        """No repository is no clean tree."""
        (tmp_path / ".goblin").mkdir()
        (tmp_path / ".goblin" / "goblin.yaml").write_text(CONFIG)
        cell = "checks/commits.py::the_work_tree_is_clean"
        assert facts_of_folder(tmp_path, cell).startswith("FAIL\nno git repository here")

    def test_before_the_first_commit_everything_is_dirty(self, tmp_path: Path) -> None:
        """Staged or not."""
        repo = governed(tmp_path, commit=None)
        repo.git("add", "README.md")
        text = said(cm03(repo))
        assert "README.md: added" in text
        assert ".gitignore: untracked" in text

    def test_names_that_could_break_a_line(self, tmp_path: Path) -> None:
        """A line break, a control or an arrow in a name stays one finding, safe to print."""
        repo = governed(tmp_path)
        repo.write(
            {
                "a\nPASS  CM-03 ok": "",
                "x -> y": "",
                "e\x1b[31m": "",
                b"\xff".decode("utf-8", "surrogateescape"): "",
            }
        )
        outcome = cm03(repo)
        assert len(outcome.findings) == 4
        lines = said(outcome).split("\n")
        assert "a\\nPASS  CM-03 ok: untracked" in lines
        assert "x -> y: untracked" in lines
        assert "\x1b" not in said(outcome)

    def test_it_is_about_this_worktree_alone(self, tmp_path: Path) -> None:
        """Another worktree's changes do not count."""
        repo = governed(tmp_path / "main")
        repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "wt"))
        (tmp_path / "wt" / "new").write_text("")
        assert cm03(repo).verdict is Verdict.PASS
        assert cm03(Repo(tmp_path / "wt")).verdict is Verdict.FAIL

    def test_a_submodule_at_another_commit_counts(self, tmp_path: Path) -> None:
        """Its own uncommitted files are not looked at; the commit that it is at is."""
        inner = build_repo({"x": "1"}, tmp_path / "inner")
        repo = governed(tmp_path / "r")
        repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.root), "lib")
        repo.commit("sub")
        (tmp_path / "r" / "lib" / "new").write_text("")
        assert cm03(repo).verdict is Verdict.PASS
        Repo(tmp_path / "r" / "lib").commit("moved")
        assert "lib: modified" in said(cm03(repo))


def test_head_is_read_once_for_every_row(tmp_path: Path) -> None:
    """The commit fact says who, when and what, whatever else the object carries."""
    repo = governed(tmp_path)
    env = {"GIT_AUTHOR_DATE": "2026-02-03T04:05:06+01:00", "GIT_AUTHOR_NAME": "Zoë Ünal"}
    repo.commit("subject\n\nbody", env=env)
    commit = facts_of(repo).get("head").need_commit()
    assert commit.author == ("Zoë Ünal", EMAIL, 1770087906, "+0100")
    assert commit.message == "subject\n\nbody\n"
    assert (commit.oid, len(commit.parents)) == (repo.head, 1)
