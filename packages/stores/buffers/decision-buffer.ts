import {
  type Decision,
  type DoorRefusal,
  isDecision,
  type LogEntry,
} from "@stile/core/domain/statistics/decision";

/** The most decisions kept between two flushes. */
const MAX_HELD_DECISIONS = 2_000;
/**
 * The most decisions kept per site and second. Nobody can read more, and a flood must not fill a
 * disk.
 */
const MAX_DECISIONS_PER_SECOND = 200;
/** The most refusals at the HTTP layer that are kept, in addition to the decisions. */
const MAX_HELD_REFUSALS = 500;
/** The most refusals kept per site and minute. */
const MAX_REFUSALS_PER_MINUTE = 60;
/**
 * The most of those with the same reason and host, so that a flood leaves room for other refusals.
 */
const MAX_ALIKE_PER_MINUTE = 20;

/** A bounded number of entries that wait to be written. Excess entries are dropped. */
export type DecisionBuffer = {
  readonly append: (entry: LogEntry) => void;
  /** Removes and returns all entries. */
  readonly take: () => readonly LogEntry[];
  /** Inserts entries that could not be written before those that came since. */
  readonly putBack: (entries: readonly LogEntry[]) => void;
};

/** Counts by name within periods of `periodMs`. A name that is only looked up takes no memory. */
function createQuota(periodMs: number, max: number) {
  let counts = new Map<string, { readonly period: number; count: number }>();
  const countOf = (name: string, period: number): number => {
    const counted = counts.get(name);
    return counted?.period === period ? counted.count : 0;
  };
  return {
    hasRoom: (name: string, atMs: number): boolean =>
      countOf(name, Math.floor(atMs / periodMs)) < max,
    count: (name: string, atMs: number): void => {
      const period = Math.floor(atMs / periodMs);
      counts.set(name, { period, count: countOf(name, period) + 1 });
    },
    /** Forgets the names of ended periods. */
    tidy: (): void => {
      const newest = Math.max(...[...counts.values()].map(({ period }) => period));
      counts = new Map([...counts].filter(([, { period }]) => period === newest));
    },
  };
}

function isRefusal(entry: LogEntry): entry is DoorRefusal {
  return !isDecision(entry);
}

/** Creates an empty buffer. */
export function createDecisionBuffer(): DecisionBuffer {
  let held: Decision[] = [];
  let refusals: DoorRefusal[] = [];
  const perSecond = createQuota(1000, MAX_DECISIONS_PER_SECOND);
  const perMinute = createQuota(60_000, MAX_REFUSALS_PER_MINUTE);
  const alike = createQuota(60_000, MAX_ALIKE_PER_MINUTE);

  const holdRefusal = (refusal: DoorRefusal): void => {
    const { siteKey, reason, host, atMs } = refusal;
    const kind = `${siteKey} ${reason} ${host}`;
    const hasRoom =
      refusals.length < MAX_HELD_REFUSALS &&
      perMinute.hasRoom(siteKey, atMs) &&
      alike.hasRoom(kind, atMs);
    if (!hasRoom) return;
    perMinute.count(siteKey, atMs);
    alike.count(kind, atMs);
    refusals.push(refusal);
  };

  return {
    append: (entry) => {
      if (!isDecision(entry)) return holdRefusal(entry);
      const { siteKey, atMs } = entry;
      if (held.length >= MAX_HELD_DECISIONS || !perSecond.hasRoom(siteKey, atMs)) return;
      perSecond.count(siteKey, atMs);
      held.push(entry);
    },
    take: () => {
      const taken = [...held, ...refusals];
      held = [];
      refusals = [];
      for (const quota of [perSecond, perMinute, alike]) quota.tidy();
      return taken;
    },
    putBack: (entries) => {
      held = [...entries.filter(isDecision), ...held].slice(0, MAX_HELD_DECISIONS);
      refusals = [...entries.filter(isRefusal), ...refusals].slice(0, MAX_HELD_REFUSALS);
    },
  };
}
