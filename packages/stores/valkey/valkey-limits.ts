import type { RateLimiter } from "@stile/core/ports/rate-limiter";
import type { Store } from "@stile/core/ports/store";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { endWithin } from "../end-within.ts";
import { openPostgresStore, type PostgresOptions } from "../postgres/postgres-store.ts";
import { readValkeyAddress } from "./engine/valkey-address.ts";
import type { ValkeyPlan } from "./engine/valkey-client.ts";
import { openValkeyConnection, TOO_SLOW } from "./engine/valkey-connection.ts";
import { createValkeyRateLimiter } from "./valkey-rate-limiter.ts";

/** How long a limit waits for Valkey, ms: with PostgreSQL's answer after it, a score must still be in time. */
const PATIENCE_MS = 250;

/**
 * The store of everything else, the Valkey beside it, and who hears when that can't be reached, and when it can again.
 */
export type ValkeyLimitsOptions = Pick<ValkeyPlan, "onProblem"> & {
  readonly postgres: PostgresOptions;
  readonly url: string;
  /** How long a limit waits for Valkey before PostgreSQL counts the request, ms. */
  readonly patienceMs?: number | undefined;
};

/** Counts in `first`, or in `other` if that can't answer in time. */
function countElsewhere(first: RateLimiter, other: RateLimiter, patienceMs: number): RateLimiter {
  return {
    consume: async (request) => {
      try {
        return await endWithin(patienceMs, first.consume(request), TOO_SLOW);
      } catch (fault) {
        if (!(fault instanceof StoreUnavailable)) throw fault;
        return await other.consume(request);
      }
    },
  };
}

/**
 * Opens the scaled store with those limits in Valkey that are not part of a spend (decision 0100): the limits of
 * scores. Whatever Valkey forgets, spends are kept in PostgreSQL, with the limit of redemptions, which is judged in the
 * same write; and while Valkey is away PostgreSQL counts for it. Rejects with DatabaseProblem, never because of Valkey.
 */
export async function openValkeyLimits(options: ValkeyLimitsOptions): Promise<Store> {
  const { postgres, url, onProblem, patienceMs = PATIENCE_MS } = options;
  const address = readValkeyAddress(url);
  const durable = await openPostgresStore(postgres);
  const plan = { address, onProblem, nowMs: Date.now, replicas: 0 };
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
