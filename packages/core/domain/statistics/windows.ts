import { RANGES, type RangeName, type Resolution } from "@stile/protocol/dashboard-statistics";
import { isTimeZone, localDayStarts, startOfLastLocalHour, startOfLocalDay } from "./local-days.ts";
import { ASKED_MS, PERIOD_MS, type Span, startOfPeriod } from "./periods.ts";

/** The requested time: the name of a range that ends now, or two moments. */
export type Range = RangeName | Span;

/**
 * The time that figures cover. Every list, sum, chart and histogram of a range reads exactly this
 * window, so that they add up.
 */
export type Window = Span & {
  /** Starts of the points, oldest first, without gaps; the last point ends with the window. */
  readonly starts: readonly number[];
  /** The length of a point. */
  readonly resolution: Resolution;
  /** The periods in which counts are read: hours when each point is a local day. */
  readonly read: Resolution;
  /** The time zone of the points: the requested one, or UTC if the points are UTC days. */
  readonly timeZone: string;
};

/**
 * Whole periods that cover the request, limited to what may be requested and to the present; may be
 * empty.
 */
export function coverPeriods(resolution: Resolution, asked: Span, nowMs: number): Span {
  const periodMs = PERIOD_MS[resolution];
  const latestMs = startOfPeriod(resolution, nowMs) + periodMs;
  const earliestMs = startOfPeriod(resolution, nowMs - ASKED_MS[resolution]);
  const toMs = Math.min(startOfPeriod(resolution, asked.toMs + periodMs - 1), latestMs);
  const fromMs = Math.min(Math.max(startOfPeriod(resolution, asked.fromMs), earliestMs), latestMs);
  return { fromMs, toMs: Math.max(fromMs, toMs) };
}

/** The finest resolution that is kept for that age and that a chart can show. */
function resolutionOf({ fromMs, toMs }: Span, nowMs: number): Resolution {
  const lengthMs = toMs - fromMs;
  if (lengthMs <= 3 * PERIOD_MS.hour && fromMs >= nowMs - ASKED_MS.minute) return "minute";
  return lengthMs <= 8 * PERIOD_MS.day && fromMs >= nowMs - ASKED_MS.hour ? "hour" : "day";
}

function evenWindow(resolution: Resolution, span: Span, askedZone: string): Window {
  const periodMs = PERIOD_MS[resolution];
  const count = (span.toMs - span.fromMs) / periodMs;
  const starts = Array.from({ length: count }, (_, index) => span.fromMs + index * periodMs);
  const timeZone = resolution !== "day" && isTimeZone(askedZone) ? askedZone : "UTC";
  return { ...span, starts, resolution, read: resolution, timeZone };
}

/** A window whose points are the days between neighbouring edges. */
function localWindow(edges: readonly number[], timeZone: string): Window {
  const [fromMs = 0] = edges;
  const toMs = edges.at(-1) ?? fromMs;
  return { fromMs, toMs, starts: edges.slice(0, -1), resolution: "day", read: "hour", timeZone };
}

function isCutLocally(timeZone: string): boolean {
  return timeZone !== "UTC" && isTimeZone(timeZone);
}

function lastPeriods(name: RangeName, timeZone: string, nowMs: number): Window {
  const { resolution, periods } = RANGES[name];
  const lengthMs = periods * PERIOD_MS[resolution];
  if (resolution === "day" && lengthMs <= ASKED_MS.hour && isCutLocally(timeZone)) {
    // This start gives at least that many local days, and one more if the first is cut short.
    const edges = localDayStarts(startOfLocalDay(nowMs - lengthMs, timeZone), nowMs + 1, timeZone);
    return localWindow(edges.slice(-periods - 1), timeZone);
  }
  const toMs = startOfPeriod(resolution, nowMs) + PERIOD_MS[resolution];
  return evenWindow(resolution, { fromMs: toMs - lengthMs, toMs }, timeZone);
}

function chosenPeriods(asked: Span, timeZone: string, nowMs: number): Window {
  const resolution = resolutionOf(asked, nowMs);
  const span = coverPeriods(resolution, asked, nowMs);
  const isLocal =
    resolution === "day" && isCutLocally(timeZone) && asked.fromMs >= nowMs - ASKED_MS.hour;
  if (!isLocal || span.fromMs === span.toMs) return evenWindow(resolution, span, timeZone);
  const lastMs = asked.toMs > nowMs ? nowMs : startOfLastLocalHour(asked.toMs, timeZone);
  return localWindow(
    localDayStarts(startOfLocalDay(asked.fromMs, timeZone), lastMs + 1, timeZone),
    timeZone,
  );
}

/**
 * The window of a range at a moment. A named range has its number of periods, including the running
 * one: 24 hours are this hour and the 23 before it. A chosen range has the periods that cover it,
 * as far as they are kept. Days are those of the time zone as long as hours are kept (90 days; see
 * `localDayStarts` for zones off by less than an hour). Otherwise, and for an unknown zone, they
 * are days of UTC.
 */
export function toWindow(range: Range, timeZone: string, nowMs: number): Window {
  return typeof range === "string"
    ? lastPeriods(range, timeZone, nowMs)
    : chosenPeriods(range, timeZone, nowMs);
}
