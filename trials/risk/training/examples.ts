import { createRandom, type Random, seedOf } from "@stile/risk/seeded-random";
import { extractFeatures } from "@stile/risk/trajectory/features";
import { preparePath, type Segment } from "@stile/risk/trajectory/segment";
import { type Abstention, findAbstention, type Support } from "@stile/risk/trajectory/support";
import { copyOnDevice, type Device, drawDevice, type Regime } from "./device-copies.ts";
import type { Folds } from "./folds.ts";
import { toDonor } from "./made-up/context.ts";
import { makeUp, SCORED_FAMILIES, TRAINED_FAMILIES } from "./made-up/make-up.ts";
import type { Recording } from "./read-examples.ts";
import { drawSlowDevice } from "./slow-devices.ts";

/** One path within the support, in the form that the trainer uses. */
export type Example = {
  readonly features: Float64Array;
  readonly isBot: boolean;
  readonly source: string;
  /** The author: a person's name; for programs, one for each recording. */
  readonly subject: string;
  /** The program that drew it; "human" for people. */
  readonly generator: string;
  /**
   * The part of the recordings that it belongs to; programs that borrow from people belong to these
   * people's part.
   */
  readonly fold: number;
  /** The synthetic device of a copy; undefined for a path as it was recorded or drawn. */
  readonly device?: { readonly name: string; readonly regimes: readonly Regime[] } | undefined;
};

/** A path that the model does not score. */
export type Abstained = Pick<Example, "isBot" | "source" | "subject" | "generator" | "fold"> & {
  readonly why: Abstention;
  /** As in Example. */
  readonly device?: Example["device"];
};

/** The paths that the model scores (trajectory model, support). */
export const SUPPORT: Support = {
  medianGapMs: 25,
  longGapMs: 40,
  longGapShare: 0.2,
  samples: 10,
  slowMedianGapMs: 70,
  slowLongGapMs: 175,
  slowSamples: 16,
  linePx: 40,
  lineShare: 0.3,
};

/** The features of a path, or why it is not scored; undefined if too little moved to be a path. */
export function describePath(events: Segment): Float64Array | Abstention | undefined {
  const path = preparePath(events);
  return path && (findAbstention(path, SUPPORT) ?? extractFeatures(path));
}

/**
 * How many paths of a person share a synthetic device: visits of several paths come from one
 * device, too.
 */
export const PATHS_A_DEVICE = 12;
/** How many devices are tried for a path before it is left without a copy. */
const ATTEMPTS = 4;
/** Copies at each kind of rate: usual ones, and slow ones. */
const PEOPLES_COPIES = 2;
/** Paths of each synthetic family, over all folds. */
const MADE_UP = 2000;
/** Every second path of a synthetic family gets a copy. */
const COPIED = 2;

type Origin = Omit<Example, "features" | "device">;

type DrawDevice = (random: Random) => Device;
const RATES: readonly (readonly [name: string, draw: DrawDevice])[] = [
  ["", drawDevice],
  [" slow", drawSlowDevice],
];

function toCopy(
  origin: Origin,
  events: Segment,
  name: string,
  seed: string,
  draw: DrawDevice,
): Example[] {
  const random = createRandom(seedOf(seed));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const named = `${name} ${attempt}`;
    const device = draw(createRandom(seedOf(named)));
    const features = describePath(copyOnDevice(events, device, random));
    if (!(features instanceof Float64Array)) continue;
    return [{ ...origin, features, device: { name: named, regimes: device.regimes } }];
  }
  return [];
}

/** All paths that a model is trained on and evaluated by, and those that it does not score. */
export type Paths = {
  readonly examples: readonly Example[];
  readonly abstained: readonly Abstained[];
};

type Collected = { readonly examples: Example[]; readonly abstained: Abstained[] };

function collect(
  into: Collected,
  origin: Origin,
  events: Segment,
  copies: readonly string[],
): void {
  const features = describePath(events);
  if (typeof features === "string") into.abstained.push({ ...origin, why: features });
  else if (features !== undefined) into.examples.push({ ...origin, features });
  const path = `${origin.generator} ${origin.subject} ${events.length} ${events[0]?.join()}`;
  for (const [rate, draw] of RATES)
    for (const name of copies.map((copy) => `${copy}${rate}`))
      into.examples.push(...toCopy(origin, events, name, `${name} ${path}`, draw));
}

const familyName = (name: string): string => `made-up ${name}`;

/** Names of the synthetic programs that are scored and never trained on. */
export const SCORED_ONLY: readonly string[] = Object.keys(SCORED_FAMILIES).map(familyName);

/**
 * Turns recordings into examples: each as it is, and as other devices would have reported it
 * (people twice, programs once). Adds synthetic programs, which borrow from the people of one fold
 * each. The same recordings give the same examples.
 */
export function toPaths(recordings: readonly Recording[], folds: Folds): Paths {
  const paths: Collected = { examples: [], abstained: [] };
  const counts = new Map<string, number>();
  for (const recording of recordings) {
    const { kind, generator, source, subject } = recording;
    const origin = { isBot: kind === "bot", source, subject, generator, fold: folds.of(recording) };
    const whose = origin.isBot ? `${generator} ${subject}` : subject;
    const seen = counts.get(whose) ?? 0;
    counts.set(whose, seen + 1);
    const copies = Array.from({ length: origin.isBot ? 1 : PEOPLES_COPIES }, (_, copy) => {
      return `${whose} ${Math.floor(seen / PATHS_A_DEVICE)} ${copy}`;
    });
    collect(paths, origin, recording.events, copies);
  }
  for (let fold = 0; fold < folds.count; fold++) addMadeUp(paths, recordings, folds, fold);
  return paths;
}

function addMadeUp(
  paths: Collected,
  recordings: readonly Recording[],
  folds: Folds,
  fold: number,
): void {
  const donors = recordings.flatMap((recording) => {
    if (recording.kind !== "human" || folds.of(recording) !== fold) return [];
    return toDonor(recording.events) ?? [];
  });
  if (donors.length === 0) return;
  const each = Math.min(MADE_UP / folds.count, 2 * donors.length);
  for (const [name, family] of Object.entries({ ...TRAINED_FAMILIES, ...SCORED_FAMILIES })) {
    const generator = familyName(name);
    for (let i = 0; i < each; i++) {
      const subject = `${fold} ${i}`;
      const random = createRandom(seedOf(`${generator} ${subject}`));
      const origin = { isBot: true, source: "made-up", subject, generator, fold };
      const copies = i % COPIED === 0 ? [`${generator} ${subject}`] : [];
      collect(paths, origin, makeUp(family, donors, random), copies);
    }
  }
}
