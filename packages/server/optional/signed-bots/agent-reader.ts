import type { IncomingMessage } from "node:http";
import type { Clock } from "@stile/core/ports/clock";
import type { Logger } from "../../telemetry/log.ts";
import { createSpentSignatures } from "./spent-signatures.ts";
import { SIGNATURE_LIFE_MS, type TrustedKeys, verifySignature } from "./verify-signature.ts";

/**
 * Each entry cost its sender work, so no honest crawler comes near this. 3.3 MB in two generations.
 */
const MAX_SIGNATURES = 20_000;

type ReaderParts = {
  readonly keys: () => TrustedKeys;
  /** The address at which clients reach the service, which a signature must cover. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly log: Logger;
};

/**
 * Returns the name of the trusted bot that signed a request; undefined without a valid signature. A
 * signature counts once per process. Refusals are logged at the level `debug` only, because anybody
 * may send any number of them.
 */
export function createAgentReader(parts: ReaderParts) {
  const { keys, baseUrl, clock, log } = parts;
  const origin = new URL(baseUrl);
  const spent = createSpentSignatures({ lifeMs: SIGNATURE_LIFE_MS, maxEntries: MAX_SIGNATURES });
  return ({ method = "", url: target = "", headers }: IncomingMessage): string | undefined => {
    const request = { method, target, headers, origin };
    const verification = verifySignature({ request, keys: keys(), spent, nowMs: clock.nowMs() });
    if (verification.kind === "refused")
      log.debug({ reason: verification.reason }, "Ignored a bot's signature; `reason` says why.");
    return verification.kind === "signed" ? verification.name : undefined;
  };
}
