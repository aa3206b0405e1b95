"""Files that were there before us: when they count as merged, and what merges them (decided 49)."""

from __future__ import annotations

from goblin.facts import handoff
from goblin.install import agents
from goblin.install.forge import ATTRIBUTE, FORGES

PLACEHOLDER = "reviews/.gitkeep"
VERIFY = b".goblin/bin/goblin-verify"
ATTRIBUTES = frozenset(forge.attributes for forge in FORGES.values() if forge.attributes)
WORKFLOWS = frozenset(forge.workflow for forge in FORGES.values())


def reconciled(path: str, data: bytes) -> bool:
    """True when a refused file already says what ours would say, so nobody has to do anything.

    A handoff needs its five sections and the HEAD line; an AGENTS.md our block, or the verify command.
    Any spec serves as the first one, and a placeholder only keeps its folder.
    """
    if path == PLACEHOLDER or (path.endswith("-SPEC.md") and data.strip()):
        return True
    if path == agents.PATH:
        return agents.present(data) or VERIFY in data
    if path == handoff.PATH:
        try:
            text = handoff.Handoff(data.decode("utf-8-sig"))
        except UnicodeDecodeError:
            return False
        return all(text.headings(slot) for slot in handoff.SLOTS) and bool(text.head_lines(64))
    return path in ATTRIBUTES and ATTRIBUTE in data.splitlines()


def remedy(path: str) -> str:
    """What to do about a refused file, in one line."""
    if path == agents.PATH:
        return "run again with --merge-agents to append our block, or name .goblin/bin/goblin-verify in it"
    if path == handoff.PATH:
        return (
            "keep it, and add the missing sections (START HERE, State, Gates, Next steps, Not verified), "
            "one gate line with 'measured YYYY-MM-DD', and 'HEAD when this file was written: <commit>'; "
            "then run again"
        )
    if path in WORKFLOWS:
        return (
            "let a job of it run .goblin/bin/goblin-verify on every push and pull request, without a "
            "condition, and run again: then nothing is added"
        )
    if path in ATTRIBUTES:
        return f"add the line '{ATTRIBUTE.decode()}' to it, or no clone with converted line ends verifies"
    return "move it away and run again, or run with --force to replace it (a copy is kept)"
