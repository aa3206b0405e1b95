"""No host rule keeps an installed file out of a commit unnoticed (decided 55)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from goblin.install import gitignore, ignore
from goblin.install.disk import Disk
from goblin.install.ignore import Answer, Rule
from goblin.install.target import look
from tests.support import Repo, build_repo, write_files

PATHS = [
    ".goblin/bin/goblin-verify",
    ".goblin/engine/goblin/a.py",
    ".goblin/engine/goblin/b.py",
    ".goblin/engine/goblin/c.py",
    ".goblin/engine/_vendor/d.py",
    ".goblin/engine/_vendor/e.py",
    ".hermes/skills/practice/SKILL.md",
    ".github/workflows/goblin-gate.yml",
    "AGENTS.md",
    "HANDOFF.md",
    "checks/gate.py",
]
VALUES = {"IGNORE_SECRETS": ".env\n.env.*\n!.env.example", "IGNORE_RUNTIME": ""}


def ask(root: Path, paths: Sequence[str] = PATHS) -> Answer:
    """The question that an install puts."""
    disk = Disk(str(root))
    existing = disk.read(gitignore.PATH)

    def whole(lines: Sequence[str]) -> bytes:
        return gitignore.appended(existing, gitignore.block(VALUES, lines))

    return ignore.negations(disk, look(str(root)), paths, whole)


def committable(repo: Repo, answer: Answer) -> set[str]:
    """What `git add --all` really takes, once the block is in place."""
    existing = Disk(str(repo.root)).read(gitignore.PATH)
    repo.write({gitignore.PATH: gitignore.appended(existing, gitignore.block(VALUES, answer.negations))})
    repo.write(dict.fromkeys(PATHS, "x\n"))
    repo.git("add", "--all")
    return set(repo.git("ls-files", "-z").split("\0")) & set(PATHS)


def test_nothing_in_the_way_needs_no_line(tmp_path: Path) -> None:
    """The usual rules of a project."""
    repo = build_repo({".gitignore": "node_modules/\n*.log\n/dist\n"}, tmp_path)
    assert ask(repo.root) == Answer((), {})


@pytest.mark.parametrize(
    ("rules", "lines"),
    [
        ("bin/\n", ("!/.goblin/bin/",)),
        ("/.goblin\n", ("!/.goblin/",)),
        (".*\n!.gitignore\n", ("!/.goblin/", "!/.hermes/", "!/.github/")),
        ("*\n", None),
        ("engine\n", ("!/.goblin/engine/",)),
        ("*.py\n", ("!/.goblin/engine/**", "!/checks/gate.py")),
        ("AGENTS.md\n", ("!/AGENTS.md",)),
        ("*.md\n", ("!/.hermes/skills/practice/SKILL.md", "!/AGENTS.md", "!/HANDOFF.md")),
        ("checks/*\nskills\n", ("!/.hermes/skills/", "!/checks/gate.py")),
        ("**/_vendor/**\n", ("!/.goblin/engine/_vendor/d.py", "!/.goblin/engine/_vendor/e.py")),
    ],
)
def test_a_rule_in_the_way_gets_its_answer_and_git_then_takes_every_file(
    tmp_path: Path, rules: str, lines: tuple[str, ...] | None
) -> None:
    """The lines are few, and the proof is what git adds."""
    repo = build_repo({"README.md": ""}, tmp_path)
    repo.write({".gitignore": rules})
    answer = ask(repo.root)
    assert answer.ignored == {}
    assert lines is None or set(answer.negations) == set(lines)
    assert committable(repo, answer) == set(PATHS)


def test_our_lines_bring_nothing_else_back(tmp_path: Path) -> None:
    """The project's own ignored files stay ignored, and so do the runtime files below `.goblin`."""
    repo = build_repo({"README.md": ""}, tmp_path)
    repo.write({".gitignore": "bin/\n*.py\n.*\n!.gitignore\n"})
    answer = ask(repo.root)
    assert committable(repo, answer) == set(PATHS)
    repo.write(
        {"bin/tool": "", "own.py": "", ".cache": "", "checks/other.py": "", ".goblin/lock": "", ".env": ""}
    )
    repo.git("add", "--all")
    tracked = set(repo.git("ls-files").split("\n"))
    assert not tracked & {"bin/tool", "own.py", ".cache", "checks/other.py", ".goblin/lock", ".env"}


def test_crlf_rules_are_answered_in_crlf(tmp_path: Path) -> None:
    """The file keeps its line ends and the answer works."""
    repo = build_repo({"README.md": ""}, tmp_path)
    repo.write({".gitignore": b"bin/\r\nchecks/\r\n"})
    answer = ask(repo.root)
    assert set(answer.negations) == {"!/.goblin/bin/", "!/checks/"}
    assert committable(repo, answer) == set(PATHS)


def private_rules(repo: Repo, home: Path) -> None:
    (repo / ".git/info").mkdir(exist_ok=True)
    (repo / ".git/info/exclude").write_text("bin/\n")
    write_files(home, {".config/git/ignore": "AGENTS.md\n"})


def test_private_ignore_files_are_answered_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They would keep the files out of the installing person's own commit."""
    repo = build_repo({"README.md": ""}, tmp_path / "repo")
    private_rules(repo, tmp_path / "home")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert set(ask(repo.root).negations) == {"!/.goblin/bin/", "!/AGENTS.md"}


@pytest.mark.parametrize(
    ("files", "path", "rule"),
    [
        (
            {".github/.gitignore": "*\n"},
            ".github/workflows/goblin-gate.yml",
            Rule(".github/.gitignore", "1", "*"),
        ),
        (
            {"checks/.gitignore": "# ours\n\ngate.py\n"},
            "checks/gate.py",
            Rule("checks/.gitignore", "3", "gate.py"),
        ),
    ],
)
def test_what_a_nearer_file_ignores_is_named_with_its_rule(
    tmp_path: Path, files: Mapping[str, str], path: str, rule: Rule
) -> None:
    """A rule further down wins over any line of the root file, so only its owner can change it."""
    repo = build_repo(files, tmp_path)
    answer = ask(repo.root)
    assert answer.ignored == {path: rule}
    ((message, remedy),) = ignore.reasons(answer)
    assert message == f"git would ignore {path}: {rule.source}:{rule.line}: {rule.pattern}"
    assert f"in {rule.source}:" in remedy


def test_a_file_that_git_tracks_already_is_not_asked_about(tmp_path: Path) -> None:
    """Somebody added it by force; no rule drops it."""
    repo = build_repo({"README.md": ""}, tmp_path)
    repo.write({".gitignore": "AGENTS.md\n", "AGENTS.md": "ours\n"})
    repo.git("add", "-f", "AGENTS.md")
    assert ask(repo.root) == Answer((), {})


def test_names_that_look_like_patterns_are_meant_literally(tmp_path: Path) -> None:
    """A harness folder may be called anything."""
    repo = build_repo({"README.md": ""}, tmp_path)
    name = "ch[e]cks*/gate.py"
    repo.write({".gitignore": "gate.py\n"})
    answer = ask(repo.root, [name])
    assert answer == Answer(("!/ch\\[e\\]cks\\*/gate.py",), {})


def test_a_name_that_no_line_can_hold_stays_a_refusal(tmp_path: Path) -> None:
    """A line break ends an ignore pattern."""
    repo = build_repo({"README.md": ""}, tmp_path)
    repo.write({".gitignore": "gate.py\n"})
    assert ask(repo.root, ["a\nb/gate.py"]).ignored == {"a\nb/gate.py": Rule(".gitignore", "1", "gate.py")}


def test_without_a_repository_the_files_on_disk_answer(tmp_path: Path) -> None:
    """`git init` comes later, the ignore file is there already."""
    write_files(tmp_path, {".gitignore": "bin/\n"})
    assert ask(tmp_path).negations == ("!/.goblin/bin/",)


def test_a_hostile_configuration_runs_nothing(tmp_path: Path) -> None:
    """Settings that name a program are not followed while git answers."""
    repo = build_repo({".gitignore": "bin/\n"}, tmp_path / "repo")
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    repo.git("config", "core.fsmonitor", str(trap))
    repo.git("config", "core.hooksPath", str(tmp_path))
    ask(repo.root)
    assert not (tmp_path / "sprung").exists()


def test_tracked_secrets_are_named(tmp_path: Path) -> None:
    """An ignore line does not take a file out of git."""
    repo = build_repo({".env": "A=1\n", "deep/server.pem": "x", "ok.txt": ""}, tmp_path)
    assert ignore.tracked_secrets(look(str(repo.root)), gitignore.SECRETS) == [".env", "deep/server.pem"]


# --- the block ---------------------------------------------------------------------------------

BLOCK = gitignore.block(VALUES, ())


def test_the_block_is_marked_and_says_what_it_is_for() -> None:
    """Begin and end marker, runtime files, and the secret family."""
    lines = BLOCK.decode().split("\n")
    assert lines[0] == "# >>> goblin-stack >>>"
    assert lines[-2:] == ["# <<< goblin-stack <<<", ""]
    wanted = {
        ".goblin/last-gate-line",
        ".goblin/ratchet-last",
        ".goblin/.ds-report",
        ".goblin/last-gate.json",
    }
    assert wanted | {".goblin/lock", ".goblin/journal/", ".goblin/backup/", ".env", "!.env.example"} <= set(
        lines
    )


@pytest.mark.parametrize(
    ("existing", "expected"),
    [
        (None, BLOCK),
        (b"", b"\n" + BLOCK),
        (b"a\n", b"a\n\n" + BLOCK),
        (b"a", b"a\n" + BLOCK),
        (b"a\r\nb\r\n", b"a\r\nb\r\n\r\n" + BLOCK.replace(b"\n", b"\r\n")),
        (b"\xff\xfe", b"\xff\xfe\n" + BLOCK),
    ],
)
def test_the_block_is_appended_and_every_byte_before_it_stays(
    existing: bytes | None, expected: bytes
) -> None:
    """An empty line first, or the line end that the last line lacked."""
    assert gitignore.appended(existing, BLOCK) == expected


def test_a_block_that_is_there_is_never_touched() -> None:
    """Not even an edited one, or one in the middle."""
    edited = b"a\n# >>> goblin-stack >>>\nmine\n# <<< goblin-stack <<<\nb\n"
    assert gitignore.appended(edited, BLOCK) is edited
    assert gitignore.present(edited)
    assert not gitignore.present(None)
