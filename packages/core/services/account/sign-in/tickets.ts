import { decodeBase64url, encodeBase64url } from "@stile/pow/base64url";
import type { SignedIn } from "../../../domain/account/signed-in.ts";
import { encodeUtf8, lengthPrefixed } from "../../../domain/bytes.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { keyReference } from "../../visitor/key-reference.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography">;

/** The purpose of a ticket, and the session it is bound to ("" if there is none yet). */
export type TicketUse = {
  readonly purpose: "sign-in" | "proof" | "passkey" | "totp";
  readonly sessionId: string;
};

/** The use of a ticket within a session. */
export function useWithin(
  { session }: SignedIn,
  purpose: Exclude<TicketUse["purpose"], "sign-in">,
): TicketUse {
  return { purpose, sessionId: session.sessionId };
}

/** A valid ticket. Its id is unique. */
export type OpenTicket = { readonly ticketId: string; readonly payload: Uint8Array };

/** How long a ticket is valid, in ms. */
export const TICKET_MS = 5 * 60_000;

const NONCE_BYTES = 12;
/** Service key, time of issue in seconds, nonce. */
const HEADER_BYTES = 4 + 4 + NONCE_BYTES;
const MAX_CHARACTERS = 1024;

function associatedData(header: Uint8Array, { purpose, sessionId }: TicketUse): Uint8Array {
  return lengthPrefixed([header, encodeUtf8(purpose), encodeUtf8(sessionId)]);
}

/**
 * Seals the state of a ceremony between its two steps into a text that the browser keeps. So
 * nothing is stored, any node can open it, and it is valid only for its purpose and session (D4:
 * AES-256-GCM under the key of purpose and day).
 */
export function sealTicket(
  { clock, cryptography }: Ports,
  use: TicketUse,
  payload: Uint8Array,
): string {
  const issuedAtSeconds = Math.floor(clock.nowMs() / 1000);
  const keyId = cryptography.currentKeyId();
  const nonce = cryptography.randomBytes(NONCE_BYTES);
  const header = new Uint8Array(HEADER_BYTES);
  const view = new DataView(header.buffer);
  view.setUint32(0, keyId);
  view.setUint32(4, issuedAtSeconds);
  header.set(nonce, 8);
  const key = keyReference(keyId, "ticket", issuedAtSeconds * 1000);
  const sealed = cryptography.seal(key, nonce, payload, associatedData(header, use));
  const ticket = new Uint8Array(HEADER_BYTES + sealed.length);
  ticket.set(header);
  ticket.set(sealed, HEADER_BYTES);
  return encodeBase64url(ticket);
}

/**
 * Opens a ticket; undefined if it has expired, was changed, or belongs to another purpose or
 * session.
 */
export function openTicket(
  { clock, cryptography }: Ports,
  use: TicketUse,
  ticket: string,
): OpenTicket | undefined {
  if (ticket.length > MAX_CHARACTERS) return undefined;
  const bytes = decodeBase64url(ticket);
  if (bytes === undefined || bytes.length <= HEADER_BYTES) return undefined;
  const header = bytes.slice(0, HEADER_BYTES);
  const view = new DataView(header.buffer);
  if (cryptography.isRetired(view.getUint32(0))) return undefined;
  const issuedAtMs = view.getUint32(4) * 1000;
  if (clock.nowMs() >= issuedAtMs + TICKET_MS) return undefined;
  const nonce = header.slice(8);
  const key = keyReference(view.getUint32(0), "ticket", issuedAtMs);
  const payload = cryptography.open(
    key,
    nonce,
    bytes.slice(HEADER_BYTES),
    associatedData(header, use),
  );
  return payload && { ticketId: encodeBase64url(nonce), payload };
}
