import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import type { AlgorithmNumber } from "@stile/pow/algorithms/table";
import { decodeBase64url, encodeBase64url } from "@stile/pow/base64url";
import { sha256 } from "@stile/pow/sha256";
import { solveInline } from "@stile/pow/solve-inline";
import { FALLBACK_WATCHED_MS, LEAST_WATCHED_MS } from "@stile/protocol/limits";
import { pause } from "./input-methods.ts";

/** Names and values of request headers, in the order in which they are sent. */
export type RawHeaders = readonly (readonly [name: string, value: string])[];

/**
 * The state in which the client generates its behaviour: its challenge was solved, and is about to
 * be submitted.
 */
export type Round = {
  readonly isAsked: boolean;
  /** Time since the first challenge was asked for, ms. */
  readonly visitMs: number;
  /** Time since this challenge came, ms. */
  readonly sinceChallengeMs: number;
  /** Time that the work on this challenge took, ms. */
  readonly solveMs: number;
};

/** The claims of a client without a browser. */
export type Claims = {
  readonly headers: RawHeaders;
  /**
   * Both parts in the form in which they are submitted (D9, submission): base64url; undefined parts
   * are left out.
   */
  readonly environment: string | undefined;
  /** Always the same, or generated for each challenge. */
  readonly behaviour: string | undefined | ((round: Round) => string);
  /**
   * Its report when it asks for a challenge, and at each round for one that may follow (D9,
   * submission). A client that reports nothing does not wait either; one that does holds the visit
   * open for as long as the widget would.
   */
  readonly batch?: (round: Round) => string;
  /**
   * Whether it claims to have no WebAssembly, and takes as long as a browser without it for the
   * smaller work it is given (D8, challenge).
   */
  readonly lacksWebAssembly?: boolean;
  /**
   * How long the client waits before it submits a solution with the click that it was asked for,
   * ms.
   */
  readonly waitsForClickMs?: number;
};

/** Which service and site it visits. */
export type RawTarget = {
  readonly baseUrl: string;
  readonly siteKey: string;
  readonly action: string;
};

type Challenge = {
  readonly challenge: string;
  readonly algorithm: AlgorithmNumber;
  readonly k: number;
  readonly difficulty: number;
  readonly interaction: string;
  readonly receipt?: string;
};
type Answer = {
  readonly data?: {
    readonly token?: string;
    readonly next?: string;
    readonly challenge?: Challenge;
  } & Partial<Challenge>;
};

const MAX_ROUNDS = 3;
/** The round before the first challenge. */
const ASKING: Round = { isAsked: false, visitMs: 0, sinceChallengeMs: 0, solveMs: 0 };

/** One request with exactly these headers. */
async function send(
  method: string,
  url: string,
  headers: RawHeaders,
  body?: string,
): Promise<Answer> {
  const { host } = new URL(url);
  const own: RawHeaders = [["Host", host], ...headers];
  const sized: RawHeaders =
    body === undefined ? own : [...own, ["Content-Length", String(Buffer.byteLength(body))]];
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { method, headers: sized.flat() }, resolve).on("error", reject).end(body);
  });
  return JSON.parse(await text(answer)) as Answer;
}

async function solve(asked: Challenge, environment: string): Promise<string> {
  const { challenge, algorithm, k, difficulty } = asked;
  const challengeBytes = decodeBase64url(challenge);
  if (challengeBytes === undefined) throw new Error("the challenge is not base64url");
  const environmentDigest = sha256(decodeBase64url(environment) ?? new Uint8Array());
  const solved = await solveInline({ challengeBytes, environmentDigest, algorithm, k, difficulty });
  if (solved.kind !== "solved") throw new Error(`solving the puzzle failed: ${solved.kind}`);
  return encodeBase64url(solved.solutionBytes);
}

const behaviourIn = ({ behaviour }: Claims, round: Round): string | undefined =>
  typeof behaviour === "function" ? behaviour(round) : behaviour;

/**
 * Goes through challenge, solution and submission without a browser; returns the token, or
 * undefined if it was refused. `hear` gets the difficulty of each challenge.
 */
export async function earnTokenRaw(
  target: RawTarget,
  claims: Claims,
  hear: (difficulty: number) => void = () => {},
): Promise<string | undefined> {
  const { baseUrl, siteKey, action } = target;
  const { environment, headers, batch, lacksWebAssembly = false, waitsForClickMs = 0 } = claims;
  let told = batch?.(ASKING);
  const query = new URLSearchParams({
    site_key: siteKey,
    action,
    ...(told !== undefined && { batch: told }),
  });
  if (lacksWebAssembly) query.set("fallback", "1");
  const startMs = performance.now();
  const first = await send("GET", `${baseUrl}/api/v1/pow/challenge?${query}`, headers);
  // Over a limit, the answer has no challenge.
  let challenge = first.data?.challenge === undefined ? undefined : (first.data as Challenge);
  for (let round = 0; challenge !== undefined && round < MAX_ROUNDS; round++) {
    hear(challenge.difficulty);
    const cameMs = performance.now();
    const solution = await solve(challenge, environment ?? "");
    const solveMs = performance.now() - cameMs;
    const isAsked = challenge.interaction === "click";
    const watchedMs = lacksWebAssembly ? FALLBACK_WATCHED_MS : LEAST_WATCHED_MS;
    const leastMs = batch === undefined ? 0 : cameMs + watchedMs - performance.now();
    await pause(Math.max(0, leastMs, isAsked ? waitsForClickMs : 0));
    const nowMs = performance.now();
    const now: Round = {
      isAsked,
      visitMs: nowMs - startMs,
      sinceChallengeMs: nowMs - cameMs,
      solveMs,
    };
    const { receipt } = challenge;
    const earlier =
      told === undefined || receipt === undefined ? undefined : { batch: told, receipt };
    told = batch?.(now);
    const signals = { environment, behaviour: behaviourIn(claims, now), batch: told, earlier };
    const body = JSON.stringify({
      site_key: siteKey,
      challenge: challenge.challenge,
      solution,
      signals,
      action,
    });
    const withType: RawHeaders = [...headers, ["Content-Type", "application/json"]];
    const { data } = await send("POST", `${baseUrl}/api/v1/verify`, withType, body);
    if (data?.token !== undefined) return data.token;
    challenge = data?.next === "interact" || data?.next === "work" ? data.challenge : undefined;
  }
  return undefined;
}
