"""Templates rendered as an install of one class would write them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from goblin.install import classes, presets, templates
from goblin.install.templates import Choices, TargetFacts
from tests.support import Repo, build_repo

TARGET = TargetFacts("main", "abc1234", "owner@example.invalid", "2026-01-31", "sample")
GATE_LINE = "commit=0 \u00b7 measured 2026-01-31"
OURS = [name for name in templates.names() if not name.startswith("launchers/")]
"""Every template but the launchers, which are filled by whoever copies the engine."""


def choices(letter: str = "A", **more: Any) -> Choices:
    """The choices of a plain install of one class."""
    plain = Choices(
        class_name=letter,
        archive=False,
        disabled=tuple(classes.forbidden(letter)),
        models_file="~/.config/goblin/models.yaml",
        practice="",
        practice_sha256="",
        skills_dirs=(".hermes/skills",),
        ceiling="",
        todo_ceiling="160" if letter == "A" else "",
        gate_line=GATE_LINE,
        version="1.2.3",
    )
    return plain._replace(**more)


def rendered(name: str, letter: str = "A", target: TargetFacts = TARGET, **more: Any) -> str:
    """One template as an install of a class writes it."""
    values = templates.values(presets.load(letter), target, choices(letter, **more))
    return templates.render(templates.load(name), values)


def read_yaml(text: str) -> Any:
    """YAML 1.2, every scalar as text."""
    return YAML(typ="base", pure=True).load(text)


def adopt(root: Path) -> Repo:
    """What an install of class A writes, committed on top of the commit that the handoff names."""
    repo = build_repo({"README.md": "# Sample\n"}, root)
    target = TARGET._replace(head=repo.git("rev-parse", "--short", "HEAD"))
    places = {
        ".goblin/goblin.yaml": "goblin.yaml",
        ".gitignore": "gitignore",
        "checks/assert.py": "checks/assert.py",
        "checks/gate.py": "checks/gate.py",
        "HANDOFF.md": "HANDOFF.md",
        "ROUND-000-SPEC.md": "ROUND-000-SPEC.md",
    }
    repo.commit("adopt", {place: rendered(name, "A", target) for place, name in places.items()})
    return repo
