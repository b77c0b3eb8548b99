import type { ChallengeLedger } from "./challenge-ledger.ts";
import type { Housekeeping } from "./housekeeping.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { ServiceKeys } from "./service-keys.ts";
import type { Sites } from "./sites.ts";
import type { Statistics } from "./statistics.ts";
import type { TokenLedger } from "./token-ledger.ts";

/** Everything an engine must offer. */
export interface Store {
  readonly sites: Sites;
  readonly tokens: TokenLedger;
  readonly challenges: ChallengeLedger;
  readonly limiter: RateLimiter;
  readonly statistics: Statistics;
  readonly serviceKeys: ServiceKeys;
  readonly housekeeping: Housekeeping;
  /** Rejects if the store can't be written to; for /readyz. */
  ping(): Promise<void>;
  /** Writes what is pending and lets go of the engine. */
  close(): Promise<void>;
}
