/**
 * Everything in a store that is sealed under the master key, apart from what lives for a day at
 * most.
 */
export type SealedSecrets = {
  readonly serviceKeys: readonly { readonly keyId: number; readonly wrapped: Uint8Array }[];
  /** The secrets of members' authenticator apps. */
  readonly memberSecrets: readonly { readonly userId: string; readonly sealed: Uint8Array }[];
};

/** Seals the secrets for another master key; undefined leaves the store as it is. It may throw. */
export type Reseal = (secrets: SealedSecrets) => SealedSecrets | undefined;
