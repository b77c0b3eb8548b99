import type { Resolution } from "@stile/protocol/dashboard-statistics";
import { LOCALE } from "../format.ts";

type Local = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly minuteOfDay: number;
};

/** A tick of a time axis: the index of its point, and its label. */
export type TimeTick = { readonly index: number; readonly label: string };

const DAY_MS = 86_400_000;
/**
 * A day begins with the hour whose middle lies in it: where clocks differ by half an hour, just
 * before midnight.
 */
const MIDDLE_MS: Readonly<Record<Resolution, number>> = { minute: 0, hour: 0, day: 1_800_000 };

/**
 * How dense ticks may be, the densest first: each function says whether a point with that local
 * time gets one.
 */
const CANDIDATES: Readonly<Record<Resolution, readonly ((local: Local) => boolean)[]>> = {
  minute: [1, 2, 5, 10, 15, 30, 60, 180, 360, 720, 1440].map(
    (step) => (local) => local.minuteOfDay % step === 0,
  ),
  hour: [
    // Hours are counted by UTC: where clocks differ by half an hour, each begins at half past.
    ...[1, 2, 3, 6, 12, 24].map((step) => (local: Local) => hourOf(local) % step === 0),
    ...[2, 7, 14].map(
      (step) => (local: Local) => hourOf(local) === 0 && dayNumber(local) % step === 4 % step,
    ),
    (local) => hourOf(local) === 0 && local.day === 1,
  ],
  day: [
    ...[1, 2, 7, 14].map((step) => (local: Local) => dayNumber(local) % step === 4 % step),
    ...[1, 2, 3, 6, 12].map(
      (step) => (local: Local) => local.day === 1 && (local.month - 1) % step === 0,
    ),
  ],
};

function hourOf(local: Local): number {
  return Math.floor(local.minuteOfDay / 60);
}

/**
 * Days since 1970-01-01, a Thursday: those that leave a remainder of 4 when divided by 7 are
 * Mondays.
 */
function dayNumber(local: Local): number {
  return Date.UTC(local.year, local.month - 1, local.day) / DAY_MS;
}

/** Reads the parts of local times in one zone. */
function localReader(timeZone: string): (ms: number) => Local {
  const format = new Intl.DateTimeFormat(LOCALE, {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  return (ms) => {
    const found: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(ms)) found[type] = Number(value);
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = found;
    return { year, month, day, minuteOfDay: hour * 60 + minute };
  };
}

/**
 * At most `limit` ticks at round local times (full quarters, midnights, Mondays, first days), as
 * dense as fits.
 */
export function timeTicks(
  times: readonly number[],
  resolution: Resolution,
  timeZone: string,
  limit: number,
): readonly TimeTick[] {
  const read = localReader(timeZone);
  const locals = times.map((ms) => read(ms + MIDDLE_MS[resolution]));
  for (const isTick of CANDIDATES[resolution]) {
    const indexes = locals.flatMap((local, index) => (isTick(local) ? [index] : []));
    if (indexes.length > 0 && indexes.length <= limit) {
      const isMonthly =
        resolution === "day" && indexes.length > 1 && indexes.every((at) => locals[at]?.day === 1);
      return indexes.map((index) => ({
        index,
        label: tickLabel({
          ms: (times[index] ?? 0) + MIDDLE_MS[resolution],
          local: locals[index],
          resolution,
          isMonthly,
          timeZone,
        }),
      }));
    }
  }
  return times.length === 0
    ? []
    : [{ index: 0, label: formatPoint(times[0] ?? 0, resolution, timeZone) }];
}

type Tick = {
  readonly ms: number;
  readonly local: Local | undefined;
  readonly resolution: Resolution;
  readonly isMonthly: boolean;
  readonly timeZone: string;
};

function tickLabel(tick: Tick): string {
  const { ms, local, resolution, timeZone } = tick;
  if (tick.isMonthly)
    return format(ms, timeZone, local?.month === 1 ? { year: "numeric" } : { month: "short" });
  if (resolution === "day") return format(ms, timeZone, { month: "short", day: "numeric" });
  const isNewDay =
    local !== undefined && (resolution === "hour" ? hourOf(local) === 0 : local.minuteOfDay === 0);
  if (isNewDay) return `${format(ms, timeZone, { weekday: "short" })} ${local.day}`;
  return format(ms, timeZone, { hour: "2-digit", minute: "2-digit" });
}

/** The time that a point covers, in words: "14:05", "Tue, Jun 3, 14:00", "Tue, Jun 3, 2026". */
export function formatPoint(ms: number, resolution: Resolution, timeZone: string): string {
  const day = { weekday: "short", month: "short", day: "numeric" } as const;
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  if (resolution === "day")
    return format(ms + MIDDLE_MS.day, timeZone, { ...day, year: "numeric" });
  return format(ms, timeZone, resolution === "hour" ? { ...day, ...time } : time);
}

/** When a point is, for a sentence: "at 14:05", "on Tuesday at 14:00", "on Tuesday, June 3". */
export function formatPeak(startMs: number, resolution: Resolution, timeZone: string): string {
  const ms = startMs + MIDDLE_MS[resolution];
  const time = format(ms, timeZone, { hour: "2-digit", minute: "2-digit" });
  if (resolution === "minute") return `at ${time}`;
  const weekday = format(ms, timeZone, { weekday: "long" });
  if (resolution === "hour") return `on ${weekday} at ${time}`;
  return `on ${weekday}, ${format(ms, timeZone, { month: "long", day: "numeric" })}`;
}

function format(ms: number, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(LOCALE, { ...options, hourCycle: "h23", timeZone }).format(ms);
}
