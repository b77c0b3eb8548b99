import { MOST_PASSKEYS } from "@stile/protocol/limits";
import { normalizeName } from "../../../domain/account/credentials-rules.ts";
import { changedMember, type Passkey } from "../../../domain/account/member.ts";
import type { SignedIn } from "../../../domain/account/signed-in.ts";
import { decodeUtf8, encodeUtf8 } from "../../../domain/bytes.ts";
import type { Limited } from "../../../domain/rate-window.ts";
import { isVisible, withoutUnseen } from "../../../domain/unseen.ts";
import type { RelyingParty } from "../../../ports/account/credentials.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry } from "../../../services/account/account-entry.ts";
import {
  type Ceremony,
  type CeremonyAnswer,
  isPasskeyId,
} from "../../../services/account/second-factor/passkey-use.ts";
import {
  firstRecoveryCodes,
  repeatFirstCodes,
} from "../../../services/account/second-factor/recovery-codes.ts";
import { admitEnrolment } from "../../../services/account/sign-in/sign-in-limits.ts";
import { openTicket, sealTicket, useWithin } from "../../../services/account/sign-in/tickets.ts";

type Ports = Pick<
  ServicePorts,
  "clock" | "cryptography" | "localLimiter" | "members" | "passkeyCeremonies"
>;

const MAX_NAME = 64;

/**
 * A first second factor brings recovery codes. `refused`: invalid response, or the passkey is
 * already registered.
 */
export type AddPasskeyAnswer =
  | {
      readonly kind: "added";
      readonly passkey: Passkey;
      readonly recoveryCodes: readonly string[] | undefined;
    }
  /** A repeat: the first request added the passkey. */
  | { readonly kind: "repeated"; readonly recoveryCodes: readonly string[] | undefined }
  | Limited
  | { readonly kind: "refused" | "conflict" };

/** Options for the browser's `navigator.credentials.create`, valid in this session only. */
export async function beginPasskey(
  ports: Ports,
  party: RelyingParty,
  signedIn: SignedIn,
): Promise<Ceremony> {
  const { options, challenge } = await ports.passkeyCeremonies.createRegistration(
    party,
    signedIn.member,
  );
  return {
    options,
    ticket: sealTicket(ports, useWithin(signedIn, "passkey"), encodeUtf8(challenge)),
  };
}

/**
 * Registers the passkey that the browser created. If it is the first second factor, the same step
 * ends the member's other sessions, which a password alone may have begun.
 */
export async function addPasskey(
  ports: Ports,
  party: RelyingParty,
  signedIn: SignedIn,
  { ticket, response, name }: CeremonyAnswer & { readonly name: string },
): Promise<AddPasskeyAnswer> {
  const limit = admitEnrolment(ports, signedIn.session.sessionId);
  if (!limit.isAdmitted) return { kind: "limited", limit };
  const { member, change } = signedIn;
  if (change?.made !== undefined) {
    const isOnly = member.totp === null && member.passkeys.length === 1;
    const repeat = await repeatFirstCodes(ports, member, isOnly);
    return repeat.kind === "repeated" ? { kind: "repeated", recoveryCodes: repeat.codes } : repeat;
  }
  const open = openTicket(ports, useWithin(signedIn, "passkey"), ticket);
  if (open === undefined || member.passkeys.length >= MOST_PASSKEYS) return { kind: "refused" };
  const verified = await ports.passkeyCeremonies.verifyRegistration(
    party,
    decodeUtf8(open.payload),
    response,
  );
  if (verified === undefined || !isPasskeyId(verified.passkeyId)) return { kind: "refused" };
  // The authenticator chooses the id, so a forged id must not take over or hide another passkey.
  if ((await ports.members.findMemberByPasskey(verified.passkeyId)) !== undefined)
    return { kind: "refused" };
  const passkey: Passkey = {
    ...verified,
    name: isVisible(name)
      ? [...normalizeName(withoutUnseen(name))].slice(0, MAX_NAME).join("")
      : "Passkey",
    createdAtMs: ports.clock.nowMs(),
    lastUsedAtMs: null,
  };
  const first = firstRecoveryCodes(ports, member);
  const after = changedMember(member, {
    passkeys: [...member.passkeys, passkey],
    recoveryCodes: first?.digests ?? member.recoveryCodes,
  });
  const changes = [{ field: "passkey", before: null, after: passkey.name }];
  const entry = accountEntry(ports, member, "passkey_added", { changes, change });
  const onlySessionId = first && signedIn.session.sessionId;
  const outcome = await ports.members.replaceMember(after, member.revision, entry, onlySessionId);
  return outcome === "stored"
    ? { kind: "added", passkey, recoveryCodes: first?.codes }
    : { kind: "conflict" };
}
