import type { Member, Passkey } from "../../../domain/account/member.ts";
import { decodeUtf8, encodeUtf8 } from "../../../domain/bytes.ts";
import type { RelyingParty } from "../../../ports/account/credentials.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { isFirstUse } from "../sign-in/sign-in-limits.ts";
import { openTicket, sealTicket, type TicketUse } from "../sign-in/tickets.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "localLimiter" | "passkeyCeremonies">;

/** The browser's part of a ceremony: what it got back, and what the authenticator said. */
export type CeremonyAnswer = { readonly ticket: string; readonly response: unknown };

/** What the browser needs to begin a ceremony, and the ticket it hands in with the answer. */
export type Ceremony = { readonly options: unknown; readonly ticket: string };

/** What tickets of a sign-in by passkey are for; there is no session yet. */
export const SIGN_IN_USE: TicketUse = { purpose: "sign-in", sessionId: "" };

/** What tickets of a proof within a session are for. */
export const PROOF_PURPOSE = "proof";

/** Begins a ceremony that uses any passkey of this service. */
export async function beginPasskeyUse(ports: Ports, party: RelyingParty, use: TicketUse): Promise<Ceremony> {
  const { options, challenge } = await ports.passkeyCeremonies.createSignIn(party);
  return { options, ticket: sealTicket(ports, use, encodeUtf8(challenge)) };
}

/** Base64url of at most 1023 bytes (WebAuthn, 6.5.1). */
const PASSKEY_ID = /^[\w-]{1,1364}$/;

/** The credential id an authenticator's answer names; "" if it names none. */
export function passkeyIdOf(response: unknown): string {
  const { id } = Object(response) as { readonly id?: unknown };
  return typeof id === "string" && PASSKEY_ID.test(id) ? id : "";
}

/** The ceremony's challenge; undefined if the ticket does not hold, or was handed in before where that matters. */
export function openCeremony(ports: Ports, use: TicketUse, ticket: string): string | undefined {
  const open = openTicket(ports, use, ticket);
  // Many passkeys keep no counter: without this, whoever saw one answer could send it again while the ticket lives.
  return open !== undefined && isFirstUse(ports, open.ticketId) ? decodeUtf8(open.payload) : undefined;
}

/** The member's passkeys after this answer was taken; undefined if it does not hold, or was taken before. */
export async function takePasskey(
  ports: Ports,
  party: RelyingParty,
  { member, use, answer }: { readonly member: Member; readonly use: TicketUse; readonly answer: CeremonyAnswer },
): Promise<readonly Passkey[] | undefined> {
  const challenge = openCeremony(ports, use, answer.ticket);
  const passkey = findPasskey(member, answer.response);
  if (challenge === undefined || passkey === undefined) return undefined;
  const verified = await ports.passkeyCeremonies.verifySignIn(party, challenge, answer.response, passkey);
  const used = verified && { passkeyId: passkey.passkeyId, counter: verified.counter };
  return used && afterUse(member, used, ports.clock.nowMs());
}

/** The member's passkey with that answer's id. */
export function findPasskey(member: Member, response: unknown): Passkey | undefined {
  return member.passkeys.find(({ passkeyId }) => passkeyId === passkeyIdOf(response));
}

/**
 * The member's passkeys after one was used; undefined if it is gone, or if its counter is no longer below the one it came
 * with (it was used meanwhile, or copied).
 */
export function afterUse(
  member: Member,
  { passkeyId, counter }: { passkeyId: string; counter: number },
  nowMs: number,
): readonly Passkey[] | undefined {
  const used = member.passkeys.find((passkey) => passkey.passkeyId === passkeyId);
  if (used === undefined || (counter > 0 && counter <= used.counter)) return undefined;
  return member.passkeys.map((passkey) => (passkey === used ? { ...used, counter, lastUsedAtMs: nowMs } : passkey));
}
