"""What a name stands for at a place: something of the file's own, a module's, or what everybody has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from goblin.bans.reading import Binding

OWN = "\0"
"""The root of a chain that begins with something of the file's own."""

Path = tuple[str, ...]


class Scopes:
    """The names that a file binds itself (`own`) and those that it has from modules (`imported`).

    The `start` of an imported one is where the module is asked for.
    """

    def __init__(self, own: Sequence[Binding], imported: Sequence[Binding]) -> None:
        asked = defaultdict(list)
        for given in imported:
            asked[given.name].append(given)
        bound: dict[str, set[tuple[int, int]]] = {name: set() for name in asked}
        for one in own:
            bound.setdefault(one.name, set()).add((one.start, one.end))
        self._bound = {name: _behind(name, scopes, asked[name]) for name, scopes in bound.items()}

    def meant(self, chains: Iterable[tuple[Path, int]]) -> list[Path]:
        """For each chain and its place, the chain with its root named by the module that it comes from.

        The root is `OWN` for the file's own, and stays as it is where nothing in the file binds it.
        """
        listed = list(chains)
        found = [path for path, _ in listed]
        places = defaultdict(list)
        for at, (path, start) in enumerate(listed):
            if path[0] in self._bound:
                places[path[0]].append((start, at))
        for name, asked in places.items():
            asked.sort()
            inner = _innermost(self._bound[name], [start for start, _ in asked])
            for (_, at), binding in zip(asked, inner, strict=True):
                if binding is not None:
                    found[at] = _through(found[at], binding)
        return found


def _behind(name: str, scopes: set[tuple[int, int]], imported: list[Binding]) -> list[Binding]:
    """The scopes of one name, outer before inner, each with the module that an import gives it there."""
    own = [Binding(name, start, end) for start, end in sorted(scopes, key=lambda s: (s[0], -s[1]))]
    imported.sort(key=lambda given: given.start)
    modules: dict[Binding | None, Binding] = {}
    for given, inner in zip(imported, _innermost(own, [given.start for given in imported]), strict=True):
        modules.setdefault(inner, given)
    found = [one._replace(module=modules[one].module, imported=modules[one].imported)
             if one in modules else one for one in own]  # fmt: skip
    if None in modules:
        found.insert(0, modules[None]._replace(start=0, end=1 << 62))
    return found


def _innermost(scopes: Sequence[Binding], places: Sequence[int]) -> list[Binding | None]:
    """For each place, in order, the innermost of the scopes around it. Both are sorted; linear in both."""
    found: list[Binding | None] = []
    around: list[Binding] = []
    at = 0
    for place in places:
        while at < len(scopes) and scopes[at].start <= place:
            around.append(scopes[at])
            at += 1
        while around and around[-1].end < place:
            around.pop()
        found.append(around[-1] if around else None)
    return found


def _through(path: Path, binding: Binding) -> Path:
    rest = path[1:]
    if not binding.module:
        return (OWN, *rest)
    if binding.imported in ("*", "default"):
        return (binding.module, *(rest[1:] if rest[:1] == ("default",) else rest))
    return (binding.module, binding.imported, *rest)
