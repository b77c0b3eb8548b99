import { encodeBase64url } from "@stile/pow/base64url";
import type { ObservedBehaviour } from "@stile/protocol/observed-signals";
import { POINTER_KINDS } from "@stile/protocol/signals";
import { lengthPrefixed } from "../../domain/bytes.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import type { PathOrigin } from "../../ports/visitor/visit-memory.ts";

type Ports = Pick<ServicePorts, "cryptography" | "visitMemory">;

/** How a visitor's behaviour compares with that of others on the site. */
export type ComparedBehaviour = {
  /** Whether another network submitted exactly the same within a day. */
  readonly isRepeated: boolean;
  /** Lets visits judged meanwhile see this behaviour, until the returned function is called. */
  readonly hold: () => () => void;
  /** Remembers it, unless it is repeated; called once its challenge is spent. */
  readonly record: () => void;
};

/** With fewer moments than this, two people may well have done the same. */
const MIN_MOMENTS = 4;
/** Each moment says little if clocks are blurred against fingerprinting (Tor: to 1/60 or 1/10 of a second). */
const MIN_BLURRED_MOMENTS = 12;
const FRAME_MS = 1000 / 60;

const isOnFrame = (ms: number): boolean => Math.abs(ms / FRAME_MS - Math.round(ms / FRAME_MS)) < 0.001;

function areTelling(moments: ReadonlySet<number>): boolean {
  if (moments.size >= MIN_BLURRED_MOMENTS) return true;
  return moments.size >= MIN_MOMENTS && ![...moments].every(isOnFrame);
}

/**
 * What must differ between two visits: times and places, counted from the first moment, so that shifting the clock
 * changes nothing; if there are few, also how long the visit and its work took. Undefined if that says too little.
 */
function tracesOf({ pointer, keys, durationMs, solveMs }: ObservedBehaviour): Float64Array | undefined {
  const moments = new Set<number>();
  let startMs = Number.POSITIVE_INFINITY;
  for (const samples of [pointer, keys]) {
    for (const { atMs } of samples) {
      startMs = Math.min(startMs, atMs);
      // That many are enough, whatever else there is.
      if (moments.size < MIN_BLURRED_MOMENTS) moments.add(atMs);
    }
  }
  if (moments.size === 0) return undefined;
  const lengths = moments.size < MIN_MOMENTS ? [durationMs, solveMs ?? 0] : [];
  for (const ms of lengths) moments.add(ms);
  if (!areTelling(moments)) return undefined;
  const traces = new Float64Array(4 * pointer.length + 2 * keys.length + lengths.length);
  let at = 0;
  const since = (ms: number): number => Math.round(10 * (ms - startMs));
  for (const { atMs, x, y, kind } of pointer) {
    traces[at++] = since(atMs);
    traces[at++] = x;
    traces[at++] = y;
    traces[at++] = POINTER_KINDS.indexOf(kind);
  }
  for (const { atMs, isOn } of keys) {
    traces[at++] = since(atMs);
    traces[at++] = Number(isOn);
  }
  for (const ms of lengths) traces[at++] = Math.round(10 * ms);
  return traces;
}

/** Nothing to compare, or to remember. */
const NOTHING: ComparedBehaviour = { isRepeated: false, hold: () => () => {}, record: () => {} };

/**
 * Tells whether somebody else on the site did exactly the same, sample by sample (`behaviour_repeated`). Whoever repeats
 * it is not remembered for it.
 */
export function compareBehaviour(
  ports: Ports,
  siteKey: string,
  behaviour: ObservedBehaviour | "withheld",
  origin: PathOrigin,
): ComparedBehaviour {
  const { behaviours } = ports.visitMemory;
  const { networks, era, nowMs } = origin;
  const network = networks.at(-1);
  const traces = behaviour === "withheld" ? undefined : tracesOf(behaviour);
  if (traces === undefined || network === undefined) return NOTHING;
  const parts = [siteKey, ports.cryptography.digest(new Uint8Array(traces.buffer))];
  const digest = encodeBase64url(ports.cryptography.digest(lengthPrefixed(parts)).subarray(0, 16));
  if (behaviours.isKnown(digest, origin)) return { ...NOTHING, isRepeated: true };
  return {
    isRepeated: false,
    hold: () => behaviours.hold(digest, network, era),
    record: () => behaviours.record(digest, network, nowMs, era),
  };
}
