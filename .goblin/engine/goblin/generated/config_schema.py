"""Judges a config that was read string-only. Generated from schemas/config.schema.json by scripts/generate.py; do not edit."""

# fmt: off
# mypy: ignore-errors
# ruff: noqa

from __future__ import annotations

import re

SAYS = {'class': ('must be one letter from A to F', 'A'),
 'branch': ('must be the name of a branch', 'main'),
 'models_file': ('must be the path of one file', '~/.config/goblin/models.yaml'),
 'practice': ('must be the path of one file', '~/standards/house.md'),
 'practice_sha256': ('must be 64 hex digits',
                     '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'),
 'owner_email': ('must be one email address', 'owner@example.com'),
 'tenant_strings': ('must be a list such as [a, b]', "['Example Client Ltd']"),
 'tenant_strings[]': ('must be one text', ''),
 'archive': ('must be true or false', 'false'),
 'max_dirty': ('must be a whole number of 0 or more, in digits alone', '0'),
 'advisory_ceiling': ('must be a whole number of 0 or more, in digits alone', '10'),
 'security': ('must hold lines of the form `key: value`', ''),
 'security.gitignore_family': ('must be yes or no', 'yes'),
 'security.build_output': ('must be words with blanks between, or a list', 'dist out'),
 'security.build_output[]': ('must be one text', ''),
 'security.audit_cmd': ('must be one command, in single quotes where it holds `: ` or ` #`',
                        'npm audit --json'),
 'security.audit_max_age_days': ('must be a whole number of 1 or more, in digits alone', '90'),
 'security.waiver_max_age_days': ('must be a whole number of 1 or more, in digits alone', '180'),
 'security.write_routes': ('must be words with blanks between, or a list', 'app src/app'),
 'security.write_routes[]': ('must be one text', ''),
 'perf': ('must hold lines of the form `key: value`', ''),
 'perf.metric': ('must be one text', 'client_js_bytes'),
 'perf.cmd': ('must be one command, in single quotes where it holds `: ` or ` #`',
              'python3 .goblin/bin/goblin-count bytes dist'),
 'perf.baseline_commit': ('must be 7 to 64 hex digits of a commit', '1a2b3c4d'),
 'perf.baseline_value': ('must be a whole number of 0 or more, in digits alone', '0'),
 'perf.measured': ('must be a date of the form YYYY-MM-DD', '2026-09-25'),
 'perf.host_gate': ('must be one text', 'frame time on the target device'),
 'harness_dir': ('must be a path inside the repository, relative to its root and without `..`', 'checks'),
 'scaffold_checks': ('must be yes or no', 'no'),
 'feature_map': ('must be the path of one file', 'docs/features/README.md'),
 'source_root': ('must be a path inside the repository, relative to its root and without `..`', '.'),
 'verify_doctor': ('must be one command, in single quotes where it holds `: ` or ` #`',
                   'node scripts/doctor.mjs'),
 'loop_max_turns_ceiling': ('must be a whole number of 1 or more, in digits alone', '20'),
 'judge_rederive': ('must be yes or no', 'no'),
 'reference_manifest': ('must be a path inside the repository, relative to its root and without `..`',
                        'manifests/reference.json'),
 'quarantine_root': ('must be one path', '~/quarantine/app-1.2'),
 'gates': ('must be a list: each gate is `- name: ...` with `cmd: ...` on the line below',
           '[{"name": "test", "cmd": "make test"}]'),
 'gates[]': ('must be a gate: `name: ...` and, on the line below, `cmd: ...`', ''),
 'gates[].name': ('must be made of letters, digits, `_`, `.` and `-` alone', 'test'),
 'gates[].cmd': ('must be one command, in single quotes where it holds `: ` or ` #`', 'make test'),
 'gates[].timeout_s': ('must be a whole number of 1 or more, in digits alone', '1800'),
 'gates[].kind': ('can only be `host`; leave the line out for any other gate', 'host'),
 'ratchet': ('must hold the lines `name: ...`, `cmd: ...` and `ceiling: ...`', ''),
 'ratchet.name': ('must be one text', 'todo_markers'),
 'ratchet.cmd': ('must be one command, in single quotes where it holds `: ` or ` #`',
                 'python3 .goblin/bin/goblin-count markers --ext py'),
 'ratchet.ceiling': ('must be a whole number of 0 or more, in digits alone', '160'),
 'ratchet.raised': ("must have the form '<old> + <n> = <new>: <reason>'",
                    '5 + 4 = 9: the vendored parser brings its own markers'),
 'runtime_data': ('must be a list of paths inside the repository', '[.goblin/state.json]'),
 'runtime_data[]': ('must be a path inside the repository, relative to its root and without `..`',
                    '.goblin/state.json'),
 'bans': ('must be a list such as [a, b]', '[BN-01, BN-02]'),
 'bans[]': ('must be one text', ''),
 'bans_exempt': ('must be a list such as [a, b]', "['BN-02 src/vendor']"),
 'bans_exempt[]': ('must be one text', ''),
 'layers': ("must be a list of borders such as 'src/data src/ui'", "['src/data src/ui']"),
 'layers[]': ("must be two paths with a blank between: '<from> <to>'", 'src/data src/ui'),
 'replay': ('must hold lines of the form `key: value`', ''),
 'replay.env': ('must be the name of an environment variable', 'GOBLIN_PRE_COMMIT'),
 'replay.cmd': ('must be one command, in single quotes where it holds `: ` or ` #`', 'auto {path}'),
 'replay.commit': ('must be one text', '1a2b3c4d'),
 'disabled': ('must be a list of parts such as [spec, tokens]', '[spec, tokens]'),
 'disabled[]': ('must be the name of a part', 'tokens'),
 'engine_dir': ('must be the path of one directory', '~/goblin-stack')}
"""Key to what its value must be, and an example of one."""

KEYS = {'': ('class',
      'branch',
      'models_file',
      'practice',
      'practice_sha256',
      'owner_email',
      'tenant_strings',
      'archive',
      'max_dirty',
      'advisory_ceiling',
      'security',
      'perf',
      'harness_dir',
      'scaffold_checks',
      'feature_map',
      'source_root',
      'verify_doctor',
      'loop_max_turns_ceiling',
      'judge_rederive',
      'reference_manifest',
      'quarantine_root',
      'gates',
      'ratchet',
      'runtime_data',
      'bans',
      'bans_exempt',
      'layers',
      'replay',
      'disabled',
      'engine_dir'),
 'security': ('gitignore_family',
              'build_output',
              'audit_cmd',
              'audit_max_age_days',
              'waiver_max_age_days',
              'write_routes'),
 'perf': ('metric', 'cmd', 'baseline_commit', 'baseline_value', 'measured', 'host_gate'),
 'gates[]': ('name', 'cmd', 'timeout_s', 'kind'),
 'ratchet': ('name', 'cmd', 'ceiling', 'raised'),
 'replay': ('env', 'cmd', 'commit')}
"""Mapping to the keys that it may hold."""

REQUIRED = {'': ('class', 'archive'),
 'security': (),
 'perf': (),
 'gates[]': ('name', 'cmd'),
 'ratchet': (),
 'replay': ()}
"""Mapping to the keys that it must hold."""

COMMANDS = ('security.audit_cmd', 'perf.cmd', 'verify_doctor', 'gates[].cmd', 'ratchet.cmd', 'replay.cmd')
"""Keys whose value is run as a command or shown as one."""

REGEX_PATTERNS = {
    '\\S': re.compile('\\S'),
    '^(0{0,6}[1-9][0-9]{0,8})?\\Z': re.compile('^(0{0,6}[1-9][0-9]{0,8})?\\Z'),
    '^(?![/~]|[A-Za-z]:)(?!(.*/)?\\.\\.(/|\\Z))[^\\\\\\r\\n]*\\Z': re.compile('^(?![/~]|[A-Za-z]:)(?!(.*/)?\\.\\.(/|\\Z))[^\\\\\\r\\n]*\\Z'),
    '^([0-9A-Fa-f]{64})?\\Z': re.compile('^([0-9A-Fa-f]{64})?\\Z'),
    '^([0-9A-Fa-f]{7,64})?\\Z': re.compile('^([0-9A-Fa-f]{7,64})?\\Z'),
    '^([0-9]+ \\+ [0-9]+ = [0-9]+: *\\S.*)?\\Z': re.compile('^([0-9]+ \\+ [0-9]+ = [0-9]+: *\\S.*)?\\Z'),
    '^([0-9]{4}-[0-9]{2}-[0-9]{2})?\\Z': re.compile('^([0-9]{4}-[0-9]{2}-[0-9]{2})?\\Z'),
    '^([A-Za-z_][A-Za-z0-9_]*)?\\Z': re.compile('^([A-Za-z_][A-Za-z0-9_]*)?\\Z'),
    '^([^-\\s~^:?*\\[\\\\][^\\s~^:?*\\[\\\\]*)?\\Z': re.compile('^([^-\\s~^:?*\\[\\\\][^\\s~^:?*\\[\\\\]*)?\\Z'),
    '^(\\s*\\S+\\s+\\S+\\s*)?\\Z': re.compile('^(\\s*\\S+\\s+\\S+\\s*)?\\Z'),
    '^[0-9]{0,15}\\Z': re.compile('^[0-9]{0,15}\\Z'),
    '^[A-Za-z0-9_.-]+\\Z': re.compile('^[A-Za-z0-9_.-]+\\Z'),
}


def validate(data: object) -> list[tuple[str, str]]:
    """Every rule that a string-only config breaks: (.key[0].member, keyword) pairs."""
    errors = []
    if not isinstance(data, (dict)):
        errors.append(("", 'type'))
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['class', 'archive']) - data.keys()
        if data__missing_keys:
            errors.append(("", 'required'))
        data_keys = set(data.keys())
        if "class" in data_keys:
            data_keys.remove("class")
            data__class = data["class"]
            if not (isinstance(data__class, str) and data__class == 'A' or isinstance(data__class, str) and data__class == 'B' or isinstance(data__class, str) and data__class == 'C' or isinstance(data__class, str) and data__class == 'D' or isinstance(data__class, str) and data__class == 'E' or isinstance(data__class, str) and data__class == 'F'):
                errors.append((".class", 'enum'))
        if "branch" in data_keys:
            data_keys.remove("branch")
            data__branch = data["branch"]
            if not isinstance(data__branch, (str)):
                errors.append((".branch", 'type'))
            if isinstance(data__branch, str):
                if not REGEX_PATTERNS['^([^-\\s~^:?*\\[\\\\][^\\s~^:?*\\[\\\\]*)?\\Z'].search(data__branch):
                    errors.append((".branch", 'pattern'))
        if "models_file" in data_keys:
            data_keys.remove("models_file")
            data__modelsfile = data["models_file"]
            if not isinstance(data__modelsfile, (str)):
                errors.append((".models_file", 'type'))
        if "practice" in data_keys:
            data_keys.remove("practice")
            data__practice = data["practice"]
            if not isinstance(data__practice, (str)):
                errors.append((".practice", 'type'))
        if "practice_sha256" in data_keys:
            data_keys.remove("practice_sha256")
            data__practicesha256 = data["practice_sha256"]
            if not isinstance(data__practicesha256, (str)):
                errors.append((".practice_sha256", 'type'))
            if isinstance(data__practicesha256, str):
                if not REGEX_PATTERNS['^([0-9A-Fa-f]{64})?\\Z'].search(data__practicesha256):
                    errors.append((".practice_sha256", 'pattern'))
        if "owner_email" in data_keys:
            data_keys.remove("owner_email")
            data__owneremail = data["owner_email"]
            if not isinstance(data__owneremail, (str)):
                errors.append((".owner_email", 'type'))
        if "tenant_strings" in data_keys:
            data_keys.remove("tenant_strings")
            data__tenantstrings = data["tenant_strings"]
            if not isinstance(data__tenantstrings, (list, tuple)):
                errors.append((".tenant_strings", 'type'))
            data__tenantstrings_is_list = isinstance(data__tenantstrings, (list, tuple))
            if data__tenantstrings_is_list:
                data__tenantstrings_len = len(data__tenantstrings)
                for data__tenantstrings_x, data__tenantstrings_item in enumerate(data__tenantstrings):
                    if not isinstance(data__tenantstrings_item, (str)):
                        errors.append((".tenant_strings[{data__tenantstrings_x}]".format(**locals()) + "", 'type'))
        if "archive" in data_keys:
            data_keys.remove("archive")
            data__archive = data["archive"]
            if not (isinstance(data__archive, str) and data__archive == 'true' or isinstance(data__archive, str) and data__archive == 'false'):
                errors.append((".archive", 'enum'))
        if "max_dirty" in data_keys:
            data_keys.remove("max_dirty")
            data__maxdirty = data["max_dirty"]
            if not isinstance(data__maxdirty, (str)):
                errors.append((".max_dirty", 'type'))
            if isinstance(data__maxdirty, str):
                if not REGEX_PATTERNS['^[0-9]{0,15}\\Z'].search(data__maxdirty):
                    errors.append((".max_dirty", 'pattern'))
        if "advisory_ceiling" in data_keys:
            data_keys.remove("advisory_ceiling")
            data__advisoryceiling = data["advisory_ceiling"]
            if not isinstance(data__advisoryceiling, (str)):
                errors.append((".advisory_ceiling", 'type'))
            if isinstance(data__advisoryceiling, str):
                if not REGEX_PATTERNS['^[0-9]{0,15}\\Z'].search(data__advisoryceiling):
                    errors.append((".advisory_ceiling", 'pattern'))
        if "security" in data_keys:
            data_keys.remove("security")
            data__security = data["security"]
            if not isinstance(data__security, (dict)):
                errors.append((".security", 'type'))
            data__security_is_dict = isinstance(data__security, dict)
            if data__security_is_dict:
                data__security_keys = set(data__security.keys())
                if "gitignore_family" in data__security_keys:
                    data__security_keys.remove("gitignore_family")
                    data__security__gitignorefamily = data__security["gitignore_family"]
                    if not (isinstance(data__security__gitignorefamily, str) and data__security__gitignorefamily == 'yes' or isinstance(data__security__gitignorefamily, str) and data__security__gitignorefamily == 'no' or isinstance(data__security__gitignorefamily, str) and data__security__gitignorefamily == 'true' or isinstance(data__security__gitignorefamily, str) and data__security__gitignorefamily == 'false'):
                        errors.append((".security.gitignore_family", 'enum'))
                if "build_output" in data__security_keys:
                    data__security_keys.remove("build_output")
                    data__security__buildoutput = data__security["build_output"]
                    if not isinstance(data__security__buildoutput, (str, list, tuple)):
                        errors.append((".security.build_output", 'type'))
                    data__security__buildoutput_is_list = isinstance(data__security__buildoutput, (list, tuple))
                    if data__security__buildoutput_is_list:
                        data__security__buildoutput_len = len(data__security__buildoutput)
                        for data__security__buildoutput_x, data__security__buildoutput_item in enumerate(data__security__buildoutput):
                            if not isinstance(data__security__buildoutput_item, (str)):
                                errors.append((".security.build_output[{data__security__buildoutput_x}]".format(**locals()) + "", 'type'))
                if "audit_cmd" in data__security_keys:
                    data__security_keys.remove("audit_cmd")
                    data__security__auditcmd = data__security["audit_cmd"]
                    if not isinstance(data__security__auditcmd, (str)):
                        errors.append((".security.audit_cmd", 'type'))
                if "audit_max_age_days" in data__security_keys:
                    data__security_keys.remove("audit_max_age_days")
                    data__security__auditmaxagedays = data__security["audit_max_age_days"]
                    if not isinstance(data__security__auditmaxagedays, (str)):
                        errors.append((".security.audit_max_age_days", 'type'))
                    if isinstance(data__security__auditmaxagedays, str):
                        if not REGEX_PATTERNS['^(0{0,6}[1-9][0-9]{0,8})?\\Z'].search(data__security__auditmaxagedays):
                            errors.append((".security.audit_max_age_days", 'pattern'))
                if "waiver_max_age_days" in data__security_keys:
                    data__security_keys.remove("waiver_max_age_days")
                    data__security__waivermaxagedays = data__security["waiver_max_age_days"]
                    if not isinstance(data__security__waivermaxagedays, (str)):
                        errors.append((".security.waiver_max_age_days", 'type'))
                    if isinstance(data__security__waivermaxagedays, str):
                        if not REGEX_PATTERNS['^(0{0,6}[1-9][0-9]{0,8})?\\Z'].search(data__security__waivermaxagedays):
                            errors.append((".security.waiver_max_age_days", 'pattern'))
                if "write_routes" in data__security_keys:
                    data__security_keys.remove("write_routes")
                    data__security__writeroutes = data__security["write_routes"]
                    if not isinstance(data__security__writeroutes, (str, list, tuple)):
                        errors.append((".security.write_routes", 'type'))
                    data__security__writeroutes_is_list = isinstance(data__security__writeroutes, (list, tuple))
                    if data__security__writeroutes_is_list:
                        data__security__writeroutes_len = len(data__security__writeroutes)
                        for data__security__writeroutes_x, data__security__writeroutes_item in enumerate(data__security__writeroutes):
                            if not isinstance(data__security__writeroutes_item, (str)):
                                errors.append((".security.write_routes[{data__security__writeroutes_x}]".format(**locals()) + "", 'type'))
                if data__security_keys:
                    errors.append((".security", 'additionalProperties'))
        if "perf" in data_keys:
            data_keys.remove("perf")
            data__perf = data["perf"]
            if not isinstance(data__perf, (dict)):
                errors.append((".perf", 'type'))
            data__perf_is_dict = isinstance(data__perf, dict)
            if data__perf_is_dict:
                data__perf_keys = set(data__perf.keys())
                if "metric" in data__perf_keys:
                    data__perf_keys.remove("metric")
                    data__perf__metric = data__perf["metric"]
                    if not isinstance(data__perf__metric, (str)):
                        errors.append((".perf.metric", 'type'))
                if "cmd" in data__perf_keys:
                    data__perf_keys.remove("cmd")
                    data__perf__cmd = data__perf["cmd"]
                    if not isinstance(data__perf__cmd, (str)):
                        errors.append((".perf.cmd", 'type'))
                if "baseline_commit" in data__perf_keys:
                    data__perf_keys.remove("baseline_commit")
                    data__perf__baselinecommit = data__perf["baseline_commit"]
                    if not isinstance(data__perf__baselinecommit, (str)):
                        errors.append((".perf.baseline_commit", 'type'))
                    if isinstance(data__perf__baselinecommit, str):
                        if not REGEX_PATTERNS['^([0-9A-Fa-f]{7,64})?\\Z'].search(data__perf__baselinecommit):
                            errors.append((".perf.baseline_commit", 'pattern'))
                if "baseline_value" in data__perf_keys:
                    data__perf_keys.remove("baseline_value")
                    data__perf__baselinevalue = data__perf["baseline_value"]
                    if not isinstance(data__perf__baselinevalue, (str)):
                        errors.append((".perf.baseline_value", 'type'))
                    if isinstance(data__perf__baselinevalue, str):
                        if not REGEX_PATTERNS['^[0-9]{0,15}\\Z'].search(data__perf__baselinevalue):
                            errors.append((".perf.baseline_value", 'pattern'))
                if "measured" in data__perf_keys:
                    data__perf_keys.remove("measured")
                    data__perf__measured = data__perf["measured"]
                    if not isinstance(data__perf__measured, (str)):
                        errors.append((".perf.measured", 'type'))
                    if isinstance(data__perf__measured, str):
                        if not REGEX_PATTERNS['^([0-9]{4}-[0-9]{2}-[0-9]{2})?\\Z'].search(data__perf__measured):
                            errors.append((".perf.measured", 'pattern'))
                if "host_gate" in data__perf_keys:
                    data__perf_keys.remove("host_gate")
                    data__perf__hostgate = data__perf["host_gate"]
                    if not isinstance(data__perf__hostgate, (str)):
                        errors.append((".perf.host_gate", 'type'))
                if data__perf_keys:
                    errors.append((".perf", 'additionalProperties'))
        if "harness_dir" in data_keys:
            data_keys.remove("harness_dir")
            data__harnessdir = data["harness_dir"]
            if not isinstance(data__harnessdir, (str)):
                errors.append((".harness_dir", 'type'))
            if isinstance(data__harnessdir, str):
                if not REGEX_PATTERNS['^(?![/~]|[A-Za-z]:)(?!(.*/)?\\.\\.(/|\\Z))[^\\\\\\r\\n]*\\Z'].search(data__harnessdir):
                    errors.append((".harness_dir", 'pattern'))
        if "scaffold_checks" in data_keys:
            data_keys.remove("scaffold_checks")
            data__scaffoldchecks = data["scaffold_checks"]
            if not (isinstance(data__scaffoldchecks, str) and data__scaffoldchecks == 'yes' or isinstance(data__scaffoldchecks, str) and data__scaffoldchecks == 'no' or isinstance(data__scaffoldchecks, str) and data__scaffoldchecks == 'true' or isinstance(data__scaffoldchecks, str) and data__scaffoldchecks == 'false'):
                errors.append((".scaffold_checks", 'enum'))
        if "feature_map" in data_keys:
            data_keys.remove("feature_map")
            data__featuremap = data["feature_map"]
            if not isinstance(data__featuremap, (str)):
                errors.append((".feature_map", 'type'))
        if "source_root" in data_keys:
            data_keys.remove("source_root")
            data__sourceroot = data["source_root"]
            if not isinstance(data__sourceroot, (str)):
                errors.append((".source_root", 'type'))
            if isinstance(data__sourceroot, str):
                if not REGEX_PATTERNS['^(?![/~]|[A-Za-z]:)(?!(.*/)?\\.\\.(/|\\Z))[^\\\\\\r\\n]*\\Z'].search(data__sourceroot):
                    errors.append((".source_root", 'pattern'))
        if "verify_doctor" in data_keys:
            data_keys.remove("verify_doctor")
            data__verifydoctor = data["verify_doctor"]
            if not isinstance(data__verifydoctor, (str)):
                errors.append((".verify_doctor", 'type'))
        if "loop_max_turns_ceiling" in data_keys:
            data_keys.remove("loop_max_turns_ceiling")
            data__loopmaxturnsceiling = data["loop_max_turns_ceiling"]
            if not isinstance(data__loopmaxturnsceiling, (str)):
                errors.append((".loop_max_turns_ceiling", 'type'))
            if isinstance(data__loopmaxturnsceiling, str):
                if not REGEX_PATTERNS['^(0{0,6}[1-9][0-9]{0,8})?\\Z'].search(data__loopmaxturnsceiling):
                    errors.append((".loop_max_turns_ceiling", 'pattern'))
        if "judge_rederive" in data_keys:
            data_keys.remove("judge_rederive")
            data__judgerederive = data["judge_rederive"]
            if not (isinstance(data__judgerederive, str) and data__judgerederive == 'yes' or isinstance(data__judgerederive, str) and data__judgerederive == 'no' or isinstance(data__judgerederive, str) and data__judgerederive == 'true' or isinstance(data__judgerederive, str) and data__judgerederive == 'false'):
                errors.append((".judge_rederive", 'enum'))
        if "reference_manifest" in data_keys:
            data_keys.remove("reference_manifest")
            data__referencemanifest = data["reference_manifest"]
            if not isinstance(data__referencemanifest, (str)):
                errors.append((".reference_manifest", 'type'))
            if isinstance(data__referencemanifest, str):
                if not REGEX_PATTERNS['^(?![/~]|[A-Za-z]:)(?!(.*/)?\\.\\.(/|\\Z))[^\\\\\\r\\n]*\\Z'].search(data__referencemanifest):
                    errors.append((".reference_manifest", 'pattern'))
        if "quarantine_root" in data_keys:
            data_keys.remove("quarantine_root")
            data__quarantineroot = data["quarantine_root"]
            if not isinstance(data__quarantineroot, (str)):
                errors.append((".quarantine_root", 'type'))
        if "gates" in data_keys:
            data_keys.remove("gates")
            data__gates = data["gates"]
            if not isinstance(data__gates, (list, tuple)):
                errors.append((".gates", 'type'))
            data__gates_is_list = isinstance(data__gates, (list, tuple))
            if data__gates_is_list:
                data__gates_len = len(data__gates)
                for data__gates_x, data__gates_item in enumerate(data__gates):
                    if not isinstance(data__gates_item, (dict)):
                        errors.append((".gates[{data__gates_x}]".format(**locals()) + "", 'type'))
                    data__gates_item_is_dict = isinstance(data__gates_item, dict)
                    if data__gates_item_is_dict:
                        data__gates_item__missing_keys = set(['name', 'cmd']) - data__gates_item.keys()
                        if data__gates_item__missing_keys:
                            errors.append((".gates[{data__gates_x}]".format(**locals()) + "", 'required'))
                        data__gates_item_keys = set(data__gates_item.keys())
                        if "name" in data__gates_item_keys:
                            data__gates_item_keys.remove("name")
                            data__gates_item__name = data__gates_item["name"]
                            if not isinstance(data__gates_item__name, (str)):
                                errors.append((".gates[{data__gates_x}].name".format(**locals()) + "", 'type'))
                            if isinstance(data__gates_item__name, str):
                                if not REGEX_PATTERNS['^[A-Za-z0-9_.-]+\\Z'].search(data__gates_item__name):
                                    errors.append((".gates[{data__gates_x}].name".format(**locals()) + "", 'pattern'))
                        if "cmd" in data__gates_item_keys:
                            data__gates_item_keys.remove("cmd")
                            data__gates_item__cmd = data__gates_item["cmd"]
                            if not isinstance(data__gates_item__cmd, (str)):
                                errors.append((".gates[{data__gates_x}].cmd".format(**locals()) + "", 'type'))
                            if isinstance(data__gates_item__cmd, str):
                                if not REGEX_PATTERNS['\\S'].search(data__gates_item__cmd):
                                    errors.append((".gates[{data__gates_x}].cmd".format(**locals()) + "", 'pattern'))
                        if "timeout_s" in data__gates_item_keys:
                            data__gates_item_keys.remove("timeout_s")
                            data__gates_item__timeouts = data__gates_item["timeout_s"]
                            if not isinstance(data__gates_item__timeouts, (str)):
                                errors.append((".gates[{data__gates_x}].timeout_s".format(**locals()) + "", 'type'))
                            if isinstance(data__gates_item__timeouts, str):
                                if not REGEX_PATTERNS['^(0{0,6}[1-9][0-9]{0,8})?\\Z'].search(data__gates_item__timeouts):
                                    errors.append((".gates[{data__gates_x}].timeout_s".format(**locals()) + "", 'pattern'))
                        if "kind" in data__gates_item_keys:
                            data__gates_item_keys.remove("kind")
                            data__gates_item__kind = data__gates_item["kind"]
                            if not (isinstance(data__gates_item__kind, str) and data__gates_item__kind == 'host'):
                                errors.append((".gates[{data__gates_x}].kind".format(**locals()) + "", 'enum'))
                        if data__gates_item_keys:
                            errors.append((".gates[{data__gates_x}]".format(**locals()) + "", 'additionalProperties'))
        if "ratchet" in data_keys:
            data_keys.remove("ratchet")
            data__ratchet = data["ratchet"]
            if not isinstance(data__ratchet, (dict)):
                errors.append((".ratchet", 'type'))
            data__ratchet_is_dict = isinstance(data__ratchet, dict)
            if data__ratchet_is_dict:
                data__ratchet_keys = set(data__ratchet.keys())
                if "name" in data__ratchet_keys:
                    data__ratchet_keys.remove("name")
                    data__ratchet__name = data__ratchet["name"]
                    if not isinstance(data__ratchet__name, (str)):
                        errors.append((".ratchet.name", 'type'))
                if "cmd" in data__ratchet_keys:
                    data__ratchet_keys.remove("cmd")
                    data__ratchet__cmd = data__ratchet["cmd"]
                    if not isinstance(data__ratchet__cmd, (str)):
                        errors.append((".ratchet.cmd", 'type'))
                if "ceiling" in data__ratchet_keys:
                    data__ratchet_keys.remove("ceiling")
                    data__ratchet__ceiling = data__ratchet["ceiling"]
                    if not isinstance(data__ratchet__ceiling, (str)):
                        errors.append((".ratchet.ceiling", 'type'))
                    if isinstance(data__ratchet__ceiling, str):
                        if not REGEX_PATTERNS['^[0-9]{0,15}\\Z'].search(data__ratchet__ceiling):
                            errors.append((".ratchet.ceiling", 'pattern'))
                if "raised" in data__ratchet_keys:
                    data__ratchet_keys.remove("raised")
                    data__ratchet__raised = data__ratchet["raised"]
                    if not isinstance(data__ratchet__raised, (str)):
                        errors.append((".ratchet.raised", 'type'))
                    if isinstance(data__ratchet__raised, str):
                        if not REGEX_PATTERNS['^([0-9]+ \\+ [0-9]+ = [0-9]+: *\\S.*)?\\Z'].search(data__ratchet__raised):
                            errors.append((".ratchet.raised", 'pattern'))
                if data__ratchet_keys:
                    errors.append((".ratchet", 'additionalProperties'))
        if "runtime_data" in data_keys:
            data_keys.remove("runtime_data")
            data__runtimedata = data["runtime_data"]
            if not isinstance(data__runtimedata, (list, tuple)):
                errors.append((".runtime_data", 'type'))
            data__runtimedata_is_list = isinstance(data__runtimedata, (list, tuple))
            if data__runtimedata_is_list:
                data__runtimedata_len = len(data__runtimedata)
                for data__runtimedata_x, data__runtimedata_item in enumerate(data__runtimedata):
                    if not isinstance(data__runtimedata_item, (str)):
                        errors.append((".runtime_data[{data__runtimedata_x}]".format(**locals()) + "", 'type'))
                    if isinstance(data__runtimedata_item, str):
                        if not REGEX_PATTERNS['^(?![/~]|[A-Za-z]:)(?!(.*/)?\\.\\.(/|\\Z))[^\\\\\\r\\n]*\\Z'].search(data__runtimedata_item):
                            errors.append((".runtime_data[{data__runtimedata_x}]".format(**locals()) + "", 'pattern'))
        if "bans" in data_keys:
            data_keys.remove("bans")
            data__bans = data["bans"]
            if not isinstance(data__bans, (list, tuple)):
                errors.append((".bans", 'type'))
            data__bans_is_list = isinstance(data__bans, (list, tuple))
            if data__bans_is_list:
                data__bans_len = len(data__bans)
                for data__bans_x, data__bans_item in enumerate(data__bans):
                    if not isinstance(data__bans_item, (str)):
                        errors.append((".bans[{data__bans_x}]".format(**locals()) + "", 'type'))
        if "bans_exempt" in data_keys:
            data_keys.remove("bans_exempt")
            data__bansexempt = data["bans_exempt"]
            if not isinstance(data__bansexempt, (list, tuple)):
                errors.append((".bans_exempt", 'type'))
            data__bansexempt_is_list = isinstance(data__bansexempt, (list, tuple))
            if data__bansexempt_is_list:
                data__bansexempt_len = len(data__bansexempt)
                for data__bansexempt_x, data__bansexempt_item in enumerate(data__bansexempt):
                    if not isinstance(data__bansexempt_item, (str)):
                        errors.append((".bans_exempt[{data__bansexempt_x}]".format(**locals()) + "", 'type'))
        if "layers" in data_keys:
            data_keys.remove("layers")
            data__layers = data["layers"]
            if not isinstance(data__layers, (list, tuple)):
                errors.append((".layers", 'type'))
            data__layers_is_list = isinstance(data__layers, (list, tuple))
            if data__layers_is_list:
                data__layers_len = len(data__layers)
                for data__layers_x, data__layers_item in enumerate(data__layers):
                    if not isinstance(data__layers_item, (str)):
                        errors.append((".layers[{data__layers_x}]".format(**locals()) + "", 'type'))
                    if isinstance(data__layers_item, str):
                        if not REGEX_PATTERNS['^(\\s*\\S+\\s+\\S+\\s*)?\\Z'].search(data__layers_item):
                            errors.append((".layers[{data__layers_x}]".format(**locals()) + "", 'pattern'))
        if "replay" in data_keys:
            data_keys.remove("replay")
            data__replay = data["replay"]
            if not isinstance(data__replay, (dict)):
                errors.append((".replay", 'type'))
            data__replay_is_dict = isinstance(data__replay, dict)
            if data__replay_is_dict:
                data__replay_keys = set(data__replay.keys())
                if "env" in data__replay_keys:
                    data__replay_keys.remove("env")
                    data__replay__env = data__replay["env"]
                    if not isinstance(data__replay__env, (str)):
                        errors.append((".replay.env", 'type'))
                    if isinstance(data__replay__env, str):
                        if not REGEX_PATTERNS['^([A-Za-z_][A-Za-z0-9_]*)?\\Z'].search(data__replay__env):
                            errors.append((".replay.env", 'pattern'))
                if "cmd" in data__replay_keys:
                    data__replay_keys.remove("cmd")
                    data__replay__cmd = data__replay["cmd"]
                    if not isinstance(data__replay__cmd, (str)):
                        errors.append((".replay.cmd", 'type'))
                if "commit" in data__replay_keys:
                    data__replay_keys.remove("commit")
                    data__replay__commit = data__replay["commit"]
                    if not isinstance(data__replay__commit, (str)):
                        errors.append((".replay.commit", 'type'))
                if data__replay_keys:
                    errors.append((".replay", 'additionalProperties'))
        if "disabled" in data_keys:
            data_keys.remove("disabled")
            data__disabled = data["disabled"]
            if not isinstance(data__disabled, (list, tuple)):
                errors.append((".disabled", 'type'))
            data__disabled_is_list = isinstance(data__disabled, (list, tuple))
            if data__disabled_is_list:
                data__disabled_len = len(data__disabled)
                for data__disabled_x, data__disabled_item in enumerate(data__disabled):
                    if not (isinstance(data__disabled_item, str) and data__disabled_item == 'anchor' or isinstance(data__disabled_item, str) and data__disabled_item == 'ci-gate' or isinstance(data__disabled_item, str) and data__disabled_item == 'gate' or isinstance(data__disabled_item, str) and data__disabled_item == 'handoff' or isinstance(data__disabled_item, str) and data__disabled_item == 'playbooks' or isinstance(data__disabled_item, str) and data__disabled_item == 'pr-gate' or isinstance(data__disabled_item, str) and data__disabled_item == 'ratchet' or isinstance(data__disabled_item, str) and data__disabled_item == 'replay' or isinstance(data__disabled_item, str) and data__disabled_item == 'review-panel' or isinstance(data__disabled_item, str) and data__disabled_item == 'spec' or isinstance(data__disabled_item, str) and data__disabled_item == 'tokens'):
                        errors.append((".disabled[{data__disabled_x}]".format(**locals()) + "", 'enum'))
        if "engine_dir" in data_keys:
            data_keys.remove("engine_dir")
            data__enginedir = data["engine_dir"]
            if not isinstance(data__enginedir, (str)):
                errors.append((".engine_dir", 'type'))
        if data_keys:
            errors.append(("", 'additionalProperties'))
    return errors
