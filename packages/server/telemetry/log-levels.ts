/** The levels of STILE_LOG_LEVEL (D17, settings). */
export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "silent"] as const;
/** One of the levels of STILE_LOG_LEVEL. */
export type LogLevel = (typeof LOG_LEVELS)[number];
