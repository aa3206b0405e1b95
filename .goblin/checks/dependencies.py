"""SC: what the project depends on is locked, audited, and runs no code that nobody has accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goblin import clock
from goblin.facts.auditrecord import JUDGED, RECORD, WAIVERS
from goblin.facts.lockfiles import ALLOWLIST, MAKERS, OF
from goblin.outcome import Finding, Outcome, failed, passed, skipped
from goblin.paths import ReadRefused

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goblin.facts.auditrecord import Audit, Waiver
    from goblin.facts.config import Config
    from goblin.facts.lockfiles import Lock, Lockfiles


def dependencies_are_locked(lockfiles: Lockfiles) -> Outcome:
    """A lockfile exists for what the project depends on, git tracks it, and it is not stale.

    Reads the manifests and lockfiles at the root, and the index. package.json always needs a lock;
    pyproject.toml, Pipfile, Cargo.toml and go.mod need one where they name a dependency. A lock is stale
    where it records what it was made for (npm 2 and 3, pnpm, uv) and the manifest says otherwise.

    FAIL: a manifest without a lock, or with none that git tracks; a stale lock; a file that cannot be
    read. PASS: each is locked; without git the tracked clause is left out and said. SKIP: no manifest
    declares a dependency.
    """
    findings: list[Finding] = []
    told: list[str] = []
    remake: dict[str, None] = {}  # lockfiles to make, or to make anew
    for name, manifest in lockfiles.manifests.items():
        if manifest.problem:
            findings.append(Finding(name, message=manifest.problem))
            continue
        if name != "package.json" and not manifest.declares:
            continue
        present = [lockfiles.locks[lock] for lock in OF[name] if lock in lockfiles.locks]
        wrong = _locking(lockfiles, name, present)
        remake.update((lockfiles.usual(name) if one.path == name else one.path, None) for one in wrong)
        findings += wrong
        told.append(f"{name}: {_locked(lockfiles, present)}")
    if findings:
        text = f"{len(findings)} fault(s) in the locking of {len(told)} manifest(s)"
        return failed(text, findings, _making(lockfiles, remake))
    if not told:
        return skipped("no dependency manifest to lock")
    clause = "" if lockfiles.in_git else "; the tracked clause needs git init"
    return passed(f"{len(told)} manifest(s) locked: {', '.join(told)}{clause}")


def _making(lockfiles: Lockfiles, locks: Iterable[str]) -> str:
    """What makes these lockfiles, or makes them tracked; "" for none: the manifest itself is at fault."""
    told = []
    for name in locks:
        lock = lockfiles.locks.get(name)
        made = "" if lock and not lock.tracked else f"{MAKERS[name]} && "
        told.append(f"{made}git add -f {name}")
    if not told:
        return ""
    why = "a library too: its lock holds what its own tests run with, and reaches nobody who installs it"
    return f"{'; '.join(told)}; then commit ({why})"


def _locking(lockfiles: Lockfiles, name: str, present: list[Lock]) -> list[Finding]:
    """What is wrong with the locks of one manifest."""
    if not present:
        return [Finding(name, message=f"no lockfile: none of {', '.join(OF[name])}")]
    if lockfiles.in_git and not any(lock.tracked for lock in present):
        return [Finding(lock.name, message="git does not track it") for lock in present]
    findings = []
    for lock in present:
        if lock.content is None:
            findings.append(Finding(lock.name, message=lock.problem))
        findings += [
            Finding(lock.name, message=f"stale against {name}: {text}")
            for text in lockfiles.stale(lock) or ()
        ]
    return findings


def _locked(lockfiles: Lockfiles, present: list[Lock]) -> str:
    names = []
    for lock in present:
        state = "" if lock.tracked or not lockfiles.in_git else " (present, not tracked)"
        unknown = "" if lockfiles.stale(lock) is not None else " (does not say whether it is stale)"
        names.append(lock.name + state + unknown)
    return " and ".join(names)


def the_audit_is_fresh_and_clean(config: Config, audit: Audit) -> Outcome:
    """The dependency audit is on record, dated, fresh, and clean or waived.

    Reads .goblin/audit.tsv, .goblin/audit-waiver.tsv, security.audit_max_age_days and
    security.waiver_max_age_days. It runs nothing and asks no network: goblin-audit makes the record, on
    purpose. A waiver fits an advisory when the package is the same, its severity is the same or *, and
    its id is the same, * or a GHSA number in the advisory's url; its date is the day of the decision.

    FAIL: no measured date, or one that is no date, in the future or older than allowed; a row that cannot
    be read; a high or critical row without a waiver that has a reason and a date within its limit; a
    record that git knows and that is gone. PASS: otherwise. SKIP: no audit_cmd, or no record ever.
    """
    if not config.text("security.audit_cmd").strip():
        return skipped("no audit command declared (security.audit_cmd)")
    oldest = config.integer("security.audit_max_age_days", positive=True)
    oldest_waiver = config.integer("security.waiver_max_age_days", positive=True)
    try:
        record = audit.record
        waivers, faults = audit.waivers
    except ReadRefused as error:
        return failed(f"not readable: {error}")
    if record is None:
        known = audit.was_known
        if known:
            return failed(
                f"the audit record is gone, and {known} has it", [Finding(RECORD, message="deleted")]
            )
        return skipped("no audit record yet: goblin-audit makes it")
    findings = [Finding(WAIVERS, fault.line, message=fault.message) for fault in faults]
    findings += [Finding(RECORD, fault.line, message=fault.message) for fault in record.faults]
    age, dated = _age(record.measured, oldest)
    if dated:
        findings.append(Finding(RECORD, record.line, message=f"measured {dated}"))
    judged = [row for row in record.rows if row.advisory.severity in JUDGED]
    waived = 0
    for row in judged:
        matching = [waiver for waiver in waivers if waiver.matches(row.advisory)]
        wrong = [(waiver, _waiver_fault(waiver, oldest_waiver)) for waiver in matching]
        if any(not fault for _, fault in wrong):
            waived += 1
            continue
        name = f"{row.advisory.package} {row.advisory.severity} {row.advisory.id}"
        findings.append(Finding(RECORD, row.line, message=f"{name}: not waived"))
        findings += [Finding(WAIVERS, waiver.line, message=f"{name}: {fault}") for waiver, fault in wrong]
    counts = f"{len(judged)} high|critical line(s), {waived} matched waiver(s)"
    text = f"measured {record.measured or '(no date)'} ({age}): {counts}, {len(judged) - waived} unwaived"
    if findings:
        return failed(text, findings)
    changed = audit.changed_locks(record)
    return passed(text, [Finding(name, message="has changed since the audit") for name in changed])


def _age(measured: str, oldest: int) -> tuple[str, str]:
    """How old a date is, and what is wrong with it ("" for nothing)."""
    if not measured:
        return "age unknown", "has no line: measured YYYY-MM-DD"
    day = clock.parse_date(measured)
    if day is None:
        return "age unknown", f"{measured!r} is no date YYYY-MM-DD"
    days = (clock.today() - day).days
    if clock.in_future(day):
        return "in the future", f"{measured} is in the future"
    return f"{days} days old", f"{measured} is {days} days old, more than {oldest}" if days > oldest else ""


def _waiver_fault(waiver: Waiver, oldest: int) -> str:
    if not waiver.date:
        return "its waiver has no date"
    _, wrong = _age(waiver.date, oldest)
    if wrong:
        return f"its waiver of {wrong}"
    return "" if waiver.has_reason else "its waiver gives no reason"


def install_hooks_are_accepted(lockfiles: Lockfiles) -> Outcome:
    """No dependency runs code while it is installed, unless somebody has accepted it.

    Reads the lockfiles at the root and .goblin/install-hooks.allowlist (a name a line, text after # is a
    note). A hook is: in npm 2 and 3, hasInstallScript (of a workspace too); in pnpm 5 and 6,
    requiresBuild, later what onlyBuiltDependencies or allowBuilds name; in bun, trustedDependencies; in
    yarn berry, dependenciesMeta with built; in uv, poetry and pdm, a package of an index that only comes
    as source, called pypi:NAME.

    FAIL: a hook that is not listed; a lock that cannot be read, or holds no package for what package.json
    declares. PASS: every hook is listed, or there is none. SKIP: no lockfile, or none that records hooks.
    """
    if not lockfiles.locks:
        return skipped("no lockfile to enumerate")
    findings: list[Finding] = []
    try:
        allowed = {entry.name: entry.line for entry in lockfiles.allowed}
    except ReadRefused as error:
        allowed = {}
        findings.append(Finding(ALLOWLIST, message=str(error).partition(": ")[2]))
    hooks: dict[str, str] = {}
    silent: list[str] = []
    counted: list[str] = []
    for lock in lockfiles.locks.values():
        problem = lock.problem or _holds_nothing(lockfiles, lock)
        if problem:
            findings.append(Finding(lock.name, message=problem))
            continue
        names, reason = lockfiles.hooks(lock)
        if names is None:
            silent.append(reason)
            continue
        counted.append(lock.name)
        for name in names:
            hooks.setdefault(name, lock.name)
    unlisted = [name for name in sorted(hooks) if name not in allowed]
    findings += [
        Finding(hooks[name], message=f"{name} runs code on install and is not listed") for name in unlisted
    ]
    stale = [
        Finding(ALLOWLIST, line, message=f"stale: {name} runs no code on install")
        for name, line in allowed.items()
        if name not in hooks and counted
    ]
    aside = [Finding("", message=reason) for reason in silent]
    text = f"{len(hooks)} install hook(s), {len(hooks) - len(unlisted)} allowlisted, in {', '.join(counted)}"
    if findings:
        shown = text if counted else "install hooks could not be enumerated"
        return failed(shown, [*findings, *stale, *aside])
    if not counted:
        return skipped("; ".join(silent))
    return passed(text, [*stale, *aside])


def _holds_nothing(lockfiles: Lockfiles, lock: Lock) -> str:
    """Why an empty lock is no clean one, or ""."""
    content = lock.content
    if content is None or content.packages or lock.name not in OF["package.json"] or lock.name == "bun.lockb":
        return ""
    needed = lockfiles.needs_packages()
    return f"it locks no package, while package.json declares {needed}" if needed else ""
