/** Whether Intl knows that time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The browser's time zone. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Every zone to choose from; the browser's own and UTC come first. */
export function listZones(own: string): readonly string[] {
  return [...new Set([own, "UTC", ...Intl.supportedValuesOf("timeZone")])];
}

/** Wall-clock time in a zone in the format of `datetime-local`: "2026-06-03T14:05". */
export function toLocalInput(ms: number, timeZone: string): string {
  // Swedish writes dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat("sv", {
    timeZone,
    dateStyle: "short",
    timeStyle: "short",
  });
  return format.format(ms).replace(" ", "T");
}

/**
 * The moment of a wall-clock time in a zone; undefined if the text is none. If the time occurs
 * twice, it is one of the two; a time that is skipped moves by the length of the gap.
 */
export function fromLocalInput(text: string, timeZone: string): number | undefined {
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  const offsetAt = (ms: number) => Date.parse(`${toLocalInput(ms, timeZone)}Z`) - ms;
  // The offset at the guessed moment may differ from that at the actual one: one more step settles
  // it.
  const guess = asUtc - offsetAt(asUtc);
  return asUtc - offsetAt(guess);
}
