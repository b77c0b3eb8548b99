// Tokens of test keys (D19, test keys). They are sealed like all tokens and name a site key that no
// store has, so every real site refuses them. Nothing about them is stored or counted: the same
// token gets the same answer each time.

import { isReservedResponse } from "@stile/protocol/reserved-responses";
import type { RiskFlag } from "@stile/protocol/risk-flags";
import type { Limited, LimitState } from "../../domain/rate-window.ts";
import {
  findTestReason,
  isTestHost,
  TEST_KEYS,
  type TestKeys,
  type TestUse,
} from "../../domain/site/test-keys.ts";
import type { RedeemAnswer, Verdict } from "../../domain/token/redeem-answer.ts";
import { isExpired } from "../../domain/token/redemption.ts";
import type { TokenPayload } from "../../domain/token/token.ts";
import type { IpAddress } from "../../domain/visitor/ip-address.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { StoreUnavailable } from "../../ports/store-unavailable.ts";
import type { Caller } from "../site/authenticate-secret.ts";
import { clientScope } from "../visitor/client-scope.ts";
import { keyReference } from "../visitor/key-reference.ts";
import { digestAddress, digestUserAgent } from "../visitor/visitor-digests.ts";
import { createTokenHeader, openToken, sealToken } from "./seal-token.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "settings" | "localLimiter">;

/** How long a test token lives, in s. */
const LIFE_SECONDS = 300;
/** The score of a person, and that of a visitor who should be asked for a second step. */
const SCORES = { allow: 0.05, challenge: 0.45 } as const;

/**
 * Counts a call with test keys. Its caller may make as many as all visitors of an account may draw
 * challenges, because tests run side by side; calls with other keys are not affected.
 */
export function limitTests(ports: Ports, address: IpAddress | undefined): LimitState {
  const perMinute = ports.settings.limits.challengeTotal;
  const scope = `test:${clientScope(ports.cryptography, address)}`;
  return ports.localLimiter.consume({ scope, perMinute, nowMs: ports.clock.nowMs() });
}

function fail(): never {
  throw new StoreUnavailable("a test key asked for this failure");
}

/** The keys of timeouts get no answer before their caller gives up, and then a fault. */
export async function outwaitTimeout({ place, keys }: TestUse): Promise<void> {
  if (keys.behaviour !== "timeout") return;
  await place.outwait();
  fail();
}

/** A token of a test site key, bound to no visitor. */
export function sealTestToken(
  { clock, cryptography }: Ports,
  { siteKey }: TestKeys,
  bearer: Pick<TokenPayload, "actionName" | "cdata" | "hostname">,
): { token: string; expiresAtMs: number } {
  const nowMs = clock.nowMs();
  const header = createTokenHeader(cryptography, nowMs);
  const key = keyReference(header.keyId, "binding", header.issuedAtSeconds * 1000);
  const expiresAtMs = nowMs + LIFE_SECONDS * 1000;
  const token = sealToken(cryptography, header, {
    ...bearer,
    siteKey,
    mode: "managed",
    expiresAtMs,
    challengeAtMs: nowMs,
    score: SCORES.allow,
    ...digestAddress(cryptography, key, undefined),
    userAgentDigest: digestUserAgent(cryptography, key, ""),
    isScriptless: false,
  });
  return { token, expiresAtMs };
}

/** The recommendation of a secret key; `hasPressed`: the visitor has done what it would ask for. */
function recommendTest(
  { behaviour }: TestKeys,
  hasPressed: boolean,
): Pick<Verdict, "recommendation" | "score"> {
  const recommendation = behaviour === "press" && !hasPressed ? "challenge" : "allow";
  return { recommendation, score: SCORES[recommendation] };
}

/** The content of a redemption, as far as test keys read it. */
type TestReading =
  | {
      readonly kind: "fields";
      readonly fields: { readonly token: string | undefined; readonly siteKey: string | undefined };
    }
  | { readonly kind: "malformed"; readonly message: string }
  | { readonly kind: "too_much" | "too_large" };

/** Redeems with a test secret key. It accepts only tokens of test site keys (D19, test keys). */
export async function redeemTestToken(
  ports: Ports,
  test: TestUse,
  caller: Pick<Caller, "address">,
  read: () => TestReading,
): Promise<RedeemAnswer> {
  const limit = limitTests(ports, caller.address);
  if (!limit.isAdmitted) return { kind: "limited", limit };
  const refuse = (
    reasonCode: Extract<RedeemAnswer, { kind: "refused" }>["reasonCode"],
  ): RedeemAnswer => ({ kind: "refused", reasonCode, score: 1, limit });
  await outwaitTimeout(test);
  const reading = read();
  if (reading.kind === "malformed") return { ...reading, limit };
  if (reading.kind !== "fields") return refuse("invalid_signature");
  const { token, siteKey } = reading.fields;
  if (token === undefined) return refuse("missing_token");
  if (isReservedResponse(token))
    return { kind: "refused", reasonCode: "missing_token", score: 1, reserved: token, limit };
  const open = openToken(ports.cryptography, token);
  if (open === undefined) return refuse("invalid_signature");
  const { header, payload } = open;
  const earnedBy = TEST_KEYS.find((pair) => pair.siteKey === payload.siteKey);
  // A real visitor's token is for the secret key of their site alone.
  if (earnedBy === undefined || (siteKey !== undefined && siteKey !== payload.siteKey))
    return refuse("site_key_mismatch");
  if (!isTestHost(test.place, payload.hostname)) return refuse("invalid_site_key");
  const nowMs = ports.clock.nowMs();
  if (isExpired(payload, ports.cryptography.isRetired(header.keyId), nowMs))
    return refuse("token_expired");
  const reasonCode = findTestReason(test.keys, earnedBy, payload.cdata);
  if (reasonCode === "internal_error") return fail();
  if (reasonCode === "invalid_secret") return { kind: reasonCode };
  if (reasonCode !== undefined) return refuse(reasonCode);
  const { hostname, actionName, cdata, isScriptless, challengeAtMs } = payload;
  const verdict = {
    ...recommendTest(test.keys, earnedBy.behaviour === "press"),
    ...{ hostname, actionName, cdata, isScriptless, challengeAtMs },
    verifiedAtMs: nowMs,
  };
  return { kind: "verified", verdict, limit };
}

/** The score that a test secret key always gets (D7, score request; D19, test keys). */
export async function scoreTest(ports: Ports, test: TestUse, caller: Pick<Caller, "address">) {
  const limit = limitTests(ports, caller.address);
  if (!limit.isAdmitted) return { kind: "limited", limit } satisfies Limited;
  await outwaitTimeout(test);
  const scored = { kind: "scored", missing: undefined, limit } as const;
  if (test.keys.reasonCode === undefined)
    return { ...scored, flags: [], ...recommendTest(test.keys, false) };
  const flags: readonly RiskFlag[] = ["token_invalid"];
  return { ...scored, score: 1, flags, recommendation: "block" as const };
}
