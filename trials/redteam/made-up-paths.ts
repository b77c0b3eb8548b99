import type { PointerSample } from "@stile/protocol/signals";
import { COMMON_NETWORKS, toPathShape } from "@stile/risk/trajectory/path-shape";
import { scoreVisit } from "@stile/risk/trajectory/score-visit";
import { visitPaths } from "@stile/risk/trajectory/visit-paths";
import { createPathMemory } from "@stile/stores/process/paths/path-memory";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import { decoded } from "@stile/testkit/visits/handed-in";
import type { Place } from "./paths.ts";

type Random = () => number;

/** From one place to a press at another, which becomes a click at that time, ms of the visit. */
export type Approach = { readonly from: Place; readonly to: Place; readonly clickMs: number };

/** A path that a forger claims for its mouse: moves, then press, release and click. */
export type MakePath = (approach: Approach, random: Random) => readonly PointerSample[];

const FRAME_MS = 1000 / 60;
const between = (random: Random, least: number, most: number): number =>
  least + (most - least) * random();
/** A normally distributed number with mean 0, as the sum of twelve uniform ones. */
function normal(random: Random): number {
  let sum = -6;
  for (let drawn = 0; drawn < 12; drawn++) sum += random();
  return sum;
}

/** Movement of least jerk, earlier or later in its middle: the share of the path covered. */
const eased = (share: number, skew: number): number => {
  const t = share ** skew;
  return t * t * t * (10 + t * (6 * t - 15));
};

/**
 * A curve with a hand's tempo, a correction near its end, tremor that grows with speed, and a
 * screen's frames.
 */
export const drawnPath: MakePath = ({ from, to, clickMs }, random) => {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const holdMs = between(random, 55, 130);
  const restMs = between(random, 60, 260);
  const length = Math.hypot(dx, dy);
  const travelMs =
    between(random, 140, 300) + between(random, 70, 190) * Math.log2(length / 24 + 1);
  const [bend, skew, overshoot] = [
    between(random, -0.2, 0.2),
    between(random, 0.65, 1.1),
    between(random, -0.06, 0.06),
  ];
  const tremor = between(random, 0.2, 1.1);
  const startMs = clickMs - holdMs - restMs - travelMs;
  const moves: PointerSample[] = [];
  let at = from;
  for (let ms = between(random, 0, FRAME_MS); ms < travelMs; ms += FRAME_MS) {
    const share = ms / travelMs;
    const along = eased(share, skew) + overshoot * Math.sin(Math.PI * share) * share;
    const across = bend * Math.sin(Math.PI * along) * (1 - 0.5 * share);
    const shake = tremor * (0.3 + Math.sin(Math.PI * share));
    const x = Math.round(from.x + dx * along - dy * across + shake * normal(random));
    const y = Math.round(from.y + dy * along + dx * across + shake * normal(random));
    if (x === at.x && y === at.y) continue;
    moves.push([startMs + ms + between(random, 0, 2), x, y, 0, 0, 0, 1, x - at.x, y - at.y, 1]);
    at = { x, y };
  }
  const [x, y] = [at.x, at.y];
  const [aside, above] = [between(random, -60, 60), between(random, -9, 9)];
  return [
    ...moves,
    [clickMs - holdMs, x, y, 1, 0, 0.5, 1, aside, above],
    [clickMs - 1, x, y, 2, 0, 0, 1],
    [clickMs, x, y, 4, 0, 0, 1, aside, above],
  ];
};

function behaviourOf(pointer: readonly PointerSample[]) {
  const durationMs = (pointer.at(-1)?.[0] ?? 0) + 500;
  return decoded({ ...CHROME_VISITOR.behaviour, durationMs, pointer });
}

/**
 * How strongly the published model suspects a path; a path that it does not score counts as
 * neutral.
 */
const suspicionOf = (pointer: readonly PointerSample[]): number =>
  scoreVisit(behaviourOf(pointer))?.logOdds ?? 0;

/**
 * How many drawn paths a searcher tries, to keep the one that the published model suspects least.
 */
const TRIES = 200;

/** Drawn paths, sorted by the model that anybody can read, the least suspected first. */
function searchPaths(approach: Approach, random: Random): readonly (readonly PointerSample[])[] {
  const tries = Array.from({ length: TRIES }, () => drawnPath(approach, random));
  const scored = tries.map((path) => ({ path, suspicion: suspicionOf(path) }));
  return scored.sort((one, other) => one.suspicion - other.suspicion).map(({ path }) => path);
}

/** The best of many drawn paths. */
export const searchedPath: MakePath = (approach, random) => searchPaths(approach, random)[0] ?? [];

/** More paths than a run draws. */
const REMEMBERED = 10_000;

/**
 * The best of many drawn paths that the service's memory does not recognise. The forger runs that
 * memory over all its own paths, as if every path came from another network. If no such path is
 * left, the best of all.
 */
export function createApartPath(): MakePath {
  const memory = createPathMemory({ perSite: REMEMBERED, inAll: REMEMBERED });
  let paths = 0;
  return (approach, random) => {
    const origin = { networks: [paths++], era: 0, nowMs: 0 };
    const shapesOf = (path: readonly PointerSample[]) =>
      visitPaths(behaviourOf(path)).flatMap((it) => toPathShape(it) ?? []);
    const isApart = (path: readonly PointerSample[]): boolean => {
      const known = shapesOf(path);
      const own = known.flatMap(({ shape, isOwn }) => (isOwn ? [shape] : []));
      const all = known.map(({ shape }) => shape);
      const isNear = memory.nearest("site", own, origin) !== undefined;
      return !isNear && memory.networksNear("site", all, origin) < COMMON_NETWORKS;
    };
    const found = searchPaths(approach, random);
    const path = found.find(isApart) ?? found[0] ?? [];
    memory.record(
      "site",
      shapesOf(path).map(({ shape }) => shape),
      origin,
    );
    return path;
  };
}
