import { LINK_CODE_TRIES, type Link } from "../../../domain/account/link.ts";
import { hasSecondFactor, type Member, NO_SECOND_FACTOR } from "../../../domain/account/member.ts";
import type { RelyingParty } from "../../../ports/account/credentials.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { recordRefusedSignIn } from "../record-refused-sign-in.ts";
import { type CeremonyAnswer, SIGN_IN_USE, takePasskey } from "../second-factor/passkey-use.ts";
import { type CredentialUse, verifyCode } from "../second-factor/verify-code.ts";
import type { SignInRefusal } from "../sign-in/entering.ts";
import { admitLinkCode, mayTryLinkCode } from "../sign-in/sign-in-limits.ts";

type Ports = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "localLimiter"
  | "securityEvents"
  | "members"
  | "links"
  | "vault"
  | "totpCodes"
  | "passkeyCeremonies"
>;

/** A second factor that comes with a reset link: a code, or a passkey's answer to the options of a sign-in. */
export type LinkFactor = {
  readonly code?: string | undefined;
  readonly passkey?: (CeremonyAnswer & { readonly party: RelyingParty }) | undefined;
};

/**
 * What a link's member gives, or why it is not enough; `link_expired` once the link's tries are used up, `limited` while those of
 * all links for the member are.
 */
export type LinkFactorAnswer =
  | { readonly kind: "right"; readonly use: CredentialUse }
  | Extract<SignInRefusal, { kind: "limited" }>
  | { readonly kind: "second_factor_needed" | "wrong_credentials" | "link_expired" };

async function verify(ports: Ports, member: Member, { code, passkey }: LinkFactor) {
  if (passkey === undefined) return verifyCode(ports, member, code ?? "");
  const passkeys = await takePasskey(ports, passkey.party, { member, use: SIGN_IN_USE, answer: passkey });
  return passkeys && { passkeys };
}

/**
 * Asks the bearer of a reset link for its member's second factor: a link can be read by others on its way, and by whoever
 * made it. Only whoever made it may have decided that the factors go. Tries count before they are judged: a link's in the store, and
 * those of all links for the member here, since links are free to whoever may make them.
 */
export async function useLinkFactor(
  ports: Ports,
  link: Link,
  member: Member,
  factor: LinkFactor,
): Promise<LinkFactorAnswer> {
  if (link.removesSecondFactors) return { kind: "right", use: NO_SECOND_FACTOR };
  if (!hasSecondFactor(member)) return { kind: "right", use: {} };
  const isGiven = factor.passkey !== undefined || (factor.code ?? "") !== "";
  if (!isGiven) return { kind: "second_factor_needed" };
  const before = mayTryLinkCode(ports, member.userId);
  if (!before.isAdmitted) return { kind: "limited", limit: before };
  if (!(await ports.links.countTry(link.tokenDigest, LINK_CODE_TRIES))) return { kind: "link_expired" };
  const limit = admitLinkCode(ports, member.userId);
  if (!limit.isAdmitted) return { kind: "limited", limit };
  const use = await verify(ports, member, factor);
  if (use !== undefined) return { kind: "right", use };
  recordRefusedSignIn(ports, "sign_in_failed", member);
  return { kind: "wrong_credentials" };
}
