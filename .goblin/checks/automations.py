"""AU: automations. A report is keyed by its content, and whoever writes one touches nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from goblin.outcome import Finding, Outcome, failed, passed, skipped
from goblin.pattern import lazy
from goblin.redact import clean

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.config import Config
    from goblin.facts.producers import Producer
    from goblin.facts.reportkeys import Keyed
    from goblin.facts.reports import Reports
    from goblin.facts.skills import Skills
    from goblin.facts.status import Change

_DATE = lazy(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


SURFACE = "Write surface"
SKILLS = ("goblin-bugreporter", "goblin-drift-audit")


def producers_stay_off_the_network(producers: tuple[Producer, ...]) -> Outcome:
    """A producer of an automation reads local state and reaches no network.

    Reads the `.sh` and `.py` files in `.goblin/automations/`, `automations/` and the folders of that. Shell
    is read by its grammar, command names at any depth: in pipes, substitutions and here-documents, behind
    `env`, `sudo` or `xargs`, in the string of `bash -c`. Python is read as a tree: its imports, and the
    argument lists and strings that it runs.
    FAIL: a network command (curl, wget, gh, npm, ssh and their kind), `git` with fetch, pull, push, clone or
    ls-remote, `/dev/tcp/`, or a Python module that opens connections; a producer that cannot be read; no
    producer at all, since every install ships some. PASS: otherwise, with the number of producers.
    """
    if not producers:
        return failed("no automation producer found", [Finding(".goblin/automations")])
    found = [
        Finding(producer.path, hit.line, 0, f"{hit.what} reaches the network")
        for producer in producers
        for hit in producer.hits
    ]
    found += [
        Finding(producer.path, message=f"cannot be read: {producer.problem}")
        for producer in producers
        if producer.problem
    ]
    if found:
        bad = len({finding.path for finding in found})
        return failed(f"{bad} of {len(producers)} producer(s) reach the network or cannot be read", found)
    return passed(f"{len(producers)} producer(s), no network verb")


def automation_skills_declare_their_surface(skills: Skills) -> Outcome:
    """The skill of an automation says what the automation may write.

    Reads SKILL.md of goblin-bugreporter and goblin-drift-audit in the recorded skills folders, as Markdown:
    a heading in fenced code, in a comment or in the front matter is none.
    FAIL: one of them lacks a level-2 heading that is exactly `Write surface`, has nothing below it, or cannot
    be read; there is none of them at all. PASS: otherwise, with the number of skills.
    """
    ours = [skill for skill in skills.all if skill.name in SKILLS]
    if not ours:
        return failed("no automation skill found", [Finding(folder) for folder in skills.folders])
    found = []
    for skill in ours:
        sections = skill.sections(SURFACE)
        if skill.problem:
            found.append(Finding(skill.path, message=f"cannot be read: {skill.problem}"))
        elif not sections:
            found.append(Finding(skill.path, message=f"no section ## {SURFACE}"))
        elif not any(says for _, says in sections):
            found.append(Finding(skill.path, sections[0][0], message=f"## {SURFACE} is empty"))
    if found:
        return failed(f"{len(found)} of {len(ours)} automation skill(s) declare no write surface", found)
    return passed(f"{len(ours)} automation skill(s), each with a section ## {SURFACE}")


def a_dedup_key_is_content_alone(reports: Reports, report_keys: tuple[Keyed, ...]) -> Outcome:
    """The dedup key of a report is a function of its content alone.

    Reads `reports/*/report.yaml` as YAML. The key is `bug:<repo>:<12 hex>`, from the SHA-256 of the symptom
    without case and spacing.
    SKIP: no report. FAIL: a report that cannot be read; no `dedup_key`, `repo` or `symptom`; a symptom of
    several lines; another key than the content gives (both are printed). PASS: otherwise, with the number
    of reports; reports that share a key are listed.
    """
    if reports.state not in ("dir", "missing"):
        return failed("reports is no folder", [Finding("reports", message=f"it is a {reports.state}")])
    if not report_keys:
        return skipped("no report to dedup (reports/*/report.yaml)")
    found = [finding for keyed in report_keys for finding in _judged(keyed)]
    if found:
        return failed(f"{len(found)} fault(s) in {len(report_keys)} report(s)", found)
    sharing: dict[str, list[str]] = {}
    for keyed in report_keys:
        sharing.setdefault(keyed.expected, []).append(keyed.report.path)
    notes = [
        Finding(paths[0], message=f"shares its key with {', '.join(paths[1:])}")
        for paths in sharing.values()
        if len(paths) > 1
    ]
    return passed(f"{len(report_keys)} report(s): the key is content-only", notes)


def _judged(keyed: Keyed) -> Iterator[Finding]:
    report = keyed.report
    if report.problem:
        yield Finding(report.path, report.line, 0, report.problem)
        return
    missing = [key for key in ("repo", "symptom", "dedup_key") if not report.values.get(key, "").strip()]
    if missing:
        shown = f"; the key of its content is {clean(keyed.expected)}" if keyed.expected else ""
        yield Finding(report.path, 0, 0, f"{', '.join(missing)} is not set, or no text{shown}")
        return
    if not keyed.one_line:
        yield Finding(report.path, report.lines["symptom"], 0, "symptom is not one line")
        return
    recorded = report.values["dedup_key"].strip()
    if recorded != keyed.expected:
        date = ", and carries a date" if _DATE.search(recorded) else ""
        content = clean(keyed.expected)[:200]
        told = f"dedup_key is {clean(recorded)[:120]}{date}; the key of its content is {content}"
        yield Finding(report.path, report.lines["dedup_key"], 0, told)


def a_reporter_leaves_the_rest_alone(reports: Reports, config: Config, facts: Facts) -> Outcome:
    """A reporter's run leaves the tree clean, and its commit leaves the harness alone.

    Reads `git status`, the paths that HEAD changed against its first parent, `harness_dir` and `max_dirty`.
    SKIP: no `reports/` folder. FAIL: more uncommitted entries than `max_dirty`; HEAD changes `reports/` and
    also a path below the harness directory, `.goblin/` or a skills folder. PASS: otherwise, with both
    numbers; what else a reporter's commit changes is listed. A HEAD that changes no report is no reporter's.
    """
    if reports.state != "dir":
        return skipped("no reporter run to audit: there is no reports/ folder")
    most = config.integer("max_dirty")
    status: tuple[Change, ...] = facts.get("status")
    found = []
    if len(status) > most:
        found = [Finding(change.path, message=f"uncommitted ({change.state.strip()})") for change in status]
    commit, touched, others = _commit(config, facts)
    found += [Finding(path, message="changed in the commit that changes a report") for path in touched]
    dirty = f"{len(status)} dirty entr(y|ies), max_dirty {most}"
    if found:
        return failed(f"{dirty}; {commit}", found)
    notes = [Finding(path, message="changed beside the report") for path in others]
    return passed(f"{dirty}; {commit}", notes)


def _commit(config: Config, facts: Facts) -> tuple[str, list[str], list[str]]:
    """What HEAD is, in words; what of the harness it changes, and what else, where it changes a report."""
    if facts.get("head").commit is None:
        return "the clause about commits does not apply: no commits yet", [], []
    paths = facts.get("head_changes").paths
    own = [path for path in paths if path.startswith("reports/")]
    if not own:
        return "the clause about commits does not apply: HEAD changes no report", [], []
    harness = config.path("harness_dir")
    folders = tuple(f"{name}/" for name in (".goblin", ".hermes", *([harness] if harness != "." else [])))
    folders += tuple(
        f".{name}/skills/" for name in ("claude", "agents", "github", "cursor", "opencode", "gemini")
    )
    touched = [path for path in paths if path.startswith(folders)]
    others = [path for path in paths if path not in own and path not in touched]
    return f"HEAD changes {len(own)} path(s) of reports/ and {len(touched)} of the harness", touched, others
