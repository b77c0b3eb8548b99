/** Tells the operator what is wrong, and returns the exit code of a command that changed nothing. */
export function fail(...lines: readonly string[]): number {
  for (const line of lines) process.stderr.write(`stile: ${line}\n`);
  return 1;
}
