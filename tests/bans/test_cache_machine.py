"""Whatever is done to a repository, a run with what earlier runs kept says what a run without says.

A stale verdict is the worst that a cache can give. So random edits, and random uses of git, are made to one
repository, and after each of them three runs are held against each other: with what is kept, without it, and
without it where git is asked about the whole work tree instead of the folders of the bans.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from subprocess import run as start

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from goblin.facts import Facts, Run
from goblin.git import at
from goblin.outcome import CannotRun, Outcome
from tests.bans.repos import ban_repo, outcome
from tests.support import Repo, hermetic

BANS = ("BN-01", "BN-02", "BN-05")
EVERY = frozenset(BANS)
LAYERS = "layers: [src/low src/high]\n"
TEXTS = (
    "export const a: any = 1;\n",
    "export const a: all = 1;\n",  # of the same length
    "// @ts-ignore\nexport {};\n",
    "export {};\r\nexport const b: any = 2;\r\n",
    'import { b } from "../high/b";\n',
    'import { b } from "../other/b";\n',
    "export const c: any = 3; // BAN-OK(BN-01): for the test\n",
)
PATHS = ("src/a.ts", "src/low/b.ts", "src/high/b.ts", "src/low/deep/c.tsx", "lib/d.ts", "src/e.js")
FOLDERS = ("src", "src/low", "lib")
BITS = ("assume-unchanged", "no-assume-unchanged", "skip-worktree", "no-skip-worktree")
INDEX = (
    ("--index-version", "2"),
    ("--index-version", "4"),
    ("--split-index",),
    ("--no-split-index",),
    ("--refresh",),
    ("--untracked-cache",),
)
CONFIG = (
    ("core.autocrlf", "true"),
    ("core.autocrlf", "false"),
    ("core.fileMode", "false"),
    ("core.sparseCheckout", "true"),
    ("core.sparseCheckout", "false"),
    ("index.skipHash", "true"),
    ("status.showUntrackedFiles", "no"),
    ("core.ignoreCase", "true"),
)
GIT = (
    ("add", "--all"),
    ("add", "--intent-to-add", "--all"),
    ("commit", "--quiet", "--all", "--allow-empty", "--message", "all"),
    ("commit", "--quiet", "--allow-empty", "--message", "staged"),
    ("stash", "--quiet"),
    ("stash", "pop", "--quiet"),
    ("checkout", "--quiet", "-B", "other"),
    ("checkout", "--quiet", "--force", "main"),
    ("checkout", "--quiet", "--force", "other"),
    ("checkout", "--quiet", "--detach", "HEAD~1"),
    ("merge", "--quiet", "main"),
    ("reset", "--quiet", "--hard"),
    ("reset", "--quiet", "HEAD~1"),
    ("clean", "--quiet", "-d", "--force"),
    ("sparse-checkout", "set", ".goblin", "src/low"),
    ("sparse-checkout", "disable"),
    ("status",),
)

paths = st.sampled_from(PATHS)
texts = st.sampled_from(TEXTS)


class Machine(RuleBasedStateMachine):
    """One repository, and what may happen to it. What git refuses is no step."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.mkdtemp()
        self.repo = ban_repo(
            Path(self.folder, "repo"), dict(zip(PATHS, TEXTS, strict=False)), *BANS, config=LAYERS
        )

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    def git(self, *words: str, stdin: bytes = b"") -> None:
        start(["git", *words], cwd=self.repo, input=stdin, env=hermetic(), capture_output=True, check=False)

    def file(self, path: str) -> Path | None:
        """A regular file that can be changed, or None."""
        found = self.repo / path
        return found if found.is_file() and not found.is_symlink() else None

    @rule(path=paths, text=texts)
    def write(self, path: str, text: str) -> None:
        target = self.repo / path
        if target.is_symlink() or not target.parent.resolve().is_relative_to(self.repo.root.resolve()):
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="")

    @rule(path=paths)
    def write_as_much(self, path: str) -> None:
        """Another text of the same length, within the moment that git tells apart by the content alone."""
        if target := self.file(path):
            data = target.read_bytes()
            target.write_bytes(data.replace(b"any", b"ALL").replace(b"all", b"any").replace(b"ALL", b"all"))

    @rule(path=paths)
    def touch(self, path: str) -> None:
        if target := self.file(path):
            target.touch()

    @rule(path=paths)
    def executable(self, path: str) -> None:
        if target := self.file(path):
            target.chmod(target.stat().st_mode ^ 0o111)

    @rule(path=paths)
    def delete(self, path: str) -> None:
        (self.repo / path).unlink(missing_ok=True)

    @rule(path=paths)
    def link(self, path: str) -> None:
        if target := self.file(path):
            target.unlink()
            target.symlink_to("../a.ts")

    @rule(path=paths, to=paths)
    def move(self, path: str, to: str) -> None:
        self.git("mv", "--force", path, to)

    @rule(path=paths)
    def stage(self, path: str) -> None:
        self.git("add", "--force", path)

    @rule(path=paths)
    def untrack(self, path: str) -> None:
        self.git("rm", "--quiet", "--cached", path)

    @rule(path=paths, bit=st.sampled_from(BITS))
    def mark(self, path: str, bit: str) -> None:
        self.git("update-index", f"--{bit}", path)

    @rule(words=st.sampled_from(INDEX))
    def index(self, words: tuple[str, ...]) -> None:
        self.git("update-index", *words)

    @rule(words=st.sampled_from(CONFIG))
    def configure(self, words: tuple[str, ...]) -> None:
        self.git("config", *words)

    @rule(words=st.sampled_from(GIT))
    def use(self, words: tuple[str, ...]) -> None:
        self.git(*words)

    @rule(path=paths, text=texts)
    def conflict(self, path: str, text: str) -> None:
        """Two sides of a merge that nobody has resolved."""
        self.git("hash-object", "-w", "--stdin", stdin=text.encode())
        oid = self.repo.git("hash-object", "--stdin", stdin=text.encode())
        lines = [f"0 {'0' * 40}\t{path}", *(f"100644 {oid} {stage}\t{path}" for stage in (2, 3))]
        self.git("update-index", "--index-info", stdin="\n".join(lines).encode() + b"\n")

    @rule(folder=st.sampled_from(FOLDERS))
    def nested(self, folder: str) -> None:
        """A repository inside, which git does not look into; or none any more."""
        inner = self.repo / folder / "inner"
        if inner.exists():
            shutil.rmtree(inner)
        elif inner.parent.is_dir():
            start(["git", "init", "--quiet", str(inner)], env=hermetic(), check=True)
            (inner / "f.ts").write_text(TEXTS[0])

    @rule(ignored=st.sampled_from(("", "*.tsx\n", "low/\n", "src/\n")))
    def ignore(self, ignored: str) -> None:
        self.repo.write({".gitignore": ignored})

    @rule(attributes=st.sampled_from(("", "* text=auto\n", "*.ts eol=crlf\n")))
    def attribute(self, attributes: str) -> None:
        self.repo.write({".gitattributes": attributes})

    @rule(exempt=st.sampled_from(("", "bans_exempt: ['BN-01 src/low']\n")), bans=st.sampled_from(BANS))
    def govern(self, exempt: str, bans: str) -> None:
        """Other bans, exemptions and borders."""
        if not self.file(".goblin/goblin.yaml"):
            return
        text = self.repo.read(".goblin/goblin.yaml").partition("bans:")[0]
        named = ", ".join(dict.fromkeys([bans, *BANS[:2]]))
        self.repo.write({".goblin/goblin.yaml": f"{text}bans: [{named}]\n{LAYERS}{exempt}"})

    @rule(globs=st.sampled_from(FOLDERS))
    def look_elsewhere(self, globs: str) -> None:
        if not self.file(".goblin/manifest/bans.tsv"):
            return
        table = [line.split("\t") for line in self.repo.read(".goblin/manifest/bans.tsv").split("\n")]
        told = "\n".join(
            "\t".join([*row[:2], globs, *row[3:]] if row[0] == "BN-01" else row) for row in table
        )
        self.repo.write({".goblin/manifest/bans.tsv": told})

    @rule(at=st.floats(0, 1), cut=st.booleans())
    def damage(self, at: float, cut: bool) -> None:
        """A kept file loses its end, or has one byte changed."""
        for kept in (self.repo / ".git/goblin/cache").glob("bans-*"):
            data = bytearray(kept.read_bytes() or b"\0")
            place = int(at * (len(data) - 1))
            data[place] ^= 1
            kept.write_bytes(data[:place] if cut else data)

    @invariant()
    def what_is_kept_changes_nothing(self) -> None:
        """The first run may keep what it finds, the second may use it; the others neither."""
        narrow, whole = verdicts(self.repo, EVERY, False), verdicts(self.repo, EVERY | {"HP-01"}, False)
        assert verdicts(self.repo, EVERY, True) == narrow == whole
        assert verdicts(self.repo, EVERY, True) == narrow


def verdicts(repo: Repo, selected: frozenset[str], cache: bool) -> dict[str, Outcome | str]:
    """The verdicts of one run, or why there are none."""
    root = str(repo.root.resolve())
    facts = Facts(Run(root=root, repo=at(root), selected=selected, cache=cache))
    if cache:
        facts.get("ban_index").early()  # as the command does
    try:
        return {name: outcome(repo, name, facts) for name in BANS}
    except CannotRun as error:
        return {"": str(error)}


Machine.TestCase.settings = settings(max_examples=8, stateful_step_count=25)
test_a_cache_is_never_stale = Machine.TestCase
