/** When secret keys were last accepted: tells an account whether an old key is still in use before it dies. */
export interface KeyUsage {
  /** Notes an accepted call; kept in memory, written within 10 s. */
  record(secretKeyDigest: string, nowMs: number): void;
  flush(): Promise<void>;
  /** Last accepted calls by digest; absent for keys that were never used. */
  findLastUses(digests: readonly string[]): Promise<ReadonlyMap<string, number>>;
}
