import type {
  ObservedBehaviour,
  ObservedEnvironment,
  ObservedPointer,
  ObservedToggle,
  PointerKind,
  PointerType,
} from "./observed-signals.ts";
import {
  type BehaviourSignals,
  type EnvironmentSignals,
  POINTER_KINDS,
  POINTER_TYPES,
  type PointerSample,
  type ToggleSample,
} from "./signals.ts";

/** A sample whose numbers are within their bounds, by names. All have the same fields, which makes reading them quick. */
function decodePointer(sample: PointerSample): ObservedPointer {
  const kind = POINTER_KINDS[sample[3]] as PointerKind;
  const isMove = kind === "move";
  const isPlaced = kind === "down" || kind === "click";
  return {
    atMs: sample[0],
    x: sample[1],
    y: sample[2],
    kind,
    type: POINTER_TYPES[sample[4]] as PointerType,
    pressure: sample[5],
    isTrusted: sample[6] === 1,
    movedX: isMove ? sample[7] : undefined,
    movedY: isMove ? sample[8] : undefined,
    coalesced: isMove ? sample[9] : undefined,
    offsetX: isPlaced ? sample[7] : undefined,
    offsetY: isPlaced ? sample[8] : undefined,
  };
}

const decodeToggle = (sample: ToggleSample): ObservedToggle => ({ atMs: sample[0], isOn: sample[1] === 1 });

/** Wire to names (D9). What comes in must have passed `behaviourSignalsSchema`. */
export function decodeBehaviour(signals: BehaviourSignals): ObservedBehaviour {
  const { durationMs, solveMs, callers, box } = signals;
  return {
    durationMs,
    solveMs,
    callers,
    pointer: signals.pointer.map(decodePointer),
    keys: signals.keys.map(decodeToggle),
    focus: signals.focus.map(decodeToggle),
    visibility: signals.visibility.map(decodeToggle),
    scroll: signals.scroll.map(decodeToggle),
    box: box && { left: box[0], top: box[1], width: box[2], height: box[3] },
  };
}

/** Wire to names (D9). What comes in must have passed `environmentSignalsSchema`. */
export function decodeEnvironment(signals: EnvironmentSignals): ObservedEnvironment {
  const { v: _, screen, viewport, clientHints, permission, natives, graphics, ...rest } = signals;
  return {
    ...rest,
    screen: {
      width: screen[0],
      height: screen[1],
      availableWidth: screen[2],
      availableHeight: screen[3],
      colourDepth: screen[4],
    },
    viewport: {
      innerWidth: viewport[0],
      innerHeight: viewport[1],
      outerWidth: viewport[2],
      outerHeight: viewport[3],
    },
    clientHints: clientHints && {
      ...clientHints,
      brands: clientHints.brands.map(([name, version]) => ({ name, version })),
    },
    permission: permission && { shown: permission[0], asked: permission[1] },
    natives: natives.map(([name, found]) => ({ name, found })),
    graphics: graphics && { vendor: graphics[0], renderer: graphics[1] },
  };
}
