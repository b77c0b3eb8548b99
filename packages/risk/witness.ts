import { BATCH_MOMENTS, type Batch, pointerMoment } from "@stile/protocol/batch";
import type { ObservedBehaviour, ObservedPointer } from "@stile/protocol/observed-signals";
import type { SolveEvidence } from "./evidence.ts";
import { isMove } from "./mouse.ts";
import type { WidgetPress } from "./widget-press.ts";

/**
 * How long before its challenge was issued a page may have asked for it, ms: what led to that (a press, a focus) lies before, and a
 * slow network takes its time to open a connection.
 */
const ON_ITS_WAY_MS = 2_000;

/**
 * How far back what the page told when it asked counts, ms: people read a page with the mouse before they use its form by key, and
 * use a form twice. It was fixed before the challenge was known.
 */
const TOLD_BEFORE_MS = 30_000;

/** A busy page hands on an event this much later than its time, ms. */
const LATE_EVENT_MS = 1_000;

/** Clocks of two nodes, and of one that is being set right. */
const CLOCKS_APART_MS = 100;

/** Whether the visitor was watched for as long as the widget watches everybody. */
export const isWatchedLongEnough = ({ elapsedMs }: Pick<SolveEvidence, "elapsedMs">, leastMs: number): boolean =>
  elapsedMs >= leastMs - CLOCKS_APART_MS;

/** The batch that was signed with the challenge, if there is one. */
export const batchOf = ({ witness }: SolveEvidence): Batch | undefined =>
  typeof witness === "object" ? witness : undefined;

/**
 * Whether that moment of the visit lies within what the service knows to have passed: after the challenge by its own clock, or what
 * the page had not been handed yet when it asked for it; or shortly before, if the page said so (`isInBatch`) when it asked.
 */
function isWithin(
  atMs: number,
  durationMs: number,
  solve: SolveEvidence,
  isInBatch: (batch: Batch) => boolean,
): boolean {
  const batch = batchOf(solve);
  const agoMs = durationMs - atMs;
  if (batch === undefined) return agoMs <= solve.elapsedMs;
  if (atMs > batch.atMs - LATE_EVENT_MS && agoMs <= solve.elapsedMs + ON_ITS_WAY_MS) return true;
  return atMs >= batch.atMs - TOLD_BEFORE_MS && isInBatch(batch);
}

/** Whether what a pointer did counts as seen. */
export function isPointerSeen({ atMs, x, y }: ObservedPointer, durationMs: number, solve: SolveEvidence): boolean {
  return isWithin(atMs, durationMs, solve, ({ pointer }) => pointer.includes(pointerMoment(atMs, x, y)));
}

/** Whether a press counts as seen: its beginning, since a page that waits for its challenge sees the rest later. */
export function isPressSeen({ fromMs, x, y }: WidgetPress, durationMs: number, solve: SolveEvidence): boolean {
  const isInBatch = ({ pointer, keys }: Batch): boolean =>
    pointer.includes(pointerMoment(fromMs, x, y)) || keys.includes(Math.round(fromMs));
  return isWithin(fromMs, durationMs, solve, isInBatch);
}

/**
 * Whether a press answers the challenge that asked for it: it lies after the issue, or so shortly before that it made the page ask;
 * and somebody was there before it, by what the page said when it asked.
 */
export function isPressAnAnswer(press: WidgetPress, durationMs: number, solve: SolveEvidence): boolean {
  const { pointer = [], keys = [] } = batchOf(solve) ?? {};
  const isAnswer = durationMs - press.fromMs <= solve.elapsedMs + ON_ITS_WAY_MS;
  return isAnswer && pointer.length + keys.length > 0 && isPressSeen(press, durationMs, solve);
}

/** So many samples of either kind are in every visit's hands before the oldest are forgotten. */
const KEPT_AT_LEAST = 96;

/** Whether none of the moments is missing among what was handed in, nor one there that was left out before. */
function isSamePast(batched: readonly string[], found: readonly (readonly [ms: number, name: string])[], atMs: number) {
  const names = new Set(found.map(([, name]) => name));
  const told = new Set(batched);
  const timeOf = (name: string): number => Number.parseInt(name, 10);
  const forgottenMs = found.length < KEPT_AT_LEAST ? Number.NEGATIVE_INFINITY : (found[0]?.[0] ?? 0);
  const isKept = batched.every((name) => names.has(name) || timeOf(name) <= forgottenMs);
  const isAll = batched.length < BATCH_MOMENTS;
  const sinceMs = isAll ? Number.NEGATIVE_INFINITY : timeOf(batched[0] ?? "") + 1;
  const isComplete = found.every(([ms, name]) => ms <= sinceMs || ms > atMs - LATE_EVENT_MS || told.has(name));
  return isKept && isComplete;
}

/** Whether the visit, as it was handed in, still tells of its beginning what the page told when it asked for the challenge. */
export function isTrueToBatch(batch: Batch, { pointer, keys }: ObservedBehaviour): boolean {
  // Moves are forgotten before presses are, so what is older than the oldest move may lack either.
  const firstMove = pointer.find(isMove)?.atMs ?? 0;
  const moments = pointer
    .filter(({ atMs }) => pointer.length < KEPT_AT_LEAST || atMs >= firstMove)
    .map(({ atMs, x, y }) => [atMs, pointerMoment(atMs, x, y)] as const);
  const times = keys.map(({ atMs }) => [atMs, String(Math.round(atMs))] as const);
  return isSamePast(batch.pointer, moments, batch.atMs) && isSamePast(batch.keys.map(String), times, batch.atMs);
}
