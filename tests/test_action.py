"""The action for GitHub and the workflows of all forges: by their schemas, and by running their scripts."""

from __future__ import annotations

import importlib.resources
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from ruamel.yaml import YAML

from tests.install.rendering import rendered
from tests.support import PROJECT, Repo, hermetic
from tests.support.env import ENVIRONMENT

ACTION = PROJECT / "action.yml"
WORKFLOWS = sorted((PROJECT / ".github/workflows").glob("*.yml"))
SCHEMAS = importlib.resources.files("check_jsonschema.builtin_schemas.vendor")


def parsed(text: str) -> Any:
    """YAML 1.2 with numbers and booleans, as the schemas want it."""
    return YAML(typ="safe", pure=True).load(text)


def faults(name: str, text: str) -> list[str]:
    """What the published schema of this name finds wrong."""
    schema = json.loads(SCHEMAS.joinpath(f"{name}.json").read_text("utf-8"))
    found = jsonschema.Draft7Validator(schema).iter_errors(parsed(text))
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in found]


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ("github-actions", ACTION.read_text()),
        *(("github-workflows", path.read_text()) for path in WORKFLOWS),
        ("github-workflows", rendered("ci/github.yml")),
        ("github-workflows", rendered("ci/forgejo.yml")),
        ("gitlab-ci", rendered("ci/gitlab.yml")),
    ],
)
def test_each_file_is_what_its_forge_reads(schema: str, text: str) -> None:
    """By the schemas that editors and check-jsonschema use."""
    assert faults(schema, text) == []


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ("github-actions", ACTION.read_text().replace("using: composite", "using: compost")),
        ("github-workflows", rendered("ci/github.yml").replace("runs-on:", "run-on:")),
        ("gitlab-ci", rendered("ci/gitlab.yml").replace("when: always", "when: sometimes")),
    ],
)
def test_the_schemas_bite(schema: str, text: str) -> None:
    """A slip in a word is seen, so an empty list above means something."""
    assert faults(schema, text) != []


def steps() -> list[dict[str, Any]]:
    """The steps of the action."""
    found: list[dict[str, Any]] = parsed(ACTION.read_text())["runs"]["steps"]
    return found


def test_the_action_is_pinned_and_puts_no_text_of_others_into_a_script() -> None:
    """Values reach the script through the environment; every input is declared, and used."""
    text = ACTION.read_text()
    declared = set(parsed(text)["inputs"])
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == declared
    for step in steps():
        assert "${{" not in step.get("run", "")
        if "uses" in step:
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step["uses"])
        else:
            assert step["shell"] == "bash"
    names = {step["id"] for step in steps() if "id" in step}
    assert set(re.findall(r"steps\.(\w+)\.", text)) <= names


def test_shellcheck_has_nothing_to_say_of_the_script() -> None:
    """As for every shell file here."""
    done = subprocess.run(
        ["shellcheck", "--shell=bash", "-"],
        input=steps()[0]["run"],
        env={**hermetic(), "PATH": f"{PROJECT / '.venv/bin'}:{ENVIRONMENT['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


class Runner:
    """Runs the action's script as the forge would: `bash -e` in the workspace, values in the environment."""

    def __init__(self, workspace: Path, temp: Path) -> None:
        self.workspace = workspace
        self.temp = temp
        self.output = temp / "output"
        self.summary = temp / "summary.md"
        temp.mkdir()

    def run(self, **inputs: str) -> subprocess.CompletedProcess[str]:
        """One run; inputs that are not given have their defaults."""
        self.output.write_text("")
        known = {
            name: value["default"] for name, value in parsed(ACTION.read_text())["inputs"].items()
        } | inputs
        step = steps()[0]
        values = {
            name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: known[found[1]], text)
            for name, text in step["env"].items()
        }
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.workspace,
            env=hermetic(
                GITHUB_WORKSPACE=str(self.workspace),
                GITHUB_OUTPUT=str(self.output),
                GITHUB_STEP_SUMMARY=str(self.summary),
                RUNNER_TEMP=str(self.temp),
                **values,
            ),
            capture_output=True,
            text=True,
            check=False,
        )

    def outputs(self) -> dict[str, str]:
        """What the step gave to the steps after it."""
        return dict(line.split("=", 1) for line in self.output.read_text().splitlines())


def test_the_action_annotates_summarises_and_leaves_a_sarif_file(sample: Repo, tmp_path: Path) -> None:
    """In a workspace whose folder has odd characters; with its exit code, and for a run that cannot be."""
    workspace = tmp_path / "work space $(touch pwned)"
    sample.write({"src/app.ts": "export const answer: any = 42;\n"}).git("add", "--all")
    workspace.mkdir()
    sample.root.rename(workspace / "the repo")
    runner = Runner(workspace, tmp_path / "temp")

    done = runner.run(target="the repo", only="BN-01,HP-01", static="true", page=str(tmp_path / "page.html"))
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::error file=the repo/src/app.ts,line=1,col=22,title=BN-01 ")
    assert runner.outputs() == {"exit-code": "1", "sarif-file": str(runner.temp / "goblin-verify.sarif")}
    (result,) = json.loads((runner.temp / "goblin-verify.sarif").read_text())["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "src/app.ts"
    assert runner.summary.read_text().startswith("## goblin-verify: 1 passed, 1 failed")
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")

    done = runner.run(target="the repo", only="$(touch pwned);--list")
    assert done.returncode == 2
    assert done.stdout.startswith("::error title=goblin-verify could not run (exit 2)::unknown row: ")
    assert runner.outputs()["exit-code"] == "2"
    assert not list(tmp_path.rglob("pwned"))

    done = runner.run(target=".")
    assert done.returncode == 2
    assert runner.outputs() == {}
    assert "goblin-install puts it there" in done.stdout
