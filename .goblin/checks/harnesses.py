"""HS: harnesses. Whether a repository has probes that can fail, and whether they failed before the change."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goblin.outcome import CheckFailed, Finding, Outcome, advisory, failed, passed, skipped
from goblin.pattern import lazy
from goblin.redact import clean, mask

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.config import Config
    from goblin.facts.harness import Harness, HarnessFile
    from goblin.facts.replay import Replay

_JS_READS = lazy(r"\b(?:readFile(?:Sync)?|createReadStream|readTextFile(?:Sync)?|Bun\s*\.\s*file)\s*\(")
_PY_READS = lazy(r"(?<![\w.])open\s*\(|\.\s*(?:open|read_text|read_bytes)\s*\(")
# In a pipe these read another program's output; at its head they read files.
_SH_READS = lazy(
    r"(?:^|[;&({!]|\|\||\b(?:then|else|do|if|while|until|run))[ \t]*"
    r"(?:git[ \t]+grep|[ef]?grep|rg|sed|awk|cat)\b(?![-=.])",
    re.MULTILINE,
)
_READS = {"mjs": _JS_READS, "js": _JS_READS, "py": _PY_READS, "sh": _SH_READS, "bats": _SH_READS}

# A helper by its name, or a parser: neither sees comments as code.
_BLANKS = lazy(
    r"\b\w*(?:blank|strip|remove|without|mask|erase|drop|hide|no)_?comments?\w*"
    r"|\b\w*comments?_?(?:blanked|stripped|removed|masked)\w*"
    r"|\btokenize\b|\bast\s*\.\s*parse\b|\bcreateSourceFile\b|\b(?:acorn|esprima|espree|babel|parse5)\b",
    re.IGNORECASE,
)


def a_harness_asserts(harness: Harness, config: Config) -> Outcome:
    """The harness directory holds at least one asserting harness in the house shape.

    Reads `harness_dir`, `scaffold_checks`, and the regular files directly in that directory. A harness
    asserts and ends non-zero when an assertion fails: `.mjs .js` `assert(` and `process.exit`; `.py` an
    `assert` and `sys.exit` or `raise SystemExit`; `.sh` a non-zero `exit` or `set -e`; `.bats` a `@test`.
    Comments and strings do not count.
    FAIL: the directory holds none; it is no real folder below the root; it is absent while
    `scaffold_checks` is yes. SKIP: it is absent and need not be there.
    PASS: otherwise; other files are named.
    """
    unusable = harness.unusable(expected=config.flag("scaffold_checks"))
    if unusable:
        return failed(unusable, [config.where("harness_dir")])
    if harness.state == "missing":
        return skipped(harness.absent)
    others = [file for file in harness.files if not file.asserting]
    if not harness.asserting:
        found = [Finding(file.path, message=_lacks(file)) for file in others]
        return failed(
            f"{harness.directory} holds no asserting harness ({len(others)} file(s) looked at)", found
        )
    named = [Finding(file.path, message=_lacks(file)) for file in others]
    also = f", and {len(others)} other file(s)" if others else ""
    return passed(f"{len(harness.asserting)} asserting harness(es) in {harness.directory}{also}", named)


def _lacks(file: HarnessFile) -> str:
    if file.problem:
        return f"not read: {file.problem.removeprefix(f'{file.path}: ')}"
    return "asserts nothing, or never exits non-zero" if file.kind else "no harness"


def every_harness_is_red_before_the_change(replay: Replay) -> Outcome:
    """Each harness is red on the pinned commit before the change; green on both trees proves nothing.

    Reads `replay.env`, `replay.cmd`, `replay.commit` and the asserting harnesses. Checks the commit out
    in a temporary folder (no hook, no filter, nothing of the repository is touched), puts today's harness
    directory over it, and runs `replay.cmd` there for each harness with `<replay.env>=<commit>`.
    FAIL: a harness exits 0; cannot be run (126, 127, a signal, 600 s); is red because a command, a module
    or an untracked file is missing there, and printed no failed assertion; ran no test. Also `env` or
    `cmd` unset, a `cmd` without `{path}` or `{name}`, a commit that is not below HEAD, no harness at all.
    SKIP: no commit pinned; no harness directory where none is needed. PASS: every one was red.
    """
    if replay.absent:
        return skipped(replay.absent)
    short = replay.commit[:12]
    wrong = [result for result in replay.results if result.problem]
    if wrong:
        found = []
        for result in wrong:
            found.append(Finding(result.path, message=result.problem))
            found += [Finding("", message=f"    {line}") for line in result.said]
        return failed(f"{len(wrong)} of {len(replay.results)} harness(es) prove nothing on {short}", found)
    command = clean(mask(" ".join(replay.command.split())))[:200]
    notes = [Finding(result.path, message=result.note) for result in replay.results if result.note]
    notes += [Finding(path, message="not replayed: asserts nothing") for path in replay.left_out]
    return passed(f"{len(replay.results)} harness(es), each red on {short}: {command}", notes)


def a_probe_that_reads_source_blanks_comments(facts: Facts) -> Outcome:
    """A probe that reads source blanks comments first and keeps line numbers true.

    Always ADV: what reads source, and whether comments matter to it, needs judgement. Names each
    asserting harness of the harness directory that reads files and has neither a helper which blanks
    comments (by its name, such as blank_comments) nor a parser.
    """
    try:
        harness: Harness = facts.get("harness")
    except CheckFailed as failure:
        return advisory(f"could not look: {failure.outcome.summary}")
    found = [Finding(file.path, line, 0, "reads files and has no helper that blanks comments")
             for file in harness.asserting if (line := _reads_raw(file))]  # fmt: skip
    if not found:
        return advisory()
    return advisory(
        f"{len(found)} of {len(harness.asserting)} asserting harness(es) may take a comment for code", found
    )


def _reads_raw(file: HarnessFile) -> int:
    """The first line on which a harness reads a file, 0 where it reads none or blanks comments."""
    reads = _READS[file.kind].search(file.code.bare)
    if not reads or _BLANKS.search(file.code.bare):
        return 0
    return file.code.bare.count("\n", 0, reads.end()) + 1
