import { encodeBase64url } from "@stile/pow/base64url";
import { type LimitState, MINUTE_MS } from "../../../domain/rate-window.ts";
import type { RateRequest } from "../../../ports/rate-limiter.ts";
import { clientScope } from "../../steps/secret-authentication.ts";
import type { AccountPorts, Client } from "./account-ports.ts";

type LimitPorts = Pick<AccountPorts, "clock" | "cryptography" | "localLimiter">;

/** Attempts of one client a minute, at whatever email and by whatever credential. */
const PER_CLIENT = 10;
/** Attempts at one email in 15 minutes by clients that did not sign in to it lately. */
const PER_EMAIL = 5;
/** Attempts in 15 minutes at one email by a client that did, and by one session at its own password or code. */
const PER_KNOWN = 10;
const QUARTER_MINUTES = 15;
const DAY_MINUTES = 1440;
/** What a refused client is told to wait at most: its passkey, or its usual place, may let it in before the budget does. */
const LONGEST_WAIT_MS = MINUTE_MS;

/** Said while too many hashes wait (10 of them a second): come back in a moment. */
export const TOO_BUSY: LimitState = { isAdmitted: false, perMinute: PER_CLIENT, remaining: 0, resetsInMs: 2000 };

/** The limiter counts by clock minutes; slowed down, a minute of it lasts `minutes`. */
function inMinutes(scope: string, budget: number, minutes: number, nowMs: number): RateRequest {
  return { scope, perMinute: budget, nowMs: Math.floor(nowMs / minutes) };
}

function consume(ports: LimitPorts, scope: string, budget: number, minutes: number): LimitState {
  const state = ports.localLimiter.consume(inMinutes(scope, budget, minutes, ports.clock.nowMs()));
  return { ...state, resetsInMs: Math.min(state.resetsInMs * minutes, LONGEST_WAIT_MS) };
}

/** Counts one attempt of a client; every way to get in from outside counts here first. */
export function admitClient(ports: LimitPorts, client: Client): LimitState {
  return consume(ports, `sign-in:${clientScope(ports.cryptography, client.address)}`, PER_CLIENT, 1);
}

/**
 * One of 65,536 scopes: few enough to be all remembered, so that attempts at other emails, which anyone can make up, never
 * push out an email's spent budget. Emails that share one share its budget.
 */
function emailScope(ports: LimitPorts, email: string): string {
  return `sign-in-email:${encodeBase64url(ports.cryptography.digest(email).subarray(0, 2))}`;
}

/** Clients without a known address are all one in the counters, so none of them is known. */
function knownScope(ports: LimitPorts, email: string, client: Client): string | undefined {
  if (client.address === undefined) return undefined;
  const digest = encodeBase64url(ports.cryptography.digest(email));
  return `sign-in-known:${digest}:${clientScope(ports.cryptography, client.address)}`;
}

/**
 * Counts one attempt at an email's password, whether the email exists or not. The budget of an email bounds guessing from
 * any number of addresses, but anyone can use it up. So it binds strangers only: a client that signed in to this email
 * within the day (its address has no name for longer, D14) draws on a budget of its own, and a passkey needs none.
 * Attempts count before they are judged, since many at once would else all pass an unspent budget.
 */
export function admitPassword(ports: LimitPorts, email: string, client: Client): LimitState {
  const known = knownScope(ports, email, client);
  const day = Math.floor(ports.clock.nowMs() / DAY_MINUTES);
  if (known !== undefined && ports.localLimiter.ratePerMinute(`known:${known}`, day) > 0) {
    return consume(ports, known, PER_KNOWN, QUARTER_MINUTES);
  }
  return consume(ports, emailScope(ports, email), PER_EMAIL, QUARTER_MINUTES);
}

/** Remembers that the client signed in to the email. */
export function rememberClient(ports: LimitPorts, email: string, client: Client): void {
  const known = knownScope(ports, email, client);
  if (known === undefined) return;
  ports.localLimiter.consume(inMinutes(`known:${known}`, 1, DAY_MINUTES, ports.clock.nowMs()));
}

/** Counts one try of a signed-in session at a secret: its password, or a code. */
export function admitProof(ports: LimitPorts, sessionId: string): LimitState {
  return consume(ports, `proof:${sessionId}`, PER_KNOWN, QUARTER_MINUTES);
}

/** True for the first use of the id within the ten minutes to come, on this node; more than any ticket lives. */
export function isFirstUse(ports: LimitPorts, ticketId: string): boolean {
  return consume(ports, `ticket:${ticketId}`, 1, 10).isAdmitted;
}
