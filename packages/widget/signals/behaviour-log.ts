import { SIGNALS_BYTES_LIMIT } from "@stile/protocol/limits";
import {
  type BehaviourSignals,
  POINTER_KINDS,
  type PointerSample,
  SIGNALS_VERSION,
  type ToggleSample,
} from "@stile/protocol/signals";
import { createRing } from "./ring.ts";

/**
 * Samples kept, the newest of each kind. Presses have a ring of their own, so that a hand that goes on moving does not wash away the
 * click that was asked for. At the widest numbers the oldest moves are left out to stay below `SIGNALS_BYTES_LIMIT`.
 */
export const BEHAVIOUR_CAPACITY = {
  moves: 176,
  presses: 48,
  keys: 96,
  focus: 24,
  visibility: 16,
  scroll: 48,
  callers: 8,
} as const;

/** Streams of two-valued samples. */
export type ToggleStream = "keys" | "focus" | "visibility" | "scroll";

/** What is known only at submission. Times are of the same clock as the samples'. */
export type SnapshotFrame = {
  /** When the element was connected: time 0 of the samples; what came before is left out. */
  readonly sinceMs: number;
  readonly nowMs: number;
  readonly solveMs: number | null;
  readonly box: BehaviourSignals["box"];
};

/**
 * A bounded record of what happened around the widget; never which key, never a field's content. Samples go in with the events' own
 * `timeStamp` as their time.
 */
export type BehaviourLog = {
  readonly addPointer: (sample: PointerSample) => void;
  readonly addCallers: (lines: readonly string[]) => void;
  readonly addToggle: (stream: ToggleStream, timeMs: number, isOn: boolean) => void;
  readonly snapshot: (frame: SnapshotFrame) => BehaviourSignals;
};

const MOVE = POINTER_KINDS.indexOf("move");
const MAX_MS = 1e9;
const MAX_PX = 99_999;
const MAX_COUNT = 65_535;
const DROPPED_AT_ONCE = 16;

/** To a thousandth: finer than any clock or screen, and of bounded length; a number that is none becomes 0. */
function bounded(value: number, min: number, max: number): number {
  return Number.isNaN(value) ? 0 : Math.round(Math.min(max, Math.max(min, value)) * 1000) / 1000;
}

const boundedPx = (value: number): number => bounded(value, -MAX_PX, MAX_PX);

function boundedSample(sample: PointerSample, sinceMs: number): PointerSample {
  const [timeMs, x, y, kind, type, pressure, isTrusted, dx, dy = 0, coalesced] = sample;
  const place = [bounded(timeMs - sinceMs, 0, MAX_MS), boundedPx(x), boundedPx(y)] as const;
  const bare = [...place, kind, type, bounded(pressure, 0, 1), isTrusted] as const;
  if (dx === undefined) return bare;
  const extended = [...bare, boundedPx(dx), boundedPx(dy)] as const;
  return coalesced === undefined ? extended : [...extended, Math.min(coalesced, MAX_COUNT)];
}

/** Leaves out the oldest moves until the rest fits the limit: with usual numbers all of them do. */
function fit(signals: BehaviourSignals): BehaviourSignals {
  if (JSON.stringify(signals).length <= SIGNALS_BYTES_LIMIT) return signals;
  let tooMany = DROPPED_AT_ONCE;
  const pointer = signals.pointer.filter((sample) => sample[3] !== MOVE || tooMany-- <= 0);
  return fit({ ...signals, pointer });
}

/** An empty log. */
export function createBehaviourLog(): BehaviourLog {
  const moves = createRing<PointerSample>(BEHAVIOUR_CAPACITY.moves);
  const presses = createRing<PointerSample>(BEHAVIOUR_CAPACITY.presses);
  const callers = new Set<string>();
  const toggles = {
    keys: createRing<ToggleSample>(BEHAVIOUR_CAPACITY.keys),
    focus: createRing<ToggleSample>(BEHAVIOUR_CAPACITY.focus),
    visibility: createRing<ToggleSample>(BEHAVIOUR_CAPACITY.visibility),
    scroll: createRing<ToggleSample>(BEHAVIOUR_CAPACITY.scroll),
  };

  const pointerSince = (sinceMs: number): PointerSample[] =>
    [...moves.items(), ...presses.items()]
      .filter(([timeMs]) => timeMs >= sinceMs)
      .sort((a, b) => a[0] - b[0])
      .map((sample) => boundedSample(sample, sinceMs));

  const toggleSince = (stream: ToggleStream, sinceMs: number): ToggleSample[] =>
    toggles[stream]
      .items()
      .filter(([timeMs]) => timeMs >= sinceMs)
      .map(([timeMs, isOn]) => [bounded(timeMs - sinceMs, 0, MAX_MS), isOn]);

  return {
    addPointer: (sample) => (sample[3] === MOVE ? moves : presses).push(sample),
    addCallers: (lines) => {
      for (const line of lines) if (callers.size < BEHAVIOUR_CAPACITY.callers) callers.add(line);
    },
    addToggle: (stream, timeMs, isOn) => toggles[stream].push([timeMs, isOn ? 1 : 0]),
    snapshot: ({ sinceMs, nowMs, solveMs, box }) =>
      fit({
        v: SIGNALS_VERSION,
        durationMs: bounded(nowMs - sinceMs, 0, MAX_MS),
        solveMs: solveMs === null ? null : bounded(solveMs, 0, MAX_MS),
        pointer: pointerSince(sinceMs),
        keys: toggleSince("keys", sinceMs),
        focus: toggleSince("focus", sinceMs),
        visibility: toggleSince("visibility", sinceMs),
        scroll: toggleSince("scroll", sinceMs),
        box: box && [boundedPx(box[0]), boundedPx(box[1]), bounded(box[2], 0, MAX_PX), bounded(box[3], 0, MAX_PX)],
        callers: [...callers],
      }),
  };
}
