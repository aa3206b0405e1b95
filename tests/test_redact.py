"""What reaches a person: nothing that moves the cursor, hides text, or is a credential."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.redact import SECRETS, clean, lines, mask

LETTERS = string.ascii_letters + string.digits


def letters(count: int, alphabet: str = LETTERS) -> str:
    """Characters that look drawn by lot; the same on every run."""
    return "".join(random.Random(count).choices(alphabet, k=count))  # noqa: S311  (no secret is made)


CAPITALS = letters(16, string.ascii_uppercase + string.digits)
SAMPLES = {
    "cloud access key": ["AKIA" + CAPITALS, "ASIA" + CAPITALS],
    "forge token": [f"gh{kind}_{letters(36)}" for kind in "pousr"],
    "forge fine-grained token": ["github" + "_pat_" + letters(82)],
    "forge access token": ["gl" + "pat-" + letters(20)],
    "chat token": [f"xox{kind}-{letters(12)}-{letters(24)}" for kind in "abprs"],
    "payment key": [f"{kind}k_live_{letters(24)}" for kind in "sr"],
    "web API key": ["AI" + "za" + letters(35)],
    "package registry token": ["npm" + "_" + letters(36)],
    "package index token": ["pypi" + "-AgEI" + letters(40)],
    "model provider key": [f"sk-{kind}-{letters(40)}" for kind in ("ant", "proj")],
}
ALL = [(kind, sample) for kind, samples in SAMPLES.items() for sample in samples]
BODY = [letters(64) for _ in range(3)]
KEY = [
    "-----BEGIN RSA PRIVATE" + " KEY-----",
    *BODY,
    letters(20) + "==",
    "-----END RSA PRIVATE" + " KEY-----",
]


def test_every_kind_has_a_sample() -> None:
    """The samples of this file cover the whole set, so a new kind needs one."""
    assert {kind for kind, _ in SECRETS} == {*SAMPLES, "private key"}


@pytest.mark.parametrize(("kind", "secret"), ALL)
@pytest.mark.parametrize(
    "around", ["{}", "token={}", "'{}'", "url=https://x:{}@host/", "a {} b", "\t{}\r", "[{}]"]
)
def test_a_credential_is_replaced_by_its_kind(kind: str, secret: str, around: str) -> None:
    """Wherever it stands in a line, its value goes and the rest stays."""
    assert mask(around.format(secret)) == around.format(f"<{kind} hidden>")


@pytest.mark.parametrize(("kind", "secret"), ALL)
def test_a_sample_of_the_documentation_is_none(kind: str, secret: str) -> None:
    """Keys that end in EXAMPLE are printed in manuals."""
    sample = secret[: -len("EXAMPLE")] + "EXAMPLE"
    assert mask(f"use {sample} here") == f"use {sample} here"


@pytest.mark.parametrize(
    "text",
    [
        "AKIA12",
        "ghp_short",
        "a sk-anteater",
        "npm_config_registry=x",
        "xox is a word",
        "AIzaShort",
        "a key: none",
    ],
)
def test_what_only_resembles_one_stays(text: str) -> None:
    """A message that talks about keys is not eaten."""
    assert mask(text) == text


class TestPrivateKeys:
    """The key is the body between the marks, so the marks alone are not enough to hide."""

    def test_marks_and_body_go_and_the_rest_stays(self) -> None:
        """One replacement stands for the whole block."""
        text = "\n".join(["before", *KEY, "after"])
        assert mask(text) == "before\n<private key hidden>\nafter"

    @pytest.mark.parametrize("prefix", ["+", "12: ", "deploy.pem-", "        ", "E     "])
    def test_a_block_that_another_program_indents_or_numbers(self, prefix: str) -> None:
        """Diffs, greps and test reports put something before each line."""
        shown = mask("\n".join(prefix + line for line in KEY) + "\nafter")
        assert shown == f"{prefix}<private key hidden>\nafter"

    def test_on_one_line_with_escaped_breaks(self) -> None:
        """As a JSON file or an environment variable holds it; two of them too."""
        one = "\\n".join(KEY)
        assert (
            mask(f'"a": "{one}", "b": "{one}"') == '"a": "<private key hidden>", "b": "<private key hidden>"'
        )

    def test_without_its_end(self) -> None:
        """Where the output was cut, what looks like the body goes with the first mark."""
        assert mask("\n".join([*KEY[:-2], "see above"])) == "<private key hidden>\nsee above"

    def test_without_its_beginning(self) -> None:
        """The tail of a long output may start inside a key."""
        assert mask("\n".join(["see below", *KEY[1:], "after"])) == "see below\n<private key hidden>\nafter"

    def test_a_mark_that_is_only_named_hides_no_message(self) -> None:
        """A scanner that names the mark still gets its say."""
        text = f"config.env:3: found {KEY[0]} here\nfix it\nnow"
        assert mask(text) == "config.env:3: found <private key hidden> here\nfix it\nnow"

    @pytest.mark.parametrize("mark", [KEY[0], KEY[-1]])
    def test_many_marks_do_not_cost_more_than_many_lines(self, mark: str) -> None:
        """Output that repeats one mark, or bodies without a mark, is gone through once."""
        mask("\n".join([mark] * 2000 + BODY * 1000 + [mark]))

    @pytest.mark.parametrize("unit", [KEY[0], KEY[-1], KEY[0] + KEY[-1], KEY[0] + BODY[0], KEY[-1] + BODY[0]])
    def test_many_marks_on_one_line(self, unit: str) -> None:
        """As many as a line holds, more than the interpreter recurses."""
        shown = mask(unit * 20_000)
        assert "KEY-----" not in shown

    def test_the_end_of_one_key_and_the_beginning_of_another_on_one_line(self) -> None:
        """What stands before the end mark is the body of the first, and goes with it."""
        shown = mask(f"see below:\n{BODY[0]}\\n{KEY[-1]} and {KEY[0]}\\n{BODY[0]}")
        assert shown == "see below:\n<private key hidden> and <private key hidden>"


class TestClean:
    """A line as a terminal may have it."""

    def test_ordinary_text_of_any_script_stays(self) -> None:
        """Letters, marks and symbols that only show themselves."""
        for text in ("plain", "café", "日本語", "a\tb", "🧌", "a · b", ""):
            assert clean(text) == text

    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("\x1b[31mred", "\\x1b[31mred"),
            ("a\rb", "a\\x0db"),
            ("a\nb", "a\\nb"),
            ("\x00\x07\x08\x7f\x9b", "\\x00\\x07\\x08\\x7f\\x9b"),
            ("\u202eevil\u2066", "\\u202eevil\\u2066"),
            ("a\u200bb\ufeff", "a\\u200bb\\ufeff"),
            ("a\u2028b\u2029", "a\\u2028b\\u2029"),
            ("\udcff", "\\xff"),
            ("\ud800", "\\ud800"),
        ],
    )
    def test_what_moves_hides_or_reorders_is_spelled_out(self, text: str, shown: str) -> None:
        """Controls, direction marks, zero-width characters, separators, bytes that are no text."""
        assert clean(text) == shown

    @given(st.text())
    def test_nothing_unsafe_survives(self, text: str) -> None:
        """Whatever comes in, one printable line comes out, and it can be encoded."""
        shown = clean(text)
        assert "\n" not in shown
        assert not any((ord(char) < 32 and char != "\t") or 0x7F <= ord(char) < 0xA0 for char in shown)
        shown.encode("utf-8")

    @given(st.text())
    def test_cleaning_twice_is_cleaning_once(self, text: str) -> None:
        """What was cleaned on the way is not spelled out again at the end."""
        assert clean(clean(text)) == clean(text)


class TestLines:
    """The last lines of what another program printed."""

    def test_the_last_lines_that_are_not_blank(self) -> None:
        """In order, blank ones left out, line ends of any system."""
        out = (
            b"\n".join(str(n).encode() + b"\r" if n % 2 else str(n).encode() for n in range(50))
            + b"\n \n\r\n"
        )
        assert lines(out) == [str(n) for n in range(30, 50)]
        assert lines(out, most=1) == ["49"]
        assert lines(b"") == lines(b"\n \r\n\t\n") == []

    def test_a_long_line_is_cut(self) -> None:
        """A bundle on one line does not fill the screen."""
        assert lines(b"x" * 5000) == ["x" * 400 + "..."]

    @pytest.mark.parametrize(("kind", "secret"), ALL)
    def test_a_credential_at_the_cut_is_masked_before_cutting(self, kind: str, secret: str) -> None:
        """No half of it is left at the edge."""
        (shown,) = lines(("x" * 380 + " " + secret).encode())
        assert secret[:12] not in shown

    @pytest.mark.parametrize(("kind", "secret"), ALL)
    @pytest.mark.parametrize(
        ("before", "after"), [("\x1b[31m", "\x1b[0m"), ("\x1b]8;;x\x07", "\x1b]8;;\x1b\\"), ("\x1bM", "")]
    )
    def test_a_credential_in_colour_is_masked(self, kind: str, secret: str, before: str, after: str) -> None:
        """The `m` that ends a colour sequence is no letter of the word after it."""
        shown = lines(f"key {before}{secret}{after} end".encode())
        assert shown == [f"key <{kind} hidden> end"]

    def test_a_progress_bar_shows_its_last_state(self) -> None:
        """As a terminal would."""
        assert lines(b"10%\r20%\r100% done\r\nnext\n") == ["100% done", "next"]

    def test_bytes_that_are_no_text_are_spelled_out(self) -> None:
        """Nothing is lost and nothing raises."""
        assert lines(b"\xff\xfea\n\x80") == ["\\xff\\xfea", "\\x80"]

    def test_a_private_key_over_many_lines_is_one_line(self) -> None:
        """It does not push the reason of a failure out of the last lines."""
        shown = lines("\n".join(["reason", *KEY]).encode(), most=2)
        assert shown == ["reason", "<private key hidden>"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a ##vso[task.setvariable variable=x]y", "a #\\x23vso[task.setvariable variable=x]y"),
        ("##[set-output name=a]b", "#\\x23[set-output name=a]b"),
        ("###[a] ## [b] ##c", "##\\x23[a] ## [b] ##c"),
    ],
)
def test_what_a_ci_server_obeys_within_a_line_is_escaped(text: str, shown: str) -> None:
    """It looks for these anywhere in a line; headings of Markdown stay as they are."""
    assert clean(text) == shown
    assert clean(shown) == shown
