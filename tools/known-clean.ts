import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** What decides how files are looked at: where one of these changed, all are looked at again. The lock file names the tools' versions. */
const RULES = new Set([
  ".editorconfig",
  ".gitignore",
  "biome.json",
  "biome.jsonc",
  "package.json",
  "package-lock.json",
]);

/** Digest of words in their order, and of a content after them. */
export function digestOf(words: readonly string[], content: Uint8Array | string = ""): string {
  return createHash("sha256").update(JSON.stringify(words)).update(content).digest("base64url");
}

/** Digest of each file that git does not ignore, over its path, its content and what decides how it is looked at; undefined where git is not to be had. */
export function digestFiles(root: string): ReadonlyMap<string, string> | undefined {
  const options = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const listed = spawnSync("git", options, { cwd: root, encoding: "utf8", maxBuffer: 64 * 2 ** 20 });
  if (listed.status !== 0) return undefined;
  const paths = [...new Set(listed.stdout.split("\0"))].filter((path) => path !== "" && existsSync(join(root, path)));
  const contents = new Map(paths.map((path) => [path, digestOf([path], readFileSync(join(root, path)))]));
  const rules = paths.filter((path) => RULES.has(basename(path))).map((path) => contents.get(path) ?? "");
  return new Map([...contents].map(([path, content]) => [path, digestOf([content, ...rules])]));
}

/** The digests that a file of known ones holds. */
function readKnown(file: string): ReadonlySet<string> {
  return new Set(existsSync(file) ? readFileSync(file, "utf8").split("\n") : []);
}

/**
 * Lets `look` see the files whose digests are not among those that it found clean before, as `file` keeps them, and keeps these digests once
 * it ends without throwing. For a look at each file by itself, which follows from path, content and rules alone.
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
