"""What was refused, and what to do next, said once an install is done (spec install 7.6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from shlex import quote

from goblin.install import adopt, ignore
from goblin.install.merge import NEW
from goblin.install.plan import Plan
from goblin.install.settle import Settled
from goblin.install.target import NO_COMMIT, Target
from goblin.redact import clean

TRUSTING = ("claude", "cursor", "gemini")
"""Platforms that ask a person before they load skills of a project."""


def steps(target: Target, settled: Settled, plan: Plan, left_out: Sequence[str], *, first: bool) -> list[str]:
    """Numbered next steps, in the order in which they help."""
    found = []
    if target.repo is None:
        found.append("git init, once .gitignore keeps every secret out: the first commit keeps it for ever")
    if plan.refusals:
        found.append("mend the files named above as an error, then run goblin-install again")
    found += _before_the_commit(target, plan)
    found.append("commit: git add -A && git commit -m 'Install goblin-stack'")
    found.append("verify: .goblin/bin/goblin-verify (exit 0: every rule that can be checked holds)")
    if target.repo is not None and target.head == NO_COMMIT and not settled.archive:
        found.append("put the new commit on the line 'HEAD when this file was written' of HANDOFF.md")
    if first and settled.preset.gates and not settled.archive:
        found.append(
            "replace the default gate in .goblin/goblin.yaml by the commands that build and test this project"
        )
    if settled.platforms:
        asks = [name for name in settled.platforms if name in TRUSTING]
        asked = f" ({', '.join(asks)} asks before it loads them)" if asks else ""
        found.append(
            f"trust the project's skills where your platform wants that{asked}; load goblin-mode first"
        )
    if first:
        found.append(
            "name an owner: who commits this install owns the rules; keep owner_email true, and require the "
            "gate job on the forge before anybody else pushes"
        )
    if "anchor" in settled.opted_in and not first:
        found.append("name what changed under .goblin/ in a review note, under governance: (IN-05)")
    if left_out:
        found.append(f"left out by --parts: {', '.join(left_out)}; run again without --parts to add them")
    return ["next:", *(f"  {number}. {text}" for number, text in enumerate(found, start=1))]


def _before_the_commit(target: Target, plan: Plan) -> list[str]:
    """What this clone's own settings ask for before git takes all that was written."""
    found = []
    new = [change for change in plan.changes if change.before is None and change.data is not None]
    if new and ignore.setting(target, "core.sparseCheckout"):
        folders = sorted({change.path.partition("/")[0] for change in new if "/" in change.path})
        found.append(f"let the sparse checkout hold what is new: git sparse-checkout add {' '.join(folders)}")
    scripts = [change.path for change in new if (change.mode or 0) & 0o100]
    if scripts and target.repo is not None and not ignore.setting(target, "core.fileMode"):
        found.append(f"tell git what is executable: git add --chmod=+x {' '.join(map(quote, scripts))}")
    return found


def refusals(
    plan: Plan, say: Callable[[str], None], complain: Callable[[str], None], *, dry_run: bool
) -> None:
    """Name each file that was not written because somebody else's bytes are in it, and what mends that."""
    if plan.edited:
        complain(f"error: edited since the install, and kept: {_list(plan.edited)}")
        complain(f"remedy: git checkout -- {' '.join(map(clean, plan.edited))}")
    if plan.conflicted:
        complain(f"error: edited, and not to be merged: {_list(plan.conflicted)}")
        complain(
            f"remedy: bring what is new in each file's {NEW} into the file, delete the {NEW}, and run "
            "again; or take the new files with --force (yours are copied first)"
        )
    if plan.outdated:
        complain(f"error: edited, and no part of this release: {_list(plan.outdated)}")
        complain("remedy: take what you need out of them, delete them, and run again")
    if plan.unmerged:
        say(f"refused to overwrite: {_list(plan.unmerged)}")
        rest = "would be installed" if dry_run else "is installed"
        complain(f"error: {len(plan.unmerged)} file(s) existed before and were left alone; all else {rest}")
        for path in plan.unmerged:
            complain(f"remedy: {clean(path)}: {adopt.remedy(path)}")


def _list(paths: Sequence[str]) -> str:
    return ", ".join(map(clean, paths))
