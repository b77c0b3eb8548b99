import { encodeBase64url } from "@stile/pow/base64url";
import type { Session } from "../../../domain/account/session.ts";
import type { Client } from "../../../domain/account/signed-in.ts";
import type { RateRequest } from "../../../domain/rate-window.ts";
import { type LimitState, MINUTE_MS } from "../../../domain/rate-window.ts";
import { bindingPrefix } from "../../../domain/visitor/address-prefixes.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { clientScope } from "../../visitor/client-scope.ts";
import type { Device } from "./known-devices.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "localLimiter">;

/** So many attempts in so many minutes. */
type Budget = { readonly most: number; readonly minutes: number };

const inQuarter = (most: number): Budget => ({ most, minutes: 15 });
const inHour = (most: number): Budget => ({ most, minutes: 60 });

/** Password attempts of a client, whatever the email. */
const PER_CLIENT: Budget = { most: 10, minutes: 1 };
/** Password attempts by unknown browsers of one network (/24, /48). */
const PER_NETWORK = inQuarter(100);
/** Attempts at one email by unknown browsers: from one network, and from all networks together. */
const PER_EMAIL = { ofNetwork: inQuarter(5), inAll: inQuarter(25) } as const;
/**
 * Attempts with one link, and under one passkey's id by browsers that are not known as its
 * member's.
 */
const PER_BEARER = inQuarter(30);
/**
 * Attempts of a known browser, of a session at its password or code, at a member's code by links.
 */
const PER_KNOWN = inQuarter(10);
/**
 * Attempts of all known browsers and sessions of a member. Each sign-in adds one of both, and their
 * hashes wait in the queue that all members share.
 */
const PER_MEMBER = inQuarter(100);
/** Changes of a session, and of all sessions of a member: more than a person makes. */
const CHANGES = { ofSession: inQuarter(1000), ofMember: inQuarter(3000) } as const;
/**
 * New authenticator secrets and answers for new passkeys of one session: drawing a QR code, or
 * reading an answer that nests deeply, costs as much as twenty redemptions.
 */
const PER_ENROLMENT = inQuarter(30);
/**
 * New email addresses: those one member may try as their own, and those one invitation may be tried
 * with.
 */
const NEW_EMAILS = { ofMember: inHour(5), ofLink: inHour(10) } as const;
/** Failures of one scope are counted up to this many. */
const FAILURES = inQuarter(60_000);
/** Uses of one ticket, and of one puzzle, for longer than they live. */
const PER_TICKET: Budget = { most: 1, minutes: 10 };
const PER_PUZZLE = inQuarter(1);
/**
 * The longest wait to announce: a passkey, or the usual browser, may let the client in before the
 * budget does.
 */
const LONGEST_WAIT_MS = MINUTE_MS;

/** The answer while too many hashes are waiting: try again in a moment. */
export const TOO_BUSY: LimitState = {
  isAdmitted: false,
  perMinute: PER_CLIENT.most,
  remaining: 0,
  resetsInMs: 2000,
};

/**
 * The limiter counts by minutes. It gets a slower clock, by which the budget's time is one minute.
 */
function requestOf({ clock }: Ports, scope: string, { most, minutes }: Budget): RateRequest {
  return { scope, perMinute: most, nowMs: Math.floor(clock.nowMs() / minutes) };
}

/** The limiter's answer, with the wait by the usual clock. */
function stateOf(
  state: LimitState,
  { minutes }: Budget,
  longestWaitMs = LONGEST_WAIT_MS,
): LimitState {
  return { ...state, resetsInMs: Math.min(state.resetsInMs * minutes, longestWaitMs) };
}

function consume(ports: Ports, scope: string, budget: Budget): LimitState {
  return stateOf(ports.localLimiter.consume(requestOf(ports, scope, budget)), budget);
}

function peek(ports: Ports, scope: string, budget: Budget): LimitState {
  return stateOf(ports.localLimiter.peek(requestOf(ports, scope, budget)), budget);
}

/**
 * The name of a client's /24 or /48 in this process's counters. All unknown clients share one name.
 */
function networkScope({ cryptography }: Ports, { address }: Client): string {
  return address === undefined ? "unknown" : cryptography.addressDigest(bindingPrefix(address));
}

/** Counts one password attempt of a client, whatever the email. */
export function admitClient(ports: Ports, client: Client): LimitState {
  return consume(ports, `client:${clientScope(ports.cryptography, client.address)}`, PER_CLIENT);
}

/**
 * Counts one attempt with a valid link. A client without one uses up nobody's attempts, even from
 * the same address.
 */
export function admitLink(ports: Ports, linkId: string): LimitState {
  return consume(ports, `link:${linkId}`, PER_BEARER);
}

/** Counts one answer under the id of a registered passkey, which only its member learns. */
export function admitPasskey(ports: Ports, passkeyId: string): LimitState {
  return consume(ports, `passkey:${passkeyId}`, PER_BEARER);
}

/** Counts one password attempt from a network, however many clients it has. */
export function admitNetwork(ports: Ports, client: Client): LimitState {
  return consume(ports, `network:${networkScope(ports, client)}`, PER_NETWORK);
}

/**
 * Counts one attempt of a stranger at an email's password, whether the email exists or not. This
 * budget limits guessing from any number of addresses, but anyone can use it up. So it binds
 * strangers only, and each network gets a part of it: a network that uses up its part locks out
 * only its own strangers. Attempts are counted before they are checked; otherwise many simultaneous
 * ones would all pass an unspent budget.
 */
export function admitEmail(ports: Ports, email: string, client: Client): LimitState {
  const scope = `email:${encodeBase64url(ports.cryptography.digest(email))}`;
  // Peek first, so that an email whose budget is used up takes no room for more networks.
  const inAll = peek(ports, scope, PER_EMAIL.inAll);
  if (!inAll.isAdmitted) return inAll;
  const ofNetwork = consume(ports, `${scope}:${networkScope(ports, client)}`, PER_EMAIL.ofNetwork);
  if (ofNetwork.isAdmitted) consume(ports, scope, PER_EMAIL.inAll);
  return ofNetwork;
}

/** Counts an attempt in its own budget, then in that of its member. */
function admitOfMember(ports: Ports, scope: string, userId: string): LimitState {
  const own = consume(ports, scope, PER_KNOWN);
  return own.isAdmitted ? consume(ports, `member:${userId}`, PER_MEMBER) : own;
}

/** Counts one attempt of a known browser at its member's password. */
export function admitDevice(
  ports: Ports,
  { deviceId, userId }: Pick<Device, "deviceId" | "userId">,
): LimitState {
  return admitOfMember(ports, `device:${deviceId}`, userId);
}

/**
 * Counts one code of a stranger who knew the member's password. Frequent tries could guess a code,
 * and only people who know the password can use this budget up.
 */
export function admitCode(ports: Ports, userId: string): LimitState {
  return consume(ports, `code:${userId}`, PER_EMAIL.ofNetwork);
}

const linkCode = (userId: string): string => `link-code:${userId}`;

/**
 * Whether a code may be tried with a link for this member; asked before one of the link's own tries
 * is used.
 */
export function mayTryLinkCode(ports: Ports, userId: string): LimitState {
  return peek(ports, linkCode(userId), PER_KNOWN);
}

/**
 * Counts one code that came with any link for this member: the makers of links can make as many as
 * they like.
 */
export function admitLinkCode(ports: Ports, userId: string): LimitState {
  return consume(ports, linkCode(userId), PER_KNOWN);
}

/** Counts one attempt of a signed-in session at its password or a code. */
export function admitProof(
  ports: Ports,
  { sessionId, userId }: Pick<Session, "sessionId" | "userId">,
): LimitState {
  return admitOfMember(ports, `proof:${sessionId}`, userId);
}

/**
 * Counts one change by a session, of any kind. Each change has an audit entry that stays for 13
 * months: without a limit, any session, whatever its role, could fill the disk with entries and
 * hide its actions among them. A member may begin any number of sessions, so together they have a
 * limit too, which one stolen session cannot use up.
 */
export function admitChange(
  ports: Ports,
  { sessionId, userId }: Pick<Session, "sessionId" | "userId">,
): LimitState {
  const own = consume(ports, `changes:${sessionId}`, CHANGES.ofSession);
  return own.isAdmitted ? consume(ports, `changes-of:${userId}`, CHANGES.ofMember) : own;
}

/** Counts a new authenticator secret of a session, or an answer for a new passkey. */
export function admitEnrolment(ports: Ports, sessionId: string): LimitState {
  return consume(ports, `enrolment:${sessionId}`, PER_ENROLMENT);
}

/**
 * Counts one new email that somebody wants to use. The answer has to reveal whether another member
 * has it, since the service sends no mail; this limit keeps anybody from finding out who the
 * members are. It counts before the look-up, whether the email is free or taken: otherwise
 * simultaneous requests would all be answered, and the limit itself would reveal something.
 */
export function admitNewEmail(ports: Ports, kind: keyof typeof NEW_EMAILS, id: string): LimitState {
  const budget = NEW_EMAILS[kind];
  const request = requestOf(ports, `new-email:${kind}:${id}`, budget);
  // Nothing else lets the email in, so the whole wait is announced.
  return stateOf(ports.localLimiter.consume(request), budget, Number.POSITIVE_INFINITY);
}

/** Counts a stranger's wrong password, whether the email exists or not. */
export function countFailure(ports: Ports, client: Client): void {
  for (const scope of [`failures:${networkScope(ports, client)}`, "failures"])
    consume(ports, scope, FAILURES);
}

/**
 * Strangers' wrong passwords in the last 15 minutes: from the client's network, and from
 * everywhere.
 */
export function failuresAround(ports: Ports, client: Client): { ofNetwork: number; inAll: number } {
  const count = (scope: string): number =>
    ports.localLimiter.ratePerMinute(scope, requestOf(ports, scope, FAILURES).nowMs);
  return { ofNetwork: count(`failures:${networkScope(ports, client)}`), inAll: count("failures") };
}

/**
 * True for the first use of the id in ten minutes on this node, which is longer than a ticket
 * lives.
 */
export function isFirstUse(ports: Ports, ticketId: string): boolean {
  return consume(ports, `ticket:${ticketId}`, PER_TICKET).isAdmitted;
}

/**
 * Whether the puzzle was already used. Asked before its work is checked, because that costs more.
 */
export function isSpentPuzzle(ports: Ports, puzzleId: string): boolean {
  return !peek(ports, `puzzle:${puzzleId}`, PER_PUZZLE).isAdmitted;
}

/**
 * True for the first use of the puzzle in 15 minutes on this node, which is longer than a puzzle
 * lives.
 */
export function isFirstSolution(ports: Ports, puzzleId: string): boolean {
  return consume(ports, `puzzle:${puzzleId}`, PER_PUZZLE).isAdmitted;
}
