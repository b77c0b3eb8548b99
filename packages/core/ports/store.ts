import type { Finding } from "@stile/protocol/dashboard-api";
import type { AuditLog } from "./account/audit-log.ts";
import type { Links } from "./account/links.ts";
import type { Members } from "./account/members.ts";
import type { Sessions } from "./account/sessions.ts";
import type { ChallengeLedger } from "./challenge/challenge-ledger.ts";
import type { Housekeeping } from "./housekeeping.ts";
import type { LayoutBanks, StoredLayoutVotes } from "./layout/layout-banks.ts";
import type { NodeFeed } from "./node-feed.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { ServiceKeys } from "./service-keys.ts";
import type { KeyUsage } from "./site/key-usage.ts";
import type { Sites } from "./site/sites.ts";
import type { DecisionLog } from "./statistics/decision-log.ts";
import type { Statistics } from "./statistics/statistics.ts";
import type { TokenLedger } from "./token/token-ledger.ts";

/** What survives: `strict` a loss of power, `crash-safe` a killed process, `best-effort` neither. */
export type Durability = "strict" | "crash-safe" | "best-effort";

/** An engine as it is really set up, read from it, not from the configuration. */
export type StoreDescription = {
  /** Name and version. */
  readonly engine: string;
  readonly durability: Durability;
  /** The settings that the class was judged by. */
  readonly detail: string;
  /** What of it should be mended, and what is worth a word. */
  readonly findings: readonly Finding[];
};

/** What nodes that share a store need besides. */
export interface SharedStore {
  /** The store's own clock, epoch ms, which all nodes have in common; endlessly late where it has none. */
  nowMs(): Promise<number>;
  /** Begins a feed for one node. */
  openFeed(): NodeFeed;
  /**
   * `begin` for a node that runs, to be called every few seconds: the store may become another one under it, or another node may
   * have retired the keys. Until `load` has then read the service keys anew, this node spends nothing (StoreUnavailable).
   */
  follow(load: () => Promise<void>): Promise<"continued" | "retired">;
  /** Fails what is waited for, and whatever is asked from now on (StoreUnavailable): to be called where a stop takes too long. */
  giveUp(): void;
}

/** Everything an engine must offer. */
export interface Store {
  readonly sites: Sites;
  readonly tokens: TokenLedger;
  readonly challenges: ChallengeLedger;
  readonly limiter: RateLimiter;
  readonly statistics: Statistics;
  readonly decisions: DecisionLog;
  readonly keyUsage: KeyUsage;
  readonly serviceKeys: ServiceKeys;
  readonly members: Members;
  readonly links: Links;
  readonly sessions: Sessions;
  readonly auditLog: AuditLog;
  readonly layoutBanks: LayoutBanks;
  readonly layoutVotes: StoredLayoutVotes;
  readonly housekeeping: Housekeeping;
  /** What several nodes share a store by; absent where one process has it for itself. */
  readonly nodes?: SharedStore;
  /**
   * To be called once by a server, before it answers anybody. If what was spent may be missing from the store - it is a copy,
   * or an older one was put back - all service keys are retired in the same atomic step, and the answer is `retired`.
   */
  begin(): Promise<"continued" | "retired">;
  /** Does the work while no other process that starts on this store does such work; for what only a first start makes. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Rejects if the store can't be written to; for /readyz. */
  ping(): Promise<void>;
  describe(): Promise<StoreDescription>;
  /** Writes what is pending, that the run ended well, and lets go of the engine. */
  close(): Promise<void>;
}
