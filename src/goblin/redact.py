"""Text from outside made safe to print: no terminal control, no bidirectional trick, no secret.

`clean` is for everything that reaches a person; `mask` is for output of other programs and for
file contents, where a credential may stand (decided 40).
"""

from __future__ import annotations

import re
from functools import cache

# C0 and C1 controls, bidirectional overrides and isolates, line and paragraph separators,
# zero-width characters and the byte-order mark: all of them change what a reader sees.
_UNSAFE = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"

# name -> pattern over bytes; each is exact enough to be printed by kind alone (SC-10).
SECRETS: tuple[tuple[str, str], ...] = (
    ("private key", r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"),
    ("cloud access key", r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    ("forge token", r"\bgh[pousr]_[A-Za-z0-9]{36}"),
    ("forge fine-grained token", r"\bgithub_pat_[A-Za-z0-9_]{82}"),
    ("forge access token", r"\bglpat-[A-Za-z0-9_-]{20}"),
    ("chat token", r"\bxox[abprs]-[A-Za-z0-9-]{10,}"),
    ("payment key", r"\b[sr]k_live_[A-Za-z0-9]{24}"),
    ("web API key", r"\bAIza[A-Za-z0-9_-]{35}"),
    ("package registry token", r"\bnpm_[A-Za-z0-9]{36}"),
    ("package index token", r"\bpypi-AgEI[A-Za-z0-9_-]{8,}"),
    ("model provider key", r"\bsk-(?:ant|proj)-[A-Za-z0-9_-]{8,}"),
)


@cache
def _secrets() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for _, pattern in SECRETS), re.ASCII)


@cache
def _unsafe() -> re.Pattern[str]:
    return re.compile(f"[{_UNSAFE}]|[\ud800-\udfff]")


def _escaped(match: re.Match[str]) -> str:
    code = ord(match.group())
    if 0xDC80 <= code <= 0xDCFF:  # a byte that was not UTF-8, kept by surrogateescape
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def clean(text: str) -> str:
    """One line of text as it may be printed: anything that could move, hide or reorder is escaped."""
    if text.isascii() and text.isprintable():
        return text
    return _unsafe().sub(_escaped, text).replace("\n", "\\n")


def mask(text: str) -> str:
    """The same text with every known shape of credential replaced by its kind."""

    def kind(match: re.Match[str]) -> str:
        if match.group().endswith("EXAMPLE"):
            return match.group()
        for name, pattern in SECRETS:
            if re.fullmatch(pattern, match.group(), re.ASCII):
                return f"<{name} hidden>"
        return "<secret hidden>"

    return _secrets().sub(kind, text)


def lines(output: bytes, most: int = 20, width: int = 400) -> list[str]:
    """The last non-blank lines of a program's output, masked, cleaned and cut to `width` characters."""
    text = mask(output.decode("utf-8", "surrogateescape"))
    kept = [line.strip("\r") for line in text.split("\n") if line.strip()]
    shown = []
    for line in kept[-most:]:
        safe = clean(line.replace("\t", "    "))
        shown.append(safe if len(safe) <= width else safe[:width] + "...")
    return shown
