import type { Challenge } from "@stile/pow/challenge";
import { CLOSE } from "@stile/risk/flags/trajectory-replayed";
import { heldBehaviour } from "@stile/risk/mouse";
import { knownShapes } from "@stile/risk/trajectory/known-shapes";
import type { IpAddress } from "../../domain/visitor/ip-address.ts";
import type { Observations } from "../../domain/visitor/visitor.ts";
import type { Cryptography } from "../../ports/cryptography.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import type { PathOrigin } from "../../ports/visitor/visit-memory.ts";
import { keyReference } from "./key-reference.ts";
import { digestAddress, findPrefixDigest } from "./visitor-digests.ts";

/** How the paths of a visitor compare with those on the site. */
export type ComparedPaths = {
  /** Distance to the nearest path of another network (`HistoryEvidence`). */
  readonly nearestPathDistance: number | undefined;
  /** How many other networks drew about the same path (`HistoryEvidence`). */
  readonly networksNearPaths: number;
  /**
   * Lets visits that are scored meanwhile see these paths, until the returned function is called.
   */
  readonly addPending: () => () => void;
  /** Remembers the paths that are the visitor's own; called once their challenge is spent. */
  readonly record: () => void;
};

/**
 * The number of bytes of a digest that make its number, and the factor that separates key and day
 * of an era.
 */
const DIGEST_BYTES = 6;
const DAYS = 2 ** 20;

const toNumber = (digest: Uint8Array): number =>
  digest.subarray(0, DIGEST_BYTES).reduce((number, byte) => number * 256 + byte, 0);

/**
 * The visitor's own networks: the one they submit from, and the one their challenge was drawn in,
 * if that has the other address family (dual-stack visitors), or if the challenge is a step-up
 * after a submission from there. Any other network is not theirs: otherwise a recording made there
 * could be replayed from anywhere with challenges drawn there. A visitor at an unknown address is
 * where they drew their challenge.
 */
export function originOf(
  cryptography: Cryptography,
  challenge: Challenge,
  address: IpAddress | undefined,
  nowMs: number,
): PathOrigin {
  const key = keyReference(challenge.keyId, "binding", challenge.issuedAtMs);
  const here = address === undefined ? challenge : digestAddress(cryptography, key, address);
  const isDrawnThere =
    here.addressFamily !== challenge.addressFamily || challenge.stage !== "first";
  return {
    networks: [
      ...(isDrawnThere ? [toNumber(challenge.prefixDigest)] : []),
      toNumber(here.prefixDigest),
    ],
    era: key.keyId * DAYS + key.day,
    ownIn: address && ownNetworks(cryptography, address),
    nowMs,
  };
}

/**
 * Returns the number of the address's network under the key of another era; undefined if that key
 * is gone.
 */
function ownNetworks(cryptography: Cryptography, address: IpAddress): PathOrigin["ownIn"] {
  // A visit is compared with many paths, usually of two eras at most.
  let last: { readonly era: number; readonly own: number | undefined } | undefined;
  return (era) => {
    if (last?.era !== era) {
      const key = { keyId: Math.floor(era / DAYS), purpose: "binding", day: era % DAYS } as const;
      const digest = findPrefixDigest(cryptography, key, address);
      last = { era, own: digest && toNumber(digest) };
    }
    return last.own;
  };
}

/**
 * Compares the visitor's paths with those that other networks recently drew on the site
 * (`trajectory_replayed`). A certain replay stays the path of its first visitor: remembering it
 * again would make that visitor's own page the replay.
 */
export function comparePaths(
  { visitMemory: { paths } }: Pick<ServicePorts, "visitMemory">,
  siteKey: string,
  observations: Observations,
  origin: PathOrigin,
): ComparedPaths {
  const behaviour = heldBehaviour(observations);
  const known = behaviour === undefined ? [] : knownShapes(behaviour);
  const shapes = known.map(({ shape }) => shape);
  const own = known.flatMap(({ shape, isOwn }) => (isOwn ? [shape] : []));
  const nearestPathDistance = paths.nearest(siteKey, own, origin);
  const isPlayed = nearestPathDistance !== undefined && nearestPathDistance <= CLOSE;
  const drawn = isPlayed ? [] : shapes;
  return {
    nearestPathDistance,
    networksNearPaths: paths.networksNear(siteKey, shapes, origin),
    addPending: () => paths.addPending(siteKey, drawn, origin),
    record: () => paths.record(siteKey, drawn, origin),
  };
}
