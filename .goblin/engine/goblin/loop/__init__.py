"""The record of one unattended run: what stands in `.goblin/loop/`, read and judged (rows JG and LP)."""

from __future__ import annotations

DIRECTORY = ".goblin/loop"
"""The folder of a record, relative to the root."""

STALLED = 3
"""Verdict rows in a row on one pointer, none of them green, that are no progress any more (spec LP-04)."""
