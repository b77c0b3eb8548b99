import { earnToken } from "@stile/testkit/minting/solver-client";
import { torture } from "@stile/testkit/torture/torture";
import type { Figure, Say } from "@stile/testkit/trials/trial";
import { toFigures } from "./single-use.ts";

/** A user's own deployment: where its servers are, and the keys of a site there. */
export type Deployment = {
  readonly urls: readonly string[];
  readonly siteKey: string;
  readonly secretKey: string;
  /** A page in the site's domains; the visitor who earns the tokens claims to be on it. */
  readonly origin: string;
};

const RACERS = 8;

/**
 * Earns tokens as a visitor does, by solving, and races for each at all addresses; nothing is
 * killed. Throws the service's error if it gives no token.
 */
export async function raceAtDeployment(
  deployment: Deployment,
  tokens: number,
  say: Say,
): Promise<Figure[]> {
  const { urls, siteKey, secretKey, origin } = deployment;
  const [baseUrl = ""] = urls;
  const earned: string[] = [];
  while (earned.length < tokens) {
    const onWait = (seconds: number): void => say(`the service asks to wait ${seconds} s`);
    earned.push((await earnToken({ baseUrl, siteKey, origin }, onWait)).token);
    say(`earned ${earned.length} of ${tokens} tokens`);
  }
  const servers = urls.map((url) => ({ baseUrl: url, up: async () => {} }));
  const target = { servers, secretKey, faults: [], killAll: async () => 0 };
  const waiting = [...earned];
  const mint = (): string => waiting.pop() ?? "";
  return toFigures(
    await torture(target, { tokens, mint, racers: RACERS, groups: 1, kills: 0, seed: Date.now() }),
  );
}
