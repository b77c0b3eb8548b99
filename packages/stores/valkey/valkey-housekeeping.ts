import type { Housekeeping } from "@stile/core/ports/housekeeping";
import type { Sites } from "@stile/core/ports/site/sites";
import type { ValkeyConnection } from "./engine/valkey-connection.ts";
import { FUNCTIONS } from "./engine/valkey-functions.ts";
import { MARKS_PATTERN, type Marks, readMarksName, readSiteKey, SITES_PATTERN } from "./engine/valkey-keys.ts";

/** How many names one step of the search looks at. */
const STEP_NAMES = 250;

async function* findNames(connection: ValkeyConnection, pattern: string): AsyncGenerator<readonly string[]> {
  let cursor = "0";
  do {
    const args = [cursor, "MATCH", pattern, "COUNT", STEP_NAMES];
    const [next, names] = (await connection.call(connection.session(), "SCAN", args)) as [string, string[]];
    yield names;
    cursor = next;
  } while (cursor !== "0");
}

/**
 * Removes what Valkey keeps of purged sites, including sites whose removal was interrupted. Nobody learns a site again
 * that exists nowhere; a deleted site that can be restored still exists.
 */
export async function forgetPurgedSites(
  connection: ValkeyConnection,
  { findSite }: Pick<Sites, "findSite">,
): Promise<void> {
  for await (const names of findNames(connection, SITES_PATTERN)) {
    for (const name of names) {
      if ((await findSite(readSiteKey(name))) !== undefined) continue;
      await connection.call(connection.session(), "UNLINK", [name]);
    }
  }
}

/**
 * Removes marks from Valkey, a second of a site at a time, and what the durable store has of its own: each also while
 * the other is away. Limits expire by themselves.
 */
export function createValkeyHousekeeping(connection: ValkeyConnection, durable: Housekeeping): Housekeeping {
  const sweepOne = async ({ name, site, kind, endsAtMs }: Marks): Promise<number> => {
    const session = connection.session();
    const args = [FUNCTIONS.sweep, 2, site, name, `swept_${kind}`, endsAtMs, session.generation.beginning];
    return (await connection.call(session, "FCALL", args)) as number;
  };
  const sweepMarks = async (nowMs: number): Promise<number> => {
    let swept = 0;
    for await (const names of findNames(connection, MARKS_PATTERN)) {
      const marks = names.flatMap((name) => readMarksName(name) ?? []);
      // All marks of a step together: one after another, each would wait for the disk by itself.
      const counts = await Promise.all(marks.filter(({ endsAtMs }) => endsAtMs <= nowMs).map(sweepOne));
      swept += counts.reduce((sum, count) => sum + count, 0);
    }
    return swept;
  };
  return {
    newestMs: durable.newestMs,
    sweep: async (nowMs) => {
      const ends = await Promise.allSettled([sweepMarks(nowMs), durable.sweep(nowMs)]);
      const [hot, own] = ends.map((end) => {
        if (end.status === "rejected") throw end.reason;
        return end.value;
      });
      return (hot ?? 0) + (own ?? 0);
    },
  };
}
