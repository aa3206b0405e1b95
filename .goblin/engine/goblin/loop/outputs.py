"""What programs printed, kept in `.goblin/loop/out/` so that a verdict can cite it.

A file there is called by the SHA-256 of its own bytes: `<digest>.txt` or `<digest>.json`. The handle
`sha256:<digest>` therefore points at something that anybody can hash again.

Before anything is stored it is made safe (no terminal control, no known shape of credential, no
value of a variable whose name says that it is secret) and bounded to 32 KiB of each end. What is
cited is also made steady: times, durations and the path of the scratch checkout are put away, so that
the same answer on the same tree is the same pointer, and a loop that goes in circles shows (LP-04).
Where that changed anything, what was really printed is kept beside it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from goblin.digest import sha256
from goblin.loop.events import canonical
from goblin.process import Completed
from goblin.redact import clean, lines, mask

KEEP = 32 << 10
"""Bytes kept of each end of an output."""

_WIDTH = 1 << 20  # characters of one line; the whole is bounded anyway
_SECRET_NAME = re.compile(
    r"TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY", re.ASCII
)
_SHORTEST_SECRET = 8


class Output(NamedTuple):
    """One output, ready to be stored. Both are UTF-8 with a line end at the end, or empty."""

    raw: bytes  # what was printed, made safe and bounded
    steady: bytes  # the same without what changes from one run to the next

    @property
    def cited(self) -> str:
        """The digest that a verdict cites."""
        return sha256(self.steady)

    def files(self) -> dict[str, bytes]:
        """The files to store, by name: one where nothing had to be put away."""
        return {f"{sha256(data)}.txt": data for data in (self.steady, self.raw)}


def of(done: Completed, place: str = "") -> Output:
    """The output of a command. `place` is a scratch folder whose path is shown as `.`."""
    text = safe(done.output)
    raw = bound(text, done.dropped)
    return Output(raw, bound(steady(text, place), done.dropped))


def safe(output: bytes) -> str:
    """Bytes of a program as text that may be kept: masked, cleaned, blank lines and colours left out."""
    for name, value in _secrets(os.environ):
        output = output.replace(os.fsencode(value), f"<value of {name} hidden>".encode())
    kept = lines(output, most=len(output) + 1, width=_WIDTH)
    return "".join(f"{line}\n" for line in kept)


def _secrets(environment: Mapping[str, str]) -> list[tuple[str, str]]:
    """The variables whose value nobody should read, longest value first."""
    found = [
        (clean(name), value)
        for name, value in environment.items()
        if len(value) >= _SHORTEST_SECRET and _SECRET_NAME.search(name.upper())
    ]
    return sorted(found, key=lambda pair: -len(pair[1]))


def secret_in(text: str) -> bool:
    """True where a text holds a credential: a known shape, or the value of a secret variable."""
    return mask(text) != text or any(value in text for _, value in _secrets(os.environ))


def bound(text: str, dropped: int = 0) -> bytes:
    """At most `KEEP` bytes of each end, cut between lines where that is near, with a mark between.

    The mark names how much was left out of how much, and the digest of all that there was. `dropped`
    counts bytes that were lost before.
    """
    data = text.encode("utf-8")
    if len(data) <= 2 * KEEP:
        return data
    head, tail = data[:KEEP], data[-KEEP:]
    head = head[: head.rfind(b"\n", KEEP // 2) + 1] or head
    tail = tail[tail.find(b"\n", 0, KEEP // 2) + 1 :]
    left = len(data) - len(head) - len(tail)
    lost = f", {dropped} more were lost before" if dropped else ""
    told = f"[... {left} of {len(data)} bytes left out{lost}; sha256 of the whole {sha256(data)} ...]"
    return _whole(head) + f"\n{told}\n".encode() + _whole(tail)


def _whole(data: bytes) -> bytes:
    """The bytes without half a character at either end."""
    return data.decode("utf-8", "ignore").encode("utf-8")


@cache
def _moving() -> tuple[tuple[re.Pattern[str], str], ...]:
    """What differs between two runs that mean the same, and what stands for it."""
    clock = r"\d{1,2}:\d\d:\d\d(?:[.,]\d+)?"
    return (
        (re.compile(rf"\b\d{{4}}-\d\d-\d\d[T ]{clock}(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?", re.ASCII), "<time>"),
        (re.compile(rf"\b{clock}\b", re.ASCII), "<time>"),
        (
            re.compile(r"\b\d+(?:\.\d+)? ?(?:ns|us|µs|ms|s|sec|secs|seconds?|min|mins|minutes?)\b(?!/)"),
            "<duration>",
        ),
    )


def steady(text: str, place: str = "") -> str:
    """The text without times, durations and the path of a scratch folder."""
    if place:
        for path in sorted({place, os.path.realpath(place)}, key=len, reverse=True):
            text = text.replace(path, ".")
    for pattern, word in _moving():
        text = pattern.sub(word, text)
    return text


def card(exit_code: int, output: Output, tree: str) -> bytes:
    """A turn card: what the predicate said of a tree. The same tree and answer give the same card.

    `tree` is a git tree id that leaves `.goblin` out, so that the record itself moves no pointer.
    """
    return canonical(
        {"gates": [], "predicate_exit": exit_code, "predicate_out": output.cited, "tree": tree, "v": 1}
    )


class Capture(NamedTuple):
    """A command that was run for a turn, and how it ended."""

    command: tuple[str, ...]
    exit: int
    started: str  # timestamps in UTC
    ended: str
    head: str  # commit that HEAD named; "" where there was none
    tree: str  # the work tree, uncommitted changes included, `.goblin` left out
    output: Output

    def shown(self) -> list[str]:
        """The words of the command, as they may be kept."""
        return [clean(mask(word)) for word in self.command]

    def text(self) -> bytes:
        """What is cited: command, exit, HEAD and tree, then the steady output. No times: they always move."""
        words = {
            "command": " ".join(self.shown()),
            "exit": str(self.exit),
            "head": self.head or "-",
            "tree": self.tree,
        }
        head = "".join(f"{name}: {value}\n" for name, value in words.items())
        return head.encode("utf-8", "backslashreplace") + b"\n" + self.output.steady

    def receipt(self) -> bytes:
        """Everything, times too, as JSON; it names the cited file and what was really printed."""
        return canonical(
            {
                "capture": sha256(self.text()),
                "command": self.shown(),
                "ended": self.ended,
                "exit": self.exit,
                "head": self.head,
                "output": sha256(self.output.raw),
                "started": self.started,
                "tree": self.tree,
                "v": 1,
            }
        )

    def files(self) -> dict[str, bytes]:
        """The files to store, by name."""
        text, receipt = self.text(), self.receipt()
        found = {f"{sha256(text)}.txt": text, f"{sha256(receipt)}.json": receipt}
        return {**found, f"{sha256(self.output.raw)}.txt": self.output.raw}
