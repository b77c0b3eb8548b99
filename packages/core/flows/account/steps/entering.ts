import type { Member, Session } from "../../../domain/member.ts";
import type { LimitState } from "../../../domain/rate-window.ts";
import { type AccountPorts, accountEntry, type Client, createId, createToken } from "./account-ports.ts";
import { rememberClient, TOO_BUSY } from "./sign-in-limits.ts";

/** A new session: the token goes into the cookie and is shown this once. */
export type NewSession = {
  readonly kind: "signed_in";
  readonly token: string;
  readonly session: Session;
  readonly member: Member;
};

/** Answers that signing in and proving share. */
export type Refusal = { readonly kind: "wrong_credentials" } | { readonly kind: "limited"; readonly limit: LimitState };

/** What of a member changes when it signs in: a code or a passkey that was used. */
export type CredentialUse = Partial<Pick<Member, "totp" | "passkeys">>;

/** What a member's state says to credentials that were right a moment ago. */
export type Judgement<Other> = { readonly kind: "right"; readonly use: CredentialUse } | Other;

type EnterPorts = Pick<AccountPorts, "clock" | "cryptography" | "localLimiter" | "members" | "sessions">;

const MAX_DEVICE = 80;
/** Two sign-ins of one member at once conflict, and the later one is judged again; more than this many is no person. */
const MAX_TRIES = 10;

async function startSession(
  ports: EnterPorts,
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
  const after: Member = { ...member, ...use, lastSignInAtMs: nowMs, revision: member.revision + 1 };
  const entry = accountEntry(ports, member, "signed_in", { subject: device });
  const outcome = await ports.sessions.startSession(session, after, member.revision, entry);
  return outcome === "stored" ? { kind: "signed_in", token, session, member: after } : undefined;
}

/**
 * Lets a member in whose credentials were right, with a session that did not exist before (no fixation). `judge` says
 * whether they still are: it is asked again whenever the member changed in between, so that neither a code nor a former
 * password lets in twice.
 */
export async function enter<Other extends { readonly kind: string }>(
  ports: EnterPorts,
  proven: Member,
  client: Client,
  judge: (member: Member) => Judgement<Other>,
): Promise<NewSession | Other | Refusal> {
  let member: Member | undefined = proven;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (member === undefined) return { kind: "wrong_credentials" };
    const judgement = judge(member);
    if (!isRight(judgement)) return judgement;
    const begun = await startSession(ports, member, judgement.use, client);
    if (begun !== undefined) {
      rememberClient(ports, begun.member.email, client);
      return begun;
    }
    member = await ports.members.findMember(proven.userId);
  }
  return { kind: "limited", limit: TOO_BUSY };
}

function isRight<Other extends { readonly kind: string }>(
  judgement: Judgement<Other>,
): judgement is { readonly kind: "right"; readonly use: CredentialUse } {
  return judgement.kind === "right";
}

/**
 * Tells the audit log of a failed sign-in to an email that exists. Nobody waits for the write: the wait would tell the
 * caller that it does. If the write fails, the line is lost; the store's trouble shows with the next call.
 */
export function noteFailure(ports: Pick<AccountPorts, "clock" | "auditLog">, member: Member): void {
  const entry = accountEntry(ports, member, "sign_in_failed", { actor: { userId: null, name: "somebody" } });
  ports.auditLog.append(entry).catch(() => {});
}
