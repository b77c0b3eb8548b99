import { mintEasyChallenge } from "../minting/easy-challenges.ts";
import { mintTokens } from "../minting/mint-tokens.ts";
import {
  batchOf,
  behaviourOf,
  ENVIRONMENT,
  encodeSignals,
  USER_AGENT,
} from "../minting/solver-client.ts";
import { createRandomBelow } from "../random-below.ts";
import type { RunningService } from "../service/service.ts";
import { openServiceCryptography } from "../service/service-cryptography.ts";

/** One request, ready to be sent. */
export type MixedRequest = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** How many requests of each kind. */
export type Mix = {
  /**
   * Correct solutions: of honest visitors, of driven browsers and of pages that withhold their
   * signals; half of the last press.
   */
  readonly right: number;
  /** Correct solutions that are submitted a second time, at any time. */
  readonly repeatedSolutions: number;
  readonly wrong: number;
  readonly challenges: number;
  readonly tokens: number;
  readonly repeatedTokens: number;
  readonly forged: number;
  readonly foreign: number;
  readonly scores: number;
};

const JSON_TYPE = { "Content-Type": "application/json" };
const HOSTS = 30;

type Making = {
  readonly service: RunningService;
  readonly random: (below: number) => number;
  /** A visitor's address; a different one each time. */
  readonly address: () => string;
};

function browser({ random, address }: Making, visitor = address()): Record<string, string> {
  const origin = `http://h${random(HOSTS)}.localhost`;
  return { Origin: origin, "User-Agent": USER_AGENT, "X-Forwarded-For": visitor };
}

const PAGES = [
  encodeSignals(ENVIRONMENT),
  encodeSignals(ENVIRONMENT),
  encodeSignals({ ...ENVIRONMENT, webdriver: true }),
  { text: "", bytes: new Uint8Array(0) },
];

async function submissions(
  making: Making,
  count: number,
  isRight: boolean,
): Promise<MixedRequest[]> {
  const { dataDirectory, siteKey } = making.service;
  const cryptography = await openServiceCryptography(dataDirectory);
  return Array.from({ length: count }, (_, index) => {
    const visitor = making.address();
    const nowMs = Date.now() - 1000;
    const asksForClick = index % (2 * PAGES.length) === 2 * PAGES.length - 1;
    const asked = { userAgent: USER_AGENT, address: visitor, asksForClick };
    const challenge = mintEasyChallenge({ cryptography, siteKey, ...asked, nowMs });
    const environment = PAGES[index % PAGES.length] ?? encodeSignals(ENVIRONMENT);
    const solution = isRight
      ? challenge.solve(environment.bytes)
      : Buffer.alloc(64, index).toString("base64url");
    // Every visitor types with their own timing: the same from many networks would count as a
    // recording.
    const keyTimes = Array.from(
      { length: 5 },
      (_, key) => 300 + 180 * key + making.random(1000) / 10,
    );
    const behaviour = encodeSignals(behaviourOf(900, keyTimes)).text;
    const signals = {
      environment: environment.text,
      behaviour,
      earlier: challenge.earlier(batchOf(keyTimes)),
    };
    const body = JSON.stringify({
      site_key: siteKey,
      challenge: challenge.text,
      solution,
      signals,
    });
    return {
      method: "POST",
      path: "/api/v1/verify",
      headers: { ...JSON_TYPE, ...browser(making, visitor) },
      body,
    };
  });
}

function redemption({ service }: Making, token: string): MixedRequest {
  const headers = { ...JSON_TYPE, Authorization: `Bearer ${service.secretKey}` };
  return { method: "POST", path: "/api/v1/token/verify", headers, body: JSON.stringify({ token }) };
}

/** Changes one of the last characters, which belong to the seal. */
function forge(token: string): string {
  const at = token.length - 8;
  return token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);
}

function shuffled<Item>(items: readonly Item[], random: (below: number) => number): Item[] {
  const mixed = [...items];
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = random(at + 1);
    [mixed[at], mixed[other]] = [mixed[other] as Item, mixed[at] as Item];
  }
  return mixed;
}

/** Requests of every kind for the service's demo site, in an order determined by the seed. */
export async function makeMixedRequests(
  service: RunningService,
  mix: Mix,
  seed: number,
): Promise<MixedRequest[]> {
  const random = createRandomBelow(seed);
  let visitors = 0;
  const address = (): string => {
    visitors++;
    return `198.${18 + (visitors >> 16)}.${(visitors >> 8) & 255}.${visitors & 255}`;
  };
  const making = { service, random, address };
  const right = await submissions(making, mix.right, true);
  const tokens = await mintTokens({ ...service, count: mix.tokens });
  const foreign = await mintTokens({
    ...service,
    siteKey: `pk_${"0".repeat(22)}`,
    count: mix.foreign,
  });
  const redemptions = tokens.map((token) => redemption(making, token));
  const many = (count: number, make: () => MixedRequest): MixedRequest[] =>
    Array.from({ length: count }, make);
  const scoring = redemption(making, "");
  return shuffled(
    [
      ...right,
      ...right.slice(0, mix.repeatedSolutions),
      ...(await submissions(making, mix.wrong, false)),
      ...redemptions,
      ...redemptions.slice(0, mix.repeatedTokens),
      ...tokens.slice(0, mix.forged).map((token) => redemption(making, forge(token))),
      ...foreign.map((token) => redemption(making, token)),
      ...many(mix.challenges, () => ({
        method: "GET",
        path: `/api/v1/pow/challenge?site_key=${service.siteKey}`,
        headers: browser(making),
      })),
      ...many(mix.scores, () => ({
        ...scoring,
        path: "/api/v1/score",
        body: JSON.stringify({ ip: address() }),
      })),
    ],
    random,
  );
}
