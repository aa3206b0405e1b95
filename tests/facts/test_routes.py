"""Write handlers in every form of export, and what counts as validating their input."""

from __future__ import annotations

from pathlib import Path

import pytest

from goblin.facts import boundary
from goblin.facts.jsscript import Script
from goblin.facts.routes import MAY_HANDLE, handlers
from tests.support.mini import CONFIG, facts_of, mini_repo

BODY = "(r) => save(await r.json())"


def judged(text: str, others: dict[str, str] | None = None) -> dict[str, bool]:
    """Each write handler of a route, and whether it validates."""
    scripts = {name: Script(other) for name, other in (others or {}).items()}
    found = handlers(Script(text), scripts.get)
    if found:
        assert MAY_HANDLE.search(text.encode())
    return {handler.method: not handler.why for handler in found}


@pytest.mark.parametrize(
    "text",
    [
        "export async function POST(r) { save(await r.json()) }",
        "export function* POST(r) { }",
        f"export const POST = async {BODY}",
        f"export let POST = {BODY}",
        f"export const GET = 1, POST = {BODY}",
        "export const { POST } = make()",
        "export const { x: POST, GET } = make()",
        "export const [POST] = make()",
        f"const x = {BODY}; export {{ x as POST }}",
        "function POST(r) { } export { POST }",
        "export { x as POST } from './nowhere'",
        "import { POST } from './nowhere'; export { POST }",
        "import h from './nowhere'; export const POST = h",
        f"export const POST: Handler<A, B> = async {BODY}",
        f"export const POST = withAuth(async {BODY})",
        "export async function POST(r: A): Promise<B> { save(r) }",
        "export async function POST({ a }: { a: B }): Promise<{ c: D }> { save(a) }",
    ],
)
def test_every_form_of_export_is_a_handler(text: str) -> None:
    """And none of these validates anything."""
    assert judged(text)["POST"] is False, text


@pytest.mark.parametrize(
    "text",
    [
        "export async function GET(r) {}",
        "export default function POST() {}",
        "export type POST = string",
        "export { type POST } from './a'",
        "function POST(r) {}",
        "a.export = { POST: 1 }",
        "export declare function POST(r: A): B;",
        "export * as POST2 from './a'",
        "// export function POST() {}",
    ],
)
def test_what_exports_no_write_handler_has_none(text: str) -> None:
    """Reads, types, defaults, locals, comments."""
    assert judged(text) == {}


ZOD = "import { z } from 'zod'; "
VALID = [
    "export async function POST(r) { S.safeParse(await r.json()) }",
    "export async function POST(r) { await S.safeParseAsync(r) }",
    "export async function POST(r) { await schema.validate(r) }",
    "export async function POST(r) { validateSync(r) }",
    ZOD + "export const POST = async (r) => z.object({}).parse(r)",
    ZOD + "export const POST = async (r) => S.parseAsync(r)",
    ZOD + "export const POST = async (r) => S?.parse?.(r)",
    "import { z } from 'zod/v4'; export const POST = (r) => S.parse(r)",
    "import * as v from 'valibot'; export const POST = (r) => v.parse(S, r)",
    "import { parse } from 'valibot'; export const POST = (r) => parse(S, r)",
    "const Joi = require('@hapi/joi'); export const POST = (r) => S.parse(r)",
    "import { assert } from 'superstruct'; export const POST = (r) => assert(r, S)",
    "import * as s from 'superstruct'; export const POST = (r) => s.create(r, S)",
    "import Ajv from 'ajv'; const a = new Ajv(); const ok = a.compile(S); export const POST = (r) => ok(r)",
    "import Ajv from 'ajv'; const ok = new Ajv().compile<T>(S); export const POST = (r) => ok(r)",
    "import { type } from 'arktype'; const User = type({}); export const POST = (r) => User(r)",
    "const check = (r) => S.safeParse(r); export const POST = async (r) => check(r)",
    "function a(r) { return b(r) } function b(r) { return S.safeParse(r) } export const POST = (r) => a(r)",
    "export const POST = wrap(async (r) => { S.safeParse(r) })",
    "const handler = wrap(async (r) => { S.safeParse(r) }); export { handler as POST }",
    "const handler = async (r) => { S.safeParse(r) }; export const POST = wrap(handler)",
    "export const { POST } = make((r) => S.safeParse(r))",
]
INVALID = [
    ZOD + "export const POST = (r) => JSON.parse(r)",
    ZOD + "export const POST = (r) => Date.parse(r) + URL.parse(r) + path.parse(r)",
    "export const POST = (r) => csv.parse(r)",
    "import { z } from 'zod'; export const POST = (r) => save(r) // z.parse(r)",
    "import { z } from 'zod'; const S = z.object({}); export const POST = (r) => save(r, S)",
    "import { z } from 'zod'; const env = S.parse(process.env); export const POST = (r) => save(r, env)",
    "export const POST = (r) => save(r, 'S.safeParse(r)')",
    "function safeParse(r) {} export const POST = (r) => save(r)",
    "import { assert } from 'node:assert'; export const POST = (r) => assert(r, S)",
    "const ok = tpl.compile(S); export const POST = (r) => ok(r)",
    "function other(r) { S.safeParse(r) } export const POST = (r) => save(r)",
    "const validate = 1; export const POST = (r) => save(validate, r)",
]


@pytest.mark.parametrize("text", VALID)
def test_a_validator_that_can_be_reached_counts(text: str) -> None:
    """Directly, or through the functions of the file."""
    assert judged(text) == {"POST": True}, text


@pytest.mark.parametrize("text", INVALID)
def test_what_only_looks_like_validation_does_not(text: str) -> None:
    """Another parse, a comment, an import, a schema that is never called, code that is not reached."""
    assert judged(text) == {"POST": False}, text


def test_each_handler_is_judged_for_itself() -> None:
    """A validated one covers no other."""
    text = "export const POST = (r) => S.safeParse(r); export function PUT(r) {} export const PATCH = POST"
    assert judged(text) == {"POST": True, "PUT": False, "PATCH": True}


def test_a_handler_from_another_file_is_followed_once() -> None:
    """By name, by star and through an import; what that file passes on is not followed further."""
    others = {
        "./good": "export const POST = (r) => S.safeParse(r); export function PUT(r) {}",
        "./again": "export { POST } from './good'",
        "./schema": "import { z } from 'zod'; export const S = z.object({})",
    }
    assert judged("export { POST, PUT } from './good'", others) == {"POST": True, "PUT": False}
    assert judged("export * from './good'", others) == {"POST": True, "PUT": False}
    assert judged("import { POST as p } from './good'; export { p as PATCH }", others) == {"PATCH": True}
    assert judged("export { POST } from './again'", others) == {"POST": False}
    assert judged("import { S } from './schema'; export const POST = (r) => S.parse(r)", others) == {
        "POST": True
    }


def test_a_script_that_does_not_read_cleanly_is_probed_too() -> None:
    """A handler behind something broken is not passed over."""
    assert judged("x = `\nexport async function POST(r) {}\n") == {"POST": False}


def test_waivers_are_a_path_and_a_reason() -> None:
    """Compared literally: a path may hold brackets and a hash; CRLF and a mark are tolerated."""
    data = (
        "\ufeff# comment\r\napp/[id]/route.ts # takes none\r\na#b/route.ts\t#  why  # more\r\n"
        "\r\nbare.ts\r\nempty.ts # …\r\n"
    ).encode()
    assert [(w.path, w.reason, w.line, w.counts) for w in boundary.parse(data)] == [
        ("app/[id]/route.ts", "takes none", 2, True),
        ("a#b/route.ts", "why  # more", 3, True),
        ("bare.ts", "", 5, False),
        ("empty.ts", "…", 6, False),
    ]


def test_modules_are_found_beside_above_and_below_an_alias(tmp_path: Path) -> None:
    """Relative, index files, other endings, and @/ from any folder above; nothing outside the root."""
    files = {
        "web/app/api/route.ts": "export { POST } from '../../lib/a.js'; export { PUT } from '@/lib/b';"
        "export { PATCH } from '~/c'; export { DELETE } from '../../../../../etc/passwd'",
        "web/lib/a.ts": "export const POST = (r) => S.safeParse(r)",
        "web/src/lib/b/index.tsx": "export const PUT = (r) => S.safeParse(r)",
        "c.js": "export const PATCH = (r) => S.safeParse(r)",
    }
    repo = mini_repo(tmp_path / "r", [], files, f"{CONFIG}security:\n  write_routes: ./web/\n")
    (route,) = facts_of(repo).get("boundary").routes
    assert {h.method: h.why for h in route.handlers if h.why} == {
        "DELETE": "it comes from ../../../../../etc/passwd, which is not read here"
    }
    assert len(route.handlers) == 4
