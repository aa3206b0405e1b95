"""What takes bytes or text out of a file and is no parser, or is reached through one: name to reason."""

from __future__ import annotations

_BLOCK = "finds or makes a block of ours; `install.gitignore` and `emit.source.placed` go through it"
_DIGEST = "hashes bytes and reads nothing in them"

NO_PARSER: dict[str, str] = {
    "bans.astprobe.AstProbe": "`bans.judge.judge:ts` reads with it",
    "bans.asttree.Tree": "`bans.judge.judge:ts` reads with it",
    "bans.lexer.Tokens": "the answer of `bans.lexer.lex`",
    "bans.textprobe.TextProbe": "`bans.textprobe` reads with it",
    "catfile.header": "reads what git answers",
    "emit.ledger.digest": _DIGEST,
    "facts.bansearch.Search": "git searches",
    "facts.jsbrackets.Tokens": "`facts.jsscript.Script` is one",
    "facts.ratchet.Raised": "`facts.ratchet.Raised.read`",
    "facts.reference.Reference": "holds what `facts.reference.parse` has read",
    "facts.repository.parsed": "reads what git lists",
    "facts.shelltokens.Scanner": "`facts.shell.parse` reads with it",
    "install.agents.addition": _BLOCK,
    "install.agents.located": _BLOCK,
    "install.agents.present": _BLOCK,
    "install.blocks.line_end": _BLOCK,
    "install.blocks.located": _BLOCK,
    "install.blocks.marked": _BLOCK,
    "install.gitignore.addition": _BLOCK,
    "install.gitignore.appended": _BLOCK,
    "install.gitignore.fingerprint": _DIGEST,
    "install.gitignore.located": _BLOCK,
    "install.gitignore.marked": "adds a line",
    "install.gitignore.missing_lines": _BLOCK,
    "install.gitignore.negations": _BLOCK,
    "install.gitignore.replaced": _BLOCK,
    "install.gitignore.without": _BLOCK,
    "install.journal.digest": _DIGEST,
    "install.journal.unedited": _DIGEST,
    "install.merge.three_way": "git merges",
    "install.release.place": "takes the name of a folder",
    "install.release.read": "takes the name of a folder",
    "install.templates.placeholders": "`install.templates`",
    "install.templates.render": "`install.templates`",
    "outcome.advisory": "carries a text on",
    "sshsig.sign": "ssh-keygen signs",
    "sshsig.verify": "ssh-keygen reads",
    "tables.TableError": "an error",
    "yaml.YamlError": "an error",
    "yaml.compose.Composer": "`yaml.load` reads with it",
}
