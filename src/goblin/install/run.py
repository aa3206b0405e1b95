"""One install or upgrade, from the options to the exit code (spec install 7 and 8).

Look, plan, preflight, apply, say. Everything is decided in memory before the first byte is written.
A run that finds nothing to do takes no lock and touches nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from goblin import __version__, clock, waivers
from goblin.facts import record as records
from goblin.facts import signature
from goblin.facts.record import Options, Record
from goblin.install import (
    adopt,
    agents,
    changelog,
    changes,
    closing,
    config,
    content,
    copies,
    forge,
    gitignore,
    ignore,
    journal,
    keys,
    lock,
    oldfindings,
    preflight,
    signing,
    templates,
    vendor,
    versions,
)
from goblin.install.config import Known
from goblin.install.content import Wanted
from goblin.install.decide import Decider, Rules
from goblin.install.disk import Disk
from goblin.install.journal import Change, digest
from goblin.install.merge import Merger
from goblin.install.plan import Plan
from goblin.install.preflight import Refused
from goblin.install.session import CONSOLE, DONE, REFUSED, Output, Session, answered
from goblin.install.settle import Request, Settled, check, settle, skipped_parts, with_class
from goblin.install.target import Target, look
from goblin.install.values import Values
from goblin.manifest import PARTS
from goblin.redact import clean

_SHOWN = 3
"""Tracked files that look like a secret and are named."""


def install(
    request: Request,
    output: Output = CONSOLE,
    make_disk: Callable[[str], Disk] = Disk,
    judge: oldfindings.Judge | None = None,
) -> int:
    """Install into a target, or bring its install up to this release, and return 0 or 1.

    `judge` finds what the lint rows say of the target as it is, for the baseline of a first install.
    Raises `CannotRun` (exit 2) for bad input and whatever makes an install impossible; the target
    is then as it was. A refusal and a failed write are told on `output` and return 1.
    """
    check(request)
    target = look(request.target)
    session = Session(target, make_disk(target.root), output, dry_run=request.dry_run)
    run = _Run(request, session, judge)
    return answered(output, target.root, lambda: session.run(run.go))


class _Run:
    """The state of one install."""

    def __init__(self, request: Request, session: Session, judge: oldfindings.Judge | None) -> None:
        self.request = request
        self.session = session
        self.judge = judge
        self.old = oldfindings.Old()
        self.signer = signing.Signer(request.sign, session.target.root) if request.sign else None
        self.target: Target = session.target
        self.disk = session.disk
        self.say = session.output.say
        self.complain = session.output.complain
        self.record: Record | None = None
        self.ignore_block = ""  # for the record: the digest of what we appended to .gitignore
        self.lost = False  # the record, though our files stand here

    @property
    def other_version(self) -> bool:
        """True where the install here is of another release than this one."""
        return self.record is not None and self.record.version != __version__

    def go(self) -> int:
        """Plan, then apply or show."""
        record = self.record = self._read_record()
        request = self.request = with_class(self.request, record)
        known = self._known_config(record)
        self._refuse_external(record, known)
        settled = settle(request, record, known, self.disk)
        for notice in (*self.target.notices, *settled.notices):
            self.say(f"note: {clean(notice)}")
        values = Values(request, self.target, self.disk, settled, known, record)
        copied = content.payload(settled.platforms)

        def listed(settled: Settled, *, workflow: bool = True) -> list[Wanted]:
            made = (values.harness_dir, values.for_files, values.for_handoff)
            return content.wanted(settled, copied, *made, workflow=workflow)

        wanted = listed(settled)
        preflight.check(self.disk, [*(item.path for item in wanted), gitignore.PATH, signature.PATH])
        if self._has_a_gate(settled, values.branch, wanted):
            wanted = listed(settled, workflow=False)
        wanted += self._old_findings(wanted, known)
        # Every path that an install of this class could bring, whatever options leave out: a recorded
        # path beyond them has left the payload, one among them was only not asked for.
        full = listed(settled._replace(reached=frozenset(PARTS), archive=False, disabled=()))
        paths = [item.path for item in wanted]
        preflight.check_names(self.disk, [*paths, gitignore.PATH])
        self._refuse_left_out([*paths, gitignore.PATH, records.PATH])
        block = self._ignore_block(values, wanted)
        plan = self._decide(settled, wanted, frozenset(item.path for item in full), values)
        self._edit_config(plan, settled, known, values)
        self._edit_gitignore(plan, block)
        if settled.opted_in != (record.opted_in if record else ()):
            plan.said.append(f"recorded opt-in: {', '.join(settled.opted_in) or 'none'}")
        emptied = journal.emptied_folders(self.disk, plan.changes, record.dirs_created if record else ())
        new = self._new_record(plan, settled, emptied)
        if request.dry_run:
            return self._dry_run(plan)
        return self._apply(plan, new, settled, emptied)

    # --- what there is -----------------------------------------------------------------------------

    def _read_record(self) -> Record | None:
        record = self.session.read_record()
        if record is None or record.version == __version__ or self.request.force:
            return record
        earlier = versions.older(record.version, __version__)
        if earlier:
            return record
        told = f"goblin-stack {record.version or '(no version)'} is installed here, and this is {__version__}"
        if earlier is None:
            message = f"{told}: which of them is newer cannot be told"
        else:
            message = f"{told}: that would be a downgrade"
        raise Refused(
            (message, f"use goblin-install {record.version}, or --force (edited files are copied first)")
        )

    def _known_config(self, record: Record | None) -> Known | None:
        """The config that stands there, unless `--force` is about to replace it."""
        owned = record.owned if record else {}
        ours = config.PATH in owned or (record is None and self.disk.status(content.LAUNCHER) is not None)
        return None if self.request.force and not ours else config.read(self.disk)

    def _refuse_external(self, record: Record | None, known: Known | None) -> None:
        """A vendored copy would silently take the place of the engine that the config names."""
        folder = known.text("engine_dir") if known else ""
        if folder and not (record and any(path.startswith(vendor.ENGINE) for path in record.files)):
            raise Refused(
                (
                    f"{config.PATH} names an engine elsewhere: engine_dir: {folder}",
                    "clear engine_dir to have the engine copied into this repository, then run again",
                )
            )

    def _refuse_left_out(self, paths: Sequence[str]) -> None:
        """What a sparse checkout keeps out of the tree would be taken for absent, and written anew."""
        absent = [path for path in paths if self.disk.status(path) is None]
        hidden = ignore.left_out(self.target, absent)
        if hidden:
            more = f" and {len(hidden) - 1} more" if len(hidden) > 1 else ""
            folders = sorted({path.rpartition("/")[0] for path in hidden} - {""})
            add = f"git sparse-checkout add {' '.join(folders)}" if folders else "git sparse-checkout disable"
            raise Refused(
                (f"{hidden[0]}{more}: tracked, but left out by this sparse checkout", f"{add}, and run again")
            )

    def _has_a_gate(self, settled: Settled, branch: str, wanted: Sequence[Wanted]) -> bool:
        """True where a workflow of the project is the gate already, so that ours is not added."""
        ours = [item for item in wanted if item.path == forge.FORGES[settled.forge].workflow]
        if not ours or self._is_ours(ours[0]):
            return False
        recorded = {**self.record.files, **self.record.owned} if self.record else {}
        standing = forge.verifying(self.disk, branch, recorded)
        if standing:
            self.say(f"note: {clean(standing)} already runs the whole verify; no second workflow is added")
        return bool(standing)

    def _is_ours(self, item: Wanted) -> bool:
        recorded = self.record and item.path in {**self.record.files, **self.record.owned}
        return bool(recorded) or self.disk.read(item.path) == item.render()

    # --- the plan ----------------------------------------------------------------------------------

    def _old_findings(self, wanted: Sequence[Wanted], known: Known | None) -> list[Wanted]:
        """The baseline that a first install leaves, where there is something to record."""
        if self.record is None:
            data = known.data if known else next(i.render() for i in wanted if i.path == config.PATH)
            asked = (self.target, self.disk, wanted, data, self.judge)
            self.old = oldfindings.look(*asked, record=not self.request.no_baseline)
        return self.old.wanted()

    def _ignore_block(self, values: Values, wanted: Sequence[Wanted]) -> bytes:
        """The new `.gitignore`, with the lines that keep our files committable."""
        existing = self.disk.read(gitignore.PATH)
        filled = values.for_files()
        held = gitignore.negations(existing)
        recorded = self.record.ignore_block if self.record else ""
        extent = gitignore.located(existing, recorded) if existing is not None else None

        def block(negations: Sequence[str]) -> bytes:
            return gitignore.block(filled, [*held, *(line for line in negations if line not in held)])

        def whole(negations: Sequence[str]) -> bytes:
            if existing is not None and extent:
                return gitignore.replaced(existing, extent, block(negations))[0]
            return gitignore.appended(existing, block(negations))

        later = (signature.PATH, waivers.BASELINE, waivers.WAIVERS)
        paths = [records.PATH, *later, *(item.path for item in wanted)]
        answer = ignore.negations(self.disk, self.target, paths, whole)
        if answer.ignored:
            raise Refused(*ignore.reasons(answer))
        wanted_block = block(answer.negations)
        if existing is not None and extent:
            self.ignore_block = gitignore.replaced(existing, extent, wanted_block)[1]
        elif not gitignore.present(existing):
            self.ignore_block = gitignore.fingerprint(gitignore.addition(existing, wanted_block))
        elif existing is not None:
            self.ignore_block = recorded
            for line in gitignore.missing_lines(existing, wanted_block):
                self.say(f"note: the block in {gitignore.PATH} lacks the line {clean(line)}")
        return whole(answer.negations)

    def _decide(
        self, settled: Settled, wanted: Sequence[Wanted], everything: frozenset[str], values: Values
    ) -> Plan:
        changed = self.record is not None and self.record.class_name != settled.class_name
        listed = {item.path for item in wanted}

        def left(path: str) -> bool:
            return path not in listed if changed else path not in everything

        def addition(there: bytes) -> bytes:
            return agents.addition(there, values.for_files())

        rules = Rules(
            force=self.request.force,
            upgrade=self.other_version,
            backup=copies.new_folder(self.disk),
            reconciled=adopt.reconciled,
            left=left,
        )
        decider = Decider(self.disk, self.record, rules, Merger(self.disk, self.target))
        plan = decider.decide(wanted, addition if self.request.merge_agents else None)
        self.lost = decider.lost
        return plan

    def _edit_config(self, plan: Plan, settled: Settled, known: Known | None, values: Values) -> None:
        """Change the lines of an existing config that options speak of; every other byte stays."""
        if known is None or config.PATH not in plan.maps.owned:
            return
        edited, said = config.edited(known, settled, self.request)
        if self.other_version or self.request.upgrade or self.request.add_missing_keys:
            template = templates.render(templates.load("goblin.yaml"), values.for_files()).encode()
            absent = keys.missing(known.tree, template)
            said += [f"missing key: {one}" for one in absent]
            if absent and self.request.add_missing_keys:
                edited = keys.added(edited, absent)
                said.append(f"added to {config.PATH}: {', '.join(one.key for one in absent)}")
            elif absent:
                said.append("absent keys mean their defaults; --add-missing-keys writes them out")
        if edited != known.data:
            plan.update(config.PATH, edited, known.data)
            plan.counted["skipped"] -= 1
            if digest(known.data) == plan.maps.owned[config.PATH]:
                plan.maps.owned[config.PATH] = digest(edited)  # only we have written to it so far
        plan.said += said

    def _edit_gitignore(self, plan: Plan, data: bytes) -> None:
        existing = self.disk.read(gitignore.PATH)
        if existing is None:
            plan.create(gitignore.PATH, data, vendor.PLAIN)
        elif existing == data:
            plan.keep("skipped", "kept (.gitignore block already present)")
        else:
            plan.update(gitignore.PATH, data, existing)
        found = ignore.tracked_secrets(self.target, gitignore.SECRETS)
        if found:
            more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
            shown = ", ".join(map(clean, found[:_SHOWN]))
            plan.said.append(
                f"warning: git tracks what looks like a secret, so no ignore rule helps: {shown}{more}; "
                "git rm --cached it, and row SC-01 says where each stands"
            )

    def _new_record(self, plan: Plan, settled: Settled, emptied: Sequence[str]) -> Record:
        made = [change.path for change in plan.changes if change.before is None and change.data is not None]
        folders = journal.missing_folders(self.disk, [*made, records.PATH])
        if self.session.lock and self.session.lock.made_home:
            folders = (lock.HOME, *folders)
        record = self.record
        before = record.dirs_created if record else ()
        if self.lost:  # every folder above what stands here was made by the install that is forgotten
            before = journal.folders_above([*plan.maps.files, *plan.maps.owned])
        kept = dict.fromkeys(folder for folder in (*before, *folders) if folder not in emptied)
        return Record(
            version=__version__,
            source_sha=vendor.source_sha(),
            class_name=settled.class_name,
            installed_at=clock.stamp(),
            options=Options(tuple(settled.platforms), settled.archive, settled.parts),
            disabled=settled.disabled,
            files=plan.maps.files,
            owned=plan.maps.owned,
            refused=plan.maps.refused,
            adopted=plan.maps.adopted,
            conflicts=plan.maps.conflicts,
            merged=plan.maps.merged,
            dirs_created=tuple(kept),
            payload_digest=records.payload_digest(plan.maps.files),
            engine=record.engine if record else {},
            taken_over=plan.maps.taken_over,
            ignore_block=self.ignore_block,
            opted_in=settled.opted_in,
        )

    # --- what comes of it --------------------------------------------------------------------------

    def _dry_run(self, plan: Plan) -> int:
        for line in changes.planned((*plan.backups, *plan.changes), verbose=self.request.verbose):
            self.say(line)
        if self.signer:
            self.say(f"plan: {signature.PATH}")
        if self.request.upgrade or self.other_version:
            for line in changes.diffs(plan.changes):
                self.say(line)
            for line in plan.said:
                if line.startswith(("merged: ", "conflict: ", "kept (edited", "missing key: ")):
                    self.say(line)
        self.say(f"dry-run: {plan.counts}")
        for line in self.old.lines(dry_run=True):
            self.say(line)
        return self._verdict(plan)

    def _apply(self, plan: Plan, new: Record, settled: Settled, emptied: Sequence[str]) -> int:
        record = self.record
        same = record is not None and new == record._replace(
            source_sha=new.source_sha, installed_at=new.installed_at
        )
        if same and not plan.changes and not plan.backups:
            signed = signing.changes(self.disk, self.signer, self.session.record_bytes or b"")
            if signed:
                self.session.commit(signed)
            for line in (*plan.said, *signing.told(self.disk, self.target, self.signer, changed=False)):
                self.say(line)
            self.say(f"no-op: {plan.counts.unchanged} files unchanged (v{__version__} already installed)")
            return self._verdict(plan)
        data = records.render(new)
        signed = signing.changes(self.disk, self.signer, data)
        written = Change(records.PATH, data, self.session.record_bytes, vendor.PLAIN)
        self.session.commit([*plan.backups, *plan.changes, written, *signed], emptied)
        if plan.unmerged:
            self.say(f"installed, but for {len(plan.unmerged)} file(s) of yours, which need an edit (below)")
        for line in plan.said:
            self.say(line)
        if record is not None and self.other_version:
            up = versions.older(record.version, __version__) is not False
            self.say(f"{'upgraded' if up else 'downgraded'} {clean(record.version)} -> {__version__}")
            for line in changelog.between(record.version, __version__):
                self.say(line)
        self.say(str(plan.counts))
        code = self._verdict(plan)
        for line in self.old.lines(dry_run=False):
            self.say(line)
        for line in signing.told(self.disk, self.target, self.signer, changed=True):
            self.say(line)
        for line in closing.steps(self.target, settled, plan, skipped_parts(settled), first=record is None):
            self.say(line)
        return code

    def _verdict(self, plan: Plan) -> int:
        closing.refusals(plan, self.say, self.complain, dry_run=self.request.dry_run)
        return REFUSED if plan.refusals else DONE
