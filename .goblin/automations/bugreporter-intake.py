#!/usr/bin/env -S python3 -I -S
"""bugreporter-intake: accept or refuse one bug report (playbook P13, spec PR-05).

Reads reports/<slug>/report.yaml and prints the command for its card; with --cards it files the card.
A refused report gets a card without an assignee, printed and never filed here: no worker can pick it
up and a person sees it. The report is hostile: each value of it is one quoted word in print and one
argument when run. A `repo` that is a folder is looked up from the working directory.

exit 0: accepted; 1: refused; 2: could not run
"""

import argparse
import os
import re
import sys

if not (sys.flags.isolated and sys.flags.no_site):  # run as `python3 FILE`: only this engine counts
    os.execv(sys.executable, [sys.executable, "-I", "-S", os.path.realpath(__file__), *sys.argv[1:]])  # noqa: S606

ENGINE = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "engine")
sys.path += [ENGINE, os.path.join(ENGINE, "_vendor")]
sys.pycache_prefix = os.path.join(os.devnull, "goblin")  # no bytecode beside the source is read
sys.dont_write_bytecode = True

from goblin import git  # noqa: E402
from goblin.board import BoardError, Card, file_card  # noqa: E402
from goblin.facts import intake  # noqa: E402
from goblin.facts.reports import LIMIT, NAME  # noqa: E402
from goblin.paths import ReadRefused, Tree  # noqa: E402
from goblin.redact import clean  # noqa: E402

SUMMARY = "Accept or refuse one bug report."
SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,99}")


def main(argv):
    parser = argparse.ArgumentParser(prog="bugreporter-intake", description=SUMMARY, allow_abbrev=False)
    parser.add_argument("slug", help="lower-case letters, digits and hyphens")
    parser.add_argument("--reports", default="reports", metavar="DIR", help="folder of the reports (reports)")
    parser.add_argument("--cards", action="store_true", help="file the card of an accepted report")
    options = parser.parse_args(argv)
    if not SLUG.fullmatch(options.slug):
        parser.error("a slug is lower-case letters, digits and hyphens, and does not start with a hyphen")
    path = f"{options.slug}/{NAME}"
    try:
        data = Tree(options.reports).read(path, LIMIT)
    except ReadRefused as error:
        print(f"error: {clean(str(error))}, looked for in {clean(options.reports)}/", file=sys.stderr)
        return 2
    try:
        return judge(options, intake.read(data, path), os.path.abspath(os.path.join(options.reports, path)))
    except BoardError as error:
        print(f"error: no card was filed: {error}", file=sys.stderr)
        return 2


def judge(options, report, path):
    reasons = refusals(report)
    if reasons:
        for reason in reasons:
            print(f"REFUSED {options.slug}: {reason}")
        print(refusal(options.slug, path).line(os.environ))
        return 1
    values = report.values
    if "dedup_key" in report.missing:
        note(f"dedup_key computed: {clean(report.key())}")
    if not os.path.isdir(values["repo"]):
        note("repo is no folder here: the revision was not checked")
    item = Card(
        title=f"bug {options.slug}: {values['symptom']}",
        key=report.key(),
        max_runtime=1800,
        max_retries=1,
        assignee="researcher",
        skill="goblin-bugreporter",
        body_file=path,
    )
    if options.cards:
        file_card(item, os.environ, os.getcwd())
    else:
        print(item.line(os.environ))
    return 0


def refusals(report):
    """Why the report is refused, the first kind of reason only; nothing is guessed past it."""
    found = [f"{clean(fault.message)} ({NAME}:{fault.line}:{fault.column})" for fault in report.faults]
    missing = [key for key in report.missing if key != "dedup_key"]
    if missing:
        found.append(f"no value for {', '.join(missing)}")
    if found:
        return found
    values = report.values
    odd = [key for key in ("repo", "revision") if clean(values[key]) != values[key]]
    if odd:
        return [f"{key} holds characters that cannot be printed" for key in odd]
    recorded, computed = values.get("dedup_key", ""), report.key()
    if recorded and recorded != computed:
        return [f"dedup_key is {clean(recorded)} and the content gives {computed}"]
    repo, revision = values["repo"], values["revision"]
    if os.path.isdir(repo) and not commit(repo, revision):
        return [f"revision {revision} is no commit of {repo}"]
    return []


def commit(folder, revision):
    repo = git.at(folder)
    if repo is None:
        return False
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
    return git.Git(repo).call(*asked).code == 0


def refusal(slug, path):
    """A card that no worker can take."""
    return Card(
        title=f"refused report {slug}", key=f"refused:{slug}", max_runtime=600, max_retries=0, body_file=path
    )


def note(text):
    print(f"note: {text}", file=sys.stderr)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
