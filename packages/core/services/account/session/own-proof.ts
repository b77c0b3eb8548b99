import { normalizePassword } from "../../../domain/account/credentials-rules.ts";
import { changedMember, type Member } from "../../../domain/account/member.ts";
import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { RelyingParty } from "../../../ports/account/credentials.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { type CeremonyAnswer, takePasskey } from "../second-factor/passkey-use.ts";
import type { SignInRefusal } from "../sign-in/enter.ts";
import { admitProof, TOO_BUSY } from "../sign-in/sign-in-limits.ts";
import { useWithin } from "../sign-in/tickets.ts";

type Ports = Pick<
  ServicePorts,
  "clock" | "cryptography" | "localLimiter" | "members" | "passwords" | "passkeyCeremonies"
>;

/**
 * A proof that comes with the call it is for: the password or, for members without one, a passkey's
 * response.
 */
export type OwnProof = {
  readonly currentPassword?: string | undefined;
  readonly passkey?: (CeremonyAnswer & { readonly party: RelyingParty }) | undefined;
};

/** The member as stored after the proof, or why there is none. */
export type OwnProofAnswer = { readonly kind: "proven"; readonly member: Member } | SignInRefusal;

/** Whether the password, or none, is the member's. */
export async function checkPassword(
  { passwords }: Pick<ServicePorts, "passwords">,
  member: Member,
  typed: string,
): Promise<OwnProofAnswer> {
  const isRight = await passwords.verify(normalizePassword(typed), member.passwordHash);
  if (isRight === undefined) return { kind: "limited", limit: TOO_BUSY };
  return isRight ? { kind: "proven", member } : { kind: "wrong_credentials" };
}

/** Whether one of the member's passkeys answered the session's ticket; stores its use. */
export async function checkPasskey(
  ports: Omit<Ports, "passwords">,
  signedIn: SignedIn,
  party: RelyingParty,
  answer: CeremonyAnswer,
): Promise<OwnProofAnswer> {
  const { member } = signedIn;
  const passkeys = await takePasskey(ports, party, {
    member,
    use: useWithin(signedIn, "proof"),
    answer,
  });
  if (passkeys === undefined) return { kind: "wrong_credentials" };
  const after = changedMember(member, { passkeys });
  const outcome = await ports.members.replaceMember(after, member.revision);
  // If not, somebody changed the member at this very moment, maybe this very passkey. A new try
  // will show.
  return outcome === "stored" ? { kind: "proven", member: after } : { kind: "wrong_credentials" };
}

/**
 * Checks a proof that counts for this one call only, whatever was proven before: somebody who stole
 * the session could use the member's earlier proof. Right or wrong, it counts toward the session's
 * limit.
 */
export async function verifyOwnProof(
  ports: Ports,
  signedIn: SignedIn,
  proof: OwnProof,
): Promise<OwnProofAnswer> {
  const { member, session } = signedIn;
  const { currentPassword = "", passkey } = proof;
  const limit = admitProof(ports, session);
  if (!limit.isAdmitted) return { kind: "limited", limit };
  if (member.passwordHash !== null) return await checkPassword(ports, member, currentPassword);
  if (passkey === undefined) return { kind: "wrong_credentials" };
  return await checkPasskey(ports, signedIn, passkey.party, passkey);
}
