import type { SpendOutcomes, Spends } from "@stile/core/domain/token/single-use";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { MAX_WAITING_WRITES } from "../group-commit.ts";
import { type AnswerOf, type Ending, type StoreCall, toError } from "../thread-calls.ts";
import {
  packSpends,
  type SpendEnding,
  type WriterReply,
  type WriterRequest,
} from "./writer-messages.ts";

/**
 * How long a caller waits for a write, ms. Then it learns that the outcome is unknown. D15 (outage)
 * allows 2 s for an answer, which may need a second write (MAX_BEFORE_NEXT_WRITE_MS).
 */
export const WRITE_DEADLINE_MS = 1_400;

const UNKNOWN = "the disk did not answer in time, and it is unknown whether this was written";
const NOT_BEGUN = "the disk did not answer in time, and this was not written";

type SpendKind = keyof Spends;

/** One write that waits, or is under way with its batch. */
type PendingWrite = {
  readonly sinceMs: number;
  readonly work:
    | { readonly kind: SpendKind; readonly item: unknown }
    | { readonly call: StoreCall };
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Sends callers' writes to the writer's thread in batches, and returns the outcome to each caller.
 */
export type BatchSender = {
  /**
   * Resolves with the outcome, once it is durable. Rejects with StoreUnavailable after
   * WRITE_DEADLINE_MS.
   */
  readonly spend: <Kind extends SpendKind>(
    kind: Kind,
    item: Spends[Kind][number],
  ) => Promise<SpendOutcomes[Kind][number]>;
  /** Makes any other write, under the same deadline. */
  readonly call: <Sent extends StoreCall>(call: Sent) => Promise<AnswerOf<Sent>>;
  /** Whether a batch has been under way for longer than any caller waits. */
  readonly isLate: () => boolean;
  /** Call this with the reply to the batch that is under way. */
  readonly onReply: (reply: WriterReply & { readonly kind: "batch" }) => void;
  /** Refuses further writes, and resolves when all earlier ones have ended. */
  readonly stop: () => Promise<void>;
};

/**
 * Called when a batch is sent, with the time it took, and with the number of writes that were not
 * answered in time.
 */
export type WriteObserver = {
  readonly onSent: () => void;
  readonly onWritten: (ms: number) => void;
  readonly onLate: (writes: number) => void;
};

const isCall = ({ work }: PendingWrite): boolean => "call" in work;

/**
 * Groups the entries in their order. Consecutive spends share a group, and each call has its own.
 */
function groupEntries(entries: readonly PendingWrite[]): readonly (readonly PendingWrite[])[] {
  const groups: PendingWrite[][] = [];
  let spends: PendingWrite[] | undefined;
  for (const entry of entries) {
    if (spends !== undefined && !isCall(entry)) {
      spends.push(entry);
      continue;
    }
    const group = [entry];
    groups.push(group);
    spends = isCall(entry) ? undefined : group;
  }
  return groups;
}

function packGroup(group: readonly PendingWrite[]): string | StoreCall {
  const spends = { redemptions: [], challenges: [], rates: [] } as Record<SpendKind, unknown[]>;
  for (const { work } of group) {
    if ("call" in work) return work.call;
    spends[work.kind].push(work.item);
  }
  return packSpends(spends as unknown as Spends);
}

function answer({ resolve, reject }: PendingWrite, ending: Ending<unknown>): void {
  if ("fault" in ending) reject(toError(ending.fault));
  else resolve(ending.answer as never);
}

/** Gives each entry its part of the group's reply, in the order that `packGroup` used. */
function answerGroup(group: readonly PendingWrite[], part: string | Ending<unknown>): void {
  const ending = typeof part === "string" ? (JSON.parse(part) as SpendEnding) : part;
  const next = { redemptions: 0, challenges: 0, rates: 0 };
  for (const entry of group) {
    const { work } = entry;
    if ("call" in work || "fault" in ending) answer(entry, ending as Ending<unknown>);
    else if ("each" in ending)
      answer(entry, ending.each[work.kind][next[work.kind]++] as Ending<unknown>);
    else answer(entry, { answer: (ending.answer as SpendOutcomes)[work.kind][next[work.kind]++] });
  }
}

/**
 * Sends writes in batches, one at a time. Writes that arrive while a batch is under way form the
 * next one. So a slower disk makes larger batches, not longer queues. If a write is not answered in
 * time, the caller asks again with the same idempotency key to learn whether it was done (D2,
 * redemption; D15, outage).
 */
export function createBatchSender(
  post: (request: WriterRequest) => void,
  now: () => number,
  observer: WriteObserver | undefined,
): BatchSender {
  let waiting: PendingWrite[] = [];
  let away: readonly (readonly PendingWrite[])[] | undefined;
  let sentAtMs = 0;
  let deadline: NodeJS.Timeout | undefined;
  /** Every caller that had been waiting since before this moment has been rejected. */
  let reportedUntilMs = Number.NEGATIVE_INFINITY;
  let isScheduled = false;
  let isStopped = false;
  let onIdle: (() => void) | undefined;

  const reportLate = (): void => {
    const untilMs = now() - WRITE_DEADLINE_MS;
    const isOver = ({ sinceMs }: PendingWrite): boolean => sinceMs <= untilMs;
    const unknown = (away ?? [])
      .flat()
      .filter((entry) => isOver(entry) && entry.sinceMs > reportedUntilMs);
    const notBegun = waiting.filter(isOver);
    waiting = waiting.slice(notBegun.length);
    reportedUntilMs = untilMs;
    const late = unknown.length + notBegun.length;
    if (late > 0) observer?.onLate(late);
    for (const { reject } of unknown) reject(new StoreUnavailable(UNKNOWN));
    for (const { reject } of notBegun) reject(new StoreUnavailable(NOT_BEGUN));
  };

  /**
   * One timer for all writes, set for the oldest one that still has time. By the time it fires,
   * that write may have been answered.
   */
  const watch = (): void => {
    if (deadline !== undefined) return;
    const oldest = away?.flat().find(({ sinceMs }) => sinceMs > reportedUntilMs) ?? waiting[0];
    if (oldest === undefined) return;
    const onDeadline = (): void => {
      deadline = undefined;
      reportLate();
      watch();
    };
    deadline = setTimeout(
      onDeadline,
      Math.max(1, Math.ceil(oldest.sinceMs + WRITE_DEADLINE_MS - now())),
    );
  };

  const endIfIdle = (): void => {
    if (away === undefined && waiting.length === 0) onIdle?.();
  };

  const send = (): void => {
    isScheduled = false;
    if (waiting.length === 0) {
      endIfIdle();
      return;
    }
    const entries = waiting;
    waiting = [];
    const groups = groupEntries(entries);
    try {
      post({ kind: "batch", parts: groups.map(packGroup) });
    } catch (error) {
      // A value in these writes can't cross to another thread. That is our bug, so only these
      // writes fail.
      for (const { reject } of entries) reject(error);
      endIfIdle();
      return;
    }
    away = groups;
    sentAtMs = now();
    observer?.onSent();
  };

  const refusal = (): StoreUnavailable | undefined => {
    if (isStopped) return new StoreUnavailable("the store is closed");
    return waiting.length >= MAX_WAITING_WRITES
      ? new StoreUnavailable("too many writes are waiting")
      : undefined;
  };

  const enqueue = (work: PendingWrite["work"]): Promise<never> =>
    new Promise((resolve, reject) => {
      const refused = refusal();
      if (refused !== undefined) return reject(refused);
      waiting.push({ sinceMs: now(), work, resolve, reject });
      watch();
      if (away !== undefined || isScheduled) return;
      isScheduled = true;
      setImmediate(send);
    });

  return {
    spend: (kind, item) => enqueue({ kind, item }),
    call: (call) => enqueue({ call }),
    isLate: () => away !== undefined && now() - sentAtMs >= WRITE_DEADLINE_MS,
    onReply: ({ parts }) => {
      const groups = away ?? [];
      away = undefined;
      observer?.onWritten(now() - sentAtMs);
      for (const [at, group] of groups.entries())
        answerGroup(group, parts[at] as string | Ending<unknown>);
      send();
    },
    stop: () => {
      isStopped = true;
      return new Promise<void>((resolve) => {
        if (away === undefined && waiting.length === 0) resolve();
        else onIdle = resolve;
      }).then(() => clearTimeout(deadline));
    },
  };
}
