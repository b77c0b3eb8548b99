import type { FieldProblem } from "@stile/protocol/dashboard-api";
import { type Change, OPERATOR } from "../../../domain/account/audit.ts";
import {
  findPasswordProblems,
  findProfileProblems,
  normalizeEmail,
  normalizeName,
  normalizePassword,
} from "../../../domain/account/credentials-rules.ts";
import type { Link } from "../../../domain/account/link.ts";
import { changedMember, type Member } from "../../../domain/account/member.ts";
import type { Client } from "../../../domain/account/signed-in.ts";
import type { Limited } from "../../../domain/rate-window.ts";
import type { LinkUse } from "../../../ports/account/links.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry } from "../../../services/account/account-entry.ts";
import { createId } from "../../../services/account/bearer-tokens.ts";
import { findLivingLink } from "../../../services/account/link/find-living-link.ts";
import { type LinkFactor, useLinkFactor } from "../../../services/account/link/link-factor.ts";
import { codesLeftChange } from "../../../services/account/second-factor/recovery-codes.ts";
import {
  type CredentialCheck,
  enter,
  type NewSession,
} from "../../../services/account/sign-in/enter.ts";
import {
  admitLink,
  admitNewEmail,
  TOO_BUSY,
} from "../../../services/account/sign-in/sign-in-limits.ts";

type Ports = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "localLimiter"
  | "securityEvents"
  | "members"
  | "sessions"
  | "links"
  | "passwords"
  | "vault"
  | "devices"
  | "totpCodes"
  | "passkeyCeremonies"
>;

/**
 * The choices of the person who opens a link. Email and name are for new members only, a second
 * factor for existing ones.
 */
export type LinkChoice = {
  readonly email: string;
  readonly name: string;
  readonly password: string;
} & LinkFactor;

/**
 * The new session of the person who opened the link, or why there is none; the link then stays
 * valid.
 * `second_factor_needed`: send everything again with a code or a passkey.
 */
export type AcceptLinkAnswer =
  | NewSession
  | Limited
  | { readonly kind: "invalid"; readonly problems: readonly FieldProblem[] }
  | {
      readonly kind: "email_taken" | "link_expired" | "second_factor_needed" | "wrong_credentials";
    };

/**
 * The member as the link would make them; for an existing member also the revision they must still
 * have.
 */
type Draft = { readonly member: Member; readonly expectedRevision: number | undefined };

async function draftMember(
  ports: Ports,
  link: Link,
  choice: LinkChoice,
): Promise<Draft | undefined> {
  if (link.userId !== null) {
    const member = await ports.members.findMember(link.userId);
    // If a developer has become an owner since, a link to reset the developer must not give access
    // to the owner.
    if (member === undefined || member.role !== link.role) return undefined;
    return { member: changedMember(member, {}), expectedRevision: member.revision };
  }
  const member: Member = {
    userId: createId(ports.cryptography, "usr"),
    accountId: link.accountId,
    email: normalizeEmail(choice.email),
    name: normalizeName(choice.name),
    role: link.role,
    passwordHash: null,
    totp: null,
    passkeys: [],
    recoveryCodes: [],
    createdAtMs: ports.clock.nowMs(),
    lastSignInAtMs: null,
    revision: 1,
  };
  return { member, expectedRevision: undefined };
}

function findProblems(
  ports: Ports,
  { member, expectedRevision }: Draft,
  password: string,
): FieldProblem[] {
  const profile = expectedRevision === undefined ? findProfileProblems(member) : [];
  return [...profile, ...findPasswordProblems(password, member, ports.cryptography.digest)];
}

/**
 * Runs before the password is hashed: the link stays valid, and people who sign in wait in the same
 * hash queue.
 */
async function findEmailRefusal(
  ports: Ports,
  { linkId }: Link,
  { member, expectedRevision }: Draft,
): Promise<AcceptLinkAnswer | undefined> {
  if (expectedRevision !== undefined) return undefined;
  const limit = admitNewEmail(ports, "ofLink", linkId);
  if (!limit.isAdmitted) return { kind: "limited", limit };
  return (await ports.members.findMemberByEmail(member.email)) === undefined
    ? undefined
    : { kind: "email_taken" };
}

/** The email of the link's maker, or the operator's name. */
async function inviterOf({ members }: Ports, { madeBy }: Link): Promise<string> {
  return (madeBy === null ? undefined : await members.findMember(madeBy))?.email ?? OPERATOR.name;
}

async function useLink(
  ports: Ports,
  link: Link,
  draft: Draft,
  changes: readonly Change[],
): Promise<LinkUse> {
  const { member, expectedRevision } = draft;
  const nowMs = ports.clock.nowMs();
  if (expectedRevision === undefined) {
    const entry = accountEntry(ports, member, "member_joined", {
      changes: [
        { field: "role", before: null, after: member.role },
        { field: "invitedBy", before: null, after: await inviterOf(ports, link) },
      ],
    });
    return ports.links.join(link.tokenDigest, nowMs, member, entry);
  }
  const entry = accountEntry(ports, member, "password_changed", { changes });
  return ports.links.reset(link.tokenDigest, nowMs, member, expectedRevision, entry);
}

/**
 * Whether the password is still the one that this link set: another link may have set a new one
 * since.
 */
function verifyEntered(
  current: Member,
  entered: Member,
): CredentialCheck<{ readonly kind: "wrong_credentials" }> {
  return current.passwordHash === entered.passwordHash
    ? { kind: "right", use: {} }
    : { kind: "wrong_credentials" };
}

/**
 * Uses a link up and signs in the person who opened it. A set-up or invitation link makes a member.
 * A reset link gives its member a new password and ends all their sessions; if they have a second
 * factor, it is required unless the link removes it.
 */
export async function acceptLink(
  ports: Ports,
  token: string,
  choice: LinkChoice,
  client: Client,
): Promise<AcceptLinkAnswer> {
  // Comes first, so that an invalid link costs neither a hash nor anybody's attempts.
  const link = await findLivingLink(ports, token);
  if (link === undefined) return { kind: "link_expired" };
  const limit = admitLink(ports, link.linkId);
  if (!limit.isAdmitted) return { kind: "limited", limit };
  const draft = await draftMember(ports, link, choice);
  if (draft === undefined) return { kind: "link_expired" };
  const password = normalizePassword(choice.password);
  const problems = findProblems(ports, draft, password);
  if (problems.length > 0) return { kind: "invalid", problems };
  const refusal = await findEmailRefusal(ports, link, draft);
  if (refusal !== undefined) return refusal;
  const factor = await useLinkFactor(ports, link, draft.member, choice);
  if (factor.kind !== "right") return factor;
  const passwordHash = await ports.passwords.hash(password);
  if (passwordHash === undefined) return { kind: "limited", limit: TOO_BUSY };
  const member: Member = { ...draft.member, ...factor.use, passwordHash };
  const removed = { field: "secondFactors", before: "kept", after: "removed" };
  const changes = link.removesSecondFactors ? [removed] : codesLeftChange(draft.member, factor.use);
  const outcome = await useLink(ports, link, { ...draft, member }, changes);
  if (outcome === "email_taken") return { kind: "email_taken" };
  if (outcome === "link_gone") return { kind: "link_expired" };
  // The member was changed at this very moment. The link is still valid, and a second try will
  // succeed.
  if (outcome === "conflict") return { kind: "limited", limit: TOO_BUSY };
  const entered = await enter(ports, member, client, (current) => verifyEntered(current, member));
  // The member was removed at this very moment: the link is used up, and nobody can be signed in.
  if (entered.kind !== "signed_in")
    return entered.kind === "limited" ? entered : { kind: "link_expired" };
  return { ...entered, recoveryCodesLeft: factor.use.recoveryCodes?.length };
}
