"""The one TSV grammar: LF alone ends a record, TAB alone ends a cell, and nothing is quoted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.tables import BOM, Fault, Record, TableError, line_of, parse, read, write

COLUMNS = ("row", "why", "result")
CELL = st.text(st.characters(exclude_characters="\t\n\r\0", exclude_categories=["Cs"]), max_size=12)
ROWS = st.lists(st.tuples(CELL, CELL, CELL), max_size=6)
SEPARATORS = "\u2028\u2029\x0b\x0c\x1c\x1d\x1e\x85"
"""Characters that `str.splitlines` takes for line ends."""


@given(ROWS)
def test_what_is_written_is_read_back(rows: list[tuple[str, str, str]]) -> None:
    """Cell for cell, with the number of the line that holds it."""
    records = read(write(COLUMNS, rows), COLUMNS, "t.tsv")
    assert [record.cells for record in records] == rows
    assert [record.line for record in records] == list(range(2, len(rows) + 2))


@given(ROWS)
def test_a_mark_and_carriage_returns_change_nothing(rows: list[tuple[str, str, str]]) -> None:
    """A byte-order mark and CRLF are tolerated on read, the last line end is optional."""
    data = write(COLUMNS, rows)
    expected = read(data, COLUMNS, "t.tsv")
    assert read(BOM + data, COLUMNS, "t.tsv") == expected
    assert read(data.replace(b"\n", b"\r\n"), COLUMNS, "t.tsv") == expected
    assert read(data.removesuffix(b"\n"), COLUMNS, "t.tsv") == expected


@given(st.binary(max_size=200))
def test_any_bytes_are_records_and_faults_of_lines_that_exist(data: bytes) -> None:
    """Reading never raises, and every line number can be found in the file."""
    table = parse(data, COLUMNS)
    last = data.count(b"\n") + 1
    assert all(1 <= line <= last for line, *_ in (*table.records, *table.faults))
    assert all(len(record.cells) == len(COLUMNS) for record in table.records)


@given(st.lists(CELL.filter(str.strip), max_size=5))
def test_a_table_of_one_column_is_read_back(cells: list[str]) -> None:
    """The line end of the last record is no record of its own."""
    data = write(("only",), [(cell,) for cell in cells])
    assert [record.cells[0] for record in read(data, ("only",), "t.tsv")] == cells


@pytest.mark.parametrize("mark", SEPARATORS)
def test_other_line_separators_are_text(mark: str) -> None:
    """The line of the last record counts LF only."""
    rows = [(f"a{mark}b", "x", "y"), ("c", mark, "z")]
    assert read(write(COLUMNS, rows), COLUMNS, "t.tsv") == (Record(2, rows[0]), Record(3, rows[1]))


def test_a_quote_is_a_character() -> None:
    """An open quote swallows nothing: all three rows are seen, the last in its own line."""
    data = b'row\twhy\tresult\n1\t"half a remark\tgreen\n2\tit said "so"\tgreen\n3\t"\tred\n'
    records = read(data, COLUMNS, "t.tsv")
    assert [record.cells[1] for record in records] == ['"half a remark', 'it said "so"', '"']
    assert records[-1] == Record(4, ("3", '"', "red"))


def test_blank_lines_are_no_records_and_empty_cells_are() -> None:
    """A line of TABs alone is a record where it has the right number of them."""
    data = b"\n\nrow\twhy\tresult\n\n \na\t\t\n\t\t\n\t\n\r\n"
    assert parse(data, COLUMNS) == ((Record(6, ("a", "", "")), Record(7, ("", "", ""))), ())


def test_comments_are_passed_over_where_they_are_allowed() -> None:
    """Before the header and after it; where they are not, a `#` begins a cell like any other."""
    data = b"# about\nrow\twhy\tresult\n# more\n#a\tb\tc\nd\te\tf\n"
    assert parse(data, COLUMNS, comments=True).records == (Record(5, ("d", "e", "f")),)
    assert [fault.line for fault in parse(data, COLUMNS).faults] == [1, 3]
    assert Record(4, ("#a", "b", "c")) in parse(data, COLUMNS).records


@pytest.mark.parametrize(
    ("data", "faults"),
    [
        (b"", [Fault(1, "no header; the first line must be: row why result")]),
        (b"\n\n", [Fault(1, "no header; the first line must be: row why result")]),
        (b"\nrow\twhy\n", [Fault(2, "the header must be: row why result (TAB between)")]),
        (b"row why result\n", [Fault(1, "the header must be: row why result (TAB between)")]),
        (b"Row\twhy\tresult\n", [Fault(1, "the header must be: row why result (TAB between)")]),
        (
            b"row\twhy\tresult\na\tb\na\tb\tc\td\nx y z\n",
            [
                Fault(2, "2 field(s) where the header has 3: separate cells with one TAB each"),
                Fault(3, "4 field(s) where the header has 3: separate cells with one TAB each"),
                Fault(4, "1 field(s) where the header has 3: separate cells with one TAB each"),
            ],
        ),
        (b"row\twhy\tresult\na\tb\xff\tc\n", [Fault(2, "byte 4 is not UTF-8")]),
    ],
)
def test_every_wrong_line_is_a_fault_that_says_what_is_wrong(data: bytes, faults: list[Fault]) -> None:
    """Good lines beside it are still read."""
    assert list(parse(data, COLUMNS).faults) == faults


def test_a_table_that_must_be_well_formed_is_refused_at_its_first_fault() -> None:
    """The message names file and line."""
    with pytest.raises(TableError, match=r"^a/t\.tsv:3: 2 field\(s\)") as caught:
        read(b"row\twhy\tresult\na\tb\tc\na\tb\nx\n", COLUMNS, "a/t.tsv")
    assert (caught.value.source, caught.value.line) == ("a/t.tsv", 3)


@pytest.mark.parametrize("mark", "\t\n\r\0")
def test_a_cell_that_would_break_its_line_is_not_written(mark: str) -> None:
    """Neither alone nor in a table."""
    with pytest.raises(ValueError, match="may hold no TAB"):
        line_of(["a", f"b{mark}c"])
    with pytest.raises(ValueError, match="may hold no TAB"):
        write(COLUMNS, [("a", f"b{mark}c", "d")])


def test_a_row_of_another_width_or_of_nothing_is_not_written() -> None:
    """It would be read as a fault, or not at all."""
    with pytest.raises(ValueError, match=r"2 cell\(s\) for 3 columns"):
        write(COLUMNS, [("a", "b")])
    with pytest.raises(ValueError, match="may not be blank"):
        write(("only",), [(" ",)])
    with pytest.raises(ValueError, match="surrogates"):
        line_of(["\udcff"])
