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

/** Attempts of one client a minute, at whatever email and by whatever credential. */
const PER_CLIENT = 10;
/** Attempts at passwords in 15 minutes from one network (/24, /48) by browsers that are not known. */
const PER_NETWORK = 100;
/** Attempts at one email in 15 minutes by browsers that are not known: from one network, and from all together. */
const PER_EMAIL = { ofNetwork: 5, inAll: 25 } as const;
/** Attempts in 15 minutes of one known browser, of one session at its own password or code, and at a member's code by links. */
const PER_KNOWN = 10;
/**
 * What all known browsers and sessions of one member may try in 15 minutes: each way in brings one more of both, and their hashes are in the
 * queue in which every member waits.
 */
const PER_MEMBER = 100;
/** Changes of one session in 15 minutes: more than a person makes. */
const PER_SESSION = 1000;
/** Secrets for an authenticator app that one session is given in 15 minutes: to draw one takes as long as twenty redemptions do. */
const PER_ENROLMENT = 30;
const QUARTER_MINUTES = 15;
/** Email addresses an hour that one member tries as a new one of their own, and that are tried with one invitation. */
const NEW_EMAILS = { ofMember: 5, ofLink: 10 } as const;
const HOUR_MINUTES = 60;
/** What a refused client is told to wait at most: its passkey, or its usual place, may let it in before the budget does. */
const LONGEST_WAIT_MS = MINUTE_MS;
/** More failures than this of one scope are not told apart. */
const MANY = 60_000;

/** Said while too many hashes wait: come back in a moment. */
export const TOO_BUSY: LimitState = { isAdmitted: false, perMinute: PER_CLIENT, remaining: 0, resetsInMs: 2000 };

/** The limiter counts by clock minutes; slowed down, a minute of it lasts `minutes`. */
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

/** The name of a client's /24 or /48 in this process's counters; all unknown clients share one. */
function networkScope({ cryptography }: Ports, { address }: Client): string {
  return address === undefined ? "unknown" : cryptography.addressDigest(bindingPrefix(address));
}

/** Ways to get in; each has a budget of its own, so that what costs nothing to try closes no other. */
export type WayIn = "password" | "passkey" | "link";

/** Counts one attempt of a client; every way to get in from outside counts here first, but that of a known browser. */
export function admitClient(ports: Ports, client: Client, way: WayIn = "password"): LimitState {
  const scope = `client:${way}:${clientScope(ports.cryptography, client.address)}`;
  return toState(ports.localLimiter.consume(inMinutes(scope, PER_CLIENT, 1, ports.clock.nowMs())), 1);
}

/** Counts one attempt at a password from a network, however many clients it has. */
export function admitNetwork(ports: Ports, client: Client): LimitState {
  return consumeInQuarter(ports, `network:${networkScope(ports, client)}`, PER_NETWORK);
}

/**
 * Counts one attempt of a stranger at an email's password, whether the email exists or not. The budget of an email bounds
 * guessing from any number of addresses, but anyone can use it up. So it binds strangers only, and one network has only a
 * part of it: who uses that up locks out nobody but strangers of its own network. Attempts count before they are judged,
 * since many at once would else all pass an unspent budget.
 */
export function admitEmail(ports: Ports, email: string, client: Client): LimitState {
  const scope = `email:${encodeBase64url(ports.cryptography.digest(email))}`;
  const whole = inQuarter(ports, scope, PER_EMAIL.inAll);
  // Looked at first, so that a used-up email takes up no room for further networks.
  const inAll = ports.localLimiter.peek(whole);
  if (!inAll.isAdmitted) return toState(inAll, QUARTER_MINUTES);
  const ofNetwork = consumeInQuarter(ports, `${scope}:${networkScope(ports, client)}`, PER_EMAIL.ofNetwork);
  if (ofNetwork.isAdmitted) ports.localLimiter.consume(whole);
  return ofNetwork;
}

/** Counts a try in its own budget, and then in that of its member. */
function admitOfMember(ports: Ports, scope: string, userId: string): LimitState {
  const own = consumeInQuarter(ports, scope, PER_KNOWN);
  return own.isAdmitted ? consumeInQuarter(ports, `member:${userId}`, PER_MEMBER) : own;
}

/** Counts one attempt of a known browser at its member's password. */
export function admitDevice(ports: Ports, { deviceId, userId }: Pick<Device, "deviceId" | "userId">): LimitState {
  return admitOfMember(ports, `device:${deviceId}`, userId);
}

/**
 * Counts one code of a stranger who knew the member's password: codes are few enough to be guessed by whoever may try often,
 * and only who knows the password can use this budget up.
 */
export function admitCode(ports: Ports, userId: string): LimitState {
  return consumeInQuarter(ports, `code:${userId}`, PER_EMAIL.ofNetwork);
}

const linkCode = (ports: Ports, userId: string): RateRequest => inQuarter(ports, `link-code:${userId}`, PER_KNOWN);

/** Whether a code may be tried with a link for that member; looked at before the link's own tries are, so that none is lost to this. */
export function mayTryLinkCode(ports: Ports, userId: string): LimitState {
  return toState(ports.localLimiter.peek(linkCode(ports, userId)), QUARTER_MINUTES);
}

/** Counts one code that came with a link for that member, whichever: who may make links makes as many as they like. */
export function admitLinkCode(ports: Ports, userId: string): LimitState {
  return toState(ports.localLimiter.consume(linkCode(ports, userId)), QUARTER_MINUTES);
}

/** Counts one try of a signed-in session at a secret: its password, or a code. */
export function admitProof(ports: Ports, { sessionId, userId }: Pick<Session, "sessionId" | "userId">): LimitState {
  return admitOfMember(ports, `proof:${sessionId}`, userId);
}

/**
 * Counts one change that a session makes, whatever it is. Each leaves a line in the audit log, for 13 months: whoever holds a session, of
 * however low a role, could else fill the disk with them, and hide what they did among them.
 */
export function admitChange(ports: Ports, sessionId: string): LimitState {
  return consumeInQuarter(ports, `changes:${sessionId}`, PER_SESSION);
}

/** Counts one secret that a session is given for an authenticator app. */
export function admitEnrolment(ports: Ports, sessionId: string): LimitState {
  return consumeInQuarter(ports, `enrolment:${sessionId}`, PER_ENROLMENT);
}

/**
 * Counts one address that somebody wants to sign in with from now on. The answer has to say whether somebody else has it, since the
 * service sends no mail; so few are answered that nobody learns from them who the members of the service are. Counted before it is
 * looked up, free or taken: many at once would else all be answered, and the limit itself would tell.
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

/** Wrong passwords of strangers in the last 15 minutes: from the client's network, and from everywhere. */
export function failuresAround(ports: Ports, client: Client): { ofNetwork: number; inAll: number } {
  const count = (scope: string): number => {
    const { nowMs } = inQuarter(ports, scope, MANY);
    return ports.localLimiter.ratePerMinute(scope, nowMs);
  };
  return { ofNetwork: count(`failures:${networkScope(ports, client)}`), inAll: count("failures") };
}

/** True for the first use of the id within the ten minutes to come, on this node; more than any ticket lives. */
export function isFirstUse(ports: Ports, ticketId: string): boolean {
  return ports.localLimiter.consume(inMinutes(`ticket:${ticketId}`, 1, 10, ports.clock.nowMs())).isAdmitted;
}

/** Whether the puzzle was used up already; asked before its work is checked, which costs more. */
export function isSpentPuzzle(ports: Ports, puzzleId: string): boolean {
  return !ports.localLimiter.peek(inQuarter(ports, `puzzle:${puzzleId}`, 1)).isAdmitted;
}

/** True for the first use of the puzzle within the 15 minutes to come, on this node; more than any puzzle lives. */
export function isFirstSolution(ports: Ports, puzzleId: string): boolean {
  return consumeInQuarter(ports, `puzzle:${puzzleId}`, 1).isAdmitted;
}
