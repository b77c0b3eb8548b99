import type { ServicePorts } from "@stile/core/ports/service-ports";
import type { Store } from "@stile/core/ports/store";
import { createVault } from "../cryptography/member-secrets.ts";
import { createPasskeyCeremonies } from "../cryptography/passkeys.ts";
import { createPasswords } from "../cryptography/passwords.ts";
import { createTotpCodes } from "../cryptography/totp.ts";

/** The ports of the account use cases, in addition to those of every process. */
export type AccountPorts = Pick<
  ServicePorts,
  | "members"
  | "sessions"
  | "links"
  | "auditLog"
  | "passwords"
  | "vault"
  | "devices"
  | "totpCodes"
  | "passkeyCeremonies"
>;

/**
 * Members, their sessions and everything they prove their identity with. `wallMs` is the system's
 * clock.
 */
export function composeAccounts(
  store: Store,
  masterKey: Uint8Array,
  wallMs: () => number,
): AccountPorts {
  const { members, sessions, links, auditLog } = store;
  return {
    members,
    sessions,
    links,
    auditLog,
    passwords: createPasswords(),
    vault: createVault(masterKey),
    devices: createVault(masterKey, "device"),
    totpCodes: createTotpCodes(wallMs),
    passkeyCeremonies: createPasskeyCeremonies(),
  };
}
