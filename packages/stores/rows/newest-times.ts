/**
 * Times that a service follows even if they are far ahead of its clock. A restore resets them
 * (decision 0013, clocks).
 */
export const NEWEST_TIMES = [
  { table: "generations", column: "seen_ms" },
  { table: "sweep_horizons", column: "swept_until_ms" },
  { table: "secret_keys", column: "replaced_at_ms" },
] as const;
