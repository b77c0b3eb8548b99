import { actorOf } from "../../../domain/account/audit.ts";
import { mayManage } from "../../../domain/account/member.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { type OwnProof, verifyOwnProof } from "../session/own-proof.ts";
import type { SignInRefusal } from "../sign-in/entering.ts";
import type { SignedIn } from "../signed-in.ts";
import type { NewLink } from "./links.ts";
import { storeResetLink } from "./reset-links.ts";

type Ports = Pick<
  ServicePorts,
  "clock" | "cryptography" | "localLimiter" | "members" | "links" | "passwords" | "passkeyCeremonies"
>;

/** The link to hand over; members of other accounts are as good as absent. */
export type ResetLinkAnswer =
  | ({ readonly kind: "made" } & NewLink)
  | { readonly kind: "not_found" | "not_allowed" }
  | SignInRefusal;

/** How the link is to be: left alone, it keeps the member's second factors, and asks for one of them. */
export type ResetLinkTerms = { readonly removesSecondFactors?: boolean | undefined } & OwnProof;

/**
 * A link by which a member chooses a new password; it replaces the former one. That the member's second factors go with it
 * is decided here and never by the link's bearer, by a proof for this alone and with a line of its own in the audit log.
 */
export async function makeResetLink(
  ports: Ports,
  by: SignedIn,
  userId: string,
  { removesSecondFactors = false, ...proof }: ResetLinkTerms = {},
): Promise<ResetLinkAnswer> {
  const member = await ports.members.findMember(userId);
  if (member === undefined || by.member.accountId !== member.accountId) return { kind: "not_found" };
  // One's own password takes the current one: a link for oneself would be a way around it.
  const isOwn = by.member.userId === userId;
  if (isOwn || !mayManage(by.member.role, member.role)) return { kind: "not_allowed" };
  if (removesSecondFactors) {
    const proven = await verifyOwnProof(ports, by, proof);
    if (proven.kind !== "proven") return proven;
  }
  const made = await storeResetLink(ports, { member, actor: actorOf(by.member), removesSecondFactors });
  return { kind: "made", ...made };
}
