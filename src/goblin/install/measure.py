"""How the gates that a preset brings are run before their helper is in the target (decided 57)."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from goblin import counting, process
from goblin.install.presets import COUNTER


def run(
    command: str,
    cwd: str,
    env: Mapping[str, str] | None = None,
    timeout: float = process.DEFAULT_TIMEOUT,
    *,
    apart: bool = False,
) -> process.Completed:
    """Run a preset's command as `process.run_shell` does; what our helper would count is counted here."""
    words = shlex.split(command)
    if tuple(words[: len(COUNTER)]) != COUNTER:
        return process.run_shell(command, cwd, env, timeout, apart=apart)
    request = counting.parse(words[len(COUNTER) :])
    try:
        number = counting.count(request, cwd).number
    except counting.CountFailed as error:
        return process.Completed(2, b"", errors=str(error).encode("utf-8", "replace"))
    over = request.limit is not None and number > request.limit
    return process.Completed(int(over), f"{number}\n".encode())
