/** A service key at rest: random key material, wrapped with the master key (AES-256-GCM). */
export type WrappedServiceKey = {
  /** Positive u32; a newer key has a greater id. */
  readonly keyId: number;
  readonly createdAtMs: number;
  readonly wrapped: Uint8Array;
  /** What it made counts as expired: tokens spent in its time may have been forgotten (`Store.begin`). It seals nothing any more. */
  readonly isRetired: boolean;
};

/** Where the wrapped keys of the service are kept, shared by all nodes. */
export interface ServiceKeys {
  listServiceKeys(): Promise<readonly WrappedServiceKey[]>;
  /** Adds the key, which is not retired, unless its id is taken; answers whether it was added, so that two nodes can't both rotate. */
  insertServiceKey(key: Omit<WrappedServiceKey, "isRetired">): Promise<boolean>;
  deleteServiceKey(keyId: number): Promise<void>;
}
