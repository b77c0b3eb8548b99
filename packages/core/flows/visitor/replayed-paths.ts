import type { Challenge } from "@stile/pow/challenge";
import { toCurve } from "@stile/risk/trajectory/curve";
import { visitPaths } from "@stile/risk/trajectory/visit-paths";
import type { Observations, Visitor } from "../../domain/visitor/visitor.ts";
import type { Cryptography } from "../../ports/cryptography.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import type { CurveOrigin } from "../../ports/visitor/curve-history.ts";
import { keyReference } from "./key-reference.ts";
import { digestAddress } from "./visitor-digests.ts";

/** The paths that a visitor handed in, held against the site's. */
export type ComparedCurves = {
  /** Distance from the nearest path of another network (`HistoryEvidence`). */
  readonly nearestCurve: number | undefined;
  /** Remembers the paths; called once their challenge is spent. */
  readonly note: () => void;
};

/** Bytes of a digest that make its number, and what keeps key and day of an era apart. */
const DIGEST_BYTES = 6;
const DAYS = 2 ** 20;

const toNumber = (digest: Uint8Array): number =>
  digest.subarray(0, DIGEST_BYTES).reduce((number, byte) => number * 256 + byte, 0);

/** The network that drew the challenge and the one that submits: they differ in dual-stack visitors. */
export function originOf(
  cryptography: Cryptography,
  challenge: Challenge,
  visitor: Visitor,
  nowMs: number,
): CurveOrigin {
  const key = keyReference(challenge.keyId, "binding", challenge.issuedAtMs);
  const { prefixDigest } = digestAddress(cryptography, key, visitor.bindingAddress);
  return {
    networks: [toNumber(challenge.prefixDigest), toNumber(prefixDigest)],
    era: key.keyId * DAYS + key.day,
    nowMs,
  };
}

/** Holds the visitor's paths against those that other networks drew on the site lately (`trajectory_replayed`). */
export function compareCurves(
  { curves: history }: Pick<ServicePorts, "curves">,
  siteKey: string,
  { behaviour }: Observations,
  origin: CurveOrigin,
): ComparedCurves {
  const curves = behaviour === "withheld" ? [] : visitPaths(behaviour).flatMap((path) => toCurve(path) ?? []);
  if (curves.length === 0) return { nearestCurve: undefined, note: () => {} };
  return {
    nearestCurve: history.nearest(siteKey, curves, origin),
    note: () => history.note(siteKey, curves, origin),
  };
}
