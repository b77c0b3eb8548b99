import type { SpendOutcomes, Spends } from "@stile/core/domain/token/single-use";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";

/** Spends that may wait for their turn; any more are refused at once. */
const MAX_WAITING = 10_000;
/**
 * Spends per batch: what the server does in about 30 ms, so that a site's limit is not locked for
 * longer.
 */
const MAX_BATCH = 1_000;

type QueuedSpend = {
  readonly sinceMs: number;
  readonly run: string | null;
  readonly kind: keyof Spends;
  readonly item: unknown;
  readonly resolve: (outcome: never) => void;
  readonly reject: (error: unknown) => void;
};

/** Hears when a batch is sent, how long it took, and of how many spends the outcome is unknown. */
export type BatchObserver = {
  readonly onSent: () => void;
  readonly onWritten: (ms: number) => void;
  readonly onLate: (spends: number) => void;
};

/** Gathers the spends of many requests into batches; one batch is under way at a time. */
export type SpendingQueue = {
  /**
   * Resolves with the outcome, once it is durable. If `send` rejects, rejects likewise for the
   * whole batch. `run` is the run of the database in which the item was judged; if it is another
   * one when the item's turn comes, it is refused.
   */
  readonly spend: <Kind extends keyof Spends>(
    kind: Kind,
    item: Spends[Kind][number],
    run?: string | null,
  ) => Promise<SpendOutcomes[Kind][number]>;
  /** Refuses further spends, and resolves when all earlier ones have ended. */
  readonly stop: () => Promise<void>;
};

type QueueOptions = {
  readonly send: (spends: Spends, run: string | null) => Promise<SpendOutcomes>;
  /** The run of the database that the node knows (`postgres-generation.ts`). */
  readonly currentRun: () => string | null;
  /** Whether a batch was undone because of one item. Then each item is sent alone. */
  readonly isForOne: (error: unknown) => boolean;
  /**
   * How long a spend may wait. After that it is refused and never sent, because the answer to its
   * own batch would come too late.
   */
  readonly mostWaitMs: number;
  readonly observer?: BatchObserver | undefined;
};

function pack(entries: readonly QueuedSpend[]): Spends {
  const itemsOf = <Item>(kind: keyof Spends): readonly Item[] =>
    entries.filter((entry) => entry.kind === kind).map(({ item }) => item as Item);
  return {
    redemptions: itemsOf("redemptions"),
    challenges: itemsOf("challenges"),
    rates: itemsOf("rates"),
  };
}

function hand(entries: readonly QueuedSpend[], outcomes: SpendOutcomes): void {
  const next: Record<keyof Spends, number> = { redemptions: 0, challenges: 0, rates: 0 };
  for (const { kind, resolve } of entries) resolve(outcomes[kind][next[kind]++] as never);
}

/**
 * An empty queue. What arrives while a batch is under way forms the next one, so a slower engine
 * gets larger batches. No request fails another.
 */
export function createSpendingQueue(options: QueueOptions): SpendingQueue {
  const { send, currentRun, isForOne, mostWaitMs, observer } = options;
  let waiting: QueuedSpend[] = [];
  let away: Promise<void> | undefined;
  let isStopped = false;

  const refuse = (entries: readonly QueuedSpend[], reason: string): void => {
    if (entries.length > 0) observer?.onLate(entries.length);
    for (const { reject } of entries) reject(new StoreUnavailable(reason));
  };
  const sendEntries = async (given: readonly QueuedSpend[]): Promise<void> => {
    const run = currentRun();
    const entries = given.filter((entry) => entry.run === run);
    refuse(
      given.filter((entry) => entry.run !== run),
      "the database is another one than when this was judged: it was not written",
    );
    if (entries.length === 0) return;
    const sentAtMs = performance.now();
    observer?.onSent();
    try {
      const outcomes = await send(pack(entries), run).finally(() =>
        observer?.onWritten(performance.now() - sentAtMs),
      );
      hand(entries, outcomes);
    } catch (error) {
      if (error instanceof StoreUnavailable) observer?.onLate(entries.length);
      if (entries.length > 1 && isForOne(error))
        for (const entry of entries) await sendEntries([entry]);
      else for (const { reject } of entries) reject(error);
    }
  };
  /** The list is in order of arrival. */
  const refuseLate = (): void => {
    const untilMs = performance.now() - mostWaitMs;
    const inTime = waiting.findIndex(({ sinceMs }) => sinceMs > untilMs);
    const late = waiting.slice(0, inTime < 0 ? waiting.length : inTime);
    waiting = waiting.slice(late.length);
    refuse(late, "the database answers too slowly: this was not written");
  };
  const sendAll = async (): Promise<void> => {
    await new Promise(setImmediate);
    for (refuseLate(); waiting.length > 0; refuseLate()) {
      const entries = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      await sendEntries(entries);
    }
    away = undefined;
  };

  return {
    spend: (kind, item, run = currentRun()) =>
      new Promise((resolve, reject) => {
        if (isStopped) return reject(new StoreUnavailable("the store is closed"));
        if (waiting.length >= MAX_WAITING)
          return reject(new StoreUnavailable("too many writes are waiting"));
        waiting.push({ sinceMs: performance.now(), run, kind, item, resolve, reject });
        away ??= sendAll();
      }),
    stop: async () => {
      isStopped = true;
      await away;
    },
  };
}
