import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Files that decide how others are checked: a change means checking all again. The lock file has
 * the tools' versions.
 */
const RULES = new Set([
  ".editorconfig",
  ".gitignore",
  "biome.json",
  "biome.jsonc",
  "package.json",
  "package-lock.json",
]);

/** Digest of words in their order, followed by some content. */
export function digestOf(words: readonly string[], content: Uint8Array | string = ""): string {
  return createHash("sha256").update(JSON.stringify(words)).update(content).digest("base64url");
}

/**
 * Digest of each file that git does not ignore, over its path, its content and the rules by which
 * it is checked; undefined if git is not available.
 */
export function digestFiles(root: string): ReadonlyMap<string, string> | undefined {
  const options = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const listed = spawnSync("git", options, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 2 ** 20,
  });
  if (listed.status !== 0) return undefined;
  const paths = [...new Set(listed.stdout.split("\0"))].filter(
    (path) => path !== "" && existsSync(join(root, path)),
  );
  const contents = new Map(
    paths.map((path) => [path, digestOf([path], readFileSync(join(root, path)))]),
  );
  const rules = paths
    .filter((path) => RULES.has(basename(path)))
    .map((path) => contents.get(path) ?? "");
  return new Map([...contents].map(([path, content]) => [path, digestOf([content, ...rules])]));
}

/** The digests that a file of known ones holds. */
function readKnown(file: string): ReadonlySet<string> {
  return new Set(existsSync(file) ? readFileSync(file, "utf8").split("\n") : []);
}

/**
 * Calls `look` with the files whose digests are not among those found clean before, which are
 * stored in `file`; stores their digests if it does not throw. Only for checks of each file alone,
 * whose result depends on nothing but path, content and rules.
 */
export function lookAtChanged(
  file: string,
  digests: ReadonlyMap<string, string>,
  look: (paths: readonly string[]) => void,
): void {
  const known = readKnown(file);
  const changed = [...digests].filter(([, digest]) => !known.has(digest)).map(([path]) => path);
  if (changed.length > 0) look(changed);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, [...digests.values()].join("\n"));
}
