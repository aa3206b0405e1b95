"""SHA-256 by the cheapest way that this interpreter has."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.digest import sha256
from tests.support import PROJECT


@given(st.binary())
def test_it_is_what_hashlib_says(data: bytes) -> None:
    """64 lower-case hex digits."""
    assert sha256(data) == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, 1_000_000])
def test_on_both_sides_of_the_size_from_which_the_other_is_used(size: int) -> None:
    """Whichever implementation answers."""
    data = b"x" * size
    assert sha256(data) == hashlib.sha256(data).hexdigest()


def test_a_build_without_its_own_implementation_uses_hashlib(monkeypatch: pytest.MonkeyPatch) -> None:
    """A None in `sys.modules` makes an import fail."""
    for name in ("_sha2", "_sha256"):
        monkeypatch.setitem(sys.modules, name, None)
    assert sha256(b"x") == hashlib.sha256(b"x").hexdigest()


def test_small_data_does_not_load_openssl() -> None:
    """That would cost more than the row that asks."""
    program = "import sys; from goblin.digest import sha256; sha256(b'x'); print('_hashlib' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        env={"PYTHONPATH": str(PROJECT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "False\n"
