import type { Challenge } from "@stile/pow/challenge";
import type { Site } from "../../domain/site/site.ts";
import type { Visitor } from "../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { clientScope } from "../visitor/client-scope.ts";
import { keyReference } from "../visitor/key-reference.ts";
import { digestAddress, digestUserAgent, networkName } from "../visitor/visitor-digests.ts";
import { createTokenHeader, sealToken } from "./seal-token.ts";

type Ports = Pick<ServicePorts, "cryptography" | "tokenUsage">;

/** A token to send to the browser. */
export type IssuedToken = {
  readonly kind: "issued";
  readonly token: string;
  readonly expiresAtMs: number;
};

/** The bearer of a token, their network, and the purpose. */
export type TokenBearer = {
  readonly visitor: Visitor;
  readonly actionName: string | undefined;
  readonly cdata: string | undefined;
  readonly host: string;
};

/**
 * How the bearer was scored. `drawnElsewhere`: the challenge, if it was drawn in another network.
 * `isScriptless`: they waited instead of working (D18, no JavaScript).
 */
export type Earning = {
  readonly score: number;
  readonly nowMs: number;
  readonly drawnElsewhere?: Challenge | undefined;
  readonly isScriptless?: boolean;
};

/**
 * Seals a token for the visitor of a solution, bound to address and browser (D4, sealed token; D5,
 * binding), and counts it for their network, or for the client if the network is hidden. If the
 * challenge was drawn in another network, it counts there too, since both took part.
 */
export function issueToken(
  ports: Ports,
  site: Site,
  bearer: TokenBearer,
  earning: Earning,
): IssuedToken {
  const { cryptography } = ports;
  const { visitor } = bearer;
  const { nowMs, drawnElsewhere } = earning;
  const header = createTokenHeader(cryptography, nowMs);
  const bindingKey = keyReference(header.keyId, "binding", header.issuedAtSeconds * 1000);
  const expiresAtMs = nowMs + site.tokenLifeSeconds * 1000;
  const address = digestAddress(cryptography, bindingKey, visitor.bindingAddress);
  const here = networkName(address) ?? clientScope(cryptography, visitor.address);
  for (const earner of [here, drawnElsewhere && networkName(drawnElsewhere)]) {
    if (earner !== undefined) ports.tokenUsage.recordEarned(site.siteKey, earner, nowMs);
  }
  const token = sealToken(cryptography, header, {
    siteKey: site.siteKey,
    mode: site.mode,
    expiresAtMs,
    challengeAtMs: nowMs,
    score: earning.score,
    ...address,
    userAgentDigest: digestUserAgent(cryptography, bindingKey, visitor.userAgent),
    actionName: bearer.actionName,
    cdata: bearer.cdata,
    hostname: bearer.host,
    isScriptless: earning.isScriptless ?? false,
  });
  return { kind: "issued", token, expiresAtMs };
}
