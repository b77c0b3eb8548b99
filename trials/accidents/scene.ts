import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningService, startService } from "@stile/testkit/service/service";

const SETTINGS = { STILE_LIMIT_VERIFY: "1000000", STILE_LOG_LEVEL: "error" } as const;

/** Does the work with a service of its own, which is removed afterwards. */
export async function withService<Result>(
  environment: Readonly<Record<string, string>>,
  use: (service: RunningService) => Promise<Result>,
): Promise<Result> {
  const service = await startService({ ...SETTINGS, ...environment });
  try {
    return await use(service);
  } finally {
    await service.dispose();
  }
}

/** Does the work with an empty folder, which is removed afterwards. */
export async function withFolder<Result>(
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "stile-accident-"));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Counts stack traces in a process's output for people; entries of its log are one line of JSON.
 */
export function countStackTraces(text: string): number {
  return text.split(/\n(?!\s)/).filter((entry) => /^\s+at .*:\d+/m.test(entry)).length;
}

/** The bound of many accidents: no losses. */
export const NONE = { kind: "at_most", value: 0 } as const;
