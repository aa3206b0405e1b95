"""What may stand at a path that is read by name: the paths, and the forms that hurt whoever reads carelessly.

A path belongs to one kind by what its reader parses. A form is put at all paths of a kind at once, so
one repository and a few commands serve a form.
"""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path

MARK = "TO" + "DO"
CONFIG = ".goblin/goblin.yaml"
RECORD = ".goblin/installed.json"

TABLES = (
    *(
        f".goblin/manifest/{name}.tsv"
        for name in ("enforcement", "bans", "classes", "roles", "playbooks", "controls")
    ),
    *(f".goblin/rules/{name}.tsv" for name in ("enforcement", "bans", "controls")),
)
"""Without which no run begins; the other paths are hostile in a repository whose tables are whole."""

YAML = (
    *(".goblin/tokens.yaml", ".github/workflows/goblin-gate.yml", ".github/workflows/own.yml", "action.yml"),
    *(".github/dependabot.yml", ".forgejo/workflows/own.yml", ".gitea/workflows/own.yaml", ".gitlab-ci.yml"),
    *(".pre-commit-config.yaml", "docker-compose.yml", ".goblin/bans/BN-01.yml", ".goblin/bans/BN-06.yml"),
    *("pnpm-lock.yaml", "pnpm-workspace.yaml", "reports/own/report.yaml", "mkdocs.yml"),
)
JSON = (
    *("package.json", "package-lock.json", "npm-shrinkwrap.json", "tsconfig.json", "jsconfig.json"),
    *("tsconfig.base.json", "src/tsconfig.json", "src/package.json", "packages/a/package.json", "bun.lock"),
    *("composer.json", "Pipfile.lock", ".goblin/last-gate.json", ".mcp.json", ".claude/settings.json"),
)
TOML = (
    "pyproject.toml",
    "Cargo.toml",
    "Cargo.lock",
    "poetry.lock",
    "uv.lock",
    "pdm.lock",
    "Pipfile",
    "ruff.toml",
)
TSV = (
    *(".goblin/waivers.tsv", ".goblin/baseline.tsv", ".goblin/audit.tsv", ".goblin/audit-waiver.tsv"),
    *(".goblin/pins.tsv", ".goblin/loop/decisions.tsv", ".goblin/loop/events.tsv"),
    ".goblin/automations/report.schema.tsv",
)
TEXT = (
    *("HANDOFF.md", "AGENTS.md", "CLAUDE.md", "README.md", "ROUND-000-SPEC.md", "ROUND-001-SPEC.md"),
    *(
        "CHANGELOG.md",
        "reviews/own.md",
        "docs/FEATURES.md",
        "checks/gate.py",
        "checks/own.py",
        "checks/own.mjs",
    ),
    *("checks/own.sh", "checks/own.bats", ".goblin/boundary-waivers", ".goblin/install-hooks.allowlist"),
    *(".goblin/last-gate-line", ".goblin/ratchet-last", ".goblin/.ds-report", ".goblin/installed.json.sig"),
    *(f".goblin/loop/{name}" for name in ("predicate", "predicate.sha256", "surface.sha256", "budget")),
    *(f".goblin/loop/{name}" for name in ("first-run", "control", "stuck.md", "closed-2026-01-01/predicate")),
    *(".goblin/rules/own.py", ".goblin/automations/drift-audit.py", ".hermes/skills/goblin-mode/SKILL.md"),
    *(".goblin/.gitattributes", ".hermes/skills/own/SKILL.md", "yarn.lock", "go.mod", "go.sum", "setup.cfg"),
    *("tox.ini", "requirements.txt", ".npmrc", "Makefile", "vite.config.ts", "conftest.py", "src/app.ts"),
    *(
        "src/view.tsx",
        "src/greet.py",
        "src/own.js",
        "src/main.rs",
        "src/main.go",
        "src/page.html",
        ".env.example",
    ),
    *("dist/assets/own.js", "src/app/api/own/route.ts"),
)
OPENED_BY_GIT = (".gitignore", ".gitattributes", ".git/info/exclude", ".git/info/attributes")
EVERY = (CONFIG, RECORD, *TABLES, *YAML, *JSON, *TOML, *TSV, *TEXT, *OPENED_BY_GIT)

OUTSIDE = "text-that-stands-outside"


def put(root: Path, path: str, data: bytes | str) -> None:
    """Write a file in the place of whatever stands there."""
    full = root / path
    full.parent.mkdir(parents=True, exist_ok=True)
    full.unlink(missing_ok=True)
    full.write_bytes(data if isinstance(data, bytes) else data.encode())


# --- things that are no ordinary file ------------------------------------------------------------


def _sparse(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(1 << 30)


def _socket(path: Path) -> None:
    here = os.getcwd()
    os.chdir(path.parent)  # the name of a socket is short
    try:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(path.name)
    finally:
        os.chdir(here)


def _device(path: Path) -> None:
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 5))
    except PermissionError:  # only the super-user makes one
        path.symlink_to("/dev/zero")


def _folder(path: Path) -> None:
    path.mkdir()
    (path / "inside").write_text("x\n")


def _outside(path: Path) -> None:
    path.symlink_to(_secret(path))


def _hard(path: Path) -> None:
    os.link(_secret(path), path)


def _secret(path: Path) -> Path:
    repository = next(folder for folder in path.parents if (folder / ".goblin").is_dir())
    secret = repository.parent / "outside"
    secret.write_text(f"{OUTSIDE}\n")
    return secret


KINDS: dict[str, Callable[[Path], None]] = {
    "a gigabyte of nothing": _sparse,
    "a FIFO": lambda path: os.mkfifo(path),
    "a socket": _socket,
    "a device": _device,
    "a link to /dev/zero": lambda path: path.symlink_to("/dev/zero"),
    "a link out of the tree": _outside,
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a hard link out of the tree": _hard,
    "a folder": _folder,
}

# --- contents --------------------------------------------------------------------------------------

_K = 1000
SAID = "\x1b[31m\x1b]0;own\x07\x9b2J\u202e\u2066\n::error::forged\n::set-output name=a::b\r##vso[task.set]x\n"
"""What a terminal or a CI server would obey."""

_LAUGHS = (
    "a: &a ["
    + ",".join("x" * 10)
    + "]\n"
    + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [{','.join([f'*{chr(97 + n)}'] * 10)}]\n" for n in range(12))
)
_MERGED = "a: &a {x: 1}\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} {{<<: [{','.join([f'*{chr(97 + n)}'] * 10)}], k{n}: 1}}\n"
    for n in range(12)
)
YAML_BOMBS: dict[str, bytes | str] = {
    "laughs": _LAUGHS,
    "merge keys that laugh": _MERGED,
    "an alias of itself": "&a [*a]\n",
    "a merge of itself": "a: &a\n  <<: *a\n",
    "deep flow": "[" * 400 + "]" * 400,
    "deep blocks": "".join(" " * n + "a:\n" for n in range(600)),
    "deep dashes": "- " * 5 * _K,
    "a huge scalar": "a: " + "x" * 50 * _K + "\n",
    "anchors twice": "".join(f"k{n}: &a {n}\n" for n in range(500)),
    "keys twice": "a: 1\na: 2\n",
    "many documents": "---\na: 1\n" * 500,
    "a tag that builds an object": "a: !!python/object/apply:os.system ['touch PWNED']\n",
    "an open quote": "a: '" + "''" * 50 * _K,
    "other types": "class: {}\nbranch: []\non: [push, {a: b}]\njobs: [[[]]]\nservices: 5\nrepos: {a: [b]}\n",
    "half a surrogate": b"a: \xed\xa0\x80\n",
    "what a terminal obeys": f"a: {SAID!a}\n{SAID}",
}
JSON_BOMBS: dict[str, bytes | str] = {
    "deep lists": "[" * 200 * _K,
    "deep objects": '{"a":' * 100 * _K,
    "a huge number": '{"version":' + "9" * 500 * _K + "}",
    "a number beyond floats": '{"version": 1e999999, "a": NaN, "b": -Infinity}',
    "a key many times": '{"name": "a"' + ', "name": "b"' * 50 * _K + "}",
    "a million elements": "[" + "0," * 1000 * _K + "0]",
    "many dependencies": '{"dependencies": {' + ",".join(f'"d{n}":"1"' for n in range(20 * _K)) + "}}",
    "half a surrogate": '{"name": "\\ud800", "dependencies": {"\\udfff": "\\ud800"}}',
    "other types": '{"name": [], "version": {}, "dependencies": [1], "scripts": 5, "packages": [],'
    '"workspaces": {"packages": 7}, "lockfileVersion": "x", "extends": 5, "compilerOptions": []}',
    "types below": '{"dependencies": {"a": {}}, "scripts": {"postinstall": {}}, "workspaces": [5, {}],'
    '"packages": {"": 5, "node_modules/a": []}, "lockfileVersion": 3, "extends": ["./tsconfig.json", 5],'
    '"compilerOptions": {"paths": {"*": 5, "a": [5]}, "baseUrl": 5}}',
    "a config that extends itself": '{"extends": "./tsconfig.json", "references": [{"path": "."}],'
    '"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["./@/*"]}}}',
    "comments": "/*" * 200 * _K,
    "null": "null",
    "what a terminal obeys": '{"name": "\\u001b[31m\\u202e", "dependencies": {"\\u001b\\n::error::x": "1"},'
    '"scripts": {"postinstall": "\\u001b[31m\\n::set-output name=a::b\\r##vso[task.x]y"}}' + SAID,
}
TOML_BOMBS: dict[str, bytes | str] = {
    "deep lists": "a = " + "[" * 50 * _K,
    "deep tables": "a = " + "{a=" * 50 * _K,
    "a long dotted key": ".".join("a" * 10 * _K) + " = 1\n",
    "a long header": "[" + ".".join("a" * 10 * _K) + "]\n",
    "a huge number": "a = " + "9" * 500 * _K,
    "many tables": "[[a]]\n" * 20 * _K,
    "other types": "project = 5\ntool = 'x'\npackage = [5]\nworkspace = []\n[dependencies]\na = []\n",
    "types below": "[project]\nname = 5\ndependencies = [5, []]\noptional-dependencies = []\n",
    "what a terminal obeys": SAID,
}
TSV_BOMBS: dict[str, bytes | str] = {
    "cells without end": "\t" * 200 * _K + "\n",
    "rows without end": "\n" * 200 * _K,
    "bytes of nothing": b"\0" * 200 * _K,
    "returns": "\r" * 200 * _K,
    "what a terminal obeys": SAID,
}
REPEATED = (
    *"([<{*_`#|-~=> \t\\/'\"$&;:!@.",
    *(
        "- ",
        "//",
        "/*",
        "$(",
        "${",
        "$((",
        "${a:-",
        "`${",
        "![",
        "[a](",
        "<!--",
        "-->",
        "<a ",
        "../",
        "a/",
        "=a",
        "a=",
    ),
    *(
        "a:\n",
        "\n",
        "| a ",
        "|-|\n",
        "# a\n",
        "## a\n",
        "- a\n",
        "1. \n",
        "> > ",
        "- [ ] ",
        "<<A\n",
        "A && ",
        "\\\n",
    ),
    *(
        "f('",
        "import {",
        "from 'a' ",
        ": any",
        "as any",
        "<T",
        "require('",
        "if ! ",
        "fetch(",
        "await ",
        f"{MARK} ",
    ),
    *(
        "eyJ",
        "AKIA",
        "-----BEGIN ",
        "https://",
        "Set-Cookie: ",
        "process.env.",
        "new BrowserWindow({",
        "é",
        "\u200b",
    ),
    *(
        "webPreferences: {",
        "// @ts-ignore\n",
        "claude-",
        "gpt-4",
        "/home/",
        "192.168.",
        "==1.0 ",
        "--hash=sha256:",
    ),
)
"""Pieces that patterns look for: over a text of one of them alone, one that backtracks never ends."""

CONTENTS = {
    "YAML": (YAML, YAML_BOMBS),
    "JSON": (JSON, JSON_BOMBS),
    "TOML": (TOML, TOML_BOMBS),
    "TSV": (TSV, TSV_BOMBS),
}
