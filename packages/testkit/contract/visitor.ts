import { setTimeout as pause } from "node:timers/promises";
import { openChallenge } from "@stile/core/services/challenge/sign-challenge";
import type { AlgorithmNumber } from "@stile/pow/algorithms/table";
import { decodeBase64url, encodeBase64url } from "@stile/pow/base64url";
import { sha256 } from "@stile/pow/sha256";
import { solveInline } from "@stile/pow/solve-inline";
import { LEAST_WATCHED_MS } from "@stile/protocol/limits";
import type { BehaviourSignals, EnvironmentSignals } from "@stile/protocol/signals";
import { easierTwin, workOn } from "../minting/solving.ts";
import { CHROME_VISITOR } from "../visits/find-visitor.ts";
import { toldAt } from "../visits/told-at.ts";
import { type ApiAnswer, type ApiCall, callApi } from "./call.ts";
import type { ServiceFixture, TimedFixture } from "./service-fixtures.ts";
import { PAGE_ORIGIN, type TestSite } from "./sites.ts";

/** The data of a challenge as sent (D8, challenge). */
export type ChallengeData = {
  readonly challenge: string;
  readonly algorithm: AlgorithmNumber;
  readonly k: number;
  readonly difficulty: number;
  readonly interaction: "none" | "click";
  readonly receipt?: string;
};

/** A submission as the widget sends it; tests change parts of it (D9, submission). */
export type SubmissionBody = {
  readonly site_key: string;
  readonly challenge: string;
  readonly solution: string;
  readonly signals: {
    readonly environment: string;
    readonly behaviour: string;
    readonly batch: string;
    readonly earlier?: { readonly batch: string; readonly receipt: string };
  };
  readonly action?: string;
  readonly cdata?: string;
};

/** Request headers of an honest browser on a page of the site. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...CHROME_VISITOR.headers,
  origin: PAGE_ORIGIN,
};

/** Headers in the order and case in which Chromium sends them over HTTP/1.1. */
const AS_SENT = [
  "sec-ch-ua-platform",
  "User-Agent",
  "sec-ch-ua",
  "sec-ch-ua-mobile",
  "Accept",
  "Origin",
  "Sec-Fetch-Site",
  "Sec-Fetch-Mode",
  "Sec-Fetch-Dest",
  "Accept-Encoding",
  "Accept-Language",
];

/**
 * These headers in the order and case in which a browser sends them; headers it would not send come
 * last.
 */
function asSent(headers: Readonly<Record<string, string>>): Record<string, string> {
  const left = new Map(Object.entries(headers));
  const sent: Record<string, string> = {};
  for (const name of AS_SENT) {
    const value = left.get(name.toLowerCase());
    if (value !== undefined) sent[name] = value;
    left.delete(name.toLowerCase());
  }
  return { ...sent, ...Object.fromEntries(left) };
}

/** How long visitors take to solve on a fixture with a clock; no browser could be faster. */
const SOLVE_MS = LEAST_WATCHED_MS;

/**
 * The report of these visitors' pages when they ask for a challenge, two seconds after the visit
 * began.
 */
const TOLD = toldAt(2_000, CHROME_VISITOR.behaviour);

/** GET /api/v1/pow/challenge as the widget does it (spec 4.3). */
export function askChallenge(
  fixture: ServiceFixture,
  query: Readonly<Record<string, string>>,
  more: Partial<ApiCall> = {},
) {
  const path = `/api/v1/pow/challenge?${new URLSearchParams({ batch: TOLD, ...query })}`;
  return callApi(fixture.baseUrl, {
    method: "GET",
    path,
    ...more,
    headers: { ...PAGE_HEADERS, ...more.headers },
  });
}

/** POST /api/v1/verify as the widget does it (spec 4.4). */
export function submit(
  fixture: ServiceFixture,
  body: ApiCall["body"],
  more: Partial<ApiCall> = {},
): Promise<ApiAnswer> {
  const headers = asSent({ ...PAGE_HEADERS, ...more.headers });
  return callApi(fixture.baseUrl, {
    path: "/api/v1/verify",
    ...(body && { body }),
    ...more,
    headers,
  });
}

/** The challenge in an answer of D8 (challenge) or in a step-up of D9 (submission). */
export function challengeOf({ body }: ApiAnswer): ChallengeData {
  return (body.data.challenge instanceof Object ? body.data.challenge : body.data) as ChallengeData;
}

function toText(signals: EnvironmentSignals | BehaviourSignals): string {
  return encodeBase64url(new TextEncoder().encode(JSON.stringify(signals)));
}

/** How this visitor's signals differ from an honest one's. */
export type VisitorSignals = {
  readonly environment?: Partial<EnvironmentSignals> | "withheld";
  readonly behaviour?: Partial<BehaviourSignals>;
  /**
   * The report of its page when it asked for the challenge, if that differs from an honest one's.
   */
  readonly told?: string;
};

/** Both signal strings; withheld ones are empty. */
export function signalsOf(visitor: VisitorSignals = {}): SubmissionBody["signals"] {
  const { environment } = visitor;
  return {
    environment:
      environment === "withheld" ? "" : toText({ ...CHROME_VISITOR.environment, ...environment }),
    behaviour: toText({ ...CHROME_VISITOR.behaviour, ...visitor.behaviour }),
    batch: visitor.told ?? TOLD,
  };
}

/** A challenge's bytes, and the nonces that solve it. */
type SolvedWork = { readonly challengeBytes: Uint8Array; readonly solutionBytes: Uint8Array };

/** Does all the work that the service asked for. */
async function workFully(asked: ChallengeData, environment: Uint8Array): Promise<SolvedWork> {
  const { challenge, algorithm, k, difficulty } = asked;
  const challengeBytes = decodeBase64url(challenge) ?? new Uint8Array(0);
  const environmentDigest = sha256(environment);
  const solved = await solveInline({ challengeBytes, environmentDigest, algorithm, k, difficulty });
  if (solved.kind !== "solved") throw new Error(`solving the puzzle failed: ${solved.kind}`);
  return { challengeBytes, solutionBytes: solved.solutionBytes };
}

/** Does a thirtieth of the work, on the same challenge as the service would have signed it then. */
async function workLess(
  { ports }: ServiceFixture,
  { challenge }: ChallengeData,
  environment: Uint8Array,
): Promise<SolvedWork> {
  const opened = openChallenge(ports.cryptography, challenge);
  if (opened === undefined) throw new Error("no challenge of this service");
  const challengeBytes = easierTwin(ports.cryptography, opened.challenge);
  return {
    challengeBytes,
    solutionBytes: await workOn(challengeBytes, opened.challenge, environment),
  };
}

/**
 * Does the work of a challenge and waits for as long as the widget does; the submission it returns
 * is correct. On a fixture with a clock, that clock is moved and the work is reduced; for a service
 * in another process it does all the work.
 */
export async function solve(
  fixture: ServiceFixture | TimedFixture,
  site: TestSite,
  challenge: ChallengeData,
  visitor: VisitorSignals = {},
): Promise<SubmissionBody> {
  const signals = signalsOf(visitor);
  const environment = decodeBase64url(signals.environment) ?? new Uint8Array(0);
  const isTimed = "clock" in fixture;
  const work = await (isTimed
    ? workLess(fixture, challenge, environment)
    : workFully(challenge, environment));
  if (isTimed) fixture.clock.advance(SOLVE_MS);
  else await pause(SOLVE_MS);
  const solution = encodeBase64url(work.solutionBytes);
  const { receipt } = challenge;
  const earlier = receipt === undefined ? {} : { earlier: { batch: signals.batch, receipt } };
  const told = { ...signals, ...earlier };
  const handedIn = encodeBase64url(work.challengeBytes);
  return { site_key: site.siteKey, challenge: handedIn, solution, signals: told };
}

/** A visitor from challenge to answer. */
export async function visit(
  fixture: ServiceFixture,
  site: TestSite,
  visitor: VisitorSignals = {},
  more: Partial<ApiCall> = {},
) {
  const asked = await askChallenge(fixture, { site_key: site.siteKey }, more);
  return submit(fixture, await solve(fixture, site, challengeOf(asked), visitor), more);
}
