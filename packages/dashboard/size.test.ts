import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

const ASSETS = join(import.meta.dirname, "dist", "assets");
const files = readdirSync(ASSETS);
const KILOBYTE = 1024;

const readText = (file: string): string => readFileSync(join(ASSETS, file), "utf8");
const gzipped = (file: string): number =>
  gzipSync(readFileSync(join(ASSETS, file)), { level: 9 }).length;

function namesIn(file: string, pattern: RegExp): string[] {
  return [...readText(file).matchAll(pattern)].map(([, name]) => name ?? "");
}

/** A script with everything that it imports statically. */
function withImports(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const name of namesIn(file, /(?:from|import)"\.\/([\w-]+\.js)"/g)) withImports(name, seen);
  return seen;
}

const entry = files.find((file) => /^index-.*\.js$/.test(file)) ?? "";
/** The scripts of single pages, each loaded when its page is opened. */
const lazy = files.filter((file) => file.endsWith(".js") && !withImports(entry).has(file));

test("the dashboard starts with one script, and loads pages when they are opened", () => {
  assert.notEqual(entry, "");
  assert.ok(lazy.length >= 4, lazy.join());
});

test("no page loads more than 36 KB of compressed script", () => {
  for (const file of lazy) {
    const loaded = [...new Set([...withImports(entry), ...withImports(file)])];
    const bytes = loaded.reduce((sum, name) => sum + gzipped(name), 0);
    assert.ok(bytes <= 36 * KILOBYTE, `${file} with ${loaded.join(", ")}: ${bytes} bytes`);
  }
});

test("all styles together are at most 8 KB, compressed", () => {
  const bytes = files
    .filter((file) => file.endsWith(".css"))
    .reduce((sum, file) => sum + gzipped(file), 0);
  assert.ok(bytes > 0 && bytes <= 8 * KILOBYTE, `${bytes} bytes`);
});
