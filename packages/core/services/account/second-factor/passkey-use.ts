import { PASSKEY_ID_CHARACTERS } from "@stile/protocol/limits";
import type { Member, Passkey } from "../../../domain/account/member.ts";
import { decodeUtf8, encodeUtf8 } from "../../../domain/bytes.ts";
import type { RelyingParty } from "../../../ports/account/credentials.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { isFirstUse } from "../sign-in/sign-in-limits.ts";
import { openTicket, sealTicket, type TicketUse } from "../sign-in/tickets.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "localLimiter" | "passkeyCeremonies">;

/** The browser's part of a ceremony: the ticket it was given, and the authenticator's response. */
export type CeremonyAnswer = { readonly ticket: string; readonly response: unknown };

/**
 * The data with which the browser begins a ceremony, and the ticket that it submits with the
 * response.
 */
export type Ceremony = { readonly options: unknown; readonly ticket: string };

/** The use of tickets for signing in by passkey, when there is no session yet. */
export const SIGN_IN_USE: TicketUse = { purpose: "sign-in", sessionId: "" };

/** Begins a ceremony that accepts any passkey of this service. */
export async function beginPasskeyUse(
  ports: Ports,
  party: RelyingParty,
  use: TicketUse,
): Promise<Ceremony> {
  const { options, challenge } = await ports.passkeyCeremonies.createSignIn(party);
  return { options, ticket: sealTicket(ports, use, encodeUtf8(challenge)) };
}

const PASSKEY_ID = new RegExp(`^[\\w-]{1,${PASSKEY_ID_CHARACTERS}}$`);

/** Whether the text can be the id of a passkey. */
export function isPasskeyId(text: string): boolean {
  return PASSKEY_ID.test(text);
}

/** The credential id in an authenticator's response; "" if there is none. */
export function passkeyIdOf(response: unknown): string {
  const { id } = Object(response) as { readonly id?: unknown };
  return typeof id === "string" && isPasskeyId(id) ? id : "";
}

/** The ceremony's challenge; undefined if the ticket is invalid or was already used. */
export function openCeremony(ports: Ports, use: TicketUse, ticket: string): string | undefined {
  const open = openTicket(ports, use, ticket);
  // Many passkeys have no counter. Without this, a response could be replayed as long as its ticket
  // is valid.
  return open !== undefined && isFirstUse(ports, open.ticketId)
    ? decodeUtf8(open.payload)
    : undefined;
}

/**
 * The member's passkeys after this response was accepted; undefined if it is invalid or a repeat.
 */
export async function takePasskey(
  ports: Ports,
  party: RelyingParty,
  {
    member,
    use,
    answer,
  }: { readonly member: Member; readonly use: TicketUse; readonly answer: CeremonyAnswer },
): Promise<readonly Passkey[] | undefined> {
  const challenge = openCeremony(ports, use, answer.ticket);
  const passkey = findPasskey(member, answer.response);
  if (challenge === undefined || passkey === undefined) return undefined;
  const verified = await ports.passkeyCeremonies.verifySignIn(
    party,
    challenge,
    answer.response,
    passkey,
  );
  const used = verified && { passkeyId: passkey.passkeyId, counter: verified.counter };
  return used && afterUse(member, used, ports.clock.nowMs());
}

/** The member's passkey that the response names. */
export function findPasskey(member: Member, response: unknown): Passkey | undefined {
  return member.passkeys.find(({ passkeyId }) => passkeyId === passkeyIdOf(response));
}

/**
 * The member's passkeys after one was used. Undefined if that passkey is gone, or if its stored
 * counter has reached the new one (it was used in the meantime, or copied).
 */
export function afterUse(
  member: Member,
  { passkeyId, counter }: { passkeyId: string; counter: number },
  nowMs: number,
): readonly Passkey[] | undefined {
  const used = member.passkeys.find((passkey) => passkey.passkeyId === passkeyId);
  if (used === undefined || (counter > 0 && counter <= used.counter)) return undefined;
  return member.passkeys.map((passkey) =>
    passkey === used ? { ...used, counter, lastUsedAtMs: nowMs } : passkey,
  );
}
