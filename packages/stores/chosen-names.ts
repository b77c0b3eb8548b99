import { MAX_NAMES_PER_DAY, type Metric, type MetricKind, OTHER_NAME, splitMetric } from "@stile/core/domain/metrics";

/** A metric as it is kept. */
export type StoredMetric = { readonly kind: MetricKind; readonly name: string };

/** The names under which counts of that kind stand in the rows of that day (UTC). */
export type ReadNames = (siteKey: string, kind: MetricKind, dayStartMs: number) => Iterable<string>;

/** Decides which of the names that visitors choose are told apart (see `Statistics`). */
export type ChosenNames = {
  readonly settle: (siteKey: string, metric: Metric, dayStartMs: number) => StoredMetric;
  /** Bounds what is remembered; to be called while no settled name waits for being written. */
  readonly tidy: () => void;
  /** To be called when a transaction was undone: names that it settled may not stand in any row. */
  readonly forget: () => void;
};

/** Sites, kinds and days whose names are remembered; each takes 20 names at most, of 253 characters at most. */
const MAX_REMEMBERED_DAYS = 5_000;

/** What a visitor chose in a name: all of a host; of a score its action, with the rest behind it. */
function takeApart({ kind, name }: StoredMetric): { readonly chosen: string; readonly rest: string } | undefined {
  if (kind === "host") return { chosen: name, rest: "" };
  if (kind !== "score") return undefined;
  const colon = name.lastIndexOf(":");
  return { chosen: name.slice(0, colon), rest: name.slice(colon) };
}

/**
 * The first MAX_NAMES_PER_DAY names of a site, kind and day keep their name, whatever was asked in between and whoever else
 * writes: what is not remembered is read from the day's rows. No action at all is no name and always told apart.
 */
export function createChosenNames(readNames: ReadNames): ChosenNames {
  const remembered = new Map<string, Set<string>>();

  const readDay = (siteKey: string, kind: MetricKind, dayStartMs: number): Set<string> => {
    const names = new Set<string>();
    for (const name of readNames(siteKey, kind, dayStartMs)) {
      const chosen = takeApart({ kind, name })?.chosen ?? "";
      if (chosen !== "" && chosen !== OTHER_NAME) names.add(chosen);
    }
    return names;
  };

  const mayKeep = (siteKey: string, kind: MetricKind, dayStartMs: number, chosen: string): boolean => {
    if (chosen === "") return true;
    const key = `${siteKey} ${kind} ${dayStartMs}`;
    const known = remembered.get(key);
    if (known?.has(chosen)) return true;
    if (known !== undefined && known.size >= MAX_NAMES_PER_DAY) return false;
    // Read anew before a name is added: another process may have taken the last places.
    const names = known ?? new Set<string>();
    for (const name of readDay(siteKey, kind, dayStartMs)) names.add(name);
    remembered.set(key, names);
    const hasRoom = names.has(chosen) || names.size < MAX_NAMES_PER_DAY;
    if (hasRoom) names.add(chosen);
    return hasRoom;
  };

  return {
    settle: (siteKey, metric, dayStartMs) => {
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
