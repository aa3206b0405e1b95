"""SC: secrets, web and dependencies, where the controls of the rows do not reach."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from goblin import clock
from goblin.facts import scanner, shipping
from goblin.outcome import Outcome, Verdict
from tests.checks.judging import judge, said
from tests.support import Repo, build_repo
from tests.support.mini import CONFIG, facts_of, mini_repo

FILES = "checks/secrets.py::no_secret_file_is_tracked"
IGNORED = "checks/secrets.py::secret_files_are_ignored"
PUBLIC = "checks/secrets.py::nothing_public_is_a_secret"
TRACKED = "checks/secrets.py::no_tracked_file_holds_a_secret"
COOKIES = "checks/web.py::every_cookie_write_carries_its_flags"
ROUTES = "checks/web.py::every_write_route_validates_its_input"
LOCKED = "checks/dependencies.py::dependencies_are_locked"
AUDIT = "checks/dependencies.py::the_audit_is_fresh_and_clean"
HOOKS = "checks/dependencies.py::install_hooks_are_accepted"
TOKEN = "gh" + "p_" + "a" * 36


def repo_with(root: Path, files: dict[str, str | bytes], security: dict[str, object] | None = None) -> Repo:
    """A committed repository with some keys below `security`."""
    config = CONFIG + (f"security: {json.dumps(security)}\n" if security else "")
    return mini_repo(root / "r", [], files, config)


def plain(root: Path, files: dict[str, str | bytes], security: dict[str, object] | None = None) -> Repo:
    """The same files where there is no git."""
    config = CONFIG + (f"security: {json.dumps(security)}\n" if security else "")
    return Repo(root / "p").write({".goblin/goblin.yaml": config, **files})


# --- SC-01, SC-02 ---------------------------------------------------------------------------------------

SECRET_PATHS = [
    ".env", ".ENV", "a/.envrc", ".env.local", ".env-old", ".env_old", "x/.env/y", "a.pem", "a.KEY", "b.p12",
    "b.pfx", "c.jks", "c.keystore", "id_rsa", "d/ID_DSA", "id_ecdsa", "id_ed25519",
]  # fmt: skip
OTHER_PATHS = [
    ".env.example", ".env.EXAMPLE", "a.pem.sample", "z/.env/x.template", ".envoy.yaml", ".environment", "env",
    "id_rsa.pub", "id_rsa.txt", "my_id_rsa", "keyboard", "a.pemx", "key", "pem",
]  # fmt: skip


def test_secret_files_are_those_of_the_list_and_no_others(tmp_path: Path) -> None:
    """Each is listed by its own path; an unmerged one is listed once."""
    repo = repo_with(tmp_path, dict.fromkeys([*SECRET_PATHS, *OTHER_PATHS], "x"))
    repo.git("add", "--all", "--force")
    outcome = judge(repo, FILES)
    assert outcome.verdict is Verdict.FAIL
    assert sorted(f.path for f in outcome.findings) == sorted(SECRET_PATHS)
    assert outcome.summary == f"{len(SECRET_PATHS)} tracked secret file(s)"


def test_nothing_tracked_is_no_secret_file(tmp_path: Path) -> None:
    """Zero tracked files pass; without git nothing can be said."""
    repo = build_repo({}, tmp_path / "e", commit=None)
    assert judge(repo, FILES).verdict is Verdict.PASS
    outside = judge(plain(tmp_path, {".env": "x"}), FILES)
    assert "no git repository" in said(outside)


def test_the_matcher_is_git_and_a_linked_worktree_is_a_repository(tmp_path: Path) -> None:
    """A `.git` file instead of a folder changes nothing."""
    repo = repo_with(tmp_path, {".gitignore": ".env*\n", "package.json": "{}"})
    repo.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    assert judge(Repo(tmp_path / "linked"), IGNORED).verdict is Verdict.PASS
    nowhere = judge(plain(tmp_path, {".gitignore": ".env*\n"}), IGNORED)
    assert nowhere.verdict is Verdict.FAIL
    assert "no git repository" in nowhere.summary


def test_an_excludes_file_of_the_machine_does_not_count(tmp_path: Path) -> None:
    """Neither the repository's own setting for it nor the person's."""
    repo = repo_with(tmp_path, {".gitignore": "# .env\n.env/\n", "mine": ".env*\n"})
    repo.git("config", "core.excludesFile", str(repo / "mine"))
    outcome = judge(repo, IGNORED)
    assert [f.message for f in outcome.findings] == ["no rule ignores it"] * 3


def test_a_link_is_no_ignore_file(tmp_path: Path) -> None:
    """Git does not follow it, and neither is it read here."""
    outside = tmp_path / "outside"
    outside.write_text(".env*\n")
    assert judge(repo_with(tmp_path, {".gitignore@": str(outside)}), IGNORED).verdict is Verdict.FAIL


def test_a_mark_and_crlf_change_no_verdict(tmp_path: Path) -> None:
    """The line is the line."""
    repo = repo_with(tmp_path, {".gitignore": b"\xef\xbb\xbf.env*\r\n"})
    assert judge(repo, IGNORED).verdict is Verdict.PASS


# --- SC-03, SC-04, SC-10 -----------------------------------------------------------------------------------


def test_build_output_is_read_on_disk_and_not_left(tmp_path: Path) -> None:
    """Ignored files count, hidden and nested ones too; links, FIFOs and other folders do not."""
    key = "AK" + "IA" + "B" * 16
    repo = repo_with(tmp_path, {".gitignore": "dist\n"}, {"build_output": "dist ./out/ nowhere linked ../up"})
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.js").write_text(key)
    repo.write(
        {"dist/.h/a b.js": f"\n{key}", "dist/l.js@": str(outside / "x.js"), "out/b.bin": b"\0" + key.encode()}
    )
    (repo / "linked").symlink_to(outside)
    (repo / "dist/deep").symlink_to(outside)
    os.mkfifo(repo / "dist/pipe")
    outcome = judge(repo, PUBLIC)
    assert [(f.path, f.line, f.message) for f in outcome.findings] == [
        ("dist/.h/a b.js", 2, "cloud access key"),
        ("out/b.bin", 1, "cloud access key"),
    ]
    assert "2 build-output file(s) scanned" in outcome.summary
    assert key not in said(outcome)


def test_a_large_bundle_is_searched_to_its_end(tmp_path: Path) -> None:
    """Nine megabytes on one line."""
    token = "gh" + "o_" + "c" * 30
    repo = repo_with(tmp_path, {}, {"build_output": ["dist"]})
    repo.write({"dist/app.js": "x" * (9 << 20) + f' "{token}"'})
    assert "dist/app.js:1:9437187: forge token" in said(judge(repo, PUBLIC))


def test_an_output_directory_that_is_no_directory_is_named(tmp_path: Path) -> None:
    """It is not entered, and that is said."""
    repo = repo_with(tmp_path, {"real/a.js": "x"}, {"build_output": "dist"})
    (repo / "dist").symlink_to("real")
    outcome = judge(repo, PUBLIC)
    assert outcome.verdict is Verdict.PASS
    assert "not entered: dist, a link" in said(outcome)
    assert shipping.KEY == "security.build_output"


def test_a_wrong_declaration_is_a_fail_of_its_row_alone(tmp_path: Path) -> None:
    """SC-03 names the config's line; the rows beside it judge on."""
    repo = repo_with(tmp_path, {"a.ts": "x"}, {"build_output": {"a": "b"}})
    assert judge(repo, PUBLIC).verdict is Verdict.FAIL
    assert judge(repo, COOKIES).verdict is Verdict.PASS


def test_a_changed_file_is_judged_as_it_stands(tmp_path: Path) -> None:
    """The work tree's version for what source is; both versions for what is tracked."""
    repo = repo_with(tmp_path, {"a.ts": f'document.cookie = "a";\n// {TOKEN}\n'})
    repo.write({"a.ts": "mended\n"})
    assert judge(repo, COOKIES).verdict is Verdict.PASS
    outcome = judge(repo, TRACKED)
    assert (
        said(outcome).split("\n")[2] == "a.ts:2:4: forge token (as staged; the work tree has another version)"
    )
    repo.git("add", "--all")
    assert judge(repo, TRACKED).verdict is Verdict.PASS


def test_a_source_that_cannot_be_read_whole_is_no_clean_one(tmp_path: Path) -> None:
    """Larger than what is read: said, and a FAIL."""
    repo = repo_with(tmp_path, {"big.js": b"cookie " * (3 << 20)})
    outcome = judge(repo, COOKIES)
    assert outcome.verdict is Verdict.FAIL
    assert "big.js: not looked at" in said(outcome)


def test_what_a_clone_lacks_concerns_the_rows_that_would_read_it(tmp_path: Path) -> None:
    """A font that is missing says nothing about cookies; a source that is missing does."""
    repo = repo_with(tmp_path, {"font.ttf": "some bytes", "a.ts": "let a = 1"})
    for path, rows in (("font.ttf", [TRACKED]), ("a.ts", [TRACKED, COOKIES, PUBLIC])):
        oid = repo.git("rev-parse", f"HEAD:{path}")
        os.unlink(repo / f".git/objects/{oid[:2]}/{oid[2:]}")
        failing = [row for row in (TRACKED, COOKIES, PUBLIC) if judge(repo, row).verdict is Verdict.FAIL]
        assert failing == rows


def test_a_script_that_does_not_read_cleanly_is_probed_as_text(tmp_path: Path) -> None:
    """What stands behind the broken place is not passed over."""
    broken = "const a = `never closed\n"
    repo = repo_with(
        tmp_path, {"a.ts": f"{broken}document.cookie = 'x';\n", "b.ts": f"{broken}VITE_" + "TOKEN;\n"}
    )
    assert "a.ts:2:1: document.cookie: without Secure" in said(judge(repo, COOKIES))
    assert "b.ts:2:1: VITE_" in said(judge(repo, PUBLIC))


def test_no_value_is_ever_printed(tmp_path: Path) -> None:
    """Neither by the row nor into what a run keeps."""
    repo = repo_with(tmp_path, {"deploy.env": f"T={TOKEN}\n"})
    outcome = judge(repo, TRACKED, cache=True)
    assert outcome.verdict is Verdict.FAIL
    assert TOKEN not in repr(outcome)
    for folder, _, names in os.walk(repo / ".git/goblin"):
        for name in names:
            assert TOKEN.encode() not in (Path(folder) / name).read_bytes()


def test_without_git_only_what_is_tracked_cannot_be_judged(tmp_path: Path) -> None:
    """The source set is then what stands on disk."""
    repo = plain(tmp_path, {"src/a.ts": 'document.cookie = "a";\n'})
    assert judge(repo, COOKIES).verdict is Verdict.FAIL
    assert judge(repo, PUBLIC).verdict is Verdict.PASS
    assert "no git repository" in said(judge(repo, TRACKED))


SCANNERS = {
    "detect-secrets": {
        "results": {"a.txt": [{"type": "Hex", "line_number": 1}], "gone": [{"type": "x", "line_number": 1}]}
    },
    "gitleaks": [{"File": "a.txt", "StartLine": 1, "RuleID": "generic"}],
}


def with_scanner(folder: Path, name: str, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a program of this name first on PATH."""
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    (folder / "bin" / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / "bin" / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.parametrize("name", SCANNERS)
def test_what_an_installed_scanner_adds_is_shown_and_not_judged(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only tracked files; asked once for one state; --static asks none."""
    report = tmp_path / "report.json"
    report.write_text(json.dumps(SCANNERS[name]))
    with_scanner(tmp_path, name, f"echo asked >> {tmp_path}/asked; cat {report}", monkeypatch)
    repo = repo_with(tmp_path, {"a.txt": "x"})
    for _ in range(2):
        outcome = judge(repo, TRACKED, cache=True)
        assert outcome.verdict is Verdict.PASS
        assert f"{name} names 1 more place(s), not judged" in outcome.summary
        assert [(f.path, f.line) for f in outcome.findings] == [("a.txt", 1)]
    assert (tmp_path / "asked").read_text() == "asked\n"
    assert name not in said(judge(repo, TRACKED, static=True))


@pytest.mark.parametrize(
    "script", ["exit 3", "echo nonsense", "echo '{\"results\":1}'", "kill -9 $$", "cat /dev/zero >/dev/null"]
)
def test_a_scanner_that_fails_changes_nothing(
    tmp_path: Path, script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said that it was not heard."""
    monkeypatch.setattr(scanner, "TIMEOUT", 1.0)
    with_scanner(tmp_path, "detect-secrets", script, monkeypatch)
    outcome = judge(repo_with(tmp_path, {"a.txt": "x"}), TRACKED)
    assert outcome.verdict is Verdict.PASS
    assert "detect-secrets was not heard" in outcome.summary


def test_a_scanner_of_the_repository_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PATH may name its folders; what lies there is the repository's program, not the machine's."""
    repo = repo_with(tmp_path, {"a.txt": "x"})
    with_scanner(Path(repo.root), "detect-secrets", "touch PWNED", monkeypatch)
    monkeypatch.chdir(repo.root)
    monkeypatch.setenv("PATH", f"bin{os.pathsep}{os.environ['PATH']}")
    assert "detect-secrets" not in said(judge(repo, TRACKED))
    assert not (repo / "PWNED").exists()


# --- SC-05 .. SC-08 ----


def routes(tmp_path: Path, files: dict[str, str | bytes], declared: object = "app") -> Outcome:
    """The verdict on some route files."""
    return judge(repo_with(tmp_path, files, {"write_routes": declared}), ROUTES)


def test_only_route_files_below_the_directories_are_judged(tmp_path: Path) -> None:
    """By their exact names; a waiver that fits no handler is listed as stale."""
    post = "export async function POST(r) {}"
    names = ["app/a/route.ts", "app/b/route.mjs", "app/c/routes.ts", "app/d/route.vue", "app2/route.ts"]
    names += ["app/node_modules/x/route.ts", "app/e/Route.ts"]
    files: dict[str, str | bytes] = dict.fromkeys(names, post)
    files[".goblin/boundary-waivers"] = "app/a/route.ts # a health check\napp/z/route.ts # gone\n"
    outcome = routes(tmp_path, files, ["./app/", "app"])
    assert "2 write handler(s), 1 waived, 1 dir(s) declared" in outcome.summary
    assert [f.path for f in outcome.findings] == ["app/b/route.mjs", ".goblin/boundary-waivers"]
    assert "stale: app/z/route.ts" in said(outcome)


def test_directories_without_a_route_pass(tmp_path: Path) -> None:
    """There is nothing to validate, and the directory is there."""
    outcome = routes(tmp_path, {"app/page.tsx": "x"}, "app elsewhere")
    assert outcome.verdict is Verdict.PASS
    assert "0 write handler(s), 0 waived, 2 dir(s) declared (absent: elsewhere)" in outcome.summary


def test_a_route_that_is_not_checked_out_is_judged(tmp_path: Path) -> None:
    """A sparse checkout hides no handler, nor its directory."""
    files = {"app/api/route.ts": "export async function POST(r) {}"}
    repo = repo_with(tmp_path, dict(files), {"write_routes": "app"})
    repo.git("update-index", "--skip-worktree", "app/api/route.ts")
    repo.remove("app/api/route.ts")
    (repo / "app/api").rmdir()
    (repo / "app").rmdir()
    assert "app/api/route.ts:1:23: POST validates no input" in said(judge(repo, ROUTES))


def test_locks_are_judged_by_manifest(tmp_path: Path) -> None:
    """Each with its own; one tracked lock is enough, and any other is named."""
    files: dict[str, str | bytes] = {
        "package.json": '{"name":"x"}',
        "package-lock.json": '{"lockfileVersion":3,"packages":{"":{}}}',
        "go.mod": "module x\nrequire a v1.0.0\n",
        "go.sum": "a v1.0.0 h1:x=\n",
        "Cargo.toml": "[package]\nname = 'x'\n",
    }
    repo = repo_with(tmp_path, files)
    assert judge(repo, LOCKED).verdict is Verdict.PASS
    repo.write({"yarn.lock": "# yarn lockfile v1\n"})
    assert "yarn.lock (present, not tracked)" in judge(repo, LOCKED).summary
    repo.git("rm", "--quiet", "--cached", "package-lock.json", "go.sum")
    assert [f.path for f in judge(repo, LOCKED).findings] == ["package-lock.json", "yarn.lock", "go.sum"]


LOCKS: dict[str, tuple[dict[str, str], str]] = {
    "a library": (
        {"pyproject.toml": "[project]\nname='x'\ndependencies=['a']\n"},
        "uv lock && git add -f uv.lock; then commit",
    ),
    "poetry": (
        {"pyproject.toml": "[tool.poetry.dependencies]\na='1'\n"},
        "poetry lock && git add -f poetry.lock; then commit",
    ),
    "npm": ({"package.json": "{}"}, "npm install --package-lock-only && git add -f package-lock.json; then"),
    "pnpm": (
        {"package.json": '{"packageManager": "pnpm@9.1.0"}'},
        "pnpm install --lockfile-only && git add -f pnpm-lock.yaml; then",
    ),
    "two": (
        {"Cargo.toml": "[dependencies]\na='1'\n", "go.mod": "module x\nrequire a v1.0.0\n"},
        "cargo generate-lockfile && git add -f Cargo.lock; go mod tidy && git add -f go.sum; then commit",
    ),
    "ignored": (
        {"package.json": "{}", "yarn.lock": "# yarn lockfile v1\n", ".gitignore": "yarn.lock\n"},
        "git add -f yarn.lock; then commit",
    ),
    "stale": (
        {
            "package.json": '{"dependencies": {"a": "2"}}',
            "package-lock.json": '{"lockfileVersion":3,"packages":{"":{"dependencies":{"a":"1"}}}}',
        },
        "npm install --package-lock-only && git add -f package-lock.json; then commit",
    ),
    "a broken manifest": ({"package.json": "{"}, ""),
}


def test_the_remedy_is_the_command_that_makes_the_lock(tmp_path: Path) -> None:
    """That of the tool which the manifest names; one that is there and untracked is only added."""
    for number, (files, remedy) in enumerate(LOCKS.values()):
        outcome = judge(repo_with(tmp_path / str(number), dict(files)), LOCKED)
        assert outcome.verdict is Verdict.FAIL
        assert outcome.remedy.startswith(remedy)
        assert bool(outcome.remedy) is bool(remedy)


def test_a_linked_worktree_has_an_index_too(tmp_path: Path) -> None:
    """Its tracked clause is not waived; without any git it is, and that is said."""
    repo = repo_with(tmp_path, {"package.json": "{}"})
    repo.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    linked = Repo(tmp_path / "linked").write({"bun.lock": "{}"})
    assert "bun.lock: git does not track it" in said(judge(linked, LOCKED))
    without = judge(plain(tmp_path, {"package.json": "{}", "bun.lock": "{}"}), LOCKED)
    assert without.verdict is Verdict.PASS
    assert "the tracked clause needs git init" in without.summary


def test_an_unreadable_manifest_or_lock_is_a_fail(tmp_path: Path) -> None:
    """Never a pass for want of anything to compare."""
    assert "package.json: not readable" in said(
        judge(repo_with(tmp_path / "1", {"package.json": "{"}), LOCKED)
    )
    broken = repo_with(tmp_path / "2", {"package.json": "{}", "package-lock.json": "["})
    assert "package-lock.json: not readable" in said(judge(broken, LOCKED))
    workspace = repo_with(
        tmp_path / "3", {"pnpm-lock.yaml": "lockfileVersion: '9.0'\n", "pnpm-workspace.yaml": "a: ["}
    )
    assert judge(workspace, HOOKS).verdict is Verdict.FAIL


def test_hooks_of_several_locks_are_added_up(tmp_path: Path) -> None:
    """A format that records none is named beside; a stale entry of the list is too."""
    files: dict[str, str | bytes] = {
        "package-lock.json": '{"lockfileVersion":3,"packages":{"node_modules/a":{"hasInstallScript":true}}}',
        "Cargo.lock": "version = 3\n",
        ".goblin/install-hooks.allowlist": "a\nunused\n",
    }
    outcome = judge(repo_with(tmp_path, files), HOOKS)
    assert outcome.summary == "1 install hook(s), 1 allowlisted, in package-lock.json"
    assert [(f.path, f.line, f.message) for f in outcome.findings] == [
        (".goblin/install-hooks.allowlist", 2, "stale: unused runs no code on install"),
        ("", 0, "Cargo.lock (cargo) records no install hooks"),
    ]


def audited(tmp_path: Path, record: str | None, waivers: str = "", **limits: int) -> Outcome:
    """The verdict on a record."""
    files: dict[str, str | bytes] = {".goblin/audit-waiver.tsv": waivers}
    if record is not None:
        files[".goblin/audit.tsv"] = record
    return judge(repo_with(tmp_path, files, {"audit_cmd": "x", **limits}), AUDIT)


TODAY = f"measured {clock.today()}\n"


def test_tomorrow_is_no_future_and_the_day_after_is(tmp_path: Path) -> None:
    """Somewhere it is tomorrow already."""
    from datetime import timedelta

    near, far = (clock.today() + timedelta(days=days) for days in (1, 2))
    assert audited(tmp_path / "1", f"measured {near}\n").verdict is Verdict.PASS
    assert "in the future" in said(audited(tmp_path / "2", f"measured {far}\n"))


@pytest.mark.parametrize(
    "date", ["2026-13-01", "2026-1-1", "yesterday", "\u0662026-01-01", "2026-01-01T00:00:00Z"]
)
def test_what_is_no_date_is_no_measurement(tmp_path: Path, date: str) -> None:
    """Strictly year, month and day in ASCII digits."""
    assert "is no date" in said(audited(tmp_path, f"measured {date}\n"))


def test_every_fault_of_an_audit_is_told(tmp_path: Path) -> None:
    """The date, each row, each waiver that fits, and lines that are none."""
    record = "measured 2020-01-01\na\thigh\t1\tu\nb\tcritical\t2\nc high 3\n"
    waivers = "a\thigh\t1\t2020-01-01\twhy\na\t*\t*\tnever\twhy\nb\tcritical\t2\n"
    outcome = audited(tmp_path, record, waivers)
    told = [(f.path.rpartition("/")[2], f.line) for f in outcome.findings]
    assert told == [
        ("audit-waiver.tsv", 3), ("audit.tsv", 4), ("audit.tsv", 1),
        ("audit.tsv", 2), ("audit-waiver.tsv", 1), ("audit-waiver.tsv", 2),
        ("audit.tsv", 3), ("audit-waiver.tsv", 3),
    ]  # fmt: skip
    assert "2 high|critical line(s), 0 matched waiver(s), 2 unwaived" in outcome.summary


def test_the_age_of_a_waiver_has_its_own_limit(tmp_path: Path) -> None:
    """As old as allowed passes; the day after does not."""
    from datetime import timedelta

    row = f"{TODAY}a\thigh\t1\n"
    day = clock.today() - timedelta(days=10)
    waiver = f"a\thigh\t1\t{day}\twhy\n"
    assert audited(tmp_path / "1", row, waiver, waiver_max_age_days=10).verdict is Verdict.PASS
    assert "10 days old, more than 9" in said(audited(tmp_path / "2", row, waiver, waiver_max_age_days=9))
    assert audited(tmp_path / "3", row, waiver, waiver_max_age_days=0).verdict is Verdict.FAIL


def test_a_record_that_git_knows_may_not_go(tmp_path: Path) -> None:
    """Deleted in the work tree, or in a commit long ago; never there, it is not missed."""
    assert audited(tmp_path / "1", None).verdict is Verdict.SKIP
    repo = repo_with(tmp_path / "2", {".goblin/audit.tsv": TODAY}, {"audit_cmd": "x"})
    repo.remove(".goblin/audit.tsv")
    assert "the index has it" in judge(repo, AUDIT).summary
    gone = repo.commit("gone")
    repo.commit("later", {"a": "b"})
    assert gone[:12] in judge(repo, AUDIT).summary


def test_a_record_without_git_or_commit_is_read_as_it_stands(tmp_path: Path) -> None:
    """Nothing is known of its past."""
    bare = plain(tmp_path, {}, {"audit_cmd": "x"})
    assert judge(bare, AUDIT).verdict is Verdict.SKIP
    config = f"{CONFIG}security:\n  audit_cmd: x\n"
    unborn = build_repo({".goblin/goblin.yaml": config}, tmp_path / "u", commit=None)
    assert judge(unborn, AUDIT).verdict is Verdict.SKIP


def test_a_link_in_place_of_the_record_is_a_fail(tmp_path: Path) -> None:
    """What it leads to was not measured here."""
    repo = repo_with(tmp_path, {".goblin/audit.tsv@": "../../elsewhere"}, {"audit_cmd": "x"})
    assert judge(repo, AUDIT).verdict is Verdict.FAIL
    assert facts_of(repo).get("audit") is not None
