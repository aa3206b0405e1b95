"""goblin-audit: a report becomes the record, and whatever is no report writes nothing."""

from __future__ import annotations

import hashlib
import json
import stat
from pathlib import Path

import pytest

from goblin import clock
from goblin.commands import audit
from goblin.outcome import Verdict
from tests.checks.judging import judge, said
from tests.support import Repo, Result, build_repo, run_cli
from tests.support.mini import CONFIG, mini_repo

ROW = "checks/dependencies.py::the_audit_is_fresh_and_clean"
RECORD = ".goblin/audit.tsv"
REPORT = {
    "auditReportVersion": 2,
    "vulnerabilities": {
        "lodash": {
            "severity": "high",
            "via": [{"source": 1091, "url": "https://x.example/1", "severity": "high"}],
        },
        "minor": {"severity": "low", "via": [{"source": 5, "url": "u", "severity": "low"}]},
    },
    "metadata": {},
}
CLEAN = '{"auditReportVersion":2,"vulnerabilities":{},"metadata":{}}'


def repo_auditing(root: Path, command: str, files: dict[str, str | bytes] | None = None) -> Repo:
    """A committed repository that declares an audit."""
    config = f"{CONFIG}security:\n  audit_cmd: {json.dumps(command)}\n"
    return mini_repo(root / "r", [], files, config)


def run(repo: Repo, *options: str) -> Result:
    """The installed command in a repository."""
    return run_cli("goblin-audit", *options, cwd=repo)


def test_a_report_becomes_the_record(tmp_path: Path) -> None:
    """Whatever the audit exits with; SC-07 then sees the finding, and nothing else changed."""
    lock = '{"lockfileVersion":3,"packages":{}}'
    repo = repo_auditing(
        tmp_path,
        "echo noise >&2; cat report.json; exit 1",
        {"report.json": json.dumps(REPORT), "package-lock.json": lock},
    )
    done = run(repo)
    assert done.code == 0, done.err
    assert done.out == f".goblin/audit.tsv: measured {clock.today()}, 1 high|critical line(s), read as npm\n"
    lines = repo.read(RECORD).split("\n")
    assert lines[0].startswith("# goblin-audit ")
    assert lines[1] == "# command: echo noise >&2; cat report.json; exit 1"
    assert lines[2] == "# read as a report of: npm"
    assert lines[3] == f"# lockfile: package-lock.json sha256:{hashlib.sha256(lock.encode()).hexdigest()}"
    assert lines[5:] == [f"measured {clock.today()}", "lodash\thigh\t1091\thttps://x.example/1", ""]
    assert repo.git("status", "--porcelain") == f"?? {RECORD}"
    outcome = judge(repo, ROW)
    assert outcome.verdict is Verdict.FAIL
    assert "lodash high 1091: not waived" in said(outcome)


def test_a_clean_report_is_written_and_printed(tmp_path: Path) -> None:
    """SC-07 passes on it, and says when a lockfile has changed since."""
    repo = repo_auditing(tmp_path, f"echo '{CLEAN}'", {"uv.lock": "version = 1\n"})
    done = run(repo, "--print")
    assert done.code == 0
    assert done.out.endswith("# no high|critical advisories\n")
    assert "0 high|critical line(s), 0 matched waiver(s), 0 unwaived" in said(judge(repo, ROW))
    repo.write({"uv.lock": "version = 1\n# x\n"})
    assert "uv.lock: has changed since the audit" in said(judge(repo, ROW))


def test_a_report_of_megabytes_is_read_whole(tmp_path: Path) -> None:
    """No end of it is cut off."""
    vulnerable = {
        f"p{n:05}": {"severity": "high", "via": [{"source": n, "url": "u" * 200}]} for n in range(8000)
    }
    report = json.dumps({"vulnerabilities": vulnerable})
    repo = repo_auditing(tmp_path, "cat report.json", {"report.json": report})
    assert run(repo).code == 0
    assert repo.read(RECORD).count("\thigh\t") == 8000


STUBS = {
    "network error": 'echo \'{"error":{"code":"ENOTFOUND","summary":"request failed"}}\'; exit 1',
    "page": "echo '<html><body>502 Bad Gateway</body></html>'",
    "empty": "true",
    "truncated": 'printf \'{"auditReportVersion":2,"vulnerabilities":{\'',
    "no report": "echo '{}'",
    "hostile name": 'echo \'{"vulnerabilities":{"measured 2099-01-01":{"severity":"high","via":[]}}}\'',
}


@pytest.mark.parametrize("command", STUBS.values(), ids=STUBS)
@pytest.mark.parametrize("old", ["", "measured 2026-01-01\n"], ids=["first", "again"])
def test_what_is_no_report_writes_nothing(tmp_path: Path, command: str, old: str) -> None:
    """Exit 5 with the reason; an old record stays byte for byte; no shell of the row reads it as clean."""
    repo = repo_auditing(tmp_path, command, {RECORD: old} if old else None)
    done = run(repo)
    assert done.code == 5, done.out + done.err
    assert done.err.startswith("error: no audit report: ")
    assert "remedy: " in done.err
    assert ((repo / RECORD).exists(), repo.git("status", "--porcelain")) == (bool(old), "")
    if not old:
        assert judge(repo, ROW).verdict is Verdict.SKIP


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("exit 3", "it ended with 3 and printed nothing"),
        ("no-such-program --json", "exit 127, command not found"),
        ("./report.json", "exit 126, not executable"),
        ("kill -9 $$", "ended by signal 9"),
    ],
)
def test_an_audit_that_could_not_run_is_told_apart(tmp_path: Path, command: str, reason: str) -> None:
    """Exit 4, with what it said on standard error."""
    repo = repo_auditing(tmp_path, f"echo told >&2; {command}", {"report.json": CLEAN})
    done = run(repo)
    assert done.code == 4, done.out + done.err
    assert reason in done.err
    assert "told" in done.err
    assert not (repo / RECORD).exists()


def test_an_audit_that_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With exit 4 after the limit."""
    monkeypatch.setattr(audit, "TIMEOUT", 0.2)
    repo = repo_auditing(tmp_path, f"echo '{CLEAN}'; cat /dev/zero > /dev/null")
    assert audit.main(["--target", str(repo.root)]) == 4
    assert not (repo / RECORD).exists()


def test_the_output_of_a_failed_audit_shows_no_credential(tmp_path: Path) -> None:
    """Neither its first lines nor the command itself."""
    token = "gh" + "p_" + "a" * 36
    repo = repo_auditing(tmp_path, f"echo 'TOKEN={token}' \x1b[31m; seq 100")
    done = run(repo)
    assert done.code == 5
    assert token not in done.out + done.err
    assert "\x1b" not in done.err
    shown = [line for line in done.err.split("\n") if line.startswith("  ")]
    assert len(shown) == 20


def test_nothing_declared_is_exit_3(tmp_path: Path) -> None:
    """And says where to declare it."""
    done = run(mini_repo(tmp_path / "r", []))
    assert done.code == 3
    assert "security.audit_cmd" in done.err


def test_no_config_and_bad_usage_are_exit_2(tmp_path: Path) -> None:
    """A wrong value of the key too."""
    repo = build_repo({"a": "x"}, tmp_path / "bare")
    assert run(repo).code == 2
    assert run(repo, "--what").code == 2
    assert run(repo, "--target", str(tmp_path / "nowhere")).code == 2
    broken = mini_repo(tmp_path / "r", [], None, f"{CONFIG}security:\n  audit_cmd: [a, b]\n")
    assert run(broken).code == 2


def test_help_lists_every_exit_code(tmp_path: Path) -> None:
    """All five of them."""
    done = run_cli("goblin-audit", "--help", cwd=tmp_path)
    assert done.code == 0
    text = " ".join(done.out.split())
    for code in (
        "0 the record",
        "2 bad usage",
        "3 no audit command",
        "4 the audit could not run",
        "5 its output",
    ):
        assert code in text


def test_a_link_in_the_way_is_replaced_and_not_followed(tmp_path: Path) -> None:
    """What it pointed to keeps its bytes; a folder that leads away is refused."""
    outside = tmp_path / "outside.tsv"
    outside.write_text("mine\n")
    repo = repo_auditing(tmp_path, f"echo '{CLEAN}'")
    (repo / RECORD).symlink_to(outside)
    assert run(repo).code == 0
    assert outside.read_text() == "mine\n"
    assert stat.S_ISREG((repo / RECORD).lstat().st_mode)


def test_the_audit_sees_the_root_and_no_foreign_git(tmp_path: Path) -> None:
    """It starts in the root whatever the folder, and inherits no GIT_* variable."""
    command = f"pwd > where; env > seen; echo '{CLEAN}'"
    repo = repo_auditing(tmp_path, command, {"sub/a": "x"})
    done = run_cli("goblin-audit", cwd=repo / "sub", env={"GIT_WORK_TREE": "/nowhere"})
    assert done.code == 0, done.err
    assert repo.read("where").strip() == str(repo.root.resolve())
    assert "GIT_WORK_TREE" not in repo.read("seen")


def test_the_vendored_command_writes_the_same_record(sample: Repo) -> None:
    """An installed repository carries it, and needs no package for it."""
    repo = sample
    text = repo.read(".goblin/goblin.yaml")
    repo.write({".goblin/goblin.yaml": text.replace("npm audit --json", "cat report.json")})
    repo.commit("audit", {"report.json": CLEAN})
    done = run_cli(repo / ".goblin/bin/goblin-audit", cwd=repo)
    assert done.code == 0, done.err
    assert "0 high|critical line(s), read as npm" in done.out
