"""The fact of the producers: which files are read, and what is said of those that cannot be."""

from __future__ import annotations

import os
from pathlib import Path

from goblin.facts import Facts, Run
from goblin.facts.producers import LIMIT, Producer, load
from goblin.paths import Tree
from tests.support.repo import write_files


def found_in(root: Path) -> tuple[Producer, ...]:
    """The producers of a folder where nothing is installed."""
    return load(Tree(os.fspath(root)), Facts(Run(os.fspath(root))))


def test_three_places_are_read_and_no_other(tmp_path: Path) -> None:
    """By ending; a folder with such a name is none, and order does not depend on the disk."""
    write_files(
        tmp_path,
        {
            ".goblin/automations/b.py": "",
            ".goblin/automations/a.sh": "curl x\n",
            ".goblin/automations/deep/c.sh": "curl x\n",
            ".goblin/automations/README.md": "curl x\n",
            "automations/d.sh": "",
            "automations/e/f.py": "import socket\n",
            "automations/e/g/h.py": "import socket\n",
            "automations/i.py/j.txt": "",
        },
    )
    found = found_in(tmp_path)
    paths = [".goblin/automations/a.sh", ".goblin/automations/b.py", "automations/d.sh", "automations/e/f.py"]
    assert [producer.path for producer in found] == paths
    assert [bool(producer.hits) for producer in found] == [True, False, False, True]
    assert all(not producer.problem for producer in found)


def test_what_cannot_be_read_has_a_problem_and_is_not_waited_for(tmp_path: Path) -> None:
    """A link, a FIFO, too many bytes, no UTF-8, no shell, no Python."""
    write_files(
        tmp_path,
        {
            "automations/a.sh@": "/dev/null",
            "automations/c.sh": "#" * (LIMIT + 1),
            "automations/d.py": b"\xff\n",
            "automations/e.sh": "ok\nif\n",
            "automations/f.py": "ok\n(\n",
            "automations/g.py": "-" * 100_000 + "1\n",
        },
    )
    os.mkfifo(tmp_path / "automations/b.sh")
    problems = {producer.path[-4:]: producer.problem for producer in found_in(tmp_path)}
    assert all(problems.values())
    told = {"a.sh": "symbolic link", "b.sh": "regular", "c.sh": "more than", "d.py": "UTF-8", "e.sh": "line"}
    assert all(words in problems[name] for name, words in told.items())
