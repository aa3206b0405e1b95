"""Report formats: one module a format, each a reader of `engine.Report`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goblin.engine import Report

FORMATS = ("text", "json", "sarif", "junit", "github", "markdown", "html")
"""Every format by name; `goblin.report.<name>.render` writes it."""


def render(name: str, report: Report) -> str:
    """The report in one of `FORMATS`."""
    text: str = import_module(f"goblin.report.{name}").render(report)
    return text


def could_not_run(name: str, message: str, remedy: str, exit_code: int) -> str:
    """What stands in place of a report, in one of `FORMATS`, where a run could not happen at all."""
    text: str = import_module(f"goblin.report.{name}").could_not_run(message, remedy, exit_code)
    return text
