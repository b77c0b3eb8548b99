/**
 * The smallest round number (1, 2 or 5 with zeros) that is at least `rough`, and at least 1: counts
 * are whole.
 */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10;
  return step * power;
}

/**
 * Round values from 0 to at least `max`, in about four steps: the last is the end of the axis.
 * Never only 0.
 */
export function countTicks(max: number): number[] {
  const step = niceStep(max / 4);
  const steps = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: steps + 1 }, (_, index) => index * step);
}

/**
 * Where a count is between 0 and `max` if heights grow with its square root, as a fraction of the
 * whole.
 */
export function rootPart(value: number, max: number): number {
  return max === 0 ? 0 : Math.sqrt(value / max);
}

/**
 * Round values for such an axis, down from the smallest that is at least `max`, far enough apart to
 * be legible.
 */
export function rootTicks(max: number): number[] {
  const top = niceStep(Math.max(max, 1));
  const ticks = [top];
  for (let tick = top; tick > 1; ) {
    tick = nextRoundBelow(tick);
    if (
      rootPart(ticks.at(-1) ?? top, top) - rootPart(tick, top) >= 0.2 &&
      rootPart(tick, top) >= 0.1
    )
      ticks.push(tick);
  }
  return [0, ...ticks.reverse()];
}

/** 5 below 10, 2 below 5, 1 below 2, at any power of ten. */
function nextRoundBelow(value: number): number {
  const isFive = String(value).startsWith("5");
  return isFive ? (value / 5) * 2 : value / 2;
}

/** The position of `value` between `start` and `end` of an axis from 0 to `max`. */
export function place(value: number, max: number, start: number, end: number): number {
  return start + (max === 0 ? 0 : value / max) * (end - start);
}

/**
 * SVG path through the points; a null leaves a gap, a single point becomes a dot (length 0 with
 * round caps).
 */
export function linePath(
  values: readonly (number | null)[],
  x: (index: number) => number,
  y: (value: number) => number,
) {
  let path = "";
  let isDrawing = false;
  values.forEach((value, index) => {
    if (value === null) {
      isDrawing = false;
      return;
    }
    const at = `${round(x(index))} ${round(y(value))}`;
    const isLonely = !isDrawing && (values[index + 1] ?? null) === null;
    path += isDrawing ? `L${at}` : `M${at}${isLonely ? "h0" : ""}`;
    isDrawing = true;
  });
  return path;
}

/** A tenth of a pixel is precise enough. */
function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The index of the point nearest to `at` on an axis of `count` evenly spread points. */
export function nearestIndex(at: number, start: number, end: number, count: number): number {
  if (count < 2 || end <= start) return 0;
  const index = Math.round(((at - start) / (end - start)) * (count - 1));
  return Math.min(count - 1, Math.max(0, index));
}

/** Shapes that distinguish series, in addition to colour and dash. */
export const MARKERS = ["circle", "square", "triangle", "diamond"] as const;

/** SVG path of a marker around (x, y). */
export function markerPath(series: number, x: number, y: number, size = 3.5): string {
  const marker = MARKERS[series % MARKERS.length];
  const [cx, cy] = [round(x), round(y)];
  if (marker === "square")
    return `M${cx - size} ${cy - size}h${2 * size}v${2 * size}h${-2 * size}z`;
  if (marker === "triangle")
    return `M${cx} ${cy - size * 1.2}l${size * 1.2} ${size * 2.1}h${-size * 2.4}z`;
  if (marker === "diamond")
    return `M${cx} ${cy - size * 1.3}l${size * 1.3} ${size * 1.3}l${-size * 1.3} ${size * 1.3}l${-size * 1.3} ${-size * 1.3}z`;
  return `M${cx - size} ${cy}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0z`;
}
