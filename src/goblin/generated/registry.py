"""What this release ships, row by row. Generated from manifest/enforcement.tsv; do not edit."""

# fmt: off
# ruff: noqa: E501

from __future__ import annotations

SHIPPED: dict[str, str] = {
    'IN-01': 'checks/install.py::the_install_left_a_sound_record',
    'IN-02': 'checks/install.py::installed_files_keep_their_hash',
    'IN-03': 'checks/install.py::every_row_has_a_check',
    'IN-04': 'checks/install.py::no_earlier_file_was_taken_over',
    'MD-01': 'checks/models.py::no_rule_names_a_model',
    'MD-02': 'checks/models.py::review_runs_on_another_family',
    'MD-03': 'advisory',
    'PG-04': 'advisory',
    'SC-09': 'advisory',
    'SK-01': 'checks/skills.py::skills_open_with_front_matter',
    'SK-02': 'checks/skills.py::installed_skills_keep_their_hash',
    'SK-03': 'checks/skills.py::advisories_are_capped',
    'SK-04': 'checks/skills.py::skills_say_what_they_cannot_see',
    'JG-03': 'advisory',
    'PT-01': 'checks/portability.py::rules_belong_to_no_machine',
    'PT-02': 'checks/portability.py::the_default_branch_is_the_declared_one',
    'CL-01': 'checks/classes.py::parts_match_the_class',
    'CL-02': 'checks/classes.py::the_archive_waiver_is_the_recorded_one',
}
"""Id to check cell."""

SWITCHES: dict[str, tuple[str, str]] = {
    'IN-01': ('target', ''),
    'IN-02': ('target', ''),
    'IN-03': ('target', ''),
    'IN-04': ('target', ''),
    'MD-01': ('target', ''),
    'MD-02': ('target', ''),
    'MD-03': ('target', ''),
    'PG-04': ('target', 'pr-gate'),
    'SC-09': ('target', ''),
    'SK-01': ('target', 'playbooks'),
    'SK-02': ('target', 'playbooks'),
    'SK-03': ('target', ''),
    'SK-04': ('target', 'playbooks'),
    'JG-03': ('target', ''),
    'PT-01': ('target', ''),
    'PT-02': ('target', ''),
    'CL-01': ('target', ''),
    'CL-02': ('target', ''),
}
"""Id to scope and part: what decides whether a row runs at all."""
