import { encodeBase64url } from "@stile/pow/base64url";
import type {
  ObservedBehaviour,
  ObservedPointer,
  ObservedToggle,
} from "@stile/protocol/observed-signals";
import { POINTER_KINDS } from "@stile/protocol/signals";
import { lengthPrefixed } from "../../domain/bytes.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import type { PathOrigin } from "../../ports/visitor/visit-memory.ts";

type Ports = Pick<ServicePorts, "cryptography" | "visitMemory">;

/** How a visitor's behaviour compares with that of others on the site. */
export type ComparedBehaviour = {
  /** Whether another network submitted exactly the same within a day. */
  readonly isRepeated: boolean;
  /**
   * Lets visits that are scored meanwhile see this behaviour, until the returned function is
   * called.
   */
  readonly addPending: () => () => void;
  /** Remembers it, unless it is repeated; called once its challenge is spent. */
  readonly record: () => void;
};

/**
 * How many different steps distinguish a visit from all others who do the same: alone, and together
 * with the duration of the visit and its work. It depends on the precision of the page's clock:
 * tenths of a millisecond, whole ones (Firefox and Safari), or frames, against fingerprinting
 * (Tor). Many visitors do simultaneous things alike, such as a tap, or Tab and Enter. By a clock of
 * a tenth of a second they even type whole passwords alike: that has hardly any different steps.
 */
const ENOUGH = {
  fine: { alone: 4, together: 1 },
  whole: { alone: 6, together: 3 },
  blurred: { alone: 5, together: 5 },
} as const;
/** By a blurred clock, this many steps in all. */
const ENOUGH_BLURRED = 12;
const FRAME_MS = 1000 / 60;

const isMultiple = (ms: number, ofMs: number): boolean =>
  Math.abs(ms / ofMs - Math.round(ms / ofMs)) < 0.001;

/**
 * Counts the steps from each sample to the next, without those that take no time; of many, the
 * first that are enough.
 */
function countSteps({ pointer, keys }: ObservedBehaviour) {
  const different = new Set<number>();
  let [steps, areWhole, areBlurred] = [0, true, true];
  const add = (ms: number, place: number): void => {
    if (ms === 0) return;
    steps++;
    different.add(Math.round(10 * ms) + place);
    areWhole &&= isMultiple(ms, 1);
    areBlurred &&= isMultiple(ms, FRAME_MS);
  };
  const areMore = (): boolean => steps < ENOUGH_BLURRED || different.size < ENOUGH.whole.alone;
  const [first, firstKey] = [pointer[0], keys[0]];
  if (first !== undefined && firstKey !== undefined) add(firstKey.atMs - first.atMs, 0);
  for (let at = 1; at < pointer.length && areMore(); at++) {
    const [last, next] = [pointer[at - 1] as ObservedPointer, pointer[at] as ObservedPointer];
    add(next.atMs - last.atMs, 1e9 * (next.x - last.x) + 1e14 * (next.y - last.y));
  }
  for (let at = 1; at < keys.length && areMore(); at++) {
    add((keys[at] as ObservedToggle).atMs - (keys[at - 1] as ObservedToggle).atMs, 0);
  }
  if (areBlurred)
    return { count: steps < ENOUGH_BLURRED ? 0 : different.size, enough: ENOUGH.blurred };
  return { count: different.size, enough: areWhole ? ENOUGH.whole : ENOUGH.fine };
}

/**
 * The traits that must differ between two visits: times and places, counted from the first moment,
 * so that shifting the clock changes nothing; if these are few steps, also the duration of the
 * visit and its work. Undefined if that says too little.
 */
function tracesOf(behaviour: ObservedBehaviour): Float64Array | undefined {
  const { pointer, keys, durationMs, solveMs } = behaviour;
  const { count, enough } = countSteps(behaviour);
  if (count < enough.together) return undefined;
  const lengths = count < enough.alone ? [durationMs, solveMs ?? 0] : [];
  const startMs = Math.min(
    pointer[0]?.atMs ?? Number.POSITIVE_INFINITY,
    keys[0]?.atMs ?? Number.POSITIVE_INFINITY,
  );
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
const NOTHING: ComparedBehaviour = {
  isRepeated: false,
  addPending: () => () => {},
  record: () => {},
};

/**
 * Checks whether somebody else on the site did exactly the same, sample by sample
 * (`behaviour_repeated`). A visitor who repeats it is not remembered for it.
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
    addPending: () => behaviours.addPending(digest, network, era),
    record: () => behaviours.record(digest, network, nowMs, era, siteKey),
  };
}
