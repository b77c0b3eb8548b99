import { type EasyChallenge, mintEasyChallenge } from "../minting/easy-challenges.ts";
import { behaviourOf, ENVIRONMENT, encodeSignals, USER_AGENT } from "../minting/solver-client.ts";
import type { RunningService } from "../service/service.ts";
import { openServiceCryptography } from "../service/service-cryptography.ts";

/** Easy challenges of the running service, for a visitor on this machine. */
export async function makeChallenges(
  { dataDirectory, siteKey }: RunningService,
  count: number,
): Promise<EasyChallenge[]> {
  const cryptography = await openServiceCryptography(dataDirectory);
  const visitor = { userAgent: USER_AGENT, address: "127.0.0.1" };
  return Array.from({ length: count }, () =>
    mintEasyChallenge({ cryptography, siteKey, ...visitor, nowMs: Date.now() }),
  );
}

/** Submits a solution; returns true unless it is refused as spent, stale or wrong. */
export async function isTaken(
  service: RunningService,
  { text, solve }: EasyChallenge,
): Promise<boolean> {
  const environment = encodeSignals(ENVIRONMENT);
  const response = await fetch(`${service.baseUrl}/api/v1/verify`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Origin: "http://localhost",
      "User-Agent": USER_AGENT,
    },
    body: JSON.stringify({
      site_key: service.siteKey,
      challenge: text,
      solution: solve(environment.bytes),
      signals: { environment: environment.text, behaviour: encodeSignals(behaviourOf(500)).text },
    }),
  });
  return (
    ((await response.json()) as { data: { verified: boolean; next?: string } }).data.next !==
    "retry"
  );
}
