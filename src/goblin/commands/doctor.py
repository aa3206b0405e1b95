"""goblin-doctor: which agent platforms are here, which copy of each skill serves, and what drifted."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from goblin.commands import gate, options
from goblin.commands.options import Option, Values
from goblin.outcome import CannotRun

if TYPE_CHECKING:
    from goblin.emit.diagnose import Diagnosis, Serving

SCHEMA_VERSION = 1

COMMAND = options.Command(
    "goblin-doctor",
    (
        Option("--platform", "value", "Look at this platform only.", "ID"),
        Option("--target", "value", "The project (default: the repository around this folder).", "DIR"),
        Option("--source", "value", "Compare with DIR/skills instead of this release's.", "DIR"),
        Option("--json", "flag", "One JSON object."),
        Option("--version", "flag", "Show the version."),
    ),
    "Show for each agent platform whether it is here, which copy of each skill it takes (project, global, or "
    "foreign: another platform's folder that it reads too), what DIVERGED from the source (for information), "
    "and what is DRIFT: emitted, and not what goblin-emit would write now. Offline; nothing is written.",
    "Exit codes: 0 a platform is here and nothing drifted; 1 drift; 2 no platform is here, or bad usage; "
    "130 interrupted.",
)


def main(argv: list[str] | None = None) -> int:
    """Run the command with `argv` (default: the process's own) and return its exit code."""
    given = sys.argv[1:] if argv is None else argv
    return gate.guard(lambda: options.run(COMMAND, given, _doctor))


def _doctor(values: Values) -> int:
    from goblin.emit import Refused, diagnose, source
    from goblin.emit.ledger import Ledger
    from goblin.locate import locate

    if values["version"]:
        from goblin import __version__

        print(f"goblin-doctor {__version__}")
        return gate.PASSED
    found = source.load(os.path.expanduser(values["source"]))
    platforms = diagnose.chosen(found, values["platform"])
    root = locate(os.path.expanduser(values["target"]) or os.getcwd()).root
    try:
        diagnoses = diagnose.diagnose(found, platforms, root, Ledger())
    except Refused as refused:
        return gate.refuse(refused.message, refused.remedy)
    code = _code(diagnoses)
    if values["json"]:
        sys.stdout.write(_as_json(diagnoses, code))
        return code
    _tell(line for diagnosis in diagnoses for line in _lines(diagnosis))
    if code == gate.COULD_NOT_RUN:
        raise CannotRun("no platform is detected", "goblin-emit --platform ID --scope project --target DIR")
    return code


def _code(diagnoses: Sequence[Diagnosis]) -> int:
    if any(diagnosis.drift for diagnosis in diagnoses):
        return gate.FAILED
    return gate.PASSED if any(diagnosis.detected for diagnosis in diagnoses) else gate.COULD_NOT_RUN


def _lines(diagnosis: Diagnosis) -> Iterator[str]:
    yield f"== {diagnosis.id} =="
    adapter = diagnosis.adapter
    if adapter is not None:
        yield f"  {adapter.display}: {adapter.docs_url} (read {adapter.docs_read})"
        tried = f"NOT-DETECTED {' '.join(adapter.anchors)}"
        yield f"  DETECTED {diagnosis.detected}" if diagnosis.detected else f"  {tried}"
    if diagnosis.caveat:
        yield f"  caveat: {diagnosis.caveat}"
    absent = [serving.skill for serving in diagnosis.serving if not serving.tier]
    for serving in diagnosis.serving:
        if serving.tier:
            yield from _served(serving)
    if absent:
        yield f"  {len(absent)} skill(s) not there"
    for drift in diagnosis.drift:
        yield f"  DRIFT {drift}"


def _served(serving: Serving) -> Iterator[str]:
    yield f"  {serving.tier:<8} {serving.skill:<22} {serving.path}"
    if serving.diverged:
        yield f"  DIVERGED {serving.skill}: {serving.diverged}"


def _tell(lines: Iterator[str]) -> None:
    from goblin.redact import clean

    for line in lines:
        print(clean(line))


def _as_json(diagnoses: Sequence[Diagnosis], code: int) -> str:
    import json

    platforms = [
        {
            "id": found.id,
            "docs_url": found.adapter.docs_url if found.adapter else None,
            "docs_read": found.adapter.docs_read if found.adapter else None,
            "detected": found.detected or None,
            "caveat": found.caveat or None,
            "skills": [serving._asdict() for serving in found.serving if serving.tier],
            "drift": list(found.drift),
        }
        for found in diagnoses
    ]
    return json.dumps({"schema_version": SCHEMA_VERSION, "platforms": platforms, "exit": code}) + "\n"


if __name__ == "__main__":
    sys.exit(main())
