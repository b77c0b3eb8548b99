const SECOND_MS = 1000;
/**
 * How many seconds have their text cached. The times in answers lie within a token's life of
 * minutes.
 */
const KEPT_SECONDS = 512;
/** The texts of those seconds, without milliseconds. */
const texts = Array.from({ length: KEPT_SECONDS }, () => ({ second: Number.NaN, text: "" }));

/**
 * ISO 8601 in UTC (spec 2.1). Under load many answers name the same seconds, so each is formatted
 * only once.
 */
export function isoTime(ms: number): string {
  const second = Math.floor(ms / SECOND_MS);
  const kept = texts[second % KEPT_SECONDS];
  if (kept === undefined) return new Date(ms).toISOString();
  if (kept.second !== second) {
    kept.text = new Date(second * SECOND_MS).toISOString().slice(0, -"000Z".length);
    kept.second = second;
  }
  return `${kept.text}${String(Math.floor(ms) - second * SECOND_MS).padStart(3, "0")}Z`;
}
