"""The first install: what it puts into a repository, and where the values come from."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from goblin import __version__, clock
from goblin.facts import record as records
from goblin.facts.record import payload_digest
from goblin.install import classes, gitignore, vendor
from goblin.install.journal import digest
from goblin.outcome import CannotRun
from tests.install.driving import CONFIG, config, record_of, run
from tests.install.faults import picture
from tests.support import Repo, build_repo, git, hermetic

pytestmark = pytest.mark.usefixtures("one_payload")

OWNED = (
    CONFIG,
    ".goblin/audit-waiver.tsv",
    ".goblin/boundary-waivers",
    ".goblin/install-hooks.allowlist",
)
MARK = "TO" + "DO"


# --- the first install -----------------------------------------------------------------------------


def test_a_fresh_install_is_whole_recorded_and_clean(repo: Repo) -> None:
    """Every path of the record exists with its digest, no other path appeared, and git takes them all."""
    before = set(picture(repo.root))
    ran = run(repo)
    assert ran.code == 0, ran.text
    record = record_of(repo)
    assert records.faults(record) == []
    assert (record.version, record.class_name, record.options) == (
        __version__,
        "A",
        (("hermes",), False, "all"),
    )
    assert record.disabled == ()
    seen = picture(repo.root)
    new = {path for path, value in seen.items() if value is not None} - before
    assert new == {*record.files, *record.owned, gitignore.PATH, records.PATH}
    for path, recorded in {**record.files, **record.owned}.items():
        content = seen[path]
        assert isinstance(content, bytes)
        assert digest(content) == recorded, path
    assert record.payload_digest == payload_digest(record.files)
    assert set(record.dirs_created) == {path for path, value in seen.items() if value is None}
    assert ran.counts == f"created {len(new) - 1} · updated 0 · unchanged 0 · skipped 0"
    repo.git("add", "--all")
    assert set(repo.git("ls-files", "-z").strip("\0").split("\0")) == new | before


def test_the_record_follows_the_order_of_the_plan(repo: Repo) -> None:
    """Launchers first, then tables, checks, engine; config and decision records lead what is owned."""
    run(repo)
    record = record_of(repo)
    launchers = [f".goblin/bin/{name}" for name in vendor.LAUNCHERS]
    assert list(record.files)[: len(launchers) + 1] == [*launchers, ".goblin/.gitattributes"]
    assert list(record.files)[-2:] == [
        ".github/workflows/goblin-gate.yml",
        ".github/workflows/.gitattributes",
    ]
    assert tuple(record.owned)[:4] == OWNED
    assert tuple(record.owned)[4:] == (
        "ROUND-000-SPEC.md",
        "HANDOFF.md",
        "AGENTS.md",
        "reviews/.gitkeep",
        "checks/gate.py",
        "checks/assert.py",
    )


@pytest.mark.parametrize(
    ("letter", "options", "disabled", "absent"),
    [
        ("A", {}, "", ()),
        ("B", {}, "ci-gate,pr-gate,replay,review-panel,tokens", ("reviews", ".github", "checks")),
        ("C", {}, "tokens", ()),
        (
            "D",
            {},
            "ci-gate,pr-gate,ratchet,replay,review-panel,spec,tokens",
            ("reviews", "ROUND-000-SPEC.md", ".github"),
        ),
        ("E", {}, "tokens", ("checks",)),
        ("F", {}, "", ()),
        ("A", {"skills": "no"}, "playbooks", (".hermes",)),
        ("A", {"opt_out": ("tokens", "replay")}, "replay,tokens", ()),
        ("A", {"opt_out": ("playbooks",)}, "playbooks", ()),
        ("C", {"opt_in": ("tokens",)}, None, ()),
        ("D", {"archive": True}, None, ("HANDOFF.md", "ROUND-000-SPEC.md", "reviews", "checks")),
        ("A", {"archive": True}, None, ("HANDOFF.md", "ROUND-000-SPEC.md", "reviews", "checks", ".github")),
        ("A", {"parts": "handoff"}, "", (".hermes", "ROUND-000-SPEC.md", ".github")),
    ],
)
def test_each_shape_brings_its_parts_and_turns_the_others_off(
    repo: Repo, letter: str, options: dict[str, Any], disabled: str | None, absent: tuple[str, ...]
) -> None:
    """`disabled:` is sorted bytewise, equal in config and record; nothing stands for a part that is off."""
    if letter == "C" and options:
        with pytest.raises(CannotRun, match="class C forbids it"):
            run(repo, letter, **options)
        return
    assert run(repo, letter, **options).code == 0
    if disabled is not None:
        assert config(repo, "disabled") == f"[{disabled}]"
        assert ",".join(record_of(repo).disabled or ()) == disabled
    for path in absent:
        assert not (repo / path).exists(), path
    assert (repo / "AGENTS.md").exists()
    assert config(repo, "archive") == str(bool(options.get("archive"))).lower()


def test_only_the_paths_that_are_wanted_appear_for_every_class(repo: Repo, tmp_path: Path) -> None:
    """What a class forbids never has its artifact (CL-01 would be red at birth)."""
    artifact = {
        "ci-gate": ".github/workflows/goblin-gate.yml",
        "spec": "ROUND-000-SPEC.md",
        "tokens": ".goblin/tokens.yaml",
    }
    for letter in "ABCDEF":
        target = build_repo(root=tmp_path / letter)
        run(target, letter)
        for part, path in artifact.items():
            if part in classes.forbidden(letter):
                assert not (target / path).exists(), (letter, path)


def test_modes_are_plain_or_executable_whatever_the_umask(repo: Repo) -> None:
    """0644, and 0755 for launchers and the gate runner, under umask 077."""
    before = os.umask(0o077)
    try:
        run(repo)
    finally:
        os.umask(before)
    items = (*vendor.launchers(), *vendor.rules(), *vendor.automations(), *vendor.engine())
    scripts = {"checks/gate.py", *(item.path for item in items if item.mode == vendor.SCRIPT)}
    assert ".goblin/bin/goblin-verify" in scripts
    record = record_of(repo)
    for path in [*record.files, *record.owned, records.PATH, gitignore.PATH]:
        assert stat.S_IMODE(os.stat(repo / path).st_mode) == (0o755 if path in scripts else 0o644), path


def test_the_handoff_carries_the_measured_line(repo: Repo) -> None:
    """The gates ran once, before anything was written; the line is dated and names every gate."""
    repo.write({"a.ts": f"// {MARK} one\n// {MARK} two\n", "dist/a.js": "x" * 10})
    run(repo)
    line = next(line for line in repo.read("HANDOFF.md").splitlines() if "commit=" in line)
    assert line == f"- commit=0 todo_ceiling=0 · client_js_bytes 10 (ceiling 10) · measured {clock.today()}"
    assert "  ceiling: 10\n" in repo.read(CONFIG)


def test_a_tracked_secret_is_warned_of(repo: Repo) -> None:
    """The ignore block does not take it out of git; an example file is none."""
    repo.commit(
        "a mistake",
        {".env": "A=1\n", ".env.example": "A=\n", "a.pem": "x", "b.pem": "x", "deep/key.pem": "x"},
    )
    warned = [line for line in run(repo).out if line.startswith("warning: ")]
    assert len(warned) == 1
    assert ": .env, a.pem, b.pem and 1 more; git rm --cached it" in warned[0]


def test_a_marker_ceiling_is_what_is_counted_when_that_is_more(repo: Repo) -> None:
    """A repository with 200 markers is not red on its first day (decided 50)."""
    repo.write({"a.ts": f"// {MARK}\n" * 200})
    run(repo)
    assert "--max 200" in repo.read(CONFIG)


def test_a_ceiling_of_what_was_never_built_is_empty(repo: Repo) -> None:
    """A zero that nobody measured would make the first build red."""
    run(repo)
    assert re.search(r"^  ceiling:$", repo.read(CONFIG), re.MULTILINE)
    assert "client_js_bytes" not in repo.read("HANDOFF.md")


def test_the_fresh_install_verifies_itself_with_python_and_git_alone(repo: Repo, tmp_path: Path) -> None:
    """The vendored launcher runs where no package is installed, and its record rows pass."""
    run(repo)
    repo.commit("Install goblin")
    bare = tmp_path / "bare"
    bare.mkdir()
    for name in ("env", "bash", "git", "sh"):
        (bare / name).symlink_to(f"/usr/bin/{name}" if os.path.exists(f"/usr/bin/{name}") else f"/bin/{name}")
    (bare / "python3").symlink_to(os.path.realpath(sys.executable))
    done = subprocess.run(
        [str(repo / ".goblin/bin/goblin-verify"), "--only", "IN-01,IN-02"],
        cwd=repo,
        env=hermetic() | {"PATH": str(bare)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("PASS  ") == 2
    assert repo.git("status", "--porcelain") == ""


def test_the_closing_text_numbers_the_next_steps(repo: Repo) -> None:
    """Commit, verify, replace the gate, trust the skills, name an owner."""
    out = run(repo).out
    steps = out[out.index("next:") + 1 :]
    assert [step.split(". ", 1)[0].strip() for step in steps] == ["1", "2", "3", "4", "5"]
    for number, word in enumerate(("commit", "goblin-verify", "default gate", "skills", "owner")):
        assert word in steps[number]
    assert "skills" not in "".join(run(build_repo(root=repo.root.parent / "b"), skills="no").out)


# --- values from the target ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prepare", "branch", "head", "note"),
    [
        (lambda r: None, "main", None, ""),
        (lambda r: r.git("branch", "-m", "master"), "master", None, ""),
        (lambda r: r.git("checkout", "-q", "-b", "feat/x-1"), "feat/x-1", None, ""),
        (lambda r: r.git("checkout", "-q", "--detach"), "main", None, "HEAD is detached"),
        (lambda r: r.git("checkout", "-q", "--orphan", "trunk"), "trunk", "0000000", "no commits yet"),
    ],
    ids=["main", "master", "feature", "detached", "unborn"],
)
def test_branch_and_commit_are_those_of_the_repository(  # type: ignore[no-untyped-def]
    repo: Repo, prepare, branch: str, head: str | None, note: str
) -> None:
    """The unborn branch has its name too; a detached HEAD is said."""
    prepare(repo)
    ran = run(repo)
    assert ran.code == 0
    assert config(repo, "branch") == f"'{branch}'"
    wanted = head or repo.git("rev-parse", "--short=7", "HEAD")
    assert f"HEAD when this file was written: `{wanted}`" in repo.read("HANDOFF.md")
    assert note in ran.text


OWNERS: dict[str, tuple[dict[str, str], dict[str, str], str]] = {
    "the environment wins": (
        {"GIT_AUTHOR_EMAIL": "env@example.com"},
        {"user.email": "a@example.com"},
        "env@example.com",
    ),
    "what git strips is stripped": ({"GIT_AUTHOR_EMAIL": " <env@example.com>,"}, {}, "env@example.com"),
    "an empty one is none": ({"GIT_AUTHOR_EMAIL": ""}, {"user.email": "a@example.com"}, "a@example.com"),
    "the repository's setting": ({}, {"user.email": "a@example.com"}, "a@example.com"),
    "the author's before the user's": (
        {},
        {"user.email": "a@example.com", "author.email": "author@example.com"},
        "author@example.com",
    ),
    "the variable of the mail programs": ({"EMAIL": "mail@example.com"}, {}, "mail@example.com"),
    "nobody": ({}, {"user.useConfigOnly": "true"}, "you@example.com"),
}


@pytest.mark.parametrize("case", OWNERS)
def test_the_owner_is_who_git_would_commit_as(repo: Repo, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    """Found as git itself finds it, so the commit that follows is by the owner (CM-01)."""
    environment, settings, wanted = OWNERS[case]
    monkeypatch.delenv("GIT_AUTHOR_EMAIL")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    for key, value in settings.items():
        repo.git("config", key, value)
    run(repo)
    assert config(repo, "owner_email") == f"'{wanted}'"
    if case not in ("nobody", "an empty one is none"):
        committed = subprocess.run(
            ["git", "-c", "user.name=x", "commit", "--allow-empty", "-qm", "by whom?"],
            cwd=repo, env={**os.environ, **environment}, check=False,
        )  # fmt: skip
        assert committed.returncode == 0
        assert repo.git("log", "-1", "--format=%ae") == wanted


def test_the_standard_is_pinned_by_its_hash(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the option, else the environment; a missing one is said when it was asked for."""
    standard = tmp_path / "standard.md"
    standard.write_text("be kind\n")
    run(repo, practice=str(standard))
    assert config(repo, "practice") == f"'{standard}'"
    assert config(repo, "practice_sha256") == f"'{digest(b'be kind' + bytes([10]))}'"
    monkeypatch.setenv("GOBLIN_PRACTICE", str(standard))
    second = build_repo(root=tmp_path / "second")
    run(second, "B")
    assert config(second, "practice") == f"'{standard}'"
    monkeypatch.delenv("GOBLIN_PRACTICE")
    third = build_repo(root=tmp_path / "third")
    ran = run(third, "B", practice=str(tmp_path / "nowhere.md"))
    assert ran.code == 0
    assert "does not exist" in ran.text
    assert (config(third, "practice"), config(third, "practice_sha256")) == ("", "")


def test_the_models_file_is_written_as_given(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """Option, environment, default; it need not exist and is not expanded."""
    monkeypatch.setenv("GOBLIN_MODELS", "~/elsewhere.yaml")
    run(repo)
    assert config(repo, "models_file") == "'~/elsewhere.yaml'"
    second = build_repo(root=repo.root.parent / "second")
    run(second, models="~/given.yaml")
    assert config(second, "models_file") == "'~/given.yaml'"
    monkeypatch.delenv("GOBLIN_MODELS")
    third = build_repo(root=repo.root.parent / "third")
    run(third)
    assert config(third, "models_file") == "'~/.config/goblin/models.yaml'"


# --- line ends -------------------------------------------------------------------------------------


def test_a_clone_that_converts_line_ends_holds_the_recorded_bytes(repo: Repo, tmp_path: Path) -> None:
    """Every hashed file says for itself that its bytes are not to be converted."""
    repo.write({".gitattributes": "* text=auto eol=crlf\n", "notes.txt": "a\nb\n"})
    run(repo)
    repo.commit("Install goblin")
    git(tmp_path, "clone", "-q", str(repo.root), "clone")
    clone = tmp_path / "clone"
    assert b"\r\n" in (clone / "notes.txt").read_bytes()
    for path, recorded in record_of(clone).files.items():
        assert digest((clone / path).read_bytes()) == recorded, path
