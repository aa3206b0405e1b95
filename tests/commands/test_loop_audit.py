"""goblin-loop audit as a person and a script run it: exit codes, formats, and what it never does."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from goblin.commands import loop_audit
from tests.support import Repo, Result, build_repo, run_cli
from tests.support.loops import LOOP, STUCK, green_run, loop_repo, record, red_run, row


def audit(*options: str | Path, cwd: Path | Repo, **env: str) -> Result:
    """Run `goblin-loop audit`."""
    return run_cli("goblin-loop", "audit", *options, cwd=cwd, env=env)


@pytest.fixture
def installed(sample: Repo) -> Repo:
    """An installed repository in which a loop has reached its goal."""
    rows = [
        row("00:14", evidence="file:src/app.ts"),
        row("00:31", "predicate:green", "file:README.md", "No marker is left", "verdict:done"),
    ]
    sample.commit("record", record(rows))
    return sample


@pytest.mark.parametrize("check", [False, True])
def test_a_red_run_is_shown_and_only_checked_on_demand(tmp_path: Path, check: bool) -> None:
    """0 whatever the loop's state; 1 with --check."""
    done = audit(*(["--check"] if check else []), cwd=red_run(tmp_path))
    assert done.code == (1 if check else 0)
    assert done.out.startswith("DID NOT REACH ITS GOAL: ")


def test_a_green_run_passes_the_check(installed: Repo) -> None:
    """With the rows of the matrix asked; they are counted in the text."""
    done = audit("--check", cwd=installed)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("REACHED ITS GOAL: sample\n")
    assert "What the rules say: " in done.out


def test_a_failing_rule_fails_the_check(installed: Repo) -> None:
    """The pin was moved together with the predicate: only history tells, and LP-02 reads it."""
    predicate = "test -e README.md\n"
    from tests.support.loops import digest

    installed.commit(
        "relax", {LOOP + "predicate": predicate, LOOP + "predicate.sha256": digest(predicate) + "\n"}
    )
    done = audit("--check", cwd=installed)
    assert done.code == 1
    assert done.out.startswith("ENDS GREEN, BUT ONE RULE OF ITS RECORD DOES NOT HOLD")
    assert "FAIL  LP-02" in done.out


def test_no_record_is_2(tmp_path: Path) -> None:
    """There is nothing to audit, and the remedy says how there would be."""
    done = audit(cwd=build_repo({"a": "1"}, tmp_path))
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "error: no loop record: no loop has run here\nremedy: start one: goblin-loop start --help\n"
    )


@pytest.mark.parametrize(
    "options",
    [
        ("--limit", "many"),
        ("--limit", "-1"),
        ("--nonsense",),
        ("--all", "*", "--target", "."),
        ("--all", "no-such-folder-*"),
        ("--target", "no-such-folder"),
        ("--html", "no-such-folder/page.html"),
        ("--html", "."),
    ],
    ids=" ".join,
)
def test_bad_usage_is_2(tmp_path: Path, options: tuple[str, ...]) -> None:
    """With one message and what mends it; nothing is shown."""
    done = audit(*options, cwd=red_run(tmp_path))
    assert (done.code, done.out) == (2, "")
    assert done.err.count("error: ") == 1


def test_json_says_what_kept_it_from_auditing(tmp_path: Path) -> None:
    """On standard output too, where a script looks."""
    done = audit("--json", cwd=build_repo({"a": "1"}, tmp_path))
    assert done.code == 2
    assert json.loads(done.out) == {"error": "no loop record: no loop has run here", "exit": 2}


def test_json_is_one_object(installed: Repo) -> None:
    """With the verdicts of the rows and the lanes that the repository declares."""
    done = audit("--json", cwd=installed)
    (found,) = json.loads(done.out)["audits"]
    status = {check["id"]: check["status"] for check in found["checks"]}
    assert status["LP-02"] == "PASS"
    assert status["JG-01"] == "PASS"
    assert {lane["role"]: lane["profiles"] for lane in found["lanes"]} == {
        "author": ["coder"],
        "judge": ["judge"],
    }


def test_a_page_is_written_and_named(installed: Repo, tmp_path: Path) -> None:
    """Standard output says what it is called and where it stands; nothing else is written."""
    before = installed.git("status", "--porcelain")
    done = audit("--html", tmp_path / "page.html", cwd=installed)
    assert (done.code, done.out) == (0, f"Reached its goal: sample\n{tmp_path}/page.html\n")
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>\n<html lang=")
    assert installed.git("status", "--porcelain") == before


def test_page_and_json_go_together(installed: Repo, tmp_path: Path) -> None:
    """One for a person, one for a script, of the same audit."""
    done = audit("--json", "--html", tmp_path / "page.html", cwd=installed)
    assert json.loads(done.out)["reached"] is True
    assert (tmp_path / "page.html").exists()


def test_a_link_in_the_way_is_not_followed(tmp_path: Path) -> None:
    """Neither the link nor what it leads to is touched, also where that does not exist."""
    repo = red_run(tmp_path / "repo")
    for target in ("precious", "missing"):
        (tmp_path / "precious").write_text("kept")
        os.symlink(tmp_path / target, tmp_path / f"{target}.html")
        done = audit("--html", tmp_path / f"{target}.html", cwd=repo)
        assert done.code == 2
        assert "is a symbolic link, which is not followed" in done.err
    assert (tmp_path / "precious").read_text() == "kept"
    assert not (tmp_path / "missing").exists()


def test_a_page_is_replaced_whole(tmp_path: Path) -> None:
    """An old page keeps its permission bits, and no temporary file is left beside it."""
    repo = red_run(tmp_path / "repo")
    page = tmp_path / "out" / "page.html"
    page.parent.mkdir()
    page.write_text("old")
    page.chmod(0o600)
    assert audit("--html", page, cwd=repo).code == 0
    assert page.stat().st_mode & 0o777 == 0o600
    assert [name.name for name in page.parent.iterdir()] == ["page.html"]


def test_many_repositories_are_one_report(tmp_path: Path) -> None:
    """Each once, worst first; one that may not be looked into is the worst of all, and fails the check."""
    green_run(tmp_path / "work/fine")
    red_run(tmp_path / "work/poor")
    build_repo({"a": "1"}, tmp_path / "work/bare")
    (tmp_path / "work/poor/src/deep").mkdir()
    odd = green_run(tmp_path / "odd-one")
    build_repo({".goblin@": str(odd / ".goblin")}, tmp_path / "work/odd")
    patterns = f"{tmp_path}/work/*,{tmp_path}/work/poor/src/*"
    done = audit("--json", "--check", "--all", patterns, cwd=tmp_path)
    value = json.loads(done.out)
    assert done.code == 1
    assert [(one["name"], one["state"]) for one in value["audits"]] == [
        ("odd", "unreadable"),
        ("poor", "short"),
        ("fine", "reached"),
    ]
    assert value["without_record"] == ["bare"]
    assert audit("--check", "--all", f"{tmp_path}/work/f*", cwd=tmp_path).code == 0
    done = audit("--all", f"{tmp_path}/work/bare", cwd=tmp_path)
    assert done.code == 2
    assert "none of 1 folders holds one" in done.err


def test_one_broken_repository_does_not_hide_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever goes wrong in one of them, it is named, and the rest is shown."""
    green_run(tmp_path / "fine")
    red_run(tmp_path / "poor")
    real = loop_audit._audit

    def broken(start: str, most: int) -> object:
        if start.endswith("poor"):
            raise ZeroDivisionError("division by zero")
        return real(start, most)

    monkeypatch.setattr(loop_audit, "_audit", broken)
    values = {"target": "", "all": (f"{tmp_path}/*",), "html": "", "json": True, "check": True, "limit": ""}
    assert loop_audit.run(values) == 1
    first, second = json.loads(capsys.readouterr().out)["audits"]
    assert first["reasons"] == ["internal: ZeroDivisionError: division by zero"]
    assert second["name"] == "fine"


def test_nothing_that_the_repository_declares_is_run(installed: Repo, tmp_path: Path) -> None:
    """Neither the predicate, nor a row whose cell was made a command, nor what git would start."""
    mark = tmp_path / "ran"
    matrix = installed.read(".goblin/manifest/enforcement.tsv").split("\n")
    for number, line in enumerate(matrix):
        if line.startswith(("LP-02\t", "JG-01\t")):
            cells = line.split("\t")
            cells[6] = f"touch {mark}"
            matrix[number] = "\t".join(cells)
    installed.write(
        {".goblin/manifest/enforcement.tsv": "\n".join(matrix), LOOP + "predicate": f"touch {mark}\n"}
    )
    for key in ("core.fsmonitor", "filter.evil.clean", "core.pager"):
        installed.git("config", key, f"touch {mark}")
    installed.write({".gitattributes": "* filter=evil\n", "README.md": "changed\n"})
    done = audit("--json", cwd=installed)
    assert done.code == 0
    assert not mark.exists()
    status = {check["id"]: check["status"] for check in json.loads(done.out)["audits"][0]["checks"]}
    assert status["LP-02"] == "SKIP"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (".goblin/goblin.yaml", "class: [\n"),
        (".goblin/manifest/enforcement.tsv", "broken\n"),
        (".goblin/goblin.yaml", None),
    ],
    ids=["config", "matrix", "no config"],
)
def test_a_broken_install_does_not_hide_the_record(installed: Repo, name: str, content: str | None) -> None:
    """The audit shows what it sees itself, and says that the rules were not asked."""
    if content is None:
        installed.remove(name)
    else:
        installed.write({name: content})
    done = audit(cwd=installed)
    assert done.code == 0
    assert "The rules were not asked: " in done.out
    assert "The last two rows" in done.out


def test_the_limit_is_what_is_shown(tmp_path: Path) -> None:
    """Twenty rows by default, all of them with 0, and what is left out is said."""
    rows = [row(f"00:{n:02}", evidence="file:src/app.py", why=f"turn {n}") for n in range(30)]
    repo = loop_repo(tmp_path, rows, stuck__md=STUCK)
    assert (
        "... 10 more rows did not reach the goal; the 20 worst are shown (--limit 0 shows all)"
        in " ".join(audit(cwd=repo).out.split())
    )
    assert "more rows" not in audit("--limit", "0", cwd=repo).out
    assert "28 more rows" in audit("--limit", "2", cwd=repo).out


def test_the_target_may_be_any_folder_of_the_repository(tmp_path: Path) -> None:
    """As with every command of goblin."""
    repo = red_run(tmp_path / "repo")
    assert audit("--target", repo / "src", cwd=tmp_path).out == audit(cwd=repo).out


def test_two_audits_of_one_state_are_equal(tmp_path: Path) -> None:
    """Text depends neither on the clock nor on where it runs."""
    repo = red_run(tmp_path)
    assert audit(cwd=repo).out == audit(cwd=repo, NO_COLOR="1", TZ="Asia/Tokyo").out


def test_the_vendored_copy_says_the_same(installed: Repo) -> None:
    """With the standard library, git and what the install brought, and nothing else."""
    vendored = run_cli(installed / ".goblin/bin/goblin-loop", "audit", cwd=installed)
    assert (vendored.code, vendored.out) == (0, audit(cwd=installed).out)
