import { normalizePassword } from "../../../domain/account/credentials-rules.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { admitProof, TOO_BUSY } from "../sign-in/sign-in-limits.ts";
import type { SignedIn } from "../signed-in.ts";
import { type Proof, recordProof } from "./proving.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "localLimiter" | "sessions" | "passwords">;

/** Proves by password that the member still uses the session. Limited per session, in case it was stolen. */
export async function proveByPassword(ports: Ports, signedIn: SignedIn, password: string): Promise<Proof> {
  const limit = admitProof(ports, signedIn.session);
  if (!limit.isAdmitted) return { kind: "limited", limit };
  const isRight = await ports.passwords.verify(normalizePassword(password), signedIn.member.passwordHash);
  if (isRight === undefined) return { kind: "limited", limit: TOO_BUSY };
  return isRight ? await recordProof(ports, signedIn) : { kind: "wrong_credentials" };
}
