import type { PointerSample } from "@stile/protocol/signals";
import { createRandom } from "@stile/risk/seeded-random";
import type { Segment } from "@stile/risk/trajectory/segment";

const FRAME_MS = 16.7;

/** Start and end of a synthetic hand's or program's move; all in px. */
export type PathEnds = {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
};

const leastJerk = (s: number): number => s ** 3 * (10 - 15 * s + 6 * s * s);

function press(moves: Segment[number][], restMs: number): Segment {
  const [ms = 0, x = 0, y = 0] = moves.at(-1) ?? [];
  return [...moves, [ms + restMs, x, y, "d"], [ms + restMs + 88, x, y, "u"]];
}

/**
 * A synthetic path as hands draw them: one fast, curved movement that falls short, a second one
 * that corrects it, a speed that is never steady, tremor that grows with it, a last creep to the
 * place, whole pixels, a screen's rate. Not recorded from anybody.
 */
export function handPath({ from, to }: PathEnds, seed: number): Segment {
  const random = createRandom(seed);
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const bend = (random() < 0.5 ? -1 : 1) * (0.03 + 0.1 * random());
  const reach = 0.85 + 0.08 * random();
  const firstMs = 350 + 200 * random();
  const secondStartMs = firstMs * (0.9 + 0.25 * random());
  const secondMs = 250 + 200 * random();
  const moves: Segment[number][] = [];
  let [shareBefore, sway] = [0, 0];
  for (let ms = 0; ms < secondStartMs + secondMs; ms += FRAME_MS) {
    const first = leastJerk(Math.min(1, (ms / firstMs) ** 0.75));
    const second = leastJerk(Math.max(0, Math.min(1, (ms - secondStartMs) / secondMs)));
    const share = reach * first + (1 - reach) * second;
    const speed = Math.abs(share - shareBefore);
    shareBefore = share;
    sway = 0.6 * sway + 0.3 * speed * (random() - 0.5);
    const along = share + sway + 0.15 * speed * (random() - 0.5);
    const off =
      bend * Math.sin(Math.PI * first ** 0.8) * (1 - second) + 0.05 * speed * (random() - 0.5);
    const x = Math.round(from[0] + along * dx - off * dy);
    const y = Math.round(from[1] + along * dy + off * dx);
    const last = moves.at(-1);
    if (last === undefined || last[1] !== x || last[2] !== y)
      moves.push([Math.round(ms + random()), x, y, "m"]);
  }
  return press(moves, 130 + 60 * random());
}

/**
 * A path like that of `handPath`, but each in its own manner: earlier or later in its middle,
 * slower, bent to one side or to both. Among a thousand, compared with 5,000 others, 26 come near
 * one of them; among recorded users' paths one does.
 */
export function variedPath(course: PathEnds, seed: number): Segment {
  const random = createRandom(seed + 1);
  const between = (least: number, most: number): number => least + (most - least) * random();
  const drawn = handPath(course, seed);
  const [{ from, to }, lastMs] = [course, drawn.findLast(([, , , kind]) => kind === "m")?.[0] ?? 1];
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const [tempo, skew, slowness] = [
    Math.exp(between(-0.9, 0.9)),
    Math.exp(between(-0.5, 0.5)),
    between(0.8, 1.5),
  ];
  const [bend, sway] = [between(-0.5, 0.5), between(-0.25, 0.25)];
  return drawn.map(([ms, x, y, kind]) => {
    const isMove = kind === "m";
    const atMs = isMove
      ? lastMs * (ms / lastMs) ** tempo * slowness
      : lastMs * slowness + ms - lastMs;
    const way = ((x - from[0]) * dx + (y - from[1]) * dy) / (dx * dx + dy * dy);
    const share = Math.max(0, Math.min(1, way)) ** skew;
    const off = bend * Math.sin(Math.PI * share) + sway * Math.sin(2 * Math.PI * share);
    return [Math.round(atMs), Math.round(x - off * dy), Math.round(y + off * dx), kind] as const;
  });
}

/** A path as `mouse.move(x, y, { steps })` draws it: straight, in equal steps, one per frame. */
export function steppedPath({ from, to }: PathEnds, steps = 25): Segment {
  const moves = Array.from({ length: steps }, (_, i): Segment[number] => {
    const s = (i + 1) / steps;
    return [i * 16, from[0] + s * (to[0] - from[0]), from[1] + s * (to[1] - from[1]), "m"];
  });
  return press(moves, 2);
}

const KINDS = { m: 0, d: 1, u: 2 } as const;

/**
 * Segments in the form that the widget submits, one a second after the other; type 0 is a mouse, 1
 * touch, 2 a pen.
 */
export function toPointer(
  segments: readonly Segment[],
  type = 0,
  trusted: 0 | 1 = 1,
): PointerSample[] {
  let startMs = 0;
  return segments.flatMap((segment) => {
    const samples = segment.flatMap(([ms, x, y, kind]): PointerSample[] => {
      const pressure = kind === "d" ? 0.5 : 0;
      const sample: PointerSample = [startMs + ms, x, y, KINDS[kind], type, pressure, trusted];
      return kind === "u" ? [sample, [startMs + ms + 1, x, y, 4, type, 0, trusted]] : [sample];
    });
    startMs = (samples.at(-1)?.[0] ?? 0) + 1000;
    return samples;
  });
}

/** Steps of a hand that sets off and slows down, px. */
const HAND_STEPS = [1, 4, 9, 16, 19, 15, 10, 6, 3, 1] as const;

/**
 * Ten moves of a hand that pressed nothing, as the widget submits them, the last at `lastMs`; type
 * 0 is a mouse, 2 a pen.
 */
export function handMoves(lastMs: number, type = 0): PointerSample[] {
  let [x, y] = [400, 300];
  return HAND_STEPS.map((dx, at): PointerSample => {
    const dy = Math.round(dx / 3);
    x += dx;
    y += dy;
    return [lastMs - (HAND_STEPS.length - 1 - at) * FRAME_MS, x, y, 0, type, 0, 1, dx, dy, 1];
  });
}

/** A finger that scrolls until the browser notices that, and then taps; reported as a mouse. */
export const FINGERS_AS_MOUSE: readonly PointerSample[] = [
  [703.1, 210, 520, 1, 0, 0.5, 1, -40, 3],
  [720.2, 210, 508, 0, 0, 0.5, 1, 0, -12, 1],
  [736.9, 211, 483, 0, 0, 0.5, 1, 1, -25, 1],
  [741.3, 211, 483, 3, 0, 0, 1],
  [1403.2, 101.5, 240.25, 1, 0, 0.8, 1],
  [1489.6, 101.5, 240.75, 2, 0, 0, 1],
  [1491.1, 101.5, 240.75, 4, 0, 0, 1],
];
