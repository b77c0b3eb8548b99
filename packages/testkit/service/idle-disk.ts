import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/**
 * Loaded before a service: gives each of its connections to SQLite a function that waits while a
 * file exists and computes nothing meanwhile, as a thread does whose disk hangs. Only SQL that a
 * test puts into the database calls it.
 */
const known = new WeakSet<DatabaseSync>();
const never = new Int32Array(new SharedArrayBuffer(4));
const { exec } = DatabaseSync.prototype;

function waitWhileExists(file: unknown): number {
  let looks = 0;
  for (; existsSync(String(file)); looks++) Atomics.wait(never, 0, 0, 20);
  return looks;
}

// A connection that writes first gets its settings.
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
  if (!known.has(this)) this.function("wait_while_exists", waitWhileExists);
  known.add(this);
  exec.call(this, sql);
};
