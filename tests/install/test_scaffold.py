"""The harness scaffold and the gate runner, run as their owner runs them."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.install import templates
from tests.install.rendering import adopt
from tests.support import Repo, Result, run_cli
from tests.support.mini import facts_of

# --- the scaffold ----------------------------------------------------------------------------


def scaffold(tmp_path: Path, change: str = "", env: dict[str, str] | None = None) -> tuple[int, list[str]]:
    """Run the harness scaffold, with `change` in place of its assertion, and return code and lines."""
    text = templates.load("checks/assert.py")
    (line,) = [line for line in text.split("\n") if line.startswith("assert_that(")]
    path = tmp_path / "assert.py"
    path.write_text(text.replace(line, change or line))
    done = run_cli(sys.executable, path, cwd=tmp_path, env=env)
    return done.code, done.out.splitlines()


def test_the_scaffold_is_green_and_says_what_it_is(tmp_path: Path) -> None:
    """One assertion, true by construction."""
    code, lines = scaffold(tmp_path)
    assert code == 0
    assert lines[0].startswith("PASS  scaffold - true by construction")
    assert lines[-1] == "1/1 passed"


def test_a_false_assertion_makes_the_scaffold_red(tmp_path: Path) -> None:
    """Every assertion is still printed, and the last line counts."""
    code, lines = scaffold(tmp_path, "assert_that('a', 1 > 2, 'measured 1')\nassert_that('b', True)")
    assert (code, lines) == (1, ["FAIL  a - measured 1", "PASS  b - ", "1/2 passed"])


def test_the_scaffold_knows_a_replay(tmp_path: Path) -> None:
    """The variable of `replay.env` is what tells the two trees apart."""
    _, lines = scaffold(tmp_path, env={"GOBLIN_PRE_COMMIT": "0123456789abcdef"})
    assert "replay on 0123456789ab: each probe of the change must be red here" in lines


def test_the_scaffold_has_the_house_shape_and_the_gate_runner_has_not(tmp_path: Path) -> None:
    """A call of an assertion and an exit make a harness (HS-01); the runner is a utility."""
    harness = facts_of(adopt(tmp_path)).get("harness")
    assert [file.path for file in harness.files] == ["checks/assert.py", "checks/gate.py"]
    assert [file.path for file in harness.asserting] == ["checks/assert.py"]


def blank_comments(source: bytes, style: str) -> bytes:
    """The scaffold's own helper, taken from its text."""
    tree = ast.parse(templates.load("checks/assert.py"))
    wanted = (ast.Import, ast.FunctionDef, ast.Assign)
    kept: list[ast.stmt] = [node for node in tree.body if isinstance(node, wanted)]
    scope: dict[str, Any] = {}
    exec(compile(ast.Module(kept, []), "assert.py", "exec"), scope)  # noqa: S102
    blanked: bytes = scope["blank_comments"](source, style)
    return blanked


@pytest.mark.parametrize(
    ("style", "source", "code"),
    [
        ("//", b'a(); // b\nc("// d"); /* e\nf */ g', b'a();     \nc("// d");     \n     g'),
        ("//", b"x = `// y\n` /* open", b"x = `// y\n`        "),
        ("//", b"'it\\'s // in' // out", b"'it\\'s // in'       "),
        ("#", b"a = '#' # b\n'''#\n#''' # c\n", b"a = '#'    \n'''#\n#'''    \n"),
    ],
)
def test_the_blanking_helper_blanks_comments_and_nothing_else(style: str, source: bytes, code: bytes) -> None:
    """A mark inside a string is no comment."""
    assert blank_comments(source, style) == code


@given(
    st.binary(max_size=60) | st.text("/*#'\"`\\\n a\u00e9", max_size=40).map(str.encode),
    st.sampled_from("#/"),
)
def test_the_blanking_helper_keeps_lines_and_byte_positions(source: bytes, mark: str) -> None:
    """Whatever the source is, a finding stands where it stood."""
    blanked = blank_comments(source, "#" if mark == "#" else "//")
    assert len(blanked) == len(source)
    assert [n for n, byte in enumerate(blanked) if byte == 10] == [
        n for n, byte in enumerate(source) if byte == 10
    ]
    assert all(new in (old, 32) for old, new in zip(source, blanked, strict=True))


# --- the gate runner ---------------------------------------------------------------------------


def run_gates(repo: Repo, *changes: tuple[str, str]) -> Result:
    """Run the installed `checks/gate.py` after each change (old text, new text) to the config."""
    config = repo / ".goblin/goblin.yaml"
    for old, new in changes:
        text = config.read_text()
        assert old in text
        config.write_text(text.replace(old, new))
    return run_cli(sys.executable, repo / "checks/gate.py", cwd=repo.root.parent)


def test_the_gate_runner_prints_the_measured_line_alone(sample: Repo) -> None:
    """One line, the one that the verifier measured and left, from any working directory."""
    done = run_gates(sample)
    assert done.code == 0, done.err
    assert re.fullmatch(r"commit=0 todo_ceiling=0 \u00b7 measured \d{4}-\d\d-\d\d\n", done.out)
    assert done.out == sample.read(".goblin/last-gate-line")
    assert done.err == ""


def test_a_failing_gate_is_exit_1_and_still_one_line(sample: Repo) -> None:
    """Every gate runs, and the line holds its exit code."""
    done = run_gates(sample, ("cmd: 'git rev-parse --verify --quiet HEAD'", "cmd: 'exit 7'"))
    assert done.code == 1
    assert done.out.startswith("commit=7 todo_ceiling=0 \u00b7 ")
    assert done.out.count("\n") == 1
    assert "GT-02: " in done.err


def test_no_declared_gate_is_exit_1(sample: Repo) -> None:
    """Silence about gates is not green."""
    text = sample.read(".goblin/goblin.yaml")
    block = text[text.index("gates:\n") : text.index("\n\n", text.index("gates:\n"))]
    done = run_gates(sample, (block, "gates: []"))
    assert done.code == 1
    assert "GT-01: " in done.err


def test_a_ratchet_above_its_ceiling_is_exit_1(sample: Repo) -> None:
    """The number stands on the line beside the ceiling that it broke."""
    sample.write({"dist/a.js": "12345"})
    done = run_gates(sample, ("\n  ceiling:\n", "\n  ceiling: 4\n"))
    assert done.code == 1
    assert "client_js_bytes 5 (ceiling 4)" in done.out
    assert "GT-05: " in done.err


def test_a_gate_that_is_opted_out_of_is_not_green(sample: Repo) -> None:
    """Nothing ran, and the one line says why."""
    done = run_gates(sample, ("disabled: []", "disabled: [gate]"))
    assert done.code == 1
    assert "opt-out" in done.out


def test_a_config_that_cannot_be_read_is_exit_2_with_its_place(sample: Repo) -> None:
    """The engine's own message, and no line that could be taken for numbers."""
    done = run_gates(sample, ("max_dirty: 0", "max_dirty: 0\nmax_dirty: 1"))
    assert (done.code, done.out) == (2, "")
    assert ".goblin/goblin.yaml:" in done.err


def test_the_gate_runner_without_an_engine_says_so(tmp_path: Path) -> None:
    """After an uninstall the scaffold may still be there."""
    (tmp_path / "gate.py").write_text(templates.load("checks/gate.py"))
    done = run_cli(sys.executable, tmp_path / "gate.py", cwd=tmp_path)
    assert done.code == 2
    assert "no .goblin/bin/goblin-verify" in done.err
