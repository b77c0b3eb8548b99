import { destination, type Logger, pino } from "pino";
import type { LogLevel } from "./log-levels.ts";

export type { Logger };

/**
 * How many bytes of log are kept while it can't be written, as on a full disk. Further lines are
 * lost.
 */
const MOST_HELD = 65_536;

/**
 * Structured log to standard error, one JSON object per line, so that standard output has only what
 * a person asked for. If it can't be written, as on a full disk, nothing stops. Nothing that
 * identifies a visitor, a token or a secret is ever passed to it (D14, client address).
 */
export function createLog(level: LogLevel): Logger {
  const stream = destination({ fd: 2, sync: true, maxLength: MOST_HELD });
  stream.on("error", () => {});
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}
