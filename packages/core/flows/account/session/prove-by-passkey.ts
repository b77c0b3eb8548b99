import { changedMember } from "../../../domain/account/member.ts";
import type { RelyingParty } from "../../../ports/account/credentials.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import {
  beginPasskeyUse,
  type Ceremony,
  type CeremonyAnswer,
  PROOF_PURPOSE,
  takePasskey,
} from "../second-factor/passkey-use.ts";
import { admitProof } from "../sign-in/sign-in-limits.ts";
import type { TicketUse } from "../sign-in/tickets.ts";
import type { SignedIn } from "../signed-in.ts";
import { type Proof, recordProof } from "./proving.ts";

type Ports = Pick<
  ServicePorts,
  "clock" | "cryptography" | "localLimiter" | "members" | "sessions" | "passkeyCeremonies"
>;

function useOf({ session }: SignedIn): TicketUse {
  return { purpose: PROOF_PURPOSE, sessionId: session.sessionId };
}

/** Options for the browser's `navigator.credentials.get`, valid in this session only. */
export function beginPasskeyProof(ports: Ports, party: RelyingParty, signedIn: SignedIn): Promise<Ceremony> {
  return beginPasskeyUse(ports, party, useOf(signedIn));
}

/** Proves with a passkey of the member that they are still the one using the session. */
export async function finishPasskeyProof(
  ports: Ports,
  party: RelyingParty,
  signedIn: SignedIn,
  answer: CeremonyAnswer,
): Promise<Proof> {
  const limit = admitProof(ports, signedIn.session);
  if (!limit.isAdmitted) return { kind: "limited", limit };
  const { member } = signedIn;
  const passkeys = await takePasskey(ports, party, { member, use: useOf(signedIn), answer });
  if (passkeys === undefined) return { kind: "wrong_credentials" };
  const after = changedMember(member, { passkeys });
  const outcome = await ports.members.replaceMember(after, member.revision);
  // The member was changed at this very moment, maybe this very passkey. A new try will tell.
  return outcome === "stored" ? await recordProof(ports, signedIn) : { kind: "wrong_credentials" };
}
