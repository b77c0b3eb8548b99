import type { Site } from "../../domain/site/site.ts";
import { parseNamedAddress } from "../../domain/visitor/ip-address.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { originOf } from "../visitor/compare-paths.ts";
import { type RecalledMoves, recallMoves } from "../visitor/recall-visit.ts";
import type { Collected } from "./spend-signals.ts";

/**
 * Compares collected signals with those that other networks collected within a day, and remembers
 * them. A repeated call is recognised, and compared with nothing. The memory is separate from
 * visits that did the work: collecting costs nothing, and must neither evict those nor count
 * against them. The visitor is at the address that the site's server names, else where they drew
 * their challenge.
 */
export function recallSignals(
  ports: Pick<ServicePorts, "cryptography" | "collectedMemory">,
  { siteKey }: Site,
  { visit, isReplayed }: Collected,
  asked: { readonly remoteIp: string | undefined; readonly nowMs: number },
): RecalledMoves["evidence"] | undefined {
  if (visit === undefined || isReplayed) return undefined;
  const address = asked.remoteIp === undefined ? undefined : parseNamedAddress(asked.remoteIp);
  const origin = originOf(ports.cryptography, visit.challenge, address, asked.nowMs);
  const remembered = { cryptography: ports.cryptography, visitMemory: ports.collectedMemory };
  const moves = recallMoves(remembered, siteKey, visit.observations, origin);
  moves.remember();
  return moves.evidence;
}
