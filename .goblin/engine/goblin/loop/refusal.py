"""What `goblin-loop` says when it does not do what was asked."""

from __future__ import annotations


class Refused(Exception):
    """The record, the loop or the request does not allow it, and nothing was written: exit 1 (decided 48)."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
