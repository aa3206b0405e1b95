"""BN-05 over repositories: each form of an import, each language, and what cannot be followed."""

from __future__ import annotations

from pathlib import Path

import pytest

from goblin.bans import astprobe, extra
from goblin.outcome import Outcome, Verdict
from tests.bans.repos import ban_repo, outcome, places
from tests.support.repo import Files

LAYERS = "layers: ['src/data src/ui']\n"
UI: Files = {"src/ui/button.ts": "export const b = 1;\n", "src/ui/index.ts": "export {};\n"}


@pytest.fixture(params=["text", "tree"], autouse=True)
def reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to read a source."""
    name: str = request.param
    if name == "text":
        monkeypatch.setattr(astprobe, "usable", lambda: False)
        monkeypatch.setattr(extra, "versions", lambda: "")
    return name


def border(root: Path, files: Files, layers: str = LAYERS, config: str = "") -> Outcome:
    """The verdict of BN-05."""
    return outcome(ban_repo(root, {**UI, **files}, "BN-05", config=layers + config), "BN-05")


def test_every_form_of_an_import_is_seen_and_no_mention_of_one(tmp_path: Path) -> None:
    """Nine files that reach across in different forms, and two that only mention it."""
    files: Files = {
        "src/data/a1.ts": 'import { b } from "../ui/button";\n',
        "src/data/a2.ts": 'import "../ui";\n',
        "src/data/a3.ts": 'export * from "../ui/button.js";\n',
        "src/data/a4.cjs": 'const { b } = require("../ui/button");\n',
        "src/data/a5.ts": 'const load = async () => (await import("../ui/button")).b;\n',
        "src/data/a6.ts": 'import type { B } from "../ui/button";\n',
        "src/data/a7.ts": 'import b = require("../ui/button");\n',
        "src/data/a8.ts": 'let b: import("../ui/button").B;\n',
        "src/data/a9.tsx": "const a = <p>{import(`../ui/button`)}</p>;\n",
        "src/data/b1.ts": '// import "../ui/button"\n/* require("../ui") */\n',
        "src/data/b2.ts": 'const s = "../ui/button" + `import "../ui"`;\n',
    }
    found = border(tmp_path, files)
    assert places(found) == [f"{path}:1" for path in sorted(files) if "/a" in path]
    assert "1 layer(s), 9 import(s) followed" in found.summary
    assert found.findings[0].message == (
        'import { b } from "../ui/button"; (leads to src/ui/button; src/data may not import src/ui)'
    )


@pytest.mark.parametrize(
    "source",
    [
        'import {\n  a,\n  b,\n} from "../ui/button";',
        'export { b } from "../ui/button";',
        'export type { B } from "../ui/button";',
        'export * as ui from "../ui/button";',
        'import b, { type C } from "../ui/button";',
        'import b, * as all from "../ui/button";',
        'require.resolve("../ui/button");',
        'require.context("../ui", true);',
        'module.require("../ui/button");',
        'new Worker(new URL("../ui/button.ts", import.meta.url));',
        'import.meta.glob("../ui/*.ts");',
        '/// <reference path="../ui/button.ts" />',
        'import("../ui/" + name);',
        "import(`../ui/${name}`);",
        'import data from "../ui/data.json" with { type: "json" };',
        'import x from "../ui/button?raw";',
        'import x from "./../ui/button";',
        'import x from ".././ui//button";',
        'import x from "\\x2e\\x2e/ui/button";',
        'import x from "../../src/ui/button";',
        'import x from "/src/ui/button";',
    ],
)
def test_a_form_of_an_import_leads_across(tmp_path: Path, source: str) -> None:
    """Each of these asks for something below the border."""
    assert border(tmp_path, {"src/data/a.ts": source + "\n"}).verdict is Verdict.FAIL


@pytest.mark.parametrize(
    "source",
    [
        'import x from "domain/ui";',
        'import x from "../ui2/button";',
        'import x from "./ui/button";',
        'import x from "../uikit";',
        'import x from "ui";',
        "import.meta.url;",
        "x.require('../ui');",
        "const o = { import: '../ui', from: '../ui' };",
        "function require2() { return '../ui'; }",
        "export { from, x }; const y = '../ui';",
        "export const from = '../ui';",
    ],
)
def test_what_is_no_crossing_passes(tmp_path: Path, source: str) -> None:
    """Another folder of a like name, a package, and code that is no import."""
    assert border(tmp_path, {"src/data/a.ts": source + "\n"}).verdict is Verdict.PASS


def test_the_border_is_one_way_and_ends_at_itself(tmp_path: Path) -> None:
    """`<to>` may import `<from>`; a border inside a border binds only what is outside of it."""
    files: Files = {
        "src/ui/a.ts": 'import "../data/b";\nimport "./button";\n',
        "src/data/b.ts": 'import "./c";\n',
        "src/app.ts": 'import "./ui/button";\n',
    }
    assert border(tmp_path / "one", files).verdict is Verdict.PASS
    found = border(tmp_path / "two", files, "layers: ['src src/ui']\n")
    assert places(found) == ["src/app.ts:1"]


def test_a_border_may_be_a_file_and_folders_may_lie_anywhere(tmp_path: Path) -> None:
    """The globs of the ban say where borders usually are; a declared one holds wherever it is."""
    files: Files = {
        "packages/core/a.ts": 'import "../ui/secret";\nimport "../ui/open";\n',
        "packages/ui/secret.ts": "",
        "packages/ui/open.ts": "",
    }
    found = border(tmp_path, files, "layers: ['packages/core packages/ui/secret.ts']\n")
    assert places(found) == ["packages/core/a.ts:1"]


def test_a_file_of_the_folders_name_is_what_the_import_means(tmp_path: Path) -> None:
    """`../ui` is ui.ts where there is one."""
    files: Files = {"src/ui.ts": "export {};\n", "src/data/a.ts": 'import "../ui";\n'}
    assert border(tmp_path, files).verdict is Verdict.PASS


def test_a_folder_leads_to_what_its_package_names(tmp_path: Path) -> None:
    """`../kit` is the file behind `main` or `types` of its package.json."""
    package = '{ "main": "../ui/button.js", "types": "./types.d.ts" }\n'
    files: Files = {"src/kit/package.json": package, "src/data/a.ts": 'import "../kit";\n'}
    assert places(border(tmp_path, files)) == ["src/data/a.ts:1"]


def test_aliases_are_followed(tmp_path: Path) -> None:
    """tsconfig with comments, extends and references; jsconfig; package.json; workspaces."""
    files: Files = {
        "tsconfig.json": '{ "references": [{ "path": "./tsconfig.app.json" }], "files": [] }\n',
        "tsconfig.app.json": '// app\n{ "extends": ["./tsconfig.base"], /* none */ "files": [], }\n',
        "tsconfig.base.json": '{ "compilerOptions": { "paths": { "@ui/*": ["./src/ui/*"],\n'
        '"~ui": ["src/ui"] } } }\n',
        "src/data/a.ts": 'import "@ui/button";\nimport "~ui";\nimport "react";\nimport "node:fs";\n',
        "package.json": '{ "name": "app", "dependencies": { "react": "1" }, "workspaces": ["packages/*"], '
        '"imports": { "#ui": { "browser": "./src/ui/index.ts" }, "#lib/*": "./src/ui/*.ts" } }\n',
        "src/data/b.ts": 'import "#ui";\nimport "#lib/button";\nimport "app/src/ui/button";\n',
        "packages/kit/package.json": '{ "name": "@me/kit", "main": "dist/index.js", "exports": '
        '{ ".": "./dist/index.js", "./inner/*": "./dist/inner/*.js" } }\n',
        "packages/kit/src/index.ts": "export {};\n",
        "src/data/c.ts": 'import "@me/kit";\nimport "@me/kit/inner/x";\nimport "@me/other";\n',
    }
    layers = "layers: ['src/data src/ui', 'src/data packages/kit/src']\n"
    found = border(tmp_path, files, layers)
    assert places(found) == [
        *("src/data/a.ts:1", "src/data/a.ts:2", "src/data/b.ts:1", "src/data/b.ts:2", "src/data/b.ts:3"),
        *("src/data/c.ts:1", "src/data/c.ts:2"),
    ]
    assert "1 import(s) not resolved: src/data/c.ts:3 @me/other" in found.summary


def test_base_url_root_dirs_and_the_nearest_configuration_count(tmp_path: Path) -> None:
    """An inner configuration replaces the outer one for its folder."""
    files: Files = {
        "tsconfig.json": '{ "compilerOptions": { "baseUrl": "src", "rootDirs": ["src/data", "src/ui"] } }\n',
        "src/data/a.ts": 'import "ui/button";\nimport "./button";\n',
        "src/data/inner/jsconfig.json": '{ "compilerOptions": { "baseUrl": "." } }\n',
        "src/data/inner/b.ts": 'import "ui/button";\n',
    }
    found = border(tmp_path, files)
    assert places(found) == ["src/data/a.ts:1", "src/data/a.ts:2"]
    assert "src/data/inner/b.ts:1 ui/button" in found.summary


def test_a_link_in_the_tree_leads_where_it_leads(tmp_path: Path) -> None:
    """A crossing is not hidden behind a tracked link; one that leaves the root is not followed."""
    files: Files = {
        "src/data/near@": "../ui",
        "src/data/out@": "../../../elsewhere",
        "src/data/a.ts": 'import "./near/button";\nimport "./out/x";\n',
    }
    assert places(border(tmp_path, files)) == ["src/data/a.ts:1"]


def test_python_and_go_are_held_too(tmp_path: Path) -> None:
    """Absolute and relative imports, names taken out of a package, and the modules of go.mod."""
    files: Files = {
        "src/__init__.py": "",
        "src/ui/__init__.py": "",
        "src/ui/button.py": "",
        "src/data/__init__.py": "",
        "src/data/a.py": "from src.ui import button\nimport src.ui.button as b, os\n"
        "from ..ui.button import x\n"
        'from .. import ui\nfrom . import c\nimport json\n"""\nimport src.ui\n"""\n# import src.ui\n'
        'importlib.import_module("src.ui")\nfrom src.ui import (\n  button,\n)\n'
        "if True: import src.ui\nimportlib.import_module(name)\n",
        "go.mod": "module example.com/app\n\nreplace example.com/kit => ./src/ui/kit\n",
        "src/data/a.go": 'package data\n\nimport (\n\t"fmt"\n\tui "example.com/app/src/ui"\n'
        '\t"example.com/kit/x" // kit\n)\n'
        '\nvar s = "example.com/app/src/ui"\n',
        "src/data/b.go": 'package data\n\nimport "example.com/app/src/ui/button"\n'
        '/* import "example.com/app/src/ui" */\n',
    }
    found = border(tmp_path, files)
    assert places(found) == [
        *("src/data/a.go:5", "src/data/a.go:6"),
        *(f"src/data/a.py:{line}" for line in (1, 2, 3, 4, 11, 12, 15)),
        "src/data/b.go:3",
    ]
    assert "1 import(s) put together at run time: src/data/a.py:16" in found.summary


def test_what_cannot_be_followed_is_told(tmp_path: Path) -> None:
    """Computed paths are counted, names that nobody here knows are named; neither is a failure."""
    source = 'import(name);\nrequire(`./${name}`);\nimport "@/x";\nimport "~/y";\n'
    found = border(tmp_path, {"src/data/a.ts": source})
    assert found.verdict is Verdict.PASS
    assert "2 import(s) put together at run time: src/data/a.ts:1, src/data/a.ts:2" in found.summary
    assert "2 import(s) not resolved: src/data/a.ts:3 @/x, src/data/a.ts:4 ~/y" in found.summary


def test_an_escape_inline_does_not_hold_and_an_exemption_does(tmp_path: Path) -> None:
    """A border is a decision of the repository, not of one line."""
    files: Files = {
        "src/data/old/a.ts": 'import "../../ui/button"; // BAN-OK(BN-05): later\n',
        "src/data/b.ts": 'import "../ui/button"; // BAN-OK(BN-05): later\n',
    }
    found = border(tmp_path, files, config="bans_exempt: ['BN-05 src/data/old']\n")
    assert places(found) == ["src/data/b.ts:1"]
    assert "1 violation(s), 1 exempted, 0 escaped inline" in found.summary


@pytest.mark.parametrize(
    ("layers", "verdict", "told"),
    [
        ("", Verdict.SKIP, "no layers declared"),
        ("layers: []\n", Verdict.SKIP, "no layers declared"),
        ("layers: ['src/none src/ui']\n", Verdict.SKIP, "no layer's <from> exists here: src/none"),
        ("layers: ['src/data src/ui', 'src/none src/ui']\n", Verdict.PASS, "no such <from>: src/none"),
        ("layers: ['src/data/ ./src/ui/']\n", Verdict.PASS, "1 layer(s)"),
        ("layers: ['src/data']\n", Verdict.FAIL, "must be two paths"),
        ("layers: ['a b c']\n", Verdict.FAIL, "must be two paths"),
        ("layers: ['../x src/ui']\n", Verdict.FAIL, "could not run"),
        ("layers: src/data\n", Verdict.FAIL, "must be a list"),
    ],
)
def test_what_the_declaration_says_decides_first(
    tmp_path: Path, layers: str, verdict: Verdict, told: str
) -> None:
    """Nothing declared is a skip, a wrong declaration a failure."""
    found = border(tmp_path, {"src/data/a.ts": "export {};\n"}, layers)
    assert (found.verdict, told in found.summary) == (verdict, True), found.summary


def test_a_wrong_border_fails_no_other_ban(tmp_path: Path) -> None:
    """The row that reads the key says what is wrong with it."""
    repo = ban_repo(tmp_path, UI, "BN-01", "BN-05", config="layers: [one]\n")
    assert outcome(repo, "BN-01").verdict is Verdict.PASS
    assert outcome(repo, "BN-05").verdict is Verdict.FAIL
