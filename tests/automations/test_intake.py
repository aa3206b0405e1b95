"""bugreporter-intake, run as a program: a report is accepted or refused, and never run (spec PR-05)."""

from __future__ import annotations

import os
import shlex
import subprocess
import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from goblin import yaml
from goblin.facts.intake import OPTIONAL
from goblin.facts.reports import REQUIRED, dedup_key
from tests.automations.boards import Board, option
from tests.support import Repo, run_cli
from tests.support.cli import Result
from tests.support.env import PROJECT, hermetic

PROGRAM = ".goblin/automations/bugreporter-intake.py"
HOSTILE = "it's `touch pwned` $(touch pwned) \"; touch pwned; & | > pwned \\"
SYMPTOM = "The panel is empty"


def report(**values: str | None) -> str:
    """A report that would be accepted, with other values; None leaves a key out."""
    whole: dict[str, str | None] = {
        "repo": ".",
        "symptom": SYMPTOM,
        "expected": "rows",
        "observed": "none",
        "repro_steps": "\n    - open the panel",
        "revision": "HEAD",
        "dedup_key": None,
    }
    lines = []
    for key, value in {**whole, **values}.items():
        if value is None:
            continue
        plain = value.startswith(("\n", "|", ">", "[", "{")) or not value
        lines.append(f"{key}: {value if plain else yaml.scalar(value)}\n")
    return "".join(lines)


def intake(
    repo: Repo, text: str, *options: str, slug: str = "panel", env: dict[str, str] | None = None
) -> Result:
    """What the intake of a repository makes of a report."""
    repo.write({f"reports/{slug}/report.yaml": text})
    return run_cli(repo / PROGRAM, slug, *options, cwd=repo, env=env)


def test_an_accepted_report_prints_its_card(sample: Repo) -> None:
    """One line, every option, and the note about the key that was computed."""
    done = intake(sample, report())
    words = shlex.split(done.out)
    assert done.code == 0
    assert words[:3] == ["hermes", "kanban", "create"]
    assert words[3] == f"bug panel: {SYMPTOM}"
    assert option(words, "--assignee") == "researcher"
    assert option(words, "--skill") == "goblin-bugreporter"
    assert option(words, "--idempotency-key") == dedup_key(".", SYMPTOM)
    assert option(words, "--body-file") == str(sample / "reports/panel/report.yaml")
    assert (option(words, "--max-runtime"), option(words, "--max-retries")) == ("1800", "1")
    assert "dedup_key computed" in done.err
    assert len(done.out.splitlines()) == 1


def test_a_recorded_key_of_the_content_is_accepted_without_a_note(sample: Repo) -> None:
    """Case and spacing do not count."""
    done = intake(sample, report(symptom="the  PANEL is empty", dedup_key=dedup_key(".", SYMPTOM)))
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (report(symptom=None, expected=None), "no value for symptom, expected"),
        (report(symptom="", revision=""), "no value for symptom, revision"),
        (report(repro_steps="[]"), "no value for repro_steps"),
        (report(repro_steps="\n    - ''"), "no value for repro_steps"),
        (report(repro_steps="open it"), "repro_steps is no list"),
        (report(repro_steps="\n    - {a: b}"), "repro_steps holds an item that is no text"),
        (report(symptom="|\n  one\n  two\n"), "symptom is not one line (report.yaml:2:1)"),
        (report(symptom="[a]"), "symptom is no text"),
        (report(dedup_key="bug:.:2026-09-24"), f"the content gives {dedup_key('.', SYMPTOM)}"),
        (report(revision="0" * 40), "is no commit of ."),
        (report(revision="--all"), "is no commit of ."),
        (report(revision="HEAD^{tree}"), "is no commit of ."),
        (report(repo="src"), "is no commit of src"),
        (report(repo="a\x1b[2Jb"), "repo holds characters"),
        ("symptom: [\n", "report.yaml:"),
        ("just text\n", "a report is a mapping"),
        ("a: 1\na: 2\n", "report.yaml:2:1"),
        ("", "a report is a mapping"),
    ],
)
def test_a_refusal_names_its_reason_and_gets_a_card_that_nobody_can_take(
    sample: Repo, text: str, told: str
) -> None:
    """Exit 1, REFUSED lines, and a card without assignee and skill."""
    board = Board(sample.root)
    done = intake(sample, text, "--cards", env={"BOARD_LOG": board.env["BOARD_LOG"]})
    *reasons, command = done.out.splitlines()
    assert done.code == 1
    assert reasons
    assert all(reason.startswith("REFUSED panel: ") for reason in reasons)
    assert told in done.out
    words = shlex.split(command)
    assert "--assignee" not in command
    assert "--skill" not in command
    assert (option(words, "--max-runtime"), option(words, "--max-retries")) == ("600", "0")
    assert "\x1b" not in done.out + done.err
    assert board.cards() == []


def test_hostile_values_arrive_as_one_argument_and_run_nothing(sample: Repo) -> None:
    """On the --cards path and when the printed line is pasted into a shell."""
    board = Board(sample.root)
    text = report(
        symptom=HOSTILE, repo="https://x.invalid/`touch pwned`$(touch pwned)'", revision="$(touch pwned)"
    )
    printed = intake(sample, text, env=board.env)
    filed = intake(sample, text, "--cards", env=board.env)
    assert (printed.code, filed.code) == (0, 0)
    assert "revision was not checked" in printed.err
    pasted = subprocess.run(
        ["bash", "-c", printed.out],
        cwd=sample.root,
        env=hermetic(**board.env),
        capture_output=True,
        check=False,
    )
    assert pasted.returncode == 0, pasted.stderr
    first, second = board.cards()
    assert first == second
    assert first[0] == f"bug panel: {HOSTILE}"
    assert option(first, "--idempotency-key") == dedup_key(
        "https://x.invalid/`touch pwned`$(touch pwned)'", HOSTILE
    )
    assert len(first) == 13
    assert not list(sample.root.rglob("pwned"))


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=60))
@example("--assignee=root")
@example("a\u202eb\u2028c")
@example("\x1b[2J")
@example("-")
def test_any_symptom_is_one_word_of_a_line(sample: Repo, symptom: str) -> None:
    """Accepted or refused: no traceback, one line a card, and nothing that moves a terminal."""
    done = intake(sample, report(symptom=symptom))
    assert done.code in (0, 1)
    moving = ("Cc", "Cf", "Zl", "Zp")
    assert not [char for char in done.out if char != "\n" and unicodedata.category(char) in moving]
    words = shlex.split(done.out.splitlines()[-1])
    assert words[3].startswith(("bug panel: ", "refused report panel"))
    assert words.count("--assignee") == (1 if done.code == 0 else 0)


@pytest.mark.parametrize("slug", ["..", "../x", "a/b", "A", "-x", "a b", "a.b", "", "x\n"])
def test_a_slug_is_no_path(installed_sample: Repo, slug: str) -> None:
    """Exit 2 before anything is read."""
    done = run_cli(installed_sample / PROGRAM, "--", slug, cwd=installed_sample)
    assert (done.code, done.out) == (2, "")


@pytest.mark.parametrize("options", [[], ["no-such-report"], ["x", "--no-such"], ["x", "y"]])
def test_bad_usage_and_no_report_are_exit_2(installed_sample: Repo, options: list[str]) -> None:
    """The reason is on standard error."""
    done = run_cli(installed_sample / PROGRAM, *options, cwd=installed_sample)
    assert (done.code, done.out) == (2, "")
    assert done.err


def test_a_report_that_is_a_link_or_a_fifo_is_not_read(sample: Repo, tmp_path: Path) -> None:
    """Neither is followed or waited for."""
    (tmp_path / "secret").write_text(report())
    sample.write({"reports/link/report.yaml@": str(tmp_path / "secret")})
    (sample / "reports/pipe").mkdir()
    os.mkfifo(sample / "reports/pipe/report.yaml")
    for slug in ("link", "pipe"):
        assert run_cli(sample / PROGRAM, slug, cwd=sample, timeout=30).code == 2


def test_a_board_that_refuses_is_exit_2(sample: Repo) -> None:
    """An accepted report without its card is not done."""
    board = Board(sample.root)
    for env in ({"GOBLIN_BOARD_CMD": "no-such-board"}, {**board.env, "BOARD_EXIT": "3"}):
        done = intake(sample, report(), "--cards", env=env)
        assert (done.code, done.out) == (2, "")
        assert "no card was filed" in done.err


def test_reports_may_lie_elsewhere(sample: Repo, tmp_path: Path) -> None:
    """`--reports` names the folder; `repo: .` stays the working directory."""
    Repo(tmp_path / "inbox").write({"panel/report.yaml": report()})
    done = run_cli(sample / PROGRAM, "panel", "--reports", tmp_path / "inbox", cwd=sample)
    assert done.code == 0
    assert str(tmp_path / "inbox/panel/report.yaml") in done.out


def test_schema_template_and_reader_name_the_same_nine_keys() -> None:
    """One list, in three places."""
    folder = PROJECT / "templates/automations"
    header, *rows = [line.split("\t") for line in (folder / "report.schema.tsv").read_text().splitlines()]
    assert header == ["key", "required", "shape"]
    assert [key for key, required, _ in rows if required == "yes"] == list(REQUIRED)
    assert [key for key, required, _ in rows if required == "no"] == list(OPTIONAL)
    template = yaml.load((folder / "report.yaml.tmpl").read_bytes(), "report.yaml.tmpl")
    assert isinstance(template, yaml.Map)
    assert list(template) == [*REQUIRED, *OPTIONAL]


def test_a_filled_template_is_accepted(sample: Repo) -> None:
    """What people start from works."""
    text = (PROJECT / "templates/automations/report.yaml.tmpl").read_text()
    for key, value in {"symptom": "s", "expected": "e", "observed": "o", "revision": "HEAD"}.items():
        text = text.replace(f"{key}: ''", f"{key}: '{value}'")
    assert intake(sample, text).code == 1
    assert intake(sample, text.replace("- ''", "- 'open it'", 1)).code == 0
