import type { Random } from "@stile/risk/seeded-random";
import type { Path } from "@stile/risk/trajectory/segment";
import { toCourse } from "@stile/risk/trajectory/shape";
import { evenly, normally, oneOf, wholly } from "../distributions.ts";
import { type Curve, curveOf, valueAt } from "./curve.ts";

const GRID = 64;

type Shape = { readonly u: Float64Array; readonly v: Float64Array };
const shapeOf = (path: Path): Shape => toCourse(path, GRID);

/** The first `terms` cosine terms of a list. */
function cosinesOf(values: Float64Array, terms: number): number[] {
  return Array.from({ length: terms }, (_, k) => {
    let sum = 0;
    for (let i = 0; i < values.length; i++)
      sum += (values[i] ?? 0) * Math.cos((Math.PI * k * (i + 0.5)) / values.length);
    return ((k === 0 ? 1 : 2) * sum) / values.length;
  });
}

const summed = (terms: readonly number[], share: number): number =>
  terms.reduce(
    (sum, term, k) => sum + term * Math.cos((Math.PI * k * (share * (GRID - 1) + 0.5)) / GRID),
    0,
  );

/**
 * A mix of two people's shapes, reduced to a few noisy cosine terms, as drawn by a model that
 * learned from people.
 */
export function latent(random: Random, people: readonly Path[]): Curve {
  const [one, other] = [shapeOf(oneOf(random, people)), shapeOf(oneOf(random, people))];
  const share = evenly(random, 0, 1);
  const terms = wholly(random, 4, 20);
  const shaken = random() < 0.4 ? evenly(random, 0, 0.3) : 0;
  const mix = (of: (shape: Shape) => Float64Array): number[] => {
    const mixed = of(one).map((value, i) => share * value + (1 - share) * (of(other)[i] ?? 0));
    return cosinesOf(mixed, terms).map((term) => term * (1 + normally(random, shaken)));
  };
  const along = mix(({ u }) => u.map((value, i) => value - i / (GRID - 1)));
  const across = mix(({ v }) => v);
  return curveOf((at) => [
    at + summed(along, at) - ends(along, at),
    summed(across, at) - ends(across, at),
  ]);
}

/** The deviation of the first and the last point, linear between them. */
const ends = (terms: readonly number[], at: number): number =>
  (1 - at) * summed(terms, 0) + at * summed(terms, 1);

/** The path of one person at the pace of another. */
export function forgedTiming(random: Random, people: readonly Path[]): Curve {
  const [shape, pace] = [shapeOf(oneOf(random, people)), shapeOf(oneOf(random, people))];
  const covered = (of: Shape): number[] => {
    let sum = 0;
    const sums = Array.from(of.u, (u, i) => {
      sum += i === 0 ? 0 : Math.hypot(u - (of.u[i - 1] ?? 0), (of.v[i] ?? 0) - (of.v[i - 1] ?? 0));
      return sum;
    });
    return sums.map((value) => value / (sum || 1));
  };
  const [way, time] = [covered(shape), covered(pace)];
  return curveOf((share) => {
    const wanted = valueAt(time, share);
    const after = way.findIndex((value) => value >= wanted);
    const at =
      after <= 0
        ? 0
        : after -
          1 +
          (wanted - (way[after - 1] ?? 0)) / ((way[after] ?? 1) - (way[after - 1] ?? 0) || 1);
    return [valueAt(shape.u, at / (GRID - 1)), valueAt(shape.v, at / (GRID - 1))];
  });
}

/**
 * Two to four pieces of people's paths, each turned and scaled to continue where the one before
 * ended.
 */
export function stitched(random: Random, people: readonly Path[]): Curve {
  const pieces = Array.from({ length: wholly(random, 2, 4) }, () => shapeOf(oneOf(random, people)));
  const share = 1 / pieces.length;
  return curveOf((at) => {
    const index = Math.min(pieces.length - 1, Math.floor(at / share));
    let [x, y] = [0, 0];
    for (let i = 0; i <= index; i++) {
      const piece = pieces[i];
      if (piece === undefined) continue;
      const until = i === index ? at : (i + 1) * share;
      x += valueAt(piece.u, until) - valueAt(piece.u, i * share);
      y += valueAt(piece.v, until) - valueAt(piece.v, i * share);
    }
    return [x, y];
  });
}
