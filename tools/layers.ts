import { readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";

/**
 * The layers, top to bottom in the direction of imports, as path prefixes. A file belongs to the
 * longest matching prefix; it may import from its own layer and from those listed. Folders not
 * listed here (tools, e2e, deploy) are not layered.
 */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  "packages/protocol": [],
  "packages/pow": ["packages/protocol"],
  "packages/risk": ["packages/protocol"],
  "packages/core/domain": ["packages/protocol", "packages/pow", "packages/risk"],
  "packages/core/ports": [
    "packages/protocol",
    "packages/pow",
    "packages/risk",
    "packages/core/domain",
  ],
  "packages/core/services": [
    "packages/protocol",
    "packages/pow",
    "packages/risk",
    "packages/core/domain",
    "packages/core/ports",
  ],
  "packages/core/use-cases": [
    "packages/protocol",
    "packages/pow",
    "packages/risk",
    "packages/core/domain",
    "packages/core/ports",
    "packages/core/services",
  ],
  "packages/core/no-script": [
    "packages/protocol",
    "packages/pow",
    "packages/risk",
    "packages/core/domain",
    "packages/core/ports",
    "packages/core/services",
  ],
  "packages/stores": ["packages/protocol", "packages/core/ports", "packages/core/domain"],
  "packages/server/http": [
    "packages/protocol",
    "packages/pow",
    "packages/core",
    "packages/server/telemetry",
  ],
  "packages/server/telemetry": ["packages/protocol"],
  "packages/server/cryptography": [
    "packages/protocol",
    "packages/core/ports",
    "packages/core/domain",
  ],
  "packages/server": [
    "packages/protocol",
    "packages/pow",
    "packages/core",
    "packages/stores",
    "packages/server",
    "packages/risk",
    "packages/demo",
  ],
  "packages/server/optional": ["packages/protocol", "packages/core", "packages/server"],
  "packages/demo": ["packages/protocol", "packages/core", "packages/risk", "packages/server"],
  // For tests, tools and trials: nothing that is shipped may import it.
  "packages/testkit": [
    "packages/protocol",
    "packages/pow",
    "packages/risk",
    "packages/core",
    "packages/stores",
    "packages/server",
    "packages/demo",
  ],
  "packages/widget": ["packages/protocol", "packages/pow"],
  "packages/dashboard": ["packages/protocol", "packages/pow"],
  // Nothing else may import it.
  trials: ["packages"],
};

/**
 * The subjects of the core's services, lowest first: a service may call services of its own subject
 * and of those before it. A use case may call services of every subject, and never a use case.
 */
const SUBJECTS = ["visitor", "site", "statistics", "token", "challenge", "score", "account"];
const USE_CASES = "packages/core/use-cases/";
const SERVICE = /^packages\/core\/services\/([^/]+)\//;

/** The name of the optional part that a file belongs to, in one of the groups. */
const OPTIONAL = /^packages\/(?:(demo)|core\/(no-script)|server\/optional\/([\w-]+))\//;
/** The places that register optional parts, and code that is not shipped. */
const MAY_NAME_PARTS = /^(packages\/(server\/(compose|cli)|testkit)|trials)\//;

/** Layers that a browser loads: zod must not reach them. */
const BROWSER_LAYERS = ["packages/widget", "packages/dashboard"];

/** Layers in which time and randomness are arguments or ports. */
const PURE_LAYERS = [
  "packages/core",
  "packages/risk",
  "packages/protocol",
  "packages/pow/challenge.ts",
  "trials/risk/training",
];
const IMPURE_CALL = /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\.now\b/;
const IMPORT = /(?:from|import)\s*\(?\s*["']([^"']+)["']/g;

/**
 * One source file: its path from the root of the repository, with forward slashes, and its text.
 */
export type SourceFile = { readonly path: string; readonly text: string };

function layerOf(path: string): string | undefined {
  return Object.keys(LAYERS)
    .filter((prefix) => path.startsWith(`${prefix}/`))
    .sort((a, b) => b.length - a.length)[0];
}

/**
 * Repository path an import specifier points to, or undefined for third-party and built-in modules.
 */
function resolveImport(file: SourceFile, specifier: string): string | undefined {
  if (specifier.startsWith(".")) return normalize(join(dirname(file.path), specifier));
  if (specifier.startsWith("@stile/")) return `packages/${specifier.slice("@stile/".length)}.ts`;
  return undefined;
}

function importsOf(file: SourceFile): string[] {
  return [...file.text.matchAll(IMPORT)].flatMap(
    (match) => resolveImport(file, match[1] ?? "") ?? [],
  );
}

/** Tests and their fixtures compose what they need from every layer. */
function isTestCode(path: string): boolean {
  return (
    path.endsWith(".test.ts") ||
    path.includes("/fixtures/") ||
    path.startsWith("packages/stores/contract/")
  );
}

function mayImport(from: string, target: string): boolean {
  const targetLayer = layerOf(target);
  if (targetLayer === undefined) return false;
  const allowed = LAYERS[from] ?? [];
  return (
    targetLayer === from ||
    allowed.some((layer) => targetLayer === layer || targetLayer.startsWith(`${layer}/`))
  );
}

/** Imports of a use case by a use case, and of services of a higher subject by a service. */
function findSubjectViolations(file: SourceFile): string[] {
  const targets = importsOf(file);
  if (file.path.startsWith(USE_CASES))
    return targets
      .filter((target) => target.startsWith(USE_CASES))
      .map((target) => `${file.path}: a use case may not import ${target}`);
  const subject = SERVICE.exec(file.path)?.[1];
  if (subject === undefined) return [];
  if (!SUBJECTS.includes(subject)) return [`${file.path}: ${subject} is no subject`];
  return targets
    .filter(
      (target) => SUBJECTS.indexOf(SERVICE.exec(target)?.[1] ?? "") > SUBJECTS.indexOf(subject),
    )
    .map((target) => `${file.path}: ${subject} is below ${target}`);
}

function optionalPartOf(path: string): string | undefined {
  return OPTIONAL.exec(path)?.slice(1).find(Boolean);
}

/** Imports of an optional part by another part or by code that works without it. */
function findOptionalViolations(file: SourceFile): string[] {
  if (MAY_NAME_PARTS.test(file.path)) return [];
  const own = optionalPartOf(file.path);
  return importsOf(file)
    .filter((target) => ![undefined, own].includes(optionalPartOf(target)))
    .map((target) => `${file.path}: ${target} is of an optional part`);
}

/** Imports that point up or sideways, impure calls in pure layers, and zod in browser layers. */
export function findViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const layer = layerOf(file.path);
    if (layer === undefined || isTestCode(file.path)) return [];
    const upward = importsOf(file)
      .filter((target) => /^(packages|trials)\//.test(target) && !mayImport(layer, target))
      .map((target) => `${file.path}: ${layer} may not import ${target}`);
    const isPure = PURE_LAYERS.some((prefix) => file.path.startsWith(prefix));
    const impure =
      isPure && IMPURE_CALL.test(file.text)
        ? [`${file.path}: time or randomness must be an argument`]
        : [];
    const zod =
      BROWSER_LAYERS.includes(layer) && /@stile\/protocol\/schemas\//.test(file.text)
        ? [`${file.path}: schemas (zod) must not reach the browser`]
        : [];
    return [
      ...upward,
      ...findOptionalViolations(file),
      ...findSubjectViolations(file),
      ...impure,
      ...zod,
    ];
  });
}

/**
 * Import cycles, each as the list of its files; type-only imports count, since they also couple
 * files for a reader.
 */
export function findCycles(files: readonly SourceFile[]): string[][] {
  const known = new Map(files.map((file) => [file.path, importsOf(file)]));
  const cycles: string[][] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) {
      cycles.push([...trail.slice(at), path]);
      return;
    }
    if (done.has(path)) return;
    for (const target of known.get(path) ?? [])
      if (known.has(target)) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of known.keys()) visit(path, []);
  return cycles;
}

/**
 * The imports of a file at load, unlike `await import(...)`, and unlike types, which are erased.
 */
const LOADED = /^(?:import|export)\s(?!type\b)(?:[^"';]*\sfrom\s)?"([^"]+)"/gm;

/**
 * Everything loaded with the file at that path: files of ours, itself included, and libraries by
 * their names.
 */
export function findLoaded(files: readonly SourceFile[], path: string): ReadonlySet<string> {
  const known = new Map(files.map((file) => [file.path, file]));
  const loaded = new Set<string>();
  const visit = (target: string): void => {
    if (loaded.has(target)) return;
    loaded.add(target);
    const file = known.get(target);
    for (const [, specifier = ""] of file?.text.matchAll(LOADED) ?? []) {
      if (!specifier.startsWith("node:"))
        visit((file && resolveImport(file, specifier)) ?? specifier);
    }
  };
  visit(path);
  return loaded;
}

/** Reads the given files, whose paths are relative to the root. */
export function readSources(root: string, paths: readonly string[]): SourceFile[] {
  return paths.map((path) => ({
    path: relative(".", path).replaceAll("\\", "/"),
    text: readFileSync(join(root, path), "utf8"),
  }));
}
