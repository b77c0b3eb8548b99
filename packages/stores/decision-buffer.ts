import { type Decision, type DoorRefusal, isDecision, type LogEntry } from "@stile/core/domain/statistics/decision";

/** Decisions held back at most between two flushes. */
const MAX_HELD_DECISIONS = 2_000;
/** Decisions kept of one site and second: a person can't look at more, and a flood must not cost a disk. */
const MAX_DECISIONS_PER_SECOND = 200;
/** Refusals at the door held back at most besides them. */
const MAX_HELD_REFUSALS = 500;
/** Refusals kept of one site and minute. */
const MAX_REFUSALS_PER_MINUTE = 60;
/** Of those, with the same reason and host: one flood leaves room for whatever else is refused. */
const MAX_ALIKE_PER_MINUTE = 20;

/** Entries that wait for being written, in bounded number; those too many are left out. */
export type DecisionBuffer = {
  readonly append: (entry: LogEntry) => void;
  /** Takes out all that are held. */
  readonly take: () => readonly LogEntry[];
  /** Puts back what could not be written, before what came since. */
  readonly putBack: (entries: readonly LogEntry[]) => void;
};

/** Counts by name within periods of `periodMs`; what is not counted takes no place, whatever names are asked for. */
function createQuota(periodMs: number, max: number) {
  let counts = new Map<string, { readonly period: number; count: number }>();
  const countOf = (name: string, period: number): number => {
    const counted = counts.get(name);
    return counted?.period === period ? counted.count : 0;
  };
  return {
    hasRoom: (name: string, atMs: number): boolean => countOf(name, Math.floor(atMs / periodMs)) < max,
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

/** An empty buffer. */
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
      refusals.length < MAX_HELD_REFUSALS && perMinute.hasRoom(siteKey, atMs) && alike.hasRoom(kind, atMs);
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
