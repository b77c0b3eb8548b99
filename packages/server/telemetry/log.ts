import { destination, type Logger, pino } from "pino";

/** Levels of STILE_LOG_LEVEL (D17). */
export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "silent"] as const;
/** One of the levels of STILE_LOG_LEVEL. */
export type LogLevel = (typeof LOG_LEVELS)[number];
export type { Logger };

/** What is held of a log that can't be written at the moment, as on a full disk; further lines are lost. */
const MOST_HELD = 65_536;

/**
 * Structured log to standard error, a JSON object a line, so that standard output stays for what a person asked for.
 * A log that can't be written, as on a full disk, stops nothing.
 * Nothing that names a visitor, a token or a secret is ever passed to it (D14).
 */
export function createLog(level: LogLevel): Logger {
  const stream = destination({ fd: 2, sync: true, maxLength: MOST_HELD });
  stream.on("error", () => {});
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}
