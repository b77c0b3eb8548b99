import { decodeBase64url, encodeBase64url } from "@stile/pow/base64url";
import { sha256 } from "@stile/pow/sha256";
import { solveInline } from "@stile/pow/solve-inline";
import { toBatch } from "@stile/protocol/batch";
import { LEAST_WATCHED_MS } from "@stile/protocol/limits";
import {
  type BehaviourSignals,
  type EnvironmentSignals,
  SIGNALS_VERSION,
  type ToggleSample,
} from "@stile/protocol/signals";
import type { ChallengeData } from "../contract/visitor.ts";

/** The service that the client visits, and the visitor; `origin` is the page it claims to be on. */
export type SolverTarget = {
  readonly baseUrl: string;
  readonly siteKey: string;
  readonly origin: string;
  readonly action?: string;
  /** The visitor's address, if the client acts as a proxy that the service trusts. */
  readonly address?: string;
  /** How to send a request; by default with `fetch`. */
  readonly send?: (url: string, init: RequestInit) => Promise<Response>;
};

/** A token and how long its work took. */
export type SolvedToken = {
  readonly token: string;
  readonly expiresAt: string;
  readonly solveMs: number;
};

/** The service refused for a reason that waiting does not fix. */
class SolveRefused extends Error {
  override readonly name = "SolveRefused";
}

type VerifyData =
  | { readonly verified: true; readonly token: string; readonly expires_at: string }
  | { readonly verified: false; readonly next: "retry" }
  | {
      readonly verified: false;
      readonly next: "interact" | "work";
      readonly challenge: ChallengeData;
    }
  | { readonly verified: false; readonly next: "blocked"; readonly request_id: string };

/** The browser that the client claims to be. */
export const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";
const MAX_ROUNDS = 5;

const PLACE = {
  userAgent: USER_AGENT,
  platform: "Linux x86_64",
  languages: ["en-US", "en"],
  webdriver: false,
  cores: 8,
} as const;

/** The report of a common desktop browser; the client plays a visitor in load and smoke tests. */
export const ENVIRONMENT: EnvironmentSignals = {
  v: SIGNALS_VERSION,
  ...PLACE,
  vendor: "Google Inc.",
  memory: 8,
  touchPoints: 0,
  screen: [1920, 1080, 1920, 1053, 24],
  viewport: [1280, 720, 1280, 807],
  pixelRatio: 1,
  pageScale: 1,
  isFramed: false,
  isSecure: true,
  timezoneOffset: 0,
  timezone: "UTC",
  media: ["hover", "fine-pointer"],
  clientHints: null,
  driverGlobals: [],
  chrome: ["loadTimes", "csi", "app"],
  permission: ["default", "prompt"],
  natives: [],
  blank: PLACE,
  frame: PLACE,
  worker: { ...PLACE, webdriver: null },
  graphics: null,
};

/**
 * When the client's visitor presses keys, ms. Always the same: if many networks use it, it is
 * recognised and refused.
 */
const KEY_TIMES = [412.3, 571.9, 803.2, 951.6, 1210.4];
const KEY_HOLD_MS = 83.7;

/**
 * A keyboard user who reaches the widget by Tab and presses it with Space. On a site that asks
 * everybody for a click (mode `interactive`), this visitor's token has a score of 0.30 or more.
 */
export function behaviourOf(
  solveMs: number,
  keyTimes: readonly number[] = KEY_TIMES,
): BehaviourSignals {
  const lastMs = keyTimes.at(-1) ?? 0;
  return {
    v: SIGNALS_VERSION,
    durationMs: Math.round(lastMs + 400 + solveMs),
    solveMs: Math.round(solveMs),
    pointer: [[lastMs + KEY_HOLD_MS, 170, 273, 4, 3, 0, 1]],
    keys: keyTimes.flatMap((ms): ToggleSample[] => [
      [ms, 1],
      [ms + KEY_HOLD_MS, 0],
    ]),
    focus: [[250, 1]],
    visibility: [],
    scroll: [],
    box: [20, 240, 300, 66],
    callers: [],
  };
}

/**
 * The report of that visitor's page when it asks for a challenge: they have just pressed the widget
 * (D9, submission).
 */
export function batchOf(keyTimes: readonly number[] = KEY_TIMES): string {
  const visit = behaviourOf(0, keyTimes);
  return toBatch({ ...visit, durationMs: (visit.pointer[0]?.[0] ?? 0) + 1 });
}

/**
 * Signals as they are submitted (D9, submission): their bytes, to which the puzzle commits, and
 * these as text.
 */
export function encodeSignals(signals: EnvironmentSignals | BehaviourSignals): {
  text: string;
  bytes: Uint8Array;
} {
  const bytes = new TextEncoder().encode(JSON.stringify(signals));
  return { text: encodeBase64url(bytes), bytes };
}

const BATCH = batchOf();

/** One request, repeated for as long as the service says how long to wait. */
async function ask<Data>(
  { send = fetch }: SolverTarget,
  url: string,
  init: RequestInit,
  onWait: (seconds: number) => void,
): Promise<Data> {
  for (;;) {
    const response = await send(url, init);
    const body = (await response.json()) as {
      data: Data;
      error?: { code: string; message: string };
    };
    const retryAfter = Number(response.headers.get("retry-after"));
    const mayWait = (response.status === 429 || response.status === 503) && retryAfter > 0;
    if (response.ok) return body.data;
    if (!mayWait)
      throw new SolveRefused(`${response.status} ${body.error?.code}: ${body.error?.message}`);
    onWait(retryAfter);
    await new Promise((resolve) => setTimeout(resolve, retryAfter * 1000));
  }
}

async function solve(challenge: ChallengeData, environmentBytes: Uint8Array): Promise<string> {
  const challengeBytes = decodeBase64url(challenge.challenge);
  if (challengeBytes === undefined) throw new SolveRefused("the challenge is not base64url");
  const { algorithm, k, difficulty } = challenge;
  const solved = await solveInline({
    challengeBytes,
    environmentDigest: sha256(environmentBytes),
    algorithm,
    k,
    difficulty,
  });
  if (solved.kind !== "solved") throw new SolveRefused(`solving the puzzle failed: ${solved.kind}`);
  return encodeBase64url(solved.solutionBytes);
}

/**
 * Waits for the rest of the time in which the widget observes every visitor, once the work is done.
 */
async function waitLikeTheWidget(cameAt: number): Promise<void> {
  await new Promise((resolve) =>
    setTimeout(resolve, Math.max(0, cameAt + LEAST_WATCHED_MS - performance.now())),
  );
}

/**
 * Goes through challenge, solution and submission as the widget does, waiting as long and
 * respecting Retry-After; returns a token (spec 4.3, 4.4).
 */
export async function earnToken(
  target: SolverTarget,
  onWait: (seconds: number) => void = () => {},
): Promise<SolvedToken> {
  const headers = {
    Origin: target.origin,
    "User-Agent": USER_AGENT,
    "Accept-Language": "en-US,en;q=0.9",
    ...(target.address && { "X-Forwarded-For": target.address }),
  };
  const query = new URLSearchParams({
    site_key: target.siteKey,
    batch: BATCH,
    ...(target.action && { action: target.action }),
  });
  const challengeUrl = `${target.baseUrl}/api/v1/pow/challenge?${query}`;
  const environment = encodeSignals(ENVIRONMENT);
  let challenge = await ask<ChallengeData>(target, challengeUrl, { headers }, onWait);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const cameAt = performance.now();
    const solution = await solve(challenge, environment.bytes);
    const solveMs = performance.now() - cameAt;
    await waitLikeTheWidget(cameAt);
    const { receipt } = challenge;
    const body = JSON.stringify({
      site_key: target.siteKey,
      challenge: challenge.challenge,
      solution,
      signals: {
        environment: environment.text,
        behaviour: encodeSignals(behaviourOf(solveMs)).text,
        batch: BATCH,
        ...(receipt !== undefined && { earlier: { batch: BATCH, receipt } }),
      },
      action: target.action,
    });
    const init = {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body,
    };
    const data = await ask<VerifyData>(target, `${target.baseUrl}/api/v1/verify`, init, onWait);
    if (data.verified)
      return { token: data.token, expiresAt: data.expires_at, solveMs: Math.round(solveMs) };
    if (data.next === "blocked")
      throw new SolveRefused(`blocked by the site's policy (request ${data.request_id})`);
    challenge =
      data.next !== "retry"
        ? data.challenge
        : await ask<ChallengeData>(target, challengeUrl, { headers }, onWait);
  }
  throw new SolveRefused(`no token after ${MAX_ROUNDS} rounds`);
}
