import { createBoundedMap } from "@stile/core/domain/bounded-map";
import type { TokenUsage } from "@stile/core/ports/token/token-usage";
import { TOKEN_LIFE_SECONDS } from "@stile/protocol/limits";

type TokenCounts = NonNullable<ReturnType<TokenUsage["find"]>>["network"];

/** Counts of an hour: this window and the three before it. */
type UsageWindows = { window: number; readonly counts: Uint32Array };

/**
 * UTC clock windows, in ms, by which earned tokens are counted. All of one have expired when the
 * next one ends.
 */
const WINDOW_MS = TOKEN_LIFE_SECONDS.max * 1000;
const WINDOWS = 4;
/** All tokens of a window have expired when this many windows have passed. */
const SETTLED = 2;
const [EARNED, REDEEMED, TRACED, MOVED, FIELDS] = [0, 1, 2, 3, 4];

const windowOf = (atMs: number): number => Math.floor(atMs / WINDOW_MS);
const placeOf = (window: number): number => (window % WINDOWS) * FIELDS;

/**
 * Moves the windows to the given one and empties the new ones. If the clock goes back, nothing
 * changes.
 */
function advance(usage: UsageWindows, window: number): void {
  for (let next = Math.max(usage.window + 1, window - WINDOWS + 1); next <= window; next++) {
    usage.counts.fill(0, placeOf(next), placeOf(next) + FIELDS);
  }
  usage.window = Math.max(usage.window, window);
}

/** The counts of that window, or undefined if it is outside the hour. */
function countsOf(usage: UsageWindows, window: number): Uint32Array | undefined {
  if (window > usage.window || window <= usage.window - WINDOWS) return undefined;
  return usage.counts.subarray(placeOf(window), placeOf(window) + FIELDS);
}

/**
 * Caps redemptions at the tokens that this process saw being earned. Others may date from before it
 * started.
 */
function toCounts(counts: Uint32Array, without?: Uint32Array): TokenCounts {
  const of = (field: number, most = Number.POSITIVE_INFINITY): number =>
    Math.min(most, Math.max(0, (counts[field] ?? 0) - (without?.[field] ?? 0)));
  const earned = of(EARNED);
  const redeemed = of(REDEEMED, earned);
  const traced = of(TRACED, redeemed);
  return { earned, redeemed, traced, moved: of(MOVED, traced) };
}

/** The sum of a field over the hour's windows. */
function sumOf(usage: UsageWindows | undefined, field: number, nowMs: number): number {
  let sum = 0;
  if (usage !== undefined) {
    advance(usage, windowOf(nowMs));
    for (let window = 0; window < WINDOWS; window++)
      sum += usage.counts[placeOf(window) + field] ?? 0;
  }
  return sum;
}

/** Windows by name. The entry that earned nothing for longest is evicted. */
function createUsageWindows(maxEntries: number) {
  const entries = createBoundedMap<string, UsageWindows>(maxEntries);
  return {
    find: entries.get,
    forEach: entries.forEach,
    /** Returns the entry unchanged, or creates it. Only earning protects an entry from eviction. */
    findOrBegin: (name: string, window: number): UsageWindows => {
      const known = entries.get(name);
      if (known !== undefined) return known;
      const usage = { window, counts: new Uint32Array(WINDOWS * FIELDS) };
      entries.set(name, usage);
      return usage;
    },
    renew: (name: string, window: number): UsageWindows => {
      const usage = entries.get(name) ?? { window, counts: new Uint32Array(WINDOWS * FIELDS) };
      entries.set(name, usage);
      advance(usage, window);
      return usage;
    },
  };
}

function add(counts: Uint32Array | undefined, field: number): void {
  if (counts !== undefined) counts[field] = (counts[field] ?? 0) + 1;
}

/**
 * Counts what happens to tokens, in windows as long as the longest life of a token (15 minutes). A
 * window is scored when all its tokens have expired, 15 to 30 minutes after they were earned. Holds
 * at most `maxNetworks` networks and `maxSites` sites, about 300 bytes each.
 *
 * Example: tokens earned from 12:00 to 12:15 form one window, and the last expires by 12:30. `find`
 * returns that window from 12:30 to 12:45.
 */
export function createTokenUsage(bounds: {
  readonly maxNetworks: number;
  readonly maxSites: number;
}): TokenUsage {
  const networks = createUsageWindows(bounds.maxNetworks);
  const sites = createUsageWindows(bounds.maxSites);
  return {
    recordEarned: (siteKey, network, nowMs) => {
      const window = windowOf(nowMs);
      add(countsOf(networks.renew(`${siteKey} ${network}`, window), window), EARNED);
      add(countsOf(sites.renew(siteKey, window), window), EARNED);
    },
    recordRedeemed: (use) => {
      const window = windowOf(use.earnedAtMs);
      // Another node may report the redemption before the earning.
      const own = networks.findOrBegin(`${use.siteKey} ${use.network}`, window);
      for (const usage of [own, sites.findOrBegin(use.siteKey, window)]) {
        advance(usage, windowOf(use.nowMs));
        const counts = countsOf(usage, window);
        add(counts, REDEEMED);
        if (use.hasMoved !== undefined) add(counts, TRACED);
        if (use.hasMoved === true) add(counts, MOVED);
      }
      return sumOf(own, REDEEMED, use.nowMs);
    },
    earnedLately: (siteKey, network, nowMs) =>
      sumOf(networks.find(`${siteKey} ${network}`), EARNED, nowMs),
    countEarners: (siteKey, holds, nowMs) => {
      let count = 0;
      networks.forEach((name, usage) => {
        if (name.startsWith(`${siteKey} `) && holds(sumOf(usage, EARNED, nowMs))) count++;
      });
      return count;
    },
    find: (siteKey, network, nowMs) => {
      const usage = networks.find(`${siteKey} ${network}`);
      const site = sites.find(siteKey);
      if (usage === undefined || site === undefined) return undefined;
      for (const one of [usage, site]) advance(one, windowOf(nowMs));
      const settled = windowOf(nowMs) - SETTLED;
      const counts = countsOf(usage, settled);
      const all = countsOf(site, settled);
      if (counts === undefined || all === undefined || counts[EARNED] === 0) return undefined;
      return { network: toCounts(counts), others: toCounts(all, counts) };
    },
  };
}
