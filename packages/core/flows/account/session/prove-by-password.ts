import type { ServicePorts } from "../../../ports/service-ports.ts";
import type { SignedIn } from "../signed-in.ts";
import { checkPassword } from "./own-proof.ts";
import { type Proof, proveSession } from "./prove-session.ts";

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
