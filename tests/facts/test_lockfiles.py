"""Lockfiles of every kind: what they lock for the root, and which packages run code on install."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin import yaml
from goblin.facts import lockformats, manifests
from goblin.facts.lockfiles import Lockfiles, parse_allowlist
from goblin.facts.lockformats import READERS
from tests.support.mini import facts_of, mini_repo


def lockfiles(tmp_path: Path, files: dict[str, str | bytes], **settings: object) -> Lockfiles:
    """The fact of a committed repository that holds these files."""
    repo = mini_repo(tmp_path / "r", [], files)
    found: Lockfiles = facts_of(repo, **settings).get("lockfiles")
    return found


def hooks(tmp_path: Path, files: dict[str, str | bytes], name: str) -> tuple[tuple[str, ...] | None, str]:
    """The install hooks that one lockfile of a repository stands for."""
    found = lockfiles(tmp_path, files)
    return found.hooks(found.locks[name])


# --- npm ----------------------------------------------------------------------------------------------

PACKAGES = {
    "": {"name": "x", "hasInstallScript": True, "dependencies": {"a": "^1"}},
    "node_modules/a": {"version": "1.0.0"},
    "node_modules/esbuild": {"hasInstallScript": True},
    "node_modules/a/node_modules/@s/deep": {"hasInstallScript": True},
    "node_modules/alias": {"name": "real", "hasInstallScript": True},
    "packages/ui": {"name": "@x/ui", "hasInstallScript": True},
    "packages/plain": {"hasInstallScript": True},
    "node_modules/off": {"hasInstallScript": False},
    "node_modules/text": {"hasInstallScript": "true"},
}


@pytest.mark.parametrize("indent", [None, 2, "\t"])
@pytest.mark.parametrize("version", [2, 3])
def test_npm_hooks_are_found_whatever_the_layout(version: int, indent: str | int | None) -> None:
    """Nested, aliased, in a workspace; not the project itself, and not what says false."""
    data = json.dumps({"lockfileVersion": version, "packages": PACKAGES}, indent=indent).encode()
    read = lockformats.npm(data)
    assert read.hooks == ("@s/deep", "@x/ui", "esbuild", "plain", "real")
    assert read.root == {"dependencies a": "^1"}
    assert (read.format, read.packages) == (f"npm v{version}", 8)


def test_npm_1_records_no_hooks() -> None:
    """It is not a clean lock."""
    read = lockformats.npm(b'{"lockfileVersion": 1, "dependencies": {"a": {}}}')
    assert (read.format, read.hooks, read.packages) == ("npm v1", None, 1)
    assert lockformats.npm(b'{"dependencies": {"a": {}}}').format == "npm v1"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{}", "no packages"),
        (b"[]", "no object"),
        (b"{", "Expecting"),
        (b"", "Expecting"),
        (b'{"lockfileVersion": 3}', "no packages"),
        (b'{"packages": []}', "no packages"),
        (b"[" * 100_000, "nested too deeply"),
        (b"\xff", "utf-8"),
    ],
)
def test_what_is_no_npm_lock_is_refused(data: bytes, said: str) -> None:
    """An empty object is no clean lock."""
    with pytest.raises(ValueError, match=said):
        lockformats.npm(data)


# --- pnpm ---------------------------------------------------------------------------------------------

PNPM_9 = """lockfileVersion: '9.0'

settings:
  autoInstallPeers: true

overrides:
  c: 2.0.0

importers:

  .:
    dependencies:
      a:
        specifier: ^1.0.0
        version: 1.0.0(b@2.0.0)
      '@s/b':
        specifier: workspace:*
        version: link:b
    devDependencies:
      c:
        specifier: 2.0.0
        version: 2.0.0

  packages/b:
    dependencies:
      z:
        specifier: ^9.0.0
        version: 9.0.0

packages:

  a@1.0.0:
    resolution: {integrity: sha512-x==}

  '@s/c@2.0.0':
    resolution: {integrity: sha512-y==}
"""
PNPM_6 = """lockfileVersion: '6.0'

dependencies:
  a:
    specifier: ^1.0.0
    version: 1.0.0

packages:

  /a@1.0.0:
    resolution: {integrity: x}
    requiresBuild: true
    dev: false

  /@s/b@2.0.0(a@1.0.0):
    resolution: {integrity: x}
    requiresBuild: true

  /c@1.0.0:
    resolution: {integrity: x}
"""
PNPM_5 = """lockfileVersion: 5.4

specifiers:
  a: ^1.0.0
  '@s/b': ^2.0.0

dependencies:
  a: 1.0.0
  '@s/b': 2.0.0_a@1.0.0

packages:

  /@s/b/2.0.0_a@1.0.0:
    resolution: {integrity: x}
    requiresBuild: true

  /a/1.0.0:
    resolution: {integrity: x}
"""
ENVIRONMENT = """lockfileVersion: 'env-1.0'

importers:

  .:
    packageManagerDependencies:
      pnpm:
        specifier: 11.0.0
        version: 11.0.0
"""


def test_pnpm_locks_of_every_generation_are_read() -> None:
    """The root's conditions, the number of packages, and what is built on install."""
    nine, six, five = (lockformats.pnpm(text.encode()) for text in (PNPM_9, PNPM_6, PNPM_5))
    assert nine.root == {"a": "^1.0.0", "@s/b": "workspace:*", "c": "2.0.0"}
    assert (nine.format, nine.packages, nine.hooks, nine.loose) == ("pnpm v9", 2, None, ("c",))
    assert six.root == {"a": "^1.0.0"}
    assert (six.packages, six.hooks) == (3, ("@s/b", "a"))
    assert five.root == {"a": "^1.0.0", "@s/b": "^2.0.0"}
    assert (five.packages, five.hooks) == (2, ("@s/b",))


@pytest.mark.parametrize("first", [True, False])
def test_every_document_of_a_pnpm_lock_is_read(first: bool) -> None:
    """The environment's document hides no dependency of the project's, wherever it stands."""
    documents = [ENVIRONMENT, PNPM_9] if first else [PNPM_9, ENVIRONMENT]
    read = lockformats.pnpm("---\n".join(["", *documents]).encode())
    assert read.root == {"a": "^1.0.0", "@s/b": "workspace:*", "c": "2.0.0"}
    assert read.packages == 2


@pytest.mark.parametrize("text", [PNPM_9, PNPM_6, PNPM_5], ids=["9", "6", "5"])
def test_the_quick_reading_of_a_pnpm_lock_equals_the_whole_one(text: str) -> None:
    """In another shape (flow style, comments, CRLF) the file is parsed whole, to the same answer."""
    usual = lockformats.pnpm(text.encode())

    def plain(node: yaml.Node) -> object:
        if isinstance(node, yaml.Map):
            return {key: plain(value) for key, value in node.items()}
        return [plain(item) for item in node] if isinstance(node, yaml.List) else str(node)

    flow = json.dumps(plain(yaml.load(text.encode(), "x"))).encode()
    assert lockformats.pnpm(flow) == usual
    assert lockformats.pnpm(text.replace("\n", "\r\n").encode()) == usual
    assert lockformats.pnpm(f"# a comment\n{text}".encode()) == usual


@pytest.mark.parametrize("data", [b"", b"a: [", b"- a", b"lockfile: 9", b"\xff\xfe", b"a: &x [*x]"])
def test_what_is_no_pnpm_lock_is_refused(data: bytes) -> None:
    """With a reason, never another error."""
    with pytest.raises(ValueError, match=r"\w"):
        lockformats.pnpm(data)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"package.json": '{"pnpm":{"onlyBuiltDependencies":["b","a@1.0.0"]}}'}, ("a", "b")),
        ({"pnpm-workspace.yaml": "onlyBuiltDependencies:\n  - '@s/a'\n"}, ("@s/a",)),
        ({"pnpm-workspace.yaml": "allowBuilds:\n  a: true\n  b: false\n"}, ("a",)),
        ({"package.json": '{"pnpm":{"onlyBuiltDependencies":[]}}'}, ()),
        ({"package.json": "{}"}, None),
    ],
)
def test_newer_pnpm_says_in_the_manifest_what_may_run(
    tmp_path: Path, files: dict[str, str | bytes], expected: tuple[str, ...] | None
) -> None:
    """Neither list present: nothing is recorded."""
    found, reason = hooks(tmp_path, {"pnpm-lock.yaml": PNPM_9, **files}, "pnpm-lock.yaml")
    assert found == expected
    assert bool(reason) == (expected is None)


# --- yarn and bun -------------------------------------------------------------------------------------

BERRY = '# This file is generated\n\n__metadata:\n  version: 8\n\n"a@npm:^1.0.0":\n  version: 1.0.0\n'
CLASSIC = (
    '# yarn lockfile v1\n\n\na@^1.0.0, a@^1.1.0:\n  version "1.1.0"\n\n"@s/b@^1.0.0":\n  version "1.0.0"\n'
)


def test_yarn_locks_are_told_apart() -> None:
    """Neither records hooks."""
    berry, classic = lockformats.yarn(BERRY.encode()), lockformats.yarn(CLASSIC.encode())
    assert (berry.format, berry.packages, berry.hooks) == ("yarn berry", 1, None)
    assert (classic.format, classic.packages, classic.hooks) == ("yarn classic", 2, None)


def test_yarn_berry_says_in_the_manifest_what_is_built(tmp_path: Path) -> None:
    """Only what says true; classic says nothing anywhere."""
    package = (
        '{"dependenciesMeta":{"a":{"built":true},"@s/b@1.0.0":{"built":true},"c":{"built":false},"d":{}}}'
    )
    found = lockfiles(tmp_path, {"package.json": package, "yarn.lock": BERRY})
    assert found.hooks(found.locks["yarn.lock"]) == (("@s/b", "a"), "")
    other = lockfiles(tmp_path / "2", {"package.json": package, "yarn.lock": CLASSIC})
    assert other.hooks(other.locks["yarn.lock"])[0] is None
    assert "yarn classic" in other.hooks(other.locks["yarn.lock"])[1]


def test_bun_locks_are_json_with_comments_and_commas() -> None:
    """What looks like either inside a text is text."""
    data = b'{\n  // a comment\n  "version": 1, /* b */\n  "packages": { "a": ["a@1", "//x,]", ], },\n}\n'
    assert lockformats.bun(data).packages == 1
    assert lockformats.load_jsonc(b'["a,]", 1, // x\n]') == ["a,]", 1]


def test_bun_says_in_the_manifest_or_the_lock_what_it_trusts(tmp_path: Path) -> None:
    """Neither present: nothing is recorded."""
    lock = '{"lockfileVersion": 1, "packages": {}}'
    assert hooks(
        tmp_path / "1", {"package.json": '{"trustedDependencies":["a"]}', "bun.lock": lock}, "bun.lock"
    ) == (
        ("a",),
        "",
    )
    trusting = '{"packages": {}, "trustedDependencies": ["b"],}'
    assert hooks(tmp_path / "2", {"bun.lock": trusting}, "bun.lock") == (("b",), "")
    assert hooks(tmp_path / "3", {"bun.lock": lock}, "bun.lock")[0] is None
    assert hooks(tmp_path / "4", {"bun.lockb": b"\0"}, "bun.lockb")[0] is None


# --- Python and others --------------------------------------------------------------------------------

UV = """version = 1

[[package]]
name = "x"
version = "0.1"
source = { editable = "." }

[package.metadata]
requires-dist = [
    { name = "a", specifier = ">=1,<2" },
    { name = "b", extras = ["c"], marker = "extra == 'd'", specifier = "==2.*" },
    { name = "e", git = "https://x.example/e" },
]

[[package]]
name = "a"
version = "1"
source = { registry = "https://x.example" }
sdist = { url = "https://x.example/a.tar.gz" }
wheels = [{ url = "https://x.example/a.whl" }]

[[package]]
name = "Old.Thing"
version = "1"
source = { registry = "https://x.example" }
sdist = { url = "https://x.example/o.tar.gz" }
"""
POETRY = """[[package]]
name = "a"
version = "1"
files = [{ file = "a-1-py3-none-any.whl" }, { file = "a-1.tar.gz" }]

[[package]]
name = "old_thing"
version = "1"
files = [{ file = "old-1.tar.gz" }]

[[package]]
name = "local"
version = "1"
files = [{ file = "l.tar.gz" }]

[package.source]
type = "directory"
url = "."

[metadata]
content-hash = "x"
"""


def test_python_packages_that_only_come_as_source_are_hooks() -> None:
    """They are built on install; the project itself and local folders are not dependencies of an index."""
    assert lockformats.uv(UV.encode()).hooks == ("pypi:old-thing",)
    assert lockformats.poetry(POETRY.encode()).hooks == ("pypi:old-thing",)
    old = '[[package]]\nname = "a"\n[metadata.files]\na = [{ file = "a.tar.gz" }]\n'
    assert lockformats.poetry(old.encode()).hooks == ("pypi:a",)


@pytest.mark.parametrize(
    ("name", "data", "packages"),
    [
        ("Pipfile.lock", b'{"default": {"a": {}}, "develop": {"b": {}}}', 2),
        ("Cargo.lock", b'version = 3\n[[package]]\nname = "a"\n', 1),
        ("go.sum", b"a v1.0.0 h1:x=\na v1.0.0/go.mod h1:y=\n", 2),
    ],
)
def test_other_locks_are_counted_and_record_no_hooks(name: str, data: bytes, packages: int) -> None:
    """Said by name, never passed as clean."""
    read = READERS[name](data)
    assert (read.packages, read.hooks) == (packages, None)


@pytest.mark.parametrize("reader", sorted({reader.__name__ for reader in READERS.values()}))
def test_no_reader_breaks_on_any_bytes(reader: str) -> None:
    """It gives a content or says what is wrong."""

    @given(
        st.one_of(
            st.binary(max_size=300), st.text(alphabet="{}[]\":,a1\n -#='.", max_size=200).map(str.encode)
        )
    )
    def reads(data: bytes) -> None:
        try:
            found = getattr(lockformats, reader)(data)
        except ValueError:
            return
        assert isinstance(found, lockformats.Content)

    reads()


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                [
                    "",
                    "packages",
                    "dependencies",
                    "node_modules/a",
                    "name",
                    "hasInstallScript",
                    "lockfileVersion",
                ]
            ),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_json_is_an_npm_lock_or_is_refused(value: object) -> None:
    """Members of another type than the tool writes break nothing."""
    for reader in (lockformats.npm, lockformats.bun, lockformats.pipenv):
        try:
            reader(json.dumps(value).encode())
        except ValueError:
            continue


# --- stale ----------------------------------------------------------------------------------------------

PACKAGE = json.dumps(
    {
        "dependencies": {"a": "^1.0.0", "@s/b": "workspace:*"},
        "devDependencies": {"c": "^9"},
        "peerDependencies": {"p": "1"},
    }
)
PROJECT = """[project]
name = "x"
dependencies = ["A <2, >=1 ; python_version > '3'", "e"]
[project.optional-dependencies]
d = ["b[c] == 2.*", "x[all]"]
[tool.uv.sources]
e = { git = "https://x.example/e" }
"""


def stale(tmp_path: Path, files: dict[str, str | bytes], name: str) -> tuple[str, ...] | None:
    """How one lock differs from its manifest."""
    found = lockfiles(tmp_path, files)
    return found.stale(found.locks[name])


def test_a_lock_that_says_what_it_was_made_for_is_compared(tmp_path: Path) -> None:
    """Spelling, order and extras do not matter; overrides and peers may differ."""
    assert stale(tmp_path / "1", {"package.json": PACKAGE, "pnpm-lock.yaml": PNPM_9}, "pnpm-lock.yaml") == ()
    assert stale(tmp_path / "2", {"pyproject.toml": PROJECT, "uv.lock": UV}, "uv.lock") == ()
    changed = PROJECT.replace("<2", "<3")
    assert stale(tmp_path / "3", {"pyproject.toml": changed, "uv.lock": UV}, "uv.lock") == (
        "a <2,>=1 is locked and no longer declared",
        "a <3,>=1 is not locked",
    )
    dynamic = '[project]\nname = "x"\ndynamic = ["dependencies"]\n'
    assert stale(tmp_path / "4", {"pyproject.toml": dynamic, "uv.lock": UV}, "uv.lock") is None


def test_an_npm_lock_is_compared_kind_by_kind(tmp_path: Path) -> None:
    """What is optional as well counts as optional, as npm writes it."""
    package = (
        '{"dependencies":{"a":"1","o":"1"},"optionalDependencies":{"o":"1"},"peerDependencies":{"p":"*"}}'
    )
    root = {"dependencies": {"a": "1"}, "optionalDependencies": {"o": "1"}, "peerDependencies": {"p": "*"}}
    lock = json.dumps({"lockfileVersion": 3, "packages": {"": root}})
    assert (
        stale(tmp_path / "1", {"package.json": package, "package-lock.json": lock}, "package-lock.json") == ()
    )
    moved = package.replace("peerDependencies", "devDependencies")
    assert stale(tmp_path / "2", {"package.json": moved, "package-lock.json": lock}, "package-lock.json") == (
        "devDependencies p is not locked",
        "peerDependencies p is locked and no longer declared",
    )


def test_a_lock_that_does_not_say_is_not_called_stale(tmp_path: Path) -> None:
    """Yarn, poetry, npm without a root entry."""
    files: dict[str, str | bytes] = {
        "package.json": PACKAGE,
        "yarn.lock": CLASSIC,
        "package-lock.json": '{"lockfileVersion":3,"packages":{"node_modules/a":{}}}',
        "poetry.lock": POETRY,
    }
    found = lockfiles(tmp_path, files)
    assert [found.stale(lock) for lock in found.locks.values()] == [None, None, None]


# --- the rest -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("package.json", '{"dependencies":{"a":"1"},"devDependencies":{"b":"1"}}', 2),
        ("package.json", '\ufeff{"name":"x"}', 0),
        ("pyproject.toml", PROJECT, 4),
        (
            "pyproject.toml",
            "[tool.poetry]\ndependencies = { python = '^3', a = '1' }\ngroup.d.dependencies.b = '1'",
            2,
        ),
        ("pyproject.toml", "[dependency-groups]\ndev = ['a', {include-group = 'b'}]", 2),
        ("pyproject.toml", "[build-system]\nrequires = ['hatchling']", 0),
        ("Pipfile", "[packages]\na = '*'", 1),
        (
            "Cargo.toml",
            "dependencies.a = '1'\n[target.x.dependencies]\nb = '1'\n[workspace]\ndependencies.c = '1'",
            3,
        ),
        (
            "go.mod",
            "module x\n\ngo 1.22\n\nrequire (\n\ta v1.0.0\n\tb v2.0.0 // indirect\n)\nrequire c v1.0.0\n",
            3,
        ),
        ("go.mod", "module x\n", 0),
    ],
)
def test_a_manifest_says_how_many_dependencies_it_declares(
    tmp_path: Path, name: str, text: str, count: int
) -> None:
    """Of every kind; Python itself and what builds the project are none."""
    manifest = lockfiles(tmp_path, {name: text}).manifests[name]
    assert (manifest.declares, manifest.problem) == (count, "")


@pytest.mark.parametrize("name", sorted(manifests.READERS))
@pytest.mark.parametrize("data", [b"\xff", b"[", b"{" * 100_000, b'{"a": 1', b"a = "])
def test_a_manifest_that_is_none_says_so(tmp_path: Path, name: str, data: bytes) -> None:
    """A problem, never an error; go.mod is plain text, of which nothing else is wrong."""
    found = lockfiles(tmp_path, {name: data}).manifests[name]
    assert found.problem or name == "go.mod"


def test_the_allowlist_holds_names_and_notes() -> None:
    """`#` begins a note after white space alone; Python names are compared as indexes do."""
    data = b"\xef\xbb\xbf# all read\r\nesbuild # fetches it\r\n\r\n  @s/a#b\r\npypi:Foo_Bar\r\nc#d # e\r\n"
    assert [(a.name, a.line) for a in parse_allowlist(data)] == [
        ("esbuild", 2),
        ("@s/a#b", 4),
        ("pypi:foo-bar", 5),
        ("c#d", 6),
    ]


def test_what_a_lock_says_is_kept_by_its_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second run parses nothing; another byte is another lock."""
    repo = mini_repo(tmp_path / "r", [], {"pyproject.toml": PROJECT, "uv.lock": UV})
    first = facts_of(repo, cache=True).get("lockfiles").locks
    monkeypatch.setitem(READERS, "uv.lock", lambda data: pytest.fail("read again"))
    assert facts_of(repo, cache=True).get("lockfiles").locks == first
    monkeypatch.undo()
    repo.write({"uv.lock": UV + "# another\n"})
    assert facts_of(repo, cache=True).get("lockfiles").locks == first
    assert tomllib.loads(UV)["version"] == 1


@pytest.mark.parametrize("value", [[], {"x": 1}, "text"])
def test_what_was_not_kept_by_this_reader_is_not_believed(tmp_path: Path, value: object) -> None:
    """Another shape under the right key: the lock is read again."""
    from goblin import cache

    repo = mini_repo(tmp_path / "r", [], {"uv.lock": UV})
    first = facts_of(repo, cache=True).get("lockfiles").locks
    git_dir = str(repo / ".git")
    kept = cache.recall(git_dir, "lockfiles.json")
    cache.remember(git_dir, "lockfiles.json", dict.fromkeys(kept, value))
    assert facts_of(repo, cache=True).get("lockfiles").locks == first


def test_a_link_or_a_device_is_no_lock(tmp_path: Path) -> None:
    """Nothing outside of the repository is read in its place."""
    outside = tmp_path / "outside"
    outside.write_text(UV)
    found = lockfiles(tmp_path, {"uv.lock@": str(outside)})
    assert found.locks["uv.lock"].content is None
    assert "symbolic link" in found.locks["uv.lock"].problem or found.locks["uv.lock"].problem
