/**
 * When secret keys were last accepted: shows an account whether an old key is still in use before
 * it expires.
 */
export interface KeyUsage {
  /** Records an accepted call, in memory; it is written within 10 s. */
  record(secretKeyDigest: string, nowMs: number): void;
  flush(): Promise<void>;
  /** The last accepted calls by digest; keys that were never used are absent. */
  findLastUses(digests: readonly string[]): Promise<ReadonlyMap<string, number>>;
}
