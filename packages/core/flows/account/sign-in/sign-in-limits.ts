import { encodeBase64url } from "@stile/pow/base64url";
import type { Session } from "../../../domain/account/session.ts";
import { type LimitState, MINUTE_MS } from "../../../domain/rate-window.ts";
import { bindingPrefix } from "../../../domain/visitor/address-prefixes.ts";
import type { RateRequest } from "../../../ports/rate-limiter.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { clientScope } from "../../visitor/client-scope.ts";
import type { Client } from "../signed-in.ts";
import type { Device } from "./known-devices.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "localLimiter">;

/** Attempts per client and minute, whatever the email and kind of credential. */
const PER_CLIENT = 10;
/** Password attempts by unknown browsers per network (/24, /48) in 15 minutes. */
const PER_NETWORK = 100;
/** Attempts at one email by unknown browsers in 15 minutes: from one network, and from all networks together. */
const PER_EMAIL = { ofNetwork: 5, inAll: 25 } as const;
/** Attempts in 15 minutes: of a known browser, of a session at its password or code, at a member's code by links. */
const PER_KNOWN = 10;
/**
 * Attempts of all known browsers and sessions of a member in 15 minutes. Each sign-in adds one of both, and their
 * hashes wait in the queue that all members share.
 */
const PER_MEMBER = 100;
/** Changes per session in 15 minutes: more than a person makes. */
const PER_SESSION = 1000;
/** New authenticator secrets for one session in 15 minutes: drawing the QR code costs as much as twenty redemptions. */
const PER_ENROLMENT = 30;
const QUARTER_MINUTES = 15;
/** New email addresses per hour: those one member may try as their own, and those one invitation may be tried with. */
const NEW_EMAILS = { ofMember: 5, ofLink: 10 } as const;
const HOUR_MINUTES = 60;
/** The longest wait to announce: a passkey, or the usual browser, may let the client in before the budget does. */
const LONGEST_WAIT_MS = MINUTE_MS;
/** Failures of one scope are counted up to this many. */
const MANY = 60_000;

/** The answer while too many hashes are waiting: try again in a moment. */
export const TOO_BUSY: LimitState = { isAdmitted: false, perMinute: PER_CLIENT, remaining: 0, resetsInMs: 2000 };

/** The limiter counts by clock minutes. Its clock is slowed down here, so that one of its minutes lasts `minutes`. */
function inMinutes(scope: string, budget: number, minutes: number, nowMs: number): RateRequest {
  return { scope, perMinute: budget, nowMs: Math.floor(nowMs / minutes) };
}

function inQuarter(ports: Ports, scope: string, budget: number): RateRequest {
  return inMinutes(scope, budget, QUARTER_MINUTES, ports.clock.nowMs());
}

function toState(state: LimitState, minutes: number): LimitState {
  return { ...state, resetsInMs: Math.min(state.resetsInMs * minutes, LONGEST_WAIT_MS) };
}

function consumeInQuarter(ports: Ports, scope: string, budget: number): LimitState {
  return toState(ports.localLimiter.consume(inQuarter(ports, scope, budget)), QUARTER_MINUTES);
}

/** The name of a client's /24 or /48 in this process's counters. All unknown clients share one name. */
function networkScope({ cryptography }: Ports, { address }: Client): string {
  return address === undefined ? "unknown" : cryptography.addressDigest(bindingPrefix(address));
}

/** The ways to sign in. Each has a separate budget, so that one that costs nothing to try can't close another. */
export type WayIn = "password" | "passkey" | "link";

/** Counts one attempt of a client. Every way to sign in counts here first, except that of a known browser. */
export function admitClient(ports: Ports, client: Client, way: WayIn = "password"): LimitState {
  const scope = `client:${way}:${clientScope(ports.cryptography, client.address)}`;
  return toState(ports.localLimiter.consume(inMinutes(scope, PER_CLIENT, 1, ports.clock.nowMs())), 1);
}

/** Counts one password attempt from a network, however many clients it has. */
export function admitNetwork(ports: Ports, client: Client): LimitState {
  return consumeInQuarter(ports, `network:${networkScope(ports, client)}`, PER_NETWORK);
}

/**
 * Counts one attempt of a stranger at an email's password, whether the email exists or not. This budget limits guessing
 * from any number of addresses, but anyone can use it up. So it binds strangers only, and each network gets a part of
 * it: to use that part up locks out only the strangers of one's own network. Attempts are counted before they are
 * checked; otherwise many simultaneous ones would all pass an unspent budget.
 */
export function admitEmail(ports: Ports, email: string, client: Client): LimitState {
  const scope = `email:${encodeBase64url(ports.cryptography.digest(email))}`;
  const whole = inQuarter(ports, scope, PER_EMAIL.inAll);
  // Peek first, so that an email whose budget is used up takes no room for more networks.
  const inAll = ports.localLimiter.peek(whole);
  if (!inAll.isAdmitted) return toState(inAll, QUARTER_MINUTES);
  const ofNetwork = consumeInQuarter(ports, `${scope}:${networkScope(ports, client)}`, PER_EMAIL.ofNetwork);
  if (ofNetwork.isAdmitted) ports.localLimiter.consume(whole);
  return ofNetwork;
}

/** Counts an attempt in its own budget, then in that of its member. */
function admitOfMember(ports: Ports, scope: string, userId: string): LimitState {
  const own = consumeInQuarter(ports, scope, PER_KNOWN);
  return own.isAdmitted ? consumeInQuarter(ports, `member:${userId}`, PER_MEMBER) : own;
}

/** Counts one attempt of a known browser at its member's password. */
export function admitDevice(ports: Ports, { deviceId, userId }: Pick<Device, "deviceId" | "userId">): LimitState {
  return admitOfMember(ports, `device:${deviceId}`, userId);
}

/**
 * Counts one code of a stranger who knew the member's password. Frequent tries could guess a code, and only people who
 * know the password can use this budget up.
 */
export function admitCode(ports: Ports, userId: string): LimitState {
  return consumeInQuarter(ports, `code:${userId}`, PER_EMAIL.ofNetwork);
}

const linkCode = (ports: Ports, userId: string): RateRequest => inQuarter(ports, `link-code:${userId}`, PER_KNOWN);

/** Whether a code may be tried with a link for this member; asked before one of the link's own tries is used. */
export function mayTryLinkCode(ports: Ports, userId: string): LimitState {
  return toState(ports.localLimiter.peek(linkCode(ports, userId)), QUARTER_MINUTES);
}

/** Counts one code that came with any link for this member: the makers of links can make as many as they like. */
export function admitLinkCode(ports: Ports, userId: string): LimitState {
  return toState(ports.localLimiter.consume(linkCode(ports, userId)), QUARTER_MINUTES);
}

/** Counts one attempt of a signed-in session at its password or a code. */
export function admitProof(ports: Ports, { sessionId, userId }: Pick<Session, "sessionId" | "userId">): LimitState {
  return admitOfMember(ports, `proof:${sessionId}`, userId);
}

/**
 * Counts one change by a session, of any kind. Each change has an audit entry that stays for 13 months: without a
 * limit, any session, whatever its role, could fill the disk with entries and hide its deeds among them.
 */
export function admitChange(ports: Ports, sessionId: string): LimitState {
  return consumeInQuarter(ports, `changes:${sessionId}`, PER_SESSION);
}

/** Counts a new authenticator secret of a session. */
export function admitEnrolment(ports: Ports, sessionId: string): LimitState {
  return consumeInQuarter(ports, `enrolment:${sessionId}`, PER_ENROLMENT);
}

/**
 * Counts one email that somebody wants to use from now on. The answer has to reveal whether another member has it,
 * since the service sends no mail; this limit keeps anybody from finding out who the members are. It counts before the
 * look-up, whether the email is free or taken: otherwise simultaneous requests would all be answered, and the limit
 * itself would reveal something.
 */
export function admitNewEmail(ports: Ports, kind: keyof typeof NEW_EMAILS, id: string): LimitState {
  const limit = ports.localLimiter.consume(
    inMinutes(`new-email:${kind}:${id}`, NEW_EMAILS[kind], HOUR_MINUTES, ports.clock.nowMs()),
  );
  return { ...limit, resetsInMs: limit.resetsInMs * HOUR_MINUTES };
}

/** Counts a stranger's wrong password, whether the email exists or not. */
export function countFailure(ports: Ports, client: Client): void {
  for (const scope of [`failures:${networkScope(ports, client)}`, "failures"]) consumeInQuarter(ports, scope, MANY);
}

/** Strangers' wrong passwords in the last 15 minutes: from the client's network, and from everywhere. */
export function failuresAround(ports: Ports, client: Client): { ofNetwork: number; inAll: number } {
  const count = (scope: string): number => {
    const { nowMs } = inQuarter(ports, scope, MANY);
    return ports.localLimiter.ratePerMinute(scope, nowMs);
  };
  return { ofNetwork: count(`failures:${networkScope(ports, client)}`), inAll: count("failures") };
}

/** True for the first use of the id in ten minutes on this node, which is longer than a ticket lives. */
export function isFirstUse(ports: Ports, ticketId: string): boolean {
  return ports.localLimiter.consume(inMinutes(`ticket:${ticketId}`, 1, 10, ports.clock.nowMs())).isAdmitted;
}

/** Whether the puzzle was already used. Asked before its work is checked, because that costs more. */
export function isSpentPuzzle(ports: Ports, puzzleId: string): boolean {
  return !ports.localLimiter.peek(inQuarter(ports, `puzzle:${puzzleId}`, 1)).isAdmitted;
}

/** True for the first use of the puzzle in 15 minutes on this node, which is longer than a puzzle lives. */
export function isFirstSolution(ports: Ports, puzzleId: string): boolean {
  return consumeInQuarter(ports, `puzzle:${puzzleId}`, 1).isAdmitted;
}
