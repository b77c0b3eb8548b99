import type { Box } from "./page.ts";

/** A place in CSS pixels of the viewport. */
export type Place = { readonly x: number; readonly y: number };

/**
 * A path to a press: places with the time that passes before each, then the rest before the press,
 * and its length.
 */
export type Way = {
  readonly steps: readonly (Place & { readonly afterMs: number })[];
  readonly restMs: number;
  readonly pressMs: number;
};

/** Chooses the path from a place to a press in the box. */
export type Planner = (
  from: Place,
  box: Box,
  viewport: { readonly width: number; readonly height: number },
) => Way;

/**
 * The path as a remote desktop passes it on: the pointer's newest place once every `intervalMs`, and
 * with the press.
 */
export function passOnEvery(intervalMs: number, { steps, restMs, pressMs }: Way): Way {
  let movedMs = 0;
  const moves = steps.map(({ afterMs, ...place }) => {
    movedMs += afterMs;
    return { ...place, tick: Math.ceil(movedMs / intervalMs) };
  });
  const pressedMs = movedMs + restMs;
  let sentMs = 0;
  const sent = moves
    .filter(({ tick }, i) => tick !== moves[i + 1]?.tick)
    .map(({ tick, ...place }) => {
      const atMs = Math.min(tick * intervalMs, pressedMs);
      const afterMs = atMs - sentMs;
      sentMs = atMs;
      return { ...place, afterMs };
    });
  return { steps: sent, restMs: pressedMs - sentMs, pressMs };
}

const centreOf = ({ x, y, width, height }: Box): Place => ({ x: x + width / 2, y: y + height / 2 });

/** A place inside the box, off its edges. */
function placeIn({ x, y, width, height }: Box, random: () => number): Place {
  return { x: x + width * (0.2 + 0.6 * random()), y: y + height * (0.25 + 0.5 * random()) };
}

/** One jump to the whole pixel in the middle, as agents do that get coordinates from a model. */
export const jump: Planner = (_from, box) => {
  const { x, y } = centreOf(box);
  return { steps: [{ x: Math.round(x), y: Math.round(y), afterMs: 0 }], restMs: 0, pressMs: 0 };
};

/** One jump, a rest, and a press of human length: how polite agents use a mouse. */
export function jumpAndRest(random: () => number): Planner {
  return (_from, box) => {
    const { x, y } = placeIn(box, random);
    return {
      steps: [{ x: Math.round(x), y: Math.round(y), afterMs: 600 + 900 * random() }],
      restMs: 200 + 500 * random(),
      pressMs: 60 + 60 * random(),
    };
  };
}

const STRAIGHT_STEPS = 25;

/** Even steps on a straight line, as fast as the tool takes them. */
export function straight(random: () => number): Planner {
  return (from, box) => {
    const to = placeIn(box, random);
    const steps = Array.from({ length: STRAIGHT_STEPS }, (_, i) => {
      const share = (i + 1) / STRAIGHT_STEPS;
      return {
        x: from.x + (to.x - from.x) * share,
        y: from.y + (to.y - from.y) * share,
        afterMs: 0,
      };
    });
    return { steps, restMs: 20, pressMs: 20 };
  };
}

/**
 * A cubic Bezier curve with eased time, uneven frames, a rest and a press of human length: a
 * careful script.
 */
export function bezier(random: () => number): Planner {
  return (from, box) => {
    const to = placeIn(box, random);
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const bend = () => (random() - 0.5) * 0.5;
    const [a, b] = [bend(), bend()];
    const first = { x: from.x + dx * 0.3 - dy * a, y: from.y + dy * 0.3 + dx * a };
    const second = { x: from.x + dx * 0.7 - dy * b, y: from.y + dy * 0.7 + dx * b };
    const count = Math.max(12, Math.round(Math.hypot(dx, dy) / 14));
    const steps = Array.from({ length: count }, (_, i) => {
      const linear = (i + 1) / count;
      const t = linear * linear * (3 - 2 * linear);
      const [p, q, r, s] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
      return {
        x: Math.round(p * from.x + q * first.x + r * second.x + s * to.x),
        y: Math.round(p * from.y + q * first.y + r * second.y + s * to.y),
        afterMs: 10 + random() * 12,
      };
    });
    return { steps, restMs: 80 + random() * 150, pressMs: 60 + random() * 60 };
  };
}
