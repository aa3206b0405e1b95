"""goblin-model: what runs a role on this machine, one line a lane.

Roles are the repository's own (`.goblin/manifest/roles.tsv`), else the release's. The mapping from a
profile to a model is a file of this machine: it is read, never written, and what it does not say is
`unknown`. No model is ever invented.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NamedTuple

from goblin.commands import gate, options
from goblin.commands.options import Option, Values
from goblin.outcome import CannotRun

if TYPE_CHECKING:
    from goblin.lanes import Kinship, Lanes, Role, Worker

VARIABLE = "GOBLIN_MODELS"
DEFAULT = "~/.config/goblin/models.yaml"
JUDGING = ("review-panel", "judge")
"""The roles that `--check` holds against the author's."""

PAD = 14
LIMIT = 1 << 20
"""Bytes of a roles file or a config that are read."""

COMMAND = options.Command(
    "goblin-model",
    (
        Option("ROLE", "argument", "The role to look up."),
        Option("--list", "flag", "Show every role and what it needs."),
        Option("--check", "flag", "Exit 1 when review-panel or judge runs on the author's model family."),
        Option("--models", "value", "The mapping file.", "FILE"),
        Option("--config", "value", "The config that names it (default: that of this repository).", "FILE"),
        Option("--roles", "value", "The table of roles (default: this repository's, else ours).", "FILE"),
        Option("--json", "flag", "One JSON object a line."),
        Option("--version", "flag", "Show the version."),
    ),
    "Show which provider, model and effort run ROLE here: one line a profile, unknown where nothing says. "
    "The mapping file is --models, else models_file of the config, else $GOBLIN_MODELS, else "
    f"{DEFAULT}; it is never written.",
    "Exit codes: 0 shown, also where there is no mapping; 1 --check found the author's family in a judging "
    "role; 2 bad usage, an unknown role, or a file that cannot be used; 130 interrupted.",
)


class Mapping(NamedTuple):
    """What this machine says of profiles; `absence` tells why it says nothing ("" where it does)."""

    workers: dict[str, Worker] | None
    absence: str


def main(argv: list[str] | None = None) -> int:
    """Run the command with `argv` (default: the process's own) and return its exit code."""
    given = sys.argv[1:] if argv is None else argv
    return gate.guard(lambda: options.run(COMMAND, given, _model))


def _model(values: Values) -> int:
    if values["version"]:
        from goblin import __version__

        print(f"goblin-model {__version__}")
        return gate.PASSED
    asked = [name for name in ("role", "list", "check") if values[name]]
    if len(asked) > 1:
        raise CannotRun("a ROLE, --list and --check exclude each other", "goblin-model --help")
    root = _root(values["config"])
    roles = _roles(root, values["roles"])
    if values["list"]:
        return _list(roles, values["json"])
    if not asked:
        raise CannotRun("no role is named", f"goblin-model ROLE; the roles are: {', '.join(roles)}")
    wanted = JUDGING if values["check"] else (values["role"],)
    _need(roles, wanted)
    lanes = _lanes(roles, root, values)
    if lanes.absence:
        from goblin.redact import clean

        print(f"note: {clean(lanes.absence)}; every lane is unknown", file=sys.stderr)
    if values["check"]:
        return _check(lanes, values["json"])
    return _show(lanes, values["role"], values["json"])


def _root(config: str) -> str:
    """The folder that relative names of a config are below: the repository's root."""
    if config:
        folder = os.path.dirname(os.path.realpath(os.path.expanduser(config)))
        return os.path.dirname(folder) if os.path.basename(folder) == ".goblin" else folder
    from goblin.locate import locate

    return locate(os.getcwd()).root


def _read(path: str, what: str) -> bytes:
    """The bytes of a file that a person or this repository names; raises `CannotRun`."""
    from goblin.paths import ReadRefused, Tree

    real = os.path.realpath(os.path.expanduser(path))
    try:
        return Tree(os.path.dirname(real)).read(os.path.basename(real), LIMIT)
    except ReadRefused as error:
        reason = str(error).partition(": ")[2]
        raise CannotRun(f"{what} {path}: {reason}", "name a file that can be read") from error


def _roles(root: str, named: str) -> dict[str, Role]:
    from goblin import home, lanes, tables
    from goblin.manifest import TABLES
    from goblin.paths import Tree

    own = f".goblin/manifest/{lanes.ROLES}"
    path = named or (
        os.path.join(root, own) if Tree(root).kind(own) == "file" else home.path("manifest", lanes.ROLES)
    )
    data = _read(path, "the table of roles")
    try:
        return lanes.parse_roles(tables.read(data, TABLES[lanes.ROLES], path))
    except tables.TableError as error:
        raise CannotRun(str(error), "mend the line named, or name another table with --roles") from error


def _need(roles: dict[str, Role], wanted: tuple[str, ...]) -> None:
    """Raise `CannotRun` for a role that is not there or has no profile."""
    for name in wanted:
        if name not in roles:
            near = options.near(name, roles)
            meant = f" (did you mean {near}?)" if near else ""
            raise CannotRun(f"unknown role: {name}{meant}", f"the roles are: {', '.join(roles)}")
        if not roles[name].profiles:
            raise CannotRun(f"the role {name} has no profile", "name one in the column profiles of roles.tsv")


def _lanes(roles: dict[str, Role], root: str, values: Values) -> Lanes:
    from goblin import home, lanes, tables
    from goblin.manifest import TABLES

    table = tables.read(_read(home.path("manifest", lanes.MODELS), ""), TABLES[lanes.MODELS], lanes.MODELS)
    workers, absence = _mapping(root, values)
    return lanes.Lanes(roles, workers, absence, *lanes.families(table))


def _mapping(root: str, values: Values) -> Mapping:
    """The mapping that is named first. Raises `CannotRun` for one that is no mapping."""
    from goblin.lanes import MapError, read_map

    path = values["models"] or _declared(root, values["config"])
    if values["models"] or not path:  # a person's own words are relative to where the person stands
        path = path or os.environ.get(VARIABLE, "") or DEFAULT
        path = path if path.startswith("~/") else os.path.abspath(path)
    try:
        workers = read_map(path, root)
    except MapError as error:
        raise CannotRun(f"the mapping {path}: {error}", "mend it, or name another with --models") from error
    return Mapping(workers, "" if workers is not None else f"there is no mapping file {path}")


def _declared(root: str, config: str) -> str:
    """`models_file` of the config, "" where no config says so."""
    from goblin import yaml

    path = config or os.path.join(root, ".goblin", "goblin.yaml")
    if not config and not os.path.lexists(path):
        return ""
    try:
        tree = yaml.load(_read(path, "the config"), path)
    except yaml.YamlError as error:
        raise CannotRun(str(error), "goblin-install --target . --check-config") from error
    node = tree.get("models_file") if isinstance(tree, yaml.Map) else None
    return str(node).strip() if isinstance(node, yaml.Text) and not yaml.is_unset(node) else ""


def _list(roles: dict[str, Role], machine: bool) -> int:
    from goblin.redact import clean

    for role in roles.values():
        if machine:
            _json({"role": role.name, "capability": role.capability, "profiles": list(role.profiles)})
        else:
            print(f"{clean(role.name):<{PAD}} {clean(role.capability)}")
    return gate.PASSED


def _show(lanes: Lanes, role: str, machine: bool) -> int:
    for lane in lanes.of(role):
        cells = {"profile": lane.profile, **lane.worker._asdict()}
        if machine:
            _json({"role": role, **cells})
        else:
            print(" ".join(map(_word, cells.values())))
    return gate.PASSED


def _word(text: str) -> str:
    """One word of a line whose words are parted by single spaces."""
    from goblin.redact import clean

    return "".join(f"\\x{ord(mark):02x}" if mark.isspace() else mark for mark in clean(text))


def _check(lanes: Lanes, machine: bool) -> int:
    from goblin.redact import clean

    failed = False
    for role in JUDGING:
        kinship = lanes.kinship(role)
        verdict, told = _verdict(kinship)
        failed |= verdict == "same"
        if machine:
            open_ = [*kinship.authors_unresolved, *kinship.unresolved]
            _json({"role": role, "verdict": verdict, "same": list(kinship.same), "unresolved": open_})
        else:
            print(f"{role}: {clean(told)}")
    if failed:
        remedy = "give that profile a model of another family in the mapping file"
        print(f"remedy: {remedy}, or the role another profile in roles.tsv", file=sys.stderr)
    return gate.FAILED if failed else gate.PASSED


def _verdict(kinship: Kinship) -> tuple[str, str]:
    if kinship.same:
        return "same", f"the author's model family ({', '.join(kinship.same)})"
    unresolved = dict.fromkeys((*kinship.authors_unresolved, *kinship.unresolved))
    if unresolved:
        return "unresolved", f"unresolved ({', '.join(unresolved)}): not compared"
    return "different", "another model family than the author's"


def _json(value: dict[str, object]) -> None:
    import json

    print(json.dumps(value))


if __name__ == "__main__":
    sys.exit(main())
