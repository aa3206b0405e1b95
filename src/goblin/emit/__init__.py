"""Skills and a context block for the agent platforms of one machine, with a ledger and an exact undo.

`adapters` says what a platform is, `source` what is emitted, `plan` what would change, `apply` changes it,
`ledger` remembers it, `undo` takes it back, `diagnose` compares; `hooks` adds a start hook of an agent.
None of it is carried by a repository.
"""

from __future__ import annotations


class Refused(Exception):
    """What was asked would harm something that is not ours, and nothing was changed: exit 1."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
