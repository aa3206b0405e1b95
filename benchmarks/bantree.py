"""The tree that the bans are measured on: sources of ordinary shape, a few of them with what is banned.

Run as a process of its own (`python -m benchmarks.bantree FOLDER FILES`), for the reason that samples.py has.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from benchmarks.samples import run

BANS = "BN-01 BN-02 BN-03 BN-06 BN-07 BN-08 BN-09"
"""What is looked for. BN-05 follows imports, for which neither git nor ast-grep has a match."""

ENDINGS = ("ts", "tsx", "ts", "js", "tsx", "ts", "json", "vue", "css", "md")
FOLDERS = ("src/core", "src/components", "src/data", "app", "electron", "lib", "docs", "test")

_MODULE = """\
import {{ Account, Order }} from "../model/account{0}";
import {{ describe }} from "../text/describe";

/** What is shown of many orders at once: the newest first, any others behind a link. */
export interface Summary{0} {{
  readonly title: string;
  readonly total: number;
  readonly orders: ReadonlyArray<Order>;
}}

const LIMIT = {0};

export function summary{0}(account: Account, orders: readonly Order[]): Summary{0} {{
  // The list may be long, and many of its lines are of no interest to anybody.
  const open = orders.filter((order) => order.state === "open" && order.total > LIMIT);
  const total = open.reduce((sum, order) => sum + order.total * (1 - order.rebate / 100), 0);
  if (total > account.limit) {{
    throw new Error(`account ${{account.id}} is over its limit by ${{total - account.limit}}`);
  }}
  return {{ title: describe(account, {{ company: account.company, germany: true }}), total, orders: open }};
}}

export class Store{0} {{
  private readonly known = new Map<string, Summary{0}>();

  constructor(private readonly load: (id: string) => Promise<Account>) {{}}

  async get(id: string): Promise<Summary{0} | undefined> {{
    const account = await this.load(id);
    const found = this.known.get(account.id) ?? summary{0}(account, await account.orders());
    this.known.set(account.id, found);
    return found.total > 0 ? found : undefined;
  }}
}}
"""
_PLAIN = """\
// What is shown of many orders at once, {0} of them.
export function first{0}(orders) {{
  return orders.filter((order) => order.state === "open").slice(0, {0}).map((order) => order.title);
}}
"""
_TEXT = "Orders {0}: the newest first, any others behind a link. Nothing is banned in a text.\n" * 12
_HITS = (
    "export const value{0}: any = JSON.parse(text);\n",
    "// @ts-ignore\nexport const wrong{0}: string = 1;\n",
    "export const load{0} = () => fetch(`/api/${{LIMIT}}`);\n",
    "export const window{0} = {{ webPreferences: {{ nodeIntegration: true, sandbox: false }} }};\n",
    "// one of many: any of them may be missing\nexport const few{0} = Promise.any([]);\n",
)


def content(number: int) -> tuple[str, str]:
    """The path and the text of one file. One in fifty holds what is banned or looks like it."""
    ending = ENDINGS[number % len(ENDINGS)]
    folder = FOLDERS[number // 7 % len(FOLDERS)]
    path = f"{folder}/part{number // 400 % 50:02}/unit{number}.{ending}"
    if ending in ("json", "css", "md"):
        return path, _TEXT.format(number)
    text = (_PLAIN if ending == "js" else _MODULE).format(number)
    if number % 50 == 1:
        text += _HITS[number // 50 % len(_HITS)].format(number)
    if ending == "vue":
        text = f'<template>\n  <p>many</p>\n</template>\n<script lang="ts">\n{text}</script>\n'
    return path, text


def _stream(count: int) -> Iterator[bytes]:
    """A git fast-import stream of one commit that holds `count` files."""
    yield b"commit refs/heads/main\ncommitter Sample Author <author@example.invalid> 1767323045 +0000\n"
    yield b"data 5\nStart\n"
    for number in range(count):
        path, text = content(number)
        data = text.encode()
        yield f"M 100644 inline {path}\ndata {len(data)}\n".encode() + data
    yield b"done\n"


def make(folder: str, files: int) -> None:
    """A repository of `files` files at `folder`, committed: goblin installed, the bans switched on."""
    os.makedirs(folder)
    run(folder, "git", "init", "--quiet", "--initial-branch=main")
    run(folder, "git", "fast-import", "--quiet", "--done", stdin=b"".join(_stream(files)))
    run(folder, "git", "reset", "--quiet", "--hard")
    adopt(folder)


def adopt(folder: str, globs: str = "") -> None:
    """Install goblin into the repository at `folder`, switch the bans on, and commit.

    `globs` are where all of them look, instead of where the table says.
    """
    run(folder, "goblin-install", "--target", ".", "--class", "A", codes=(0, 1))
    listed = ", ".join(BANS.split())
    config = os.path.join(folder, ".goblin", "goblin.yaml")
    with open(config, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("bans:")]
    with open(config, "w", encoding="utf-8") as file:
        file.writelines([*lines, f"bans: [{listed}]\n"])
    if globs:
        look_into(folder, globs)
    baseline = os.path.join(folder, ".goblin", "baseline.tsv")
    if os.path.exists(baseline):
        os.unlink(baseline)  # else what is found is told twice, once as old
    run(folder, "git", "add", "--all")
    run(folder, "git", "commit", "--quiet", "--message", "Install goblin")
    run(folder, "git", "gc", "--quiet")
    run(folder, "git", "status", "--porcelain")


def look_into(folder: str, globs: str) -> None:
    """Let every ban of the repository look into other folders than the table says."""
    table = os.path.join(folder, ".goblin", "manifest", "bans.tsv")
    with open(table, encoding="utf-8") as file:
        head, *rows = [line.split("\t") for line in file]
    with open(table, "w", encoding="utf-8") as file:
        file.writelines("\t".join(row) for row in [head, *([*row[:2], globs, *row[3:]] for row in rows)])


if __name__ == "__main__":
    make(sys.argv[1], int(sys.argv[2]))
