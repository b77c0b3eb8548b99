import { encodeBase64url } from "@stile/pow/base64url";
import type { BehaviourSignals } from "@stile/protocol/signals";
import { encodeUtf8, lengthPrefixed } from "../../domain/bytes.ts";
import type { BehaviourHistory } from "../../ports/behaviour-history.ts";
import type { Cryptography } from "../../ports/cryptography.ts";
import type { CurveOrigin } from "../../ports/curve-history.ts";

/** What knowing a behaviour again needs. */
export type BehaviourPorts = { readonly cryptography: Cryptography; readonly behaviours: BehaviourHistory };

/** What a visitor did, held against what others did on the site. */
export type ComparedBehaviour = {
  /** Another network handed the very same in within a day. */
  readonly isRepeated: boolean;
  /** Remembers it; called once its challenge is spent. */
  readonly note: () => void;
};

/** Fewer moments than this, and two people may well have done the same. */
const MIN_MOMENTS = 4;

/** Times and places, counted from the first moment, so that a shift of the clock makes nothing new. */
function momentsOf({ pointer, keys }: BehaviourSignals): Float64Array {
  const startMs = Math.min(pointer[0]?.[0] ?? Number.POSITIVE_INFINITY, keys[0]?.[0] ?? Number.POSITIVE_INFINITY);
  const places = pointer.flatMap(([ms, x, y, kind]) => [Math.round(10 * (ms - startMs)), x, y, kind]);
  return Float64Array.from([...places, ...keys.flatMap(([ms, isDown]) => [Math.round(10 * (ms - startMs)), isDown])]);
}

/** Tells whether somebody else on the site did the very same, sample by sample (`behaviour_repeated`). */
export function compareBehaviour(
  ports: BehaviourPorts,
  siteKey: string,
  behaviour: BehaviourSignals | "withheld",
  { networks, era, nowMs }: CurveOrigin,
): ComparedBehaviour {
  const network = networks.at(-1);
  if (behaviour === "withheld" || network === undefined) return { isRepeated: false, note: () => {} };
  const times = new Set([...behaviour.pointer, ...behaviour.keys].map(([ms]) => ms));
  if (times.size < MIN_MOMENTS) return { isRepeated: false, note: () => {} };
  const moments = new Uint8Array(momentsOf(behaviour).buffer);
  // Networks of two eras can't be compared, so each era has digests of its own.
  const parts = [encodeUtf8(siteKey), encodeUtf8(String(era)), ports.cryptography.digest(moments)];
  const digest = encodeBase64url(ports.cryptography.digest(lengthPrefixed(parts)).subarray(0, 16));
  return {
    isRepeated: ports.behaviours.isKnown(digest, networks, nowMs),
    note: () => ports.behaviours.note(digest, network, nowMs),
  };
}
