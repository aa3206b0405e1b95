"""HTML as values: whatever is put into an element is escaped, unless it is HTML already.

There is no way to forget the escaping: `element` takes text or `Html`, and only this module makes
`Html`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


Child = str | int | None
"""What may stand in an element: text, `Html`, a number, or None for nothing."""

Attributes = Mapping[str, str | int | bool | None]

DRAWN = frozenset({"rect"})
VOID = frozenset({"input", "meta"}) | DRAWN
"""Elements without content; those of SVG are closed at once."""


def element(name: str, attributes: Attributes | None = None, *children: Child) -> Html:
    """One element. An attribute of None or False is left out, one of True stands without a value."""
    told = [name]
    for key, value in (attributes or {}).items():
        if value is True:
            told.append(key)
        elif value is not None and value is not False:
            told.append(f'{key}="{escape(str(value))}"')
    if name in VOID:
        return Html(f"<{' '.join(told)}{'/' if name in DRAWN else ''}>")
    return Html(f"<{' '.join(told)}>{join(children)}</{name}>")


def join(children: Iterable[Child]) -> Html:
    """The children one after the other, text escaped."""
    told = (child for child in children if child is not None)
    return Html("".join(child if isinstance(child, Html) else escape(str(child)) for child in told))
