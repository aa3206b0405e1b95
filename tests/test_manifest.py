"""The tables say what to run, so a structural fault ends everything before any row runs (exit 3)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.manifest import COLUMNS, PARTS, TABLES, Manifest, ManifestBroken, defines, read_folder
from goblin.outcome import CannotRun
from tests.support import PROJECT, run_cli, write_files
from tests.support.mini import CONFIG, MATRIX_ROW, row, table

MATRIX = ".goblin/manifest/enforcement.tsv"


def load(root: Path, matrix: str | bytes | None = None, **more: str | bytes) -> Manifest:
    """The manifest of a root with this matrix; `more` are other files below `.goblin/` (`__` is a slash)."""
    files = {f".goblin/{name.replace('__', '/')}.tsv": text for name, text in more.items()}
    if matrix is not None:
        files[MATRIX] = matrix
    write_files(root, files)
    return read_folder(str(root / ".goblin" / "manifest"), str(root))


def broken(root: Path, matrix: str | bytes, **more: str | bytes) -> str:
    """What is said of a broken manifest."""
    with pytest.raises(ManifestBroken) as caught:
        load(root, matrix, **more)
    return str(caught.value)


def matrix_of(*rows: tuple[str, ...]) -> str:
    """A matrix with the row that every one needs, and these."""
    return table(COLUMNS, [MATRIX_ROW, *rows])


def test_the_rows_are_typed_and_keep_their_order_and_their_lines(tmp_path: Path) -> None:
    """A part of `-` is none; blanks around a cell do not count."""
    manifest = load(
        tmp_path,
        matrix_of(row("ZZ-02", " true ", part="gate"), row("ZY-01", "advisory", enforced_by="advisory")),
    )
    assert [(r.id, r.line, r.part, r.check, r.advisory, r.family) for r in manifest.rows] == [
        ("IN-03", 2, "", "true", False, "IN"),
        ("ZZ-02", 3, "gate", "true", False, "ZZ"),
        ("ZY-01", 4, "", "advisory", True, "ZY"),
    ]
    assert manifest.by_id()["ZY-01"] is manifest.rows[2]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([row("ZZ-01", "")], "3: ZZ-01 has an empty check: give it a command, or label it advisory"),
        ([row("ZZ-01", "  ")], "3: ZZ-01 has an empty check"),
        ([row("ZZ-01", "true"), row("ZZ-01", "false")], "4: ZZ-01 stands a second time (first in line 3)"),
        (
            [row("ZZ-01", "true", scope="targt")],
            "3: ZZ-01 has the scope 'targt'; it is one of: target source",
        ),
        ([row("ZZ-01", "true", enforced_by="bogus")], "3: ZZ-01 is enforced by 'bogus'; it is one of: "),
        ([row("ZZ-01", "true", enforced_by="")], "3: ZZ-01 is enforced by ''"),
        ([row("ZZ-01", "true", part="hanoff")], "3: ZZ-01 names the part 'hanoff'; it is '-' or one of: "),
        ([row("zz-01", "true")], "3: the id 'zz-01' is not two or three capitals"),
        ([row("ZZ-1", "true")], "3: the id 'ZZ-1' is not"),
        ([row("ZZZZ-01", "true")], "3: the id 'ZZZZ-01' is not"),
        ([row("", "true")], "3: the id '' is not"),
        ([row("ZZ-0\u0661", "true")], "3: the id 'ZZ-0\u0661' is not"),
        (
            [row("ZZ-01", "checks/none.py::holds")],
            "3: ZZ-01 names checks/none.py::holds, and there is no such function",
        ),
        (
            [row("ZZ-01", "checks/models.py::no_such")],
            "3: ZZ-01 names checks/models.py::no_such, and there is no",
        ),
        (
            [row("ZZ-01", "checks/../x.py::f")],
            "3: ZZ-01 names 'checks/../x.py::f'; a function reads checks/<file>.py",
        ),
        (
            [row("ZZ-01", "rules/x.py::f")],
            "3: ZZ-01 names 'rules/x.py::f'; a function reads checks/<file>.py::<name>",
        ),
        (
            [row("ZZ-01", "checks/models.py::f --x")],
            "3: ZZ-01 names 'checks/models.py::f --x'; a function reads",
        ),
        ([row("ZZ-01", "true")[:8]], "3: 8 field(s) where the header has 9"),
        ([(*row("ZZ-01", "true"), "more")], "3: 10 field(s) where the header has 9"),
    ],
)
def test_a_structural_fault_of_the_matrix_is_named_with_its_line(
    tmp_path: Path, rows: list[tuple[str, ...]], said: str
) -> None:
    """And with the words that it may hold instead."""
    text = "\n".join("\t".join(cells) for cells in [COLUMNS, MATRIX_ROW, *rows]) + "\n"
    assert broken(tmp_path, text).startswith(f"{MATRIX}:{said}")


@pytest.mark.parametrize(
    ("matrix", "said"),
    [
        ("", f"{MATRIX}:1: no header"),
        ("id\tscope\n", f"{MATRIX}:1: the header must be: id scope part"),
        (table(COLUMNS, [MATRIX_ROW]).replace("blind_spot", "if_not_why"), f"{MATRIX}:1: the header must be"),
        (b"\xff\xfe", f"{MATRIX}:1: byte 1 is not UTF-8"),
        (table(COLUMNS, []), f"{MATRIX} holds no row"),
        (table(COLUMNS, [row("ZZ-01", "true")]), f"{MATRIX} lacks IN-03"),
        (table(COLUMNS, [MATRIX_ROW]) + "# a comment\n", f"{MATRIX}:3: 1 field(s)"),
    ],
)
def test_a_matrix_that_is_none_is_broken(tmp_path: Path, matrix: str | bytes, said: str) -> None:
    """An empty one must not read as "nothing to check"."""
    assert broken(tmp_path, matrix).startswith(said)


def test_no_matrix_at_all_is_no_install(tmp_path: Path) -> None:
    """That is exit 2 with the command that installs, not a broken manifest."""
    with pytest.raises(CannotRun, match=r"not installed: there is no \.goblin/manifest/enforcement\.tsv"):
        load(tmp_path, None)


@pytest.mark.parametrize("name", sorted(TABLES))
def test_header_and_field_count_of_every_table_are_structure(tmp_path: Path, name: str) -> None:
    """A wrong value in them is the business of the row that owns them."""
    columns = TABLES[name]
    path, key = tmp_path / ".goblin/manifest" / name, f"manifest__{name[:-4]}"
    good = table(columns, [tuple("nonsense" for _ in columns)])
    assert load(tmp_path, matrix_of(), **{key: good}).table(name)[0].cells == tuple(
        "nonsense" for _ in columns
    )
    said = broken(tmp_path, matrix_of(), **{key: good.replace("nonsense\t", "", 1)})
    assert (
        said
        == f".goblin/manifest/{name}:2: {len(columns) - 1} field(s) where the header has {len(columns)}: "
        + ("separate cells with one TAB each")
    )
    said = broken(tmp_path, matrix_of(), **{key: good.replace(columns[0], "other", 1)})
    assert said.startswith(f".goblin/manifest/{name}:1: the header must be: {' '.join(columns)}")
    path.unlink()
    manifest = load(tmp_path, matrix_of())
    assert not manifest.has(name) or name == "controls.tsv"
    assert manifest.table(name) == ()


def test_a_mark_and_carriage_returns_are_tolerated_in_every_table(tmp_path: Path) -> None:
    """The same rows come back, whatever an editor did to the line ends."""
    source = PROJECT / "manifest"
    plain = read_folder(str(source))
    for path in source.glob("*.tsv"):
        data = b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n")
        write_files(tmp_path, {path.name: data})
    marked = read_folder(str(tmp_path))
    assert marked.rows == plain.rows
    assert {name: marked.table(name) for name in TABLES} == {name: plain.table(name) for name in TABLES}
    assert len(plain.rows) > 20


def test_project_rows_and_controls_join_the_shipped_ones(tmp_path: Path) -> None:
    """They are marked, run like shipped rows, and may name a function of their own folder."""
    controls = table(TABLES["controls.tsv"], [("QQ-01", "broken", "false", "FAIL", "x")])
    manifest = load(
        tmp_path,
        matrix_of(),
        rules__enforcement=table(COLUMNS, [row("QQ-01", "rules/mine.py::holds"), row("QQ-02", "true")]),
        rules__controls=controls,
        manifest__controls=controls.replace("QQ-01", "IN-03"),
    )
    assert [(r.id, r.project) for r in manifest.rows] == [("IN-03", False), ("QQ-01", True), ("QQ-02", True)]
    assert [record.cells[0] for record in manifest.table("controls.tsv")] == ["IN-03", "QQ-01"]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([row("IN-77", "true")], "2: IN-77 uses the shipped family IN; choose other letters"),
        ([row("QQ-01", "true"), row("QQ-01", "true")], "3: QQ-01 stands a second time (first in line 2)"),
        ([row("QQ-01", "")], "2: QQ-01 has an empty check"),
        (
            [row("QQ-01", "checks/models.py::no_rule_names_a_model")],
            "2: QQ-01 names 'checks/models.py::no_rule",
        ),
        (
            [row("QQ-01", "rules/../x.py::f")],
            "2: QQ-01 names 'rules/../x.py::f'; a function reads rules/<file>.py",
        ),
    ],
)
def test_a_fault_of_a_project_row_is_named_in_its_own_file(
    tmp_path: Path, rows: list[tuple[str, ...]], said: str
) -> None:
    """The adopter mends the adopter's table."""
    text = broken(tmp_path, matrix_of(), rules__enforcement=table(COLUMNS, rows))
    assert text.startswith(f".goblin/rules/enforcement.tsv:{said}")


def test_a_broken_table_of_controls_in_the_rules_folder_is_named(tmp_path: Path) -> None:
    """It is read with the rows, before anything runs."""
    assert broken(tmp_path, matrix_of(), rules__controls="row\n").startswith(".goblin/rules/controls.tsv:1: ")


@pytest.mark.parametrize("name", ["manifest/enforcement.tsv", "manifest/roles.tsv", "rules/enforcement.tsv"])
@pytest.mark.parametrize("kind", ["link", "dangling link", "pipe", "folder", "huge"])
def test_a_table_that_is_no_ordinary_file_is_broken(tmp_path: Path, name: str, kind: str) -> None:
    """It is never opened: not through a link, not a pipe, not without a bound."""
    load(tmp_path, matrix_of())
    path = tmp_path / ".goblin" / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "huge":
        path.touch()
        os.truncate(path, (4 << 20) + 1)
    else:
        path.symlink_to("/dev/null" if kind == "link" else "nowhere")
    with pytest.raises(ManifestBroken) as caught:
        load(tmp_path)
    words = {"pipe": "no regular file", "folder": "no regular file", "huge": "larger than 4 MiB"}
    assert str(caught.value).startswith(f".goblin/{name}")
    assert words.get(kind, "is a symbolic link") in str(caught.value)


@pytest.mark.parametrize("folder", ["manifest", "rules"])
def test_a_folder_of_tables_outside_the_repository_is_not_read(tmp_path: Path, folder: str) -> None:
    """A link to it is broken; a link inside the repository is the adopter's choice."""
    root = tmp_path / "root"
    load(root, matrix_of())
    for place in (tmp_path, root):
        (place / "elsewhere").mkdir()
        (place / "elsewhere" / "enforcement.tsv").write_text(
            matrix_of() if folder == "manifest" else table(COLUMNS, [row("QQ-01", "true")])
        )
    link = root / ".goblin" / folder
    shutil.rmtree(link, ignore_errors=True)
    link.symlink_to("../../elsewhere")
    with pytest.raises(ManifestBroken, match=f"^.goblin/{folder} is a link that leaves the repository$"):
        load(root)
    link.unlink()
    link.symlink_to("../elsewhere")
    assert len(load(root).rows) == (1 if folder == "manifest" else 2)


def test_a_function_exists_where_it_is_defined_at_the_top_level(tmp_path: Path) -> None:
    """The file is read and never imported; a method, a comment and a longer name are no definition."""
    text = "import os; os._exit(9)\n# def d(\nclass X:\n    def b(self): ...\n"
    write_files(tmp_path, {"a.py": f"{text}def a(x):\n    ...\ndef cc(): ...\n"})
    assert [defines(str(tmp_path / "a.py"), name) for name in "abcd"] == [True, False, False, False]
    assert not defines(str(tmp_path / "none.py"), "a")


def test_the_parts_are_those_of_the_class_table() -> None:
    """A row can ride on no part that a class cannot need."""
    records = read_folder(str(PROJECT / "manifest")).table("classes.tsv")
    assert {record.cells[1] for record in records} == set(PARTS)


@given(st.data())
def test_whatever_happens_to_a_table_it_is_read_or_refused(data: st.DataObject) -> None:
    """An edit of the real matrix gives rows or a fault that names the file, never another error."""
    import tempfile

    text = (PROJECT / "manifest" / "enforcement.tsv").read_bytes()
    at = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 40))
    new = data.draw(
        st.sampled_from([b"", b"\t", b"\n", b"\r\n", b"\0", b"::", b'"', b"\xff", b"\x1b[2J"])
        | st.binary(max_size=4)
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ".goblin" / "manifest"
        path.mkdir(parents=True)
        (path / "enforcement.tsv").write_bytes(text[:at] + new + text[at + cut :])
        said = MATRIX
        try:
            manifest = read_folder(str(path), folder)
        except ManifestBroken as error:
            said = str(error)
        else:
            assert all(row.id and row.check and row.scope for row in manifest.rows)
        assert said.startswith(MATRIX)


def test_a_broken_manifest_ends_the_command_with_3_before_the_config_is_read(tmp_path: Path) -> None:
    """The line stands in the message, in text and in JSON; nothing ran."""
    marker = tmp_path / "ran"
    matrix = matrix_of(row("ZZ-01", f"touch {marker}"), row("ZZ-02", ""))
    write_files(tmp_path, {MATRIX: matrix, ".goblin/goblin.yaml": f"{CONFIG}class: [\n"})
    done = run_cli("goblin-verify", cwd=tmp_path)
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith(f"error: the manifest is broken: {MATRIX}:4: ZZ-02 has an empty check")
    done = run_cli("goblin-verify", "--json", cwd=tmp_path)
    assert done.code == 3
    assert '"exit": 3' in done.out
    assert not marker.exists()
