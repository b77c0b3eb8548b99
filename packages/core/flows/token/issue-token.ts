import type { ServicePorts } from "../../ports/service-ports.ts";
import type { RightSolution } from "../challenge/check-work.ts";
import { keyReference } from "../visitor/key-reference.ts";
import { digestAddress, digestUserAgent, networkName } from "../visitor/visitor-digests.ts";
import { createTokenHeader, sealToken } from "./seal-token.ts";

type Ports = Pick<ServicePorts, "cryptography" | "tokenUsage">;

/** A token on its way to the browser. */
export type IssuedToken = { readonly kind: "issued"; readonly token: string; readonly expiresAtMs: number };

/**
 * Seals a token for whoever handed in a solution, bound to address and browser, and counts it for the network (D4, D5); for
 * the one that its challenge was drawn in too, where that is another, since both had a part in it.
 */
export function issueToken(
  ports: Ports,
  { site, open, hasMoved, submission: { visitor, actionName, cdata, host } }: RightSolution,
  { score, nowMs }: { readonly score: number; readonly nowMs: number },
): IssuedToken {
  const { cryptography } = ports;
  const header = createTokenHeader(cryptography, nowMs);
  const bindingKey = keyReference(header.keyId, "binding", header.issuedAtSeconds * 1000);
  const expiresAtMs = nowMs + site.tokenLifeSeconds * 1000;
  const address = digestAddress(cryptography, bindingKey, visitor.bindingAddress);
  for (const origin of hasMoved ? [address, open.challenge] : [address]) {
    const network = networkName(origin);
    if (network !== undefined) ports.tokenUsage.recordEarned(site.siteKey, network, nowMs);
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
  });
  return { kind: "issued", token, expiresAtMs };
}
