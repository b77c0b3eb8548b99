import { changedMember, type Member } from "../../../domain/account/member.ts";
import type { Session } from "../../../domain/account/session.ts";
import type { Client } from "../../../domain/account/signed-in.ts";
import type { Limited } from "../../../domain/rate-window.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry } from "../account-entry.ts";
import { createId, createToken } from "../bearer-tokens.ts";
import { codesLeftChange } from "../second-factor/recovery-codes.ts";
import type { CredentialUse } from "../second-factor/verify-code.ts";
import { sealDevice } from "./known-devices.ts";
import { TOO_BUSY } from "./sign-in-limits.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "members" | "sessions" | "devices">;

/** A new session. Both tokens go into cookies and are returned only this once. */
export type NewSession = {
  readonly kind: "signed_in";
  readonly token: string;
  /** Makes the browser known, so that its next sign-in does not wait for strangers. */
  readonly deviceToken: string;
  readonly session: Session;
  readonly member: Member;
  /** How many recovery codes are left, if one was used. */
  readonly recoveryCodesLeft?: number | undefined;
};

/** Refusals that signing in and proving have in common. */
export type SignInRefusal = { readonly kind: "wrong_credentials" } | Limited;

/** Whether credentials that were right a moment ago still are, given the member's present state. */
export type CredentialCheck<Other> =
  | { readonly kind: "right"; readonly use: CredentialUse }
  | Other;

const MAX_DEVICE = 80;
/**
 * Simultaneous sign-ins of a member conflict, and the later one is checked again. No person causes
 * this many.
 */
const MAX_TRIES = 10;

async function startSession(
  ports: Ports,
  member: Member,
  use: CredentialUse,
  client: Client,
): Promise<NewSession | undefined> {
  const nowMs = ports.clock.nowMs();
  const { token, tokenDigest } = createToken(ports.cryptography);
  const device = client.device.slice(0, MAX_DEVICE);
  const session: Session = {
    sessionId: createId(ports.cryptography, "ses"),
    tokenDigest,
    userId: member.userId,
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
    provenAtMs: nowMs,
    device,
  };
  const after = changedMember(member, { ...use, lastSignInAtMs: nowMs });
  const changes = codesLeftChange(member, use);
  const entry = accountEntry(ports, member, "signed_in", { subject: device, changes });
  const outcome = await ports.sessions.startSession(session, after, member.revision, entry);
  if (outcome !== "stored") return undefined;
  const recoveryCodesLeft = use.recoveryCodes?.length;
  return {
    kind: "signed_in",
    token,
    deviceToken: sealDevice(ports, after),
    session,
    member: after,
    recoveryCodesLeft,
  };
}

/**
 * Signs in a member whose credentials were right, with a new session (no fixation). `verify` checks
 * whether they still are: it runs again if the member was changed in between, so that neither a
 * code nor an old password works twice.
 */
export async function enter<Other extends { readonly kind: string }>(
  ports: Ports,
  proven: Member,
  client: Client,
  verify: (member: Member) => CredentialCheck<Other>,
): Promise<NewSession | Other | SignInRefusal> {
  let member: Member | undefined = proven;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (member === undefined) return { kind: "wrong_credentials" };
    const check = verify(member);
    if (!isRight(check)) return check;
    const begun = await startSession(ports, member, check.use, client);
    if (begun !== undefined) return begun;
    member = await ports.members.findMember(proven.userId);
  }
  return { kind: "limited", limit: TOO_BUSY };
}

function isRight<Other extends { readonly kind: string }>(
  check: CredentialCheck<Other>,
): check is { readonly kind: "right"; readonly use: CredentialUse } {
  return check.kind === "right";
}
