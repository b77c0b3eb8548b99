import type { PointerSample } from "@stile/protocol/signals";

// The least input that somebody who read the source can claim, so that a visit is not empty.

type Random = () => number;
/** The input until that moment, ms of the visit. */
type Trivial = (
  random: Random,
  untilMs: number,
) => { readonly pointer: readonly PointerSample[]; readonly keys: [] };
type Place = { readonly x: number; readonly y: number };

const between = (random: Random, least: number, most: number): number =>
  least + (most - least) * random();
const somewhere = (random: Random): Place => ({
  x: between(random, 100, 900),
  y: between(random, 100, 600),
});

/** The mouse at those places, one after another, the last of them at `lastMs`. */
function moves(
  places: readonly Place[],
  lastMs: number,
  everyMs: number,
): readonly PointerSample[] {
  const whole = places.map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }));
  return whole.map(({ x, y }, at): PointerSample => {
    const from = whole[at - 1] ?? { x: x - 3, y };
    return [
      lastMs - (whole.length - 1 - at) * everyMs,
      x,
      y,
      0,
      0,
      0,
      1,
      x - from.x,
      y - from.y,
      1,
    ];
  });
}

/** The mouse along a straight line in equal steps, and no press. */
const line =
  (count: number, everyMs: number): Trivial =>
  (random, untilMs) => {
    const [from, to] = [somewhere(random), somewhere(random)];
    const places = Array.from({ length: count }, (_, at) => ({
      x: from.x + ((to.x - from.x) * at) / (count - 1),
      y: from.y + ((to.y - from.y) * at) / (count - 1),
    }));
    return { pointer: moves(places, untilMs * between(random, 0.8, 0.95), everyMs), keys: [] };
  };

/** The mouse at random places, and no press: it takes next to no thought. */
const scribble: Trivial = (random, untilMs) => {
  let at = somewhere(random);
  const places = Array.from({ length: 30 }, () => {
    at = { x: at.x + between(random, -30, 30), y: at.y + between(random, -30, 30) };
    return at;
  });
  return { pointer: moves(places, untilMs * between(random, 0.8, 0.95), 16.7), keys: [] };
};

/** One event of that kind and type (`POINTER_KINDS`, `POINTER_TYPES`). */
const single =
  (kind: number, type: number): Trivial =>
  (random, untilMs) => {
    const { x, y } = somewhere(random);
    return { pointer: [[untilMs * between(random, 0.2, 0.8), x, y, kind, type, 0, 1]], keys: [] };
  };

/** A press as screen readers make it: without a path, without pressure, and not held. */
const barePress: Trivial = (random, untilMs) => {
  const { x, y } = somewhere(random);
  const ms = untilMs * between(random, 0.2, 0.8);
  return {
    pointer: [
      [ms, x, y, 1, 0, 0, 1],
      [ms + 0.7, x, y, 2, 0, 0, 1],
      [ms + 1.1, x, y, 4, 0, 0, 1],
    ],
    keys: [],
  };
};

/** By the name of the forger, the cheapest first. */
export const TRIVIAL_INPUTS = {
  twitch: (random, untilMs) => ({
    pointer: moves([somewhere(random)], untilMs * between(random, 0.2, 0.8), 0),
    keys: [],
  }),
  "pen-cancel": single(3, 2),
  "lone-release": single(2, 0),
  line: line(6, 16.7),
  "long-line": line(40, 16.7),
  "slow-line": line(8, 120),
  scribble,
  "bare-press": barePress,
} as const satisfies Readonly<Record<string, Trivial>>;
