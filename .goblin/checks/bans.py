"""BN: bans. That the ban table is whole, and what each ban finds in the source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goblin.outcome import Finding, Outcome, failed, passed
from goblin.redact import clean

if TYPE_CHECKING:
    from goblin.facts.bans import Bans
    from goblin.facts.bantable import BanTable
    from goblin.facts.config import Config
    from goblin.facts.shipped import Shipped
    from goblin.manifest import Manifest

TABLE = ".goblin/manifest/bans.tsv"
FAMILY = "BN-"


def the_ban_table_and_the_matrix_agree(
    ban_table: BanTable, manifest: Manifest, config: Config, shipped: Shipped
) -> Outcome:
    """Every ban has a row and a replacement, and every BN row has a ban.

    Reads the ban tables (`.goblin/manifest/bans.tsv` and `.goblin/rules/bans.tsv`), the matrix, and `bans:`
    and `bans_exempt:` of the configuration.
    FAIL: the table is missing or holds no ban; a ban without a replacement, with an empty or unusable
    `detect`, with globs that leave the repository, or whose id stands twice; a ban without a row of its id
    or a BN row without its ban; a shipped ban whose globs, `detect` or rule file are not the release's own;
    an id in the configuration that no table holds. PASS: the number of bans. No SKIP.
    """
    if not ban_table.present:
        told = "no ban table"
        return failed(told, [Finding(TABLE, message="missing")], f"git checkout -- {TABLE}")
    own = sum(ban.project for ban in ban_table.bans)
    if own == len(ban_table.bans):
        told = "the ban table holds no bans"
        return failed(told, [Finding(TABLE, message="only a header")], f"git checkout -- {TABLE}")
    problems = [*ban_table.problems(), *_pairs(ban_table, manifest), *_configured(ban_table, config)]
    if not shipped.reason:
        problems += ban_table.altered()
    if problems:
        told = f"{len(problems)} disagreement(s) between the ban table, the matrix and the config"
        return failed(told, problems)
    more = f", {own} of them this project's own" if own else ""
    aside = f"; not held against the release: {shipped.reason}" if shipped.reason else ""
    return passed(f"{len(ban_table.bans)} ban(s){more}, each with a row and a replacement{aside}")


def _pairs(table: BanTable, manifest: Manifest) -> list[Finding]:
    """Bans without a row, and BN rows without a ban."""
    rows = manifest.by_id()
    known = {ban.id for ban in table.bans}
    problems = []
    for ban in table.bans:
        row = rows.get(ban.id)
        if row is None or row.project is not ban.project:
            matrix = ".goblin/rules/enforcement.tsv" if ban.project else ".goblin/manifest/enforcement.tsv"
            problems.append(table.place(ban, f"{clean(ban.id)} has no row in {matrix}"))
    for row in manifest.rows:
        if row.id.startswith(FAMILY) and row.id != "BN-00" and row.id not in known:
            message = f"{row.id} has a row and no ban in {TABLE}"
            problems.append(Finding(".goblin/manifest/enforcement.tsv", row.line, 0, message))
    return problems


def _configured(table: BanTable, config: Config) -> list[Finding]:
    """Ids in the configuration that no table holds."""
    known = {ban.id for ban in table.bans}
    problems = []
    for key, names in (("bans", table.enabled), ("bans_exempt", [item.ban for item in table.exempt])):
        for name in dict.fromkeys(names):
            if name not in known:
                problems.append(config.where(key, f"`{key}` names {clean(name)}, and there is no such ban"))
    return problems


def no_any_in_typescript(bans: Bans) -> Outcome:
    """No TypeScript below src uses the type `any`.

    Reads the ban's line in the ban table and the files below its globs: ts, tsx, mts, cts, and the script
    blocks of vue and svelte that are TypeScript.
    FAIL: `any` where a type stands, once a line, unless the path is exempt (`bans_exempt`) or a comment on
    that line says `BAN-OK(BN-01): <reason>`; a file that could not be looked at. A value, a property, a
    text or a comment of that name is no hit. SKIP: not enabled; no matching file. PASS: no hit is left.
    """
    return bans.outcome("BN-01")


def no_suppression_directive(bans: Bans) -> Outcome:
    """No comment below src switches the type checker off.

    Reads the source files below the globs of the ban's line.
    FAIL: a comment that begins, after its marks and blanks, with `@ts-ignore`, `@ts-expect-error` or
    `@ts-nocheck`, or whose last line does; exemptions, escapes and SKIP as in BN-01.
    """
    return bans.outcome("BN-02")


def no_network_call_in_a_component(bans: Bans) -> Outcome:
    """No component calls the network itself.

    Reads the source files below the globs of the ban's line but those named `route.*`.
    FAIL: a call of `fetch` (also of `window`, `globalThis` and `self`) or axios that the file does not bind
    to something else, `new XMLHttpRequest`, `new WebSocket`, `new EventSource`, `navigator.sendBeacon`;
    exemptions, escapes and SKIP as in BN-01.
    """
    return bans.outcome("BN-03")


def no_import_crosses_a_layer(bans: Bans) -> Outcome:
    """No file imports across a border that `layers:` declares.

    Reads `layers:`, the source files below each `<from>` (Python and Go too), and the files that say where
    an import leads: tsconfig.json, jsconfig.json, package.json and go.mod.
    FAIL: an import of any form that leads to `<to>` or below, a type-only one as well; a `layers` item that
    is not two paths. Exemptions hold, inline escapes do not. SKIP: not enabled; no layers; no `<from>`
    exists; no matching file. PASS: the number of layers and imports, those put together at run time, and
    those that nobody here can follow.
    """
    return bans.outcome("BN-05")


def no_renderer_has_node(bans: Bans) -> Outcome:
    """No window is opened with Node in its renderer.

    Reads the source and HTML files below the globs of the ban's line.
    FAIL: `nodeIntegration`, `nodeIntegrationInWorker` or `nodeIntegrationInSubFrames` with a value that is
    not plainly `false` (a constant of the same file is followed), or that attribute on a webview;
    exemptions, escapes and SKIP as in BN-01.
    """
    return bans.outcome("BN-06")


def isolation_and_sandbox_stay_on(bans: Bans) -> Outcome:
    """No window is opened without isolation or without the sandbox.

    Reads the source and HTML files below the globs of the ban's line.
    FAIL: `contextIsolation` or `sandbox` with a value that is not plainly `true`, or
    `appendSwitch('no-sandbox')`; exemptions, escapes and SKIP as in BN-01.
    """
    return bans.outcome("BN-07")


def no_dangerous_web_preference(bans: Bans) -> Outcome:
    """No window is opened with its web security weakened.

    Reads the source and HTML files below the globs of the ban's line.
    FAIL: `webSecurity` that is not plainly `true`, `allowRunningInsecureContent` that is not plainly
    `false`, `enableBlinkFeatures` that is neither empty nor undefined, `allowpopups` or
    `disablewebsecurity` on a webview or by `setAttribute`; exemptions, escapes and SKIP as in BN-01.
    """
    return bans.outcome("BN-08")


def no_synchronous_ipc(bans: Bans) -> Outcome:
    """No renderer waits for the main process or reaches into it.

    Reads the source and HTML files below the globs of the ban's line.
    FAIL: a call of `sendSync`, an import of `@electron/remote` or below, `remote` taken from electron,
    `enableRemoteModule` that is not plainly `false`; exemptions, escapes and SKIP as in BN-01.
    """
    return bans.outcome("BN-09")
