import { mintEasyChallenge } from "@stile/testkit/minting/easy-challenges";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import { behaviourOf, ENVIRONMENT, encodeSignals, USER_AGENT } from "@stile/testkit/minting/solver-client";
import { openServiceCryptography } from "@stile/testkit/service/service-cryptography";
import { handPath, toPointer } from "@stile/testkit/visits/pointer-paths";
import type { Workload } from "./messages.ts";

/** Requests of one kind, one body each; none for GET. */
export type Requests = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: readonly string[];
};

/** The service that the requests are meant for. */
export type BenchedService = { readonly dataDirectory: string; readonly siteKey: string; readonly secretKey: string };

const ORIGIN = "http://localhost";
const VISITOR_ADDRESS = "198.51.100.7";
const SOLVE_MS = 150;
/** A solved challenge takes 5 ms to make on a fast machine, 20 on a slow one, and lives for 300 s. */
const MINT_SECONDS = 120;

const CORS = {
  "Access-Control-Allow-Origin": ORIGIN,
  "Access-Control-Expose-Headers": "Date, Retry-After, X-Request-Id",
  "Cross-Origin-Resource-Policy": "cross-origin",
  Vary: "Origin",
};

const MOMENT = "2026-01-01T00:00:00.000Z";

/** Constant answers: bodies of the size of the real ones, and the headers the endpoint adds to those of every answer. */
export const CONTROL_ANSWERS: Readonly<Record<Workload, { body: object; headers: Record<string, string> }>> = {
  redeem: {
    body: {
      success: true,
      data: { verified: true, score: 0.05, hostname: "localhost", timestamp: MOMENT, challenge_ts: MOMENT },
    },
    headers: { "RateLimit-Policy": '"verify";q=10000000;w=60', RateLimit: '"verify";r=9999999;t=30' },
  },
  issue: {
    body: {
      success: true,
      data: {
        challenge: "A".repeat(132),
        algorithm: 2,
        k: 16,
        difficulty: 524_288,
        expires_at: MOMENT,
        mode: "managed",
        theme: "auto",
        language: "auto",
        interaction: "none",
      },
    },
    headers: CORS,
  },
  submit: {
    body: { success: true, data: { verified: true, token: "A".repeat(160), expires_at: MOMENT } },
    headers: CORS,
  },
};

async function redemptions(service: BenchedService, count: number): Promise<string[]> {
  const tokens = await mintTokens({ ...service, count, address: VISITOR_ADDRESS, userAgent: USER_AGENT });
  return tokens.map((token) => JSON.stringify({ token, remoteip: VISITOR_ADDRESS }));
}

/**
 * Solved challenges that the service's keys signed, easier than those it gives out: what a check costs hardly depends on
 * it (the nonces lie in one function instead of about eight, which saves seven hashes of twenty-four).
 */
async function submissions(service: BenchedService, count: number): Promise<string[]> {
  const cryptography = await openServiceCryptography(service.dataDirectory);
  const environment = encodeSignals(ENVIRONMENT);
  const { siteKey } = service;
  const bodies: string[] = [];
  const deadlineMs = Date.now() + MINT_SECONDS * 1000;
  while (bodies.length < count && Date.now() < deadlineMs) {
    const visitor = { siteKey, userAgent: USER_AGENT, address: "127.0.0.1", nowMs: Date.now() };
    const challenge = mintEasyChallenge({ ...visitor, cryptography });
    // Everybody moves in their own way: the same path again and again would be compared to the end.
    const pointer = toPointer([handPath({ from: [588, 380], to: [170, 273] }, bodies.length)]);
    const behaviour = encodeSignals({ ...behaviourOf(SOLVE_MS), pointer }).text;
    const body = {
      site_key: siteKey,
      challenge: challenge.text,
      solution: challenge.solve(environment.bytes),
      signals: { environment: environment.text, behaviour },
    };
    bodies.push(JSON.stringify(body));
  }
  return bodies;
}

/** What the load generator shall send, `count` or what there was time for; every body is good for exactly one success. */
export async function mintRequests(workload: Workload, service: BenchedService, count: number): Promise<Requests> {
  const json = { "Content-Type": "application/json" };
  const browser = { Origin: ORIGIN, "User-Agent": USER_AGENT };
  switch (workload) {
    case "redeem": {
      const headers = { ...json, Authorization: `Bearer ${service.secretKey}` };
      return { method: "POST", path: "/api/v1/token/verify", headers, bodies: await redemptions(service, count) };
    }
    case "issue":
      return {
        method: "GET",
        path: `/api/v1/pow/challenge?site_key=${service.siteKey}`,
        headers: browser,
        bodies: [],
      };
    case "submit": {
      const headers = { ...json, ...browser };
      return { method: "POST", path: "/api/v1/verify", headers, bodies: await submissions(service, count) };
    }
    default:
      return workload satisfies never;
  }
}
