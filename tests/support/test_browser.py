"""Where the tests take a browser from, and what they do without one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support import browser, write_files


@pytest.fixture
def nothing_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH without a browser, for a user who may not install one."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    return tmp_path


def test_a_browser_that_starts_is_taken(nothing_installed: Path) -> None:
    """The first of the known names; one that does not start is passed over."""
    programs = {"chromium": "#!/bin/sh\nexit 1\n", "google-chrome": "#!/bin/sh\necho Chrome 1\n"}
    write_files(nothing_installed, programs)
    assert browser.installed() == str(nothing_installed / "google-chrome")
    assert browser.found(required=True) == str(nothing_installed / "google-chrome")


def test_without_one_a_person_skips_with_the_reason(nothing_installed: Path) -> None:
    """Who may not install a browser is told what would."""
    with pytest.raises(pytest.skip.Exception, match="apt-get install chromium"):
        browser.found(required=False)


def test_without_one_ci_fails(nothing_installed: Path) -> None:
    """A page that nobody looked at is not a page that passed."""
    with pytest.raises(pytest.fail.Exception, match="cannot be tested without a browser"):
        browser.found(required=True)


def test_root_installs_it(nothing_installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the package manager, once, and what that said is told where it did not help."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    script = f"""#!/bin/sh
echo "$*" >> {nothing_installed}/calls
if [ "$1" = install ]; then printf '#!/bin/sh\\necho Chromium 1\\n' > {nothing_installed}/chromium; fi
/bin/chmod +x {nothing_installed}/chromium 2>/dev/null || true
"""
    write_files(nothing_installed, {"apt-get": script})
    assert browser.found(required=True) == str(nothing_installed / "chromium")
    assert (nothing_installed / "calls").read_text().splitlines() == [
        "update -q",
        "install -y -q --no-install-recommends chromium",
    ]
    (nothing_installed / "chromium").unlink()
    write_files(nothing_installed, {"apt-get": "#!/bin/sh\necho no such package >&2\nexit 100\n"})
    with pytest.raises(pytest.fail.Exception, match="ended with 100: no such package"):
        browser.found(required=True)
