import type { SealedSecrets } from "@stile/core/ports/sealed-secrets";
import { createVault } from "./member-secrets.ts";
import { unwrapServiceKey, wrapServiceKey } from "./service-keys.ts";
import { WrongMasterKey } from "./wrapped-key.ts";

/** Whether the master key opens every service key; there must be one. */
export function opensKeys(masterKey: Uint8Array, { serviceKeys }: SealedSecrets): boolean {
  try {
    for (const key of serviceKeys) unwrapServiceKey(masterKey, key);
    return serviceKeys.length > 0;
  } catch (error) {
    if (error instanceof WrongMasterKey) return false;
    throw error;
  }
}

/**
 * The same secrets under another master key. Throws WrongMasterKey if the present one does not open
 * all of them.
 */
export function resealSecrets(
  secrets: SealedSecrets,
  from: Uint8Array,
  to: Uint8Array,
): SealedSecrets {
  const [present, next] = [createVault(from), createVault(to)];
  return {
    serviceKeys: secrets.serviceKeys.map((key) => ({
      keyId: key.keyId,
      wrapped: wrapServiceKey(to, { keyId: key.keyId, material: unwrapServiceKey(from, key) }),
    })),
    memberSecrets: secrets.memberSecrets.map(({ userId, sealed }) => {
      const secret = present.open(sealed, userId);
      if (secret === undefined) {
        throw new WrongMasterKey(
          `The master key does not open the authenticator secret of the member ${userId}. Remove that member's second factor first ` +
            "(the command reset-link --email EMAIL --remove-second-factor).",
        );
      }
      return { userId, sealed: next.seal(secret, userId) };
    }),
  };
}
