import type { Challenge } from "@stile/pow/challenge";
import type { Site } from "../../domain/site/site.ts";
import { recommend } from "../../domain/site/thresholds.ts";
import type { Visitor } from "../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { clientScope } from "../visitor/client-scope.ts";
import { keyReference } from "../visitor/key-reference.ts";
import { digestAddress, digestUserAgent, networkName } from "../visitor/visitor-digests.ts";
import { createTokenHeader, sealToken } from "./seal-token.ts";

type Ports = Pick<ServicePorts, "cryptography" | "tokenUsage">;

/** A token on its way to the browser. */
export type IssuedToken = { readonly kind: "issued"; readonly token: string; readonly expiresAtMs: number };

/** Who earned a token, where, and for what. */
export type TokenBearer = {
  readonly visitor: Visitor;
  readonly actionName: string | undefined;
  readonly cdata: string | undefined;
  readonly host: string;
};

/**
 * How the bearer was judged; the challenge that was drawn in another network, where one was; `isScriptless` where they waited
 * instead of working (D18).
 */
export type Earning = {
  readonly score: number;
  readonly nowMs: number;
  readonly drawnElsewhere?: Challenge | undefined;
  readonly isScriptless?: boolean;
};

/**
 * Seals a token for whoever handed in a solution, bound to address and browser, and counts it for the network (D4, D5), or for the client
 * whose network is hidden; for the one that its challenge was drawn in too, where that is another, since both had a part in it.
 */
export function issueToken(
  ports: Ports,
  site: Site,
  { visitor, actionName, cdata, host }: TokenBearer,
  { score, nowMs, drawnElsewhere, isScriptless = false }: Earning,
): IssuedToken {
  const { cryptography } = ports;
  const header = createTokenHeader(cryptography, nowMs);
  const bindingKey = keyReference(header.keyId, "binding", header.issuedAtSeconds * 1000);
  const expiresAtMs = nowMs + site.tokenLifeSeconds * 1000;
  const address = digestAddress(cryptography, bindingKey, visitor.bindingAddress);
  // Who waited instead of working has a score that only says so.
  const isDoubtful = !isScriptless && recommend(score, site.thresholds) !== "allow";
  const here = networkName(address) ?? clientScope(cryptography, visitor.address);
  for (const earner of [here, drawnElsewhere && networkName(drawnElsewhere)]) {
    if (earner !== undefined) ports.tokenUsage.recordEarned(site.siteKey, earner, nowMs, isDoubtful);
  }
  const token = sealToken(cryptography, header, {
    siteKey: site.siteKey,
    mode: site.mode,
    expiresAtMs,
    challengeAtMs: nowMs,
    score,
    ...address,
    userAgentDigest: digestUserAgent(cryptography, bindingKey, visitor.userAgent),
    actionName,
    cdata,
    hostname: host,
    isScriptless,
  });
  return { kind: "issued", token, expiresAtMs };
}
