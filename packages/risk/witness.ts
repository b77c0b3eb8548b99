import { BATCH_MOMENTS, type Batch, pointerMoment } from "@stile/protocol/batch";
import { LEAST_WATCHED_MS } from "@stile/protocol/limits";
import type {
  ObservedBehaviour,
  ObservedPointer,
  ObservedToggle,
} from "@stile/protocol/observed-signals";
import type { SolveEvidence } from "./evidence.ts";
import { isMove } from "./mouse.ts";
import type { WidgetPress } from "./widget-press.ts";

/**
 * How long before the issue of its challenge a page may have asked for it, ms. The cause (a press,
 * a focus) comes before, and a slow network takes time to open a connection.
 */
const ON_ITS_WAY_MS = 2_000;

/**
 * How far back the page's report at the time of asking counts, ms: people read a page with the
 * mouse before they use its form by key, and use a form twice. The report was fixed before the
 * challenge was known.
 */
const TOLD_BEFORE_MS = 30_000;

/** A busy page passes on an event up to this much later than it happened, ms. */
const LATE_EVENT_MS = 1_000;

/** How far apart the clocks of two nodes may be, or a clock during a correction, ms. */
const CLOCKS_APART_MS = 100;

/** Whether the visitor was observed for as long as the widget observes everybody. */
export const isWatchedLongEnough = (
  { elapsedMs }: Pick<SolveEvidence, "elapsedMs">,
  leastMs: number,
): boolean => elapsedMs >= leastMs - CLOCKS_APART_MS;

/** The batch that was signed with the challenge, if there is one. */
export const batchOf = ({ witness }: SolveEvidence): Batch | undefined =>
  typeof witness === "object" ? witness : undefined;

/**
 * Whether that moment of the visit lies within the time that the service knows to have passed. It
 * may lie after the challenge by the service's own clock, or be an event that the browser had not
 * yet delivered to the page when it asked. Or it may lie shortly before, if the page reported it
 * (`isInBatch`) when it asked.
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

/** Whether a pointer sample counts as seen. */
export function isPointerSeen(
  { atMs, x, y }: ObservedPointer,
  durationMs: number,
  solve: SolveEvidence,
): boolean {
  return isWithin(atMs, durationMs, solve, ({ pointer }) =>
    pointer.includes(pointerMoment(atMs, x, y)),
  );
}

/**
 * Whether a press counts as seen. Its beginning is enough, since a page that waits for its
 * challenge sees the rest later.
 */
export function isPressSeen(press: WidgetPress, durationMs: number, solve: SolveEvidence): boolean {
  const isInBatch = ({ pointer, keys }: Batch): boolean =>
    pointer.includes(pointerMoment(press.fromMs, press.x, press.y)) ||
    keys.includes(Math.round(press.fromMs));
  return isWithin(press.fromMs, durationMs, solve, isInBatch);
}

/** Whether the visitor used a key, and was observed for as long as everybody is. */
export function isKeySeen({ durationMs, keys }: ObservedBehaviour, solve: SolveEvidence): boolean {
  const isSeen = ({ atMs, isOn }: ObservedToggle): boolean =>
    isOn && isWithin(atMs, durationMs, solve, (batch) => batch.keys.includes(Math.round(atMs)));
  return isWatchedLongEnough(solve, LEAST_WATCHED_MS) && keys.some(isSeen);
}

/**
 * Whether a press answers the challenge that asked for it. It lies after the issue, or so shortly
 * before that it made the page ask; and by the page's report at that time, somebody was there
 * before it.
 */
export function isPressAnAnswer(
  press: WidgetPress,
  durationMs: number,
  solve: SolveEvidence,
): boolean {
  const { pointer = [], keys = [] } = batchOf(solve) ?? {};
  const isAnswer = durationMs - press.fromMs <= solve.elapsedMs + ON_ITS_WAY_MS;
  return isAnswer && pointer.length + keys.length > 0 && isPressSeen(press, durationMs, solve);
}

/** Every visit keeps this many samples of either kind before the oldest are forgotten. */
const KEPT_AT_LEAST = 96;

/**
 * Whether no reported moment is missing from the submission, and none is in it that was left out
 * before.
 */
function isSamePast(
  batched: readonly string[],
  found: readonly (readonly [ms: number, name: string])[],
  atMs: number,
) {
  const names = new Set(found.map(([, name]) => name));
  const reported = new Set(batched);
  const timeOf = (name: string): number => Number.parseInt(name, 10);
  const forgottenMs =
    found.length < KEPT_AT_LEAST ? Number.NEGATIVE_INFINITY : (found[0]?.[0] ?? 0);
  const isKept = batched.every((name) => names.has(name) || timeOf(name) <= forgottenMs);
  const isAll = batched.length < BATCH_MOMENTS;
  const sinceMs = isAll ? Number.NEGATIVE_INFINITY : timeOf(batched[0] ?? "") + 1;
  const isComplete = found.every(
    ([ms, name]) => ms <= sinceMs || ms > atMs - LATE_EVENT_MS || reported.has(name),
  );
  return isKept && isComplete;
}

/**
 * Whether the submitted visit still agrees about its beginning with what the page reported on
 * asking.
 */
export function isTrueToBatch(batch: Batch, { pointer, keys }: ObservedBehaviour): boolean {
  // Moves are forgotten before presses, so anything older than the oldest move may be missing.
  const firstMove = pointer.find(isMove)?.atMs ?? 0;
  const moments = pointer
    .filter(({ atMs }) => pointer.length < KEPT_AT_LEAST || atMs >= firstMove)
    .map(({ atMs, x, y }) => [atMs, pointerMoment(atMs, x, y)] as const);
  const times = keys.map(({ atMs }) => [atMs, String(Math.round(atMs))] as const);
  return (
    isSamePast(batch.pointer, moments, batch.atMs) &&
    isSamePast(batch.keys.map(String), times, batch.atMs)
  );
}
