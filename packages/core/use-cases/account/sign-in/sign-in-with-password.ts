import { normalizeEmail, normalizePassword } from "../../../domain/account/credentials-rules.ts";
import type { Member } from "../../../domain/account/member.ts";
import type { Client } from "../../../domain/account/signed-in.ts";
import type { Limited } from "../../../domain/rate-window.ts";
import type { HashQueue } from "../../../ports/account/credentials.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry } from "../../../services/account/account-entry.ts";
import { recordRefusedSignIn } from "../../../services/account/record-refused-sign-in.ts";
import { verifyCode } from "../../../services/account/second-factor/verify-code.ts";
import {
  type CredentialCheck,
  enter,
  type NewSession,
  type SignInRefusal,
} from "../../../services/account/sign-in/enter.ts";
import { isStillKnown, openDevice } from "../../../services/account/sign-in/known-devices.ts";
import {
  admitClient,
  admitCode,
  admitDevice,
  admitEmail,
  admitNetwork,
  countFailure,
  TOO_BUSY,
} from "../../../services/account/sign-in/sign-in-limits.ts";
import { hasWorked, type SolvedPuzzle } from "../../../services/account/sign-in/sign-in-puzzle.ts";

type Ports = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "localLimiter"
  | "securityEvents"
  | "members"
  | "sessions"
  | "passwords"
  | "vault"
  | "devices"
  | "totpCodes"
  | "puzzleBase"
>;

/**
 * `second_factor_needed`: the password is right; ask for the code and send everything again.
 * `puzzle_needed`: the browser is unknown and submitted no valid solution.
 */
export type PasswordSignIn =
  | NewSession
  | SignInRefusal
  | { readonly kind: "second_factor_needed" | "puzzle_needed" };

/** The credentials that a person submits to sign in. */
export type PasswordClaim = {
  readonly email: string;
  readonly password: string;
  readonly code?: string | undefined;
  readonly puzzle?: SolvedPuzzle | undefined;
};

type Other = { readonly kind: "second_factor_needed" } | { readonly kind: "wrong_credentials" };

/** Passed the limits: the member with this email, if any, and the queue in which the hash waits. */
type Admitted = {
  readonly kind: "admitted";
  readonly member: Member | undefined;
  readonly queue: HashQueue;
};
type Admission = Admitted | Limited | { readonly kind: "puzzle_needed" };

/** The code that came with the password, and whether the account demands a second factor. */
type GivenCode = { readonly code: string | undefined; readonly isDemanded: boolean };

function verify(
  ports: Ports,
  member: Member,
  proven: Member,
  { code, isDemanded }: GivenCode,
): CredentialCheck<Other> {
  // If the password was changed since, it is no longer the one that was checked.
  if (member.passwordHash !== proven.passwordHash) return { kind: "wrong_credentials" };
  // A passkey signs in alone. It only bars signing in with the password alone if a second factor is
  // demanded.
  const isGuarded = member.totp !== null || (isDemanded && member.passkeys.length > 0);
  if (!isGuarded) return { kind: "right", use: {} };
  if (code === undefined || code === "") return { kind: "second_factor_needed" };
  const use = verifyCode(ports, member, code);
  return use === undefined ? { kind: "wrong_credentials" } : { kind: "right", use };
}

/**
 * Admits a browser that has signed in to this email before; undefined for any other, which is a
 * stranger. It looks up the browser's own member, not the email: the time of that look-up would
 * tell members which emails exist.
 */
async function admitKnown(
  ports: Ports,
  email: string,
  client: Client,
): Promise<Admission | undefined> {
  const device = openDevice(ports, client.deviceToken);
  if (device === undefined) return undefined;
  const member = await ports.members.findMember(device.userId);
  if (member?.email !== email || !isStillKnown(ports, device, member)) return undefined;
  const limit = admitDevice(ports, device);
  if (limit.isAdmitted) return { kind: "admitted", member, queue: "member" };
  recordRefusedSignIn(ports, "sign_in_limited", member);
  return { kind: "limited", limit };
}

/**
 * Checks the work first, so that nobody's budget is used without it. It looks up the email in any
 * case.
 */
async function admitStranger(
  ports: Ports,
  email: string,
  client: Client,
  puzzle: SolvedPuzzle | undefined,
): Promise<Admission> {
  if (!hasWorked(ports, client, puzzle)) {
    ports.securityEvents.record("sign_in_unpaid");
    return { kind: "puzzle_needed" };
  }
  for (const admit of [admitClient, admitNetwork]) {
    const limit = admit(ports, client);
    if (limit.isAdmitted) continue;
    recordRefusedSignIn(ports, "sign_in_limited", undefined);
    return { kind: "limited", limit };
  }
  const limit = admitEmail(ports, email, client);
  const member = await ports.members.findMemberByEmail(email);
  if (limit.isAdmitted) return { kind: "admitted", member, queue: "stranger" };
  recordRefusedSignIn(ports, "sign_in_limited", member);
  return { kind: "limited", limit };
}

/**
 * Signs in a member whose password was right, unless something else is missing or a stranger tried
 * too many codes.
 */
async function enterByPassword(
  ports: Ports,
  proven: Member,
  client: Client,
  { code, queue }: { readonly code: string | undefined; readonly queue: HashQueue },
): Promise<PasswordSignIn> {
  if (queue === "stranger" && code) {
    const limit = admitCode(ports, proven.userId);
    if (!limit.isAdmitted) {
      recordRefusedSignIn(ports, "sign_in_limited", proven);
      return { kind: "limited", limit };
    }
  }
  // Only read after a right password, so that an unknown email takes the same time here as a known
  // one.
  const isDemanded = await ports.members.isSecondFactorDemanded(proven.accountId);
  const answer = await enter(ports, proven, client, (member) =>
    verify(ports, member, proven, { code, isDemanded }),
  );
  if (isDemanded || answer.kind !== "signed_in") return answer;
  return (await endIfDemanded(ports, answer)) ? { kind: "second_factor_needed" } : answer;
}

/**
 * Ends a session that began with a password alone although a passkey now bars that: a demand raised
 * while the member signed in could not end it. Members without any factor are stopped at each of
 * their calls.
 */
async function endIfDemanded(ports: Ports, { member, session }: NewSession): Promise<boolean> {
  if (member.totp !== null || member.passkeys.length === 0) return false;
  if (!(await ports.members.isSecondFactorDemanded(member.accountId))) return false;
  const entry = accountEntry(ports, member, "session_revoked");
  await ports.sessions.removeSession(member.userId, session.sessionId, entry);
  return true;
}

/**
 * Signs in by email and password, and by a code if the member has an authenticator app, or any
 * second factor while the account demands one. An unknown email, a member without a password, a
 * wrong password and a wrong code get the same answer after the same work. A known browser neither
 * does the puzzle nor waits for strangers.
 */
export async function signInWithPassword(
  ports: Ports,
  claim: PasswordClaim,
  client: Client,
): Promise<PasswordSignIn> {
  const email = normalizeEmail(claim.email);
  const admission =
    (await admitKnown(ports, email, client)) ??
    (await admitStranger(ports, email, client, claim.puzzle));
  if (admission.kind !== "admitted") return admission;
  const { member, queue } = admission;
  const password = normalizePassword(claim.password);
  const isRight = await ports.passwords.verify(password, member?.passwordHash ?? null, queue);
  if (isRight === undefined) {
    ports.securityEvents.record("sign_in_crowded");
    return { kind: "limited", limit: TOO_BUSY };
  }
  const answer: PasswordSignIn =
    isRight && member !== undefined
      ? await enterByPassword(ports, member, client, { code: claim.code, queue })
      : { kind: "wrong_credentials" };
  if (answer.kind !== "wrong_credentials") return answer;
  if (queue === "stranger") countFailure(ports, client);
  recordRefusedSignIn(ports, "sign_in_failed", member);
  return answer;
}
