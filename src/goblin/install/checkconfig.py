"""`--check-config`: every fault of a config at once, each with its place and what mends it (decided 51)."""

from __future__ import annotations

from goblin.facts import Run
from goblin.facts import config as configs
from goblin.install.session import CONSOLE, DONE, REFUSED, Output
from goblin.install.target import look
from goblin.redact import clean


def check_config(target: str, output: Output = CONSOLE) -> int:
    """Print the faults and return 1, or 0 where there is none; nothing is written.

    Raises `CannotRun` (exit 2) where there is no config, or where it cannot be read at all.
    """
    faults = configs.load(Run(root=look(target).root, cache=False)).faults()
    for fault in faults:
        place = f"{configs.PATH}:{fault.line}:{fault.column}" if fault.line else configs.PATH
        output.say(f"{place}: {clean(fault.message)}")
        output.say(f"  remedy: {clean(fault.remedy)}")
    output.say(f"{len(faults)} fault(s) in {configs.PATH}" if faults else f"{configs.PATH}: no fault")
    return REFUSED if faults else DONE
