const HOUR_MS = 3_600_000;
/** After this many hours no day has ended, not even one on which clocks go forward. */
const SURE_HOURS = 20;

/** Whether the text names a time zone, such as `Europe/Berlin` or `UTC`. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    // Trying is the only way to ask: Intl throws a RangeError for names that it does not know.
    return false;
  }
}

function dateFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en", {
    timeZone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
  });
}

/**
 * Reads the local date of the UTC hour that starts at `hourMs`, as a text. The middle of an hour
 * decides its day.
 */
function dateReader(timeZone: string): (hourMs: number) => string {
  const format = dateFormat(timeZone);
  return (hourMs) => format.format(hourMs + HOUR_MS / 2);
}

/** Start of the local day that contains the moment, as `localDayStarts` divides days. */
export function startOfLocalDay(atMs: number, timeZone: string): number {
  const dateOf = dateReader(timeZone);
  let startMs = Math.floor(atMs / HOUR_MS) * HOUR_MS;
  const date = dateOf(startMs);
  while (dateOf(startMs - HOUR_MS) === date) startMs -= HOUR_MS;
  return startMs;
}

/**
 * Start of the last UTC hour that belongs to the local day of the last moment before `endMs`. In a
 * zone that is off by half an hour, the UTC hour that contains midnight already belongs to the next
 * day.
 */
export function startOfLastLocalHour(endMs: number, timeZone: string): number {
  const hourMs = Math.floor((endMs - 1) / HOUR_MS) * HOUR_MS;
  const isOfThatDay = dateReader(timeZone)(hourMs) === dateFormat(timeZone).format(endMs - 1);
  return isOfThatDay ? hourMs : hourMs - HOUR_MS;
}

/**
 * Starts of the local days in [fromMs, toMs), oldest first, and of the first day after them;
 * `fromMs` must be such a start. Days consist of whole UTC hours: they are exact for zones off by
 * whole hours, and cut at the nearest hour for others. A day on which clocks change has 23 or 25
 * hours.
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
      // Formatting a date costs more than everything else that a page of figures needs, so skip
      // hours that cannot end the day.
      if (dateOf(hourMs + SURE_HOURS * HOUR_MS) === date) hourMs += SURE_HOURS * HOUR_MS;
    }
  }
}
