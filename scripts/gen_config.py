"""The config's validator, generated from its published schema (decided 58, docs/decisions/0003).

The published schema takes the typed YAML that an editor sees. The engine reads every value as text, so
the schema is first narrowed to texts, lists and mappings, and then compiled to plain Python that needs
no library. `scripts/generate.py` writes the result.
"""

from __future__ import annotations

import hashlib
import json
import pprint
from pathlib import Path
from typing import Any

from fastjsonschema.draft07 import CodeGeneratorDraft07

PROJECT = Path(__file__).resolve().parents[1]
SCHEMA = "schemas/config.schema.json"

Schema = dict[str, Any]

KINDS = {"string", "array", "object"}
NOTES = {"$schema", "$id", "title", "description", "examples", "default", "errorMessage", "format"}
RULES = {"type", "enum", "pattern", "required", "additionalProperties", "properties", "items", "$ref"}
NUMERIC = {"minimum", "maximum"}  # said again, for digits, by a pattern beside them

HEAD = '''\
"""{title} Generated from schemas/config.schema.json by scripts/generate.py; do not edit."""

# fmt: off
# mypy: ignore-errors
# ruff: noqa

from __future__ import annotations

'''


def published(project: Path = PROJECT) -> Schema:
    """The schema as it is published."""
    schema: Schema = json.loads((project / SCHEMA).read_text(encoding="utf-8"))
    return schema


def string_only(schema: Schema) -> Schema:
    """The schema of the same document read string-only, without empty values and without references.

    Raises `ValueError` for a schema that says something which could not be narrowed faithfully.
    """
    return _narrowed(schema, schema["definitions"], "config")


def _narrowed(node: Schema, definitions: Schema, place: str) -> Schema:
    unknown = set(node) - NOTES - RULES - NUMERIC - {"definitions"}
    if unknown:
        raise ValueError(f"{place}: {', '.join(sorted(unknown))} cannot be narrowed to texts")
    found: Schema = {}
    if "$ref" in node:
        if set(node) - NOTES - {"$ref"}:
            raise ValueError(f"{place}: a rule beside $ref is ignored by draft 7")
        found = _narrowed(definitions[node["$ref"].removeprefix("#/definitions/")], definitions, place)
    kinds = node.get("type", [])
    kept = [kind for kind in ([kinds] if isinstance(kinds, str) else kinds) if kind in KINDS]
    if "type" in node:
        found["type"] = kept[0] if len(kept) == 1 else kept
    if NUMERIC & set(node) and "pattern" not in node:
        raise ValueError(f"{place}: a bound needs a pattern that says the same of digits")
    if "enum" in node:
        found["enum"] = [value for value in node["enum"] if isinstance(value, str) and value]
    if "pattern" in node:
        found["pattern"] = node["pattern"].replace("$", r"\Z")
    for rule in ("required", "additionalProperties"):
        if rule in node:
            found[rule] = node[rule]
    if "properties" in node:
        found["properties"] = {
            key: _narrowed(child, definitions, f"{place}.{key}") for key, child in node["properties"].items()
        }
    if "items" in node:
        found["items"] = _narrowed(node["items"], definitions, f"{place}[]")
    return found


class _Plain(CodeGeneratorDraft07):
    """Emits code that collects `(place, rule)` pairs instead of building the library's exceptions."""

    def generate_validation_function(self, uri: str, name: str) -> None:
        with (
            self._resolver.resolving(uri) as definition,
            self.l("def validate(data: object) -> list[tuple[str, str]]:"),
        ):
            self.l('"""Every rule that a string-only config breaks: (.key[0].member, keyword) pairs."""')
            self.l("errors = []")
            self.generate_func_code_block(definition, "data", "data", clear_variables=True)  # type: ignore[no-untyped-call]
            self.l("return errors")

    def exc(self, msg: str, *args: object, append_to_msg: str | None = None, rule: str | None = None) -> None:
        self.l('errors.append(("{name}", {rule}))', rule=repr(rule))


def _function(schema: Schema) -> tuple[str, str]:
    """The source of `validate`, and of the patterns that it uses."""
    generator = _Plain(schema, use_default=False, use_formats=False, fast_fail=False)  # type: ignore[no-untyped-call]
    code = generator.func_code.replace("NoneType = type(None)\n", "").replace(
        '"" + (name_prefix or "data") + "', '"'
    )
    patterns = sorted(generator._compile_regexps.items())
    lines = [f"    {key!r}: re.compile({pattern.pattern!r})," for key, pattern in patterns]
    return code.strip() + "\n", "\n".join(["REGEX_PATTERNS = {", *lines, "}"]) + "\n"


def _walk(node: Schema, definitions: Schema, key: str) -> dict[str, Schema]:
    """Every value that the schema knows, by dotted key; `[]` stands for any index."""
    if "$ref" in node:
        node = {**definitions[node["$ref"].removeprefix("#/definitions/")], **node}
    found = {key: node}
    for name, child in node.get("properties", {}).items():
        found |= _walk(child, definitions, f"{key}.{name}".removeprefix("."))
    if "items" in node:
        found |= _walk(node["items"], definitions, f"{key}[]")
    return found


def written(value: object) -> str:
    """A default or an example as a config holds it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        if all(isinstance(item, str) for item in value):
            return f"[{', '.join(value)}]" if not any(" " in item for item in value) else f"['{value[0]}']"
        return json.dumps(value)
    return str(value)


def _table(name: str, value: object, note: str) -> str:
    return f"{name} = {pprint.pformat(value, width=110, sort_dicts=False)}\n" + f'"""{note}"""\n'


def validator(project: Path = PROJECT) -> str:
    """The module that judges a string-only config: `validate`, and the words for what it finds."""
    schema = published(project)
    known = _walk(schema, schema["definitions"], "")
    says, keys, required, commands = {}, {}, {}, []
    for key, node in known.items():
        if "errorMessage" in node:
            example = node["default"] if "default" in node else node.get("examples", [""])[0]
            says[key] = (node["errorMessage"], written(example))
        if "properties" in node:
            keys[key] = tuple(node["properties"])
            required[key] = tuple(node.get("required", ()))
        if node.get("format") == "shell-command":
            commands.append(key)
    code, patterns = _function(string_only(schema))
    return "\n".join(
        [
            HEAD.format(title="Judges a config that was read string-only.") + "import re\n",
            _table("SAYS", says, "Key to what its value must be, and an example of one."),
            _table("KEYS", keys, "Mapping to the keys that it may hold."),
            _table("REQUIRED", required, "Mapping to the keys that it must hold."),
            _table("COMMANDS", tuple(commands), "Keys whose value is run as a command or shown as one."),
            patterns,
            "",
            code,
        ]
    )


def defaults(project: Path = PROJECT) -> str:
    """The small module that every run imports: what an absent key means, and which schema this is."""
    schema = published(project)
    known = _walk(schema, schema["definitions"], "")
    found = {key: written(node["default"]) for key, node in known.items() if "default" in node}
    digest = hashlib.sha256((project / SCHEMA).read_bytes()).hexdigest()
    return "\n".join(
        [
            HEAD.format(title="What an absent config key means."),
            _table(
                "DEFAULTS", found, "Dotted key to the text that its absence stands for; `[]` is any index."
            ),
            _table(
                "DIGEST", digest, "SHA-256 of the schema: what was judged by another one is judged again."
            ),
        ]
    )
