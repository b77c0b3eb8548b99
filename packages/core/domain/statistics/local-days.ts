const HOUR_MS = 3_600_000;
/** Hours after which no day has ended yet, even one that clocks were put forward in. */
const SURE_HOURS = 20;

/** Whether this is a time zone that days can be cut by, such as `Europe/Berlin` or `UTC`. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    // The only way to ask: Intl throws a RangeError for names it does not know.
    return false;
  }
}

function dateFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en", { timeZone, year: "numeric", month: "numeric", day: "numeric" });
}

/** The local date of the hour (UTC) that starts at `hourMs`, as a text to compare; an hour belongs where its middle lies. */
function dateReader(timeZone: string): (hourMs: number) => string {
  const format = dateFormat(timeZone);
  return (hourMs) => format.format(hourMs + HOUR_MS / 2);
}

/** Start of the local day that the moment lies in, as `localDayStarts` cuts it. */
export function startOfLocalDay(atMs: number, timeZone: string): number {
  const dateOf = dateReader(timeZone);
  let startMs = Math.floor(atMs / HOUR_MS) * HOUR_MS;
  const date = dateOf(startMs);
  while (dateOf(startMs - HOUR_MS) === date) startMs -= HOUR_MS;
  return startMs;
}

/**
 * Start of the last hour (UTC) that belongs to the local day of the last moment before `endMs`: at midnight of a zone that is
 * off by half an hour, the hour that it lies in belongs to the next day already.
 */
export function startOfLastLocalHour(endMs: number, timeZone: string): number {
  const hourMs = Math.floor((endMs - 1) / HOUR_MS) * HOUR_MS;
  const isOfThatDay = dateReader(timeZone)(hourMs) === dateFormat(timeZone).format(endMs - 1);
  return isOfThatDay ? hourMs : hourMs - HOUR_MS;
}

/**
 * Starts of the local days in [fromMs, toMs), oldest first, and the first one after them; `fromMs` must be one. Days are
 * made of whole hours of UTC: zones that are off by whole hours are exact, the others are cut at the nearest hour. A day in
 * which clocks change has 23 or 25 hours.
 */
export function localDayStarts(fromMs: number, toMs: number, timeZone: string): readonly number[] {
  const dateOf = dateReader(timeZone);
  const starts = [fromMs];
  let date = dateOf(fromMs);
  for (let hourMs = fromMs + HOUR_MS; ; hourMs += HOUR_MS) {
    const next = dateOf(hourMs);
    if (next !== date) {
      starts.push(hourMs);
      if (!(hourMs < toMs)) return starts;
      date = next;
      // Asking for a date takes longer than all else that is done for a page of figures.
      if (dateOf(hourMs + SURE_HOURS * HOUR_MS) === date) hourMs += SURE_HOURS * HOUR_MS;
    }
  }
}
