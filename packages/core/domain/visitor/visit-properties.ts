import type { WaveProperty } from "@stile/protocol/dashboard-waves";
import type {
  ObservedBehaviour,
  ObservedEnvironment,
  ObservedToggle,
} from "@stile/protocol/observed-signals";
import { type ClaimedBrowser, parseUserAgent } from "@stile/risk/user-agent";

/** A visit that can be compared with others: its browser and its behaviour are known. */
export type ComparableVisit = {
  readonly userAgent: string;
  readonly environment: ObservedEnvironment;
  readonly behaviour: ObservedBehaviour;
  /** The number of hashes that its work was expected to take. */
  readonly difficulty: number;
};

/** The parts of a property; two visits have it in common if all are equal. */
export type PropertyParts = readonly (string | number | null)[];

/** Every property that visits can have in common; `engine` is the browser without its version. */
export type VisitProperties = Readonly<Record<WaveProperty | "engine", PropertyParts>>;

/** The longest text shown of a property: browsers can make it as long as they like. */
const LONGEST = 96;
const BROWSERS = {
  chromium: "Chromium",
  firefox: "Firefox",
  webkit: "Safari",
  unknown: "another browser",
} as const;
/** The most workers that the solver starts. */
const MAX_WORKERS = 4;
const RHYTHM_MS = 10;

/** Input methods, as bits of a mask. */
const INPUTS = [
  [1, "a mouse that moved"],
  [2, "a mouse that pressed"],
  [4, "touch"],
  [8, "clicks by other means"],
  [16, "keys"],
] as const;

function versionOf(userAgent: string, { major, engine }: ClaimedBrowser): number | null {
  if (major !== null || engine !== "webkit") return major;
  return Number(/\bVersion\/(\d{1,4})/.exec(userAgent)?.[1] ?? 0);
}

/**
 * The actions: the mask of input methods, then the numbers of moves, presses, clicks, keys and
 * scrolls.
 */
function countActions({
  pointer,
  keys,
  scroll,
}: ObservedBehaviour): readonly [number, ...number[]] {
  let mask = keys.length > 0 ? 16 : 0;
  let [moves, presses, clicks, strokes] = [0, 0, 0, 0];
  for (const { kind, type } of pointer) {
    if (kind === "move") moves++;
    else if (kind === "down") presses++;
    else if (kind === "click") clicks++;
    if (type === "mouse") mask |= kind === "move" ? 1 : 2;
    else mask |= type === "touch" ? 4 : 8;
  }
  for (const { isOn } of keys) if (isOn) strokes++;
  return [mask, moves, presses, clicks, strokes, scroll.length];
}

/** The median pause between keys, in steps of 10 ms; null if there is none. */
function rhythmOf(keys: readonly ObservedToggle[]): number | null {
  const pauses: number[] = [];
  let lastMs: number | undefined;
  for (const { atMs, isOn } of keys) {
    if (!isOn) continue;
    if (lastMs !== undefined) pauses.push(Math.round((atMs - lastMs) / RHYTHM_MS));
    lastMs = atMs;
  }
  pauses.sort((a, b) => a - b);
  return pauses[pauses.length >> 1] ?? null;
}

/**
 * Nanoseconds per hash and claimed core, as a logarithm in steps of half an octave; null if
 * unknown.
 */
function workOf({ environment, behaviour, difficulty }: ComparableVisit): number | null {
  const { solveMs } = behaviour;
  if (solveMs === null || solveMs <= 0 || difficulty <= 0) return null;
  return Math.round(
    2 *
      Math.log2(
        (1e6 * solveMs * Math.min(environment.cores ?? MAX_WORKERS, MAX_WORKERS)) / difficulty,
      ),
  );
}

/** All properties that two visits can have in common, as the browsers report them. */
export function propertiesOf(visit: ComparableVisit): VisitProperties {
  const { userAgent, environment, behaviour } = visit;
  const {
    screen,
    viewport,
    pixelRatio,
    cores,
    memory,
    touchPoints,
    languages,
    timezone,
    graphics,
  } = environment;
  const claim = parseUserAgent(userAgent);
  const [input, ...actions] = countActions(behaviour);
  return {
    engine: [claim.engine],
    browser: [claim.engine, versionOf(userAgent, claim)],
    system: [claim.platform, touchPoints > 0 ? 1 : 0],
    screen: [screen.width, screen.height, Math.round(1000 * pixelRatio)],
    window: [viewport.innerWidth, viewport.innerHeight],
    languages,
    timeZone: [timezone],
    processors: [cores, memory],
    graphics: [graphics?.renderer ?? null],
    input: [input],
    actions,
    rhythm: [rhythmOf(behaviour.keys)],
    work: [workOf(visit)],
  };
}

const NOT_REPORTED = "not told";
/**
 * Invisible or combining characters, and those that change text direction: a stranger's text is
 * shown to owners.
 */
const UNSEEN = /(?![\s\p{Cc}])[\p{C}\p{M}\p{Default_Ignorable_Code_Point}]/gu;
const GAPS = /[\s\p{Cc}]+/gu;

const countOf = (count: PropertyParts[number] | undefined, one: string, more = `${one}s`): string =>
  `${count} ${count === 1 ? one : more}`;

const WORDS: Readonly<Record<WaveProperty, (parts: PropertyParts) => string>> = {
  browser: ([engine, version]) =>
    `${BROWSERS[engine as ClaimedBrowser["engine"]]} ${version ?? ""}`.trim(),
  system: ([platform, hasTouch]) => `${platform}${hasTouch === 1 ? ", with touch" : ""}`,
  screen: ([width, height, ratio]) => `${width} × ${height} at ${Number(ratio) / 1000}`,
  window: ([width, height]) => `${width} × ${height}`,
  languages: (parts) => parts.join(", "),
  timeZone: ([zone]) => `${zone ?? ""}`,
  processors: ([cores, memory]) =>
    `${cores === null ? "cores not told" : countOf(cores, "core")}, ${memory === null ? "memory not told" : `${memory} GB`}`,
  graphics: ([renderer]) => `${renderer ?? ""}`,
  input: ([mask]) =>
    INPUTS.filter(([bit]) => (Number(mask) & bit) !== 0)
      .map(([, words]) => words)
      .join(", ") || "none",
  actions: ([moves, presses, clicks, strokes, scrolls]) =>
    [
      ...[countOf(moves, "move"), countOf(presses, "press", "presses"), countOf(clicks, "click")],
      ...[countOf(strokes, "key"), countOf(scrolls, "scroll")],
    ].join(", "),
  rhythm: ([pause]) => (pause === null ? "no keys" : `a key every ${RHYTHM_MS * Number(pause)} ms`),
  work: ([step]) =>
    step === null ? NOT_REPORTED : `${Math.round(2 ** (Number(step) / 2))} ns a hash and core`,
};

/** A property in words: its readable characters, on one line of limited length. */
export function describeProperty(property: WaveProperty, properties: VisitProperties): string {
  const text = WORDS[property](properties[property])
    .normalize("NFC")
    .replace(UNSEEN, "")
    .replace(GAPS, " ")
    .trim();
  return text === "" ? NOT_REPORTED : [...text].slice(0, LONGEST).join("");
}
