import type { BehaviourSignals, EnvironmentSignals, PointerSample, ToggleSample } from "@stile/protocol/signals";
import { findVisitor, type HonestEvidence } from "@stile/testkit/visits/find-visitor";
import type { Claims, Round } from "./raw-client.ts";
import { encode, ORIGIN, raw } from "./raw-tools.ts";
import type { Tool } from "./tool.ts";

// Clients without a browser that read the source, and make up a visit anew each time. Whom they copy fits together, so all that
// is to be seen of them is what they say they did.

type Random = () => number;
type Happened = Pick<BehaviourSignals, "pointer" | "keys">;

/** What a forger says was done until the moment at which it hands in, whatever it is asked for. */
type Doing = (random: Random, untilMs: number) => Happened;

const BOX = [32, 418, 300, 65] as const;
/** How long the page was open before its first challenge, as the forger has it. */
const BEFORE_MS = { least: 1_500, most: 6_000 };
/** What it waits before it says that it did what it was asked for. */
const REACTION_MS = 900;

const between = (random: Random, least: number, most: number): number => least + (most - least) * random();
const oneOf = <T>(random: Random, values: readonly [T, ...T[]]): T =>
  values[Math.floor(random() * values.length)] ?? values[0];

const nothing: Doing = () => ({ pointer: [], keys: [] });

/** Typing with the spread of people's: holds of 60 to 140 ms, and pauses that now and then are long. */
const keys: Doing = (random, untilMs) => {
  const typed: ToggleSample[] = [];
  for (let ms = between(random, 300, 900); ms < untilMs - 200; ms += between(random, 70, 190) / (0.15 + random())) {
    const holdMs = between(random, 45, 65);
    typed.push([ms, 1], [ms + holdMs, 0]);
  }
  return { pointer: [], keys: typed };
};

/** A finger at a place: down, up, click. */
function tap(random: Random, ms: number, x: number, y: number): readonly PointerSample[] {
  const upMs = ms + between(random, 50, 110);
  return [
    [ms, x, y, 1, 1, 1, 1, between(random, -90, 90), between(random, -12, 12)],
    [upMs, x, y, 2, 1, 0, 1],
    [upMs + 2, x, y, 4, 1, 0, 1],
  ];
}

/** Taps on two fields of a form, and no keyboard: the screen's own sends no key times that mean anything. */
const taps: Doing = (random, untilMs) => ({
  pointer: [0.3, 0.7].flatMap((share, row) =>
    tap(random, untilMs * share, between(random, 60, 300), 140 + 90 * row + between(random, -12, 12)),
  ),
  keys: [],
});

/** Space on the focused widget. */
function pressSpace(ms: number): Happened {
  const upMs = ms + 84;
  const [left, top, width, height] = BOX;
  const click: PointerSample = [upMs + 1, left + width / 2, top + height / 2, 4, 3, 0, 1];
  return {
    pointer: [click],
    keys: [
      [ms, 1],
      [upMs, 0],
    ],
  };
}

/** A tap on the widget. */
function tapWidget(random: Random, ms: number): Happened {
  const [left, top, width, height] = BOX;
  const [x, y] = [left + width * between(random, 0.2, 0.8), top + height * between(random, 0.3, 0.7)];
  return { pointer: tap(random, ms, x, y), keys: [] };
}

/** Another screen and another machine each time, of those that are common. */
function vary(environment: EnvironmentSignals, random: Random): EnvironmentSignals {
  if (environment.touchPoints > 0) return { ...environment, memory: environment.memory && oneOf(random, [4, 6, 8]) };
  const [width, height] = oneOf(random, [[1920, 1080] as const, [2560, 1440], [1680, 1050], [1536, 864]]);
  const cores = oneOf(random, [4, 8, 12, 16]);
  const place = (it: EnvironmentSignals["blank"]): EnvironmentSignals["blank"] => it && { ...it, cores };
  const { blank, frame, worker } = environment;
  return {
    ...environment,
    cores,
    screen: [width, height, width, height - 40, 24],
    viewport: [width, height - 127, width + 16, height - 24],
    blank: place(blank),
    frame: place(frame),
    worker: place(worker),
  };
}

type Answering = "deaf" | "clicks";

function visitOf(visitor: HonestEvidence, doing: Doing, answering: Answering, random: Random): Claims {
  const beforeMs = between(random, BEFORE_MS.least, BEFORE_MS.most);
  const happened = doing(random, beforeMs);
  const isTouch = visitor.environment.touchPoints > 0;
  const behaviour = ({ isAsked, visitMs, solveMs }: Round): string => {
    const durationMs = beforeMs + visitMs;
    const pressMs = durationMs - 250;
    const isAnswered = isAsked && answering === "clicks";
    const press = isTouch ? tapWidget(random, pressMs) : pressSpace(pressMs);
    const { pointer, keys: typed } = isAnswered ? press : nothing(random, 0);
    return encode({
      ...visitor.behaviour,
      durationMs,
      solveMs,
      pointer: [...happened.pointer, ...pointer],
      keys: [...happened.keys, ...typed],
      focus: [[120, 1]],
      visibility: [],
      scroll: [],
      box: BOX,
    });
  };
  return {
    headers: [ORIGIN, ...Object.entries(visitor.headers)],
    environment: encode(vary(visitor.environment, random)),
    behaviour,
    waitsForClickMs: answering === "clicks" ? REACTION_MS : 0,
  };
}

const GUISES = [
  ["nothing", "Chrome on Windows, mouse", nothing],
  ["keys", "Chrome on Windows, mouse", keys],
  ["taps", "Chrome on Android", taps],
  ["firefox", "Firefox on Linux, keyboard only", keys],
] as const satisfies readonly (readonly [string, string, Doing])[];

const NAMED = (["deaf", "clicks"] as const).flatMap((answering) =>
  GUISES.map(([guise, person, doing]) => {
    const name = `forger-${guise}${answering === "clicks" ? "-clicks" : ""}`;
    return { name, claim: (random: Random) => visitOf(findVisitor(person), doing, answering, random) };
  }),
);

/** What the forger of that name hands in on one visit; throws if there is none. */
export function claimsOfForger(name: string, random: Random): Claims {
  const forger = NAMED.find((it) => it.name === name);
  if (forger === undefined) throw new Error(`no forger is named ${name}`);
  return forger.claim(random);
}

/**
 * Forgers by what they say was done: nothing, keys, taps, and keys in a browser that tells little of itself. Each comes twice:
 * as one that does not hear what it is asked for, and as one that waits a moment and says that it pressed.
 */
export const FORGERS: readonly Tool[] = NAMED.map(({ name }) =>
  raw(name, async (_visit, { random }) => claimsOfForger(name, random)),
);
