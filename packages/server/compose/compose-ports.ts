import { CHEAP_SCOPES, type LocalLimiter } from "@stile/core/ports/rate-limiter";
import type { ServicePorts } from "@stile/core/ports/service-ports";
import type { Store } from "@stile/core/ports/store";
import type { NetworkLists } from "@stile/core/ports/visitor/network-lists";
import { createFailureCounter } from "@stile/pow/failure-counter";
import { createCachedDirectory } from "@stile/stores/cached-directory";
import { createChallengeTallies } from "@stile/stores/process/challenge-tallies";
import { createLayoutVotes } from "@stile/stores/process/layout/layout-votes";
import { createLayoutScenes } from "@stile/stores/process/layout-scenes";
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
import { notAhead } from "../clock/not-ahead.ts";
import { type ComposedKeys, composeKeys, type KeyParts } from "./compose-keys.ts";

/** Bounds of what a process remembers. If no other size is given, an entry takes about 100 bytes. */
const PROCESS_BOUNDS = {
  /** Of CHEAP_SCOPES, and as many of all others; 200 bytes each. */
  limitScopes: 100_000,
  visitors: 100_000,
  failures: 50_000,
  scoredTokens: 50_000,
  sites: 10_000,
  /** Who asked for challenges lately: at most 70 MB in a flood from everywhere, nothing after two quiet minutes. */
  tallies: { maxOwners: 20_000, maxNetworks: 50_000, maxInner: 75_000 },
  /** Networks and sites whose tokens are followed: at most 15 MB. */
  tokenUsage: { maxNetworks: 50_000, maxSites: 10_000 },
  /** Paths remembered per site and in all, at most 20 MB; and behaviours, about 300 bytes each. */
  visits: { pathsOfSite: 5_000, paths: 250_000, behaviours: 100_000 },
  /** The same of what was collected for scores, which takes no work: a flood of it pushes out no visit. */
  collected: { pathsOfSite: 1_000, paths: 50_000, behaviours: 20_000 },
  /** Sites whose usual visits are known, 144 KB each: at most 29 MB. */
  waves: { maxSites: 200 },
  /** Networks that have voted on layouts today, 100 bytes each. */
  layoutVotes: { maxNetworks: 50_000 },
};

/** The bounds of a server, or smaller ones for a test. */
export type ProcessBounds = typeof PROCESS_BOUNDS;

/** The ports of a process except its settings, which depend on what the first start finds. */
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
  | "layoutBanks"
  | "layoutScenes"
  | "layoutVotes"
  | "statistics"
  | "decisions"
> & { readonly securityEvents: BufferedSecurityEvents };

/** The ports of a process, and the jobs and counters that belong to them. */
export type ComposedPorts = Pick<ComposedKeys, "refreshKeys" | "followStore"> & {
  readonly ports: ProcessPorts;
  /** The dashboard's own counters of attempts: a flood of visitors must not make it forget who guesses passwords. */
  readonly signInLimiter: LocalLimiter;
  /** Reads the scenes again if new ones were baked, and shares the votes of visits. */
  readonly refreshLayouts: () => Promise<void>;
  /** Exchanges what nodes remember; undefined if there are no others. */
  readonly exchange: (() => Promise<void>) | undefined;
};

/** The parts that a process is composed of. */
export type ProcessParts = KeyParts & { readonly networkLists: NetworkLists; readonly bounds?: ProcessBounds };

/** Votes fade for all nodes, so a node whose clock is ahead must not decide how far (decision 0076). */
function fadingVotes(store: Pick<Store, "layoutVotes" | "nodes">): Store["layoutVotes"] {
  const { layoutVotes } = store;
  return {
    ...layoutVotes,
    addVotes: async (votes, nowMs) => await layoutVotes.addVotes(votes, await notAhead(store, nowMs)),
    listVotes: async (nowMs) => await layoutVotes.listVotes(await notAhead(store, nowMs)),
  };
}

/**
 * The ports of the public endpoints' flows: the store, keys, and the process's memory, which is empty at its start.
 * Rejects with WrongMasterKey, and as the store does.
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
  const layoutScenes = createLayoutScenes(store.layoutBanks);
  const layoutVotes = createLayoutVotes(fadingVotes(store), layoutScenes, bounds.layoutVotes);
  const refreshLayouts = async (): Promise<void> => {
    await layoutScenes.refresh();
    await layoutVotes.refresh(clock.nowMs());
  };
  // Without scenes, visitors are asked for less. That is no reason not to start, and the job tries again.
  await refreshLayouts().catch((fault: unknown) => log.error({ err: fault }, "the scenes to lay out can't be read"));
  const { sites, statistics, decisions, keyUsage, tokens, challenges, limiter, auditLog, layoutBanks } = store;
  const ports: ProcessPorts = {
    ...{
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
    },
    directory: createCachedDirectory({ sites, clock, maxEntries: bounds.sites }),
    localLimiter: createLocalLimiter({ maxScopes: bounds.limitScopes, apart: CHEAP_SCOPES }),
    challengeTallies: createChallengeTallies(bounds.tallies),
    siteLoad: createSiteLoad({ maxSites: bounds.sites }),
    ...{ layoutBanks, layoutScenes, layoutVotes },
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
    refreshLayouts,
    exchange: feed && exchange,
  };
}
