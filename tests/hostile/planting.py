"""One way each to harm whoever looks at a repository, and how a plain tool would fall for it.

Each trap leaves a mark in the canary, or text from outside the tree in the output. `springs` is the
control: what a careless tool does, after which the mark is there.
"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

from tests.hostile.canary import Canary
from tests.support import Repo, build_repo, hermetic

OUTSIDE = "text-that-stands-outside"
ESCAPES = "\x1b]0;owned\x07\x1b[31m\x9b2J"
BIDI = "\u202e\u2066\u200f"
HOOKS = (
    *("pre-commit", "post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman"),
    *("post-merge", "pre-auto-gc", "post-rewrite", "sendemail-validate", "pre-push", "update"),
)
STANDARD = ("json", "os", "re", "subprocess", "typing", "enum", "hashlib", "argparse", "sitecustomize")
"""Modules that every command imports early."""

BEFORE = ":/before the traps"
"""The commit before everything was planted."""

HEEDED = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")
"""Variables with which plain git still works; with some of the others it ends at once."""

TICKS = count(1_000_000_000)


class Ground(NamedTuple):
    """A governed repository, a folder beside it that nobody may read or write, and the traps."""

    repo: Repo
    outside: Path
    canary: Canary
    env: dict[str, str]  # what whoever runs the command inherits

    def config(self, key: str, value: str) -> None:
        """Set a key of the repository's own git configuration."""
        self.repo.git("config", key, value)

    def run(self, *command: str, env: Mapping[str, str] | None = None, stdin: str = "") -> None:
        """What a careless tool would do; how it ends is its own affair."""
        subprocess.run(
            command,
            cwd=self.repo.root,
            env=hermetic(**(env or {})),
            input=stdin,
            text=True,
            capture_output=True,
            timeout=60,
            check=False,
        )


class Trap(NamedTuple):
    """Plants itself, in the work tree (`commit` takes it along) or in the git directory."""

    plant: Callable[[Ground], object]
    springs: Callable[[Ground], object] | None = None


def touched(ground: Ground) -> None:
    """Make every time stamp in the index stale, so that git must look at the contents again."""
    for path in ("README.md", "src/greet.py", "src/app.ts"):
        seconds = next(TICKS)
        os.utime(ground.repo / path, (seconds, seconds))


def hooks(ground: Ground) -> None:
    """Each hook, in the usual folder and in a configured one."""
    for folder in (ground.repo / ".git/hooks", ground.outside / "hooks"):
        folder.mkdir(exist_ok=True)
        for name in HOOKS:
            trap = folder / name
            trap.write_bytes(Path(ground.canary.program("git-hook")).read_bytes())
            trap.chmod(0o755)
    ground.config("core.hooksPath", str(ground.outside / "hooks"))


def included(ground: Ground) -> None:
    """Programs that a configuration names which the configuration includes, always and on a branch."""
    program = ground.canary.program("include-path")
    (ground.repo / ".git/more").write_text(f'[filter "more"]\n\tclean = {program}\n\tsmudge = {program}\n')
    attributes(ground, "*.ts filter=more")
    ground.config("include.path", "more")
    ground.config("includeIf.onbranch:main.path", "more")


def variables(ground: Ground) -> None:
    """What the caller's environment names, as from within a hook of another repository."""
    other = build_repo({"theirs": "x\n"}, ground.outside / "other")
    program = ground.canary.program("git-variable")
    programs = ("GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_EDITOR", "GIT_ASKPASS", "GIT_SSH", "GIT_SSH_COMMAND")
    ground.env.update(dict.fromkeys(programs, program))
    traces = ("TRACE", "TRACE2", "TRACE2_EVENT", "TRACE2_PERF", "TRACE_SETUP", "TRACE_PACKET", "TRACE_CURL")
    ground.env.update(
        {f"GIT_{name}": f"{ground.canary.folder}/git-trace-{name.lower()}.ran" for name in traces}
    )
    elsewhere = ("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR")
    ground.env.update(dict.fromkeys(elsewhere, str(other / ".git/objects")))
    (ground.outside / "programs").mkdir()
    for name in ("git-status", "git-ls-files", "git-remote-https", "git-upload-pack"):
        (ground.outside / "programs" / name).symlink_to(program)
    config = ground.outside / "config"
    config.write_text(f"[core]\n\tfsmonitor = {program}\n\thooksPath = {ground.outside}/hooks\n")
    ground.env.update(
        GIT_EXEC_PATH=str(ground.outside / "programs"),
        GIT_TEMPLATE_DIR=str(ground.outside / "hooks"),
        GIT_CONFIG_PARAMETERS=f"'core.fsmonitor'='{program}'",
        GIT_CONFIG=str(config),
        GIT_CONFIG_SYSTEM=str(config),
        GIT_CEILING_DIRECTORIES=str(ground.repo.root.parent),
        GIT_NAMESPACE="theirs",
        GIT_REPLACE_REF_BASE="refs/theirs",
        GIT_ATTR_SOURCE="HEAD~1",
        GIT_PREFIX="src/",
        GIT_SHALLOW_FILE=str(config),
        GIT_INDEX_VERSION="99",
        GIT_DEFAULT_HASH="sha256",
        GIT_LITERAL_PATHSPECS="0",
        GIT_ICASE_PATHSPECS="1",
        GIT_FLUSH="x",
        GIT_PROXY_COMMAND=program,
        GIT_SEQUENCE_EDITOR=program,
        GIT_MERGE_VERBOSITY="5",
        GIT_DIR=str(other / ".git"),
        GIT_WORK_TREE=str(other.root),
        GIT_INDEX_FILE=str(other / ".git/index"),
        GIT_CONFIG_COUNT="1",
        GIT_CONFIG_KEY_0="core.fsmonitor",
        GIT_CONFIG_VALUE_0=program,
    )


def submodule(ground: Ground) -> None:
    """An update command, and programs of the inner repository's own configuration."""
    inner = build_repo({"x.txt": "1\n", ".gitattributes": "* filter=inner\n"}, ground.outside / "inner")
    add = ("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.root), "lib")
    ground.repo.git(*add)
    program = ground.canary.program("submodule")
    ground.config("submodule.lib.update", f"!{program}")
    for key in ("core.fsmonitor", "filter.inner.clean"):
        Repo(ground.repo / "lib").git("config", key, program)
    (ground.repo / "lib/x.txt").write_text("2\n")


def links(ground: Ground) -> None:
    """Symbolic and hard links that lead out of the tree, where rules read."""
    secret = ground.outside / "secret.md"
    secret.write_text(f"head: {OUTSIDE}\n## {OUTSIDE}\n- VERIFY {OUTSIDE}\n")
    for path in ("reviews/link.md", "checks/link.py", "src/link.ts", "ROUND-009-SPEC.md", "docs/link.md"):
        (ground.repo / path).parent.mkdir(exist_ok=True)
        (ground.repo / path).symlink_to(secret)
    (ground.repo / "folder").symlink_to(ground.outside)
    (ground.repo / ".goblin/loop").symlink_to(ground.outside)
    os.link(secret, ground.repo / "hard.md")


def special(ground: Ground) -> None:
    """FIFOs and devices where rules read: whoever opens one to read it waits for ever, or never ends."""
    for path in (
        "reviews/fifo.md",
        "checks/fifo.py",
        "src/fifo.ts",
        "package.json",
        ".env.local",
        "HANDOFF.md",
    ):
        (ground.repo / path).unlink(missing_ok=True)
        os.mkfifo(ground.repo / path)
    for path in ("reviews/zero.md", "yarn.lock", ".github/workflows/zero.yml", ".goblin/audit.tsv"):
        (ground.repo / path).symlink_to("/dev/zero")
    with suppress(PermissionError):  # only the super-user makes a device
        os.mknod(ground.repo / "src/device.ts", stat.S_IFCHR | 0o600, os.makedev(1, 5))


def options(ground: Ground) -> None:
    """Names that a command line would read as something else."""
    command = ground.canary.command("option")
    for name in (
        "--version",
        "-rf",
        "--output=pwned",
        "-",
        "--exec=x",
        "-n",
        f"$({command.replace('/', '%')})",
    ):
        for folder in ("", "checks/", "reviews/", "src/"):
            ground.repo.write({f"{folder}{name}": "x\n", f"{folder}{name}.md": "x\n"})
    hostile = f"src/a;{command.replace('/', ':')};.ts"
    ground.repo.write({hostile: "let x: any\n", "src/`id`.ts": "let x: any\n"})


def letters(ground: Ground) -> None:
    """Terminal escapes and bidirectional controls, in names and in contents that are quoted back."""
    for text in (ESCAPES, BIDI):
        ground.repo.write(
            {
                f"src/{text}.ts": f"let {text}: any\n",
                f"reviews/{text}.md": f"head: {text}\n",
                f"docs/{text}.md": f"[{text}]({text})\n",
            }
        )
    header = "row\tpath\tfingerprint\treason\towner\tuntil"
    ground.repo.write({".goblin/waivers.tsv": f"{header}\n{ESCAPES}\t{BIDI}\tx\ty\tz\t2020-01-01\n"})


def shadows(ground: Ground) -> None:
    """Python files that pose as modules of the standard library and of the engine."""
    module = ground.canary.module("shadow-module")
    for name in STANDARD:
        for folder in ("", ".goblin/", ".goblin/bin/", ".goblin/engine/", "src/"):
            ground.repo.write({f"{folder}{name}.py": module})
    ground.repo.write(
        {"goblin/__init__.py": module, "click/__init__.py": module, "ruamel/__init__.py": module}
    )


def paths_in_the_config(ground: Ground) -> None:
    """Keys that name a place, absolute and by `..`: nothing outside is read or written."""
    (ground.outside / "map.md").write_text(
        f"# {OUTSIDE}\n\n| feature | page |\n|---|---|\n| {OUTSIDE} | x.md |\n"
    )
    (ground.outside / "check.py").write_text(f"assert False, {OUTSIDE!r}\n")
    text = ground.repo.read(".goblin/goblin.yaml")
    for key, value in {
        "harness_dir": str(ground.outside),
        "feature_map": "../outside/map.md",
        "source_root": "../..",
        "reference_manifest": str(ground.outside / "map.md"),
    }.items():
        lines = [f"{key}: '{value}'" if line.startswith(f"{key}:") else line for line in text.split("\n")]
        text = "\n".join(lines)
    text = text.replace("write_routes:", f"write_routes: '../outside {ground.outside}' #", 1)
    ground.repo.write({".goblin/goblin.yaml": text})


def attributes(ground: Ground, line: str) -> None:
    """Add a line to the repository's own attributes, which outrank those of the tree."""
    path = ground.repo / ".git/info/attributes"
    path.parent.mkdir(exist_ok=True)
    with path.open("a") as stream:
        stream.write(f"{line}\n")


def configured(name: str, *keys: str, line: str = "", then: str = "cat") -> Callable[[Ground], None]:
    """A program that keys of the repository's configuration name."""

    def plant(ground: Ground) -> None:
        for key in keys:
            ground.config(key, ground.canary.program(name, then))
        if line:
            attributes(ground, line)

    return plant


def ssh(ground: Ground) -> None:
    """What a transport would run."""
    configured("ssh-command", "core.sshCommand", "core.askPass", "credential.helper", then="exit 1")(ground)
    ground.config("remote.origin.url", "ssh://nowhere.invalid/x")


def git(*arguments: str) -> Callable[[Ground], None]:
    """Plain git, as a careless tool calls it, with the index stale."""

    def spring(ground: Ground) -> None:
        touched(ground)
        ground.run("git", *arguments)

    return spring


def on_a_terminal(*command: str) -> Callable[[Ground], None]:
    """The same where its output is a terminal, which is when a pager is started."""
    return lambda ground: ground.run(sys.executable, "-c", f"import pty; pty.spawn({list(command)!r})")


def macros(ground: Ground) -> None:
    """A macro that gives every file a filter and a textconv."""
    ground.repo.write({".gitattributes": "[attr]trapped filter=macro diff=macro merge=macro\n* trapped\n"})
    program = ground.canary.program("attribute-macro")
    for key in ("filter.macro.clean", "filter.macro.smudge", "diff.macro.textconv", "merge.macro.driver"):
        ground.config(key, program)


TRAPS: dict[str, Trap] = {
    "git-hook": Trap(hooks, git("commit", "-q", "--allow-empty", "-m", "x")),
    "core-fsmonitor": Trap(configured("core-fsmonitor", "core.fsmonitor"), git("status")),
    "core-pager": Trap(
        configured("core-pager", "core.pager", "pager.log", "pager.status"), on_a_terminal("git", "log", "-1")
    ),
    "diff-external": Trap(configured("diff-external", "diff.external"), git("diff", BEFORE, "HEAD")),
    "textconv": Trap(
        configured("textconv", "diff.words.textconv", line="*.md diff=words"),
        git("diff", "--no-ext-diff", BEFORE, "HEAD"),
    ),
    "content-filter": Trap(
        configured("content-filter", "filter.words.clean", "filter.words.smudge", line="*.py filter=words"),
        git("status"),
    ),
    "include-path": Trap(included, git("status")),
    "ssh-command": Trap(ssh, git("ls-remote", "origin")),
    "git-variable": Trap(
        variables,
        lambda ground: ground.run(
            "git", "status", env={k: v for k, v in ground.env.items() if k in HEEDED or "CONFIG_" in k}
        ),
    ),
    "submodule": Trap(submodule, lambda ground: Repo(ground.repo / "lib").git("status")),
    "attribute-macro": Trap(macros, git("status")),
    "links": Trap(links),
    "special-files": Trap(special),
    "options": Trap(options),
    "letters": Trap(letters),
    "paths-in-the-config": Trap(paths_in_the_config),
    "shadow-module": Trap(
        shadows, lambda ground: ground.run(sys.executable, "-c", "import argparse", env={"PYTHONPATH": "."})
    ),
}
"""What is planted, in this order, all in one repository."""
