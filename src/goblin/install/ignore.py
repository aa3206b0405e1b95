"""Would git drop what is about to be installed? Asked of git itself, before anything is written.

A rule of the host project such as `bin/` keeps `.goblin/bin/` out of every commit without a word.
What such a rule hits gets a negation in our `.gitignore` block, and git is asked again; what stays
ignored is a refusal that names the rule (decided 55). The question is put in a scratch folder that
holds only the ignore files, so that the block can be judged before it exists.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from goblin import git
from goblin.install import scratch
from goblin.install.disk import Disk
from goblin.install.target import Target

IGNORE = ".gitignore"
_ROUNDS = 8
_MANY = 4
"""More hits than this below one of our own folders are answered by one line for the folder."""

SAMPLES = (".example", ".sample", ".template")
"""How the names of files end that only show what a secret file looks like (spec SC-01)."""


class Rule(NamedTuple):
    """The ignore rule that hits a path."""

    source: str
    line: str
    pattern: str


class Answer(NamedTuple):
    """The negations that our block needs, and the paths that stay ignored even so."""

    negations: tuple[str, ...]
    ignored: dict[str, Rule]


def negations(
    disk: Disk, target: Target, paths: Sequence[str], block: Callable[[Sequence[str]], bytes]
) -> Answer:
    """Find the lines that keep `paths` committable.

    `block(negations)` is the whole root `.gitignore` as it would be written. Paths that git tracks
    already are not asked about: no rule drops those.
    """
    tracked = _tracked(target, paths)
    asked = [path for path in paths if path not in tracked]
    with scratch.repository() as empty:
        _copy_rules(disk, target, empty.repo.top, asked)
        settings = _settings(target)
        found: list[str] = []
        ignored: dict[str, Rule] = {}
        for _ in range(_ROUNDS):
            _place(empty.repo.top, IGNORE, block(found))
            ignored = _ignored(empty, asked, settings)
            more = [line for line in _answers(empty, ignored, settings) if line not in found]
            if not more:
                break
            found += more
    return Answer(tuple(found), ignored)


def _tracked(target: Target, paths: Sequence[str]) -> frozenset[str]:
    if target.repo is None or not paths:
        return frozenset()
    out = git.Git(target.repo).run("ls-files", "-z", "--", *sorted({path.split("/")[0] for path in paths}))
    return frozenset(os.fsdecode(path) for path in out.split(b"\0") if path)


def tracks(target: Target, path: str) -> bool:
    """True when git tracks a path, or anything below it."""
    if target.repo is None:
        return False
    return bool(git.Git(target.repo).run("ls-files", "-z", "--", path))


def reasons(answer: Answer) -> list[tuple[str, str]]:
    """Why what stays ignored is a refusal, by rule: (message, remedy)."""
    by_rule: dict[Rule, list[str]] = {}
    for path, rule in answer.ignored.items():
        by_rule.setdefault(rule, []).append(path)
    found = []
    for rule, paths in by_rule.items():
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        lines = " ".join(answer.negations) or f"!/{_literal(paths[0])}"
        found.append(
            (
                f"git would ignore {paths[0]}{more}: {rule.source}:{rule.line}: {rule.pattern}",
                f"take that rule out, or let these lines follow it in {rule.source}: {lines}",
            )
        )
    return found


def _settings(target: Target) -> tuple[str, ...]:
    """The user's private ignore file and the case rule, as the target's own configuration gives them."""
    if target.repo is None:
        return ()
    asked = git.Git(target.repo)
    settings = []
    for key, kind in (("core.excludesFile", "--path"), ("core.ignoreCase", "--bool")):
        value = asked.call("config", kind, "--get", key)
        if value.code == 0:
            settings += ["-c", f"{key}={os.fsdecode(value.out).rstrip(chr(10))}"]
    return tuple(settings)


def _copy_rules(disk: Disk, target: Target, top: str, paths: Iterable[str]) -> None:
    """Lay out the folders of the planned paths with the ignore files that stand in them now."""
    folders = {""}
    for path in paths:
        parts = path.split("/")[:-1]
        folders |= {"/".join(parts[:depth]) for depth in range(1, len(parts) + 1)}
    for folder in sorted(folders):
        os.makedirs(os.path.join(top, folder), exist_ok=True)
        name = f"{folder}/{IGNORE}" if folder else IGNORE
        try:
            data = disk.read(name)
        except OSError:  # a link or a folder of that name: git reads no rules from it either
            continue
        if data is not None:
            _place(top, name, data)
    if target.repo is not None:
        try:
            with open(os.path.join(target.repo.common_dir, "info", "exclude"), "rb") as stream:
                _place(top, ".git/info/exclude", stream.read(1 << 20))
        except OSError:
            return


def _place(top: str, name: str, data: bytes) -> None:
    full = os.path.join(top, *name.split("/"))
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "wb") as stream:
        stream.write(data)


def _ignored(asked: git.Git, paths: Sequence[str], settings: Sequence[str]) -> dict[str, Rule]:
    """The paths that a rule hits, with that rule."""
    if not paths:
        return {}
    result = asked.call(
        "--no-literal-pathspecs",  # check-ignore knows no pathspec magic, not even that switch
        *settings,
        *("check-ignore", "--no-index", "--verbose", "--non-matching", "-z", "--stdin"),
        stdin=b"\0".join(map(os.fsencode, paths)) + b"\0",
    )
    if result.code not in (0, 1):
        raise git.GitError(("check-ignore",), result)
    fields = [os.fsdecode(field) for field in result.out.split(b"\0")]
    hits = {}
    for source, line, pattern, path in zip(*[iter(fields)] * 4, strict=False):
        if pattern and not pattern.startswith("!"):
            hits[path] = Rule(source, line, pattern)
    return hits


def _answers(asked: git.Git, ignored: dict[str, Rule], settings: Sequence[str]) -> list[str]:
    """Lines that would bring ignored paths back: the outermost ignored folder first, git needs that."""
    above = {path: _above(path) for path in ignored}
    closed = _ignored(asked, sorted({folder for folders in above.values() for folder in folders}), settings)
    lines: dict[str, None] = {}
    single: dict[str, list[str]] = {}
    for path in ignored:
        shut = next((folder for folder in above[path] if folder in closed), "")
        if "\n" in path:
            continue  # no line can name it
        if shut:
            lines[f"!/{_literal(shut)}/"] = None
        else:
            single.setdefault(_own_folder(path), []).append(path)
    for folder, paths in single.items():
        if folder and len(paths) > _MANY:
            lines[f"!/{_literal(folder)}/**"] = None
        else:
            lines.update(dict.fromkeys(f"!/{_literal(path)}" for path in paths))
    return list(lines)


def _above(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]


def _own_folder(path: str) -> str:
    """The folder that is wholly ours around a path, or "" where others' files may stand beside it."""
    parts = path.split("/")
    if parts[0] == ".goblin" and len(parts) > 2:
        return "/".join(parts[:2])
    return "/".join(parts[:3]) if len(parts) > 3 and parts[1] == "skills" else ""


def _literal(path: str) -> str:
    """A path as an ignore pattern that matches nothing else."""
    escaped = "".join(f"\\{char}" if char in "*?[]\\" else char for char in path)
    return escaped[:-1] + "\\ " if escaped.endswith(" ") else escaped


def tracked_secrets(target: Target, patterns: Sequence[str]) -> list[str]:
    """Tracked paths that a secret-file pattern matches; an ignore line does not untrack them.

    What SC-01 takes for a sample is none.
    """
    if target.repo is None or not patterns:
        return []
    wanted = [part for pattern in patterns for part in ("-x", pattern)]
    out = git.Git(target.repo).call("ls-files", "-z", "--cached", "--ignored", *wanted).out
    found = [os.fsdecode(path) for path in out.split(b"\0") if path]
    return [path for path in found if not path.lower().endswith(SAMPLES)]


def left_out(target: Target, paths: Sequence[str]) -> list[str]:
    """Those of some paths that git tracks and a sparse checkout keeps out of the work tree."""
    if target.repo is None or not paths:
        return []
    out = git.Git(target.repo).run("ls-files", "-t", "-z", "--", *paths)
    return [os.fsdecode(line[2:]) for line in out.split(b"\0") if line.startswith(b"S ")]


def setting(target: Target, key: str) -> bool:
    """True where a boolean key of git's configuration is set for the target."""
    if target.repo is None:
        return False
    return git.Git(target.repo).call("config", "--bool", "--get", key).out.strip() == b"true"
