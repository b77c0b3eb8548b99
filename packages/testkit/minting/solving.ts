import { createHash } from "node:crypto";
import type { Site } from "@stile/core/domain/site/site";
import { parseIpAddress } from "@stile/core/domain/visitor/ip-address";
import type { Visitor } from "@stile/core/domain/visitor/visitor";
import type { Cryptography } from "@stile/core/ports/cryptography";
import type { Submission } from "@stile/core/services/challenge/check-work";
import type { IssuedChallenge } from "@stile/core/services/challenge/issue-within-budget";
import { giveReceipt } from "@stile/core/services/challenge/receipt";
import { keyReference } from "@stile/core/services/visitor/key-reference";
import { issueChallenge } from "@stile/core/use-cases/challenge/issue-challenge";
import { encodeBase64url } from "@stile/pow/base64url";
import { type Challenge, packChallenge } from "@stile/pow/challenge";
import { solveInline } from "@stile/pow/solve-inline";
import type { BehaviourSignals, EnvironmentSignals } from "@stile/protocol/signals";
import { CHROME_VISITOR, type HonestEvidence } from "../visits/find-visitor.ts";
import { decoded } from "../visits/handed-in.ts";
import { handMoves } from "../visits/pointer-paths.ts";
import { toldAt } from "../visits/told-at.ts";
import { VISITOR_IP, type World } from "../world/world.ts";

/** An honest visitor's behaviour without any click: the mouse was moved, and nothing else. */
export const NO_CLICK: BehaviourSignals = { ...CHROME_VISITOR.behaviour, pointer: handMoves(950) };
/** A visit in which nobody was seen. */
export const NOBODY: BehaviourSignals = { ...CHROME_VISITOR.behaviour, pointer: [], keys: [] };
/** The visitor reached the widget by Tab, pressed it with Space, and did nothing else. */
export const BY_KEYBOARD: BehaviourSignals = {
  ...NOBODY,
  pointer: [[3_085, 0, 0, 4, 3, 0, 1, -470, -362.5]],
  keys: [
    [1_500.3, 1],
    [1_590.1, 0],
    [3_000.6, 1],
    [3_084.2, 0],
  ],
};
/**
 * An honest visitor's environment, except that a program drives the browser: above the block
 * threshold.
 */
export const WEBDRIVER: EnvironmentSignals = { ...CHROME_VISITOR.environment, webdriver: true };

/** The signals that the page submits; omitted parts are an honest visitor's. */
export type SentSignals = {
  readonly environment?: EnvironmentSignals | "withheld";
  readonly behaviour?: BehaviourSignals | "withheld";
};

/** An honest visitor at that address, with their headers. */
export function visitorAt(ip: string, evidence: HonestEvidence = CHROME_VISITOR): Visitor {
  const address = parseIpAddress(ip);
  const { userAgent, headers } = evidence;
  return { address, bindingAddress: address, country: undefined, userAgent, riskHeaders: headers };
}

/** The environment bytes to which the page commits; none if withheld. */
function environmentBytesOf(environment: EnvironmentSignals | "withheld"): Uint8Array {
  return environment === "withheld" ? new Uint8Array(0) : Buffer.from(JSON.stringify(environment));
}

/** A first challenge for the visitor of tests. */
export async function issueTo(
  world: World,
  site: Site,
  visitor = visitorAt(VISITOR_IP),
  wantsFallback = false,
): Promise<IssuedChallenge> {
  const page = {
    requestId: "request-0",
    siteKey: site.siteKey,
    actionName: "login",
    host: "shop.example",
  };
  const request = { ...page, wantsFallback, visitor };
  const answer = await issueChallenge(world.node, request);
  if (answer.kind !== "issued") throw new Error(`no challenge: ${answer.kind}`);
  return answer.issued;
}

/** A hundredth of the difficulty that is issued. */
export const EASY_DIFFICULTY = 2 ** 12;

/**
 * The same challenge with less work, signed by the service's own keys: for tests of anything but
 * the work.
 */
export function easierTwin(cryptography: Cryptography, challenge: Challenge): Uint8Array {
  const key = keyReference(challenge.keyId, "challenge", challenge.issuedAtMs);
  const easier = { ...challenge, difficulty: EASY_DIFFICULTY };
  return packChallenge(
    easier,
    (signedBytes) => cryptography.mac(key, signedBytes) ?? new Uint8Array(0),
  );
}

/** Finds the nonces for an easy puzzle over these bytes. */
export async function workOn(
  challengeBytes: Uint8Array,
  { algorithm, k }: Pick<Challenge, "algorithm" | "k">,
  environmentBytes: Uint8Array,
): Promise<Uint8Array> {
  const environmentDigest = createHash("sha256").update(environmentBytes).digest();
  const puzzle = { challengeBytes, environmentDigest, algorithm, k, difficulty: EASY_DIFFICULTY };
  const outcome = await solveInline(puzzle);
  if (outcome.kind !== "solved") throw new Error(`not solved: ${outcome.kind}`);
  return outcome.solutionBytes;
}

/** When in the visit the page asked for its challenge, ms. */
const ASKED_MS = 2_000;

/** The page's observations when it asked for a challenge, signed with the world's own keys. */
function earlierOf(
  world: World,
  { challenge }: IssuedChallenge,
  visit: BehaviourSignals | "withheld",
) {
  if (visit === "withheld") return undefined;
  const batch = toldAt(ASKED_MS, visit);
  return { batch, receipt: giveReceipt(world.node.cryptography, challenge, batch) };
}

/**
 * Does the work of an easier twin of this challenge; returns the widget's submission, a second
 * after its issue.
 */
export async function solve(
  world: World,
  site: Site,
  issued: IssuedChallenge,
  page: SentSignals = {},
): Promise<Submission> {
  const { environment = CHROME_VISITOR.environment, behaviour = CHROME_VISITOR.behaviour } = page;
  const environmentBytes = environmentBytesOf(environment);
  const challengeBytes = easierTwin(world.node.cryptography, issued.challenge);
  const solutionBytes = await workOn(challengeBytes, issued.challenge, environmentBytes);
  world.clock.advance(1000);
  return {
    requestId: "request-1",
    siteKey: site.siteKey,
    host: "www.shop.example",
    challenge: encodeBase64url(challengeBytes),
    solutionBytes,
    environmentBytes: () => environmentBytes,
    observe: () => ({ environment: decoded(environment), behaviour: decoded(behaviour) }),
    earlier: earlierOf(world, issued, behaviour),
    actionName: "login",
    cdata: "order 7",
    visitor: visitorAt(VISITOR_IP),
  };
}

/** A fresh challenge of the site, solved by an honest visitor or with the given signals. */
export async function solveFresh(
  world: World,
  site: Site,
  page: SentSignals = {},
): Promise<Submission> {
  return await solve(world, site, await issueTo(world, site), page);
}
