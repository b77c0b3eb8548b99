import type { Cryptography } from "@stile/core/ports/cryptography";
import { RANGES } from "@stile/protocol/dashboard-statistics";
import { mintEasyChallenge } from "@stile/testkit/minting/easy-challenges";
import { mintToken } from "@stile/testkit/minting/mint-tokens";
import { behaviourOf, ENVIRONMENT, encodeSignals } from "@stile/testkit/minting/solver-client";
import type { RunningService } from "@stile/testkit/service/service";
import { type Visitor, visitorOf } from "./visitors.ts";

/** One request and the statuses that may answer it. */
export type SoakRequest = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly expected: readonly number[];
};

/**
 * The requirements for making requests: the service, its cryptography, and the Cookie header of a
 * member of its account.
 */
export type SoakTarget = {
  readonly service: RunningService;
  readonly cryptography: Cryptography;
  readonly cookie: string;
};

type Make = (target: SoakTarget, number: number) => SoakRequest;

const JSON_TYPE = { "Content-Type": "application/json" };
/** SHA-256 takes a tenth of the time to solve here; the service accepts both. */
const SHA256 = 2;
const FLOODING: Visitor = { address: "62.40.7.1", userAgent: "flood/1.0" };
const PAGES = [
  "/stile.js",
  "/frame",
  "/healthz",
  "/readyz",
  "/dashboard",
  "/api/v1/openapi.json",
] as const;

const browser = ({ address, userAgent }: Visitor): Record<string, string> => ({
  Origin: "http://localhost",
  "User-Agent": userAgent,
  "X-Forwarded-For": address,
});

const challengeFor = (
  { service }: SoakTarget,
  visitor: Visitor,
  expected: readonly number[],
): SoakRequest => ({
  method: "GET",
  path: `/api/v1/pow/challenge?site_key=${service.siteKey}`,
  headers: browser(visitor),
  expected,
});

const redemption = (secretKey: string, body: string, expected: readonly number[]): SoakRequest => ({
  method: "POST",
  path: "/api/v1/token/verify",
  headers: {
    ...JSON_TYPE,
    Authorization: `Bearer ${secretKey}`,
    "X-Forwarded-For": FLOODING.address,
  },
  body,
  expected,
});

/** A visitor asks for a challenge. */
export const askChallenge: Make = (target, number) =>
  challengeFor(target, visitorOf(number), [200]);

/** A visitor submits a correct solution, having typed with their own timing. */
export const submitSolution: Make = ({ service, cryptography }, number) => {
  const { siteKey } = service;
  const visitor = visitorOf(number);
  const environment = encodeSignals({ ...ENVIRONMENT, userAgent: visitor.userAgent });
  const nowMs = Date.now() - 2000;
  const challenge = mintEasyChallenge({
    cryptography,
    siteKey,
    ...visitor,
    nowMs,
    algorithm: SHA256,
  });
  const solution = challenge.solve(environment.bytes);
  const keyTimes = Array.from(
    { length: 5 },
    (_, key) => 300 + 180 * key + Math.floor(1000 * Math.random()) / 10,
  );
  const signals = {
    environment: environment.text,
    behaviour: encodeSignals(behaviourOf(900, keyTimes)).text,
  };
  const body = JSON.stringify({ site_key: siteKey, challenge: challenge.text, solution, signals });
  return {
    method: "POST",
    path: "/api/v1/verify",
    headers: { ...JSON_TYPE, ...browser(visitor) },
    body,
    expected: [200],
  };
};

/** A customer's server redeems a visitor's token. */
export const redeemToken: Make = ({ service, cryptography }, number) => {
  const { address, userAgent } = visitorOf(number);
  const token = mintToken(cryptography, service.siteKey, { address, userAgent });
  return redemption(
    service.secretKey,
    JSON.stringify({ token, remoteip: address, user_agent: userAgent }),
    [200],
  );
};

/**
 * Strangers' requests that are refused: more challenges than a network may have, wrong keys, junk,
 * oversized bodies.
 */
const REFUSED: readonly Make[] = [
  (target) => challengeFor(target, FLOODING, [200, 429]),
  () => redemption("sk_wrong", '{"token":"x"}', [401, 429]),
  ({ service }) => redemption(service.secretKey, '{"token":"x"}', [200]),
  ({ service }) => redemption(service.secretKey, "no JSON", [400]),
  (_, number) => ({
    ...redemption("", "", [413]),
    path: "/api/v1/verify",
    body: `"${"x".repeat(70_000 + (number % 9))}"`,
  }),
  (_, number) => ({
    method: "GET",
    path: `/nothing/${number}`,
    headers: browser(visitorOf(number)),
    expected: [404],
  }),
];

const refusedRequest: Make = (target, number) =>
  (REFUSED[number % REFUSED.length] as Make)(target, number);

const openPage: Make = (_, number) => ({
  method: "GET",
  path: PAGES[number % PAGES.length] ?? "/healthz",
  headers: browser(visitorOf(number)),
  expected: [200],
});

const readDashboard: Make = ({ service, cookie }, number) => {
  const site = `/dashboard/api/sites/${service.siteKey}`;
  const range = Object.keys(RANGES)[number % Object.keys(RANGES).length];
  const paths = ["/dashboard/api/sites", "/dashboard/api/system", `${site}/decisions`];
  for (const view of ["outcome", "scores"])
    paths.push(`${site}/${view}?range=${range}&timeZone=UTC`);
  const headers = { cookie, "sec-fetch-site": "same-origin", "X-Forwarded-For": "192.0.2.7" };
  return { method: "GET", path: paths[number % paths.length] ?? "", headers, expected: [200] };
};

/** How many of twenty requests are of each kind. */
const MIX: readonly (readonly [Make, number])[] = [
  [askChallenge, 6],
  [submitSolution, 3],
  [redeemToken, 5],
  [refusedRequest, 4],
  [openPage, 1],
  [readDashboard, 1],
];
const TURNS = MIX.flatMap(([make, times]) => Array.from({ length: times }, () => make));

/**
 * The request with that number in the mixed load; 11 shares no factor with the number of variants
 * of any kind.
 */
export function mixedRequest(target: SoakTarget, number: number): SoakRequest {
  return (TURNS[number % TURNS.length] as Make)(
    target,
    Math.floor(number / TURNS.length) * 11 + (number % TURNS.length),
  );
}
