"""What the lint rows find in a repository before anything is installed there (docs/decisions/0010).

The rows are the release's own and are run as `--static` runs them: nothing that the repository declares
is executed, and nothing is written, no cache either.
"""

from __future__ import annotations

from goblin import engine, home, yaml
from goblin.facts import Facts, Run, configfaults
from goblin.facts.config import CLASSES, PATH, Config, Problem
from goblin.facts.repository import Repository
from goblin.git import Repo
from goblin.manifest import takes_waivers
from goblin.outcome import Finding, Verdict
from goblin.paths import Tree
from goblin.waivers import Fingerprints, Waivers, recordable
from goblin.yaml import Map


def old_findings(root: str, repo: Repo, config: bytes) -> list[tuple[str, Finding, str]]:
    """Row, finding and fingerprint of all that the lint rows flag in the files that git tracks.

    `config` is the configuration that the install is about to leave. What a waiver covers is left out,
    and so is what no line of a baseline can hold. Raises `GitError` and `CheckFailed` where the
    repository cannot be read, and `CannotRun` and `ManifestBroken` as a run does.
    """
    root_node = yaml.load(config, PATH)
    if not isinstance(root_node, Map) or root_node.get("class") not in CLASSES:
        return []  # no run gets past that either
    facts = Facts(Run(root, repo, static=True, cache=False, manifest_dir=home.path("manifest")))
    facts.provide("config", Config(root_node, [Problem(*fault) for fault in configfaults.judge(root_node)]))
    rows = [row for row in engine.select(facts.get("manifest"), ()) if takes_waivers(row)]
    tree: Tree = facts.get("tree")
    tracked: Repository = facts.get("repository")
    standing: Waivers = facts.get("waivers")
    prints = Fingerprints(tree)
    found = []
    for row, outcome in engine.raw(facts, rows):
        if outcome.verdict is not Verdict.FAIL:
            continue
        waived = standing.in_force(row.id)
        names = prints.of(row.id, outcome.findings)
        found += [
            (row.id, finding, name)
            for finding, name in zip(outcome.findings, names, strict=True)
            if (row.id, finding.path, name) not in waived
            and recordable(finding.path)
            and tracked.tracks(finding.path)
            and tree.kind(finding.path) == "file"
        ]
    return found
