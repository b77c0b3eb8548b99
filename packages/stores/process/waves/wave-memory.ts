/**
 * Finds waves: many networks that suddenly send visits of one class, such as one browser, screen
 * and window (`visit-classes.ts`).
 *
 * Example: a site's sketch holds its latest 300 visits. A class usually has 1% of the visits, so 3
 * networks are expected. Now 40 networks sent it. It is a surge (`surge.ts`): 40 is at least 14, at
 * least 6 * 3 = 18, and at least half the excess of its crowds. Its crowd, say one browser engine
 * and system, usually has 50%, which is 150 networks. It has 187, an excess of 37, and 40 is more
 * than 18.5.
 *
 * A newsletter looks different. The same class has 40 networks, but its crowd of phones has 270
 * instead of 30. Half the excess is 120, more than 40, so there is no surge.
 *
 * A visit of a surge opens a wave or belongs to a known one. Example: a wave by screen and window
 * has 40 visits. Then 60 visits of one whole device inside it surge, too. The wave becomes the wave
 * of that device, because that class says more.
 *
 * Visits of a wave are not learnt as usual at first. They are once the wave is a day old and spent
 * 8 hours at half its current size or more. So computers that a site bought last week stop being a
 * wave.
 */

import { type BoundedMap, createBoundedMap } from "@stile/core/domain/bounded-map";
import {
  isCrowded,
  networksOf,
  networksWithout,
  type Seen,
} from "@stile/core/domain/visitor/network-places";
import { isSurge, LEAST_NETWORKS } from "@stile/core/domain/visitor/surge";
import { type ClassDigests, saysAllOf } from "@stile/core/domain/visitor/visit-classes";
import type { CountedVisit, Surge, WaveMemory } from "@stile/core/ports/visitor/wave-memory";
import type { WaveData } from "@stile/protocol/dashboard-waves";
import { createSiteSketch, type SiteSketch } from "./site-sketch.ts";

/**
 * A wave is listed this long after its last visit (ms). It is at least this old before it counts as
 * normal traffic.
 */
const SHOWN_MS = 24 * 3_600_000;
/**
 * A wave counts as normal traffic once it has lasted this long (ms) at half its current size or
 * more. Otherwise a small or short wave would make a large one normal the next day.
 */
const LARGE_MS = 8 * 3_600_000;
const MOST_GROWTH = 2;
/** The most waves per site that are listed, and that the owner can refuse at a time. */
const MOST_WAVES = 16;

/**
 * A known site is kept in preference to sites still being learnt until this long after its last
 * visit, ms.
 */
const KNOWN_MS = 24 * 3_600_000;

/**
 * A class must have this many times the networks of one that says more, because numbers of networks
 * are estimates.
 */
const PLAINLY_MORE = 1.25;

type Wave = {
  -readonly [Field in keyof Omit<WaveData, "isOver" | "refusedUntilMs">]: WaveData[Field];
} & {
  readonly kind: number;
  readonly digest: number;
  /** The classes and crowds of the visit that opened the wave. */
  readonly classes: CountedVisit["classes"];
  readonly crowds: CountedVisit["crowds"];
  /**
   * `share` is its share of the recent visits when it last doubled. `largeMs` is how long it has
   * had at least half that share since, ms.
   */
  share: number;
  largeMs: number;
};

type SiteWaves = {
  readonly era: number;
  /** When its last visit arrived. */
  visitedMs: number;
  readonly sketch: SiteSketch;
  readonly waves: Map<string, Wave>;
  /** Whether the site's owner refuses visits of the wave at that time. */
  readonly isRefused: (waveId: string, nowMs: number) => boolean;
};

/**
 * Waves under way come first, then the latest to begin. Ordered by last visit, two active waves
 * would swap places at each refresh, and an owner could click the wrong button.
 */
const inOrder = (one: WaveData, other: WaveData): number =>
  Number(one.isOver) - Number(other.isOver) ||
  other.sinceMs - one.sinceMs ||
  (one.waveId < other.waveId ? -1 : 1);

const waveIdOf = (kind: number, now: number): string => `${kind}-${now.toString(36)}`;

const isUsual = ({ sinceMs, largeMs }: Wave, nowMs: number): boolean =>
  nowMs - sinceMs >= SHOWN_MS && largeMs >= LARGE_MS;

const isMember = ({ kind, digest }: Wave, classes: CountedVisit["classes"]): boolean =>
  classes[kind]?.now === digest;

/**
 * The networks in `seen` without those of known waves that are a part of it. Each network counts
 * once, whatever the number of waves it is in. If we subtracted the waves' sums, a few networks in
 * many small waves would hide a large wave. If all bits are set, only visits can be counted. Then a
 * wave inside another one is not subtracted twice.
 */
function withoutWaves(
  { sketch, waves }: SiteWaves,
  seen: Seen,
  isPart: (wave: Wave) => boolean,
): number {
  if (waves.size === 0) return networksOf(seen);
  const parts: Wave[] = [];
  for (const wave of waves.values()) if (isPart(wave)) parts.push(wave);
  if (!isCrowded(seen))
    return networksWithout(
      seen,
      parts.map(({ digest }) => sketch.seen(digest)),
    );
  const vague = parts.filter(({ kind }) => kind > 0);
  const isWithin = (wave: Wave, other: Wave): boolean =>
    other.kind > wave.kind && isMember(other, wave.classes);
  const outer = parts.filter((wave) => !vague.some((other) => isWithin(wave, other)));
  return outer.reduce((left, { digest }) => left - sketch.seen(digest).visits, seen.visits);
}

/**
 * How far the visit's crowds exceed their usual share, in networks, without the networks of other
 * waves.
 */
function crowdExcessOf(site: SiteWaves, crowds: readonly number[], waveId: string): number {
  const { sketch } = site;
  const excesses = crowds.map((crowd, at) => {
    const isAnother = (wave: Wave): boolean => wave.waveId !== waveId && wave.crowds[at] === crowd;
    return (
      withoutWaves(site, sketch.seen(crowd), isAnother) - sketch.total() * sketch.usualShare(crowd)
    );
  });
  return Math.max(0, ...excesses);
}

/**
 * Finds the visit's class that surges: the one with the most networks and, if several have about as
 * many, the one that says most. A visit that shares only the screen with a wave of one whole device
 * is not part of that wave. So the wave's networks are subtracted. For a wave whose visits differ
 * in other properties, the overlap is unknown, so nothing is subtracted.
 */
function findSurge(site: SiteWaves, { classes, crowds }: CountedVisit): Surge | undefined {
  const { sketch } = site;
  if (sketch.isLearning()) return undefined;
  let found: Surge | undefined;
  for (const [kind, { now, usual }] of classes.entries()) {
    const seen = sketch.seen(now);
    if (networksOf(seen) < LEAST_NETWORKS) continue;
    const waveId = waveIdOf(kind, now);
    const isAnothers = (wave: Wave): boolean =>
      wave.classes[kind]?.now === now && saysAllOf(wave.kind, kind) && !isMember(wave, classes);
    const networks = withoutWaves(site, seen, isAnothers);
    const expected = sketch.total() * sketch.usualShare(usual);
    const isMore = networks > PLAINLY_MORE * (found?.networks ?? 0);
    if (
      isMore &&
      isSurge({ networks, expected, crowdExcess: crowdExcessOf(site, crowds, waveId) })
    ) {
      found = { waveId, kind, networks, expected };
    }
  }
  return found;
}

/**
 * The recent visits of a class as the owner sees them: this visit and all before it, including
 * those of other waves.
 */
function stretchOf(
  { sketch }: SiteWaves,
  { classes }: CountedVisit,
  kind: number,
  nowMs: number,
): Wave["peak"] {
  const { now = 0, usual = 0 } = classes[kind] ?? {};
  const seen = sketch.seen(now);
  const expected = sketch.total() * sketch.usualShare(usual);
  return {
    visits: seen.visits + 1,
    networks: networksOf(seen),
    expected,
    withinMs: nowMs - sketch.spanStartMs(),
  };
}

/** Drops visits that are no longer recent, and waves that are no longer listed. */
function advance({ sketch, waves }: SiteWaves, nowMs: number): void {
  sketch.advance(nowMs);
  for (const { waveId, lastAtMs } of waves.values())
    if (nowMs - lastAtMs >= SHOWN_MS) waves.delete(waveId);
}

/**
 * Evicts a wave if the list is full: the one whose last visit is oldest, but no refused wave if
 * possible.
 */
function makeRoomForWave({ waves, isRefused }: SiteWaves, nowMs: number): void {
  if (waves.size < MOST_WAVES) return;
  const byRest = [...waves.values()].sort((a, b) => a.lastAtMs - b.lastAtMs);
  const leaving = byRest.find(({ waveId }) => !isRefused(waveId, nowMs)) ?? byRest[0];
  waves.delete(leaving?.waveId ?? "");
}

/** Opens a wave. */
function openWave(
  site: SiteWaves,
  { waveId, kind, peak }: Surge & Pick<Wave, "peak">,
  visit: CountedVisit,
  nowMs: number,
): Wave {
  const { sketch, waves, isRefused } = site;
  makeRoomForWave(site, nowMs);
  const { now: digest = 0, usual = 0 } = visit.classes[kind] ?? {};
  const before = peak.visits - 1;
  // The visits before the wave was noticed must not become usual either.
  sketch.unlearn(usual, before);
  const { classes, crowds } = visit;
  const vaguer = [...waves.values()].find((it) => it.kind > kind && isMember(it, classes));
  const begun = {
    sinceMs: vaguer?.sinceMs ?? nowMs,
    visits: Math.max(before, vaguer?.visits ?? 0),
  };
  // The vaguer wave is the same wave. We now know more about it.
  if (vaguer !== undefined && !isRefused(vaguer.waveId, nowMs)) waves.delete(vaguer.waveId);
  const known = { waveId, kind, digest, classes, crowds, ...begun, peak, properties: [] };
  const wave = { ...known, lastAtMs: nowMs, share: 0, largeMs: 0 };
  waves.set(waveId, wave);
  return wave;
}

/** Records a visit of a wave, which may be the visit that opens it. */
function noteWave(site: SiteWaves, visit: CountedVisit, surge: Surge, nowMs: number): Wave {
  const startMs = site.sketch.spanStartMs();
  // If the visit belongs to a recent wave of a class that says more, it is the same wave.
  const telling = [...site.waves.values()].find(
    (it) => it.kind < surge.kind && it.lastAtMs >= startMs && isMember(it, visit.classes),
  );
  const stretch = stretchOf(site, visit, telling?.kind ?? surge.kind, nowMs);
  const known = telling ?? site.waves.get(surge.waveId);
  if (known !== undefined && known.lastAtMs < startMs) {
    // The wave was over and is back: the visits before it was noticed again belong to it, too.
    known.visits += stretch.visits - 1;
    site.sketch.unlearn(visit.classes[known.kind]?.usual ?? 0, stretch.visits - 1);
  }
  const wave = known ?? openWave(site, { ...surge, peak: stretch }, visit, nowMs);
  const share = stretch.visits / Math.max(1, site.sketch.total());
  if (share > MOST_GROWTH * wave.share) {
    wave.share = share;
    wave.largeMs = 0;
  } else if (wave.lastAtMs >= startMs && MOST_GROWTH * share >= wave.share)
    wave.largeMs += nowMs - wave.lastAtMs;
  wave.visits++;
  wave.lastAtMs = nowMs;
  if (stretch.visits > wave.peak.visits) wave.peak = stretch;
  return wave;
}

/**
 * Keeps what is usual on at most `maxSites` sites, 144 KB each. The site whose last visit is oldest
 * is evicted. Sites still being learnt, or without a visitor for KNOWN_MS, go first: an attacker
 * may create many sites and visit each once to evict others. Other nodes receive what is counted
 * here (`shared-memory.ts`).
 */
export function createWaveMemory({ maxSites }: { readonly maxSites: number }): WaveMemory {
  const sites = createBoundedMap<string, SiteWaves>(maxSites);
  /** Until when each wave is refused, for at most `maxSites` sites. */
  const refusals = createBoundedMap<string, BoundedMap<string, number>>(maxSites);

  const refusedUntilMs = (siteKey: string, waveId: string, nowMs: number): number | null => {
    const untilMs = refusals.get(siteKey)?.get(waveId) ?? 0;
    return nowMs < untilMs ? untilMs : null;
  };

  const findSite = (siteKey: string, era: number, nowMs: number): SiteWaves | undefined => {
    const site = sites.get(siteKey);
    if (site?.era !== era) return undefined;
    advance(site, nowMs);
    return site;
  };

  const makeRoom = (nowMs: number): void => {
    let count = 0;
    let leaving: string | undefined;
    sites.forEach((siteKey, { sketch, visitedMs }) => {
      count++;
      if (sketch.isLearning() || nowMs - visitedMs >= KNOWN_MS) leaving ??= siteKey;
    });
    if (count >= maxSites && leaving !== undefined) sites.delete(leaving);
  };

  const beginSite = (siteKey: string, era: number, nowMs: number): SiteWaves => {
    if (sites.get(siteKey) === undefined) makeRoom(nowMs);
    return {
      era,
      visitedMs: nowMs,
      sketch: createSiteSketch(nowMs),
      waves: new Map(),
      isRefused: (waveId, atMs) => refusedUntilMs(siteKey, waveId, atMs) !== null,
    };
  };

  return {
    find: (siteKey, visit, nowMs) => {
      const site = findSite(siteKey, visit.era, nowMs);
      const isOfRefused = ({ now }: ClassDigests, kind: number): boolean =>
        refusedUntilMs(siteKey, waveIdOf(kind, now), nowMs) !== null;
      const isRefused = refusals.get(siteKey) !== undefined && visit.classes.some(isOfRefused);
      return { surge: site && findSurge(site, visit), isRefused };
    },
    addPending: (siteKey, { era, classes, crowds, network }) => {
      const site = sites.get(siteKey);
      if (site?.era !== era) return () => {};
      return site.sketch.addPending([...classes.map(({ now }) => now), ...crowds], network);
    },
    record: (siteKey, visit, nowMs) => {
      const latest = sites.get(siteKey)?.era ?? visit.era;
      if (visit.era < latest) return;
      const site = findSite(siteKey, visit.era, nowMs) ?? beginSite(siteKey, visit.era, nowMs);
      site.visitedMs = nowMs;
      sites.set(siteKey, site);
      const surge = findSurge(site, visit);
      const wave = surge && noteWave(site, visit, surge, nowMs);
      const { classes, crowds, network } = visit;
      const isCounted = site.sketch.count([...classes.map(({ now }) => now), ...crowds], network);
      if (isCounted && (wave === undefined || isUsual(wave, nowMs))) {
        site.sketch.learn([...classes.map(({ usual }) => usual), ...crowds]);
      }
    },
    describe: (siteKey, waveId, properties) => {
      const wave = sites.get(siteKey)?.waves.get(waveId);
      if (wave !== undefined && wave.properties.length === 0) wave.properties = properties;
    },
    refuse: (siteKey, waveId, untilMs) => {
      const ofSite = refusals.get(siteKey) ?? createBoundedMap<string, number>(MOST_WAVES);
      ofSite.set(waveId, untilMs);
      refusals.set(siteKey, ofSite);
    },
    list: (siteKey, nowMs) => {
      const site = sites.get(siteKey);
      if (site === undefined) return { isLearning: true, waves: [] };
      advance(site, nowMs);
      const waves = [...site.waves.values()].map(
        ({ waveId, sinceMs, lastAtMs, visits, peak, properties }) => ({
          ...{ waveId, sinceMs, lastAtMs, visits, peak, properties },
          isOver: lastAtMs < site.sketch.spanStartMs(),
          refusedUntilMs: refusedUntilMs(siteKey, waveId, nowMs),
        }),
      );
      return { isLearning: site.sketch.isLearning(), waves: waves.sort(inOrder) };
    },
  };
}
