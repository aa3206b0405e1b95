// Where TypeScript itself takes each import of a checkout. Reads from standard input the JSON object
// { root, files, packages }: the checkout, its source files relative to it, and its packages as name to folder.
// Prints a JSON line for each file. The first argument is a folder whose node_modules holds the typescript package.
//
// Nothing is installed in the checkout. Its own packages are found all the same, as they are after an install:
// `node_modules/<name>` is answered with the folder of the package, wherever it is asked for.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const ts = createRequire(`${process.argv[2]}/`)("typescript");
const { SyntaxKind, ScriptKind, ModuleResolutionKind } = ts;
const { root, files, packages } = JSON.parse(readFileSync(0, "utf8"));
const KINDS = {
  ts: ScriptKind.TS, mts: ScriptKind.TS, cts: ScriptKind.TS, tsx: ScriptKind.TSX,
  js: ScriptKind.JSX, jsx: ScriptKind.JSX, mjs: ScriptKind.JSX, cjs: ScriptKind.JSX,
};
const INSTALLED = path.join(root, "node_modules");
const PACKAGE = /^\/((?:@[^/]+\/)?[^/]+)(\/.*)?$/;

function linked(name) {
  const found = name.startsWith(INSTALLED) ? PACKAGE.exec(name.slice(INSTALLED.length)) : null;
  if (!found || !Object.hasOwn(packages, found[1])) return name;
  return path.join(root, packages[found[1]], found[2] ?? "");
}

const isInstalled = (name) => name === INSTALLED || path.dirname(name) === INSTALLED;

const host = {
  ...ts.sys,
  fileExists: (name) => ts.sys.fileExists(linked(name)),
  directoryExists: (name) => isInstalled(name) || ts.sys.directoryExists(linked(name)),
  readFile: (name, encoding) => ts.sys.readFile(linked(name), encoding),
  realpath: (name) => ts.sys.realpath(linked(name)),
  getCurrentDirectory: () => root,
  onUnRecoverableConfigFileDiagnostic: () => {},
};

const parsed = new Map();
function project(name) {
  if (!parsed.has(name)) parsed.set(name, ts.getParsedCommandLineOfConfigFile(name, {}, host) ?? null);
  return parsed.get(name);
}

// The project that holds a file: that of the nearest configuration, or the one it refers to which lists the file.
function holds(config, file, depth = 0) {
  if (!config || config.fileNames.includes(file)) return config;
  for (const reference of depth < 3 ? (config.projectReferences ?? []) : []) {
    const found = holds(project(ts.resolveProjectReferencePath(reference)), file, depth + 1);
    if (found?.fileNames.includes(file)) return found;
  }
  return config;
}

function nearest(folder) {
  for (let at = folder; at.startsWith(root); at = path.dirname(at)) {
    for (const name of ["tsconfig.json", "jsconfig.json"]) {
      if (ts.sys.fileExists(path.join(at, name))) return project(path.join(at, name));
    }
  }
  return null;
}

const caches = new Map();
function cacheOf(options) {
  if (!caches.has(options)) caches.set(options, ts.createModuleResolutionCache(root, (name) => name, options));
  return caches.get(options);
}

const chosen = new Map();
function optionsOf(config) {
  if (!chosen.has(config)) {
    const options = { ...(config?.options ?? {}), allowJs: true, resolveJsonModule: true };
    const kind = ts.getEmitModuleResolutionKind(options);
    if (kind === ModuleResolutionKind.Classic || config === null) {
      Object.assign(options, { module: ts.ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler });
    }
    chosen.set(config, options);
  }
  return chosen.get(config);
}

// Every text that the language says is the name of a module.
function* specifiers(source) {
  const waiting = [source];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    let named;
    switch (node.kind) {
      case SyntaxKind.ImportDeclaration:
      case SyntaxKind.ExportDeclaration: named = node.moduleSpecifier; break;
      case SyntaxKind.ExternalModuleReference: named = node.expression; break;
      case SyntaxKind.ImportType: named = node.argument.literal; break;
      case SyntaxKind.CallExpression: {
        const called = node.expression.getText(source);
        if (node.expression.kind === SyntaxKind.ImportKeyword || called === "require") named = node.arguments[0];
      }
    }
    if (named && ts.isStringLiteralLike(named)) yield named.text;
    ts.forEachChild(node, (child) => void waiting.push(child));
  }
}

function look(file) {
  const full = path.join(root, file);
  const text = readFileSync(full, "utf8");
  const ending = file.slice(file.lastIndexOf(".") + 1);
  const source = ts.createSourceFile(full, text, ts.ScriptTarget.Latest, true, KINDS[ending]);
  const options = optionsOf(holds(nearest(path.dirname(full)), full));
  const imports = {};
  for (const name of new Set(specifiers(source))) {
    const mode = ts.getImpliedNodeFormatForFile?.(full, cacheOf(options).getPackageJsonInfoCache(), host, options);
    const found = ts.resolveModuleName(name, full, options, host, cacheOf(options), undefined, mode).resolvedModule;
    imports[name] = found ? path.relative(root, found.resolvedFileName) : null;
  }
  return { path: file, imports, broken: source.parseDiagnostics.length > 0 };
}

for (const file of files) process.stdout.write(`${JSON.stringify(look(file))}\n`);
