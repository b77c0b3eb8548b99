import { normalizePassword } from "../../../domain/account/credentials-rules.ts";
import type { Member } from "../../../domain/account/member.ts";
import type { RelyingParty } from "../../../ports/account/credentials.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { type CeremonyAnswer, PROOF_PURPOSE, takePasskey } from "../second-factor/passkey-use.ts";
import type { SignInRefusal } from "../sign-in/entering.ts";
import { admitProof, TOO_BUSY } from "../sign-in/sign-in-limits.ts";
import type { SignedIn } from "../signed-in.ts";

type Ports = Pick<
  ServicePorts,
  "clock" | "cryptography" | "localLimiter" | "members" | "passwords" | "passkeyCeremonies"
>;

/** A proof that comes with the call it is for: the password, or, of a member without one, a passkey's answer. */
export type OwnProof = {
  readonly currentPassword?: string | undefined;
  readonly passkey?: (CeremonyAnswer & { readonly party: RelyingParty }) | undefined;
};

/** The member as it is stored after the proof, or why it proved nothing. */
export type OwnProofAnswer = { readonly kind: "proven"; readonly member: Member } | SignInRefusal;

async function proveByPasskey(
  ports: Ports,
  { member, session }: SignedIn,
  { passkey }: OwnProof,
): Promise<OwnProofAnswer> {
  const use = { purpose: PROOF_PURPOSE, sessionId: session.sessionId } as const;
  const passkeys = passkey && (await takePasskey(ports, passkey.party, { member, use, answer: passkey }));
  if (passkeys === undefined) return { kind: "wrong_credentials" };
  const after: Member = { ...member, passkeys, revision: member.revision + 1 };
  const outcome = await ports.members.replaceMember(after, member.revision);
  return outcome === "stored" ? { kind: "proven", member: after } : { kind: "wrong_credentials" };
}

/**
 * Judges a proof that is good for this one call, whatever the session proved before: whoever holds a stolen session has
 * what its member proved in it. Counted, wrong or right, with the session's other proofs.
 */
export async function verifyOwnProof(ports: Ports, signedIn: SignedIn, proof: OwnProof): Promise<OwnProofAnswer> {
  const { member, session } = signedIn;
  const limit = admitProof(ports, session);
  if (!limit.isAdmitted) return { kind: "limited", limit };
  if (member.passwordHash === null) return await proveByPasskey(ports, signedIn, proof);
  const isRight = await ports.passwords.verify(normalizePassword(proof.currentPassword ?? ""), member.passwordHash);
  if (isRight === undefined) return { kind: "limited", limit: TOO_BUSY };
  return isRight ? { kind: "proven", member } : { kind: "wrong_credentials" };
}
