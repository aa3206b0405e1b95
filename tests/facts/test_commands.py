"""What a CI script runs, and what would hide that it failed: held against bash itself."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from goblin.facts.commands import Run, Script, read, statements
from goblin.facts.shell import Simple, parse
from goblin.facts.shelltokens import Scanner, ShellError
from goblin.facts.wrappers import Shell, flags, unwrapped


def words_of(run: Run) -> list[str]:
    """The words of a run without their places."""
    return [word.value for word in run.words]


def gates(script: Script) -> list[Run]:
    """The runs of the command `gate`, plain or with arguments."""
    return [run for run in script.runs if words_of(run)[:1] == ["gate"]]


def faults(text: str, how: Shell = Shell()) -> str:  # noqa: B008
    """What stands against the one `gate` of a script; "" for a sound one, "no gate" for none."""
    found = gates(read(text, how))
    return "; ".join(found[0].faults) if found else "no gate"


SOUND = {
    "alone": "gate",
    "after others": "make\nnpm ci\ngate\necho done",
    "with arguments and redirections": "gate --json > log 2>&1",
    "behind assignments": "A=1 B='x y' gate",
    "behind env": "env -u A X=1 gate",
    "behind timeout": "timeout -k 5 600s gate",
    "behind nice and time": "time nice -n 5 gate",
    "behind exec": "exec gate",
    "through uv": "uv run --python 3.12 gate",
    "in a group": "{ make; gate; }",
    "in a subshell": "(cd sub && gate)",
    "last of a chain": "make && gate",
    "or an exit": "gate || exit 1",
    "or the same exit": "gate || exit $?",
    "or a group that exits": "gate || { echo bad; exit 2; }\nmake",
    "if not, exit": "if ! gate; then\n  echo bad\n  exit 1\nfi\nmake",
    "if, else exit": "if gate; then echo good; else exit 1; fi",
    "in bash -c": "bash -c 'gate'",
    "in bash -c with set -e": "bash -euo pipefail -c 'gate; make'",
    "last of a pipe": "yes | gate",
    "pipe with pipefail": "set -o pipefail\ngate | tee log",
    "pipe with options together": "set -euo pipefail\ngate 2>&1 | tee log",
    "set +e taken back": "set +e\nmake\nset -e\ngate",
    "continued line": "gate \\\n  --json",
    "quoted": "'gate'",
    "with a comment": "gate # exit 0",
    "before an exit that fails": '[ -n "$X" ] || exit 3\ngate',
    "with a trap that keeps the status": "trap 'rm -f x' EXIT\ngate",
}


@pytest.mark.parametrize("text", SOUND.values(), ids=SOUND.keys())
def test_a_gate_whose_failure_counts(text: str) -> None:
    """Nothing is said against it."""
    assert faults(text) == ""


HIDDEN = {
    "or true": ("gate || true", "`|| true` hides"),
    "or echo": ("gate || echo bad", "`|| echo bad` hides"),
    "or exit 0": ("gate || exit 0", "`|| exit 0` hides"),
    "or false in the middle": ("gate || false && make\nmake", "hides its failure"),
    "then true": ("gate; true", "`true` stands behind"),
    "then exit 0 on a line": ("gate\nexit 0", "`exit 0` stands behind"),
    "background": ("gate &", "in the background"),
    "background and wait": ("gate &\nwait", "in the background"),
    "set +e": ("set +e\ngate", "`set +e`"),
    "set +e with others": ("set +eu\ngate", "`set +e`"),
    "set +o errexit": ("set +o errexit\ngate", "`set +e`"),
    "set +e inside an if": ("if x; then set +e; fi\ngate", "`set +e`"),
    "pipe": ("gate | tee log", "a pipe without"),
    "pipefail switched off": ("set -o pipefail\nset +o pipefail\ngate | tee log", "a pipe without"),
    "pipefail in an if alone": ("if x; then set -o pipefail; fi\ngate | tee log", "a pipe without"),
    "negated": ("! gate", "turns its exit status round"),
    "condition": ("if gate; then make; fi", "inside `if`"),
    "inside an if": ("if x; then gate; fi", "inside `if`"),
    "inside a loop": ("for i in a; do gate; done", "inside `for`"),
    "inside a case": ("case $x in a) gate ;; esac", "inside `case`"),
    "inside a function": ("run() { gate; }\nrun", "function `run`"),
    "or-else": ("make || gate", "only where what stands before"),
    "and, not last": ("make && gate\nmake", "left out and the script goes on"),
    "followed by and, not last": ("gate && make\nmake", "put it on a line of its own"),
    "after exit": ("exit 0\ngate", "`exit 0` stands before"),
    "after an exit that may come": ("[ $X ] && exit 0\ngate", "`exit 0` stands before"),
    "after exec": ("exec make\ngate", "`exec` stands before"),
    "trap": ("trap 'exit 0' EXIT\ngate", "a `trap`"),
    "bash -c without set -e": ("bash -c 'gate; make'", "no `set -e`"),
    "bash -c or true": ("bash -c 'gate || true'", "hides its failure"),
}


@pytest.mark.parametrize(("text", "said"), HIDDEN.values(), ids=HIDDEN.keys())
def test_what_hides_a_failure_is_named(text: str, said: str) -> None:
    """The token that does it stands in the reason."""
    assert said in faults(text)


NO_COMMAND = {
    "echoed": "echo gate",
    "commented out": "# gate\nmake",
    "in quotes": "echo 'x; gate; y'",
    "in a here-document": "cat <<END\ngate\nEND",
    "in an indented one": "cat <<-END\n\tgate\n\tEND",
    "in a quoted one": "cat <<'END'\n$(\ngate\nEND",
    "in a here-string": "cat <<<gate",
    "substituted": "x=$(gate)",
    "in backticks": "echo `gate`",
    "an array": "x=(gate\ngate)",
    "looked for": "command -v gate",
    "part of a word": "gate-keeper; ./gate.sh; gate=1",
    "the value of an option": "make --with gate",
    "a word of for": "for i in gate; do make; done",
    "a pattern of case": "case x in gate) make ;; esac",
    "compared": "[[ gate == gate ]]",
    "an argument on a continued line": "make \\\ngate",
}


@pytest.mark.parametrize("text", NO_COMMAND.values(), ids=NO_COMMAND.keys())
def test_what_only_looks_like_a_command(text: str) -> None:
    """No run of it is found."""
    assert faults(text) == "no gate"


def test_shells_differ() -> None:
    """Without `-e` only the last command counts; with pipefail a pipe does."""
    assert "no `set -e`" in faults("gate\nmake", Shell(False, False))
    assert faults("make\ngate", Shell(False, False)) == ""
    assert faults("set -e\ngate\nmake", Shell(False, False)) == ""
    assert faults("gate | tee x", Shell(True, True)) == ""
    assert flags(["-eo", "pipefail", "-x", "+e"], Shell(False, False)) == Shell(False, True)


def test_lines_count_within_the_script() -> None:
    """Here-documents, continued lines and quotes that span lines do not shift them."""
    text = "a 'x\ny'\ncat <<E\n1\n2\nE\nb \\\n c\n\ngate\n"
    assert [run.line for run in gates(read(text))] == [9]


@pytest.mark.parametrize(
    ("declared", "script", "found"),
    [
        ("make", "make clean", False),
        ("make  test", "make test", True),
        ("make test 2>/dev/null", "make test", True),
        ("make test", "make test 2> /dev/null", True),
        ("make test", "cd x\nmake test", True),
        ("make test", "npm ci && make test", True),
        ("make test", "echo make test", False),
        ("make test", 'make "test"', False),
        ("a && b", "a && b", True),
        ("a && b", "a\nb", False),
        ("a\nb", "x\na; b\ny", True),
        ("a; b", "a\n\n# and\nb", True),
        ("a\nb", "a\nx\nb", False),
        ("a\nb", "a", False),
        ("if a; then b; fi", "if a\nthen\n  b\nfi", True),
        ("a | b", "set -o pipefail\na |\n  b", True),
        ("cat <<E\n1\nE", "cat <<E\n1\nE", True),
        ("cat <<E\n1\nE", "cat <<E\n2\nE", False),
        ("! grep -q x y", "! grep -q x y", True),
        ("'unclosed", "make", False),
    ],
)
def test_a_declared_command_is_found_word_for_word(declared: str, script: str, found: bool) -> None:
    """Blanks, line breaks for semicolons, comments and `2>/dev/null` aside."""
    assert (read(script).matching(statements(declared)) is not None) is found


def test_of_two_runs_the_sound_one_counts() -> None:
    """A call that is ignored does not spoil one that is not."""
    run = read("make || true\nmake\nmake x").matching(statements("make"))
    assert run is not None
    assert (run.line, run.faults) == (1, ())


def test_a_chain_that_is_not_last_hides_what_fails_in_it() -> None:
    """`set -e` passes over `a` in `a && b`."""
    run = read("a && b\nc").matching(statements("a && b"))
    assert run is not None
    assert "put it last" in run.faults[0]


@pytest.mark.parametrize(
    "text", ["'", '"', "`", "$(", "${", "(", ")", "{", "if x", "fi", "a )", "<", "case x", "f()"]
)
def test_what_is_no_script_is_refused(text: str) -> None:
    """Never a guess."""
    with pytest.raises(ShellError):
        read(text)


@pytest.mark.parametrize(
    "text",
    ["a\n" * 30_000, "a&&" * 20_000 + "a", "(" * 60_000, '"$(' * 20_000, "`" * 60_000, "cat <<E\n" * 8_000,
     "a <<E;" * 10_000, "((x) y)\n" * 8_000, "a=(" * 20_000, "if " * 20_000, "#" * 60_000, "true\n" * 12_000],
    ids=lambda text: text[:8].strip(),
)  # fmt: skip
def test_size_and_depth_are_bounded(text: str) -> None:
    """A hostile script takes time in proportion to its size, or is refused."""
    started = time.monotonic()
    with suppress(ShellError):
        read(text)
    assert time.monotonic() - started < 20


def test_wrappers_that_only_look_are_none() -> None:
    """`command -v` and `command -V` run nothing."""
    command = parse("command -V gate")[0].pipelines[0].commands[0]
    assert isinstance(command, Simple)
    assert [word.value for word in unwrapped(command.words)] == ["command", "-V", "gate"]


# --- against bash ------------------------------------------------------------------------------

BASH = shutil.which("bash") or "bash"

SIMPLE = st.sampled_from(
    ["gate"] * 12
    + ["true", "false", ":", "set +e", "set -e", "set -o pipefail", "set +o pipefail", "exit 0", "exit 1"]
    + [
        "cd /",
        "trap 'exit 0' EXIT",
        "trap 'echo x' EXIT",
        "env A=1 gate",
        "bash -c 'gate'",
        "sh -c 'gate; true'",
    ]
    + ["bash -ec 'gate; true'", "exec gate", "exec true", "echo gate", "time gate", "gate 2>/dev/null >&2"]
    + [
        "x=$(gate)",
        "echo $(gate)",
        "gate <<<x",
        "eval gate",
        "exit $?",
        "f() { gate; }",
        "f() { true; }",
        "f",
    ]
    + ["command -v gate", "nice gate", "timeout 5 gate", "[[ -n x ]]", "(( 1 + 1 ))", "gate # exit 0"]
)


def compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Statements made of statements; a comment ends its line, so each stands on one of its own."""
    return st.one_of(
        st.builds("{{\n{}\n}}".format, inner),
        st.builds("(\n{}\n)".format, inner),
        st.builds("if {}\nthen {}\nfi".format, inner, inner),
        st.builds("if ! {}\nthen {}\nfi".format, SIMPLE, inner),
        st.builds("if {}\nthen {}\nelse {}\nfi".format, SIMPLE, inner, inner),
        st.builds("for i in a b; do {}\ndone".format, inner),
        st.builds("case a in a) {}\n;; *) {}\n;; esac".format, inner, inner),
        st.builds("{}\n{}".format, inner, inner),
        st.builds("{} && {{ {}\n}}".format, SIMPLE.filter(lambda text: "#" not in text), inner),
        st.builds("{} || {}".format, SIMPLE.filter(lambda text: "#" not in text), inner),
        st.builds("{} | {}".format, SIMPLE.filter(lambda text: "#" not in text), SIMPLE),
        st.builds("! {}".format, SIMPLE),
        st.builds("{} &".format, SIMPLE.filter(lambda text: "#" not in text)),
    )


SCRIPTS = st.recursive(SIMPLE, compound, max_leaves=7)
SHELLS = st.sampled_from(
    [((), Shell(False, False)), (("-e",), Shell(True, False)), (("-eo", "pipefail"), Shell(True, True))]
)


@pytest.fixture(scope="session")
def failing_gate(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PATH on which `gate` is a program that fails."""
    folder = tmp_path_factory.mktemp("bin")
    program = folder / "gate"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def ends_with(text: str, options: tuple[str, ...], path: str) -> int:
    """How bash ends a script."""
    done = subprocess.run(
        [BASH, "--norc", "--noprofile", *options, "-c", text],
        env={"PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    return done.returncode


@settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow])
@given(SCRIPTS, SHELLS)
@example("exec true && gate", ((), Shell(False, False)))
@example("trap 'exit 0' EXIT || true && gate", (("-e",), Shell(True, False)))
@example("gate || false && gate | gate\ntrue", (("-e",), Shell(True, False)))
@example("! if exit $?\nthen true\nelse gate\nexit 1\nfi\ngate", ((), Shell(False, False)))
def test_a_sound_gate_fails_the_script_in_bash(
    failing_gate: str, text: str, how: tuple[tuple[str, ...], Shell]
) -> None:
    """Whatever the script: where nothing is said against a gate that fails, bash ends with a failure."""
    options, shell = how
    if any(not run.faults for run in gates(read(text, shell))):
        assert ends_with(text, options, failing_gate) != 0


PIECES = (
    """gate|gate\n|\ngate\n|'|"|$(|)|`|(|{ |}| |\n|;| && | or | pipe |&|#| # |\\|\\\n|<<E\n|\nE\n|<<-E\n"""
    """|\n\tE\n|<<'E'\n|$((|))|((|${|x|=|a=(| if |then | fi| case a in a) |;;| esac|true|>|<|$x|[[ | ]]| ! """
    """|for i in a; do |; done|f() |echo |<<<|$'|@(|\r"""
)
SOUP = st.lists(
    st.sampled_from([piece.replace("or ", "|| ").replace("pipe", "|") for piece in PIECES.split("|")]),
    min_size=1,
    max_size=9,
).map("".join)


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(SOUP)
@example("a=(<<E\ngate\nE\n)")
@example("x=$(case a in a) echo ;; esac)\ngate || true")
def test_no_text_misleads_the_reader(
    failing_gate: str, tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    """Any text is read or refused; what is read as a sound gate fails in bash, quotes and all."""
    try:
        found = read(text)
    except ShellError:
        return
    if any(words_of(run) == ["gate"] and not run.faults for run in found.runs):
        folder = tmp_path_factory.getbasetemp() / "soup"
        folder.mkdir(exist_ok=True)
        before = Path.cwd()
        os.chdir(folder)
        try:
            assert ends_with(text, ("-e",), failing_gate) != 0
        finally:
            os.chdir(before)


@given(st.text(alphabet="ab '\"\\$(){}`\n;&|<>#=E-", max_size=40))
def test_tokens_never_crash(text: str) -> None:
    """A scan ends with the end, or with a reason."""
    try:
        tokens = Scanner(text).scan()
    except ShellError:
        return
    assert tokens[-1].kind == "end"
    assert sum(token.kind == "end" for token in tokens) == 1


@pytest.mark.parametrize("text", ["<<(", ">>(", "a <&(b)", "1<>(", ">|(", "\n>&(x)"])
def test_a_sign_that_begins_nothing_is_refused(text: str) -> None:
    """A scan that stood still there would fill the memory."""
    with pytest.raises(ShellError, match=r"no word can begin|nothing follows"):
        Scanner(text).scan()
