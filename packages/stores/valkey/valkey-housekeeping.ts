import type { Housekeeping } from "@stile/core/ports/housekeeping";
import type { ValkeyConnection } from "./engine/valkey-connection.ts";
import { FUNCTIONS } from "./engine/valkey-functions.ts";
import { MARKS_PATTERN, type Marks, readMarksName } from "./engine/valkey-keys.ts";

/** Names that one step of the search looks at. */
const STEP_NAMES = 250;

async function* findMarks(connection: ValkeyConnection): AsyncGenerator<readonly Marks[]> {
  let cursor = "0";
  do {
    const args = [cursor, "MATCH", MARKS_PATTERN, "COUNT", STEP_NAMES];
    const [next, names] = (await connection.call(connection.session(), "SCAN", args)) as [string, string[]];
    yield names.flatMap((name) => readMarksName(name) ?? []);
    cursor = next;
  } while (cursor !== "0");
}

/** Removal of marks from Valkey, a second of a site at a time, before whatever the durable store has to remove. Limits go by themselves. */
export function createValkeyHousekeeping(connection: ValkeyConnection, durable: Housekeeping): Housekeeping {
  const sweepOne = async ({ name, site, kind, endsAtMs }: Marks): Promise<number> => {
    const args = [FUNCTIONS.sweep, 2, site, name, `swept_${kind}`, endsAtMs];
    return (await connection.call(connection.session(), "FCALL", args)) as number;
  };
  const sweepMarks = async (nowMs: number): Promise<number> => {
    let swept = 0;
    for await (const marks of findMarks(connection)) {
      // Those of a step together: one after another, each would wait for the disk by itself.
      const counts = await Promise.all(marks.filter(({ endsAtMs }) => endsAtMs <= nowMs).map(sweepOne));
      swept += counts.reduce((sum, count) => sum + count, 0);
    }
    return swept;
  };
  return {
    newestMs: durable.newestMs,
    sweep: async (nowMs) => (await sweepMarks(nowMs)) + (await durable.sweep(nowMs)),
  };
}
