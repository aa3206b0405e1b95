"""Roles, the mapping file of one machine, and the family of a slug."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.lanes import (
    Lane,
    Lanes,
    MapError,
    Role,
    Worker,
    families,
    family,
    parse_map,
    parse_roles,
    read_map,
)
from goblin.manifest import TABLES
from goblin.tables import Record, read
from tests.support import PROJECT

KNOWN, VARIANTS = families(
    read((PROJECT / "manifest" / "models.tsv").read_bytes(), TABLES["models.tsv"], "models.tsv")
)
CLA, GPT, QWEN, GEM = "cla" + "ude", "gp" + "t", "qw" + "en", "gem" + "ini"


def test_a_role_has_its_profiles_in_order() -> None:
    """Blanks do not count, `-` is none, and the first line of a name decides."""
    roles = parse_roles(
        [
            Record(2, ("panel", "verdicts", " reviewer , architect,", "P7,P9", "one each")),
            Record(3, ("idle", "nothing", "-", "-", "-")),
            Record(4, ("panel", "again", "coder", "P1", "none")),
        ]
    )
    assert roles == {
        "panel": Role("panel", "verdicts", ("reviewer", "architect"), ("P7", "P9"), "one each"),
        "idle": Role("idle", "nothing", (), (), "-"),
    }


def test_the_shipped_roles_give_every_lane_a_profile() -> None:
    """Six roles, the panel with two lanes and the judge with one (spec playbooks 7)."""
    table = (PROJECT / "manifest" / "roles.tsv").read_bytes()
    roles = parse_roles(read(table, TABLES["roles.tsv"], "roles.tsv"))
    assert set(roles) == {"code", "judgment", "review-panel", "synthesis", "investigate", "judge"}
    assert {name: len(role.profiles) for name, role in roles.items()} == dict.fromkeys(roles, 1) | {
        "review-panel": 2
    }
    assert not set(roles["judge"].profiles) & set(roles["code"].profiles)


@pytest.mark.parametrize("indent", ["", "  "])
def test_workers_stand_below_profiles_or_at_the_top(indent: str) -> None:
    """What is not said is unknown; what is no text is not said; strings stay as written."""
    lines = [
        "coder: {provider: p, model: 1.10, effort: high}",
        "judge:",
        "  model: 'x/y'",
        "  provider: ~",
        "reviewer: just-text",
        "architect: {model: [a, b], provider: '  ', effort: ''}",
        "idle:",
    ]
    text = "\n".join(indent + line for line in lines) + "\n"
    found = parse_map((("notes: x\nprofiles:\n" if indent else "") + text).encode())
    assert found == {
        "coder": Worker("p", "1.10", "high"),
        "judge": Worker("unknown", "x/y", "unknown"),
        "reviewer": Worker(),
        "architect": Worker(),
        "idle": Worker(),
    }


def test_a_profile_may_stand_deeper_and_the_nearest_counts() -> None:
    """Without a block `profiles:`, every mapping that says something of a worker is one."""
    text = "a:\n  coder: {model: deep}\n  judge: {x: y}\ncoder: {model: near}\nb:\n  other: {effort: low}\n"
    assert parse_map(text.encode()) == {
        "a": Worker(),
        "coder": Worker("unknown", "near"),
        "b": Worker(),
        "other": Worker(effort="low"),
    }
    assert parse_map(f"m:\n  n:\n    profiles:\n      judge: {{model: x}}\n{text}".encode()) == {
        "judge": Worker("unknown", "x")
    }
    shared = "a: &a {coder: {model: x}}\nb: *a\n"
    assert parse_map(shared.encode())["coder"].model == "x"


@pytest.mark.parametrize("text", ["", "# nothing\n", "profiles:\n", "profiles: ~\n", "\ufeff# nothing\n"])
def test_an_empty_mapping_maps_nothing(text: str) -> None:
    """A file that says nothing is no error."""
    assert parse_map(text.encode()) == {}


@pytest.mark.parametrize(
    "text",
    ["- a\n", "text\n", "profiles: [a]\n", "a: [\n", "a: 1\na: 2\n", "a: b: c\n", "\0", b"\xff\xfe\xff"],
)
def test_what_is_no_mapping_is_refused_without_its_text(text: str | bytes) -> None:
    """The reason gives a place or a shape, never a word of the file."""
    data = text if isinstance(text, bytes) else text.encode().replace(b"a", b"secret")
    with pytest.raises(MapError) as caught:
        parse_map(data)
    assert "secret" not in str(caught.value)


def test_a_mapping_is_read_from_home_from_the_root_and_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`~/` is expanded, a relative path is below the root, an absolute one is itself."""
    root = tmp_path / "root"
    root.mkdir()
    for name, folder in (("home", tmp_path), ("below", root)):
        (folder / "m.yaml").write_text(f"coder: {{model: {name}}}\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    read_model = {
        named: (read_map(named, str(root)) or {})["coder"].model
        for named in ("~/m.yaml", "m.yaml", str(tmp_path / "m.yaml"))
    }
    assert list(read_model.values()) == ["home", "below", "home"]
    assert read_map("none.yaml", str(root)) is None
    assert read_map(str(tmp_path / "none.yaml"), str(root)) is None


def test_only_a_regular_file_of_a_bounded_size_is_read(tmp_path: Path) -> None:
    """A folder, a pipe, a device, a huge file and a way out of the root are refused, each with its reason."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("/etc")
    with open(tmp_path / "huge", "wb") as file:
        file.truncate((1 << 20) + 1)
    for named in (
        "pipe",
        str(tmp_path / "pipe"),
        "folder",
        "/dev/zero",
        "huge",
        "../x",
        "link/passwd",
        "~other/x",
        "/",
    ):
        with pytest.raises(MapError, match=r"\w"):
            read_map(named, str(tmp_path))


@pytest.mark.parametrize(
    ("slug", "expected"),
    [
        ("alpha", "alpha"),
        ("vendor/alpha-3", "alpha"),
        ("a/b/Alpha-3.5-20250101", "alpha"),
        ("alpha3", "alpha"),
        ("alpha-v3", "alpha"),
        ("alpha-r1", "alpha"),
        ("alpha:latest", "alpha"),
        ("alpha-70b:8bit", "alpha"),
        ("vendor.alpha-2", "alpha"),
        ("alpha-large-2407", "alpha"),
        ("alpha-beta-2", "alpha-beta"),
        ("3-4", "3-4"),
        (f"{GPT}-4o-mini", GPT),
        (f"chat{GPT}-4o-latest", GPT),
        (f"openai:{GPT}-4.1", GPT),
        ("o" + "3-mini", GPT),
        (f"us.anthropic.{CLA}-3-5-haiku-20241022-v1:0", CLA),
        (f"vendor/{CLA}-sonnet-4@20250514", CLA),
        (f"{QWEN}2.5-coder:7b", QWEN),
        (f"models/{GEM}-2.5-pro", GEM),
        ("mix" + "tral-8x7b", "mistral"),
        ("meta-" + "lla" + "ma-3-70b", "lla" + "ma"),
        ("", ""),
        (" ? ", ""),
        ("Unknown", ""),
    ],
)
def test_a_family_is_the_slug_without_vendor_version_date_and_variant(slug: str, expected: str) -> None:
    """Listed families are recognised wherever they stand; of others what is left counts."""
    assert family(slug, KNOWN, VARIANTS) == expected


@given(st.text(max_size=40))
def test_every_text_has_a_family_unless_it_is_unresolved(text: str) -> None:
    """It never fails, and does not depend on case or surrounding blanks."""
    found = family(text, KNOWN, VARIANTS)
    assert (found == "") == (text.strip().lower() in ("", "?", "unknown"))
    assert family(f" {text.lower()} ", KNOWN, VARIANTS) == found


@given(st.sampled_from(sorted(KNOWN)), st.integers(1, 9), st.sampled_from(sorted(VARIANTS)))
def test_siblings_are_of_one_family(name: str, version: int, variant: str) -> None:
    """Whatever version and variant follow a listed name."""
    assert family(f"vendor/{name}-{version}-{variant}", KNOWN, VARIANTS) == KNOWN[name]


def test_lanes_are_the_profiles_of_a_role_with_their_workers() -> None:
    """A profile that the mapping lacks is unresolved; a role that does not exist has no lane."""
    role = Role("panel", "", ("one", "two"), (), "")
    lanes = Lanes({"panel": role}, {"one": Worker("p", f"v/{GPT}-4o", "low")}, "", KNOWN, VARIANTS)
    assert lanes.of("panel") == (
        Lane("panel", "one", Worker("p", f"v/{GPT}-4o", "low"), GPT),
        Lane("panel", "two", Worker(), ""),
    )
    assert [lane.resolved for lane in lanes.of("panel")] == [True, False]
    assert lanes.of("judge") == ()
    assert [lane.resolved for lane in Lanes({"panel": role}).of("panel")] == [False, False]


@pytest.mark.parametrize(
    "worker", [Worker("p", "?"), Worker("", "m"), Worker("UNKNOWN", "m"), Worker("p", "")]
)
def test_a_lane_needs_a_provider_and_a_model(worker: Worker) -> None:
    """All three ways to say nothing mean the same."""
    assert not Lane("r", "p", worker, "").resolved
