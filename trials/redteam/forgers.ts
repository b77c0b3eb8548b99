import { toBatch } from "@stile/protocol/batch";
import type {
  BehaviourSignals,
  EnvironmentSignals,
  PointerSample,
  ToggleSample,
} from "@stile/protocol/signals";
import {
  CHROME_VISITOR,
  findVisitor,
  type HonestEvidence,
} from "@stile/testkit/visits/find-visitor";
import { createApartPath, drawnPath, type MakePath, searchedPath } from "./made-up-paths.ts";
import type { Claims, Round } from "./raw-client.ts";
import { encode, ORIGIN, raw } from "./raw-tools.ts";
import type { Tool } from "./tool.ts";
import { TRIVIAL_INPUTS } from "./trivial-inputs.ts";

// Clients without a browser, by attackers who read the source, that generate each visit from
// scratch. The parts that they copy are consistent, so only the input that they claim can give them
// away.

type Random = () => number;
type Happened = Pick<BehaviourSignals, "pointer" | "keys">;

/** The input that a forger claims until its submission, whatever it is asked for. */
export type Doing = (random: Random, untilMs: number) => Happened;

/** How it claims to have pressed the widget around that moment. */
export type Pressing = (random: Random, ms: number) => Happened;

const BOX = [32, 418, 300, 65] as const;
/** How long the page was open before its first challenge, as the forger claims, ms. */
const BEFORE_MS = { least: 1_500, most: 6_000 };
/** How long it waits before it claims to have made the click that it was asked for, ms. */
const REACTION_MS = 900;

const between = (random: Random, least: number, most: number): number =>
  least + (most - least) * random();
const oneOf = <T>(random: Random, values: readonly [T, ...T[]]): T =>
  values[Math.floor(random() * values.length)] ?? values[0];

const nothing: Doing = () => ({ pointer: [], keys: [] });

/** Typing with the spread of people's: holds of 60 to 140 ms, and occasional long pauses. */
const keys: Doing = (random, untilMs) => {
  const typed: ToggleSample[] = [];
  for (
    let ms = between(random, 300, 900);
    ms < untilMs - 200;
    ms += between(random, 70, 190) / (0.15 + random())
  ) {
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

/**
 * Taps on two fields of a form, and no keyboard: a screen keyboard sends no meaningful key times.
 */
const taps: Doing = (random, untilMs) => ({
  pointer: [0.3, 0.7].flatMap((share, row) =>
    tap(
      random,
      untilMs * share,
      between(random, 60, 300),
      140 + 90 * row + between(random, -12, 12),
    ),
  ),
  keys: [],
});

/**
 * Two fields of a form, the first near where the pointer came from, each pressed and typed into.
 */
export const mouse =
  (makePath: MakePath): Doing =>
  (random, untilMs) => {
    const fields = [160, 250].map((y) => ({
      x: between(random, 60, 280),
      y: y + between(random, -10, 10),
    }));
    const starts = [{ x: between(random, 300, 900), y: between(random, 350, 650) }, ...fields];
    const pointer = fields.flatMap((to, row) => {
      const from = starts[row] ?? to;
      return makePath({ from, to, clickMs: untilMs * (row === 0 ? 0.55 : 0.95) }, random);
    });
    const typed = keys(random, untilMs).keys.filter(
      ([ms]) => ms > untilMs * 0.6 && ms < untilMs * 0.75,
    );
    return { pointer: pointer.filter(([ms]) => ms > 0), keys: typed };
  };

/** From the last field on to the widget, by mouse. */
export const pressByMouse =
  (makePath: MakePath): Pressing =>
  (random, ms) => {
    const [left, top, width, height] = BOX;
    const to = {
      x: left + width * between(random, 0.15, 0.6),
      y: top + height * between(random, 0.3, 0.7),
    };
    return {
      pointer: makePath({ from: { x: 150, y: 250 }, to, clickMs: ms + 90 }, random),
      keys: [],
    };
  };

/** Space on the focused widget. */
const pressSpace: Pressing = (_random, ms) => {
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
};

/** A tap on the widget. */
const tapWidget: Pressing = (random, ms) => {
  const [left, top, width, height] = BOX;
  const [x, y] = [
    left + width * between(random, 0.2, 0.8),
    top + height * between(random, 0.3, 0.7),
  ];
  return { pointer: tap(random, ms, x, y), keys: [] };
};

/** Another screen and another machine each time, from the common ones. */
function vary(environment: EnvironmentSignals, random: Random): EnvironmentSignals {
  if (environment.touchPoints > 0)
    return { ...environment, memory: environment.memory && oneOf(random, [4, 6, 8]) };
  const [width, height] = oneOf(random, [
    [1920, 1080] as const,
    [2560, 1440],
    [1680, 1050],
    [1536, 864],
  ]);
  const cores = oneOf(random, [4, 8, 12, 16]);
  const place = (it: EnvironmentSignals["blank"]): EnvironmentSignals["blank"] =>
    it && { ...it, cores };
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

/** Whether it claims to have pressed when it is asked to, and keeps to the service's clock. */
export type Answering = "deaf" | "clicks" | "hasty";

/** A synthetic visit: the copied visitor, the claimed input, and how it answers. */
export function visitOf(
  visitor: HonestEvidence,
  [doing, pressing]: readonly [Doing, Pressing],
  answering: Answering,
  random: Random,
): Claims {
  const beforeMs = between(random, BEFORE_MS.least, BEFORE_MS.most);
  const happened = doing(random, beforeMs);
  const signals = ({ isAsked, visitMs, solveMs }: Round): BehaviourSignals => {
    const durationMs = beforeMs + visitMs;
    const pressMs = durationMs - 250;
    const isAnswered = isAsked && answering !== "deaf";
    const { pointer, keys: typed } = isAnswered ? pressing(random, pressMs) : nothing(random, 0);
    return {
      ...visitor.behaviour,
      durationMs,
      solveMs,
      pointer: [...happened.pointer, ...pointer],
      keys: [...happened.keys, ...typed],
      focus: [[120, 1]],
      visibility: [],
      scroll: [],
      box: BOX,
    };
  };
  return {
    headers: [ORIGIN, ...Object.entries(visitor.headers)],
    environment: encode(vary(visitor.environment, random)),
    behaviour: (round) => encode(signals(round)),
    ...(answering !== "hasty" && { batch: (round) => toBatch(signals(round)) }),
    waitsForClickMs: answering === "deaf" ? 0 : REACTION_MS,
  };
}

/** One forger that remembers its drawn paths, in all its variants. */
const apartPath = createApartPath();

const GUISES = [
  ["nothing", "Chrome on Windows, mouse", nothing, pressSpace],
  ["keys", "Chrome on Windows, mouse", keys, pressSpace],
  ["taps", "Chrome on Android", taps, tapWidget],
  ["firefox", "Firefox on Linux, keyboard only", keys, pressSpace],
  ["drawn", "Chrome on Windows, mouse", mouse(drawnPath), pressByMouse(drawnPath)],
  ["searched", "Chrome on Windows, mouse", mouse(searchedPath), pressByMouse(searchedPath)],
  ["apart", "Chrome on Windows, mouse", mouse(apartPath), pressByMouse(apartPath)],
] as const satisfies readonly (readonly [string, string, Doing, Pressing])[];

const VARIANTS = [
  ["", "deaf"],
  ["-clicks", "clicks"],
  ["-hasty", "hasty"],
] as const;

/** Asks for the work of a browser without WebAssembly, and takes as long as one. */
const REDUCED = {
  name: "forger-taps-reduced",
  claim: (random: Random): Claims => ({
    ...visitOf(findVisitor("iPhone"), [taps, tapWidget], "deaf", random),
    lacksWebAssembly: true,
  }),
};

const MADE_UP = VARIANTS.flatMap(([variant, answering]) =>
  GUISES.map(([guise, person, ...hands]) => ({
    name: `forger-${guise}${variant}`,
    claim: (random: Random): Claims => visitOf(findVisitor(person), hands, answering, random),
  })),
);

/** Forgers that claim next to nothing, and ignore requests. */
const TRIVIAL = Object.entries(TRIVIAL_INPUTS).map(([name, input]) => ({
  name: `forger-${name}`,
  claim: (random: Random): Claims => visitOf(CHROME_VISITOR, [input, pressSpace], "deaf", random),
}));

const NAMED = [...MADE_UP, REDUCED, ...TRIVIAL];

/** The submission of the forger with that name on one visit; throws if there is none. */
export function claimsOfForger(name: string, random: Random): Claims {
  const forger = NAMED.find((it) => it.name === name);
  if (forger === undefined) throw new Error(`no forger is named ${name}`);
  return forger.claim(random);
}

/**
 * Forgers by the input that they claim: nothing, keys, taps, keys in a browser that reveals little
 * of itself, and a mouse along paths. Those paths were drawn, or searched against the published
 * model, or searched and kept apart from all that the forger drew before. Each comes in three
 * variants. One ignores requests. One waits a moment and claims that it pressed. One does that
 * without reporting its observations in time or holding its visit open. One more taps on a phone
 * that claims to have no WebAssembly, and the last ones claim the least that is not nothing.
 */
export const FORGERS: readonly Tool[] = NAMED.map(({ name }) =>
  raw(name, async (_visit, { random }) => claimsOfForger(name, random)),
);
