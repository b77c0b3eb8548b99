import type { Finding } from "@stile/protocol/dashboard-api";
import type { DataDirectory } from "../data-directory/data-directory.ts";
import { explainFault } from "../faults/operator-faults.ts";
import { printable } from "../faults/printable.ts";

/** The findings of a check. A fault becomes a finding too, so that the other checks still run. */
export async function attempt(
  check: () => Promise<Finding[]> | Finding[],
  { path }: DataDirectory,
): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [{ level: "fail", text: explainFault(error, { dataDirectory: path }) }];
  }
}

/** Prints a line for each finding, and how many fail. */
export function print(findings: readonly Finding[], failures: number): void {
  for (const { level, text, fix } of findings) {
    process.stdout.write(
      `${level.padEnd(4)}  ${printable(text)}${fix === undefined ? "" : ` ${printable(fix)}`}\n`,
    );
  }
  process.stdout.write(
    failures === 0 ? "\nNo errors.\n" : `\n${failures} ${failures === 1 ? "error" : "errors"}.\n`,
  );
}
