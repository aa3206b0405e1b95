"""A real browser for the pages that we write: headless Chromium, driven by Playwright.

Playwright's own download is not used. Where no browser is installed and this is root on a machine with
apt-get, the Debian package `chromium` is installed; elsewhere the tests are skipped with that reason, but
in CI a browser that cannot be had is a failure.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

PROGRAMS = ("chromium", "google-chrome", "google-chrome-stable", "chromium-browser")

ARGUMENTS = (
    "--no-sandbox",
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

REQUIRED = os.environ.get("CI", "").lower() not in ("", "0", "false")
"""Read when this module is loaded: the tests themselves run without that variable."""


def installed() -> str:
    """The path of a browser that starts, "" for none."""
    for name in PROGRAMS:
        path = shutil.which(name)
        if path and _starts(path):
            return path
    return ""


def _starts(path: str) -> bool:
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(
            [path, "--version", "--no-sandbox"], capture_output=True, timeout=60, check=False
        )
        return done.returncode == 0 and b"hrom" in done.stdout
    return False


def install() -> str:
    """Install the Debian package; returns what went wrong, "" for nothing. One process does it at a time."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return "no browser is installed, and only root can install one (apt-get install chromium)"
    said = ""
    with open(os.path.join(tempfile.gettempdir(), "goblin-browser.lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for command in (
            ["apt-get", "update", "-q"],
            ["apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium"],
        ):
            if installed():
                return ""
            env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
            said = f"{' '.join(command)} ended with {done.returncode}: {(done.stderr or done.stdout)[-400:]}"
    return "" if installed() else said


def found(required: bool = REQUIRED) -> str:
    """The path of a browser. Without one the test is skipped, or fails where a browser is `required`."""
    path = installed()
    if path:
        return path
    wrong = install()
    path = installed()
    if path:
        return path
    if required:
        pytest.fail(f"the page cannot be tested without a browser: {wrong}", pytrace=False)
    pytest.skip(wrong)


@contextlib.contextmanager
def opened(home: Path) -> Iterator[Browser]:
    """A running browser that keeps what it writes below `home`."""
    env: dict[str, str | float | bool] = {**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home)}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found(), args=list(ARGUMENTS), env=env)
        try:
            yield browser
        finally:
            browser.close()
