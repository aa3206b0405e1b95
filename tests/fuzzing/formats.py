"""Targets: files that other tools write and read: manifests, locks, workflows, reports, git's answers."""

from __future__ import annotations

import io

from goblin import yaml
from goblin.bans import astgrep, rules
from goblin.facts import (
    archives,
    auditreports,
    banfiles,
    cigate,
    handoff,
    head,
    lockfiles,
    lockformats,
    manifests,
    repository,
    testoutput,
    triggers,
    workflows,
)
from goblin.facts.jobs import Workflow
from tests.fuzzing.target import Run, Target, parted, utf8, whole

OID = "0123456789abcdef0123456789abcdef01234567"
COMMIT = (
    f"tree {OID}\nparent {OID}\nauthor A B <a@example.invalid> 1767323045 +0000\n"
    "committer A <a@example.invalid> 99999999999999 +9999\n\nSubject\n\nBody\n"
)
NPM = (
    '{"name": "a", "lockfileVersion": 3, "packages": {"": {"dependencies": {"b": "^1"}},'
    '"node_modules/b": {"version": "1.0.0", "hasInstallScript": true}}}'
)
BUN = '{"lockfileVersion": 1, // a\n "trustedDependencies": ["b",], /* c */ "packages": {"b": ["b@1.0.0"],},}'
YARN = (
    '# yarn lockfile v1\n\n\nb@^1:\n  version "1.0.0"\n',
    '__metadata:\n  version: 6\n\n"b@npm:^1":\n  a: b\n',
)
PNPM = (
    "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      b:\n        specifier: ^1\n"
    "        version: 1.0.0\n\npackages:\n\n  b@1.0.0:\n    resolution: {integrity: sha512-a}\n",
    "lockfileVersion: 5.4\nspecifiers:\n  b: ^1\npackages:\n  /b/1.0.0:\n    requiresBuild: true\n",
)  # fmt: skip
UV = (
    '[[package]]\nname = "a"\nsource = { editable = "." }\n[package.metadata]\nrequires-dist = [{ name = "b",'
    ' specifier = ">=1" }]\n[[package]]\nname = "b"\nsource = { registry = "c" }\nsdist = { url = "d" }\n'
)
POETRY = '[[package]]\nname = "b"\nfiles = [{file = "b.tar.gz"}]\n[metadata.files]\nb = []\n'
PACKAGE = (
    '{"name": "a", "packageManager": "pnpm@9", "dependencies": {"b": "^1", "c": "file:d"},'
    '"peerDependencies": {"b": "*"}, "pnpm": {"onlyBuiltDependencies": ["b@1"]}}'
)
PYPROJECT = (
    '[project]\nname = "a"\ndependencies = ["b[c]>=1; python_version > \'3\'", "d @ https://e"]\n'
    '[tool.uv.sources]\nd = {git = "f"}\n[tool.poetry.dependencies]\npython = "*"\n'
)
PIPENV = '{"default": {"b": {"hashes": []}}, "develop": {}}'
GO_MOD = "module a\n\nrequire (\n\tb v1.0.0 // indirect\n\tc v0.1.0\n)\nrequire d v2.0.0\nreplace c => ./c\n"
REPORTS = (
    '{"auditReportVersion": 2, "vulnerabilities": {"a": {"severity": "high", "via": [{"source": 1,'
    ' "severity": "high", "url": "b"}, "c"]}}}',
    '{"advisories": {"1": {"module_name": "a", "severity": "low", "url": "b"}}}',
    '{"vulnerabilities": {"found": true, "list": [{"advisory": {"id": "a"}, "package": {"name": "b"}}]}}',
    '{"dependencies": [{"name": "a", "vulns": [{"id": "b"}]}]}',
    '{"results": [{"packages": [{"package": {"name": "a"}, "groups": [{"ids": ["b"], "max_severity": "9.1"}],'
    ' "vulnerabilities": [{"id": "b"}]}]}]}',
    '{"a": [{"id": 1, "severity": "high", "url": "b"}]}',
    '{"type": "auditAdvisory", "data": {"advisory": {"module_name": "a"}}}\n{"type": "auditSummary"}\n',
    '{"value": "a", "children": {"ID": 1, "URL": "b", "Severity": "high"}}\n',
)
GITHUB = """\
on:
  push: {branches: [main, 'v*'], paths: [a]}
  pull_request:
jobs:
  gate:
    needs: [other]
    if: ${{ always() }}
    strategy: {matrix: {a: [1, 2], exclude: [{a: 1}]}}
    runs-on: ubuntu-latest
    defaults: {run: {shell: bash}}
    steps:
      - uses: actions/checkout@v4
        with: {fetch-depth: 0}
      - &a
        run: |
          set -eu
          if make test; then .goblin/bin/goblin-verify --json | tee a && exit 0; fi
      - *a
      - parallel: [{run: make lint, continue-on-error: true}]
  other: {uses: ./.github/workflows/b.yml}
"""
GITLAB = """\
default: {before_script: [a]}
.base: &base {script: [make test], rules: [{if: a, when: never}, {when: on_success}]}
gate:
  extends: [.base, .more]
  script: [!reference [.base, script], .goblin/bin/goblin-verify]
  allow_failure: {exit_codes: 1}
.more: {only: [main], variables: {a: b}}
workflow: {rules: [{if: a}]}
"""
GATES = {"tests": "make test", "lint": "make lint && ruff check ."}
TEST_OUTPUT = (
    "not ok 1 - a\n  # bash: b: command not found\n1..0\n",
    "E   ModuleNotFoundError: No module named 'a.b'\nFAILED tests/a.py::b - AssertionError\n",
    "\x1b[31m\u2717 a\x1b[0m\r\n/bin/sh: 1: c: not found\ncat: d: No such file or directory\n",
)


def _workflow(path: str) -> Run:
    """A CI file of a forge, read and then judged as the gate that it may be."""

    def run(data: bytes) -> None:
        root = yaml.load(data, path, merge=True)
        found = workflows.read(path, root, data)
        other = Workflow(".github/workflows/b.yml")
        for gates in (GATES, {}):
            gate = cigate.assess((found, other), gates, "main")
            assert len(gate.gatings) == 2
            for gating in gate.gatings:
                assert isinstance(gating.accepted, bool)
            gate.gate_jobs()

    return run


def _manifest(name: str) -> Run:
    def run(data: bytes) -> None:
        value, declares = manifests.READERS[name](data)
        assert isinstance(value, dict)
        assert declares >= 0

    return run


def _lock(name: str) -> Run:
    """A lock, also through the form in which its content is kept."""
    import json

    def run(data: bytes) -> None:
        content = lockformats.READERS[name](data)
        assert lockfiles._restored(json.loads(json.dumps(content))) == content

    return run


def _npm_against(data: bytes) -> None:
    declared = lockformats.npm_root(manifests.table(manifests.load_json(data), "a"))
    assert all(isinstance(spec, str) for spec in declared.values())


def _requirements(data: bytes) -> None:
    list(manifests.python_requirements(manifests.table(manifests.load_toml(data), "project")))


def _commit(data: bytes) -> None:
    commit = head.parse_commit(OID, data)
    assert isinstance(commit.message, str)
    for who in (commit.author, commit.committer):
        assert who.when >= 0


def _listing(data: bytes) -> None:
    """A listing as git writes it, with whatever names."""
    records = b"\0".join(b"H 100644 " + OID.encode() + b" 0\t" + name for name in data.split(b"\0") if name)
    found = repository.Repository(records + b"\0" if records else b"")
    for entry in found.entries:
        assert found.tracks(entry.path)
    names = banfiles.named(found.listing, ("go.mod", "package.json"))
    assert set(names) <= {name for entry in found.entries for name in (entry.path, *entry.path.split("\t"))}


def _rule(data: bytes) -> None:
    tree = rules.parse(data, "rules/a.yml")
    if astgrep.is_one(tree):
        astgrep.of(tree, "rules/a.yml").document("OWN-01")
        return
    rule = rules.of(tree, "rules/a.yml")
    for needle in rule.needles():
        assert needle.pattern


def _archive(data: bytes) -> None:
    for found in archives.digests(io.BytesIO(data)):
        assert found.digest or found.problem


def _pattern(data: bytes) -> None:
    pattern, name, _ = parted(data)
    triggers.selects([pattern, f"!{name}"], name)


FORGES: dict[str, tuple[str, ...]] = {
    ".github/workflows/a.yml": (GITHUB, "@.github/workflows/*.yml", "@templates/ci/github.yml"),
    ".forgejo/workflows/a.yml": (GITHUB, "@templates/ci/forgejo.yml"),
    ".gitea/workflows/a.yaml": (GITHUB,),
    ".gitlab-ci.yml": (GITLAB, "@templates/ci/gitlab.yml"),
}
LOCKS: dict[str, tuple[str | bytes, ...]] = {
    "package-lock.json": (NPM,), "bun.lock": (BUN,), "bun.lockb": (b"\x00bun",), "yarn.lock": YARN,
    "pnpm-lock.yaml": PNPM, "uv.lock": (UV,), "poetry.lock": (POETRY,), "Pipfile.lock": (PIPENV,),
    "Cargo.lock": ('[[package]]\nname = "a"\n',), "go.sum": ("a v1 h1:b\na v1/go.mod h1:c\n",),
}  # fmt: skip
MANIFESTS: dict[str, tuple[str, ...]] = {
    "package.json": (PACKAGE,), "pyproject.toml": (PYPROJECT, "@pyproject.toml"), "go.mod": (GO_MOD,),
    "Pipfile": ('[packages]\na = "*"\n',),
    "Cargo.toml": ('[dependencies]\na = "1"\n[target.b.dev-dependencies]\nc = {path = "d"}\n',),
}  # fmt: skip
JSON = (NPM, BUN, PACKAGE, '{"a": -1e999, "b": "\\ud800"}')

TARGETS = (
    *(
        Target(f"facts.workflows.read:{path.split('/')[0].strip('.')}", _workflow(path), seeds,
               (yaml.YamlError,), ("facts.actions.Reader",))
        for path, seeds in FORGES.items()
    ),
    *(
        Target(f"facts.lockformats.{lockformats.READERS[name].__name__}", _lock(name), seeds, (ValueError,))
        for name, seeds in LOCKS.items()
    ),
    *(
        Target(f"facts.manifests.{name.split('.')[0].lower()}:{name}", _manifest(name), seeds, (ValueError,))
        for name, seeds in MANIFESTS.items()
    ),
    Target("facts.lockformats.load_jsonc", whole(lockformats.load_jsonc), JSON, (ValueError,)),
    Target("facts.lockformats.npm_root", _npm_against, ('{"a": ' + PACKAGE + "}",), (ValueError,)),
    Target("facts.manifests.load_json", whole(manifests.load_json), JSON, (ValueError,)),
    Target("facts.manifests.load_toml", whole(manifests.load_toml), (PYPROJECT, UV), (ValueError,)),
    Target("facts.manifests.python_requirements", _requirements, (PYPROJECT,), (ValueError,)),
    Target("facts.manifests.requirement", utf8(manifests.requirement), ("a[b]>=1, <2 ; c", "d @ e", "-")),
    Target("facts.manifests.normal", utf8(manifests.normal), ("A._-b",)),
    Target("facts.auditreports.parse", whole(auditreports.parse), REPORTS, (auditreports.NotAReport,)),
    Target("facts.triggers.selects", _pattern, ("v[0-9]+.*\0v1.x", "**/a?\0b/a", "\\*\0*")),
    Target("facts.testoutput.read", lambda d: testoutput.read(d, "tests/a.py"), TEST_OUTPUT),
    Target("facts.head.parse_commit", _commit, (COMMIT,)),
    Target("facts.repository.Repository", _listing, ("a/b\0go.mod\0c/package.json",),
           through=("facts.banfiles.named",)),
    Target("facts.archives.digests", _archive, (b"PK\x05\x06" + b"\0" * 18, b"\x1f\x8b\x08\0", b"BZh9",
           b"\xfd7zXZ\0")),
    Target("facts.handoff.uncorrected", lambda d: handoff.uncorrected(*d.partition(b"\0")[::2]),
           ("a\nb\0a\n",)),
    Target("bans.rules.read", _rule, ("@bans/*.yml", "language: ts\nrule: {pattern: $A == $B}\n"),
           (rules.BadRule,), ("bans.rules.parse", "bans.rules.of", "bans.astgrep.of")),
    Target("bans.astgrep.suppressions", lambda d: astgrep.suppressions(d, "a"), ("// ast-grep-ignore: a\n",)),
)  # fmt: skip
