"""A question to git that is asked before its answer is needed, while other work goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Ahead(Generic[T]):
    """A call in a thread of its own. `result` waits for it, and gives or raises what it gave or raised."""

    def __init__(self, call: Callable[[], T]) -> None:
        self._call = call
        self._value: list[T] = []
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def _work(self) -> None:
        try:
            self._value.append(self._call())
        except Exception as error:  # noqa: BLE001  (whoever asks is told)
            self._error = error

    def result(self) -> T:
        """The answer, the same each time."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._value[0]
