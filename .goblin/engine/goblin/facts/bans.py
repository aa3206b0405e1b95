"""Fact `bans`: what each enabled ban finds here, and the verdict on it (spec BN-01 to BN-09).

All bans of a run are looked for in one pass. Exemptions and inline escapes are taken out before the
verdict is made; a ban that could not look is a failure, never clean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from goblin.bans.astgrep import AstGrep
from goblin.bans.globs import BadGlob, Glob
from goblin.bans.globs import read as read_globs
from goblin.bans.layers import Layer, layer
from goblin.bans.record import Probe, Record
from goblin.bans.rules import BadRule, Needle
from goblin.facts.banfiles import exists
from goblin.facts.bantable import items
from goblin.facts.sourceset import SUFFIXES
from goblin.outcome import CheckFailed, Finding, Outcome, failed, passed, skipped
from goblin.paths import confined
from goblin.redact import clean

if TYPE_CHECKING:
    from goblin.bans.table import Ban
    from goblin.facts import Facts
    from goblin.facts.banscan import Scan, Scanner
    from goblin.facts.bantable import BanTable

OTHERS = frozenset({"py", "pyi", "go"})
"""Endings of other languages whose imports are held to the borders."""

IMPORTS = r"\b(?:import|require|from|URL)\b|import_module|__import__|<reference"
TIMEOUT = 300.0
"""Seconds that a project's own command may take."""

NOTHING_TO_CHECK = 3
NOT_ENABLED = "not enabled: `bans:` in .goblin/goblin.yaml does not list it"


class Lines(NamedTuple):
    """The flagged lines of one ban after exemptions and escapes, and how many those took out."""

    findings: tuple[Finding, ...]
    exempted: int = 0
    escaped: int = 0
    notes: tuple[str, ...] = ()

    def counted(self) -> str:
        """The counts in words."""
        total = len(self.findings)
        return f"{total} violation(s), {self.exempted} exempted, {self.escaped} escaped inline"


class Bans:
    """Judges bans; those that are asked for together are looked for together."""

    def __init__(self, facts: Facts, table: BanTable, together: Iterable[str]) -> None:
        self._facts = facts
        self._table = table
        # What is kept between runs is kept for one set of bans: that of all that are enabled.
        kept = facts.run.cache and not facts.run.static and facts.run.repo is not None
        self._together = frozenset(table.enabled if kept else together)
        self._scans: dict[str, Scan] = {}
        self._scanner: tuple[str, Scanner] | None = None
        self._probes: dict[str, Probe | BadRule] = {}

    def outcome(self, name: str) -> Outcome:
        """The verdict on one ban."""
        ban = self._table.get(name)
        if ban is None:
            return failed(
                f"could not run: the ban table has no {name}", remedy="goblin-install --target . --upgrade"
            )
        if name not in self._table.enabled:
            return skipped(NOT_ENABLED)
        if fault := ban.fault():
            return failed(f"could not run: {clean(fault)}", [self._table.place(ban)])
        if ban.kind == "shell":
            return self._command(ban)
        layers = self._layers if self._reads_layers(ban) else ()
        if isinstance(layers, Outcome):
            return layers
        probe = self._probe(ban)
        if isinstance(probe, BadRule):
            return failed(f"could not run: {clean(str(probe))}", [self._table.place(ban)])
        scan = self._scan(name)
        if not scan.counts[name]:
            return skipped(f"no matching files: {clean(ban.globs)}")
        if probe.outside and scan.fault:
            return failed(f"could not run: {scan.fault}", [self._table.place(ban)], self.remedy(ban))
        return self._verdict(ban, scan, layers)

    # --- getting ready ------------------------------------------------------------------------------

    @cached_property
    def _rules(self) -> object:
        from goblin.facts.banrules import Rules

        return Rules(self._facts.run)

    def _probe(self, ban: Ban) -> Probe | BadRule:
        """A ban, ready to judge, or why it cannot."""
        if ban.id not in self._probes:
            try:
                self._probes[ban.id] = self._ready(ban)
            except BadRule as error:
                self._probes[ban.id] = error
        return self._probes[ban.id]

    def _ready(self, ban: Ban) -> Probe:
        if ban.kind == "regex":
            patterns = ban.patterns()
            compiled = tuple(re.compile(pattern.encode()) for pattern in patterns)
            needles = tuple(map(Needle, patterns))
            return Probe(ban, ban.scope(), frozenset(SUFFIXES), None, compiled, needles)
        from goblin.facts.banrules import Rules

        assert isinstance(self._rules, Rules)
        rule = self._rules.read(ban)
        if isinstance(rule, AstGrep):
            return Probe(ban, ban.scope(), rule.endings, outside=rule)
        endings = set(SUFFIXES)
        globs = ban.scope()
        looked_for = list(rule.needles())
        if rule.markup:
            endings.add("html")
        if rule.layers:
            endings |= OTHERS
            looked_for.append(Needle(IMPORTS))
            globs = self._layer_globs()
        names = tuple(glob.pattern for glob in read_globs(rule.skip) if glob.pattern)
        return Probe(ban, globs, frozenset(endings), rule, (), tuple(looked_for), names)

    def _reads_layers(self, ban: Ban) -> bool:
        probe = self._probe(ban)
        return isinstance(probe, Probe) and probe.rule is not None and probe.rule.layers

    def _layer_globs(self) -> tuple[Glob, ...]:
        """The folders that the borders keep in, wherever they are."""
        try:
            layers = self._layers
            return read_globs(one.source for one in layers) if not isinstance(layers, Outcome) else ()
        except CheckFailed:
            return ()  # whoever asks for the ban is told
        except BadGlob as error:
            raise BadRule(f"layers: {error}") from error

    @cached_property
    def _layers(self) -> tuple[Layer, ...] | Outcome:
        """The declared borders, or why there is nothing to hold."""
        config = self._facts.get("config")
        found: list[Layer] = []
        for item in items(config, "layers"):
            one = layer(item)
            if one is None:
                told = f"a border is two paths, `<from> <to>`; this is {clean(item)!r}"
                return failed(f"could not run: {told}", [config.where("layers", told)])
            if not all(path == "." or confined(path) for path in one):
                told = f"a border lies inside the repository; this is {clean(item)!r}"
                return failed(f"could not run: {told}", [config.where("layers", told)])
            found.append(one)
        if not found:
            return skipped("no layers declared")
        if not any(exists(self._facts, one.source) for one in found):
            return skipped(f"no layer's <from> exists here: {clean(' '.join(one.source for one in found))}")
        return tuple(found)

    def begin(self, names: Iterable[str]) -> None:
        """Let the search for the first of some bans that can be looked for start now."""
        for name in names:
            ban = self._table.get(name)
            if ban is None or name not in self._table.enabled or ban.fault() or ban.kind == "shell":
                continue
            with suppress(CheckFailed):  # whoever asks for the ban is told
                if self._reads_layers(ban) and isinstance(self._layers, Outcome):
                    continue
                if isinstance(self._probe(ban), Probe):
                    self._scanner = (name, self._ready_scanner(name))
                    self._scanner[1].begin()
                    return

    def _scan(self, name: str) -> Scan:
        """The pass that looked for a ban, together with every other that this run needs."""
        if name not in self._scans:
            begun, scanner = self._scanner or ("", None)
            if scanner is None or begun != name:
                scanner = self._ready_scanner(name)
            scan = scanner.run()
            for probe in scanner.probes:
                self._scans[probe.ban.id] = scan
        return self._scans[name]

    def _ready_scanner(self, name: str) -> Scanner:
        """A pass for a ban and every other that this run needs, not yet begun."""
        probes: list[Probe] = []
        for ban in self._table.bans:
            wanted = ban.id == name or (ban.id in self._together and ban.id not in self._scans)
            if not wanted or ban.id not in self._table.enabled or ban.fault() or ban.kind == "shell":
                continue
            probe = self._probe(ban)
            if isinstance(probe, Probe) and probe.globs and ban.id not in (p.ban.id for p in probes):
                probes.append(probe)
        from goblin.facts.banscan import Scanner

        known = {ban.id for ban in self._table.bans}
        selected = self._facts.run.selected
        return Scanner(self._facts, probes, self._output(), alone=bool(selected) and selected <= known)

    def _output(self) -> tuple[str, ...]:
        """Folders that a build writes; the row that reads the key says what is wrong with it."""
        try:
            words = self._facts.get("config").words("security.build_output")
        except CheckFailed:
            return ()
        return tuple(path.strip("/") for path in words)

    # --- the verdict --------------------------------------------------------------------------------

    def _verdict(self, ban: Ban, scan: Scan, layers: Sequence[Layer]) -> Outcome:
        lines = self._crossings(ban, scan, layers) if layers else self._flagged(ban, scan)
        files = scan.counts[ban.id]
        by_text = any(ban.id in record.text for record in scan.records.values())
        broken = sum(
            record.broken for path, record in scan.records.items() if ban.id in record.hits or layers
        )
        summary = f"{lines.counted()} in {files} file(s){' (text probe)' if by_text else ''}"
        notes = [*lines.notes, *self._idle(ban, lines)]
        if broken:
            notes.append(f"{broken} file(s) did not parse as a whole and were searched as text too")
        probe = self._probe(ban)
        mine = [
            finding
            for finding in (*scan.unread, *_faults(scan))
            if isinstance(probe, Probe)
            and probe.covers(finding.path, finding.path.rpartition(".")[2].lower())
        ]
        text = "\n".join([summary, *map(clean, notes)])
        if mine:
            text = f"could not run: {len(mine)} file(s) not judged; {text}"
        if lines.findings or mine:
            return failed(text, [*lines.findings, *mine], self.remedy(ban))
        return passed(text)

    def remedy(self, ban: Ban) -> str:
        """What to write instead, and how one line is excepted."""
        return "\n".join(part for part in (ban.replacement, ban.escape) if part and part != "-")

    def _flagged(self, ban: Ban, scan: Scan) -> Lines:
        findings = []
        exempted = escaped = 0
        exempt = self._table.exemptions(ban.id)
        for path in scan.paths():
            for hit in scan.records[path].hits.get(ban.id, ()):
                if any(item.covers(path) for item in exempt):
                    exempted += 1
                elif hit.escaped:
                    escaped += 1
                else:
                    findings.append(Finding(path, hit.line, hit.column, hit.shown))
        return Lines(tuple(findings), exempted, escaped)

    def _crossings(self, ban: Ban, scan: Scan, layers: Sequence[Layer]) -> Lines:
        from goblin.facts.banlayers import Crossings

        crossings = Crossings(self._facts, layers)
        exempt = self._table.exemptions(ban.id)
        findings = []
        exempted = 0
        for path in scan.paths():
            found = crossings.of(path, scan.records[path])
            if any(item.covers(path) for item in exempt):
                exempted += len(found)
            else:
                findings += found
        return Lines(tuple(findings), exempted, 0, crossings.notes())

    def _idle(self, ban: Ban, lines: Lines) -> list[str]:
        """What the exemptions of the ban fail to do."""
        told = []
        for item in self._table.exemptions(ban.id):
            shown = f"bans_exempt '{item.ban} {item.prefix}'"
            if item.fault:
                told.append(f"{shown}: {item.fault}")
            elif not lines.exempted:
                told.append(f"{shown}: exempts nothing")
        return told

    # --- a project's own command --------------------------------------------------------------------

    def _command(self, ban: Ban) -> Outcome:
        """Run a command under the contract of spec rows-2 5.2."""
        run = self._facts.run
        if run.static:
            return skipped("--static: it would run a command that this repository declares")
        if not self._matches(ban):
            return skipped(f"no matching files: {clean(ban.globs)}")
        from goblin.bans.printed import findings
        from goblin.process import environment, run_shell
        from goblin.redact import lines

        exempt = "\n".join(item.prefix for item in self._table.exemptions(ban.id) if item.prefix)
        env = environment({"GOBLIN_BANS_ID": ban.id, "GOBLIN_BANS_EXEMPT": exempt})
        done = run_shell(ban.detect, run.root, env, TIMEOUT, apart=True)
        said = lines(done.output, most=200)
        aside = [f"stderr: {line}" for line in lines(done.errors, most=5)]
        if done.code == NOTHING_TO_CHECK and not done.could_not_run():
            return skipped("\n".join([said[-1] if said else "nothing to check", *aside]))
        if done.could_not_run() or done.code not in (0, 1):
            reason = done.could_not_run() or f"could not run: exit {done.code}"
            return failed(
                "\n".join([f"{reason}: {clean(ban.detect)}", *aside]), findings(said), self.remedy(ban)
            )
        if done.code == 0 and not done.output.strip():
            return passed("\n".join([f"0 violation(s): {clean(ban.detect)}", *aside]))
        summary = f"{len(said) or 'some'} violation(s) (exit {done.code})"
        return failed("\n".join([summary, *aside]), findings(said), self.remedy(ban))

    def _matches(self, ban: Ban) -> bool:
        """True where a glob of the ban matches a file that can be scanned."""
        from goblin.facts.banfiles import Scope, changes, walked

        scope = Scope([Probe(ban, ban.scope(), frozenset(SUFFIXES))], self._output())
        if self._facts.run.repo is None:
            return any(scope.of(path) for path in walked(self._facts.get("tree")))
        listing: bytes = self._facts.get("repository").listing
        if any(True for _ in scope.lines(listing)):
            return True
        return any(scope.of(path) for path in changes(self._facts.get("status")).untracked)


def _faults(scan: Scan) -> list[Finding]:
    records: dict[str, Record] = scan.records
    return [Finding(path, message=records[path].fault) for path in scan.paths() if records[path].fault]


def load(facts: Facts, ban_table: BanTable) -> Bans:
    """The bans of the repository under test; nothing is looked at yet."""
    return Bans(facts, ban_table, facts.run.selected)
