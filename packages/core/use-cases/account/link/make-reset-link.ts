import { actorOf } from "../../../domain/account/audit.ts";
import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import type { NewLink } from "../../../services/account/link/make-link.ts";
import { storeResetLink } from "../../../services/account/link/store-reset-link.ts";
import { findManaged } from "../../../services/account/member/find-managed.ts";
import { type OwnProof, verifyOwnProof } from "../../../services/account/session/own-proof.ts";
import type { SignInRefusal } from "../../../services/account/sign-in/enter.ts";

type Ports = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "localLimiter"
  | "members"
  | "links"
  | "passwords"
  | "passkeyCeremonies"
>;

/** The link to pass on. Members of other accounts are `not_found`. */
export type ResetLinkAnswer =
  | ({ readonly kind: "made" } & NewLink)
  | { readonly kind: "not_found" | "not_allowed" }
  | SignInRefusal;

/** By default, the link keeps the member's second factors and asks for one of them. */
export type ResetLinkTerms = { readonly removesSecondFactors?: boolean | undefined } & OwnProof;

/**
 * Makes a link with which a member chooses a new password; it replaces an earlier one. Its maker
 * decides whether it also removes the member's second factors, never the person who opens it: that
 * needs a separate proof and has its own audit entry.
 */
export async function makeResetLink(
  ports: Ports,
  by: SignedIn,
  userId: string,
  { removesSecondFactors = false, ...proof }: ResetLinkTerms = {},
): Promise<ResetLinkAnswer> {
  const managed = await findManaged(ports, by.member, userId);
  if (managed.kind !== "found") return managed;
  const { member } = managed;
  // A change of one's own password takes the current one. A link for oneself would avoid that.
  if (by.member.userId === userId) return { kind: "not_allowed" };
  if (removesSecondFactors) {
    const proven = await verifyOwnProof(ports, by, proof);
    if (proven.kind !== "proven") return proven;
  }
  const made = await storeResetLink(ports, {
    member,
    actor: actorOf(by.member),
    removesSecondFactors,
    change: by.change,
  });
  return { kind: "made", ...made };
}
