/**
 * The dashboard is in English; numbers and dates follow it, so that a sentence never mixes two
 * languages.
 */
export const LOCALE = "en";

/** Created on first use: the first format of a page takes as long as the page's own code. */
function once<Format>(make: () => Format): () => Format {
  let made: Format | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const plain = once(() => new Intl.NumberFormat(LOCALE));
const compact = once(
  () => new Intl.NumberFormat(LOCALE, { notation: "compact", maximumFractionDigits: 1 }),
);
const relative = once(() => new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" }));

/** Shown where there is no value yet. */
export const NO_VALUE = "–";

/** Between a number and its unit: lines don't break there. */
const GAP = "\u00a0";

/** "1,204". */
export function formatNumber(value: number): string {
  // A number without separators needs no format.
  return Number.isInteger(value) && value >= 0 && value < 1000
    ? String(value)
    : plain().format(value);
}

/** "1.2K": for axes and narrow places. */
export function formatCompact(value: number): string {
  return compact().format(value);
}

/**
 * "96%" for 0.96. A share between nothing and all never reads as 0 or 100, and one above 1 is no
 * value.
 */
export function formatPercent(ratio: number | null): string {
  if (ratio === null || !Number.isFinite(ratio) || ratio > 1) return NO_VALUE;
  const percent = ratio * 100;
  if (percent > 0 && percent < 0.1) return "<0.1%";
  if (percent < 100 && percent > 99.9) return ">99.9%";
  const digits = percent < 10 || percent > 99 ? 1 : 0;
  return `${Number(percent.toFixed(digits))}%`;
}

/** "0.60": a score or threshold with two decimals (D6, scores). */
export function formatScore(score: number): string {
  return score.toFixed(2);
}

/** "480 ms", "1.2 s", "2 min", "3 h", "5 days". */
export function formatDuration(ms: number | null): string {
  if (ms === null) return NO_VALUE;
  if (ms < 999.5) return `${Math.round(ms)}${GAP}ms`;
  if (ms < 59_950) return `${Number((ms / 1000).toFixed(ms < 10_000 ? 1 : 0))}${GAP}s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes}${GAP}min`;
  const hours = Math.round(ms / 3_600_000);
  if (hours < 48) return `${hours}${GAP}h`;
  return countOf(Math.round(ms / 86_400_000), "day");
}

/** "1 day", "3 days": for nouns whose plural adds an s. */
export function countOf(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** "Oct 5, 2026, 14:05:09", in the given zone or the browser's. */
export function formatDateTime(ms: number, timeZone?: string): string {
  return new Intl.DateTimeFormat(LOCALE, {
    dateStyle: "medium",
    timeStyle: "medium",
    hourCycle: "h23",
    ...(timeZone !== undefined && { timeZone }),
  }).format(ms);
}

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** "3 minutes ago", "in 2 hours", "just now"; a date beyond 30 days. */
export function formatRelative(ms: number, nowMs: number): string {
  const difference = ms - nowMs;
  if (Math.abs(difference) > 30 * 86_400_000) {
    return new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium" }).format(ms);
  }
  for (const [unit, size] of STEPS) {
    if (Math.abs(difference) >= size) return relative().format(Math.trunc(difference / size), unit);
  }
  return difference > 0 ? "in less than a minute" : "just now";
}

/** "23 h 59 min", or "4:05" below an hour: the time left until a moment; "0:00" after it. */
export function formatRemaining(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (hours >= 48)
    return `${Math.floor(hours / 24)} days${hours % 24 > 0 ? ` ${hours % 24} h` : ""}`;
  if (hours > 0) return `${hours} h${minutes > 0 ? ` ${minutes} min` : ""}`;
  return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}
