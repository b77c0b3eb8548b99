import { type BoundedMap, createBoundedMap } from "@stile/core/domain/bounded-map";
import {
  isCrowded,
  networksBeside,
  networksOf,
  type Seen,
} from "@stile/core/domain/visitor/network-places";
import { isSurge, LEAST_NETWORKS } from "@stile/core/domain/visitor/surge";
import { type ClassDigests, saysAllOf } from "@stile/core/domain/visitor/visit-classes";
import type { CountedVisit, Surge, WaveMemory } from "@stile/core/ports/visitor/wave-memory";
import type { WaveData } from "@stile/protocol/dashboard-waves";
import { createSiteSketch, type SiteSketch } from "./site-sketch.ts";

/**
 * How long a wave is shown after its last visit; and how long one lasts at most, since by then it
 * is usual, ms.
 */
const SHOWN_MS = 24 * 3_600_000;
/**
 * It is usual only if it was there for so long since it was half as large, ms: otherwise a small
 * one, or a short one, the day before would make a large one usual.
 */
const LARGE_MS = 8 * 3_600_000;
const MOST_GROWTH = 2;
/** The most waves per site that are shown, and whose visits may be refused at a time. */
const MOST_WAVES = 16;

/**
 * How long after its last visit a known site is kept in preference to sites still being learnt, ms.
 */
const KNOWN_MS = 24 * 3_600_000;

/** How much more a class must be than one that says more; numbers of networks are estimates. */
const PLAINLY_MORE = 1.25;

type Wave = {
  -readonly [Field in keyof Omit<WaveData, "isOver" | "refusedUntilMs">]: WaveData[Field];
} & {
  readonly kind: number;
  readonly digest: number;
  /** What else the visit by which it was noticed belongs to. */
  readonly classes: CountedVisit["classes"];
  readonly crowds: CountedVisit["crowds"];
  /**
   * Its share of the latest visits when it last doubled, and how long it was there at half of that
   * since, ms.
   */
  share: number;
  largeMs: number;
};

type Site = {
  readonly era: number;
  /** When its last visit came. */
  visitedMs: number;
  readonly sketch: SiteSketch;
  readonly waves: Map<string, Wave>;
  /** Whether the site's owner refuses visits of that wave at that time. */
  readonly isRefused: (waveId: string, nowMs: number) => boolean;
};

/**
 * Waves under way first, then the latest to begin. Not by their last visits: two that go on would
 * change places each time somebody looks, and who refuses one could press the button of the other.
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
 * The number of networks without those of waves that were noticed already and are part of what was
 * counted. A network counts once, in however many waves it is: with a sum, a few networks in many
 * small waves would hide a large one. Where so many came that only visits tell, a wave within
 * another adds nothing: its visits are the other's, too.
 */
function withoutWaves(
  { sketch, waves }: Site,
  seen: Seen,
  isPart: (wave: Wave) => boolean,
): number {
  if (waves.size === 0) return networksOf(seen);
  const parts: Wave[] = [];
  for (const wave of waves.values()) if (isPart(wave)) parts.push(wave);
  if (!isCrowded(seen))
    return networksBeside(
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
 * By how many networks the crowds of a visit exceed their share, not counting waves other than this
 * one.
 */
function crowdExcessOf(site: Site, crowds: readonly number[], waveId: string): number {
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
 * The class of a visit that exceeds what is usual: of several the most frequent one, and of those
 * the most telling. A visit that shares only the screen with a wave that is known by its whole
 * device is not part of it. Of a wave whose visits differ in the rest, it is not known how many
 * share this class: then nothing is left out.
 */
function findSurge(site: Site, { classes, crowds }: CountedVisit): Surge | undefined {
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
 * The class of a visit as an owner is told of it: this visit and all before it, whatever waves they
 * belong to.
 */
function stretchOf(
  { sketch }: Site,
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

/**
 * Drops what is no longer recent, and waves that are no longer shown, with all that is known of
 * them.
 */
function advance({ sketch, waves }: Site, nowMs: number): void {
  sketch.advance(nowMs);
  for (const { waveId, lastAtMs } of waves.values())
    if (nowMs - lastAtMs >= SHOWN_MS) waves.delete(waveId);
}

/**
 * Makes room for a wave: the one that was quiet for longest is no longer shown, but one that is
 * refused stays.
 */
function makeRoomForWave({ waves, isRefused }: Site, nowMs: number): void {
  if (waves.size < MOST_WAVES) return;
  const byRest = [...waves.values()].sort((a, b) => a.lastAtMs - b.lastAtMs);
  const leaving = byRest.find(({ waveId }) => !isRefused(waveId, nowMs)) ?? byRest[0];
  waves.delete(leaving?.waveId ?? "");
}

/** Opens a wave. */
function openWave(
  site: Site,
  { waveId, kind }: Surge,
  visit: CountedVisit,
  peak: Wave["peak"],
  nowMs: number,
): Wave {
  const { sketch, waves, isRefused } = site;
  makeRoomForWave(site, nowMs);
  const { now: digest = 0, usual = 0 } = visit.classes[kind] ?? {};
  const before = peak.visits - 1;
  // What it brought before it was noticed must not become usual either.
  sketch.unlearn(usual, before);
  const { classes, crowds } = visit;
  const vaguer = [...waves.values()].find((it) => it.kind > kind && isMember(it, classes));
  const begun = {
    sinceMs: vaguer?.sinceMs ?? nowMs,
    visits: Math.max(before, vaguer?.visits ?? 0),
  };
  // The vaguer wave was this same one, of which more is known by now.
  if (vaguer !== undefined && !isRefused(vaguer.waveId, nowMs)) waves.delete(vaguer.waveId);
  const known = { waveId, kind, digest, classes, crowds, ...begun, peak, properties: [] };
  const wave = { ...known, lastAtMs: nowMs, share: 0, largeMs: 0 };
  waves.set(waveId, wave);
  return wave;
}

/** Records a visit of a wave, perhaps the first that is noticed. */
function noteWave(site: Site, visit: CountedVisit, surge: Surge, nowMs: number): Wave {
  const startMs = site.sketch.spanStartMs();
  // A recent wave of a more telling class that this visit belongs to is the same wave.
  const telling = [...site.waves.values()].find(
    (it) => it.kind < surge.kind && it.lastAtMs >= startMs && isMember(it, visit.classes),
  );
  const stretch = stretchOf(site, visit, telling?.kind ?? surge.kind, nowMs);
  const known = telling ?? site.waves.get(surge.waveId);
  if (known !== undefined && known.lastAtMs < startMs) {
    // It was over and is back: what it brought before it was noticed again is its own, too.
    known.visits += stretch.visits - 1;
    site.sketch.unlearn(visit.classes[known.kind]?.usual ?? 0, stretch.visits - 1);
  }
  const wave = known ?? openWave(site, surge, visit, stretch, nowMs);
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
 * What this process knows to be usual on at most `maxSites` sites, 144 KB each. The site that was
 * quiet for longest makes room, first among those still being learnt or without a visitor for
 * KNOWN_MS: somebody may create many sites and visit each once to push out others. Other nodes are
 * told what is counted here (`shared-memory.ts`).
 */
export function createWaveMemory({ maxSites }: { readonly maxSites: number }): WaveMemory {
  const sites = createBoundedMap<string, Site>(maxSites);
  /** By wave, until when it is refused; `maxSites` sites are kept. */
  const refusals = createBoundedMap<string, BoundedMap<string, number>>(maxSites);

  const refusedUntilMs = (siteKey: string, waveId: string, nowMs: number): number | null => {
    const untilMs = refusals.get(siteKey)?.get(waveId) ?? 0;
    return nowMs < untilMs ? untilMs : null;
  };

  const findSite = (siteKey: string, era: number, nowMs: number): Site | undefined => {
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

  const beginSite = (siteKey: string, era: number, nowMs: number): Site => {
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
    hold: (siteKey, { era, classes, crowds, network }) => {
      const site = sites.get(siteKey);
      if (site?.era !== era) return () => {};
      return site.sketch.hold([...classes.map(({ now }) => now), ...crowds], network);
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
