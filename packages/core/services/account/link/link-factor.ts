import { LINK_CODE_TRIES, type Link } from "../../../domain/account/link.ts";
import { hasSecondFactor, type Member, NO_SECOND_FACTOR } from "../../../domain/account/member.ts";
import type { Limited } from "../../../domain/rate-window.ts";
import type { RelyingParty } from "../../../ports/account/credentials.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { recordRefusedSignIn } from "../record-refused-sign-in.ts";
import { type CeremonyAnswer, SIGN_IN_USE, takePasskey } from "../second-factor/passkey-use.ts";
import { type CredentialUse, verifyCode } from "../second-factor/verify-code.ts";
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

/**
 * A second factor submitted with a reset link: a code, or a passkey's response to sign-in options.
 */
export type LinkFactor = {
  readonly code?: string | undefined;
  readonly passkey?: (CeremonyAnswer & { readonly party: RelyingParty }) | undefined;
};

/**
 * The used factor, or why it is not enough. `link_expired`: the link's tries are used up;
 * `limited`: the tries of all links for the member are, for now.
 */
export type LinkFactorAnswer =
  | { readonly kind: "right"; readonly use: CredentialUse }
  | Limited
  | { readonly kind: "second_factor_needed" | "wrong_credentials" | "link_expired" };

async function verify(ports: Ports, member: Member, { code, passkey }: LinkFactor) {
  if (passkey === undefined) return verifyCode(ports, member, code ?? "");
  const passkeys = await takePasskey(ports, passkey.party, {
    member,
    use: SIGN_IN_USE,
    answer: passkey,
  });
  return passkeys && { passkeys };
}

/**
 * Asks the bearer of a reset link for the member's second factor, because others may read a link on
 * its way, its maker included. Only the maker can have decided to remove the factors. Tries are
 * counted before they are checked: per link in the store, and for all links of the member in this
 * process, since their makers can make any number.
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
  if (!(await ports.links.countTry(link.tokenDigest, LINK_CODE_TRIES)))
    return { kind: "link_expired" };
  const limit = admitLinkCode(ports, member.userId);
  if (!limit.isAdmitted) return { kind: "limited", limit };
  const use = await verify(ports, member, factor);
  if (use !== undefined) return { kind: "right", use };
  recordRefusedSignIn(ports, "sign_in_failed", member);
  return { kind: "wrong_credentials" };
}
