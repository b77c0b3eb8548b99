import { normalizeEmail, normalizePassword } from "../../domain/credentials-rules.ts";
import type { Member } from "../../domain/member.ts";
import type { AccountPorts, Client } from "./steps/account-ports.ts";
import { enter, type Judgement, type NewSession, noteFailure, type Refusal } from "./steps/entering.ts";
import { admitClient, admitPassword, TOO_BUSY } from "./steps/sign-in-limits.ts";
import { judgeCode } from "./steps/totp-codes.ts";

/** `second_factor_needed`: the password was right; ask for the code and send all again. */
export type PasswordSignIn = NewSession | Refusal | { readonly kind: "second_factor_needed" };

type Other = { readonly kind: "second_factor_needed" } | { readonly kind: "wrong_credentials" };

function judge(ports: AccountPorts, member: Member, proven: Member, code: string | undefined): Judgement<Other> {
  // A password changed since the check is no longer the one that was checked.
  if (member.passwordHash !== proven.passwordHash) return { kind: "wrong_credentials" };
  if (member.totp === null) return { kind: "right", use: {} };
  if (code === undefined || code === "") return { kind: "second_factor_needed" };
  const totp = judgeCode(ports, member, member.totp, code);
  return totp === undefined ? { kind: "wrong_credentials" } : { kind: "right", use: { totp } };
}

/**
 * Signs in by email and password, and by a code where the member has an authenticator app. An unknown email, a member
 * without a password, a wrong password and a wrong code get the same answer after the same work.
 */
export async function signInWithPassword(
  ports: AccountPorts,
  claim: { readonly email: string; readonly password: string; readonly code?: string | undefined },
  client: Client,
): Promise<PasswordSignIn> {
  const email = normalizeEmail(claim.email);
  const ofClient = admitClient(ports, client);
  if (!ofClient.isAdmitted) return { kind: "limited", limit: ofClient };
  const ofEmail = admitPassword(ports, email, client);
  if (!ofEmail.isAdmitted) return { kind: "limited", limit: ofEmail };
  const member = await ports.members.findMemberByEmail(email);
  const isRight = await ports.passwords.verify(normalizePassword(claim.password), member?.passwordHash ?? null);
  if (isRight === undefined) return { kind: "limited", limit: TOO_BUSY };
  if (member === undefined) return { kind: "wrong_credentials" };
  const answer: PasswordSignIn = isRight
    ? await enter(ports, member, client, (current) => judge(ports, current, member, claim.code))
    : { kind: "wrong_credentials" };
  if (answer.kind === "wrong_credentials") noteFailure(ports, member);
  return answer;
}
