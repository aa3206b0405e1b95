"""What programs print is kept safe, bounded and steady, under the digest of its own bytes."""

from __future__ import annotations

import hashlib
import json

import pytest

from goblin.loop import outputs
from goblin.loop.outputs import KEEP, Capture, Output, bound, card, safe, secret_in, steady
from goblin.process import Completed

TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
TOKEN = "ghp_" + "0" * 36  # put together here: no file of this project holds a whole one


def capture(text: bytes, **members: object) -> Capture:
    """A command that printed this."""
    usual = Capture(("make", "check"), 2, "2026-09-25T00:00:00Z", "2026-09-25T00:00:09Z", "a" * 40, TREE,
                    outputs.of(Completed(2, text)))  # fmt: skip
    return usual._replace(**members)  # type: ignore[arg-type]


def sha256(data: bytes) -> str:
    """The digest that a name promises."""
    return hashlib.sha256(data).hexdigest()


# --- safe ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("printed", "kept"),
    [
        (b"one\n\n\ntwo\n", "one\ntwo\n"),
        (b"\x1b[31mred\x1b[0m\x1b]0;title\x07\n", "red\n"),
        (b"10%\r50%\r100%\n", "100%\n"),
        (b"bell\x07 null\x00 \x1bc\n", "bell\\x07 null\\x00 \\x1bc\n"),
        ("right\u202eleft\n".encode(), "right\\u202eleft\n"),
        (b"caf\xe9\n", "caf\\xe9\n"),
        ("caf\u00e9\n".encode(), "caf\u00e9\n"),
        (b"no end", "no end\n"),
        (b"", ""),
    ],
    ids=["blank lines", "colours", "progress", "controls", "bidi", "not UTF-8", "UTF-8", "no end", "nothing"],
)
def test_what_is_kept_can_be_shown(printed: bytes, kept: str) -> None:
    """No terminal control, nothing that moves or reorders text; one line end at the end."""
    assert safe(printed) == kept


def test_a_credential_of_a_known_shape_is_kept_by_its_kind() -> None:
    """Also where a colour stands in its middle."""
    printed = f"token: {TOKEN}\nand {TOKEN[:9]}\x1b[0m{TOKEN[9:]}\n".encode()
    assert safe(printed) == "token: <forge token hidden>\nand <forge token hidden>\n"


def test_the_value_of_a_secret_variable_is_kept_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its shape; a short value and a variable that only sounds similar are left alone."""
    monkeypatch.setenv("DEPLOY_TOKEN", "correct horse battery")
    monkeypatch.setenv("PIN_SECRET", "1234")
    monkeypatch.setenv("TOKENIZER", "wordpiece-large")
    monkeypatch.setenv("AUTHOR", "Sample Author")
    printed = b"correct horse battery 1234 Sample Author\n"
    assert safe(printed) == "<value of DEPLOY_TOKEN hidden> 1234 Sample Author\n"
    assert secret_in("say correct horse battery")
    assert not secret_in("say 1234")


def test_a_secret_is_recognised_in_a_text_that_is_typed() -> None:
    """A cell or a command may hold none; the documented sample is none."""
    assert secret_in(f"curl -H {TOKEN}")
    assert not secret_in("AKIA" + "0" * 9 + "EXAMPLE")


# --- bounded ---------------------------------------------------------------------------------------


def test_a_small_output_is_kept_whole() -> None:
    """Up to both ends together nothing is cut."""
    text = "x" * (2 * KEEP - 1) + "\n"
    assert bound(text) == text.encode()


def test_a_large_output_keeps_both_ends_and_says_what_is_gone() -> None:
    """Cut between lines; the mark names both sizes and the digest of the whole."""
    text = "".join(f"line {number}\n" for number in range(20_000))
    kept = bound(text)
    assert len(kept) <= 2 * KEEP + 300
    assert kept.startswith(b"line 0\nline 1\n")
    assert kept.endswith(b"line 19998\nline 19999\n")
    (mark,) = [line for line in kept.splitlines() if line.startswith(b"[...")]
    rest = [line for line in kept.splitlines() if line and not line.startswith(b"[...")]
    assert all(line.startswith(b"line ") and line[5:].isdigit() for line in rest)
    size, digest = len(text), sha256(text.encode())
    left = size - sum(len(line) + 1 for line in rest)
    assert mark.decode() == f"[... {left} of {size} bytes left out; sha256 of the whole {digest} ...]"


def test_no_character_is_cut_in_two() -> None:
    """One line without an end, of characters of three bytes, at every offset."""
    for shift in range(3):
        kept = bound("x" * shift + "\u20ac" * KEEP)
        assert "\ufffd" not in kept.decode("utf-8")


def test_what_was_lost_before_is_said() -> None:
    """The runner keeps the ends of a very long output; the mark adds what it dropped."""
    assert "1000 more were lost before" in bound("x\n" * KEEP * 2, 1000).decode()


# --- steady ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3 failed in 0.03s", "3 failed in 1.27s"),
        ("ran for 12 ms", "ran for 9 ms"),
        ("at 2026-09-25T00:10:00Z", "at 2026-09-26 01:11:02.123+02:00"),
        ("[12:00:01] done", "[13:59:59] done"),
        ("took 2 minutes", "took 14 min"),
    ],
)
def test_two_runs_that_say_the_same_are_one_answer(one: str, other: str) -> None:
    """Times and durations are put away."""
    assert steady(one) == steady(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("3 failed", "2 failed"), ("exit 1", "exit 2"), ("10 items", "11 items"), ("v1.2.3", "v1.2.4")],
)
def test_another_answer_stays_another_answer(one: str, other: str) -> None:
    """Only what moves by itself is put away."""
    assert steady(one) != steady(other)


def test_the_scratch_folder_is_shown_as_here() -> None:
    """A checkout has another path each time."""
    assert (
        steady("rootdir: /tmp/goblin-loop-ab12/repository/x", "/tmp/goblin-loop-ab12/repository")
        == "rootdir: ./x"
    )


def test_what_was_really_printed_is_kept_beside_the_answer() -> None:
    """Two files where something was put away, one where nothing was; each is called by its bytes."""
    moved = outputs.of(Completed(1, b"3 failed in 0.03s\n")).files()
    assert sorted(moved.values()) == [b"3 failed in 0.03s\n", b"3 failed in <duration>\n"]
    still = outputs.of(Completed(1, b"3 failed\n")).files()
    assert list(still.values()) == [b"3 failed\n"]
    for name, data in {**moved, **still}.items():
        assert name == f"{sha256(data)}.txt"


# --- cards and captures ----------------------------------------------------------------------------


def test_the_same_tree_and_answer_are_the_same_card() -> None:
    """So a loop that goes in circles rests on one pointer; another tree or answer moves it."""
    output = outputs.of(Completed(1, b"3 failed in 0.03s\n"))
    again = outputs.of(Completed(1, b"3 failed in 4.5s\n"))
    other = outputs.of(Completed(1, b"2 failed in 0.03s\n"))
    assert card(1, output, TREE) == card(1, again, TREE)
    assert card(1, output, TREE) != card(1, other, TREE)
    assert card(1, output, TREE) != card(1, output, "0" * 40)
    assert card(1, output, TREE) != card(2, output, TREE)


def test_a_card_names_an_output_that_is_stored() -> None:
    """Its members are those that the audit reads."""
    output = outputs.of(Completed(1, b"3 failed in 0.03s\n"))
    value = json.loads(card(1, output, TREE))
    assert value == {"gates": [], "predicate_exit": 1, "predicate_out": output.cited, "tree": TREE, "v": 1}
    assert f"{output.cited}.txt" in output.files()


def test_a_capture_is_one_file_that_says_everything_but_when() -> None:
    """Command, exit, HEAD, tree and output: a reader opens the cited file and nothing else."""
    assert capture(b"2 of 3 passed\n").text().decode() == (
        f"command: make check\nexit: 2\nhead: {'a' * 40}\ntree: {TREE}\n\n2 of 3 passed\n"
    )


def test_when_it_ran_moves_the_receipt_and_not_the_capture() -> None:
    """The receipt is kept beside it, with both times and the raw output."""
    one, other = capture(b"x\n"), capture(b"x\n", started="2026-09-25T01:00:00Z")
    assert one.text() == other.text()
    assert one.receipt() != other.receipt()
    value = json.loads(one.receipt())
    assert (value["started"], value["ended"], value["exit"]) == (
        "2026-09-25T00:00:00Z",
        "2026-09-25T00:00:09Z",
        2,
    )
    assert value["command"] == ["make", "check"]
    assert {f"{value['capture']}.txt", f"{value['output']}.txt"} <= one.files().keys()


def test_each_file_of_a_capture_is_called_by_its_bytes() -> None:
    """`sha256:` can then be checked by anybody."""
    for name, data in capture(b"took 3 ms\n").files().items():
        assert name.partition(".")[0] == sha256(data)


def test_a_secret_in_a_command_is_not_kept() -> None:
    """Neither in the capture nor in the receipt."""
    for data in capture(TOKEN.encode(), command=("curl", TOKEN, "\x1b[1m")).files().values():
        assert TOKEN.encode() not in data
        assert b"\x1b" not in data


def test_an_output_of_nothing_has_a_digest_too() -> None:
    """Silence is an answer."""
    assert outputs.of(Completed(1, b"")) == Output(b"", b"")
    assert list(outputs.of(Completed(1, b"")).files()) == [f"{sha256(b'')}.txt"]
