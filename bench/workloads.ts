import { createChallenge } from "@stile/core/domain/challenge";
import { parseClientAddress } from "@stile/core/domain/client-address";
import { digestAction, digestAddress, digestUserAgent } from "@stile/core/flows/steps/binding-digests";
import { keyReference } from "@stile/core/flows/steps/key-references";
import { createTokenHeader, sealToken } from "@stile/core/flows/steps/token-sealing";
import { encodeBase64url } from "@stile/pow/base64url";
import { packChallenge } from "@stile/pow/challenge";
import { sha256 } from "@stile/pow/sha256";
import { createSolver, mergeSolution } from "@stile/pow/solver";
import type { Service } from "../packages/server/compose.ts";
import type { Workload } from "./messages.ts";

/** Requests of one kind, one body each; an empty one for GET. */
export type Requests = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: readonly string[];
};

const ORIGIN = "http://localhost";
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";
/** Little work for the bench to do; what the check costs hardly depends on it (one function instead of about eight). */
const SUBMIT_DIFFICULTY = 2 ** 12;

/** Constant answers of the size of the real ones. */
export const CONTROL_BODIES: Readonly<Record<Workload, unknown>> = {
  redeem: {
    success: true,
    data: {
      verified: true,
      score: 0.05,
      hostname: "localhost",
      timestamp: "2026-01-01T00:00:00.000Z",
      challenge_ts: "2026-01-01T00:00:00.000Z",
    },
  },
  issue: {
    success: true,
    data: {
      challenge: "A".repeat(132),
      algorithm: 2,
      k: 16,
      difficulty: 524_288,
      expires_at: "2026-01-01T00:00:00.000Z",
      mode: "managed",
      theme: "auto",
      language: "auto",
      interaction: "none",
    },
  },
  submit: {
    success: true,
    data: { verified: true, token: "A".repeat(160), expires_at: "2026-01-01T00:00:00.000Z" },
  },
};

const CORS = {
  "Access-Control-Allow-Origin": ORIGIN,
  "Access-Control-Expose-Headers": "Date, Retry-After, X-Request-Id",
  "Cross-Origin-Resource-Policy": "cross-origin",
  Vary: "Origin",
};

/** The headers the real endpoints add to those of every answer. */
export const CONTROL_HEADERS: Readonly<Record<Workload, Record<string, string>>> = {
  redeem: { "RateLimit-Policy": '"verify";q=10000000;w=60', RateLimit: '"verify";r=9999999;t=30' },
  issue: CORS,
  submit: CORS,
};

function mintTokens(service: Service, siteKey: string, count: number): string[] {
  const { cryptography } = service.api;
  return Array.from({ length: count }, () => {
    const nowMs = Date.now();
    const header = createTokenHeader(cryptography, nowMs);
    const key = keyReference(header.keyId, "binding", nowMs);
    const token = sealToken(cryptography, header, {
      siteKey,
      mode: "managed",
      expiresAtSeconds: header.issuedAtSeconds + 300,
      challengeAtMs: nowMs,
      score: 0.05,
      ...digestAddress(cryptography, key, parseClientAddress("198.51.100.7")),
      userAgentDigest: digestUserAgent(cryptography, key, USER_AGENT),
      actionName: undefined,
      cdata: undefined,
      hostname: "localhost",
    });
    return JSON.stringify({ token, remoteip: "198.51.100.7" });
  });
}

const ENVIRONMENT = {
  v: 1,
  userAgent: USER_AGENT,
  platform: "Linux x86_64",
  vendor: "Google Inc.",
  languages: ["en-US", "en"],
  webdriver: false,
  cores: 8,
  memory: 8,
  touchPoints: 0,
  screen: [1920, 1080, 1920, 1053, 24],
  viewport: [1280, 720, 1280, 807],
  pixelRatio: 1,
  timezoneOffset: 0,
  timezone: "UTC",
  media: ["hover", "fine-pointer"],
  clientHints: null,
  driverGlobals: [],
  frame: null,
};

/** A pointer path of common length, so that parsing it is part of what is measured. */
const BEHAVIOUR = {
  v: 1,
  durationMs: 2000,
  solveMs: 150,
  pointer: Array.from({ length: 60 }, (_, i) => [100 + i * 16, 80 + i * 3, 400 - i, 0, 0, 0, 1]),
  keys: [],
  focus: [],
  visibility: [],
  scroll: [],
  box: [20, 240, 300, 66],
};

function textOf(value: unknown): { bytes: Uint8Array; text: string } {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return { bytes, text: encodeBase64url(bytes) };
}

function solveNow(challengeBytes: Uint8Array, environmentDigest: Uint8Array): string {
  const solver = createSolver({
    challengeBytes,
    environmentDigest,
    algorithm: 2,
    k: 16,
    difficulty: SUBMIT_DIFFICULTY,
    lane: 0,
    lanes: 1,
  });
  for (;;) {
    const run = solver.run(65_536);
    if (run.state === "searching") continue;
    const solution = mergeSolution(run.found, 16);
    if (solution === undefined) throw new Error("a bench puzzle has no solution");
    return encodeBase64url(solution);
  }
}

/** Solved challenges, signed like the service signs them, but easier. */
async function mintSubmissions(service: Service, siteKey: string, count: number): Promise<string[]> {
  const { cryptography, settings } = service.api;
  const site = await service.store.sites.findSite(siteKey);
  if (site === undefined) throw new Error("the demo site is gone");
  const environment = textOf(ENVIRONMENT);
  const behaviour = textOf(BEHAVIOUR).text;
  const environmentDigest = sha256(environment.bytes);
  return Array.from({ length: count }, () => {
    const nowMs = Date.now();
    const keyId = cryptography.currentKeyId();
    const key = keyReference(keyId, "binding", nowMs);
    const binding = {
      keyId,
      actionDigest: digestAction(cryptography, key, undefined),
      userAgentDigest: digestUserAgent(cryptography, key, USER_AGENT),
      ...digestAddress(cryptography, key, parseClientAddress("127.0.0.1")),
    };
    const id = cryptography.randomBytes(16);
    const challenge = {
      ...createChallenge(site, settings, { stage: "first", binding, id, nowMs }),
      difficulty: SUBMIT_DIFFICULTY,
    };
    const macKey = keyReference(keyId, "challenge", nowMs);
    const bytes = packChallenge(challenge, (signed) => cryptography.mac(macKey, signed) ?? new Uint8Array(0));
    return JSON.stringify({
      site_key: siteKey,
      challenge: encodeBase64url(bytes),
      solution: solveNow(bytes, environmentDigest),
      signals: { environment: environment.text, behaviour },
    });
  });
}

/** What the load generator shall send; every body is good for exactly one success. */
export async function mintBodies(service: Service, workload: Workload, count: number): Promise<Requests> {
  const keys = service.firstStart.demoKeys;
  if (keys === undefined) throw new Error("the bench needs the demo site");
  const json = { "Content-Type": "application/json" };
  const browser = { Origin: ORIGIN, "User-Agent": USER_AGENT };
  switch (workload) {
    case "redeem":
      return {
        method: "POST",
        path: "/api/v1/token/verify",
        headers: { ...json, Authorization: `Bearer ${keys.secretKey}` },
        bodies: mintTokens(service, keys.siteKey, count),
      };
    case "issue":
      return { method: "GET", path: `/api/v1/pow/challenge?site_key=${keys.siteKey}`, headers: browser, bodies: [] };
    case "submit":
      return {
        method: "POST",
        path: "/api/v1/verify",
        headers: { ...json, ...browser },
        bodies: await mintSubmissions(service, keys.siteKey, count),
      };
    default:
      return workload satisfies never;
  }
}
