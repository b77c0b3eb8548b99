import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandResult } from "./run-command.ts";

/** Locks, and the memory that SQLite's processes share: a reader may create and rebuild them. */
const LOCKS = /^(server\.lock|first-start\.lock|stile\.sqlite-shm)$/;

/** Every file of the directory except locks, with a digest of its content. */
export function snapshot(path: string): string[] {
  const names = readdirSync(path, { recursive: true, encoding: "utf8" }).filter(
    (name) => !LOCKS.test(name),
  );
  return names.sort().map((name) => {
    const file = join(path, name);
    if (!lstatSync(file).isFile()) return `${name}: no file`;
    return `${name} ${createHash("sha256").update(readFileSync(file)).digest("hex")}`;
  });
}

/** Asserts that a command failed, and gave the reason in one line. */
export function assertOneLine({ code, stdout, stderr }: CommandResult, expected: RegExp): void {
  assert.deepEqual([code, stdout], [1, ""], stderr);
  assert.match(stderr, /^stile: [^\n]+\n$/, "exactly one line");
  assert.doesNotMatch(stderr, /\bat .*\.ts\b| {4}at /, "no stack");
  assert.match(stderr, expected);
}
