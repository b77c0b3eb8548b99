import type { Random } from "@stile/risk/seeded-random";
import type { Path, Segment } from "@stile/risk/trajectory/segment";
import { evenly } from "../distributions.ts";
import { type Context, type Donor, drawContext } from "./context.ts";
import { type Curve, valueAt } from "./curve.ts";
import { drawDirt } from "./dirt.ts";
import { forgedTiming, latent, stitched } from "./from-people.ts";
import { bezier, drawn, forces, lognormalStrokes, submovements } from "./programs.ts";

type Family = (random: Random, people: readonly Path[]) => Curve | undefined;

/** Families of programs that the model is trained on; each draws new numbers for every path. */
export const TRAINED_FAMILIES = {
  lognormalStrokes,
  submovements,
  bezier,
  forces,
  drawn,
  latent,
} satisfies Record<string, Family>;

/**
 * People's own movement, recombined. Only scored: training on it finds no more of it and costs
 * accuracy elsewhere.
 */
export const SCORED_FAMILIES = { forgedTiming, stitched } satisfies Record<string, Family>;

function report({ along, across }: Curve, { from, to, times }: Context, random: Random): Segment {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const [dirtX, dirtY] = drawDirt(random);
  const lastMs = times.at(-1) || 1;
  const moves: [number, number, number, "m"][] = [];
  let [beforeX, beforeY, beforeMs] = [from[0], from[1], 0];
  for (const ms of times) {
    const share = ms / lastMs;
    const [u, v] = [valueAt(along, share), valueAt(across, share)];
    const cleanX = from[0] + u * dx - v * dy;
    const cleanY = from[1] + u * dy + v * dx;
    const speed = Math.hypot(cleanX - beforeX, cleanY - beforeY) / Math.max(1, ms - beforeMs);
    [beforeX, beforeY, beforeMs] = [cleanX, cleanY, ms];
    const x = Math.round(cleanX + dirtX(ms, share, speed));
    const y = Math.round(cleanY + dirtY(ms, share, speed));
    const last = moves.at(-1);
    if (last === undefined || last[1] !== x || last[2] !== y) moves.push([ms, x, y, "m"]);
  }
  const [ms, x, y] = moves.at(-1) ?? [0, 0, 0];
  const pressMs = ms + evenly(random, 20, 220);
  return [...moves, [pressMs, x, y, "d"], [pressMs + evenly(random, 40, 140), x, y, "u"]];
}

const ATTEMPTS = 20;

/** One path of a family, drawn as by a program that borrows what it needs from these people. */
export function makeUp(family: Family, donors: readonly Donor[], random: Random): Segment {
  const people = donors.map(({ path }) => path);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const curve = family(random, people);
    if (curve !== undefined) return report(curve, drawContext(random, donors), random);
  }
  throw new Error("a family of programs draws nothing");
}
