"""Where imports lead, with the answers that TypeScript 5.9.3 gives for the same files.

`python -m benchmarks.resolution` asks the compiler about whole repositories (docs/benchmarks.md).
"""

from __future__ import annotations

import json
import tracemalloc
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from goblin.bans.jsresolve import Resolved, Resolver
from goblin.bans.layers import Layer
from goblin.bans.otherimports import GoResolver, PythonResolver
from goblin.paths import Tree
from tests.support.repo import write_files

Leads = dict[str, str]
"""A specifier to the file that it leads to; "" for one that leads nowhere in the repository."""

BUNDLER = {"module": "esnext", "moduleResolution": "bundler"}


def options(**given: Any) -> dict[str, Any]:
    """A tsconfig.json with these options."""
    return {"compilerOptions": {**BUNDLER, **given}}


def check(root: Path, files: dict[str, Any], path: str, leads: Leads) -> None:
    """Hold the imports of the file at `path` to where they lead. A value that is no text is JSON."""
    written = {
        name: one if isinstance(one, str) else "" if one is None else json.dumps(one)
        for name, one in files.items()
    }
    targets = [file for file in leads.values() if file and file not in written]
    write_files(root, {**dict.fromkeys(targets, "export {};\n"), **written})
    resolver = Resolver(Tree(str(root)), lambda: [name for name in files if name.endswith("package.json")])
    for specifier, file in leads.items():
        found = [one for one in resolver.resolve(path, specifier).targets if resolver.exists(one)]
        if not file:
            assert found == [], specifier
        for border in (file, file.rpartition("/")[0] or ".") if file else ():
            assert any(Layer("", border).crosses(one) for one in found), (specifier, found)


CASES: dict[str, tuple[dict[str, Any], str, Leads]] = {
    "the last of several configurations wins, one by one": (
        {
            "p/tsconfig.json": {"extends": ["./a.json", "./b"]},
            "p/a.json": {
                "extends": "./tsconfig.json",  # a circle
                "compilerOptions": {"baseUrl": "./base", "paths": {"@x/*": ["x/*"]}},
            },
            "p/b.json": options(paths={"@x/*": ["../xb/*"]}),
            "p/xb/other.ts": None,
            "xb/one.ts": None,
        },
        "p/src/m.ts",
        {"@x/one": "p/xb/one.ts", "inner": "p/base/inner.ts"},
    ),
    "paths are relative to the base that holds in the end": (
        {
            "p/conf/base.json": options(paths={"@u/*": ["./ui/*"]}),
            "p/tsconfig.json": {"extends": "./conf/base.json", "compilerOptions": {"baseUrl": "./src"}},
            "p/conf/ui/k.ts": None,
        },
        "p/src/m.ts",
        {"@u/k": "p/src/ui/k.ts"},
    ),
    "the base may come from the other file": (
        {
            "p/conf/base.json": options(baseUrl="../src"),
            "p/tsconfig.json": {
                "extends": "./conf/base.json",
                "compilerOptions": {"paths": {"@u/*": ["./ui/*"]}},
            },
            "p/ui/k.ts": None,
        },
        "p/src/m.ts",
        {"@u/k": "p/src/ui/k.ts"},
    ),
    "the longest start of a pattern counts, and the first target that is there": (
        {
            "p/tsconfig.json": options(
                paths={
                    "*": ["./types/*", "./gen/*"],
                    "@a/*": ["./a/*"],
                    "@a/b/*": ["./ab/*"],
                    "@a/b/c": ["./exact.ts"],
                    "m*x": ["./mid/*"],
                    "noz/*": ["./one.ts"],
                    "up/*": ["../shared/*"],
                    "d": ["./dts/d.d.ts"],
                    "pre": ["./pre"],
                    "o*": ["./o/*"],
                    "out*": ["./out/*"],
                }
            ),
            "p/types/@a/q.ts": None,
            "p/gen/glob.ts": None,
            "p/o/utz.ts": None,
        },
        "p/src/m.ts",
        {
            "@a/q": "p/a/q.ts",
            "@a/q.js": "p/a/q.ts",
            "@a/b": "p/a/b.ts",
            "@a/dir": "p/a/dir/index.ts",
            "@a/b/q": "p/ab/q.ts",
            "@a/b/c": "p/exact.ts",
            "mAAx": "p/mid/AA.ts",
            "noz/any": "p/one.ts",
            "up/s": "shared/s.ts",
            "d": "p/dts/d.d.ts",
            "pre": "p/pre/index.ts",
            "glob": "p/types/glob.ts",
            "genuine": "p/gen/genuine.ts",
            "outz": "p/out/z.ts",
        },
    ),
    "an inner configuration replaces an inherited alias, and null takes it back": (
        {
            "p/tsconfig.json": options(paths={"@q/*": ["./src/*"]}),
            "p/src/k.ts": None,
            "p/src/c/tsconfig.json": {"extends": "../../tsconfig.json", "compilerOptions": {"paths": None}},
        },
        "p/src/c/m.ts",
        {"@q/k": ""},
    ),
    "the folders of rootDirs are one": (
        {"p/tsconfig.json": options(rootDirs=["./src", "./gen", "./gen/deep"])},
        "p/src/v/m.ts",
        {"./t": "p/gen/v/t.ts", "../u": "p/gen/u.ts", "./w": "p/gen/deep/v/w.ts"},
    ),
    "a configuration may be extended from a package of the repository": (
        {
            "conf/package.json": {"name": "@repo/conf", "tsconfig": "./main.json"},
            "conf/main.json": options(paths={"@m/*": ["./m/*"], "@c/*": ["${configDir}/c/*"]}),
            "p/tsconfig.json": {"extends": "@repo/conf"},
        },
        "p/m.ts",
        {"@m/k": "conf/m/k.ts", "@c/k": "p/c/k.ts"},
    ),
    "by its exports too": (
        {
            "conf/package.json": {"name": "@repo/conf", "exports": {"./d/*": "./real/*.json"}},
            "conf/real/base.json": options(paths={"@e/*": ["../e/*"]}),
            "p/tsconfig.json": {"extends": "@repo/conf/d/base"},
        },
        "p/m.ts",
        {"@e/k": "conf/e/k.ts"},
    ),
    "and from one that is installed in a folder above": (
        {
            "a/node_modules/@o/conf/strict.json": options(baseUrl="../../../b"),
            "a/p/tsconfig.json": {"extends": "@o/conf/strict"},
        },
        "a/p/m.ts",
        {"k": "a/b/k.ts"},
    ),
    "comments, a mark and trailing commas do no harm": (
        {
            "jsconfig.json": '\ufeff// "paths"\n{"compilerOptions":{/* "paths": {} */"baseUrl":".","paths":'
            '{"~/*":["app/*",],"http://x/*":["h/*"],},},}\n'
        },
        "m.js",
        {"~/k": "app/k.js", "http://x/y": "h/y.js"},
    ),
    "a project that is referred to holds its own files": (
        {
            "p/tsconfig.json": {"files": [], "references": [{"path": "./tsconfig.app.json"}]},
            "p/tsconfig.app.json": options(paths={"@/*": ["./lib/*"]}),
        },
        "p/src/m.ts",
        {"@/k": "p/lib/k.ts"},
    ),
    "imports of the package": (
        {
            "package.json": {
                "imports": {
                    "#i": "./src/i.js",
                    "#c": {"node": {"import": "./src/n.js", "default": "./src/d.js"}, "types": "./src/t.ts"},
                    "#w/*": "./src/w/*.js",
                    "#w/priv/*": None,
                    "#w/deep/*.js": "./src/deep/*.js",
                    "#arr": ["./src/missing.js", "./src/arr.js"],
                    "#kit": "@me/kit",
                    "#kit/*": "@me/kit/*",
                    "#built": "./dist/built.js",
                }
            },
            "kit/package.json": {"name": "@me/kit", "exports": {".": "./k.ts", "./part": "./part.ts"}},
            "src/built.ts": None,
            "src/w/priv/b.ts": None,
        },
        "src/m.ts",
        {
            "#i": "src/i.ts",
            "#c": "src/t.ts",
            "#w/a": "src/w/a.ts",
            "#w/sub/c": "src/w/sub/c.ts",
            "#w/deep/z.js": "src/deep/z.ts",
            "#w/priv/b": "",
            "#arr": "src/arr.ts",
            "#kit": "kit/k.ts",
            "#kit/part": "kit/part.ts",
            "#built": "src/built.ts",
            "#none": "",
        },
    ),
    "the nearest package.json decides on them": (
        {"package.json": {"imports": {"#i": "./i.js"}}, "inner/package.json": {}, "i.ts": None},
        "inner/m.ts",
        {"#i": ""},
    ),
    "exports of a package": (
        {
            "kit/package.json": {
                "name": "kit",
                "exports": {
                    ".": {"types": "./src/types.ts", "require": "./src/cjs.cts"},
                    "./feature": "./src/feature.ts",
                    "./f/*": {"import": "./src/f/*.ts"},
                    "./f/*.css": "./src/css/*.ts",
                    "./f/no/*": None,
                    "./dir/": "./src/dir/",
                    "./built": "./dist/esm/built.js",
                },
            },
            "kit/src/f/no/b.ts": None,
            "kit/src/cjs.cts": None,
        },
        "app/m.ts",
        {
            "kit": "kit/src/types.ts",
            "kit/feature": "kit/src/feature.ts",
            "kit/f/a": "kit/src/f/a.ts",
            "kit/f/q.css": "kit/src/css/q.ts",
            "kit/f/no/b": "",
            "kit/dir/k.ts": "kit/src/dir/k.ts",
            "kit/built": "kit/src/built.ts",  # the compiler wants it built
        },
    ),
    "packages without exports": (
        {
            "a/package.json": {"name": "a", "main": "./lib", "typesVersions": {"*": {"tv": ["./t/tv.ts"]}}},
            "b/package.json": {"name": "@s/b", "types": "types/x.d.ts"},
            "c/package.json": {"name": "c"},
            "d/package.json": {"name": "d", "main": "build/out.js"},
            "tsconfig.json": options(paths={"@kit": ["./a"]}),
        },
        "app/m.ts",
        {
            "a": "a/lib/index.ts",
            "a/tv": "a/t/tv.ts",
            "a/lib/deep": "a/lib/deep.ts",
            "@s/b": "b/types/x.d.ts",
            "@s/b/sub": "b/sub.ts",
            "c": "c/index.ts",
            "d": "d/build/out.d.ts",
            "@kit": "a/lib/index.ts",
        },
    ),
    "endings are written for others": (
        {},
        "p/m.ts",
        {
            "./a.js": "p/a.ts",
            "./b.jsx": "p/b.tsx",
            "./c.mjs": "p/c.mts",
            "./d.cjs": "p/d.cts",
            "./e.service.js": "p/e.service.ts",
            "./f.js": "p/f.d.ts",
            "./g/index.js": "p/g/index.ts",
            "./h.ts": "p/h.ts",
            "./k.js": "p/k.tsx",
            "./l.mjs": "p/l.d.mts",
            "./v.vue": "p/v.vue",
            "./x": "p/x.svelte",
        },
    ),
    "folders and files of one name": (
        {"p/s/both/index.ts": None},
        "p/s/m.ts",
        {
            ".": "p/s/index.ts",
            "./": "p/s/index.ts",
            "..": "p/index.ts",
            "../": "p/index.ts",
            "./x/": "p/s/x/index.ts",
            "./both": "p/s/both.ts",
            "./both/": "p/s/both/index.ts",
            "./y.z": "p/s/y.z/index.ts",
            "./d.js": "p/s/d.js/index.ts",
            "../..": "index.ts",
        },
    ),
    "aliases of frameworks that no file here declares": (
        {"web/package.json": {"name": "web"}, "web/src/k.ts": None},
        "web/src/routes/m.ts",
        {
            "$lib/api": "web/src/lib/api.ts",
            "@/k": "web/src/k.ts",
            "~/none": "",
            "~~/server/x": "web/server/x.ts",
        },
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_an_import_leads_where_the_compiler_takes_it(tmp_path: Path, case: str) -> None:
    """A border around the file or around its folder sees the import."""
    check(tmp_path, *CASES[case])


def test_a_link_hides_neither_of_its_two_places(tmp_path: Path) -> None:
    """A border around the link, and one around what it leads to."""
    files = {"near@": "../ui", "one.ts@": "../ui/b.ts", "m.ts": ""}
    write_files(tmp_path / "data", files)
    write_files(tmp_path / "ui", {"b.ts": ""})
    resolver = Resolver(Tree(str(tmp_path)), list)
    assert resolver.resolve("data/m.ts", "./near/b").targets == ("data/near/b", "ui/b.ts")
    assert resolver.resolve("data/m.ts", "./one").targets == ("data/one", "ui/b.ts")


def test_two_packages_of_one_name_are_both_meant(tmp_path: Path) -> None:
    """A fixture that takes the name of a package hides nothing."""
    packages = ["a/fixtures/kit/package.json", "kit/package.json"]
    write_files(tmp_path, dict.fromkeys(packages, '{"name": "kit", "main": "k.js"}'))
    resolver = Resolver(Tree(str(tmp_path)), lambda: packages)
    assert resolver.resolve("app/m.ts", "kit").targets[::2] == ("a/fixtures/kit/k.js", "kit/k.js")


def test_configurations_that_multiply_are_read_once(tmp_path: Path) -> None:
    """Each extends the next twice and refers to all: two to the thirtieth ways, one file each."""
    names = [f"c{number}" for number in range(30)]
    files = {
        f"{name}.json": {
            "extends": [f"./{after}", f"./{after}"],
            "references": [{"path": f"./{other}.json"} for other in names],
        }
        for name, after in pairwise([*names, "last"])
    }
    files["tsconfig.json"] = {"extends": "./c0", "references": [{"path": "./c1.json"}]}
    files["last.json"] = options(paths={"@/*": ["./x/*"]})
    check(tmp_path, files, "m.ts", {"@/k": "x/k.ts"})


def test_targets_that_multiply_cost_next_to_nothing(tmp_path: Path) -> None:
    """A star for each sign of a long name is a gigabyte; of very many targets the first are followed."""
    stars, many = "./" + "*" * 200_000, [f"./x{number}/*" for number in range(20_000)]
    package: dict[str, Any] = {"imports": {"#*": stars, "#m/*": many}}
    package |= {"name": "kit", "exports": {"./*": stars}, "typesVersions": {"*": {"*": [stars]}}}
    files = {
        "package.json": package,
        "tsconfig.json": {"extends": "kit/" + "a" * 5000, **options(paths={"@/*": many})},
    }
    write_files(tmp_path, {**{name: json.dumps(one) for name, one in files.items()}, "x1/k.ts": ""})
    resolver = Resolver(Tree(str(tmp_path)), lambda: ["package.json"])
    tracemalloc.start()
    for specifier in ("#" + "a" * 5000, "kit/" + "a" * 5000):
        resolver.resolve("m.ts", specifier)
    for specifier in ("#m/k", "@/k"):
        found = resolver.resolve("m.ts", specifier).targets
        assert "x1/k" in found
        assert len(found) < 1000
    assert tracemalloc.get_traced_memory()[1] < 64 << 20
    tracemalloc.stop()


PYTHON: Leads = {
    "a.b": "a/b.py",
    "a.b.name": "a/b.py",
    "a.b.moved.deeper": "a/b.py",  # put into sys.modules, as six.moves is
    "a.name": "a/__init__.py",
    "a": "a/__init__.py",
    "spaced.inner": "spaced/inner.py",  # a package without __init__.py
    "pack.m": "src/pack/m.py",
    "stub": "stub.pyi",
    ".near": "a/near.py",
    "..top": "top.py",
    ".": "a/__init__.py",
    "json": "",
    "absent.module": "",
}


def test_python_imports_lead_where_importlib_finds_them(tmp_path: Path) -> None:
    """Modules, names in them, packages without a file, and the usual folders of sources."""
    write_files(tmp_path, {**{path: "" for path in PYTHON.values() if path}, "src/pack/__init__.py": ""})
    resolver = PythonResolver(Tree(str(tmp_path)))
    for specifier, file in PYTHON.items():
        found = resolver.resolve("a/m.py", specifier)
        target = file.removesuffix("i").removesuffix(".py").removesuffix("/__init__")
        assert found.targets == ((target,) if file else ()), specifier
        assert found.external is not bool(file), specifier


def test_go_imports_lead_to_the_module_that_says_so(tmp_path: Path) -> None:
    """Modules inside modules, what a `replace` names, and folders named relatively."""
    mods = {
        "go.mod": "module example.com/app\n\nreplace (\n\texample.com/kit v1.2.3 => ./kit\n)\n",
        "tools/go.mod": 'module "example.com/app/tools" // with quotes\n',
        "go.work": "go 1.22\nuse (\n\t.\n\t./tools\n)\n",
    }
    write_files(tmp_path, mods)
    resolver = GoResolver(Tree(str(tmp_path)), lambda: ["go.mod", "tools/go.mod"])
    leads = {
        "example.com/app": ".",
        "example.com/app/internal/ui": "internal/ui",
        "example.com/app/tools/gen": "tools/gen",
        "example.com/kit/x": "kit/x",
        "../ui": "ui",
    }
    for specifier, target in leads.items():
        assert resolver.resolve("cmd/main.go", specifier).targets == (target,), specifier
    for specifier in ("fmt", "example.com/application", "example.org/app"):
        assert resolver.resolve("cmd/main.go", specifier) == Resolved(external=True)
