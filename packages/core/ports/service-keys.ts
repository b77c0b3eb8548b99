/** A stored service key: random key material, wrapped with the master key (AES-256-GCM). */
export type WrappedServiceKey = {
  /** Positive u32; a newer key has a greater id. */
  readonly keyId: number;
  readonly createdAtMs: number;
  readonly wrapped: Uint8Array;
  /**
   * It no longer seals, and all it made counts as expired: spent tokens may be forgotten
   * (`Store.begin`).
   */
  readonly isRetired: boolean;
};

/** Stores the wrapped keys of the service, which all nodes share. */
export interface ServiceKeys {
  listServiceKeys(): Promise<readonly WrappedServiceKey[]>;
  /** The greatest id that a key was ever added with since the store was begun on; 0 if none was. */
  newestKeyId(): Promise<number>;
  /**
   * Adds the key, not retired, unless its id is taken; returns whether it did, so that two nodes
   * can't both rotate.
   */
  insertServiceKey(key: Omit<WrappedServiceKey, "isRetired">): Promise<boolean>;
  deleteServiceKey(keyId: number): Promise<void>;
}
