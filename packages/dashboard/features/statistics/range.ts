import type { RangeName } from "@stile/protocol/dashboard-statistics";
import type { UrlQuery } from "../../ui/query.ts";
import { isTimeZone } from "./zone.ts";

const DAY_MS = 86_400_000;

/** Ranges that end now, by the service's names for them. */
export const PRESETS: Readonly<Record<RangeName, string>> = {
  "1h": "1 hour",
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
  "13m": "13 months",
};

/** Two moments. */
export type Times = { readonly fromMs: number; readonly toMs: number };

/** A range of two chosen moments. */
export type CustomRange = { readonly kind: "custom" } & Times;

/** The choice, in the form that the address keeps. */
export type RangeChoice = { readonly kind: "preset"; readonly preset: RangeName } | CustomRange;

/** A range and the zone in which its days begin. */
export type StatisticsView = { readonly range: RangeChoice; readonly timeZone: string };

const DEFAULT_PRESET: RangeName = "24h";

/**
 * Reads the address; missing and invalid parts fall back to the last 24 hours in the browser's
 * zone.
 */
export function readView(
  query: Readonly<Record<string, string | undefined>>,
  ownZone: string,
): StatisticsView {
  const timeZone = query.zone !== undefined && isTimeZone(query.zone) ? query.zone : ownZone;
  const fromMs = Date.parse(query.from ?? "");
  const toMs = Date.parse(query.to ?? "");
  if (fromMs < toMs) return { range: { kind: "custom", fromMs, toMs }, timeZone };
  const preset =
    query.range !== undefined && Object.hasOwn(PRESETS, query.range) ? query.range : DEFAULT_PRESET;
  return { range: { kind: "preset", preset: preset as RangeName }, timeZone };
}

/**
 * The inverse of `readView`; defaults are left out, so that a shared address follows its reader's
 * zone.
 */
export function toViewQuery({ range, timeZone }: StatisticsView, ownZone: string): UrlQuery {
  const zone = timeZone === ownZone ? undefined : timeZone;
  if (range.kind === "preset")
    return { range: range.preset === DEFAULT_PRESET ? undefined : range.preset, zone };
  return { from: toIsoMinute(range.fromMs), to: toIsoMinute(range.toMs), zone };
}

function toIsoMinute(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16)}Z`;
}

/**
 * The service accepts moments from 1970 on, with at most 14 digits; nothing was counted outside of
 * them.
 */
const LAST_MS = 99_999_999_999_999;

function toMoment(ms: number): number {
  return Math.min(Math.max(ms, 0), LAST_MS);
}

/** The query for the endpoints: the service knows the current bounds of a range. */
export function toRangeQuery({ range, timeZone }: StatisticsView): UrlQuery {
  if (range.kind === "preset") return { range: range.preset, timeZone };
  return { from: toMoment(range.fromMs), to: toMoment(range.toMs), timeZone };
}

/** The custom range with which editing begins: the one whose figures are shown, or the last day. */
export function toCustom(shown: Times | undefined, nowMs: number): CustomRange {
  const { fromMs, toMs } = shown ?? { fromMs: nowMs - DAY_MS, toMs: nowMs };
  return { kind: "custom", fromMs, toMs };
}
