import { printable } from "../faults/printable.ts";

/**
 * Tells the operator what is wrong, and returns the exit code of a command that changed nothing.
 */
export function fail(...lines: readonly string[]): number {
  for (const line of lines) process.stderr.write(`stile: ${printable(line)}\n`);
  return 1;
}
