"""IN: the install record, and the matrix that came with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goblin.facts.installed import NO_RECORD
from goblin.facts.record import PATH
from goblin.outcome import Finding, Outcome, failed, passed, skipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from goblin.facts import Facts
    from goblin.facts.anchor import Anchor
    from goblin.facts.governance import Governance
    from goblin.facts.installed import Installed
    from goblin.facts.practice import Practice
    from goblin.facts.release import Release
    from goblin.facts.shipped import Shipped
    from goblin.facts.signature import Signature
    from goblin.manifest import Manifest, Row

MATRIX = ".goblin/manifest/enforcement.tsv"
RULES = ".goblin/rules/enforcement.tsv"

RE_PIN = "for an edit of the standard that you meant: goblin-install --target . --re-pin"
HOW_TO_NAME_SIGNERS = (
    "git config --global gpg.ssh.allowedSignersFile FILE, or GOBLIN_ALLOWED_SIGNERS=FILE: a file outside the "
    "repository with a line `NAME PUBLIC-KEY` for each signer"
)
FETCH = "git fetch --unshallow (in CI: check out with full history)"
EXTRA = {
    "file": "no record names this file",
    "bytecode": "bytecode that nobody reviewed; it is not run from here: delete it",
}


def the_install_left_a_sound_record(installed: Installed | None) -> Outcome:
    """`.goblin/installed.json` names a version and the hash of every file that was installed.

    Reads the record as JSON, in any layout.
    PASS: `version` is not empty; `files` is not empty and every digest is 64 lower-case hexadecimal
    digits; every path is relative and stays inside the repository; no path stands in two of `files`,
    `owned` and `refused`; the other members have the shape that the installer writes.
    FAIL: anything else, each fault on its own line; a record that is missing, empty or no JSON.
    SKIP: the engine is a global one and nothing was recorded.
    """
    if installed is None:
        return skipped(NO_RECORD)
    record, faults = installed.record, installed.faults()
    if faults:
        return failed(f"the record has {len(faults)} fault(s)", [Finding(PATH, message=f) for f in faults])
    return passed(
        f"record of {record.version}, class {record.class_name}: {len(record.files)} installed, "
        f"{len(record.owned)} owned, {len(record.refused)} refused"
    )


def installed_files_keep_their_hash(
    installed: Installed | None, practice: Practice, release: Callable[[], Release] | None
) -> Outcome:
    """Every file in the record's `files` has its recorded bytes, and so has the pinned standard.

    Reads each recorded file, and the standard that `practice` names. Files that the project owns or
    that the install refused are not hashed; mode bits are not compared.
    With `--source`, a checkout or `installed-package`, the files are held against that release too, so
    that an edit of file and record together is seen.
    PASS: all digests are equal; the summary counts them and names the pin where there is one. Shown
    beside it: files in the folders of the engine and the rules that no record names, and bytecode.
    FAIL: a file is missing, differs, or became a folder or a link; the record names no file; the
    standard is missing or edited; only one of `practice` and `practice_sha256` is set, or the pin is
    not 64 hexadecimal digits; a compiled module that no record names stands beside the source; the
    source is another release than the record names, or a file is not as that release has it.
    SKIP: the engine is a global one, nothing was recorded and no standard is pinned.
    """
    clause = " | practice pin ok" if practice.declared else ""
    source = release() if release and installed else None
    nothing = installed is None or (not installed.vendored and not installed.record.files)
    if installed is None or (nothing and not (source and not source.note)):
        if practice.faults:
            return failed("the practice pin does not hold", practice.faults, RE_PIN)
        return passed(f"0 installed files hashed{clause}") if clause else skipped(NO_RECORD)
    recorded = installed.record.files
    if not recorded and installed.vendored:
        return failed("the record names no installed file", [Finding(PATH, message="'files' is empty")])
    drifted = [Finding(path, message=drift) for path, drift in installed.drifted(recorded)]
    extras = installed.extras()
    compiled = [
        Finding(path, message="no record names it, and Python would run it in place of the source")
        for path, what in extras
        if what == "compiled"
    ]
    notes = [Finding(path, message=EXTRA[what]) for path, what in extras if what in EXTRA]
    foreign = _foreign(source, installed, {finding.path for finding in (*drifted, *compiled)})
    if source and source.note:
        notes.append(Finding(PATH, message=f"held against no release: {source.note}"))
    elif source:
        clause += f" | as release {source.version} has them"
    if not (drifted or compiled or foreign or practice.faults):
        return passed(f"{len(recorded)} installed files hashed{clause}", notes)
    told = [f"{len(drifted)} of {len(recorded)} installed files changed"] if drifted else []
    told += [f"{len(compiled)} compiled module(s) that no record names"] if compiled else []
    told += [f"{len(foreign)} difference(s) from the release at {source.where}"] if source and foreign else []
    told += ["the practice pin does not hold"] if practice.faults else []
    mends = [f"git checkout -- {drifted[0].path}, or run goblin-install again"] if drifted else []
    mends += [f"delete {compiled[0].path}"] if compiled else []
    mends += [RE_PIN] if practice.faults else []
    return failed(
        "; ".join(told), [*drifted, *compiled, *foreign, *practice.faults, *notes], "\n".join(mends)
    )


def _foreign(source: Release | None, installed: Installed, seen: set[str]) -> list[Finding]:
    """Where the install is not the release at a source, less what is said of a path already."""
    if source is None or source.note:
        return []
    differences = [(PATH, source.fault)] if source.fault else source.differences(installed)
    return [Finding(path, message=how) for path, how in differences if path not in seen]


def every_row_has_a_check(manifest: Manifest, shipped: Shipped) -> Outcome:
    """Each row of the matrix has a check or is labelled advisory, and the release's rows are all there.

    Reads the matrix that was resolved (with `--source`, that one) and the project's own rows, and
    holds them against the registry of the release where the install is of that release. A wrong field
    count, an empty check, a repeated id, an unknown scope or enforced_by, and a function that does not
    exist are a broken matrix (exit 3) before any row runs.
    PASS: no fault; the summary counts the rows. It says so where there was no release to compare with.
    FAIL: a check is `advisory` while enforced_by is not; a `test` row is not of scope `source`; a row
    that the release ships is missing; a shipped row names another check, scope or part than the release
    gave it. An advisory row may be given a command of your own.
    """
    here = manifest.folder.endswith("/.goblin/manifest")
    matrix = MATRIX if here else f"{manifest.folder}/enforcement.tsv"
    faults = [_finding(matrix, row, fault) for row in manifest.rows for fault in _label_faults(row)]
    notes: list[Finding] = []
    if not shipped.reason:
        rows = {row.id: row for row in manifest.rows}
        for name, check in shipped.checks.items():
            if name not in rows:
                told = f"{name} is missing; release {shipped.version} ships it"
                faults.append(Finding(matrix, message=told))
                continue
            row, switches = rows[name], shipped.switches[name]
            faults += [_finding(matrix, row, fault) for fault in _shipped_faults(row, check, *switches)]
        added = [row for row in manifest.rows if not row.project and row.id not in shipped.checks]
        notes = [
            _finding(matrix, row, f"no row of the release; your own rows belong in {RULES}") for row in added
        ]
    compared = shipped.reason and f", not compared with release {shipped.version}: {shipped.reason}"
    if faults:
        return failed(f"the matrix has {len(faults)} fault(s){compared}", [*faults, *notes])
    known = compared or f", {len(shipped.checks)} of release {shipped.version}"
    return passed(f"{len(manifest.rows)} rows, each with a check or labelled advisory{known}", notes)


def _finding(matrix: str, row: Row, message: str) -> Finding:
    return Finding(RULES if row.project else matrix, row.line, message=f"{row.id}: {message}")


def _label_faults(row: Row) -> Iterator[str]:
    if row.check == "advisory" and row.enforced_by != "advisory":
        yield (
            f"check is advisory and enforced_by is {row.enforced_by}: "
            "label it advisory, or give it one of: a checks/<file>.py::<function>, a shell command"
        )
    if row.enforced_by == "test" and row.scope != "source":
        yield f"enforced_by is test and scope is {row.scope}: a test row is of scope source"


def _shipped_faults(row: Row, check: str, scope: str, part: str) -> Iterator[str]:
    if check != "advisory" and row.check != check:
        yield f"check is {row.check}; the release ships {check}"
    if row.scope != scope:
        yield f"scope is {row.scope}; the release ships {scope}"
    if row.part != part:
        yield f"part is {row.part or '-'}; the release ships {part or '-'}"


def no_earlier_file_was_taken_over(installed: Installed | None) -> Outcome:
    """Every file that stood here before the install is still there, and still its owner's.

    Reads the record's `refused` and `files`, and whether each refused path exists (a link counts, even
    one that leads nowhere). Its content is the owner's to edit.
    PASS: each refused path exists and none is also in `files`; the summary counts them, 0 included.
    Shown beside it: what `--force` replaced, with the hash of what stood there.
    FAIL: a refused path no longer exists, or is also recorded as installed.
    SKIP: the engine is a global one and nothing was recorded.
    """
    if installed is None:
        return skipped(NO_RECORD)
    record = installed.record
    faults = []
    for path in record.refused:
        if path in record.files:
            faults.append(Finding(path, message="taken over: recorded as refused and as installed"))
        elif (there := installed.there(path)) in ("missing", "outside"):
            reason = "gone" if there == "missing" else "out of the repository's reach"
            faults.append(Finding(path, message=f"it stood here before the install, and is {reason}"))
    taken = [
        Finding(path, message=f"replaced by --force; what stood there had the hash {was}")
        for path, was in record.taken_over.items()
    ]
    if faults:
        told = f"{len(faults)} of {len(record.refused)} pre-existing file(s) not as they were"
        return failed(told, [*faults, *taken])
    told = f"{len(record.refused)} pre-existing file(s) left alone"
    told += f", {len(taken)} replaced by --force" if taken else ""
    told += f", {len(record.adopted)} more held the very bytes of the install" if record.adopted else ""
    return passed(told, taken)


def governance_changes_by_review(installed: Installed | None, facts: Facts) -> Outcome:
    """What HEAD changes of the rules against the declared branch is named in a committed review note.

    Reads the commits from the merge base of HEAD with `origin/<branch>`, else `<branch>`, to HEAD, and
    the `reviews/*.md` that HEAD holds. Governance files are all below `.goblin/` but `loop/`, `work/` and
    the runtime files, and each workflow that runs goblin-verify on either side. A note names a change
    where it lists the path under `governance:` (a deleted path and both names of a rename too) and its
    `head` is a commit of this change after which the file is the same as in HEAD.
    PASS: no governance file differs, or each that does is named.
    FAIL: one is not; no merge base, because the clone is shallow or the histories have none.
    SKIP: the part is not declared (`goblin-install --opt-in anchor`); nothing is ahead of the branch;
    neither ref exists here; the branch holds no `.goblin` yet, so that this is the adoption.
    """
    if installed is None or not installed.opted_in("anchor"):
        return skipped("not declared; goblin-install --target . --opt-in anchor declares it")
    anchor: Anchor = facts.get("anchor")
    governance: Governance | None = facts.get("governance")
    shallow = facts.get("head").shallow
    if not anchor.name:
        more = "; this clone is shallow: fetch that branch and its history" if shallow else ""
        return skipped(f"nothing to compare with: {anchor.reason}{more}")
    if not anchor.base:
        return failed(f"not held against {anchor.name}: {anchor.reason}", remedy=FETCH if shallow else "")
    if governance is None:
        return skipped(f"HEAD holds nothing that is not on {anchor.name}")
    if governance.adopts:
        return skipped(f"{anchor.name} holds no .goblin yet: this branch brings it")
    faults: list[Finding] = []
    vouched: list[Finding] = []
    for path, how in governance.changed:
        claims = governance.claims(path)
        if claims and not claims[0].problem:
            vouched.append(Finding(path, message=f"{how}, as {claims[0].note} says"))
        else:
            why = "; ".join(f"{note} lists it, but {problem}" for note, problem in claims)
            faults.append(Finding(path, message=f"{how}, and {why or 'no committed note lists it'}"))
    if not faults:
        named = ", each named in a review note" if vouched else ""
        return passed(f"{len(vouched)} governance file(s) differ from {anchor.name}{named}", vouched)
    unread = [note.problem for note in governance.notes if note.problem]
    told = f"{len(faults)} governance file(s) differ from {anchor.name} unreviewed"
    return failed(told, [*faults, *unread], _how_to_review(anchor.base))


def _how_to_review(base: str) -> str:
    return (
        "have the change reviewed, and commit a note reviews/NAME.md with `head:` (the reviewed commit) and "
        f"`governance:` (the paths: git diff --no-renames --name-only {base[:12]} HEAD -- .goblin)"
    )


def a_signed_record_verifies(installed: Installed | None, signature: Signature) -> Outcome:
    """Where the install record is signed, one of the allowed signers made the signature over its bytes.

    Reads `.goblin/installed.json`, the SSH signature `.goblin/installed.json.sig` (namespace
    `goblin-stack`) and the allowed signers: the file that `$GOBLIN_ALLOWED_SIGNERS` names, else that of
    git's `gpg.ssh.allowedSignersFile`. Any principal of that file counts. `ssh-keygen -Y` judges.
    PASS: the signature holds, and the key is an allowed signer's.
    FAIL: it does not, or the key is nobody's; the file of the signers is missing, or inside the tree;
    the signature is no regular file; there is no ssh-keygen to judge it.
    SKIP: no signature; nobody is named who may sign; nothing was recorded.
    """
    if installed is None:
        return skipped(NO_RECORD)
    if not signature.stands:
        return skipped("the install record is not signed; goblin-install --target . --sign KEY signs it")
    signers = signature.signers()
    if not signers.path:
        return skipped(f"signed, and not judged: nobody is named who may sign; {HOW_TO_NAME_SIGNERS}")
    if signers.problem:
        told = (
            f"the allowed signers cannot be believed: {signers.named_by} names a file that {signers.problem}"
        )
        return failed(told, [Finding(PATH + ".sig")], HOW_TO_NAME_SIGNERS)
    answer = signature.verify(signers.path)
    if answer.problem:
        return failed("the install record is signed, and not by an allowed signer",
                      [Finding(PATH + ".sig", message=answer.problem)])  # fmt: skip
    return passed(f"the install record is signed by {answer.signer}")
