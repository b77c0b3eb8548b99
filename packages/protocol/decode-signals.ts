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
  type BrowserFacts,
  type EnvironmentSignals,
  POINTER_KINDS,
  POINTER_TYPES,
  type PointerSample,
  type ToggleSample,
} from "./signals.ts";

/**
 * Names the fields of a sample that is within its bounds. All results have the same fields, which
 * makes reads fast.
 */
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

const decodeToggle = (sample: ToggleSample): ObservedToggle => ({
  atMs: sample[0],
  isOn: sample[1] === 1,
});

/**
 * Decodes the behaviour string into named fields (D9, submission). It must have passed
 * `isBehaviourSignals`.
 */
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

const pickFacts = (facts: BrowserFacts): BrowserFacts => ({
  userAgent: facts.userAgent,
  platform: facts.platform,
  languages: facts.languages,
  webdriver: facts.webdriver,
  cores: facts.cores,
});

const decodeHints = ({
  brands,
  mobile,
  platform,
}: NonNullable<EnvironmentSignals["clientHints"]>) => ({
  brands: brands.map(([name, version]) => ({ name, version })),
  mobile,
  platform,
});

/**
 * Decodes the environment string into named fields (D9, submission), drops others. It must have
 * passed `isEnvironmentSignals`.
 */
export function decodeEnvironment(signals: EnvironmentSignals): ObservedEnvironment {
  const { screen, viewport, clientHints, permission, blank, frame, worker, graphics } = signals;
  return {
    userAgent: signals.userAgent,
    platform: signals.platform,
    languages: signals.languages,
    webdriver: signals.webdriver,
    cores: signals.cores,
    vendor: signals.vendor,
    memory: signals.memory,
    touchPoints: signals.touchPoints,
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
    pixelRatio: signals.pixelRatio,
    pageScale: signals.pageScale,
    isFramed: signals.isFramed,
    isSecure: signals.isSecure,
    timezoneOffset: signals.timezoneOffset,
    timezone: signals.timezone,
    media: signals.media,
    clientHints: clientHints && decodeHints(clientHints),
    driverGlobals: signals.driverGlobals,
    chrome: signals.chrome,
    permission: permission && { shown: permission[0], asked: permission[1] },
    natives: signals.natives.map(([name, found]) => ({ name, found })),
    blank: blank && pickFacts(blank),
    frame: frame && pickFacts(frame),
    worker: worker && pickFacts(worker),
    graphics: graphics && { vendor: graphics[0], renderer: graphics[1] },
  };
}
