import { SIGNALS_BYTES_LIMIT } from "@stile/protocol/limits";
import {
  type BehaviourSignals,
  type PointerSample,
  SIGNALS_VERSION,
} from "@stile/protocol/signals";

/**
 * How many samples are kept; the newest of each kind. Presses have their own buffer, so that a
 * moving hand does not push out the click that was asked for. If all numbers have their full width,
 * the oldest moves are left out to stay below `SIGNALS_BYTES_LIMIT`.
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

/**
 * A bounded record of the input around the widget; never which key, never a field's content.
 * Samples carry the events' own `timeStamp` as their time.
 */
export type BehaviourLog = {
  readonly addPointer: (sample: PointerSample) => void;
  readonly addCallers: (lines: readonly string[]) => void;
  readonly addToggle: (stream: ToggleStream, timeMs: number, isOn: boolean) => void;
  /**
   * Adds facts that are known only at submission. Times are by the same clock as the samples':
   * `sinceMs` is when the element was connected, time 0 of the samples; earlier samples are left
   * out.
   */
  readonly snapshot: (
    sinceMs: number,
    nowMs: number,
    solveMs: number | null,
    box: BehaviourSignals["box"],
  ) => BehaviourSignals;
};

/** The number of moves in `POINTER_KINDS`. */
const MOVE = 0;
const DROPPED_AT_ONCE = 16;

/** Limit of positions and distances, CSS pixels: only these numbers may be negative. */
const MAX_PX = 99_999;
const MAX_MS = 1e9;
/** The upper bound of each number of a sample, in order. */
const SAMPLE_MAX = [MAX_MS, MAX_PX, MAX_PX, 9, 9, 1, 1, MAX_PX, MAX_PX, 65_535];

/**
 * Rounded to a thousandth: finer than any clock or screen, and of bounded length; NaN becomes 0.
 */
const bounded = (value: number | undefined, max = 0): number =>
  Math.round(Math.min(max, Math.max(max === MAX_PX ? -max : 0, value || 0)) * 1000) / 1000;

/** Each number within its own bounds; as many numbers as went in. */
const boundEach = <Numbers>(
  numbers: readonly (number | undefined)[],
  most: readonly number[],
): Numbers => numbers.map((value, at) => bounded(value, most[at])) as Numbers;

/**
 * Leaves out the oldest moves until the rest fits the limit; with usual numbers all of them fit.
 */
function fit(signals: BehaviourSignals, tooMany = DROPPED_AT_ONCE): BehaviourSignals {
  if (JSON.stringify(signals).length <= SIGNALS_BYTES_LIMIT) return signals;
  return fit({
    ...signals,
    pointer: signals.pointer.filter((sample) => sample[3] !== MOVE || tooMany-- <= 0),
  });
}

/** A sample of any kind: its time comes first. */
type Timed = readonly [timeMs: number, ...rest: number[]];

type Stream = "moves" | "presses" | ToggleStream;

/** An empty log. */
export function createBehaviourLog(): BehaviourLog {
  const kept: Partial<Record<Stream, Timed[]>> = {};
  const callers = new Set<string>();

  const add = (stream: Stream, sample: Timed): void => {
    kept[stream] ??= [];
    const samples = kept[stream];
    samples.push(sample);
    // Shifting so few takes less than a tenth of a microsecond.
    if (samples.length > BEHAVIOUR_CAPACITY[stream]) samples.shift();
  };

  return {
    addPointer: (sample) => add(sample[3] === MOVE ? "moves" : "presses", sample as Timed),
    addCallers: (lines) => {
      for (const line of lines) if (callers.size < BEHAVIOUR_CAPACITY.callers) callers.add(line);
    },
    addToggle: (stream, timeMs, isOn) => add(stream, [timeMs, isOn ? 1 : 0]),
    snapshot: (sinceMs, nowMs, solveMs, box) => {
      /** The newest samples of these streams, oldest first, each number within its bounds. */
      const read = <Sample>(...streams: Stream[]): Sample[] =>
        streams
          .flatMap((stream) => kept[stream] ?? [])
          .filter(([timeMs]) => timeMs >= sinceMs)
          .sort(([a], [b]) => a - b)
          .map(([timeMs, ...rest]) => boundEach<Sample>([timeMs - sinceMs, ...rest], SAMPLE_MAX));
      return fit({
        v: SIGNALS_VERSION,
        durationMs: bounded(nowMs - sinceMs, MAX_MS),
        solveMs: solveMs === null ? null : bounded(solveMs, MAX_MS),
        pointer: read("moves", "presses"),
        keys: read("keys"),
        focus: read("focus"),
        visibility: read("visibility"),
        scroll: read("scroll"),
        box: box && boundEach(box, [MAX_PX, MAX_PX, MAX_PX, MAX_PX]),
        callers: [...callers],
      });
    },
  };
}
