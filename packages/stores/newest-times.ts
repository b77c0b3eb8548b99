/** Times that a service goes by until it has come to them, however far ahead they are: a restore takes them back (decision 0109). */
export const NEWEST_TIMES = [
  { table: "generations", column: "seen_ms" },
  { table: "sweep_horizons", column: "swept_until_ms" },
  { table: "secret_keys", column: "replaced_at_ms" },
] as const;
