"""What an absent config key means. Generated from schemas/config.schema.json by scripts/generate.py; do not edit."""

# fmt: off
# mypy: ignore-errors
# ruff: noqa

from __future__ import annotations


DEFAULTS = {'max_dirty': '0',
 'advisory_ceiling': '10',
 'security.gitignore_family': 'yes',
 'security.audit_max_age_days': '90',
 'security.waiver_max_age_days': '180',
 'perf.baseline_value': '0',
 'harness_dir': 'checks',
 'scaffold_checks': 'no',
 'source_root': '.',
 'loop_max_turns_ceiling': '20',
 'judge_rederive': 'no',
 'gates[].timeout_s': '1800'}
"""Dotted key to the text that its absence stands for; `[]` is any index."""

DIGEST = 'b03dbe4b599155538e7bf8375e5f9ab3ef69f93ddc4c6f181ae6312c1f97915f'
"""SHA-256 of the schema: what was judged by another one is judged again."""
