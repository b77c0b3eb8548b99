import { destination, type Logger, pino } from "pino";

/** Levels of STILE_LOG_LEVEL (D17). */
export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "silent"] as const;
/** One of the levels of STILE_LOG_LEVEL. */
export type LogLevel = (typeof LOG_LEVELS)[number];
export type { Logger };

/**
 * Structured log to standard error, a JSON object a line, so that standard output stays for what a person asked for.
 * Nothing that names a visitor, a token or a secret is ever passed to it (D14).
 */
export function createLog(level: LogLevel): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination({ fd: 2, sync: true }));
}
