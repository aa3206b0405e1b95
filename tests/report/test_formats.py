"""SARIF, JUnit, GitHub and Markdown: valid, complete, and inert whatever a finding holds."""

from __future__ import annotations

import json
import os
import re
import stat
import xml.etree.ElementTree as ET
from datetime import timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from goblin import clock
from goblin import report as formats
from goblin.commands import verify
from goblin.commands.outputs import SUMMARY, Outputs
from goblin.engine import Report, judge
from goblin.outcome import Finding, advisory, failed, passed, skipped
from goblin.paths import Tree
from goblin.report import github, junit, markdown, sarif
from goblin.waivers import Fingerprints
from tests.report.test_text import report, result
from tests.support import Repo, run_cli
from tests.support.mini import facts_of

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
    """Rules with help and severity, results with places and fingerprints, and what each row concluded."""
    run = check_sarif(sarif.render(everything()), schema)
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert list(rules) == ["IN-01", "HP-02", "DOC-01", "PG-01", "GT-02", "SP-03"]
    assert [result["ruleId"] for result in run["results"]] == ["HP-02", "GT-02"]
    assert all(list(rules)[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b/%1B%5B31m%3C%C3%A9%3E.md"
    assert place["region"] == {"startLine": 3, "startColumn": 2}
    assert len(run["results"][0]["partialFingerprints"]["goblin/v1"]) == 16
    text = run["results"][0]["message"]["text"].split("\n")
    assert text[0].startswith('quote " <script>'), "an alert begins with what is wrong there"
    assert text[1:] == ["somewhere", "To mend it: mend it"]
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 1}]
    verdicts = [row["verdict"] for row in run["properties"]["rows"]]
    assert verdicts == ["PASS", "FAIL", "ADV", "SKIP", "FAIL", "PASS"]
    assert run["properties"]["rows"][5]["waived"] == ["S-SPEC.md:4: vague"]


def test_sarif_keeps_to_what_code_scanning_takes(schema: Any) -> None:
    """What it asks for beyond the schema: a place for each result, a line for each place, bounded texts."""
    long = "x" * 5000
    many = [Finding("a.ts", n, 0, "any") for n in range(1, sarif.MOST + 11)]
    own = result("OWN-01", failed("no place")._replace(remedy="one\ntwo"))
    rows = (
        result("HP-02", failed("whole file", [Finding("HANDOFF.md")]), rule=long, blind_spot=long),
        own._replace(row=own.row._replace(project=True, line=7)),
        result("SC-10", failed("many", many)),
        result("DOC-01", advisory("x"), enforced_by="advisory"),
    )
    run = check_sarif(sarif.render(report(*rows)), schema)
    for one in run["results"]:
        assert one["kind"] == "fail", "a result of any other kind is shown as an alert all the same"
        assert "suppressions" not in one, "one that is suppressed stays open there"
        (place,) = one["locations"]
        assert place["physicalLocation"]["region"]["startLine"] >= 1
        uri = place["physicalLocation"]["artifactLocation"]["uri"]
        assert not uri.startswith(("/", "file:"))
    first, second = run["results"][:2]
    assert first["locations"][0]["physicalLocation"]["region"] == {"startLine": 1}
    where = second["locations"][0]["physicalLocation"]
    assert where["artifactLocation"]["uri"] == ".goblin/rules/enforcement.tsv"
    assert where["region"] == {"startLine": 7}
    assert second["message"]["text"] == "no place\nTo mend it: one\ntwo"
    assert len(run["results"]) == sarif.MOST
    assert "12 more result(s) are left out" in run["properties"]["notes"][-1]
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    told = [rule[f"{kind}Description"]["text"] for rule in rules.values() for kind in ("short", "full")]
    assert max(map(len, told)) <= 1024
    assert rules["SC-10"]["properties"]["security-severity"] == "8.0"
    assert rules["SC-10"]["properties"]["tags"][0] == "security"
    assert "security-severity" not in rules["HP-02"]["properties"]
    assert rules["DOC-01"]["properties"]["problem.severity"] == "recommendation"
    assert "## the rule" in rules["SC-10"]["help"]["markdown"]


def test_junit_counts_and_escapes() -> None:
    """A suite a family, a case a row; advisory rows are skipped with that word."""
    root = ET.fromstring(junit.render(everything()))  # noqa: S314  (our own output)
    assert (root.get("tests"), root.get("failures"), root.get("skipped")) == ("6", "2", "2")
    cases = {case.get("name", "").split()[0]: case for case in root.iter("testcase")}
    failure = cases["HP-02"].find("failure")
    assert failure is not None
    assert "<script>alert(1)</script>" in (failure.text or "")
    assert "remedy: mend it" in (failure.text or "")
    assert cases["HP-02"].get("file") == rb"a b/\x1b[31m<\xe9>.md".decode("unicode_escape").replace(
        "\x1b", r"\x1b"
    )
    assert cases["HP-02"].get("line") == "3"
    assert cases["GT-02"].get("file") is None
    skip = cases["DOC-01"].find("skipped")
    assert skip is not None
    assert skip.get("message", "").startswith("advisory: ")
    assert "\x1b" not in junit.render(everything())


def commands(text: str) -> list[str]:
    """The workflow commands that a runner obeys in some output: not those behind `stop-commands`."""
    stopped, found = "", []
    for line in text.splitlines():
        known = re.match(r"\s*::([\w-]+)", line)
        if stopped:
            stopped = "" if line.strip() == f"::{stopped}::" else stopped
        elif known and known[1] == "stop-commands":
            stopped = line.strip().removeprefix("::stop-commands::")
        elif known:
            found.append(line)
    assert not stopped, "commands are never switched on again"
    return found


def test_github_annotations_stand_on_file_and_line() -> None:
    """A command a finding, escaped so that a finding can neither end it nor start another."""
    sly = failed("x", [Finding("a,b:c.md", 7, 0, "one\n::error file=x::fake")])
    text = github.render(report(result("HP-02", sly)))
    assert text.splitlines()[0] == (
        "::error file=a%2Cb%3Ac.md,line=7,title=HP-02 the rule::one\\n::error file=x::fake%0Aremedy: mend it"
    )
    assert text.splitlines()[-1] == "goblin-verify: 0 passed, 1 failed, 0 advisory, 0 skipped"
    assert len(commands(text)) == 3
    assert "::notice file=S-SPEC.md,line=4," in github.render(everything())


def test_github_shows_the_whole_report_and_obeys_none_of_it() -> None:
    """Output of a gate may begin with what the forge takes for a command, and may try to guess the word."""
    said = ["::add-mask::a", "  ::stop-commands::x", "##[error]x", "::x::", "::endgroup::"]
    sly = failed("::set-output name=a::b", [Finding("", message=line) for line in said])
    text = github.render(report(result("GT-02", sly)))
    assert [line.split("::")[1].split(" ")[0] for line in commands(text)] == ["error", "group", "endgroup"]
    assert "FAIL  GT-02  ::set-output name=a::b" in text.splitlines()


def test_github_shows_each_row_before_any_twice() -> None:
    """The forge shows the first ten alone: the third row is among them, whatever the first two hold."""
    many = failed("x", [Finding("a", n, 0, "m") for n in range(1, 26)])
    text = github.render(report(*(result(name, many) for name in ("HP-02", "BN-01", "SC-10"))))
    errors = [line for line in commands(text) if line.startswith("::error")]
    titles = [re.search(r"title=(\S+)", line)[1] for line in errors]  # type: ignore[index]
    assert titles[:6] == ["HP-02", "BN-01", "SC-10"] * 2
    assert len(errors) == 33
    assert sum("and 15 more place(s)" in line for line in errors) == 3


def test_github_paths_begin_at_the_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository that is checked out into a folder of the workspace has its annotations on its files."""
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    row = result("HP-02", failed("x", [Finding("a.md", 1)]))
    for root, shown in ((tmp_path / "sub/repo", "sub/repo/a.md"), (tmp_path, "a.md"), ("/other", "a.md")):
        assert github.render(report(row, root=str(root))).startswith(f"::error file={shown},")


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
    assert done.code == 0
    assert done.out.endswith("::endgroup::\ngoblin-verify: 2 passed, 0 failed, 0 advisory, 0 skipped\n")
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


@pytest.mark.parametrize("name", formats.FORMATS)
def test_a_run_that_judges_nothing_is_no_green_report(
    name: str, installed_sample: Repo, tmp_path: Path, schema: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each format says that it could not run, and why, in its own way; a stale file of a run before goes."""
    target = tmp_path / "report"
    target.write_text("an older report")
    words = ["--target", str(installed_sample.root), "--only", "HP-99"]
    assert verify.main([*words, "--output", f"{name}={target}"]) == 2
    told = target.read_text()
    assert "unknown row: HP-99" in told
    capsys.readouterr()
    assert verify.main([*words, "--format", name]) == 2
    out = capsys.readouterr().out
    if name == "text":
        assert out == ""
    elif name == "html":
        assert "<h1>goblin-verify could not run</h1>" in out
    else:
        assert out == told
    if name == "sarif":
        run = check_sarif(told, schema)
        assert run["invocations"][0]["executionSuccessful"] is False
        assert run["invocations"][0]["exitCode"] == 2
    if name == "junit":
        root = ET.fromstring(told)  # noqa: S314  (our own output)
        assert (root.get("errors"), root.get("tests")) == ("1", "1")
        assert root.find("testsuite/testcase/error") is not None
    if name == "github":
        assert told.startswith("::error title=goblin-verify could not run (exit 2)::unknown row: HP-99")


def test_a_job_summary_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole lines and a word, where the forge would otherwise show nothing; after what stands there."""
    path = tmp_path / "summary.md"
    path.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    outputs = Outputs("github", ())
    outputs.write(lambda name: f"{'line ' * 200}\n" * 2000 if name == "markdown" else "")
    text = path.read_text()
    assert len(text.encode()) <= SUMMARY
    assert len(text.encode()) > SUMMARY - 2000
    assert text.startswith("before\nline line")
    assert text.endswith("line \n\nThe rest is left out: a job summary holds no more.\n")


def test_no_character_breaks_junit() -> None:
    """XML has no way to write some of them, not even as references."""
    text = "".join(map(chr, (0, 8, 11, 0xB, 0x7F, 0x85, 0xFFFE, 0xFFFF, 0xD800, 0x1FFFE, 0x10FFFF)))
    rows = report(result("HP-02", failed(text, [Finding(text, 1, 1, text)], text), rule=text))
    assert ET.fromstring(junit.render(rows)).get("failures") == "1"  # noqa: S314  (our own output)


def test_a_waived_finding_says_who_owns_it_until_when(sample: Repo) -> None:
    """In every format, beside the finding: a reader need not open the file of waivers."""
    sample.commit("Legacy", {"src/old.ts": "let x: any\n"})
    root = str(sample.root)
    print_ = Fingerprints(Tree(root)).of("BN-01", [Finding("src/old.ts", 1)])[0]
    until = (clock.today() + timedelta(days=30)).isoformat()
    lines = ["row\tpath\tfingerprint\treason\towner\tuntil"]
    lines += [f"BN-01\tsrc/old.ts\t{print_}\tgoes with the rewrite\tMina\t{until}"]
    sample.commit("Waive", {".goblin/waivers.tsv": "\n".join(lines) + "\n"})
    told = f"waived until {until} by Mina: goes with the rewrite"
    found = judge(facts_of(sample), ["BN-01"])
    assert found.exit_code == 0
    for name in ("json", "sarif", "github", "markdown", "html"):
        assert told in formats.render(name, found), name
