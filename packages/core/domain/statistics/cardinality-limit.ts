import {
  MAX_NAMES_PER_DAY,
  type Metric,
  type MetricKind,
  OTHER_NAME,
  splitMetric,
} from "./metrics.ts";
import { PERIOD_MS } from "./periods.ts";

/** A metric as it is stored: its name may have become `other`. */
export type StoredMetric = { readonly kind: MetricKind; readonly name: string };

/** The count of a name in the row of one day (UTC). */
export type DayRow = { readonly startMs: number; readonly name: string; readonly count: number };

/** Where the names of a site are looked up when they are not in memory. */
export type NameSources = {
  /** The rows of that kind, of the days that start in [fromMs, toMs). */
  readonly readDays: (
    siteKey: string,
    kind: MetricKind,
    fromMs: number,
    toMs: number,
  ) => Iterable<DayRow>;
  /** The host names that the site's owner configured. */
  readonly readDomains: (siteKey: string) => readonly string[];
};

/** Limits how many of the names that visitors invent are counted separately (see `Statistics`). */
export type CardinalityLimit = {
  readonly apply: (siteKey: string, metric: Metric, dayStartMs: number) => StoredMetric;
  /**
   * Drops what exceeds the memory's bound. Call it only while no applied name is waiting to be
   * written.
   */
  readonly tidy: () => void;
  /**
   * Call this when a transaction was rolled back: the names that it applied may not be in any row.
   */
  readonly forget: () => void;
};

/**
 * Days (by site and kind) whose names are kept in memory; each has at most 135 names of 253
 * characters.
 */
const MAX_REMEMBERED_DAYS = 5_000;
/**
 * Places of a day that are reserved for names of the days before: for those seen on most days, and
 * for those with the largest share of what was counted. The others are open to new names.
 */
const RESERVED = { byDays: 8, byShare: 7 } as const;
/**
 * How many days back a name counts. A flood must last as long before its names outrank those of
 * daily use.
 */
const PAST_DAYS = 7;
/**
 * Parts that a day's counts are divided into; and the most of a day that count for a name, as much
 * as all its places have.
 */
const PARTS = 1_000_000;
const MOST_OF_DAY = PARTS / MAX_NAMES_PER_DAY;

/** The names of one site, kind and day. */
type Day = {
  /** Names that have a place. */
  readonly names: Set<string>;
  /** Hosts that the owner configured: these take up no place. */
  readonly own: Set<string>;
  /** Names that have a place even before they are first seen that day. */
  readonly reserved: ReadonlySet<string>;
};

/**
 * Splits a name into the part that the visitor chose and the rest: all of a host, only the action
 * of a score.
 */
function takeApart({
  kind,
  name,
}: StoredMetric): { readonly chosen: string; readonly rest: string } | undefined {
  if (kind === "host") return { chosen: name, rest: "" };
  if (kind !== "score") return undefined;
  const colon = name.lastIndexOf(":");
  return { chosen: name.slice(0, colon), rest: name.slice(colon) };
}

/** The visitor's part of a row's name; empty if there is none. */
const chosenIn = (kind: MetricKind, { name }: DayRow): string =>
  takeApart({ kind, name })?.chosen ?? "";

/** How often each name was counted, by day. */
type NameCounts = ReadonlyMap<number, ReadonlyMap<string, number>>;

/** The counts of the rows. */
function sumUp(kind: MetricKind, rows: Iterable<DayRow>): NameCounts {
  const days = new Map<number, Map<string, number>>();
  for (const row of rows) {
    const chosen = chosenIn(kind, row);
    const day = days.get(row.startMs) ?? new Map<string, number>();
    days.set(row.startMs, day);
    day.set(chosen, (day.get(chosen) ?? 0) + row.count);
  }
  return days;
}

type NameUse = {
  readonly name: string;
  days: number;
  count: number;
  share: number;
  wasLast: boolean;
};

/**
 * Names seen on the last day or on two days. Of what one day counted, a name's share is at most
 * MOST_OF_DAY.
 */
function usesOf(counts: NameCounts, lastDayMs: number): readonly NameUse[] {
  const uses = new Map<string, NameUse>();
  for (const [startMs, day] of counts) {
    const total = [...day.values()].reduce((sum, count) => sum + count, 0);
    for (const [name, count] of day) {
      const use = uses.get(name) ?? { name, days: 0, count: 0, share: 0, wasLast: false };
      uses.set(name, use);
      use.days++;
      use.count += count;
      use.share += Math.min(MOST_OF_DAY, Math.floor((PARTS * count) / total));
      use.wasLast ||= startMs === lastDayMs;
    }
  }
  return [...uses.values()].filter(
    ({ name, days, wasLast }) => isSaid(name) && (days > 1 || wasLast),
  );
}

/** Whether the name is real: neither missing nor the common name of all that have no place. */
const isSaid = (name: string): boolean => name !== "" && name !== OTHER_NAME;

/**
 * The names with a reserved place: those seen on most days, and then those with the largest share.
 */
function reserve(uses: readonly NameUse[]): ReadonlySet<string> {
  const byName = (one: NameUse, other: NameUse): number => (one.name < other.name ? -1 : 1);
  const byCount = (one: NameUse, other: NameUse): number =>
    other.count - one.count || byName(one, other);
  const byDays = uses.toSorted((one, other) => other.days - one.days || byCount(one, other));
  const byShare = byDays
    .slice(RESERVED.byDays)
    .sort((one, other) => other.share - one.share || byCount(one, other))
    .slice(0, RESERVED.byShare);
  return new Set([...byDays.slice(0, RESERVED.byDays), ...byShare].map(({ name }) => name));
}

const isConfigured = (domains: readonly string[], host: string): boolean =>
  domains.some((domain) => host === domain || host === `www.${domain}`);

/**
 * MAX_NAMES_PER_DAY names of a site, kind and day keep their own name, no matter what came in
 * between and which other process writes: names that are not in memory are read from the rows. Most
 * places are reserved for names of the days before, so that a flood of synthetic names right after
 * midnight cannot take those. The other places go to the first comers. The owner's own hosts, and a
 * missing action, are always counted separately.
 */
export function createCardinalityLimit({ readDays, readDomains }: NameSources): CardinalityLimit {
  const remembered = new Map<string, Day>();

  const openDay = (siteKey: string, kind: MetricKind, dayStartMs: number): Day => {
    const domains = kind === "host" ? readDomains(siteKey) : [];
    const past = sumUp(
      kind,
      readDays(siteKey, kind, dayStartMs - PAST_DAYS * PERIOD_MS.day, dayStartMs),
    );
    const uses = usesOf(past, dayStartMs - PERIOD_MS.day).filter(
      ({ name }) => !isConfigured(domains, name),
    );
    return { names: new Set(), own: new Set(), reserved: reserve(uses) };
  };

  /**
   * Whether the name has a place, or can get a free one: places reserved for other names stay free
   * for those.
   */
  const mayEnter = ({ names, reserved }: Day, chosen: string): boolean => {
    if (names.has(chosen)) return true;
    const awaited = reserved.has(chosen) ? [] : [...reserved].filter((name) => !names.has(name));
    return names.size + awaited.length < MAX_NAMES_PER_DAY;
  };

  const mayKeep = (
    siteKey: string,
    kind: MetricKind,
    dayStartMs: number,
    chosen: string,
  ): boolean => {
    if (chosen === "") return true;
    const key = `${siteKey} ${kind} ${dayStartMs}`;
    const day = remembered.get(key) ?? openDay(siteKey, kind, dayStartMs);
    remembered.set(key, day);
    if (day.names.has(chosen) || day.own.has(chosen)) return true;
    const domains = kind === "host" ? readDomains(siteKey) : [];
    if (isConfigured(domains, chosen)) {
      day.own.add(chosen);
      return true;
    }
    if (day.names.size > 0 && !mayEnter(day, chosen)) return false;
    // Read again before a name is added: another process may have taken the last places.
    for (const row of readDays(siteKey, kind, dayStartMs, dayStartMs + PERIOD_MS.day)) {
      const name = chosenIn(kind, row);
      if (isSaid(name) && !isConfigured(domains, name)) day.names.add(name);
    }
    const hasRoom = mayEnter(day, chosen);
    if (hasRoom) day.names.add(chosen);
    return hasRoom;
  };

  return {
    apply: (siteKey, metric, dayStartMs) => {
      const stored = splitMetric(metric);
      const parts = takeApart(stored);
      if (parts === undefined) return stored;
      const isKept =
        parts.chosen !== OTHER_NAME && mayKeep(siteKey, stored.kind, dayStartMs, parts.chosen);
      return isKept ? stored : { kind: stored.kind, name: OTHER_NAME + parts.rest };
    },
    tidy: () => {
      for (const oldest of remembered.keys()) {
        if (remembered.size <= MAX_REMEMBERED_DAYS) return;
        remembered.delete(oldest);
      }
    },
    forget: () => remembered.clear(),
  };
}
