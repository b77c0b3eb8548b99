import { type DrawRules, decideDraw } from "../../../domain/challenge/decide-draw.ts";
import type { LimitState } from "../../../domain/rate-window.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";

/** A request for a shared amount. Networks are named as in the counters. */
export type ShareRequest = {
  /** Identifies the shared amount among all counts. */
  readonly name: string;
  /** The amount per minute for all networks together. */
  readonly perMinute: number;
  /** IPv6 /32; undefined for IPv4. */
  readonly provider: string | undefined;
  /** IPv4 /24 or IPv6 /48. */
  readonly network: string;
  readonly nowMs: number;
};

/** The part that is first come, first served. */
const FIRST_COME_SHARE = 4 / 7;

function decideShare(
  { challengeTallies }: Pick<ServicePorts, "challengeTallies">,
  request: ShareRequest,
) {
  const { name, perMinute, nowMs } = request;
  const firstCome = Math.ceil(perMinute * FIRST_COME_SHARE);
  const rules: DrawRules = {
    total: firstCome,
    totalReserve: perMinute - firstCome,
    network: perMinute,
    leastShare: 1,
  };
  const path = challengeTallies.find(
    {
      accountId: `all of ${name}`,
      siteKey: name,
      provider: request.provider,
      network: request.network,
      inner: [],
    },
    nowMs,
  );
  return { path, drawn: decideDraw(path, rules, { isKnown: false, nowMs }) };
}

/** Whether `drawShare` would admit the request. It counts nothing. */
export function isShareLeft(
  ports: Pick<ServicePorts, "challengeTallies">,
  request: ShareRequest,
): boolean {
  return decideShare(ports, request).drawn.isAdmitted;
}

/**
 * Draws one of an amount that all networks share, and counts it. A little more than half is first
 * come, first served; the rest goes to networks below their fair share (D10, limits), so that a few
 * networks never shut out the others. All addresses of a network have one share.
 */
export function drawShare(
  ports: Pick<ServicePorts, "challengeTallies">,
  request: ShareRequest,
): LimitState {
  const { path, drawn } = decideShare(ports, request);
  ports.challengeTallies.count(path, drawn);
  return { ...drawn.limit, isAdmitted: drawn.isAdmitted };
}
