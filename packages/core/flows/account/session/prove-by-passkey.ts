import type { RelyingParty } from "../../../ports/account/credentials.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import {
  beginPasskeyUse,
  type Ceremony,
  type CeremonyAnswer,
} from "../second-factor/passkey-use.ts";
import { useWithin } from "../sign-in/tickets.ts";
import type { SignedIn } from "../signed-in.ts";
import { checkPasskey } from "./own-proof.ts";
import { type Proof, proveSession } from "./prove-session.ts";

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
