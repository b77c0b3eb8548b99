import type { Resolution } from "@stile/protocol/dashboard-statistics";
import type { Query } from "../../ui/query.ts";
import { isTimeZone } from "./zone.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Preset = { readonly label: string; readonly ms: number; readonly resolution: Resolution };

/** Ranges that end now. */
export const PRESETS = {
  "1h": { label: "1 hour", ms: HOUR_MS, resolution: "minute" },
  "24h": { label: "24 hours", ms: DAY_MS, resolution: "hour" },
  "7d": { label: "7 days", ms: 7 * DAY_MS, resolution: "hour" },
  "30d": { label: "30 days", ms: 30 * DAY_MS, resolution: "day" },
  "90d": { label: "90 days", ms: 90 * DAY_MS, resolution: "day" },
  "13m": { label: "13 months", ms: 396 * DAY_MS, resolution: "day" },
} as const satisfies Record<string, Preset>;

/** The name of a range that ends now. */
export type PresetName = keyof typeof PRESETS;

/** What was chosen, as the address keeps it. */
export type RangeChoice =
  | { readonly kind: "preset"; readonly preset: PresetName }
  | { readonly kind: "custom"; readonly fromMs: number; readonly toMs: number };

/** A range and the zone in which its days begin. */
export type View = { readonly range: RangeChoice; readonly timeZone: string };

/** What the endpoints are asked for. */
export type Span = { readonly fromMs: number; readonly toMs: number; readonly resolution: Resolution };

const DEFAULT_PRESET: PresetName = "24h";

/** Reads the address; what is missing or nonsense falls back to the last 24 hours in the browser's zone. */
export function readView(query: Readonly<Record<string, string | undefined>>, ownZone: string): View {
  const timeZone = query.zone !== undefined && isTimeZone(query.zone) ? query.zone : ownZone;
  const fromMs = Date.parse(query.from ?? "");
  const toMs = Date.parse(query.to ?? "");
  if (fromMs < toMs) return { range: { kind: "custom", fromMs, toMs }, timeZone };
  const preset = query.range !== undefined && Object.hasOwn(PRESETS, query.range) ? query.range : DEFAULT_PRESET;
  return { range: { kind: "preset", preset: preset as PresetName }, timeZone };
}

/** The inverse of `readView`; what is the default is left out, so that a shared address follows its reader's zone. */
export function toViewQuery({ range, timeZone }: View, ownZone: string): Query {
  const zone = timeZone === ownZone ? undefined : timeZone;
  if (range.kind === "preset") return { range: range.preset === DEFAULT_PRESET ? undefined : range.preset, zone };
  return { from: toIsoMinute(range.fromMs), to: toIsoMinute(range.toMs), zone };
}

function toIsoMinute(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16)}Z`;
}

/** What to ask for at that moment; a range that ends now ends with the running minute, so that it changes once a minute. */
export function toSpan(range: RangeChoice, nowMs: number): Span {
  if (range.kind === "custom")
    return { fromMs: range.fromMs, toMs: range.toMs, resolution: resolutionFor(range, nowMs) };
  const { ms, resolution } = PRESETS[range.preset];
  const toMs = Math.ceil((nowMs + 1) / MINUTE_MS) * MINUTE_MS;
  return { fromMs: toMs - ms, toMs, resolution };
}

/** As fine as counts of that age are kept (minutes for 48 hours, hours for 90 days), and as a chart can show. */
function resolutionFor(range: { readonly fromMs: number; readonly toMs: number }, nowMs: number): Resolution {
  const lengthMs = range.toMs - range.fromMs;
  const ageMs = nowMs - range.fromMs;
  if (lengthMs <= 3 * HOUR_MS && ageMs <= 2 * DAY_MS) return "minute";
  return lengthMs <= 8 * DAY_MS && ageMs <= 90 * DAY_MS ? "hour" : "day";
}
