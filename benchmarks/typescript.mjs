// What TypeScript's own parser sees in each file: where the type `any` stands, which comments there are,
// and which of them the compiler heeds. Reads a JSON list of paths from standard input, prints a JSON line
// for each. The first argument is a folder whose node_modules holds the typescript package.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const ts = createRequire(`${process.argv[2]}/`)("typescript");
const { SyntaxKind, ScriptKind } = ts;
const KINDS = {
  ts: ScriptKind.TS, mts: ScriptKind.TS, cts: ScriptKind.TS, tsx: ScriptKind.TSX,
  js: ScriptKind.JSX, jsx: ScriptKind.JSX, mjs: ScriptKind.JSX, cjs: ScriptKind.JSX,
};

const isJsDoc = (node) => node.kind >= SyntaxKind.FirstJSDocNode && node.kind <= SyntaxKind.LastJSDocNode;
const holdsText = (node) => node.kind === SyntaxKind.JsxElement || node.kind === SyntaxKind.JsxFragment;

// After these tokens what follows is the text of an element, and no comment.
function mayBeFollowedByComment(token) {
  const parent = token.parent;
  if (token.kind === SyntaxKind.JsxText) return false;
  if (token.kind === SyntaxKind.CloseBraceToken) {
    return parent.kind !== SyntaxKind.JsxExpression || !holdsText(parent.parent);
  }
  if (token.kind !== SyntaxKind.GreaterThanToken) return true;
  switch (parent.kind) {
    case SyntaxKind.JsxOpeningElement: return token.end !== parent.end;
    case SyntaxKind.JsxOpeningFragment: return false;
    case SyntaxKind.JsxSelfClosingElement: return token.end !== parent.end || !holdsText(parent.parent);
    case SyntaxKind.JsxClosingElement:
    case SyntaxKind.JsxClosingFragment: return !holdsText(parent.parent.parent);
    default: return true;
  }
}

function look(path) {
  const text = readFileSync(path, "utf8");
  const ending = path.slice(path.lastIndexOf(".") + 1);
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, KINDS[ending]);
  const any = [];
  const comments = new Map();
  const note = (start, end) => void comments.set(start, end);
  const visit = (node) => {
    if (isJsDoc(node)) return;
    if (node.kind === SyntaxKind.AnyKeyword) any.push(node.getStart(source));
    const children = node.getChildren(source);
    if (children.length > 0) return children.forEach(visit);
    const from = node.pos === 0 ? (ts.getShebang(text) ?? "").length : node.pos;
    if (node.kind !== SyntaxKind.JsxText) ts.forEachLeadingCommentRange(text, from, note);
    if (mayBeFollowedByComment(node)) ts.forEachTrailingCommentRange(text, node.end, note);
  };
  visit(source);
  const nocheck = source.pragmas.get("ts-nocheck");
  const heeded = [
    ...(source.commentDirectives ?? []).map((directive) => directive.range.pos),
    ...(nocheck ? [nocheck].flat().map((pragma) => pragma.range.pos) : []),
  ];
  return {
    path, any, heeded, broken: source.parseDiagnostics.length > 0,
    comments: [...comments].sort((a, b) => a[0] - b[0]),
  };
}

for (const path of JSON.parse(readFileSync(0, "utf8"))) process.stdout.write(`${JSON.stringify(look(path))}\n`);
