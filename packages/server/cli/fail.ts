import { printable } from "../faults/printable.ts";

/**
 * Prints an error for the operator, and returns the exit code of a command that changed nothing.
 */
export function fail(...lines: readonly string[]): number {
  for (const line of lines) process.stderr.write(`stile: ${printable(line)}\n`);
  return 1;
}
