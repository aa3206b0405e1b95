"""RC: the reference corpus. Bytes of a studied build stay out of what ships and of what is tracked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from goblin.outcome import CheckFailed, Finding, Outcome, failed, passed, skipped
from goblin.pattern import lazy
from goblin.redact import clean

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.acquisition import Acquisition
    from goblin.facts.buildoutput import BuildOutput
    from goblin.facts.config import Config
    from goblin.facts.corpus import Lab
    from goblin.facts.reference import Reference

NONE = "no reference corpus declared (reference_manifest)"


def no_shipping_file_is_of_the_corpus(reference: Reference, build_output: BuildOutput) -> Outcome:
    """No file that ships has the digest of an entry of the reference manifest.

    Reads `reference_manifest` and the folders of `security.build_output`: each file by its SHA-256, a
    link as what it points at, and the members of zip, jar, apk and tar archives one level deep.
    SKIP: no manifest declared. FAIL: the manifest is missing, no JSON object, or without a list of entries;
    a file that equals an entry; the manifest, or a copy of it, in the build output; a folder that leaves the
    repository; what cannot be looked into. PASS: otherwise, also where there is no build output yet. The
    digest of an empty file tells nothing and is left out.
    """
    if not reference.path:
        return skipped(NONE)
    if not isinstance(reference.value.get("entries"), list):
        return failed(f"{reference.path} is no reference manifest: entries is no list")
    found = list(_shipped(reference, build_output))
    count = f"{len(reference.entries)} entr(y|ies)"
    if found:
        return failed(f"{len(found)} fault(s) in the build output, of {count} in the corpus", found)
    if not build_output.folders:
        return passed(f"{count}; no build output to scan")
    return passed(
        f"{count}; {build_output.files} build-output file(s) hashed in {' '.join(build_output.folders)}"
    )


def _shipped(reference: Reference, build_output: BuildOutput) -> Iterator[Finding]:
    import hashlib

    own = hashlib.sha256(reference.data).hexdigest()
    for folder in build_output.folders:
        if folder == "." or reference.path == folder or reference.path.startswith(f"{folder}/"):
            yield Finding(reference.path, message=f"the manifest itself lies in the build output {folder}")
            break
    for file in build_output.shipped:
        if file.problem:
            yield Finding(file.path, message=file.problem)
        elif file.digest == own and file.path != reference.path:
            yield Finding(file.path, message=f"a copy of the manifest {reference.path}")
        elif file.digest in reference.digests:
            yield Finding(file.path, message=f"equals {clean(reference.digests[file.digest])} of the corpus")


def the_reference_manifest_is_whole(reference: Reference) -> Outcome:
    """The reference manifest has entries, an honest count, digests and sizes, so it cannot pass vacuously.

    Reads `reference_manifest`. SKIP: none declared. FAIL: it is missing or no JSON object (a repeated key
    and NaN are none), or breaks its shape; every breach is listed, entries counted from 0. A path stands
    once, is relative and without `..`; one digest has one size. PASS: otherwise, with the number of entries.
    """
    if not reference.path:
        return skipped(NONE)
    breaches = [Finding(reference.path, message=breach) for breach in reference.breaches()]
    if breaches:
        return failed(f"{len(breaches)} breach(es) of the shape of reference-manifest/1", breaches)
    return passed(f"{len(reference.entries)} entr(y|ies) in {reference.path}")


FOLDERS = ("scripts", "notes", "manifests", ".goblin", ".hermes", ".github", "reviews", "reports")
FILES = frozenset({".gitignore", ".gitattributes"})


def no_tracked_file_is_of_the_corpus(lab: Lab, config: Config, facts: Facts) -> Outcome:
    """A lab repository tracks scripts, notes and hash manifests alone, and no byte of its corpus.

    Reads the index, the contents that it names, and `manifests/*.sha256` on disk and in the index. A lab
    repository is one with `quarantine_root` set, or with such a manifest, now or in its history.
    SKIP: it is none. FAIL: no manifest; a tracked path outside scripts/, notes/, manifests/, *.md at the
    root, and what the harness installs; a submodule; a content that a manifest lists, whatever its path
    (the oid of a large-file pointer counts as its content). PASS: otherwise, with the number of files.
    """
    if not lab.why:
        return skipped("not a lab repo: no quarantine_root, and no manifests/*.sha256 now or in history")
    found = []
    if not lab.manifests:
        found.append(Finding("manifests", message=f"holds no *.sha256, though {lab.why}"))
    ours = _installed(facts)
    harness = config.path("harness_dir")
    folders = tuple(f"{name}/" for name in (*FOLDERS, *([harness] if harness != "." else [])))
    for entry in lab.entries:
        if entry.mode == "160000":
            found.append(Finding(entry.path, message="a submodule: what it tracks is not seen here"))
        elif not (entry.path.startswith(folders) or _at_the_root(entry.path) or entry.path in ours):
            found.append(Finding(entry.path, message="outside the paths that a lab repository tracks"))
    for payload in lab.payloads:
        told = payload.problem or f"its content is listed in {payload.manifest}"
        found.append(Finding(payload.path, message=told))
    if found:
        return failed(f"{len(found)} fault(s) among {len(lab.entries)} tracked file(s) of a lab repo", found)
    return passed(f"{len(lab.entries)} tracked file(s), all in their places, none of the corpus ({lab.why})")


def _at_the_root(path: str) -> bool:
    return "/" not in path and (path.endswith(".md") or path in FILES)


def _installed(facts: Facts) -> frozenset[str]:
    """The paths that the record says the harness wrote; none where it cannot be read (IN-01 says so)."""
    try:
        record = facts.get("record")
    except CheckFailed:
        return frozenset()
    return frozenset({*record.files, *record.owned})


_VERSION = lazy(r"[0-9]\.[0-9]")
_STORE = lazy(r"(?<![\w.-])(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}(?![\w-])")
_TOKEN = lazy(r"(?<![0-9A-Za-z_])[0-9A-Fa-f]+(?![0-9A-Za-z_])")
_APK = lazy(r"\S+\.apk(?![\w.-])", re.IGNORECASE)


def every_acquisition_is_recorded(acquisitions: tuple[Acquisition, ...]) -> Outcome:
    """Each hash manifest says what was acquired, from which store, and by which checksum.

    Reads `manifests/*.sha256`: the header (the unbroken run of `#` lines at the top) and the digest lines.
    SKIP: there is none. FAIL: no header; no `target` with a version; no `source` with a store; no checksum of
    exactly 32 or 64 hex digits; no digest line of an .apk; a header that names another .apk, or holds a
    64-digit checksum that is not an .apk's; a line that is no digest line; a path that stands twice.
    PASS: otherwise, with the number of records.
    """
    if not acquisitions:
        return skipped("no acquisition record declared (manifests/*.sha256)")
    found = [finding for acquisition in acquisitions for finding in _record(acquisition)]
    if found:
        return failed(f"{len(found)} fault(s) in {len(acquisitions)} acquisition record(s)", found)
    return passed(f"{len(acquisitions)} acquisition record(s)")


def _record(record: Acquisition) -> Iterator[Finding]:
    if record.problem:
        yield Finding(record.path, message=record.problem)
        return
    for number in record.malformed:
        yield Finding(record.path, number, 0, "not `<64 hex>  <path>`")
    seen: dict[str, int] = {}
    for digest in record.digests:
        first = seen.setdefault(digest.path, digest.line)
        if first != digest.line:
            yield Finding(
                record.path, digest.line, 0, f"{clean(digest.path)[:80]} stands in line {first} too"
            )
    packages = [digest for digest in record.digests if digest.path.lower().endswith(".apk")]
    if not packages:
        yield Finding(record.path, message="no digest line of an .apk")
    if not record.header:
        yield Finding(record.path, 1, 0, "no header: the first line does not begin with #")
        return
    yield from _header(record)
    yield from _against(record, {digest.digest for digest in packages}, [d.path for d in packages])


def _header(record: Acquisition) -> Iterator[Finding]:
    wanted = (("target", _VERSION, "version"), ("source", _STORE, "store, such as store.example.org"))
    for key, pattern, what in wanted:
        line = record.first(key)
        if line is None:
            yield Finding(record.path, 1, 0, f"the header has no {key}")
        elif not any(not match[0].lower().endswith(".apk") for match in pattern.finditer(line.value)):
            yield Finding(record.path, line.line, 0, f"{key} names no {what}")


def _against(record: Acquisition, digests: set[str], paths: list[str]) -> Iterator[Finding]:
    """What the header says of the package, against the package's own digest lines."""
    names = [path.rpartition("/")[2].lower() for path in paths]
    checksums = 0
    for line in record.header:
        for token in _TOKEN.findall(line.text):
            checksums += len(token) in (32, 64)
            if len(token) == 64 and digests and token.lower() not in digests:
                yield Finding(record.path, line.line, 0, "this checksum is not that of an .apk listed below")
        for match in _APK.finditer(line.text):
            before = line.text[: match.end()].lower()
            if names and not any(_ends_with(before, name) for name in names):
                told = f"{clean(match[0])[:80]} is no .apk listed below"
                yield Finding(record.path, line.line, 0, told)
    if not checksums:
        yield Finding(record.path, 1, 0, "the header holds no checksum of exactly 32 or 64 hex digits")


def _ends_with(text: str, name: str) -> bool:
    """True where a text ends with a file name, and not only with the end of a longer word."""
    rest = text.removesuffix(name)
    return rest != text and not (rest and (rest[-1].isalnum() or rest[-1] in "_-."))
