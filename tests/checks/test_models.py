"""MD: no rule names a model, and review runs on another family. Slugs are put together at run time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from goblin.outcome import Outcome, Verdict
from tests.checks.judging import judge, said
from tests.support import PROJECT, Repo, git
from tests.support.mini import CONFIG, mini_repo
from tests.support.repo import Files

NAMES = "checks/models.py::no_rule_names_a_model"
FAMILIES = "checks/models.py::review_runs_on_another_family"
TABLES = {
    f".goblin/manifest/{name}": (PROJECT / "manifest" / name).read_bytes()
    for name in ("models.tsv", "roles.tsv")
}
SKILL = ".hermes/skills/mine/SKILL.md"

CLA, GPT, GEM, LLA = "cla" + "ude", "gp" + "t", "gem" + "ini", "lla" + "ma"
DEEP, KIMI, GROK, QWEN, GLM = "deep" + "seek", "ki" + "mi", "gro" + "k", "qw" + "en", "gl" + "m"


def repo_with(root: Path, files: Files, config: str = CONFIG) -> Repo:
    """A governed repository that holds the shipped tables and some files."""
    return mini_repo(root, [], {**TABLES, **files}, config)


def record(*skills: str, files: tuple[str, ...] = ()) -> str:
    """An install record that names platforms and files."""
    options = {"skills": list(skills) or "no", "archive": False, "parts": "all"}
    return json.dumps({"version": "1.0.0", "options": options, "files": dict.fromkeys(files, "0" * 64)})


def named(root: Path, text: str | bytes, path: str = SKILL) -> Outcome:
    """The verdict on one skill with this text."""
    return judge(repo_with(root, {path: text}), NAMES)


@pytest.mark.parametrize(
    "name",
    [
        f"{CLA}-3-5-sonnet-20241022",
        f"{CLA}-opus-4-1",
        f"{CLA}_4",
        f"{CLA}3",
        f"{CLA.title()} Opus 4.1",
        f"{CLA.title()} 3.5 Sonnet",
        f"{CLA.upper()}-HAIKU-4",
        f"anthropic/{CLA}-sonnet-4",
        f"us.anthropic.{CLA}-3",
        f"{GPT}-4o",
        f"{GPT}4",
        f"{GPT}-4.1-mini",
        f"MODEL_{GPT.upper()}_4",
        f"chat{GPT}-4o-latest",
        f"{GEM}-2.5-pro",
        f"{GEM}-flash",
        f"{GEM.title()} Pro",
        f"{GEM}-exp-1206",
        f"{DEEP}-r1",
        f"{DEEP}-v3.1",
        f"{DEEP}-chat",
        f"{DEEP}v3",
        f"{KIMI}-k2",
        f"{GROK}-4",
        f"{GROK}-3-mini",
        f"{GROK}-code-fast-1",
        f"{QWEN}2.5-coder:7b",
        f"{LLA}3:8b",
        f"meta-{LLA}-3",
        f"mis{'tral'}-large-2407",
        f"mix{'tral'}-8x7b",
        f"{GLM}-4.5-air",
        "o" + "3-mini",
        "ph" + "i-3-medium",
        "no" + "va-pro",
    ],
)
def test_a_family_with_a_version_like_tail_is_a_hit(tmp_path: Path, name: str) -> None:
    """The finding names the file, the line, the column and the slug."""
    outcome = named(tmp_path, f"---\nname: mine\n---\nmodel: {name}\n")
    assert outcome.verdict is Verdict.FAIL, said(outcome)
    assert [(f.path, f.line) for f in outcome.findings] == [(SKILL, 4)]
    assert outcome.findings[0].column >= len("model: ") + 1
    assert outcome.findings[0].message.lower() in name.lower()
    assert "in 1 place(s) of 1 file(s)" in outcome.summary


@pytest.mark.parametrize(
    "prose",
    [
        f"lib{'op' + 'us'} decodes {'op' + 'us'} audio",
        f"the {GEM.title()} protocol, spoken at {GEM}://host, and {GEM}-style pages",
        f"a {GPT.upper()} partition, {GPT}id and the {GPT}-partitioned disk",
        "the variable o1 = o3 + o4; o1_2",
        f"a {'son' + 'net'} (the poem) and a {'hai' + 'ku'}",
        f"{CLA.title()} Shannon, {CLA.title()} Monet, {CLA}",
        f"{CLA}-code and the folders .{CLA}/skills, {CLA}.md",
        f"to {GROK} 3 things, {GROK} it",
        f"the host {LLA}:8080, {LLA}.cpp, o{LLA}",
        f"{GEM}. 2. Second item\n{GEM}\n2 apples\n- {GEM}\n- flash",
        f"default: {GEM}\nflash: on",
        "phi_2 = phi-3; nova-scotia; command -r 4",
        f"{KIMI}, {DEEP}, {QWEN}, {GLM}(y ~ x)",
        f"{GPT}-professional, {CLA}-project, {GEM}-minimal, {GEM}-flashlight",
        f"x{GPT}-4, e{CLA}-3",
    ],
)
def test_a_bare_name_in_prose_is_no_hit(tmp_path: Path, prose: str) -> None:
    """Platforms, persons, protocols, disk layouts and poems carry the same names."""
    outcome = named(tmp_path, prose + "\n")
    assert outcome.verdict is Verdict.PASS, said(outcome)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"use {CLA}-\nopus-4 here", 1),
        (f"use {CLA}-\n    opus-4 here", 1),
        (f"# use {CLA}-\n# opus-4 here", 1),
        (f"> {GPT}-\n> 4o", 1),
        (f"one\ntwo {GPT}\n-4o here", 2),
        (f"run x --model {CLA}\\\n  -opus-4", 1),
        (f"see {CLA[:4]}-\n{CLA[4:]}-opus-4", 1),
        (f"see {DEEP[:4]}\n{DEEP[4:]}-r1", 1),
        (f"see {CLA}-\r\nopus-4", 1),
        (f"\u201c{CLA}\u2011opus\u20114\u201d", 1),
        (f"{GPT}\u20104o and \u2212", 1),
        (f"{CLA[:2]}\u200b{CLA[2:]}-opus-4", 1),
        (f"{GPT}\u00ad-4o", 1),
        (f"{CLA.title()}\u00a0Opus", 1),
        ("".join(chr(ord(c) + 0xFEE0) for c in f"{GPT}-4o"), 1),
    ],
    ids=range(15),
)
def test_a_name_that_a_break_or_an_odd_character_cuts_is_a_hit(tmp_path: Path, text: str, line: int) -> None:
    """What a reader sees as one name is one, and the line of its beginning is printed."""
    outcome = named(tmp_path, text + "\n")
    assert outcome.verdict is Verdict.FAIL, said(outcome)
    assert [f.line for f in outcome.findings] == [line]


def test_every_encoding_of_a_text_is_read_and_a_binary_file_is_not(tmp_path: Path) -> None:
    """UTF-16, a stray NUL and bytes that are no UTF-8 hide nothing; an image is left out and counted."""
    slug = f"{GPT}-4o"
    outcome = judge(
        repo_with(
            tmp_path,
            {
                ".goblin/rules/utf16.md": f"use {slug}\n".encode("utf-16"),
                ".goblin/rules/nul.md": f"a\0b\nuse {slug}\n".encode(),
                ".goblin/rules/latin.md": f"caf\xe9 {slug}\n".encode("latin-1"),
                ".goblin/rules/mark.md": b"\xef\xbb\xbf" + slug.encode(),
                ".goblin/rules/image.png": b"\x89PNG\0\xff\xfe" + slug.encode() + b"\xff\0",
            },
        ),
        NAMES,
    )
    assert sorted(f.path.rpartition("/")[2] for f in outcome.findings) == [
        "latin.md",
        "mark.md",
        "nul.md",
        "utf16.md",
    ]


def test_every_place_is_listed(tmp_path: Path) -> None:
    """Not only the first, in the order of the files."""
    text = f"{GPT}-4o and {GPT}-5\n\n{GPT}-4\n"
    outcome = judge(repo_with(tmp_path, {SKILL: text, ".goblin/rules/a.md": text}), NAMES)
    assert [(f.path, f.line) for f in outcome.findings] == [
        *((".goblin/rules/a.md", n) for n in (1, 1, 3)),
        *((SKILL, n) for n in (1, 1, 3)),
    ]


def test_only_what_installs_put_below_goblin_is_read(tmp_path: Path) -> None:
    """The config, the record, the loop record and third-party code may say what they like."""
    slug = f"{GPT}-4o\n"
    clean = {
        f".goblin/{path}": slug
        for path in ("engine/_vendor/click/core.py", "loop/predicate", "audit.tsv", "work/a/contract.json")
    }
    config = CONFIG + f"models_file: /srv/{GPT}-4o.yaml\n"
    others = {"docs/a.md": slug, "tests/a.md": slug, "src/a.py": slug, "README.md": slug}
    outcome = judge(repo_with(tmp_path / "a", {**clean, **others}, config), NAMES)
    assert outcome.verdict is Verdict.PASS, said(outcome)
    for folder in ("bin", "manifest", "checks", "bans", "rules", "automations", "engine/goblin"):
        outcome = judge(repo_with(tmp_path / folder.replace("/", "-"), {f".goblin/{folder}/x": slug}), NAMES)
        assert [f.path for f in outcome.findings] == [f".goblin/{folder}/x"]


def test_engine_files_as_a_release_wrote_them_are_counted_and_not_searched(tmp_path: Path) -> None:
    """Their own release held them clean; one changed byte, or no record, and they are searched."""
    import hashlib

    text = f"# as {GPT}-4o does\n"
    path = ".goblin/engine/goblin/a.py"
    files = {path: text, SKILL: text}
    digest = hashlib.sha256(text.encode()).hexdigest()
    entry = json.loads(record("hermes")) | {"files": {path: digest, SKILL: digest}}
    repo = repo_with(tmp_path / "a", {**files, ".goblin/installed.json": json.dumps(entry)})
    assert [f.path for f in judge(repo, NAMES).findings] == [SKILL]
    repo.write({SKILL: "clean\n"})
    assert "1 more are as the release wrote them" in judge(repo, NAMES).summary
    repo.write({path: text + "\n"})
    assert [f.path for f in judge(repo, NAMES).findings] == [path]
    assert len(judge(repo_with(tmp_path / "b", files), NAMES).findings) == 2


def test_skills_of_the_recorded_platforms_are_read(tmp_path: Path) -> None:
    """Another platform's skills are not this install's; without a record every known folder is read."""
    skills = {f".{name}/skills/a/SKILL.md": f"{GPT}-4o\n" for name in ("hermes", "claude", "github")}
    recorded = {**skills, ".goblin/installed.json": record("claude", "copilot")}
    outcome = judge(repo_with(tmp_path / "a", recorded), NAMES)
    assert [f.path for f in outcome.findings] == [".claude/skills/a/SKILL.md", ".github/skills/a/SKILL.md"]
    assert len(judge(repo_with(tmp_path / "b", skills), NAMES).findings) == 3
    assert (
        judge(repo_with(tmp_path / "c", {**skills, ".goblin/installed.json": record()}), NAMES).verdict
        is Verdict.PASS
    )


def test_a_projects_own_folder_of_a_source_layouts_name_is_information(tmp_path: Path) -> None:
    """It fails only where the install wrote into that folder, or in a checkout of a harness."""
    own: dict[str, str | bytes] = {
        "bin/serve": f"--model {GPT}-4o\n",
        ".goblin/installed.json": record("hermes"),
    }
    outcome = judge(repo_with(tmp_path / "own", own), NAMES)
    assert outcome.verdict is Verdict.PASS
    assert "1 in the project's own files, for information" in outcome.summary
    assert [f.place() for f in outcome.findings] == ["bin/serve:1:9"]

    ours = {**own, ".goblin/installed.json": record("hermes", files=("bin/tool",))}
    assert judge(repo_with(tmp_path / "ours", ours), NAMES).verdict is Verdict.FAIL

    harness: dict[str, str | bytes] = {
        **own,
        "manifest/enforcement.tsv": (PROJECT / "manifest" / "roles.tsv").read_bytes(),
    }
    assert judge(repo_with(tmp_path / "no-harness", harness), NAMES).verdict is Verdict.PASS
    harness["manifest/enforcement.tsv"] = "id\tscope\tpart\n"
    assert judge(repo_with(tmp_path / "harness", harness), NAMES).verdict is Verdict.FAIL


def test_untracked_build_output_of_a_project_is_not_looked_at(tmp_path: Path) -> None:
    """Information comes from tracked files, so a large ignored `bin/` costs nothing."""
    repo = repo_with(tmp_path, {".goblin/installed.json": record("hermes"), ".gitignore": "/bin/\n"})
    repo.write({"bin/out.txt": f"{GPT}-4o\n"})
    outcome = judge(repo, NAMES)
    assert outcome.verdict is Verdict.PASS
    assert outcome.findings == ()


def test_links_lead_nowhere_out_of_the_root_and_nothing_is_read_twice(tmp_path: Path) -> None:
    """A shared skill inside the root is read once; a loop, a dangling link and the outside are not."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "SKILL.md").write_text(f"{GPT}-4o\n")
    files = {
        ".agents/skills/shared/SKILL.md": f"{GPT}-4o\n",
        ".claude/skills/shared@": "../../.agents/skills/shared",
        ".claude/skills/loop@": "..",
        ".claude/skills/gone@": "nowhere",
        ".claude/skills/out@": str(outside),
        ".claude/skills/file.md@": str(outside / "SKILL.md"),
        ".goblin/installed.json": record("claude", "agents"),
    }
    outcome = judge(repo_with(tmp_path / "repo", files), NAMES)
    assert [f.path for f in outcome.findings] == [".claude/skills/shared/SKILL.md"]


def test_a_skills_folder_that_is_a_link_inside_the_root_is_read(tmp_path: Path) -> None:
    """Platforms share one folder that way."""
    files = {
        "tools/skills/a/SKILL.md": f"{GPT}-4o\n",
        ".claude/skills@": "../tools/skills",
        ".goblin/installed.json": record("claude"),
    }
    outcome = judge(repo_with(tmp_path, files), NAMES)
    assert [f.path for f in outcome.findings] == [".claude/skills/a/SKILL.md"]


def test_what_cannot_be_read_is_no_pass(tmp_path: Path) -> None:
    """A pipe is not opened and a huge file is not loaded: both are named, and the row fails."""
    import os

    repo = repo_with(tmp_path, {".goblin/rules/big.md": "x\n"})
    os.mkfifo(tmp_path / ".goblin" / "rules" / "pipe")
    with open(tmp_path / ".goblin" / "rules" / "big.md", "r+b") as file:
        file.truncate((4 << 20) + 1)
    outcome = judge(repo, NAMES)
    assert outcome.verdict is Verdict.FAIL
    assert "2 rule file(s) could not be read" in outcome.summary
    assert {f.path for f in outcome.findings} == {".goblin/rules/big.md", ".goblin/rules/pipe"}


def test_a_file_full_of_names_ends_soon(tmp_path: Path) -> None:
    """Lines, columns and tails are found without reading the file again for each hit."""
    lines = (f"{GPT}-4" * 20 + "\n") * 8000 + f"{GPT}-" + "4" * 900_000
    outcome = named(tmp_path, lines + CLA + " " * 900_000 + "\n" * 200_000 + f"{CLA[:3]}\n{CLA[3:]}" * 20_000)
    assert outcome.verdict is Verdict.FAIL
    assert 0 < len(outcome.findings) < 1000
    assert all(len(f.message) <= 60 for f in outcome.findings)


def test_without_git_the_rules_are_still_judged(tmp_path: Path) -> None:
    """The rules are read as files; only the project's own folders need the index."""
    import shutil

    repo = repo_with(tmp_path, {SKILL: f"{GPT}-4o\n", "bin/x": f"{GPT}-4o\n"})
    shutil.rmtree(tmp_path / ".git")
    assert [f.path for f in judge(repo, NAMES).findings] == [SKILL]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (b"\tjoined\t", b"\tsometimes\t", "numbers is 'sometimes'"),
        (f"\n{CLA}\t".encode(), b"\nCla.ude\t", "one lower-case word each"),
        (f"\n{KIMI}\t".encode(), f"\n{GROK}\t".encode(), "stands a second time"),
        (b"*\t-\t-\t", b"*\tall\t-\t", "has '-' for family and numbers"),
        (b"\tinstant", b"\t(instant", "lower-case words"),
    ],
)
def test_a_wrong_line_of_the_table_is_a_fail_that_names_it(
    tmp_path: Path, old: bytes, new: bytes, told: str
) -> None:
    """A cut table must not read as "nothing found"."""
    table = TABLES[".goblin/manifest/models.tsv"]
    assert old in table
    repo = repo_with(tmp_path, {".goblin/manifest/models.tsv": table.replace(old, new)})
    outcome = judge(repo, NAMES)
    assert outcome.verdict is Verdict.FAIL
    assert told in said(outcome)
    assert ".goblin/manifest/models.tsv:" in said(outcome)


@pytest.mark.parametrize("table", [None, b"name\tfamily\tnumbers\tvariants\n"])
def test_no_family_at_all_is_a_fail(tmp_path: Path, table: bytes | None) -> None:
    """Neither a missing nor an empty table switches the row off."""
    repo = repo_with(tmp_path, {".goblin/manifest/models.tsv": table or b""})
    if table is None:
        repo.remove(".goblin/manifest/models.tsv")
    outcome = judge(repo, NAMES)
    assert outcome.verdict is Verdict.FAIL
    assert "lists no family" in outcome.summary


def test_only_the_table_itself_is_left_out(tmp_path: Path) -> None:
    """Another file of its name is a rule like any other."""
    path = ".hermes/skills/mine/manifest/models.tsv"
    assert [f.path for f in named(tmp_path, f"{GPT}-4o\n", path).findings] == [path]


def test_what_we_ship_names_no_model() -> None:
    """Every file of the project that an install copies or reads is clean by its own rule."""
    from goblin.facts.modelnames import parse
    from goblin.facts.ruletext import RuleText, Text
    from goblin.tables import read

    table = (PROJECT / "manifest" / "models.tsv").read_bytes()
    names = parse(read(table, ("name", "family", "numbers", "variants"), "models.tsv"))
    folders = ("bin", "checks", "manifest", "schemas", "skills", "src", "templates")
    paths = git(PROJECT, "ls-files", "-co", "--exclude-standard", "-z", "--", *folders).split("\0")
    texts = [
        Text(path, (PROJECT / path).read_bytes()) for path in paths if path and (PROJECT / path).is_file()
    ]
    assert len(texts) > 60
    assert [f"{hit.text.finding(hit.offset, hit.name)}" for hit in names.find(RuleText(texts))] == []


ROLES = ".goblin/manifest/roles.tsv"


def mapped(root: Path, text: str | None, files: Files | None = None, models_file: str = "models.yaml") -> str:
    """What MD-02 says with this mapping file; it lies in the root, where the row may read it."""
    config = CONFIG + f"models_file: {models_file}\n"
    content = {**(files or {}), **({"models.yaml": text} if text is not None else {})}
    outcome = judge(repo_with(root, content, config), FAMILIES)
    assert outcome.verdict is Verdict.ADV
    return said(outcome)


def workers(**models: str) -> str:
    """A mapping file of profiles with their models."""
    return "profiles:\n" + "".join(
        f"  {name}: {{provider: p, model: {model}, effort: high}}\n" for name, model in models.items()
    )


ALL_APART = {"coder": "v/alpha-3-20250101", "reviewer": "beta-2", "architect": "w/gamma", "judge": "delta:9b"}


def test_lanes_of_different_families_are_said_to_differ(tmp_path: Path) -> None:
    """The raw slugs stand beside the families."""
    text = mapped(tmp_path, workers(**ALL_APART))
    assert "review and code: different family; judge: different family" in text
    assert "code coder: v/alpha-3-20250101 (family alpha)" in text
    assert "judge judge: delta:9b (family delta)" in text


def test_each_lane_of_the_panel_is_compared(tmp_path: Path) -> None:
    """The second reviewer may be the one that shares the coder's family."""
    text = mapped(tmp_path, workers(**{**ALL_APART, "architect": "other-vendor/alpha-4"}))
    assert "review and code: same family (architect)" in text


def test_variants_of_one_listed_family_are_one_family(tmp_path: Path) -> None:
    """A larger sibling is no second opinion."""
    models = {**ALL_APART, "coder": f"a/{CLA}-son" + "net-4", "judge": f"b.{CLA}-op" + "us-4-1@20250805"}
    text = mapped(tmp_path, workers(**models))
    assert "judge: the SAME family as the code lane" in text
    assert "review and code: different family" in text


@pytest.mark.parametrize("model", ["unknown", "'?'", "''", "~", "UNKNOWN"])
def test_two_unresolved_lanes_are_never_the_same_family(tmp_path: Path, model: str) -> None:
    """Nothing is known of them, so nothing is equal."""
    text = mapped(tmp_path, workers(**dict.fromkeys(ALL_APART, model)))
    assert "review and code: unresolved (coder, reviewer, architect)" in text
    assert "same family" not in text.lower()


def test_a_judge_that_the_mapping_lacks_has_a_remedy(tmp_path: Path) -> None:
    """One line says what to add and where."""
    models = {name: model for name, model in ALL_APART.items() if name != "judge"}
    assert "judge: unresolved; add the profile judge to the mapping file" in mapped(
        tmp_path, workers(**models)
    )


def test_a_role_without_a_lane_does_not_resolve(tmp_path: Path) -> None:
    """Neither a missing role nor one without profiles can be compared."""
    table = TABLES[ROLES].decode()
    for change in (("\nreview-panel\t", "\nreview-board\t"), ("\treviewer,architect\t", "\t-\t")):
        assert change[0] in table
        text = mapped(tmp_path / change[1].strip(), workers(**ALL_APART), {ROLES: table.replace(*change)})
        assert "did not resolve both lanes: roles.tsv gives review-panel no profile" in text


@pytest.mark.parametrize(
    ("models_file", "told"),
    [
        ("''", "no model mapping configured (models_file is not set)"),
        ("nowhere.yaml", "no model mapping configured (nowhere.yaml does not exist)"),
        ("~/nowhere.yaml", "no model mapping configured (~/nowhere.yaml does not exist)"),
        ("../outside.yaml", "not a relative path inside the repository"),
        ("/dev/zero", "not a regular file"),
    ],
)
def test_a_mapping_that_is_not_there_is_said_to_be_absent(
    tmp_path: Path, models_file: str, told: str
) -> None:
    """Unset, absent, outside and no file: none of them is read, and none fails."""
    assert told in mapped(tmp_path, None, models_file=models_file)


def test_a_mapping_that_is_no_yaml_never_shows_its_text(tmp_path: Path) -> None:
    """The path is the repository's choice, so the file may be anybody's secret."""
    text = mapped(tmp_path, "a: b\nhush hush: [\n")
    assert "no model mapping configured that can be used" in text
    assert "line " in text
    assert "hush" not in text


def test_a_mapping_outside_the_root_is_read_through_a_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People keep such files in a folder of their own and link to them."""
    home = tmp_path / "person"
    home.mkdir()
    (home / "real.yaml").write_text(workers(**ALL_APART))
    (home / "models.yaml").symlink_to("real.yaml")
    monkeypatch.setenv("HOME", str(home))
    text = mapped(tmp_path / "repo", None, models_file="~/models.yaml")
    assert "review and code: different family" in text


def test_a_profile_counts_where_profiles_stand_and_nowhere_else(tmp_path: Path) -> None:
    """A key of the same name in another block is not the profile."""
    decoy = "notes:\n  judge: {model: alpha-1}\n"
    apart = workers(**ALL_APART)
    assert "judge: different family" in mapped(tmp_path / "a", decoy + apart)
    flat = "\n".join(line[2:] for line in apart.splitlines()[1:])
    assert "judge: different family" in mapped(tmp_path / "b", decoy + flat)
