"""SC: no secret is tracked, ignored too late, named for everyone's eyes, or shipped in a build."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goblin.outcome import Finding, Outcome, failed, passed, skipped
from goblin.paths import ReadRefused

if TYPE_CHECKING:
    from goblin.facts.credentials import Credentials
    from goblin.facts.ignoring import Ignoring
    from goblin.facts.repository import Repository
    from goblin.facts.scanner import Scanned
    from goblin.facts.shipping import Shipping
    from goblin.facts.sources import Sources

ENV_SEGMENTS = (".env", ".envrc")
ENV_STARTS = (".env.", ".env-", ".env_")
KEY_FILES = (".pem", ".key", ".p12", ".pfx", ".jks", ".keystore")
KEY_NAMES = frozenset({"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"})
PARTS = (b".env", b".pem", b".key", b".p12", b".pfx", b".jks", b"/id_", b"\tid_")
"""One of these stands in every listing that names a secret, in lower case."""

SHOWN = 5
"""Places of an installed scanner that are listed."""

SAMPLES = (".example", ".sample", ".template")


def no_secret_file_is_tracked(repository: Repository) -> Outcome:
    """No file that is a secret by its name is tracked.

    Reads the paths of the index, in any case of letters; what is staged counts as tracked.

    FAIL: a folder or file named .env or .envrc, or beginning .env. .env- .env_; a file that ends with
    .pem .key .p12 .pfx .jks .keystore; one named id_rsa id_dsa id_ecdsa id_ed25519. Names that end
    with .example .sample .template are none. PASS: there is none. SKIP: never.
    """
    found: list[str] = []
    if any(part in repository.lowered for part in PARTS):
        found = sorted({entry.path for entry in repository.entries if is_secret_file(entry.path)})
    if not found:
        paths = repository.listing.count(b"\0")
        return passed(f"0 tracked secret file(s) among {paths} path(s)")
    findings = [Finding(path, message="a secret by its name") for path in found]
    return failed(f"{len(found)} tracked secret file(s)", findings)


def is_secret_file(path: str) -> bool:
    """True for a path that names a secret (spec SC-01)."""
    lower = path.lower()
    if lower.endswith(SAMPLES):
        return False
    segments = lower.split("/")
    if segments[-1].endswith(KEY_FILES) or segments[-1] in KEY_NAMES:
        return True
    return any(part in ENV_SEGMENTS or part.startswith(ENV_STARTS) for part in segments)


COVERING = (".env", ".env*", ".env/")
PROVED = (".env", ".env.local", ".env.production")


def secret_files_are_ignored(ignoring: Ignoring) -> Outcome:
    """The ignore rules of the repository cover the whole family of secret files.

    Reads the root .gitignore and asks git's own matcher about .env, .env.local and .env.production, as
    if nothing were tracked. Only a .gitignore of the repository counts: not .git/info/exclude, and not
    the excludes file of whoever runs this. Rules are read in order, so a later ! takes one back.

    FAIL: a dependency manifest without a .gitignore; no line that is exactly .env, .env* or .env/; one
    of the three names is not ignored; no git repository. PASS: all three are proved.
    SKIP: there is neither a .gitignore nor a dependency manifest.
    """
    if not ignoring.exists:
        if not ignoring.manifests:
            return skipped("no .gitignore and no dependency manifest")
        return failed(f"no .gitignore beside {', '.join(ignoring.manifests)}")
    findings = []
    try:
        if not set(COVERING) & set(ignoring.lines()):
            findings.append(Finding(".gitignore", message="no line is exactly .env, .env* or .env/"))
    except ReadRefused as error:
        findings.append(Finding(".gitignore", message=str(error).partition(": ")[2]))
    answers = ignoring.ask(PROVED)
    findings += [Finding(answer.name, message=answer.why) for answer in answers if answer.why]
    if findings:
        return failed("the secret family is not covered", findings)
    return passed(f"{len(answers)} name(s) proved ignored by git: {', '.join(PROVED)}")


def nothing_public_is_a_secret(
    sources: Sources, public_names: tuple[Finding, ...], shipping: Shipping
) -> Outcome:
    """No name that every browser sees is shaped like a secret, and no build output holds one.

    Reads the source set and the .env* files that git does not ignore, for names with a public prefix
    (NEXT_PUBLIC_ VITE_ REACT_APP_ EXPO_PUBLIC_ NUXT_PUBLIC_ GATSBY_) of which a part is or ends with
    secret, token, key, password, passwd or private: as identifiers, property names, texts and keys, not
    in comments. And every file below security.build_output, for credentials of a known shape.

    FAIL: such a name or such a credential, by place and kind; or something that could not be looked at.
    PASS: none. SKIP: never.
    """
    scanned = shipping.scanned
    notes = [Finding("", message=f"not entered: {text}") for text in shipping.aside]
    count = sources.count
    named = f"{len(public_names)} client-visible secret-shaped name(s) in {count} source file(s)"
    built = f"{scanned.files} build-output file(s) scanned"
    text = f"{named}; {built if shipping.directories else 'no build output to scan'}"
    wrong = [*public_names, *scanned.hits, *scanned.unread, *sources.unread_sources]
    if wrong:
        literals = f", {len(scanned.hits)} with a credential's shape" if scanned.hits else ""
        return failed(f"{text}{literals} (text probe)", wrong)
    return passed(f"{text} (text probe)", notes)


def no_tracked_file_holds_a_secret(
    sources: Sources, credentials: Credentials, scanner: tuple[Scanned, ...]
) -> Outcome:
    """No tracked file holds a credential of a known shape.

    Reads every tracked content as the index has it, and the work tree's own version of a changed file,
    in UTF-8 or UTF-16, text or not, in any folder. What git does not check out here is read from the
    index; links and submodules are not entered. The shapes are exact: private-key headers, and the
    prefixes with which providers begin their keys. Sample keys that end with EXAMPLE are none.

    FAIL: a credential, by place and kind, never by value; or a content that could not be looked at.
    PASS: none. SKIP: nothing is tracked. What an installed scanner (detect-secrets, gitleaks) names
    besides is shown and never judged; --static starts none.
    """
    found = credentials.places
    within = f"{credentials.files} of " if found else ""
    text = f"{len(found)} secret(s) in {within}{sources.tracked} tracked file(s)"
    added, shown = _added(scanner, {(place.path, place.line) for place in found})
    if found or credentials.unread:
        unread = f"; {len(credentials.unread)} could not be looked at" if credentials.unread else ""
        return failed(text + unread + added, [*found, *credentials.unread, *shown])
    if not sources.tracked:
        return skipped("no file is tracked")
    aside = [f"{sources.links} link(s)"] if sources.links else []
    aside += [f"the submodule {path}" for path in sources.submodules]
    more = f"; not entered: {', '.join(aside)}" if aside else ""
    return passed(text + more + added, shown)


def _added(scanner: tuple[Scanned, ...], known: set[tuple[str, int]]) -> tuple[str, list[Finding]]:
    """What the installed scanners name besides, in words and the first places."""
    told = ""
    shown: list[Finding] = []
    for scanned in scanner:
        if scanned.problem:
            told += f"; {scanned.program} was not heard ({scanned.problem})"
            continue
        more = [place for place in scanned.places if (place.path, place.line) not in known]
        told += f"; {scanned.program} names {len(more)} more place(s), not judged"
        shown += [
            Finding(place.path, place.line, message=f"{place.kind} ({scanned.program}, not judged)")
            for place in more[:SHOWN]
        ]
    return told, shown
