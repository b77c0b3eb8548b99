import {
  changedMember,
  hasSecondFactor,
  NO_SECOND_FACTOR,
} from "../../../domain/account/member.ts";
import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry } from "../../../services/account/account-entry.ts";
import { isDemandedLast } from "../../../services/account/second-factor/is-demanded-last.ts";

/**
 * Removes one of the member's own passkeys. If it was the last second factor, the recovery codes go
 * too. `demanded`: the account demands that a second factor stays.
 */
export async function removePasskey(
  ports: Pick<ServicePorts, "clock" | "members">,
  { member }: SignedIn,
  passkeyId: string,
): Promise<"removed" | "not_found" | "conflict" | "demanded"> {
  const removed = member.passkeys.find((passkey) => passkey.passkeyId === passkeyId);
  if (removed === undefined) return "not_found";
  const passkeys = member.passkeys.filter((passkey) => passkey !== removed);
  if (await isDemandedLast(ports, { ...member, passkeys })) return "demanded";
  const left = hasSecondFactor({ ...member, passkeys }) ? { passkeys } : NO_SECOND_FACTOR;
  const after = changedMember(member, left);
  const changes = [{ field: "passkey", before: removed.name, after: null }];
  const entry = accountEntry(ports, member, "passkey_removed", { changes });
  const outcome = await ports.members.replaceMember(after, member.revision, entry);
  return outcome === "stored" ? "removed" : "conflict";
}
