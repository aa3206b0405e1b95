"""Names that a build hands to every browser, and which of them sound like a secret."""

from __future__ import annotations

import pytest

from goblin.facts.jsscript import Script
from goblin.facts.publicnames import MAY_NAME, in_script, in_settings, is_secret_shaped, probe

SECRET = [
    "NEXT_PUBLIC_API_SECRET_KEY",
    "NEXT_PUBLIC_APIKEY",
    "NEXT_PUBLIC_KEYS",
    "VITE_TOKEN",
    "VITE_apiKey",
    "REACT_APP_DB_PASSWORD",
    "EXPO_PUBLIC_PASSWD_1",
    "NUXT_PUBLIC_PRIVATE",
    "GATSBY_MY_TOKENS_URL",
]
PLAIN = [
    "NEXT_PUBLIC_KEYBOARD_LAYOUT",
    "NEXT_PUBLIC_TOKENIZER",
    "API_SECRET_KEY",
    "MY_VITE_TOKEN",
    "VITE_",
    "NEXT_PUBLIC_URL",
    "next_public_token",
]


@pytest.mark.parametrize("name", SECRET)
def test_a_part_that_is_or_ends_with_a_word_for_a_secret_counts(name: str) -> None:
    """In any case of letters, plurals too; the quick look never passes over one."""
    assert is_secret_shaped(name)
    assert MAY_NAME.search(name.encode())


@pytest.mark.parametrize("name", PLAIN)
def test_other_names_do_not(name: str) -> None:
    """A word that only begins like one, and a name without the prefix."""
    assert not is_secret_shaped(name)


def test_names_texts_and_keys_are_found_and_prose_is_not() -> None:
    """Wherever a program can read it."""
    script = Script(
        "a = process.env.VITE_TOKEN; b = env['VITE_TOKEN'];\nc = { VITE_TOKEN: 1, 'VITE_TOKEN': 2 };\n"
        "d = `VITE_TOKEN`; e = 'set VITE_TOKEN first'; // VITE_TOKEN\n/* VITE_TOKEN */ f = <p>VITE_TOKEN</p>;"
    )
    assert [found.line for found in in_script(script)] == [1, 1, 2, 2, 3]


def test_keys_of_a_settings_file_are_found_and_comments_are_not() -> None:
    """With or without export, a mark and CRLF."""
    text = "\ufeffVITE_TOKEN=1\r\n# VITE_KEY=2\r\nexport VITE_KEY = 3\r\nA=VITE_KEY\r\n  VITE_SECRET=\r\n"
    assert [(found.line, found.column, found.name) for found in in_settings(text)] == [
        (1, 1, "VITE_TOKEN"),
        (3, 8, "VITE_KEY"),
        (5, 3, "VITE_SECRET"),
    ]


def test_the_plain_text_of_a_broken_script_is_probed() -> None:
    """Comments count there, since nobody knows where they end."""
    assert [(found.line, found.name) for found in probe("`a\nx.VITE_TOKEN + MY_VITE_TOKEN")] == [
        (2, "VITE_TOKEN")
    ]
