/**
 * Collects the spends of many requests into batches, one statement each.
 *
 * Example: a statement takes 10 ms and 20 spends arrive per ms. The spends of the first turn of the
 * event loop form the first batch. During its 10 ms, 200 others arrive and form the second batch.
 * If the engine slows to 40 ms per statement, the next batch has 800. A batch has at most 1,000.
 * Spends that have waited longer than `mostWaitMs` are refused unsent, so the caller knows that
 * they are not spent.
 */

import type { SpendOutcomes, Spends } from "@stile/core/domain/token/single-use";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";

/** The most spends that may wait; further ones are refused immediately. */
const MAX_WAITING = 10_000;
/**
 * The most spends per batch. The server needs about 30 ms for them, so a site's limit is not locked
 * for longer.
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

/**
 * Callbacks for a batch that is sent, for one that has ended (with its duration), and for spends
 * whose outcome is unknown.
 */
export type BatchObserver = {
  readonly onSent: () => void;
  readonly onWritten: (ms: number) => void;
  readonly onLate: (spends: number) => void;
};

/** Collects the spends of many requests into batches and sends one batch at a time. */
export type SpendingQueue = {
  /**
   * Resolves with the outcome when it is durable. If `send` rejects, the whole batch rejects with
   * the same error. `run` is the run of the database when the item was decided; if the run has
   * changed when the item is sent, it is refused.
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
   * How long a spend may wait, ms. After that it is refused and never sent, because its own batch
   * would answer too late.
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
 * Creates an empty queue. Spends that arrive while a batch runs form the next one, so a slower
 * engine gets larger batches. One invalid spend does not make others fail.
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
      "the database changed after this visit was scored, so nothing was written",
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
