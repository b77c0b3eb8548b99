import { createBoundedMap } from "@stile/core/domain/bounded-map";
import type { TokenTrails } from "@stile/core/ports/token/token-trails";
import { TOKEN_LIFE_SECONDS } from "@stile/protocol/limits";

type Fates = NonNullable<ReturnType<TokenTrails["find"]>>["network"];

/** Counts of this window, of the one before, and of the one before that, in which no token lives any more. */
type Trail = { window: number; readonly counts: Uint32Array };

/** Tokens of one window are dead when the next one is over. */
const WINDOW_MS = TOKEN_LIFE_SECONDS.max * 1000;
const WINDOWS = 3;
const [EARNED, REDEEMED, TRACED, MOVED, FIELDS] = [0, 1, 2, 3, 4];

const windowOf = (atMs: number): number => Math.floor(atMs / WINDOW_MS);
const placeOf = (window: number): number => (window % WINDOWS) * FIELDS;

/** Brings a trail to the given window: what comes into sight is empty. A clock set back changes nothing. */
function advance(trail: Trail, window: number): void {
  for (let next = Math.max(trail.window + 1, window - WINDOWS + 1); next <= window; next++) {
    trail.counts.fill(0, placeOf(next), placeOf(next) + FIELDS);
  }
  trail.window = Math.max(trail.window, window);
}

/** The trail's counts of the window, or undefined if it is out of sight. */
function countsOf(trail: Trail, window: number): Uint32Array | undefined {
  if (window > trail.window || window <= trail.window - WINDOWS) return undefined;
  return trail.counts.subarray(placeOf(window), placeOf(window) + FIELDS);
}

function toFates(counts: Uint32Array, without?: Uint32Array): Fates {
  const of = (field: number): number => Math.max(0, (counts[field] ?? 0) - (without?.[field] ?? 0));
  return { earned: of(EARNED), redeemed: of(REDEEMED), traced: of(TRACED), moved: of(MOVED) };
}

/** Trails by name; the one that earned nothing for longest makes room. */
function createTrails(maxTrails: number) {
  const trails = createBoundedMap<string, Trail>(maxTrails);
  return {
    find: trails.get,
    renew: (name: string, window: number): Trail => {
      const trail = trails.get(name) ?? { window, counts: new Uint32Array(WINDOWS * FIELDS) };
      trails.set(name, trail);
      advance(trail, window);
      return trail;
    },
  };
}

function add(counts: Uint32Array | undefined, field: number): void {
  if (counts !== undefined) counts[field] = (counts[field] ?? 0) + 1;
}

/**
 * What becomes of tokens, in windows of the longest life a token can have: one is judged when all its tokens are dead, 15
 * to 30 minutes after they were earned. Of at most `maxNetworks` networks and `maxSites` sites, about 300 bytes each.
 */
export function createTokenTrails(bounds: { readonly maxNetworks: number; readonly maxSites: number }): TokenTrails {
  const networks = createTrails(bounds.maxNetworks);
  const sites = createTrails(bounds.maxSites);
  return {
    noteEarned: (siteKey, network, nowMs) => {
      const window = windowOf(nowMs);
      add(countsOf(networks.renew(`${siteKey} ${network}`, window), window), EARNED);
      add(countsOf(sites.renew(siteKey, window), window), EARNED);
    },
    noteRedeemed: ({ siteKey, network, earnedAtMs, nowMs, hasMoved }) => {
      const trail = networks.find(`${siteKey} ${network}`);
      const site = sites.find(siteKey);
      if (trail === undefined || site === undefined) return;
      const window = windowOf(earnedAtMs);
      for (const one of [trail, site]) advance(one, windowOf(nowMs));
      const counts = countsOf(trail, window);
      // A token that was earned before this process began, or on another node, is not in its shares.
      if (counts === undefined || (counts[REDEEMED] ?? 0) >= (counts[EARNED] ?? 0)) return;
      for (const one of [counts, countsOf(site, window)]) {
        add(one, REDEEMED);
        if (hasMoved !== undefined) add(one, TRACED);
        if (hasMoved === true) add(one, MOVED);
      }
    },
    find: (siteKey, network, nowMs) => {
      const trail = networks.find(`${siteKey} ${network}`);
      const site = sites.find(siteKey);
      if (trail === undefined || site === undefined) return undefined;
      for (const one of [trail, site]) advance(one, windowOf(nowMs));
      const settled = windowOf(nowMs) - WINDOWS + 1;
      const counts = countsOf(trail, settled);
      const all = countsOf(site, settled);
      if (counts === undefined || all === undefined || counts[EARNED] === 0) return undefined;
      return { network: toFates(counts), others: toFates(all, counts) };
    },
  };
}
