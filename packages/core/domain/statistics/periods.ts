import type { Resolution } from "@stile/protocol/dashboard-statistics";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Length in ms of the periods that counts are kept by. Each starts at a multiple of it (UTC). */
export const PERIOD_MS: Readonly<Record<Resolution, number>> = {
  minute: 60_000,
  hour: HOUR_MS,
  day: DAY_MS,
};

/** How far back statistics can be requested, in ms: 48 hours, 90 days, 13 months. */
export const ASKED_MS: Readonly<Record<Resolution, number>> = {
  minute: 2 * DAY_MS,
  hour: 90 * DAY_MS,
  day: 396 * DAY_MS,
};

/**
 * How long counts are kept, in ms. Hours are kept a day longer, for the whole first day in any time
 * zone.
 */
export const KEPT_MS: Readonly<Record<Resolution, number>> = {
  minute: 2 * DAY_MS,
  hour: 91 * DAY_MS,
  day: 396 * DAY_MS,
};

/** Start of the period that contains the moment. */
export function startOfPeriod(resolution: Resolution, atMs: number): number {
  return Math.floor(atMs / PERIOD_MS[resolution]) * PERIOD_MS[resolution];
}

/** Periods of that resolution that start before this moment are no longer kept. */
export function keptFromMs(resolution: Resolution, nowMs: number): number {
  return startOfPeriod(resolution, nowMs - KEPT_MS[resolution]);
}

/** The moments from `fromMs` up to but not including `toMs`. */
export type Span = { readonly fromMs: number; readonly toMs: number };

/**
 * Splits a span into periods that are as long as possible, so that few counts have to be read:
 * whole days, with hours or minutes at both ends. Both ends must be starts of periods of `finest`.
 */
export function splitSpan(
  finest: Resolution,
  span: Span,
): readonly (Span & { readonly resolution: Resolution })[] {
  const coarser = finest === "minute" ? "hour" : "day";
  if (finest === "day" || span.toMs - span.fromMs < PERIOD_MS[coarser])
    return [{ resolution: finest, ...span }];
  const fromMs = startOfPeriod(coarser, span.fromMs + PERIOD_MS[coarser] - 1);
  const toMs = startOfPeriod(coarser, span.toMs);
  if (fromMs >= toMs) return [{ resolution: finest, ...span }];
  return [
    { resolution: finest, fromMs: span.fromMs, toMs: fromMs },
    ...splitSpan(coarser, { fromMs, toMs }),
    { resolution: finest, fromMs: toMs, toMs: span.toMs },
  ].filter((part) => part.fromMs < part.toMs);
}
