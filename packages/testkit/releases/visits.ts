import { setTimeout as delay } from "node:timers/promises";
import type { Cryptography } from "@stile/core/ports/cryptography";
import { mintEasyChallenge } from "../minting/easy-challenges.ts";
import {
  behaviourOf,
  ENVIRONMENT,
  earnToken,
  encodeSignals,
  USER_AGENT,
} from "../minting/solver-client.ts";
import type { OperatorSite } from "../service/operator-site.ts";
import { type SpreadCalls, type SpreadLosses, spreadCalls } from "./spread-calls.ts";

/**
 * Everything in use while nodes are upgraded: the nodes, a site of theirs, and their sealing keys.
 */
export type Used = {
  readonly baseUrls: readonly string[];
  readonly site: OperatorSite;
  readonly cryptography: Cryptography;
};

/** The outcome of visits that began at one node and continued at another. */
export type VisitTally = SpreadLosses & {
  /**
   * Visits that asked for a challenge, solved it and redeemed their token, and visits with an easy
   * challenge.
   */
  solved: number;
  easy: number;
  /** Challenges that nodes issued. */
  challenges: number;
  /** Visits with a wrong answer, and the first such answer; empty if there was none. */
  wrong: number;
  firstWrong: string;
};

/** A visitor's token, and whether its redemption was verified. */
export type EarnedToken = { readonly token: string; isRedeemed: boolean };

/** Visits under way. */
export type Visits = {
  readonly letEnd: () => void;
  /** The outcome of all visits, and each issued token. */
  readonly ended: () => Promise<{
    readonly tally: VisitTally;
    readonly tokens: readonly EarnedToken[];
  }>;
};

/** How many visitors of each kind are active at the same time. */
const SOLVING = 1;
const EASY = 2;
const PAUSE_MS = 60;
const ORIGIN = "http://localhost";
const ADDRESS = "127.0.0.1";

type VerifyBody = { readonly data: { readonly verified: boolean; readonly token?: string } };

async function callJson(
  { send }: SpreadCalls,
  path: string,
  headers: object,
  body: object,
): Promise<VerifyBody> {
  const sent = { "Content-Type": "application/json", ...headers } as Record<string, string>;
  const response = await send(path, { method: "POST", headers: sent, body: JSON.stringify(body) });
  const told = await response.text();
  const answer = JSON.parse(told) as VerifyBody;
  if (response.status !== 200 || !answer.data.verified)
    throw new Error(`${path}: ${response.status} ${told}`);
  return answer;
}

/** Earns a token with an easy challenge, which one node sealed and another opens. */
async function earnEasily(
  calls: SpreadCalls,
  { site: { siteKey }, cryptography }: Used,
): Promise<string> {
  const visitor = { userAgent: USER_AGENT, address: ADDRESS };
  const challenge = mintEasyChallenge({ cryptography, siteKey, ...visitor, nowMs: Date.now() });
  const environment = encodeSignals(ENVIRONMENT);
  const headers = { Origin: ORIGIN, "User-Agent": USER_AGENT };
  const { data } = await callJson(calls, "/api/v1/verify", headers, {
    site_key: siteKey,
    challenge: challenge.text,
    solution: challenge.solve(environment.bytes),
    signals: { environment: environment.text, behaviour: encodeSignals(behaviourOf(500)).text },
  });
  return data.token ?? "";
}

async function redeemOne(calls: SpreadCalls, { site }: Used, token: string): Promise<void> {
  await callJson(
    calls,
    "/api/v1/token/verify",
    { Authorization: `Bearer ${site.secretKey}` },
    { token },
  );
}

/**
 * Makes visitors come to the nodes until they are told to stop. Each visitor uses another node for
 * each call: for a challenge, for its solution, and to redeem the token.
 */
export function startVisits(used: Used): Visits {
  const { baseUrls, site } = used;
  const tally = { solved: 0, easy: 0, challenges: 0, wrong: 0, firstWrong: "" };
  const tokens: EarnedToken[] = [];
  const all: SpreadCalls[] = [];
  let isOver = false;
  const visitor = async (
    kind: "solved" | "easy",
    earn: (calls: SpreadCalls) => Promise<string>,
  ): Promise<void> => {
    const calls = spreadCalls(baseUrls);
    all.push(calls);
    while (!isOver) {
      const lossesBefore = Object.values(calls.losses).join();
      try {
        const earned = { token: await earn(calls), isRedeemed: false };
        tokens.push(earned);
        await redeemOne(calls, used, earned.token);
        earned.isRedeemed = true;
        tally[kind] += 1;
      } catch (error) {
        // Calls without an answer are already counted where they were sent.
        if (Object.values(calls.losses).join() === lossesBefore) {
          tally.wrong += 1;
          tally.firstWrong ||= (error as Error).message;
        }
      }
      await delay(PAUSE_MS);
    }
  };
  const solve = async (calls: SpreadCalls): Promise<string> => {
    const send: typeof calls.send = async (url, call) => {
      const response = await calls.send(url, call);
      if (response.ok && url.includes("/pow/challenge")) tally.challenges += 1;
      return response;
    };
    return (await earnToken({ baseUrl: ORIGIN, siteKey: site.siteKey, origin: ORIGIN, send }))
      .token;
  };
  const running = [
    ...Array.from({ length: SOLVING }, () => visitor("solved", solve)),
    ...Array.from({ length: EASY }, () => visitor("easy", (calls) => earnEasily(calls, used))),
  ];
  return {
    letEnd: () => {
      isOver = true;
    },
    ended: async () => {
      await Promise.all(running);
      for (const calls of all) calls.end();
      const sumOf = (loss: keyof SpreadLosses): number =>
        all.reduce((sum, { losses }) => sum + losses[loss], 0);
      const losses = { lost: sumOf("lost"), reset: sumOf("reset"), refused: sumOf("refused") };
      return { tally: { ...tally, ...losses }, tokens };
    },
  };
}
