import type { Member } from "../../../domain/account/member.ts";
import type { RelyingParty } from "../../../ports/account/credentials.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { recordRefusedSignIn } from "../record-refused-sign-in.ts";
import {
  afterUse,
  beginPasskeyUse,
  type Ceremony,
  type CeremonyAnswer,
  findPasskey,
  openCeremony,
  passkeyIdOf,
  SIGN_IN_USE,
} from "../second-factor/passkey-use.ts";
import type { Client } from "../signed-in.ts";
import { type CredentialCheck, enter, type NewSession, type SignInRefusal } from "./entering.ts";
import { openDevice } from "./known-devices.ts";
import { admitClient, admitDevice } from "./sign-in-limits.ts";

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

async function admit(
  ports: Ports,
  party: RelyingParty,
  member: Member,
  { answer, challenge, client }: { answer: CeremonyAnswer; challenge: string; client: Client },
): Promise<NewSession | SignInRefusal> {
  const passkey = findPasskey(member, answer.response);
  if (passkey === undefined) return { kind: "wrong_credentials" };
  const verified = await ports.passkeyCeremonies.verifySignIn(party, challenge, answer.response, passkey);
  if (verified === undefined) return { kind: "wrong_credentials" };
  const used = { passkeyId: passkey.passkeyId, counter: verified.counter };
  return await enter(ports, member, client, (current): CredentialCheck<{ readonly kind: "wrong_credentials" }> => {
    const passkeys = afterUse(current, used, ports.clock.nowMs());
    return passkeys === undefined ? { kind: "wrong_credentials" } : { kind: "right", use: { passkeys } };
  });
}

/**
 * Signs in by passkey. It asks for no code, because the authenticator has verified its user. The limit is per client,
 * or per browser if that is known, so that guessing at a member's password does not lock them out.
 */
export async function finishPasskeySignIn(
  ports: Ports,
  party: RelyingParty,
  answer: CeremonyAnswer,
  client: Client,
): Promise<NewSession | SignInRefusal> {
  const device = openDevice(ports, client.deviceToken);
  const limit = device === undefined ? admitClient(ports, client, "passkey") : admitDevice(ports, device);
  if (!limit.isAdmitted) {
    recordRefusedSignIn(ports, "sign_in_limited", undefined);
    return { kind: "limited", limit };
  }
  const challenge = openCeremony(ports, SIGN_IN_USE, answer.ticket);
  const member = await ports.members.findMemberByPasskey(passkeyIdOf(answer.response));
  const outcome: NewSession | SignInRefusal =
    challenge === undefined || member === undefined
      ? { kind: "wrong_credentials" }
      : await admit(ports, party, member, { answer, challenge, client });
  if (outcome.kind === "wrong_credentials") recordRefusedSignIn(ports, "sign_in_failed", member);
  return outcome;
}
