import type { Member, Passkey } from "../../../domain/account/member.ts";
import type { Client } from "../../../domain/account/signed-in.ts";
import type { LimitState } from "../../../domain/rate-window.ts";
import type { RelyingParty } from "../../../ports/account/credentials.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { recordRefusedSignIn } from "../../../services/account/record-refused-sign-in.ts";
import {
  afterUse,
  beginPasskeyUse,
  type Ceremony,
  type CeremonyAnswer,
  findPasskey,
  openCeremony,
  passkeyIdOf,
  SIGN_IN_USE,
} from "../../../services/account/second-factor/passkey-use.ts";
import {
  type CredentialCheck,
  enter,
  type NewSession,
  type SignInRefusal,
} from "../../../services/account/sign-in/enter.ts";
import { openDevice } from "../../../services/account/sign-in/known-devices.ts";
import { admitDevice, admitPasskey } from "../../../services/account/sign-in/sign-in-limits.ts";

type Ports = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "localLimiter"
  | "securityEvents"
  | "members"
  | "sessions"
  | "devices"
  | "passkeyCeremonies"
>;

/** Options for the browser's `navigator.credentials.get`. They reveal nothing about members. */
export function beginPasskeySignIn(ports: Ports, party: RelyingParty): Promise<Ceremony> {
  return beginPasskeyUse(ports, party, SIGN_IN_USE);
}

/** An answer to a challenge of this service, under the id of one of the member's passkeys. */
type Attempt = {
  readonly member: Member;
  readonly passkey: Passkey;
  readonly challenge: string;
  readonly response: unknown;
};

/**
 * Undefined if the answer names none of the member's passkeys, or its ticket is invalid or was
 * already used.
 */
function openAttempt(
  ports: Ports,
  member: Member,
  { ticket, response }: CeremonyAnswer,
): Attempt | undefined {
  const passkey = findPasskey(member, response);
  if (passkey === undefined) return undefined;
  const challenge = openCeremony(ports, SIGN_IN_USE, ticket);
  return challenge === undefined ? undefined : { member, passkey, challenge, response };
}

/** Counts an attempt: of the browser, if it is known as the member's, or else of the passkey. */
function admit(ports: Ports, { deviceToken }: Client, { member, passkey }: Attempt): LimitState {
  const device = openDevice(ports, deviceToken);
  return device?.userId === member.userId
    ? admitDevice(ports, device)
    : admitPasskey(ports, passkey.passkeyId);
}

async function enterByPasskey(
  ports: Ports,
  party: RelyingParty,
  { member, passkey, ...answered }: Attempt,
  client: Client,
): Promise<NewSession | SignInRefusal> {
  const verified = await ports.passkeyCeremonies.verifySignIn(
    party,
    answered.challenge,
    answered.response,
    passkey,
  );
  if (verified === undefined) return { kind: "wrong_credentials" };
  const used = { passkeyId: passkey.passkeyId, counter: verified.counter };
  return await enter(
    ports,
    member,
    client,
    (current): CredentialCheck<{ readonly kind: "wrong_credentials" }> => {
      const passkeys = afterUse(current, used, ports.clock.nowMs());
      return passkeys === undefined
        ? { kind: "wrong_credentials" }
        : { kind: "right", use: { passkeys } };
    },
  );
}

/**
 * Signs in by passkey. It asks for no code, because the authenticator has verified its user. An
 * answer only counts if it names a passkey, so guesses at a password or invented answers lock
 * nobody out.
 */
export async function finishPasskeySignIn(
  ports: Ports,
  party: RelyingParty,
  answer: CeremonyAnswer,
  client: Client,
): Promise<NewSession | SignInRefusal> {
  const member = await ports.members.findMemberByPasskey(passkeyIdOf(answer.response));
  const attempt = member && openAttempt(ports, member, answer);
  if (attempt === undefined) {
    recordRefusedSignIn(ports, "sign_in_failed", member);
    return { kind: "wrong_credentials" };
  }
  const limit = admit(ports, client, attempt);
  if (!limit.isAdmitted) {
    recordRefusedSignIn(ports, "sign_in_limited", member);
    return { kind: "limited", limit };
  }
  const outcome = await enterByPasskey(ports, party, attempt, client);
  if (outcome.kind === "wrong_credentials") recordRefusedSignIn(ports, "sign_in_failed", member);
  return outcome;
}
