"""SARIF, JUnit, GitHub and Markdown: valid, complete, and inert whatever a finding holds."""

from __future__ import annotations

import json
import os
import stat
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from goblin import report as formats
from goblin.engine import Report
from goblin.outcome import Finding, advisory, failed, passed, skipped
from goblin.report import github, junit, markdown, sarif
from tests.report.test_text import report, result
from tests.support import Repo, run_cli

HOSTILE = Finding("a b/\x1b[31m<é>.md", 3, 2, 'quote " <script>alert(1)</script> `tick` | ]]> % \u202e')
DATA = Path(__file__).parents[1] / "data"


def everything() -> Report:
    """One row of each verdict, a waived finding, and a finding without a place."""
    waived = result("SP-03", passed("every finding is waived (1 waived)"))
    return report(
        result("IN-01", passed("fine & <well>")),
        result("HP-02", failed("two things", [HOSTILE, Finding("", message="somewhere")])),
        result("DOC-01", advisory("x (advisory)"), enforced_by="advisory"),
        result("PG-01", skipped("no note")),
        result("GT-02", failed("no findings at all")),
        waived._replace(waived=(Finding("S-SPEC.md", 4, 0, "vague"),)),
        notes=("a note",),
    )


@pytest.fixture(scope="module")
def schema() -> Any:
    """The published schema of SARIF 2.1.0."""
    return json.loads((DATA / "sarif-2.1.0-rtm.5.json").read_text())


def check_sarif(text: str, schema: Any) -> Any:
    """The one run of a SARIF file that its schema accepts."""
    value = json.loads(text)
    jsonschema.Draft4Validator(schema).validate({**value, "$schema": schema["id"]})
    return value["runs"][0]


def test_sarif_is_valid_and_knows_every_rule(schema: Any) -> None:
    """Rules with help, results with places and fingerprints, suppressions, and engine facts."""
    run = check_sarif(sarif.render(everything()), schema)
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["IN-01", "HP-02", "DOC-01", "PG-01", "GT-02", "SP-03"]
    assert all(rule["help"]["text"] for rule in run["tool"]["driver"]["rules"])
    failures = [r for r in run["results"] if r["level"] == "error" and "suppressions" not in r]
    assert [r["ruleId"] for r in failures] == ["HP-02", "HP-02", "GT-02"]
    place = failures[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b/%1B%5B31m%3C%C3%A9%3E.md"
    assert place["region"] == {"startLine": 3, "startColumn": 2}
    assert len(failures[0]["partialFingerprints"]["goblin/v1"]) == 16
    elsewhere = failures[2]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert elsewhere == ".goblin/manifest/enforcement.tsv"
    suppressed = [r for r in run["results"] if "suppressions" in r]
    assert [(r["ruleId"], r["suppressions"][0]["kind"]) for r in suppressed] == [("SP-03", "external")]
    assert run["invocations"][0]["exitCode"] == 1
    assert {r["kind"] for r in run["results"]} == {"pass", "fail", "informational", "notApplicable"}


def test_junit_counts_and_escapes() -> None:
    """A suite a family, a case a row; advisory rows are skipped with that word."""
    root = ET.fromstring(junit.render(everything()))  # noqa: S314  (our own output)
    assert (root.get("tests"), root.get("failures"), root.get("skipped")) == ("6", "2", "2")
    cases = {case.get("name", "").split()[0]: case for case in root.iter("testcase")}
    failure = cases["HP-02"].find("failure")
    assert failure is not None
    assert "<script>alert(1)</script>" in (failure.text or "")
    assert "remedy: mend it" in (failure.text or "")
    skip = cases["DOC-01"].find("skipped")
    assert skip is not None
    assert skip.get("message", "").startswith("advisory: ")
    assert "\x1b" not in junit.render(everything())


def test_github_annotations_stand_on_file_and_line() -> None:
    """A command a finding, escaped so that a finding can neither end it nor start another."""
    sly = failed("x", [Finding("a,b:c.md", 7, 0, "one\n::error file=x::fake")])
    lines = github.render(report(result("HP-02", sly))).splitlines()
    assert lines[0] == (
        "::error file=a%2Cb%3Ac.md,line=7,title=HP-02 the rule::one\\n::error file=x::fake%0Aremedy: mend it"
    )
    assert lines[-1] == "goblin-verify: 0 passed, 1 failed, 0 advisory, 0 skipped"
    assert len(lines) == 2
    assert "::notice file=S-SPEC.md,line=4," in github.render(everything())


def test_github_shows_ten_places_and_counts_the_rest() -> None:
    """The forge drops what is over its limit without a word; we say it."""
    many = failed("x", [Finding("a", n, 0, "m") for n in range(1, 26)])
    text = github.render(report(result("HP-02", many)))
    assert text.count("::error") == 11
    assert "and 15 more place(s)" in text


def test_markdown_puts_failures_first_and_stays_text() -> None:
    """Nothing in a finding becomes markup, a link or a mention."""
    text = markdown.render(everything())
    assert text.index("### HP-02") < text.index("every other row")
    assert "<script>" not in text
    assert "\x1b" not in text
    assert markdown.inert("[x](javascript:1) @all *b*") == r"\[x\](javascript:1) &#64;all \*b\*"


@pytest.mark.parametrize("name", formats.FORMATS)
def test_every_format_is_rendered_by_its_name(name: str) -> None:
    """The registry is whole."""
    assert formats.render(name, everything())


def test_several_formats_in_one_run(sample: Repo, tmp_path: Path, schema: Any) -> None:
    """`--output` writes beside the report on standard output; the summary goes where the forge asks."""
    summary = tmp_path / "summary.md"
    done = run_cli(
        *("goblin-verify", "--only", "HP-01,HP-02", "--format", "github"),
        *("--output", f"sarif={tmp_path / 'r.sarif'}", "--output", f"junit={tmp_path / 'r.xml'}"),
        cwd=sample,
        env={"GITHUB_STEP_SUMMARY": str(summary)},
    )
    assert (done.code, done.out) == (0, "goblin-verify: 2 passed, 0 failed, 0 advisory, 0 skipped\n")
    check_sarif((tmp_path / "r.sarif").read_text(), schema)
    assert ET.parse(tmp_path / "r.xml").getroot().get("tests") == "2"  # noqa: S314
    assert summary.read_text().startswith("## goblin-verify: 2 passed")


@pytest.mark.parametrize("value", ["sarif", "pdf=x", "sarif=", "sarif=/no/such/folder/x"])
def test_an_output_that_cannot_be_is_refused_before_the_run(sample: Repo, value: str) -> None:
    """Exit 2 with the formats or the folder named."""
    done = run_cli("goblin-verify", "--only", "HP-01", "--output", value, cwd=sample)
    assert done.code == 2
    assert "--output" in done.err


def test_an_output_replaces_nothing_but_a_file(sample: Repo, tmp_path: Path) -> None:
    """A device, a pipe, a link, a git directory and a second report are refused, and stay."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    (tmp_path / "file").write_text("old")
    for value, why in (
        ([f"json={tmp_path / 'pipe'}"], "no regular file"),
        ([f"json={tmp_path / 'link'}"], "no regular file"),
        (["json=/dev/null"], "no regular file"),
        (["sarif=.git/config"], "git directory"),
        ([f"json={tmp_path / 'file'}", f"text={tmp_path / 'file'}"], "two reports"),
    ):
        options = [word for text in value for word in ("--output", text)]
        done = run_cli("goblin-verify", "--only", "HP-01", *options, cwd=sample)
        assert done.code == 2
        assert why in done.err
    assert (tmp_path / "file").read_text() == "old"
    assert stat.S_ISFIFO(os.stat(tmp_path / "pipe").st_mode)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_junit_is_xml_whatever_a_row_holds() -> None:
    """Controls in a rule, a remedy or a finding are shown as text."""
    sly = result("HP-02", failed("a\x1b", [HOSTILE], remedy="x\x1b[31m"), rule="r\x1b[0m\x00")
    root = ET.fromstring(junit.render(report(sly)))  # noqa: S314
    assert root.get("failures") == "1"


def test_proof_is_not_for_a_repository_that_is_not_trusted(sample: Repo) -> None:
    """`--static` promises to run nothing; a proof runs controls and gates."""
    done = run_cli("goblin-verify", "--static", "--prove", "GT-02", cwd=sample)
    assert done.code == 2
    assert "--static forbids" in done.err


@pytest.mark.parametrize("option", ["--explain", "--target", "--source", "--format"])
def test_an_empty_value_is_no_value(sample: Repo, option: str) -> None:
    """An unset shell variable must not turn one question into another."""
    assert run_cli("goblin-verify", option, "", cwd=sample).code == 2
