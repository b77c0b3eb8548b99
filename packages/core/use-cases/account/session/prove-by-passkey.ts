import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { RelyingParty } from "../../../ports/account/credentials.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import {
  beginPasskeyUse,
  type Ceremony,
  type CeremonyAnswer,
} from "../../../services/account/second-factor/passkey-use.ts";
import { checkPasskey } from "../../../services/account/session/own-proof.ts";
import { type Proof, proveSession } from "../../../services/account/session/prove-session.ts";
import { useWithin } from "../../../services/account/sign-in/tickets.ts";

type Ports = Pick<
  ServicePorts,
  "clock" | "cryptography" | "localLimiter" | "members" | "sessions" | "passkeyCeremonies"
>;

/** Options for the browser's `navigator.credentials.get`, valid in this session only. */
export function beginPasskeyProof(
  ports: Ports,
  party: RelyingParty,
  signedIn: SignedIn,
): Promise<Ceremony> {
  return beginPasskeyUse(ports, party, useWithin(signedIn, "proof"));
}

/** Proves with a passkey of the member that they are still the one using the session. */
export function finishPasskeyProof(
  ports: Ports,
  party: RelyingParty,
  signedIn: SignedIn,
  answer: CeremonyAnswer,
): Promise<Proof> {
  return proveSession(ports, signedIn, () => checkPasskey(ports, signedIn, party, answer));
}
