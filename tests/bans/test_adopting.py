"""A ban of the project where what it forbids is everywhere: new findings fail, old ones are owned."""

from __future__ import annotations

from pathlib import Path

import pytest

from goblin import baseline, engine
from goblin.manifest import COLUMNS
from goblin.outcome import Verdict
from goblin.waivers import BASELINE
from tests.bans.repos import ban_repo
from tests.support import Repo
from tests.support.mini import facts_of, row, table

BAN = ("OWN-07", "no any in packages", "packages", "ast:rules/any.yml", "unknown", "-", "is it needed", "us")
ROWS = [
    row("OWN-07", ".goblin/bin/goblin-bans --row --only OWN-07", enforced_by="lint"),
    row("OWN-08", "grep -rnI FIXME packages && exit 1; exit 0", enforced_by="lint"),
]
LEGACY = "let a: any;\nlet b: any;\nlet b: any; // FIXME\n"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Five findings of two rows of the project's own: a ban, and a command that prints places."""
    files = {
        ".goblin/rules/any.yml": "types: [any]\n",
        ".goblin/rules/enforcement.tsv": table(COLUMNS, ROWS),
        "packages/a/src/old.ts": LEGACY,
        "packages/b/src/other.ts": "export type T = any; // FIXME\n",
    }
    return ban_repo(tmp_path, files, "OWN-07", own=(BAN,))


def judged(repo: Repo, *names: str) -> list[engine.Result]:
    """The results of some rows."""
    return list(engine.judge(facts_of(repo), names).results)


def test_old_findings_are_kept_and_only_new_ones_fail(repo: Repo) -> None:
    """A line may move, and may not change; the baseline follows what is mended."""
    before = [result.outcome.verdict for result in judged(repo, "OWN-07", "OWN-08")]
    assert before == [Verdict.FAIL, Verdict.FAIL]
    assert baseline.write(facts_of(repo), ["OWN-07", "OWN-08"]).recorded == 6
    repo.write({"packages/a/src/old.ts": f"// moved\n\n{LEGACY}"})
    assert [result.outcome.verdict for result in judged(repo, "OWN-07", "OWN-08")] == [Verdict.PASS] * 2
    repo.write({"packages/a/src/old.ts": LEGACY.replace("let a: any", "let aa: any")})
    ban = judged(repo, "OWN-07")[0]
    assert [finding.place() for finding in ban.outcome.findings] == ["packages/a/src/old.ts:1:9"]
    assert len(ban.waived) == 3
    done = baseline.write(facts_of(repo), ["OWN-07"])
    assert (done.recorded, done.dropped, len(done.refused)) == (3, 1, 1)
    assert repo.read(BASELINE).count("OWN-08") == 2


def test_a_ban_of_the_project_is_judged_where_no_command_may_run(repo: Repo) -> None:
    """It is no command, so `--static` looks for it; a row that is one is left out."""
    ban, command = judged_statically(repo)
    assert (ban.outcome.verdict, command.outcome.verdict) == (Verdict.FAIL, Verdict.SKIP)
    assert len(ban.outcome.findings) == 4


def judged_statically(repo: Repo) -> list[engine.Result]:
    """Both rows, with no command run."""
    return list(engine.judge(facts_of(repo, static=True), ("OWN-07", "OWN-08")).results)
