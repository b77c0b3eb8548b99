import { CHEAP_SCOPES, type LocalLimiter } from "@stile/core/ports/rate-limiter";
import type { ServicePorts } from "@stile/core/ports/service-ports";
import type { NetworkLists } from "@stile/core/ports/visitor/network-lists";
import { createFailureCounter } from "@stile/pow/failure-counter";
import { createCachedDirectory } from "@stile/stores/process/cached-directory";
import { createChallengeTallies } from "@stile/stores/process/challenge-tallies";
import { createLocalLimiter } from "@stile/stores/process/local-limiter";
import { shareMemories } from "@stile/stores/process/shared-memory";
import { createSiteLoad } from "@stile/stores/process/site-load";
import { createScoredTokens } from "@stile/stores/process/tokens/scored-tokens";
import { createTokenUsage } from "@stile/stores/process/tokens/token-usage";
import { createUsualEarnings } from "@stile/stores/process/tokens/usual-earnings";
import { createVisitMemory } from "@stile/stores/process/visit-memory";
import { createVisitorMemory } from "@stile/stores/process/visitor-memory";
import { createWaveMemory } from "@stile/stores/process/waves/wave-memory";
import { type BufferedSecurityEvents, createSecurityEvents } from "../account/security-events.ts";
import { createSignInLimiter } from "../account/sign-in-limiter.ts";
import { type ComposedKeys, composeKeys, type KeyParts } from "./compose-keys.ts";

/** Bounds of a process's memory. An entry takes about 100 bytes unless another size is given. */
const PROCESS_BOUNDS = {
  /** For CHEAP_SCOPES, and as many for all others; 200 bytes each. */
  limitScopes: 100_000,
  visitors: 100_000,
  failures: 50_000,
  scoredTokens: 50_000,
  sites: 10_000,
  /**
   * Recent requests for challenges: at most 70 MB in a flood from everywhere, nothing after two
   * quiet minutes.
   */
  tallies: { maxOwners: 20_000, maxNetworks: 50_000, maxInner: 75_000 },
  /** Networks and sites whose tokens are counted: at most 15 MB. */
  tokenUsage: { maxNetworks: 50_000, maxSites: 10_000 },
  /**
   * Paths remembered per site and in total, at most 20 MB; and behaviours, about 300 bytes each.
   */
  visits: { pathsOfSite: 5_000, paths: 250_000, behaviours: 100_000 },
  /**
   * The same for evidence collected for scores. It takes no work to send, so it has separate
   * bounds: a flood of it pushes out no visit.
   */
  collected: { pathsOfSite: 1_000, paths: 50_000, behaviours: 20_000 },
  /** Sites whose normal traffic is known, 144 KB each: at most 29 MB. */
  waves: { maxSites: 200 },
};

/** The bounds of a server, or smaller ones for a test. */
export type ProcessBounds = typeof PROCESS_BOUNDS;

/** The ports of a process except its settings, which depend on the first start. */
export type ProcessPorts = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "followKeys"
  | "directory"
  | "sites"
  | "keyUsage"
  | "siteLoad"
  | "challenges"
  | "challengeTallies"
  | "failures"
  | "tokens"
  | "scoredTokens"
  | "tokenUsage"
  | "usualEarnings"
  | "limiter"
  | "localLimiter"
  | "visitorMemory"
  | "visitMemory"
  | "collectedMemory"
  | "waveMemory"
  | "networkLists"
  | "statistics"
  | "decisions"
> & { readonly securityEvents: BufferedSecurityEvents };

/** The ports of a process, and the jobs and counters that belong to them. */
export type ComposedPorts = Pick<ComposedKeys, "refreshKeys" | "followStore"> & {
  readonly ports: ProcessPorts;
  /**
   * The dashboard's own counters of attempts. A flood of visitors must not make it forget attempts
   * to guess passwords.
   */
  readonly signInLimiter: LocalLimiter;
  /** Exchanges what nodes remember; undefined if there are no others. */
  readonly exchange: (() => Promise<void>) | undefined;
};

/** The parts that a process is composed of. */
export type ProcessParts = KeyParts & {
  readonly networkLists: NetworkLists;
  readonly bounds?: ProcessBounds;
};

/**
 * The ports of the public endpoints' use cases: the store, the keys, and the process's memory,
 * which is empty at the start. Rejects with WrongMasterKey, and as the store does.
 */
export async function composePorts(parts: ProcessParts): Promise<ComposedPorts> {
  const { store, clock, networkLists, log, bounds = PROCESS_BOUNDS } = parts;
  const feed = store.nodes?.openFeed();
  const { cryptography, followKeys, ...keyJobs } = await composeKeys(parts, feed);
  const visits = createVisitMemory(bounds.visits);
  const collected = createVisitMemory(bounds.collected);
  const { memories, exchange } = shareMemories(
    {
      ...visits,
      collectedPaths: collected.paths,
      collectedBehaviours: collected.behaviours,
      visitors: createVisitorMemory({ maxEntries: bounds.visitors }),
      tokenUsage: createTokenUsage(bounds.tokenUsage),
      attempts: createSignInLimiter(),
      waves: createWaveMemory(bounds.waves),
    },
    feed,
    clock,
  );
  const { sites, statistics, decisions, keyUsage, tokens, challenges, limiter, auditLog } = store;
  const ports: ProcessPorts = {
    clock,
    cryptography,
    followKeys,
    networkLists,
    sites,
    statistics,
    decisions,
    keyUsage,
    tokens,
    challenges,
    limiter,
    directory: createCachedDirectory({ sites, clock, maxEntries: bounds.sites }),
    localLimiter: createLocalLimiter({ maxScopes: bounds.limitScopes, apart: CHEAP_SCOPES }),
    challengeTallies: createChallengeTallies(bounds.tallies),
    siteLoad: createSiteLoad({ maxSites: bounds.sites }),
    visitorMemory: memories.visitors,
    visitMemory: memories,
    collectedMemory: { paths: memories.collectedPaths, behaviours: memories.collectedBehaviours },
    waveMemory: memories.waves,
    failures: createFailureCounter(bounds.failures),
    scoredTokens: createScoredTokens(bounds.scoredTokens),
    tokenUsage: memories.tokenUsage,
    usualEarnings: createUsualEarnings(statistics, { maxSites: bounds.sites }),
    securityEvents: createSecurityEvents({ clock, auditLog, log }),
  };
  return {
    ports,
    signInLimiter: memories.attempts,
    ...keyJobs,
    exchange: feed && exchange,
  };
}
