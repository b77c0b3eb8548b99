import type { Housekeeping } from "@stile/core/ports/housekeeping";
import type { ValkeyConnection } from "./engine/valkey-connection.ts";
import { FUNCTIONS } from "./engine/valkey-functions.ts";
import { MARKS_PATTERN, type Marks, readMarksName } from "./engine/valkey-keys.ts";

/** Names that one step of the search looks at. */
const STEP_NAMES = 1_000;

async function* findMarks(connection: ValkeyConnection): AsyncGenerator<Marks> {
  let cursor = "0";
  do {
    const args = [cursor, "MATCH", MARKS_PATTERN, "COUNT", STEP_NAMES];
    const [next, names] = (await connection.call(connection.session(), "SCAN", args)) as [string, string[]];
    for (const name of names) {
      const marks = readMarksName(name);
      if (marks !== undefined) yield marks;
    }
    cursor = next;
  } while (cursor !== "0");
}

/** Removal of marks from Valkey, a second of a site at a time, before whatever the durable store has to remove. Limits go by themselves. */
export function createValkeyHousekeeping(connection: ValkeyConnection, durable: Housekeeping): Housekeeping {
  const sweepMarks = async (nowMs: number): Promise<number> => {
    let swept = 0;
    for await (const { name, site, kind, endsAtMs } of findMarks(connection)) {
      if (endsAtMs > nowMs) continue;
      const args = [FUNCTIONS.sweep, 2, site, name, `swept_${kind}`, endsAtMs];
      swept += (await connection.call(connection.session(), "FCALL", args)) as number;
    }
    return swept;
  };
  return {
    newestMs: durable.newestMs,
    sweep: async (nowMs) => (await sweepMarks(nowMs)) + (await durable.sweep(nowMs)),
  };
}
