import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, renameSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { type Compile, compileFresh } from "./native.ts";

const KEPT = join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache", "native");

/**
 * Digest of everything that determines a program: its source, the compiler and its options, and the
 * processor that it is compiled for.
 */
function digestOf(compiler: string, flags: readonly string[], source: string): string {
  const { stdout } = spawnSync(compiler, ["--version"], { encoding: "utf8" });
  const made = [stdout, cpus()[0]?.model, flags, source];
  return createHash("sha256").update(JSON.stringify(made)).digest("hex");
}

/**
 * For tests: reuses the program that an earlier run compiled from the same source in the same way,
 * since the compiler takes ten times as long as everything else.
 */
export const compileOnce: Compile = (compiler, flags, source, path) => {
  const kept = join(KEPT, digestOf(compiler, flags, source));
  if (!existsSync(kept)) {
    compileFresh(compiler, flags, source, path);
    mkdirSync(KEPT, { recursive: true });
    // Another process may be doing the same.
    const draft = `${kept}.${process.pid}`;
    copyFileSync(path, draft);
    renameSync(draft, kept);
  }
  copyFileSync(kept, path);
};
