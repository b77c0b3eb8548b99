import type { PointerSample } from "@stile/protocol/signals";
import type { Approach, MakePath } from "./made-up-paths.ts";
import type { Place, Way } from "./paths.ts";
import type { RecordedPaths } from "./recorded-paths.ts";

type Random = () => number;
type StolenWay = Way & { readonly start: Place };
type Step = Way["steps"][number];

/** How many of people's paths a thief has, from its own page that many people visited. */
const LOOT = 20;
const TARGET = { x: 60, y: 425, width: 200, height: 50 };
const PAGE = { x: 0, y: 0, width: 1366, height: 768 };
/** How many bends a path gets, and how far they lead off it at most, as a share of its length. */
const [BENDS, BEND_SHARE] = [3, 0.02];
/** A bent path takes up to this share more or less time than the original. */
const TIME_SHARE = 0.12;

const between = (random: Random, least: number, most: number): number =>
  least + (most - least) * random();

/** Paths of the recorded users, stolen at the first call; later calls return the same ones. */
export function stealWays(people: () => RecordedPaths): () => readonly StolenWay[] {
  let loot: readonly StolenWay[] | undefined;
  return () => {
    loot ??= Array.from({ length: LOOT }, () => people().choose(TARGET, PAGE));
    return loot;
  };
}

/**
 * Moves, then press, release and click, timed so that the click is at `clickMs`, somewhere on the
 * target.
 */
function toSamples(
  steps: readonly Step[],
  { restMs, pressMs }: Way,
  clickMs: number,
  random: Random,
) {
  const last = steps.at(-1) ?? { x: 0, y: 0 };
  const downMs = clickMs - 1 - pressMs;
  const travelMs = steps.reduce((sum, { afterMs }) => sum + afterMs, 0);
  let ms = downMs - restMs - travelMs;
  let at: Place | undefined;
  const moves = steps.map(({ x, y, afterMs }): PointerSample => {
    ms += afterMs;
    const [dx, dy] = at === undefined ? [0, 0] : [x - at.x, y - at.y];
    at = { x, y };
    return [ms, x, y, 0, 0, 0, 1, dx, dy, 1];
  });
  const [aside, above] = [between(random, -60, 60), between(random, -9, 9)];
  const press: PointerSample[] = [
    [downMs, last.x, last.y, 1, 0, 0.5, 1, aside, above],
    [clickMs - 1, last.x, last.y, 2, 0, 0, 1],
    [clickMs, last.x, last.y, 4, 0, 0, 1, aside, above],
  ];
  return [...moves, ...press];
}

const pick = (ways: readonly StolenWay[], random: Random): StolenWay => {
  const way = ways[Math.floor(random() * ways.length)];
  if (way === undefined) throw new Error("nothing was stolen");
  return way;
};

/** One of the paths as it was walked, shifted to its new end. */
export const replayedPath =
  (ways: () => readonly StolenWay[]): MakePath =>
  ({ to, clickMs }, random) => {
    const way = pick(ways(), random);
    const end = way.steps.at(-1) ?? way.start;
    const [dx, dy] = [Math.round(to.x - end.x), Math.round(to.y - end.y)];
    const steps = way.steps.map((step) => ({ ...step, x: step.x + dx, y: step.y + dy }));
    return toSamples(steps, way, clickMs, random);
  };

/**
 * Turned and stretched from its own two ends to others, and bent by slow waves that leave the ends
 * where they are.
 */
function bend({ steps, start }: StolenWay, { from, to }: Approach, random: Random): Step[] {
  const end = steps.at(-1) ?? start;
  const [ox, oy, nx, ny] = [end.x - start.x, end.y - start.y, to.x - from.x, to.y - from.y];
  const square = ox * ox + oy * oy || 1;
  const [along, across] = [(ox * nx + oy * ny) / square, (ox * ny - oy * nx) / square];
  const waves = Array.from(
    { length: BENDS },
    (_, i) => between(random, -BEND_SHARE, BEND_SHARE) / (i + 1),
  );
  const pace = between(random, 1 - TIME_SHARE, 1 + TIME_SHARE);
  return steps.map(({ x, y, afterMs }, i) => {
    const [px, py] = [x - start.x, y - start.y];
    const share = (i + 1) / steps.length;
    const off = waves.reduce((sum, wave, k) => sum + wave * Math.sin(Math.PI * (k + 1) * share), 0);
    return {
      x: Math.round(from.x + px * along - py * across - ny * off),
      y: Math.round(from.y + px * across + py * along + nx * off),
      afterMs: afterMs * pace,
    };
  });
}

/** One of the paths, fitted to its new ends and never the same twice. */
export const bentPath =
  (ways: () => readonly StolenWay[]): MakePath =>
  (approach, random) => {
    const way = pick(ways(), random);
    return toSamples(bend(way, approach, random), way, approach.clickMs, random);
  };
