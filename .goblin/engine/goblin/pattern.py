"""Regular expressions that are compiled when they are first used.

A full run imports over a hundred modules, and a repository has the subject of half of their rows:
compiling the patterns of all of them cost more than judging the rows that had nothing to judge.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, AnyStr, cast

if TYPE_CHECKING:
    from typing import Any

_METHODS = ("match", "search", "fullmatch", "sub", "subn", "split", "findall", "finditer")


class _Lazy:
    """Stands for a pattern. After the first use its methods are the pattern's own, at no cost a call."""

    def __init__(self, source: Any, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._source, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, compiled when the first of its methods is asked for.

    A pattern that is wrong is told of then, too (`re.error`): the tests import each module and compile
    every pattern in it.
    """
    return cast("re.Pattern[AnyStr]", _Lazy(source, flags))
