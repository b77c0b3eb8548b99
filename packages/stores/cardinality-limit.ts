import {
  MAX_NAMES_PER_DAY,
  type Metric,
  type MetricKind,
  OTHER_NAME,
  splitMetric,
} from "@stile/core/domain/statistics/metrics";
import { PERIOD_MS } from "@stile/core/domain/statistics/periods";

/** A metric as it is kept. */
export type StoredMetric = { readonly kind: MetricKind; readonly name: string };

/** A count as it stands in the row of a day (UTC). */
export type DayRow = { readonly startMs: number; readonly name: string; readonly count: number };

/** What is looked up of a site where it is not remembered. */
export type NameSources = {
  /** The rows of that kind of the days that start in [fromMs, toMs). */
  readonly readDays: (siteKey: string, kind: MetricKind, fromMs: number, toMs: number) => Iterable<DayRow>;
  /** The host names that the site's owner configured. */
  readonly readDomains: (siteKey: string) => readonly string[];
};

/** Bounds how many of the names that visitors make up are counted apart (see `Statistics`). */
export type CardinalityLimit = {
  readonly apply: (siteKey: string, metric: Metric, dayStartMs: number) => StoredMetric;
  /** Bounds what is remembered; to be called while no applied name waits for being written. */
  readonly tidy: () => void;
  /** To be called when a transaction was undone: names that it applied may not stand in any row. */
  readonly forget: () => void;
};

/** Sites, kinds and days whose names are remembered; each takes 135 names at most, of 253 characters at most. */
const MAX_REMEMBERED_DAYS = 5_000;
/** Places of a day that names of the days before have; the others are left for what is new. */
const RESERVED_PLACES = 15;
/** How far back a name counts. A flood has to last as long before its names go before those that people use every day. */
const PAST_DAYS = 7;

/** What is known of the names of a site, kind and day. */
type Day = {
  /** Names that have a place. */
  readonly names: Set<string>;
  /** Hosts that the owner configured: they take no place. */
  readonly own: Set<string>;
  /** Names that have a place even before they come. */
  readonly reserved: ReadonlySet<string>;
};

/** What a visitor chose in a name: all of a host; of a score its action, with the rest behind it. */
function takeApart({ kind, name }: StoredMetric): { readonly chosen: string; readonly rest: string } | undefined {
  if (kind === "host") return { chosen: name, rest: "" };
  if (kind !== "score") return undefined;
  const colon = name.lastIndexOf(":");
  return { chosen: name.slice(0, colon), rest: name.slice(colon) };
}

type NameUse = { readonly days: Set<number>; count: number };

/** The names of the rows, with the days on which they came and how often. */
function sumUp(kind: MetricKind, rows: Iterable<DayRow>): ReadonlyMap<string, NameUse> {
  const uses = new Map<string, NameUse>();
  for (const { startMs, name, count } of rows) {
    const chosen = takeApart({ kind, name })?.chosen ?? "";
    if (chosen === "" || chosen === OTHER_NAME) continue;
    const one = uses.get(chosen) ?? { days: new Set(), count: 0 };
    uses.set(chosen, one);
    one.days.add(startMs);
    one.count += count;
  }
  return uses;
}

/** Names that came on the last day or on two, those first that came on most days, and of these the most frequent. */
function rankNames(uses: ReadonlyMap<string, NameUse>, lastDayMs: number): readonly string[] {
  return [...uses]
    .filter(([, { days }]) => days.size > 1 || days.has(lastDayMs))
    .sort(([a, x], [b, y]) => y.days.size - x.days.size || y.count - x.count || (a < b ? -1 : 1))
    .map(([name]) => name);
}

const isConfigured = (domains: readonly string[], host: string): boolean =>
  domains.some((domain) => host === domain || host === `www.${domain}`);

/**
 * MAX_NAMES_PER_DAY names of a site, kind and day keep their name, whatever was asked in between and whoever else writes: what
 * is not remembered is read from the rows. Most places are reserved for names of the days before, so that whoever comes first
 * after midnight with names that they made up takes none of theirs; the others go to whom comes first. The owner's own hosts and
 * no action at all are always told apart.
 */
export function createCardinalityLimit({ readDays, readDomains }: NameSources): CardinalityLimit {
  const remembered = new Map<string, Day>();

  const openDay = (siteKey: string, kind: MetricKind, dayStartMs: number): Day => {
    const domains = kind === "host" ? readDomains(siteKey) : [];
    const past = sumUp(kind, readDays(siteKey, kind, dayStartMs - PAST_DAYS * PERIOD_MS.day, dayStartMs));
    const ranked = rankNames(past, dayStartMs - PERIOD_MS.day);
    const chosen = ranked.filter((name) => !isConfigured(domains, name));
    return { names: new Set(), own: new Set(), reserved: new Set(chosen.slice(0, RESERVED_PLACES)) };
  };

  /** Whether the name has a place or there is one for it: reserved ones are kept free for those they are reserved for. */
  const mayEnter = ({ names, reserved }: Day, chosen: string): boolean => {
    if (names.has(chosen)) return true;
    const awaited = reserved.has(chosen) ? [] : [...reserved].filter((name) => !names.has(name));
    return names.size + awaited.length < MAX_NAMES_PER_DAY;
  };

  const mayKeep = (siteKey: string, kind: MetricKind, dayStartMs: number, chosen: string): boolean => {
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
    // Read anew before a name is added: another process may have taken the last places.
    const rows = readDays(siteKey, kind, dayStartMs, dayStartMs + PERIOD_MS.day);
    for (const name of sumUp(kind, rows).keys()) if (!isConfigured(domains, name)) day.names.add(name);
    const hasRoom = mayEnter(day, chosen);
    if (hasRoom) day.names.add(chosen);
    return hasRoom;
  };

  return {
    apply: (siteKey, metric, dayStartMs) => {
      const stored = splitMetric(metric);
      const parts = takeApart(stored);
      if (parts === undefined) return stored;
      const isKept = parts.chosen !== OTHER_NAME && mayKeep(siteKey, stored.kind, dayStartMs, parts.chosen);
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
