import type { Finding } from "@stile/protocol/dashboard-api";
import type { AuditLog } from "./account/audit-log.ts";
import type { Links } from "./account/links.ts";
import type { Members } from "./account/members.ts";
import type { Sessions } from "./account/sessions.ts";
import type { ChallengeLedger } from "./challenge/challenge-ledger.ts";
import type { Housekeeping } from "./housekeeping.ts";
import type { NodeFeed } from "./node-feed.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { ServiceKeys } from "./service-keys.ts";
import type { KeyUsage } from "./site/key-usage.ts";
import type { Sites } from "./site/sites.ts";
import type { DecisionLog } from "./statistics/decision-log.ts";
import type { Statistics } from "./statistics/statistics.ts";
import type { TokenLedger } from "./token/token-ledger.ts";

/**
 * The failures that written data survives: `strict` a power failure, `crash-safe` a killed process,
 * `best-effort` neither.
 */
export type Durability = "strict" | "crash-safe" | "best-effort";

/** How an engine is really set up, as read from the engine and not from the configuration. */
export type StoreDescription = {
  /** Name and version. */
  readonly engine: string;
  readonly durability: Durability;
  /** The settings that decide the durability. */
  readonly detail: string;
  /** Faults to fix, and remarks. */
  readonly findings: readonly Finding[];
};

/** The additional needs of nodes that share a store. */
export interface SharedStore {
  /**
   * The clock of the store, epoch ms, which all nodes share. If it has none, a time later than any
   * other.
   */
  nowMs(): Promise<number>;
  /** Opens the feed of one node. */
  openFeed(): NodeFeed;
  /**
   * `begin` for a running node, called every few seconds: the store may be replaced while the node
   * runs, or another node may have retired the keys. Then this node spends nothing
   * (StoreUnavailable) until `load` has read the service keys again.
   */
  follow(load: () => Promise<void>): Promise<"continued" | "retired">;
  /** Fails all pending and later calls (StoreUnavailable). Call it if a stop takes too long. */
  giveUp(): void;
}

/** Everything a store engine must offer. */
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
  readonly housekeeping: Housekeeping;
  /** The needs of several nodes on one store; absent if one process has the store to itself. */
  readonly nodes?: SharedStore;
  /**
   * A server calls this once, before it answers anybody. If spent marks may be missing from the
   * store (it is a copy, or an older one was restored), all service keys are retired in the same
   * atomic step, and the result is `retired`.
   */
  begin(): Promise<"continued" | "retired">;
  /**
   * Runs `work` while no other process that starts on this store does; for data that only a first
   * start creates.
   */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Rejects if the store can't be written to; used by /readyz. */
  ping(): Promise<void>;
  describe(): Promise<StoreDescription>;
  /** Writes pending data, records that the run ended properly, and releases the engine. */
  close(): Promise<void>;
}
