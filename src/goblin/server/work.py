"""The process of one call: reads one request, does it, prints progress and one reply as lines of JSON.

It is a process of its own so that a call can be ended at any moment, whatever it is at. It runs frozen:
neither caches nor runtime files are written. What a repository's commands print never reaches the lines.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from goblin.outcome import CannotRun, CheckFailed
from goblin.watch import Watch

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.featuremap import Feature

Value = dict[str, Any]

LISTED = 5
"""Files of one entry path that are named."""

_STEP = re.compile(r"(\d+) of (\d+)")


class Lines:
    """Where lines of JSON go: standard output as it was, which nothing else can write to any more."""

    def __init__(self) -> None:
        self._wire = os.dup(1)
        os.dup2(2, 1)

    def say(self, **value: object) -> None:
        """One line."""
        data = (json.dumps(value) + "\n").encode()
        while data:
            data = data[os.write(self._wire, data) :]


class Progress(Watch):
    """Tells what the run is at; the number never falls."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._done = 0.0
        self._total: int | None = None

    def row(self, text: str) -> None:
        """A row begins."""
        step = _STEP.match(text)
        if step:
            self._total = int(step[2])
        self._say(max(float(step[1]) - 1, self._done + 0.01) if step else self._done + 0.01, text)

    def doing(self, text: str) -> None:
        """A part of it begins."""
        self._say(self._done + 0.01, text)

    def _say(self, done: float, text: str) -> None:
        from goblin.redact import clean

        self._done = round(done, 2)
        self._lines.say(progress=self._done, total=self._total, message=clean(text)[:200])


def main() -> int:
    """Answer the request on standard input; returns 0, whatever the answer."""
    signal.signal(signal.SIGTERM, _leave)
    lines = Lines()
    request = json.loads(sys.stdin.readline())
    try:
        value = TOOLS[request["tool"]](request["arguments"], bool(request["static"]), Progress(lines))
    except Exception as error:  # noqa: BLE001  (whatever it is, the client is told)
        lines.say(refused=_said(error))
    else:
        lines.say(value=value)
    return 0


def _leave(number: int, _: object) -> None:
    raise SystemExit(128 + number)


def _said(error: Exception) -> str:
    from goblin.git import GitError
    from goblin.manifest import ManifestBroken
    from goblin.redact import clean, mask

    if isinstance(error, CannotRun):
        text = f"could not run (exit 2): {error.message}"
        text += f"; remedy: {error.remedy}" if error.remedy else ""
    elif isinstance(error, ManifestBroken):
        text = f"could not run (exit 3): the manifest is broken: {error}"
    elif isinstance(error, CheckFailed):
        text = f"could not run (exit 2): {error.outcome.summary}"
    elif isinstance(error, GitError):
        text = f"could not run (exit 2): {error}"
    else:
        text = f"could not run: internal: {type(error).__name__}: {error}"[:400]
    return clean(mask(text))[:2000]


def _facts(arguments: Value, static: bool, watch: Watch) -> Facts:
    """The facts of the repository that a call is about."""
    from goblin.facts import Facts, Run
    from goblin.locate import locate

    place = locate(root_of(arguments.get("target")))
    return Facts(Run(place.root, place.repo, static=static, cache=False, watch=watch, frozen=True))


def root_of(target: str | None) -> str:
    """The folder to start from. Raises `CannotRun` for a target that is no installed repository."""
    if target is None:
        return os.getcwd()
    root = os.path.realpath(os.path.expanduser(target))
    if not os.path.isdir(root):
        raise CannotRun(f"{root} is not a folder")
    if not os.path.lexists(os.path.join(root, ".goblin", "goblin.yaml")):
        raise CannotRun(f"{root} is not an installed repository", f"goblin-install --target {root}")
    return root


# --- the tools ---------------------------------------------------------------------------------------


def verify(arguments: Value, static: bool, watch: Watch) -> Value:
    """The report of a run, as `goblin-verify --json` has it."""
    from goblin import engine
    from goblin.report.json import render

    if os.environ.get("GOBLIN_VERIFY_DEPTH"):
        raise CannotRun("recursive: a gate of a repository asks this server to verify, which would never end")
    only = [name.strip() for name in arguments.get("only", "").split(",") if name.strip()]
    value: Value = json.loads(render(engine.judge(_facts(arguments, static, watch), only)))
    return value


def explain(arguments: Value, static: bool, watch: Watch) -> Value:
    """One row of the matrix: the repository's own, or the release's where nothing is installed."""
    from goblin import home
    from goblin.explain import controls
    from goblin.explain import explain as page
    from goblin.manifest import read_folder, suggest
    from goblin.redact import clean

    facts = _facts(arguments, True, watch)
    installed = os.path.isdir(os.path.join(facts.run.root, ".goblin", "manifest"))
    manifest = facts.get("manifest") if installed else read_folder(home.path("manifest"))
    rows, name = manifest.by_id(), arguments["row"]
    if name not in rows:
        raise CannotRun(f"unknown row: {name}{suggest(name, list(rows))}", "goblin-verify --list")
    row = rows[name]
    return {
        "id": row.id,
        "rule": clean(row.rule),
        "scope": row.scope,
        "part": row.part or None,
        "enforced_by": row.enforced_by,
        "reads": clean(row.artifact),
        "remedy": clean(row.remedy),
        "cannot_see": clean(row.blind_spot),
        "controls": [{"name": clean(it), "expect": expect} for it, expect, _ in controls(row, manifest)][:50],
        "page": page(row, manifest),
    }


def map_status(arguments: Value, static: bool, watch: Watch) -> Value:
    """The feature map: what rows FM-01 and FM-02 find, and where each entry path stands."""
    from goblin import engine
    from goblin.git import GitError
    from goblin.redact import clean

    facts = _facts(arguments, True, watch)
    feature_map = facts.get("feature_map")
    not_searched = None
    try:
        facts.get("entry_paths")
    except (CheckFailed, GitError) as error:
        told = error.outcome.summary if isinstance(error, CheckFailed) else str(error)
        not_searched = clean(told)
    if feature_map.problem:
        not_searched = f"{feature_map.page}: {feature_map.problem}"
    known = [name for name in ("FM-01", "FM-02") if name in facts.get("manifest").by_id()]
    results = engine.judge(facts, known).results if feature_map.page and known else ()
    problems = [
        {"path": clean(item.path) or None, "line": item.line or None, "message": clean(item.message)}
        for result in results
        if result.outcome.verdict == "FAIL"
        for item in result.outcome.findings or [_summary(result.outcome.summary)]
    ]
    features = [_feature(feature, facts, not_searched) for feature in feature_map.features]
    entries = [entry for feature in features for entry in feature["entry_paths"]]
    return {
        "declared": bool(feature_map.page),
        "map": clean(feature_map.page) or None,
        "features": features,
        "problems": problems,
        "not_searched": not_searched,
        "counts": {
            "features": len(features),
            "entry_paths": len(entries),
            "found": sum(entry["state"] == "found" for entry in entries),
            "problems": len(problems),
        },
    }


def _summary(text: str) -> Any:
    from goblin.outcome import Finding

    return Finding("", message=text)


def _feature(feature: Feature, facts: Facts, not_searched: str | None) -> Value:
    from goblin.redact import clean

    entries = []
    for token in feature.named:
        files: tuple[str, ...] = ()
        if not_searched is None:
            files = facts.get("entry_paths").tracked.get(token.text, ())
        state = "not searched" if not_searched else "found" if files else "absent"
        entries.append(
            {
                "token": clean(token.text)[:200],
                "state": state,
                "files": [clean(path) for path in files[:LISTED]],
                "files_total": len(files),
            }
        )
    return {
        "path": clean(feature.path),
        "feature": clean(feature.value("feature"))[:200],
        "verified": feature.verified.isoformat() if feature.verified else None,
        "entry_paths": entries,
    }


def init_status(arguments: Value, static: bool, watch: Watch) -> Value:
    """What is installed around the working directory; a repository without an install is no refusal."""
    from goblin import __version__
    from goblin.facts.record import PATH
    from goblin.redact import clean
    from goblin.server.registration import is_registered

    facts = _facts(arguments, True, watch)
    root = facts.run.root
    value: Value = {
        "root": clean(root),
        "installed": os.path.lexists(os.path.join(root, ".goblin", "goblin.yaml")),
        "problem": None,
        "class": None,
        "branch": None,
        "gates": [],
        "engine": {"version": None, "source": "package", "judged_by": __version__},
        "verify_present": os.path.isfile(os.path.join(root, ".goblin", "bin", "goblin-verify")),
        "mcp_registered": is_registered(root),
    }
    if not value["installed"]:
        return value
    try:
        config = facts.get("config")
        external = config.text("engine_dir").strip()
        value["class"] = config.class_name
        value["branch"] = clean(config.text("branch")) or None
        value["gates"] = [clean(gate.name)[:200] for gate in config.gates()][:200]
        if os.path.isdir(os.path.join(root, ".goblin", "engine")):
            value["engine"]["source"] = "vendored"
        elif external:
            value["engine"]["source"] = "external"
        if facts.get("tree").kind(PATH) == "file":
            value["engine"]["version"] = clean(facts.get("record").version) or None
    except (CannotRun, CheckFailed) as error:
        value["problem"] = _said(error).partition(": ")[2]
    return value


TOOLS: dict[str, Callable[[Value, bool, Watch], Value]] = {
    "goblin_verify": verify,
    "goblin_explain": explain,
    "goblin_map_status": map_status,
    "goblin_init_status": init_status,
}
"""The tools that are done here; the others are commands of the package."""


if __name__ == "__main__":
    sys.exit(main())
