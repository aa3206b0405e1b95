"""goblin-model: roles and the mapping of one machine, and what is said where they say nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from goblin.commands import model
from tests.support import PROJECT, Repo, Result, build_repo, run_cli
from tests.support.mini import CONFIG

HEADER = "role\tcapability\tprofiles\tused_by\tbudget\n"
ROLES = HEADER + (
    "code\troutine edits\tcoder\tP2\t-\n"
    "review-panel\tverdicts\treviewer,architect\tP7\t-\n"
    "judge\twhether it is done\tjudge\tP10\t-\n"
    "idle\tnothing\t-\tP9\t-\n"
)
MAPPING = (
    "profiles:\n"
    "  coder: {provider: acme, model: alpha-1, effort: low}\n"
    "  reviewer: {provider: other, model: beta-2, effort: high}\n"
    "  judge: {provider: 'third', model: gamma}\n"
)

Run = Callable[..., Result]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in `tmp_path/repo`, whose config names `map.yaml` in the root."""
    files = {
        ".goblin/goblin.yaml": CONFIG + "models_file: map.yaml\n",
        ".goblin/manifest/roles.tsv": ROLES,
        "map.yaml": MAPPING,
    }
    build_repo(files, tmp_path / "repo")
    monkeypatch.chdir(tmp_path / "repo")

    def run(*arguments: str) -> Result:
        capsys.readouterr()
        code = model.main(list(arguments))
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return run


def test_a_role_is_one_line_a_profile_in_the_order_of_the_table(here: Run) -> None:
    """Single spaces; what the mapping does not say is unknown."""
    assert here("review-panel") == (0, "reviewer other beta-2 high\narchitect unknown unknown unknown\n", "")
    assert here("judge").out == "judge third gamma unknown\n"


def test_json_is_one_object_a_line(here: Run) -> None:
    """With exactly these keys."""
    objects = [json.loads(line) for line in here("review-panel", "--json").out.splitlines()]
    assert objects == [
        {"role": "review-panel", "profile": "reviewer", "provider": "other", "model": "beta-2",
         "effort": "high"},
        {"role": "review-panel", "profile": "architect", "provider": "unknown", "model": "unknown",
         "effort": "unknown"},
    ]  # fmt: skip


def test_the_list_shows_what_each_role_needs(here: Run) -> None:
    """The name padded to 14, a space, the capability."""
    assert here("--list").out.splitlines() == [
        "code           routine edits",
        "review-panel   verdicts",
        "judge          whether it is done",
        "idle           nothing",
    ]
    assert json.loads(here("--list", "--json").out.splitlines()[1])["profiles"] == ["reviewer", "architect"]


def test_the_mapping_is_the_first_that_is_named(
    here: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--models`, then the config, then the environment, then the file in the user's folder."""
    home = tmp_path / "home"
    for path, name in (
        (tmp_path / "flag.yaml", "flag"),
        (tmp_path / "env.yaml", "env"),
        (home / ".config/goblin/models.yaml", "default"),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"coder: {{model: {name}}}\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GOBLIN_MODELS", "../env.yaml")

    def used(*arguments: str) -> str:
        return here("code", *arguments).out.split()[2]

    assert used("--models", "../flag.yaml") == "flag"
    assert used() == "alpha-1"
    Path(".goblin/goblin.yaml").write_text(CONFIG)
    assert used() == "env"
    other = tmp_path / "other.yaml"
    other.write_text("models_file: flag.yaml\n")
    assert used("--config", "../other.yaml") == "flag"
    monkeypatch.delenv("GOBLIN_MODELS")
    assert used() == "default"


def test_a_mapping_that_is_not_there_is_said_and_no_error(here: Run) -> None:
    """The note goes to standard error, so that JSON stays JSON."""
    for arguments in (("code", "--json"), ("--check",)):
        done = here(*arguments, "--models", "nowhere.yaml")
        assert done.code == 0
        assert done.err.startswith("note: there is no mapping file ")
        assert done.err.endswith("nowhere.yaml; every lane is unknown\n")
    done = here("code", "--json", "--models", "nowhere.yaml")
    assert json.loads(done.out)["model"] == "unknown"


def test_a_mapping_that_cannot_be_read_is_an_error_that_shows_none_of_it(here: Run) -> None:
    """Unknown would be said of something that was never looked at."""
    Path("broken.yaml").write_text("coder: [hush\nhush hush: [\n")
    done = here("code", "--models", "broken.yaml")
    assert (done.code, done.out) == (2, "")
    assert "line " in done.err
    assert "hush" not in done.err


def test_the_mapping_is_never_written(here: Run) -> None:
    """Whatever is asked."""
    before = Path("map.yaml").stat()
    for arguments in (("code",), ("--check",), ("--list",), ("judge", "--json")):
        here(*arguments)
    assert (Path("map.yaml").read_text(), Path("map.yaml").stat().st_mtime_ns) == (
        MAPPING,
        before.st_mtime_ns,
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "no role is named"),
        (("reviewpanel",), "unknown role: reviewpanel (did you mean review-panel?)"),
        (("idle",), "the role idle has no profile"),
        (("code", "judge"), "unexpected extra argument"),
        (("code", "--list"), "exclude each other"),
        (("code", "--what"), "No such option"),
        (("code", "--roles", "none.tsv"), "the table of roles none.tsv: "),
        (("code", "--roles", "map.yaml"), "map.yaml:1: the header must be: role capability"),
        (("code", "--config", "none.yaml"), "the config none.yaml: "),
    ],
)
def test_bad_usage_is_exit_2(here: Run, arguments: tuple[str, ...], told: str) -> None:
    """With a remedy, and nothing on standard output."""
    done = here(*arguments)
    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert "remedy: " in done.err


def test_the_unknown_role_is_told_the_known_ones(here: Run) -> None:
    """In the order of the table."""
    assert "remedy: the roles are: code, review-panel, judge, idle" in here("x").err


def test_a_role_of_the_authors_family_fails_the_check(here: Run) -> None:
    """Exit 1, the profile named; another family and an unresolved lane fail nothing."""
    done = here("--check")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "review-panel: unresolved (architect): not compared",
        "judge: another model family than the author's",
    ]
    Path("map.yaml").write_text(MAPPING.replace("beta-2", "vendor/alpha-9-mini"))
    done = here("--check")
    assert done.code == 1
    assert "review-panel: the author's model family (reviewer)\n" in done.out
    assert done.err.startswith("remedy: ")
    found = [json.loads(line) for line in here("--check", "--json").out.splitlines()]
    assert [(item["role"], item["verdict"], item["same"]) for item in found] == [
        ("review-panel", "same", ["reviewer"]),
        ("judge", "different", []),
    ]


def test_profiles_stand_at_any_depth_unless_a_block_holds_them(here: Run) -> None:
    """`profiles:` wins wherever it stands; else the profile that is nearest to the top."""
    flat = "machine:\n  old:\n    coder: {model: deep}\n  coder: {provider: p, model: near}\n"
    Path("map.yaml").write_text(flat)
    assert here("code").out == "coder p near unknown\n"
    Path("map.yaml").write_text(f"{flat}  profiles:\n    coder: {{model: blessed}}\n")
    assert here("code").out == "coder unknown blessed unknown\n"


def test_a_hostile_value_is_one_word_and_moves_no_cursor(here: Run) -> None:
    """Blanks and escapes are shown, not printed."""
    Path("map.yaml").write_text('coder: {provider: "a b", model: "\\e[31mred\\nx", effort: "\\u202e"}\n')
    assert here("code").out == "coder a\\x20b \\x1b[31mred\\nx \\u202e\n"


def test_without_a_repository_the_release_has_the_roles(tmp_path: Path) -> None:
    """The installed command, in a folder that knows nothing."""
    done = run_cli("goblin-model", "--list", cwd=tmp_path)
    assert done.code == 0
    shipped = (PROJECT / "manifest" / "roles.tsv").read_text().splitlines()[1:]
    assert [line.split()[0] for line in done.out.splitlines()] == [line.split("\t")[0] for line in shipped]


def test_no_repository_carries_it(installed_sample: Repo) -> None:
    """What runs a role is the business of one machine."""
    assert not (installed_sample / ".goblin/bin/goblin-model").exists()
    assert not (installed_sample / ".goblin/engine/goblin/commands/model.py").exists()
