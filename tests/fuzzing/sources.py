"""Targets: source text of every language that is read here, Markdown, shell, and text made safe to show."""

from __future__ import annotations

import re
from functools import cache

from goblin import digest, markdown, redact
from goblin.bans import (
    asttree,
    blanks,
    detect,
    escapes,
    exempt,
    globs,
    imports,
    judge,
    layers,
    lexer,
    otherimports,
    parts,
    patterns,
    reading,
    rules,
    table,
    textprobe,
)
from goblin.bans.record import Probe
from goblin.emit import source as emitted
from goblin.facts import (
    banscan,
    blanking,
    boundary,
    commands,
    content,
    cookies,
    cookiewrites,
    featuremap,
    harness,
    jsscript,
    jstokens,
    links,
    modelnames,
    needles,
    netimports,
    netpython,
    netshell,
    publicnames,
    replay,
    routes,
    ruletext,
    secrets,
    shell,
    shelltokens,
    skills,
    sources,
    specs,
    wrappers,
)
from goblin.facts.handoff import SLOTS, Handoff
from goblin.install import adopt, agents, blocks, changes, gitignore, templates
from goblin.outcome import Finding
from tests.fuzzing.target import Run, Target, parted, taken, text, utf8, whole
from tests.support import PROJECT

SCRIPTS = (
    "set -euo pipefail\nif ! make test; then exit 1; fi\nfor a in b c; do d \"$a\" || true; done\n",
    "cat <<'E' | bash\ncurl a\nE\nx=$(wget -q \"$(echo `b`)\" 2>/dev/null) && (cd c; d) &\n"
    "case a in b) c;; esac\n",
    "a() { b; }\n[[ a == b* ]] && echo $((1 + (2 << 3))) > >(tee c) <<<\"d\"\nexec 3<>/dev/tcp/a/1\n",
    "@templates/launchers/launcher", "@scripts/setup",
)  # fmt: skip
JAVASCRIPT = (
    "import a, { b as c } from './d'\n"
    "export const { POST } = make(async (r: A<B>) => ({ ...r, [`x${y}`]: /z/g }))\n",
    "export async function PUT(r) { const x = await S.safeParse(r); "
    "res.cookie('a', b, { httpOnly: true }) }\n",
    "document.cookie = `a=${b}; Secure; SameSite=` + c\n"
    "const k = process.env.NEXT_PUBLIC_SECRET_KEY // BAN-OK: BN-01 a\n",
    "export default <T,>(a: any) => <div className=\"a\" {...b}>"
    "{/* c */ d ? <></> : e as unknown as F}</div>\n",
    "/// <reference path=\"a.d.ts\" />\n// @ts-ignore\n"
    "require('b')(import('c'), new URL('d', import.meta.url))\n",
    "@tests/bans/cases/*/*.ts*",
)  # fmt: skip
MARKUP = ("@tests/bans/cases/*/*.vue", "@tests/bans/cases/*/*.html", "@tests/bans/cases/*/*.svelte",
          "<script lang=ts>let a: any</script><!-- b --><form action=c><style>d</style>")  # fmt: skip
PYTHON = (
    "import a.b as c\nfrom . import d\nfrom ..e import (f,\n g as h)\nimportlib.import_module('i.j')\n",
    "x = f'''{a!r:>{w}}''' # b\nif x: requests.get('c'); subprocess.run(['curl', d], shell=True)\n",
    "@templates/checks/*.py",
)  # fmt: skip
GO = ('package a\n\nimport (\n\tb "c/d"\n\t. "e" // f\n)\nimport `g`\nfunc h() {}\n',)
MARKDOWN = (
    "# A\n\n## Gate\n\n```sh\nmake test\n```\n<!-- b\n-->\n- AC1: `a` >= 3\n  more\n1. AC2: b\n\n"
    "[c](d.md#e \"f\")\n",
    "---\nname: a\ndescription: 'b'\n---\n# a\n\n## What this skill cannot see\n\nAll.\n~~~\n## c\n~~~\n",
    "@templates/*.md", "@skills/*/SKILL.md",
)  # fmt: skip
BEGIN = "-----BEGIN "  # apart from the rest, since no file of ours may hold what looks like a key
TOKENS = ("AKIA" + "ABCDEFGHIJKLMNOP", "ghp_" + "a" * 36, f"{BEGIN}RSA PRIVATE KEY-----\na\n",
          "eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.abc", "s\0k\0-\0a\0n\0t\0-\0a\0")  # fmt: skip
KEYS = f"{BEGIN}PRIVATE KEY-----", "-----END PRIVATE KEY-----", f"{BEGIN}EC PRIVATE KEY-----\n"
TERMINAL = (
    "\x1b]0;a\x07\x1b[2Jb\u202ec\u2066\u200bd\r\ne\x9b31m\udc80\x00",
    *TOKENS,
    "".join(KEYS),
    KEYS[0] + KEYS[2],
)


def _lexed(source: str) -> None:
    for jsx in (False, True):
        tokens = lexer.lex(source, jsx=jsx)
        taken(imports.imports(tokens))
        taken(escapes.escapes(source, tokens.comments).covers("BN-01", 1) or ())


def _javascript(data: bytes) -> None:
    for path in ("a.ts", "a.tsx", "a/route.js", "a.vue"):
        script = jsscript.read(path, data)
        for at in range(len(script.tokens)):
            script.after(at), script.receiver(at), script.place(at)
        assert script.bindings is not None
        routes.handlers(script, {"./d": script}.get)
        taken(cookiewrites.writes(script))
        taken(publicnames.in_script(script))


@cache
def _rules() -> dict[str, rules.Rule]:
    found = {}
    for path in sorted((PROJECT / "bans").glob("BN-*.yml")):
        found[path.stem] = rules.read(path.read_bytes(), path.name)
    return found


@cache
def _probes() -> tuple[Probe, ...]:
    asked = []
    for ban in table.bans(table.read((PROJECT / "manifest" / "bans.tsv").read_bytes()).records):
        rule = _rules().get(ban.id) if ban.kind == "ast" else None
        patterns = [re.compile(pattern.encode()) for pattern in ban.patterns()] if ban.kind == "regex" else []
        asked.append(Probe(ban, ban.scope(), frozenset(), rule, tuple(patterns)))
    return tuple(asked)


def _judged(*paths: str) -> Run:
    """A file as the bans judge it, by tree and by text."""

    def run(data: bytes) -> None:
        for path in paths:
            record = judge.judge(data, path, _probes(), banscan.blank)
            lines = judge.decoded(data).count("\n") + 1
            for hits in record.hits.values():
                assert all(1 <= hit.line <= lines and hit.column >= 1 for hit in hits)

    return run


def _text_probe(source: str) -> None:
    for rule in _rules().values():
        taken(detect.find(rule, textprobe.TextProbe(source, jsx=True), source))


def _parts(source: str) -> None:
    for suffix in ("vue", "svelte", "html", "tsx", "astro"):
        pieces = list(parts.parts(source, suffix))
        for part in pieces:
            assert source[part.start : part.start + len(part.text)] == part.text
        for made in blanks.blanked(source, pieces):
            assert len(made) == len(source)
    taken(parts.elements(source))
    taken(parts.comments(source))
    for jsx in (False, True):
        taken(blanks.spans(source, jsx=jsx))


def _blanked(source: str) -> None:
    for language in blanking.LANGUAGES.values():
        made = blanking.blank(source, language)
        assert len(made.bare) == len(made.no_comments) == len(source)
    for suffix in ("py", "sh", "mjs", "rb"):
        banscan.blank(source, suffix)


def _harness(data: bytes) -> None:
    source = data.decode("utf-8", "surrogateescape")
    for kind, language in blanking.LANGUAGES.items():
        file = harness.HarnessFile(f"checks/a.{kind}", kind, blanking.blank(source, language))
        assert isinstance(file.asserting, bool)
        replay.command_for("auto {path}", file)


def _template(data: bytes) -> None:
    template, name, _ = parted(data)
    template = template.strip() or "auto"
    for kind in ("py", "sh"):
        file = harness.HarnessFile(f"checks/{name}.{kind}", kind, blanking.Blanked("", ""))
        replay.command_for(template, file)


def _shell(script: str) -> None:
    shell.parse(script)
    commands.read(script)
    netshell.hits(script)


def _skill(data: bytes) -> None:
    skill = skills.Skill(".agents/skills/a/SKILL.md", data)
    assert skill.front is None or skill.fields is not None
    skill.blind_spots()


def _feature(source: str) -> None:
    feature = featuremap.Feature("docs/map/a.md", source)
    for link in (feature.tokens, feature.named, feature.verified, feature.sections) and feature.links:
        links.resolve("docs/map/a.md", link.target)
    feature.value("owner"), feature.line_of("owner")
    featuremap.headings(source)


def _handoff(source: str) -> None:
    found = Handoff(source)
    for slot in SLOTS:
        found.near(slot)
        for heading in found.headings(slot):
            found.says_something(heading)
    names = frozenset({"tests"})
    found.gate_lines(names), found.hidden_gate_lines(names), found.head_lines(40), found.ids(40)


def _markdown(source: str) -> None:
    for fences in (False, True):
        made = markdown.blank(source, fences=fences)
        assert len(made) == len(source)
    for heading in markdown.headings(source):
        markdown.section(source, heading)


def _rule_text(data: bytes) -> None:
    ruletext.is_binary(data)
    shown = ruletext.Text("a", data)
    assert len(shown.lower) == len(shown.text)
    families = [modelnames.Family("gamma", "gamma", "any", ("mini",))]
    for number in modelnames.NUMBERS:
        names = modelnames.ModelNames([family._replace(numbers=number) for family in families], ("pro",))
        taken(names.find(ruletext.RuleText([shown])))


def _secrets(data: bytes) -> None:
    for kinds in (secrets.TRACKED, secrets.SHIPPED):
        hits = secrets.find([content.Window(0, data)], kinds)
        assert all(hit.line >= 1 and hit.column >= 1 for hit in hits)


def _shows(line: str) -> bool:
    """True for one line that can be encoded and moves no terminal."""
    return not any((ord(char) < 32 and char != "\t") or ord(char) in (127, 0x2028) for char in line) and (
        line.encode().decode() == line
    )


def _clean(source: str) -> None:
    for made in (redact.clean(source), redact.clean(redact.mask(source))):
        assert _shows(made)


def _lines(data: bytes) -> None:
    for line in redact.lines(data, 5, 80):
        assert _shows(line)
        assert len(line) <= 80 + len("...")


def _block(existing: bytes) -> None:
    block = b"# >>> goblin-stack >>>\n.a\n# <<< goblin-stack <<<\n"
    if not gitignore.present(existing):
        whole_ = gitignore.appended(existing, block)
        extent = gitignore.located(whole_, gitignore.fingerprint(gitignore.addition(existing, block)))
        if extent is not None:
            assert gitignore.without(whole_, extent) == existing
    gitignore.negations(existing), gitignore.missing_lines(existing, block)
    blocks.marked(existing, b"a", b"b")
    agents.present(existing), agents.located(existing, "0" * 64)
    for path in ("AGENTS.md", "HANDOFF.md"):
        adopt.reconciled(path, existing)


def _emitted(data: bytes) -> None:
    block = emitted.block("1.0.0")
    once = emitted.placed(data, block)
    assert emitted.placed(once, block) == once
    assert emitted.find(once) is not None


def _diff(data: bytes) -> None:
    assert all(map(_shows, changes.diff("a", *data.partition(b"\0\n")[::2])))


def _quoted(word: str) -> None:
    for made in (templates.yaml_quote(word, 0), templates.code_span(word), templates.plain(word)):
        assert isinstance(made, str)
    templates.placeholders(word)
    templates.render(word, {"a": "b"})


def _scopes(data: bytes) -> None:
    word, path, _ = parted(data)
    for made in exempt.exemptions([word]):
        made.covers(path)
    patterns.best([word, "@a/*"], path)
    if made_layer := layers.layer(word):
        made_layer.holds(path), made_layer.crosses(path)
    for made_glob in globs.read([word]):
        made_glob.covers(path)


def _sources(data: bytes) -> None:
    publicnames.is_secret_shaped(data.decode("utf-8", "replace"))
    sources.is_settings(data.decode("utf-8", "surrogateescape"))
    for needle in needles.table():
        needle.may_match(data, b"\0" in data)


TARGETS = (
    Target("bans.lexer.lex", text(_lexed), JAVASCRIPT,
           through=("bans.imports.references", "bans.escapes.escapes", "bans.imports.before_wildcard")),
    Target("bans.imports.before_wildcard", utf8(imports.before_wildcard), ("../ui/*.ts",)),
    Target("bans.parts.parts", text(_parts), MARKUP,
           through=("bans.parts.elements", "bans.parts.comments", "bans.blanks.spans",
           "bans.blanks.blanked")),
    Target("bans.judge.judge:ts", _judged("src/a.ts", "src/a.tsx"), JAVASCRIPT),
    Target("bans.judge.judge:markup", _judged("src/a.vue", "src/a.html", "src/a.svelte"), MARKUP),
    Target("bans.judge.judge:other", _judged("src/a.py", "src/a.go", "src/a.sh", "src/a.rb"), (*PYTHON, *GO)),
    Target("bans.judge.decoded", whole(judge.decoded), (b"\xff\xfea\0", b"\xfe\xff\0a", b"\xd8\0")),
    Target("bans.textprobe", text(_text_probe), JAVASCRIPT),
    Target("bans.asttree.bearable", text(asttree.bearable), JAVASCRIPT),
    Target("bans.reading.unquote", text(reading.unquote), ("'a\\u{41}\\x'", "`b`"),
           through=("bans.reading.quoted",)),
    Target("bans.otherimports.python", text(otherimports.python), PYTHON),
    Target("bans.otherimports.go", text(otherimports.go), GO),
    Target("bans.globs.read", _scopes, ("src/**/*.ts\0src/a/b.ts", "ui>core\0ui/a", "*.{js,ts}\0a.js"),
           (globs.BadGlob,), ("bans.layers.layer", "bans.exempt.exemptions", "bans.patterns.filled")),
    Target("facts.jsscript.read", _javascript, (*JAVASCRIPT, *MARKUP)),
    Target("facts.jsscript.Script", text(lambda t: jsscript.Script(t).bindings), JAVASCRIPT),
    Target("facts.jstokens.tokenize", text(lambda t: jstokens.tokenize(t, jsx=True)), JAVASCRIPT),
    Target("facts.jstokens.unescaped", text(jstokens.unescaped), ("\\u{110000}\\x4\\n\\\n",)),
    Target(
        "facts.cookiewrites.probe",
        text(cookiewrites.probe),
        JAVASCRIPT,
        through=("facts.cookies.may_write",),
    ),
    Target("facts.cookies.may_write", whole(cookies.may_write), JAVASCRIPT),
    Target("facts.publicnames.probe", text(publicnames.probe), JAVASCRIPT),
    Target("facts.publicnames.in_settings", text(publicnames.in_settings), ("export VITE_SECRET=a\n# b\n",)),
    Target("facts.sources", _sources, ("NEXT_PUBLIC_API_KEY", ".env.local")),
    Target("facts.boundary.bases", text(lambda t: boundary._bases(t, "a/b/c.ts")), ("@/lib/a", "../../..",
           "~/a")),
    Target("facts.blanking.blank", text(_blanked), (*PYTHON, *JAVASCRIPT, *SCRIPTS),
           through=("facts.banscan.blank",)),
    Target("facts.harness", _harness, (*PYTHON, *SCRIPTS, "@harness/*.py", "@tests/cli/try.bats")),
    Target("facts.replay.command_for", _template, ("auto {path}\0a b", "node '{name}'\0$(a)",
           "{path} \"{name}\"")),
    Target("facts.shell.parse", text(_shell), SCRIPTS, (shelltokens.ShellError, netimports.PythonError),
           ("facts.commands.read", "facts.netshell.hits", "facts.shelltokens.closing")),
    Target("facts.shelltokens.closing", text(lambda t: shelltokens.closing(t, 0)), ("a $(b) `c` 'd)')",),
           (shelltokens.ShellError,)),
    Target("facts.commands.statements", text(commands.statements), SCRIPTS),
    Target("facts.wrappers.flags", text(lambda t: wrappers.flags(t.split(), wrappers.Shell())),
           ("bash -eo pipefail",)),
    Target("facts.netshell.words", text(netshell.words), ("a b",)),
    Target("facts.netpython.hits", text(netpython.hits), PYTHON, (netimports.PythonError,),
           ("facts.netimports.parsed",)),
    Target("facts.netimports.imports", text(netimports.imports), PYTHON, (netimports.PythonError,)),
    Target("facts.secrets.find", _secrets, TOKENS),
    Target("facts.secrets.wide", whole(secrets.wide), TOKENS),
    Target("facts.ruletext.Text", _rule_text, (*MARKDOWN, b"\xff\xfeg\0a\0m\0",
           "Gamma\u2010\u200b4 \u0130 mini"),
           through=("facts.ruletext.is_binary",)),
    Target("facts.skills.Skill", _skill, MARKDOWN),
    Target("facts.featuremap.Feature", utf8(_feature),
           ("---\nowner: a\nentry_paths: [b, c]\nverified: 2026-01-02\n---\n# A\n\nB\n---\n", *MARKDOWN),
           through=("facts.featuremap.headings", "facts.links.resolve")),
    Target("facts.links.links", text(links.links), MARKDOWN),
    Target("facts.specs.Spec", lambda d: specs.Spec("a", d).items, MARKDOWN, (UnicodeDecodeError,)),
    Target("facts.specs.acceptance_items", text(specs.acceptance_items), MARKDOWN),
    Target("facts.handoff.Handoff", text(_handoff), ("@HANDOFF.md", *MARKDOWN)),
    Target("markdown.blank", text(_markdown), MARKDOWN, through=("markdown.headings", "markdown.section")),
    Target("redact.clean", text(_clean), TERMINAL, through=("redact.mask",)),
    Target("redact.lines", _lines, TERMINAL),
    Target("digest.sha256", lambda d: digest.sha256(d), ("a",)),
    Target("install.gitignore", _block,
           ("@.gitignore", "a\r\nb", "a\r", "a\r\nb\r", "# >>> goblin-stack >>>\na\n",
           "@AGENTS.md"),
           through=("install.gitignore.present",)),
    Target("emit.source.placed", _emitted, ("@AGENTS.md", "a\r\nb", "a\r"),
           through=("emit.source.find", "emit.source.separator")),
    Target("install.changes.diff", _diff, ("a\nb\0\na\nc",)),
    Target("install.templates", utf8(_quoted), ("{{a}} {{b}}", "`a``"), (templates.TemplateError,
           ValueError)),
    Target("outcome.Finding", text(lambda t: Finding(t, 1, 1, t)), ("a",)),
)  # fmt: skip
