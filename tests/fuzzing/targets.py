"""Every fuzzing target: what the property test and `scripts/fuzz` both run."""

from __future__ import annotations

from tests.fuzzing import formats, records, sources
from tests.fuzzing.target import Target

TARGETS: dict[str, Target] = {
    target.name: target for table in (records.TARGETS, formats.TARGETS, sources.TARGETS) for target in table
}
