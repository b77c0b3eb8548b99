import { checkRate } from "@stile/core/domain/rate-window";
import type { RateLimiter } from "@stile/core/ports/rate-limiter";
import type { ValkeyConnection } from "./engine/valkey-connection.ts";
import { FUNCTIONS } from "./engine/valkey-functions.ts";
import { rateNames } from "./engine/valkey-keys.ts";

/** Limits that are exact across nodes, counted in Valkey, one function call for each request (D10). */
export function createValkeyRateLimiter(connection: ValkeyConnection): RateLimiter {
  return {
    consume: async ({ scope, perMinute, nowMs }) => {
      const args = [FUNCTIONS.consume, 2, ...rateNames(scope, nowMs), perMinute, nowMs];
      const [session, sinceMs] = [connection.session(), performance.now()];
      const [current, previous] = (await connection.call(session, "FCALL", args)) as [number, number];
      await connection.copied(session, sinceMs);
      return checkRate({ current, previous }, perMinute, nowMs);
    },
  };
}
