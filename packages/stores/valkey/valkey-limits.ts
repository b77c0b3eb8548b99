import type { RateLimiter } from "@stile/core/ports/rate-limiter";
import type { Store } from "@stile/core/ports/store";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { openPostgresStore, type PostgresOptions } from "../postgres/postgres-store.ts";
import { endWithin } from "./engine/end-within.ts";
import { readValkeyAddress } from "./engine/valkey-address.ts";
import type { ValkeyPlan } from "./engine/valkey-client.ts";
import { DEADLINE_MS, openValkeyConnection } from "./engine/valkey-connection.ts";
import { createValkeyRateLimiter } from "./valkey-rate-limiter.ts";

/** How long (ms) a limit waits for Valkey: with PostgreSQL's answer, no longer than a score may take before it writes anything else. */
const PATIENCE_MS = 250;

/** The store of all else, the Valkey beside it, and who is told when that can't be reached, and when it can again. */
export type ValkeyLimitsOptions = Pick<ValkeyPlan, "onProblem"> & {
  readonly postgres: PostgresOptions;
  readonly url: string;
  /** How long (ms) a limit waits for Valkey before PostgreSQL counts the request. */
  readonly patienceMs?: number | undefined;
};

/** Counts in the first; what that can't say in time, in the other. */
function countElsewhere(first: RateLimiter, other: RateLimiter, patienceMs: number): RateLimiter {
  return {
    consume: async (request) => {
      try {
        return await endWithin(patienceMs, first.consume(request));
      } catch (fault) {
        if (!(fault instanceof StoreUnavailable)) throw fault;
        return await other.consume(request);
      }
    },
  };
}

/**
 * Opens the scaled store with the limits that are no part of a spend in Valkey (decision 0100): those of scores. Whatever Valkey forgets, what
 * was spent lies in PostgreSQL, with the limit of redemptions, which is judged in the same write; and while it is away PostgreSQL counts for
 * it. Rejects with DatabaseProblem, never for Valkey.
 */
export async function openValkeyLimits(options: ValkeyLimitsOptions): Promise<Store> {
  const { postgres, url, onProblem, patienceMs = PATIENCE_MS } = options;
  const address = readValkeyAddress(url);
  const durable = await openPostgresStore(postgres);
  const plan = { address, onProblem, nowMs: Date.now, deadlineMs: DEADLINE_MS, replicas: 0 };
  const connection = await openValkeyConnection({ ...plan, holds: "limits" });
  return {
    ...durable,
    limiter: countElsewhere(createValkeyRateLimiter(connection), durable.limiter, patienceMs),
    describe: async () => {
      const [description, hot] = [await durable.describe(), await connection.describe()];
      return { ...description, findings: [...description.findings, ...hot.findings] };
    },
    close: async () => {
      await durable.close();
      await connection.close();
    },
  };
}
