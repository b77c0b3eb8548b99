import type { FailureCounter } from "@stile/pow/failure-counter";
import type { ServiceSettings } from "../domain/service-settings.ts";
import type { AuditLog } from "./account/audit-log.ts";
import type { PasskeyCeremonies, Passwords, TotpCodes, Vault } from "./account/credentials.ts";
import type { Links } from "./account/links.ts";
import type { Members } from "./account/members.ts";
import type { SecurityEvents } from "./account/security-events.ts";
import type { Sessions } from "./account/sessions.ts";
import type { ChallengeLedger } from "./challenge/challenge-ledger.ts";
import type { ChallengeTallies } from "./challenge/challenge-tallies.ts";
import type { Clock } from "./clock.ts";
import type { Cryptography } from "./cryptography.ts";
import type { LocalLimiter, RateLimiter } from "./rate-limiter.ts";
import type { KeyUsage } from "./site/key-usage.ts";
import type { SiteLoad } from "./site/site-load.ts";
import type { SiteDirectory, Sites } from "./site/sites.ts";
import type { UsualEarnings } from "./site/usual-earnings.ts";
import type { DecisionLog } from "./statistics/decision-log.ts";
import type { Statistics } from "./statistics/statistics.ts";
import type { ScoredTokens } from "./token/scored-tokens.ts";
import type { TokenLedger } from "./token/token-ledger.ts";
import type { TokenUsage } from "./token/token-usage.ts";
import type { NetworkLists } from "./visitor/network-lists.ts";
import type { VisitMemory } from "./visitor/visit-memory.ts";
import type { VisitorMemory } from "./visitor/visitor-memory.ts";
import type { WaveMemory } from "./visitor/wave-memory.ts";

/**
 * All ports that use cases and services use. Each use case picks the ones it needs in its
 * signature; the composition builds one object for all.
 */
export type ServicePorts = {
  readonly clock: Clock;
  readonly cryptography: Cryptography;
  /**
   * Reads the service keys again if other nodes have replaced them; each call is answered by a
   * reading that began after it. Rejects with StoreUnavailable. Undefined if there are no other
   * nodes.
   */
  readonly followKeys: (() => Promise<void>) | undefined;
  readonly settings: ServiceSettings;
  readonly directory: SiteDirectory;
  readonly sites: Sites;
  readonly keyUsage: KeyUsage;
  readonly siteLoad: SiteLoad;
  readonly challenges: ChallengeLedger;
  readonly challengeTallies: ChallengeTallies;
  readonly failures: FailureCounter;
  readonly tokens: TokenLedger;
  readonly scoredTokens: ScoredTokens;
  readonly tokenUsage: TokenUsage;
  readonly usualEarnings: UsualEarnings;
  readonly limiter: RateLimiter;
  readonly localLimiter: LocalLimiter;
  readonly visitorMemory: VisitorMemory;
  readonly visitMemory: VisitMemory;
  /**
   * Signals that pages collected for scores, without any work. They are separate, so that they
   * evict no visit.
   */
  readonly collectedMemory: VisitMemory;
  readonly waveMemory: WaveMemory;
  readonly networkLists: NetworkLists;
  readonly statistics: Statistics;
  readonly decisions: DecisionLog;
  readonly securityEvents: SecurityEvents;
  readonly auditLog: AuditLog;
  readonly members: Members;
  readonly sessions: Sessions;
  readonly links: Links;
  readonly passwords: Passwords;
  readonly vault: Vault;
  /** Seals the cookies of known browsers, under a separate key. */
  readonly devices: Vault;
  readonly totpCodes: TotpCodes;
  readonly passkeyCeremonies: PasskeyCeremonies;
  /**
   * Expected hashes of the work before a stranger's password is checked, if nobody has failed
   * recently.
   */
  readonly puzzleBase: number;
};
