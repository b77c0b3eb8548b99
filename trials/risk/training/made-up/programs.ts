import type { Random } from "@stile/risk/seeded-random";
import { minimumJerk } from "@stile/risk/trajectory/shape";
import { evenly, evenlyInLog, normally, wholly } from "../distributions.ts";
import { type Curve, curveOf, drawEasing, drawSines, POINTS, stretched } from "./curve.ts";

const several = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Overlapping lognormal strokes, some of them backwards (Plamondon's kinematic theory). */
export function lognormalStrokes(random: Random): Curve | undefined {
  const strokes = several(wholly(random, 1, 8), (i) => {
    const span = i === 0 ? evenly(random, 0.35, 0.95) : evenly(random, 0.12, 0.5);
    const weight = i === 0 ? 1 : evenlyInLog(random, 0.02, 0.6) * (random() < 0.25 ? -1 : 1);
    return {
      ...{
        weight,
        sigma: evenly(random, 0.12, 0.55),
        mu: Math.log(span * evenly(random, 0.3, 0.6)),
      },
      ...{
        from: i === 0 ? 0 : evenly(random, 0, 1 - span),
        angle: normally(random, i === 0 ? 0.5 : 0.2),
      },
      turn: normally(random, 0.4),
    };
  });
  let [x, y] = [0, 0];
  const curve = curveOf((share) => {
    for (const { weight, sigma, mu, from, angle, turn } of strokes) {
      const since = share - from;
      if (since <= 0) continue;
      const z = (Math.log(since) - mu) / sigma;
      const speed = (weight * Math.exp(-0.5 * z * z)) / (since * sigma * Math.sqrt(2 * Math.PI));
      const heading = angle + turn * (1 / (1 + Math.exp(-1.702 * z)) - 0.5);
      x += (speed * Math.cos(heading)) / POINTS;
      y += (speed * Math.sin(heading)) / POINTS;
    }
    return [x, y];
  });
  return stretched(curve);
}

/** A movement of least jerk that falls short, and further ones that correct it. */
export function submovements(random: Random): Curve | undefined {
  let [left, startAt, before] = [1, 0, 0];
  const parts = several(wholly(random, 1, 5), (i) => {
    const gain = i === 0 ? evenly(random, 0.65, 1.2) : evenly(random, 0.4, 1.4);
    const lasts = i === 0 ? evenly(random, 0.45, 0.85) : evenly(random, 0.15, 0.5);
    const side = normally(random, i === 0 ? 0.06 : 0.025);
    const along = gain * left;
    left -= along;
    startAt += evenly(random, 0.5, 1.1) * before;
    before = lasts;
    return { along, side, startAt, lasts };
  });
  const end = Math.max(...parts.map(({ startAt: from, lasts }) => from + lasts));
  const power = evenly(random, 0.7, 1.5);
  const curve = curveOf((share) => {
    const at = end * share ** power;
    let [x, y] = [0, 0];
    for (const { along, side, startAt: from, lasts } of parts) {
      const covered = minimumJerk(Math.min(1, Math.max(0, (at - from) / lasts)));
      x += covered * along;
      y += covered * side;
    }
    return [x, y];
  });
  return stretched(curve);
}

/** A Bézier curve of degree 2 to 5, traversed with one of the usual easings. */
export function bezier(random: Random): Curve {
  const degree = wholly(random, 2, 5);
  const off = evenlyInLog(random, 0.01, 0.4);
  const isOneSided = random() < 0.5;
  const side = random() < 0.5 ? -1 : 1;
  const along = several(degree - 1, () => evenly(random, 0, 1)).sort((a, b) => a - b);
  const inner = along.map((x) => {
    const y = off * (isOneSided ? side * random() : evenly(random, -1, 1));
    return [x, y] as const;
  });
  const ends = [[0, 0] as const, ...inner, [1, 0] as const];
  const easing = drawEasing(random);
  return curveOf((share) => {
    const s = easing(share);
    let points: readonly (readonly [number, number])[] = ends;
    while (points.length > 1) {
      points = points.slice(1).map(([x, y], i) => {
        const [px, py] = points[i] ?? [0, 0];
        return [px + s * (x - px), py + s * (y - py)] as const;
      });
    }
    return points[0] ?? [0, 0];
  });
}

const MAX_STEPS = 600;

/**
 * A weight pulled to the end, harder with distance or constantly, and pushed sideways by wind:
 * WindMouse and similar.
 */
export function forces(random: Random): Curve | undefined {
  const spring = evenlyInLog(random, 0.004, 0.05);
  const drag = 2 * Math.sqrt(spring) * evenly(random, 0.5, 1.4);
  const wind = evenlyInLog(random, 0.01, 0.5) * spring;
  const memory = evenly(random, 0.6, 0.97);
  const fastest = 1 / evenly(random, 6, 40);
  const isSpring = random() < 0.5;
  const track: [number, number][] = [[0, 0]];
  let [x, y, vx, vy, wx, wy] = [0, 0, 0, 0, 0, 0];
  for (let step = 0; step < MAX_STEPS && Math.hypot(1 - x, y) > 0.004; step++) {
    wx = memory * wx + normally(random, wind);
    wy = memory * wy + normally(random, wind);
    const left = Math.hypot(1 - x, y);
    const calm = Math.min(1, left * 3);
    const pull = isSpring ? spring : spring / Math.max(left, 0.05);
    vx += pull * (1 - x) - drag * vx + wx * calm;
    vy += -pull * y - drag * vy + wy * calm;
    const speed = Math.hypot(vx, vy);
    const cut = speed > fastest ? fastest / speed : 1;
    vx *= cut;
    vy *= cut;
    x += vx;
    y += vy;
    track.push([x, y]);
  }
  if (track.length < 6) return undefined;
  return stretched(curveOf((share) => track[Math.round(share * (track.length - 1))] ?? [1, 0]));
}

/** A line with sines added, along and across. */
export function drawn(random: Random): Curve {
  const easing = drawEasing(random);
  const fall = evenly(random, 0.6, 2);
  const amplitude = evenlyInLog(random, 0.005, 0.12);
  const [along, across] = [drawSines(random, amplitude, fall), drawSines(random, amplitude, fall)];
  return curveOf((share) => [easing(share) + along(share), across(share)]);
}
