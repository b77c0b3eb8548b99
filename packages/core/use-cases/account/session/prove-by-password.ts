import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { checkPassword } from "../../../services/account/session/own-proof.ts";
import { type Proof, proveSession } from "../../../services/account/session/prove-session.ts";

type Ports = Pick<
  ServicePorts,
  "clock" | "cryptography" | "localLimiter" | "sessions" | "passwords"
>;

/** Proves by password that the member still uses the session. */
export function proveByPassword(
  ports: Ports,
  signedIn: SignedIn,
  password: string,
): Promise<Proof> {
  return proveSession(ports, signedIn, () => checkPassword(ports, signedIn.member, password));
}
