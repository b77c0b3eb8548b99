import type { IncomingMessage } from "node:http";
import type { Clock } from "@stile/core/ports/clock";
import type { Logger } from "../../telemetry/log.ts";
import { createSpentSignatures } from "./spent-signatures.ts";
import { SIGNATURE_LIFE_MS, type TrustedKeys, verifySignature } from "./verify-signature.ts";

/** Each stands for work that was done, so that no honest crawl comes near it; 3.3 MB in two generations. */
const MAX_SIGNATURES = 20_000;

type ReaderParts = {
  readonly keys: () => TrustedKeys;
  /** Where clients reach the service: what a signature must be made for. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly log: Logger;
};

/**
 * Says who signed a request, of the bots whose keys are trusted; undefined if nobody did whose signature holds. It counts once in
 * this process. Why one does not count is told at the level `debug` alone: anybody may send any number of them.
 */
export function createAgentReader({ keys, baseUrl, clock, log }: ReaderParts) {
  const origin = new URL(baseUrl);
  const spent = createSpentSignatures({ lifeMs: SIGNATURE_LIFE_MS, maxEntries: MAX_SIGNATURES });
  return ({ method = "", url: target = "", headers }: IncomingMessage): string | undefined => {
    const request = { method, target, headers, origin };
    const verification = verifySignature({ request, keys: keys(), spent, nowMs: clock.nowMs() });
    if (verification.kind === "refused") log.debug({ reason: verification.reason }, "a signature does not count");
    return verification.kind === "signed" ? verification.name : undefined;
  };
}
