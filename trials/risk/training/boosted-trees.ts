import { createRandom } from "@stile/risk/seeded-random";
import type { Tree } from "@stile/risk/trajectory/model";

/** Rows of features; each feature is cut into at most BINS bins with about as many rows each. */
export type BinnedRows = {
  readonly count: number;
  /** For each feature, the bin of each row. */
  readonly bins: readonly Uint8Array[];
  /** For each feature, the upper ends of all bins but the last. */
  readonly edges: readonly Float64Array[];
};

const BINS = 64;
/**
 * Significant digits of an edge: the model file keeps no more, and must cut rows where training
 * did.
 */
const DIGITS = 5;

const TREES = 170;
const LEAVES = 8;
const RATE = 0.12;
const MIN_ROWS = 60;
const L2 = 5;
/** Share of the features that one tree may use. */
const FEATURE_SHARE = 0.5;

function edgesOf(values: Float64Array): Float64Array {
  const sorted = Float64Array.from(values).sort();
  const edges = new Set<number>();
  for (let bin = 1; bin < BINS; bin++) {
    const edge = sorted[Math.floor((bin * sorted.length) / BINS)] ?? 0;
    edges.add(Number(edge.toPrecision(DIGITS)));
  }
  return Float64Array.from(edges).sort();
}

function binOf(edges: Float64Array, value: number): number {
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= (edges[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Cuts rows of equally many features into bins. */
export function binRows(rows: readonly Float64Array[]): BinnedRows {
  const features = rows[0]?.length ?? 0;
  const values = new Float64Array(rows.length);
  const bins: Uint8Array[] = [];
  const edges: Float64Array[] = [];
  for (let feature = 0; feature < features; feature++) {
    rows.forEach((row, i) => {
      values[i] = row[feature] ?? 0;
    });
    const found = edgesOf(values);
    edges.push(found);
    bins.push(Uint8Array.from(values, (value) => binOf(found, value)));
  }
  return { count: rows.length, bins, edges };
}

type Split = { readonly gain: number; readonly feature: number; readonly bin: number };

/** A part of the rows, with the sums of gradient, curvature and row count in each bin. */
type Leaf = {
  readonly rows: Int32Array;
  readonly histogram: Float64Array;
  readonly gradient: number;
  readonly curvature: number;
  readonly split: Split | undefined;
};

const STRIDE = 3;
const worth = (gradient: number, curvature: number): number =>
  (gradient * gradient) / (curvature + L2);

/**
 * First and second derivative of each row's loss, and buffers shared by all trees: new ones cost
 * over a tenth of the time.
 */
type Room = {
  readonly gradients: Float64Array;
  readonly curvatures: Float64Array;
  /** Both derivatives of the current rows, side by side. */
  readonly byRow: Float64Array;
  /** A histogram for each leaf. */
  readonly histograms: readonly Float64Array[];
  /**
   * Rows in the order of their leaves, and a buffer for those that move to the end of their part.
   */
  readonly order: Int32Array;
  readonly moved: Int32Array;
};

function createRoom(count: number, rows: number, features: number): Room {
  return {
    gradients: new Float64Array(count),
    curvatures: new Float64Array(count),
    byRow: new Float64Array(2 * rows),
    // Features are added two at a time: an odd last one gets a second slot next to it, which
    // nothing reads.
    histograms: Array.from(
      { length: LEAVES },
      () => new Float64Array((features + (features % 2)) * BINS * STRIDE),
    ),
    order: new Int32Array(rows),
    moved: new Int32Array(rows),
  };
}

/**
 * Adds the rows to the bins of a feature and the next one: one read of a row serves both, and
 * neither sum waits.
 */
function addTwo(
  histogram: Float64Array,
  feature: number,
  [first, second]: readonly [Uint8Array, Uint8Array],
  rows: Int32Array,
  byRow: Float64Array,
): void {
  const [firstAt, secondAt] = [feature * BINS * STRIDE, (feature + 1) * BINS * STRIDE];
  for (let k = 0; k < rows.length; k++) {
    const row = rows[k] as number;
    const gradient = byRow[2 * k] as number;
    const curvature = byRow[2 * k + 1] as number;
    const at = firstAt + STRIDE * (first[row] as number);
    histogram[at] = (histogram[at] as number) + gradient;
    histogram[at + 1] = (histogram[at + 1] as number) + curvature;
    histogram[at + 2] = (histogram[at + 2] as number) + 1;
    const to = secondAt + STRIDE * (second[row] as number);
    histogram[to] = (histogram[to] as number) + gradient;
    histogram[to + 1] = (histogram[to + 1] as number) + curvature;
    histogram[to + 2] = (histogram[to + 2] as number) + 1;
  }
}

function sumBins(
  data: BinnedRows,
  features: Int32Array,
  rows: Int32Array,
  room: Room,
  histogram: Float64Array,
): void {
  const { gradients, curvatures, byRow } = room;
  for (let k = 0; k < rows.length; k++) {
    const row = rows[k] as number;
    byRow[2 * k] = gradients[row] as number;
    byRow[2 * k + 1] = curvatures[row] as number;
  }
  histogram.fill(0);
  const columnOf = (f: number): Uint8Array =>
    data.bins[features[Math.min(f, features.length - 1)] as number] as Uint8Array;
  for (let f = 0; f < features.length; f += 2)
    addTwo(histogram, f, [columnOf(f), columnOf(f + 1)], rows, byRow);
}

function bestSplit(
  histogram: Float64Array,
  features: Int32Array,
  sums: { g: number; h: number; n: number },
) {
  let best: Split | undefined;
  const whole = worth(sums.g, sums.h);
  for (let f = 0; f < features.length; f++) {
    let [g, h, n] = [0, 0, 0];
    for (let bin = 0; bin < BINS - 1; bin++) {
      const at = (f * BINS + bin) * STRIDE;
      g += histogram[at] as number;
      h += histogram[at + 1] as number;
      n += histogram[at + 2] as number;
      if (n < MIN_ROWS) continue;
      if (sums.n - n < MIN_ROWS) break;
      const gain = worth(g, h) + worth(sums.g - g, sums.h - h) - whole;
      if (gain > (best?.gain ?? 1e-9)) best = { gain, feature: features[f] as number, bin };
    }
  }
  return best;
}

function toLeaf(rows: Int32Array, histogram: Float64Array, features: Int32Array): Leaf {
  let [gradient, curvature] = [0, 0];
  for (let bin = 0; bin < BINS; bin++) {
    gradient += histogram[bin * STRIDE] as number;
    curvature += histogram[bin * STRIDE + 1] as number;
  }
  const split = bestSplit(histogram, features, { g: gradient, h: curvature, n: rows.length });
  return { rows, histogram, gradient, curvature, split };
}

/**
 * Puts the rows up to a bin before the others, each in their order. Plain loops: array methods took
 * longer than all the sums.
 */
function partRows(
  rows: Int32Array,
  column: Uint8Array,
  bin: number,
  moved: Int32Array,
): readonly [Int32Array, Int32Array] {
  let lows = 0;
  for (let k = 0; k < rows.length; k++) {
    const row = rows[k] as number;
    if ((column[row] as number) <= bin) rows[lows++] = row;
    else moved[k - lows] = row;
  }
  for (let k = lows; k < rows.length; k++) rows[k] = moved[k - lows] as number;
  return [rows.subarray(0, lows), rows.subarray(lows)];
}

/**
 * Subtracts the part from the whole, in place, and returns it: the whole leaf is no longer needed.
 */
function subtract(whole: Float64Array, part: Float64Array): Float64Array {
  for (let i = 0; i < whole.length; i++) whole[i] = (whole[i] as number) - (part[i] as number);
  return whole;
}

/** Divides a leaf into its two parts; `small` is the buffer for the sums of the smaller one. */
function divide(
  leaf: Leaf,
  { feature, bin }: Split,
  data: BinnedRows,
  features: Int32Array,
  room: Room,
  small: Float64Array,
) {
  const [low, high] = partRows(leaf.rows, data.bins[feature] as Uint8Array, bin, room.moved);
  const isLowSmall = low.length <= high.length;
  sumBins(data, features, isLowSmall ? low : high, room, small);
  const large = subtract(leaf.histogram, small);
  const lowLeaf = toLeaf(low, isLowSmall ? small : large, features);
  return [lowLeaf, toLeaf(high, isLowSmall ? large : small, features)] as const;
}

type GrownTree = {
  readonly tree: Tree;
  readonly leaves: readonly { rows: Int32Array; value: number }[];
};

/** Grows one tree: splits the leaf that gains most until there are LEAVES. */
function growTree(data: BinnedRows, rows: Int32Array, features: Int32Array, room: Room): GrownTree {
  const splits: [number, number, number, number][] = [];
  const [whole] = room.histograms as readonly [Float64Array];
  room.order.set(rows);
  sumBins(data, features, room.order, room, whole);
  const leaves = [toLeaf(room.order, whole, features)];
  const parents: ([split: number, side: 2 | 3] | undefined)[] = [undefined];
  while (leaves.length < LEAVES) {
    let at = -1;
    leaves.forEach(({ split }, i) => {
      if (split !== undefined && split.gain > (leaves[at]?.split?.gain ?? 0)) at = i;
    });
    const leaf = leaves[at];
    if (leaf?.split === undefined) break;
    const { feature, bin } = leaf.split;
    const [low, high] = divide(
      leaf,
      leaf.split,
      data,
      features,
      room,
      room.histograms[leaves.length] as Float64Array,
    );
    const made =
      splits.push([feature, data.edges[feature]?.[bin] ?? 0, -1 - at, -1 - leaves.length]) - 1;
    const parent = parents[at];
    if (parent !== undefined) (splits[parent[0]] as number[])[parent[1]] = made;
    leaves[at] = low;
    leaves.push(high);
    parents[at] = [made, 2];
    parents.push([made, 3]);
  }
  const valued = leaves.map((leaf) => {
    return {
      rows: leaf.rows,
      value: Number(((-RATE * leaf.gradient) / (leaf.curvature + L2)).toFixed(4)),
    };
  });
  return { tree: { splits, leaves: valued.map(({ value }) => value) }, leaves: valued };
}

const chosenOf = (count: number): number => Math.max(1, Math.ceil(FEATURE_SHARE * count));

function chooseFeatures(count: number, random: () => number): Int32Array {
  const shuffled = Array.from({ length: count }, (_, feature) => ({ feature, at: random() })).sort(
    (a, b) => a.at - b.at,
  );
  const chosen = shuffled.slice(0, chosenOf(count));
  return Int32Array.from(chosen, ({ feature }) => feature).sort();
}

/**
 * The training data: which rows, each row's label (1 a program) and weight; both by row of the
 * whole set.
 */
export type Lesson = {
  readonly rows: Int32Array;
  readonly labels: Uint8Array;
  readonly weights: Float64Array;
};

/**
 * Gradient-boosted shallow trees for the log-odds of label 1 (Friedman 2001), with Newton steps.
 * Number, depth and rate are kept small on purpose: a rule that only deep trees can find is a quirk
 * of one generator. The same rows give the same trees.
 */
export function boostTrees(data: BinnedRows, { rows, labels, weights }: Lesson): Tree[] {
  const random = createRandom(1);
  const sums = new Float64Array(data.count);
  const room = createRoom(data.count, rows.length, chosenOf(data.bins.length));
  const trees: Tree[] = [];
  for (let round = 0; round < TREES; round++) {
    for (let k = 0; k < rows.length; k++) {
      const row = rows[k] as number;
      const probability = 1 / (1 + Math.exp(-(sums[row] as number)));
      const weight = weights[row] as number;
      room.gradients[row] = weight * (probability - (labels[row] as number));
      room.curvatures[row] = weight * probability * (1 - probability);
    }
    const { tree, leaves } = growTree(data, rows, chooseFeatures(data.bins.length, random), room);
    if (tree.splits.length === 0) continue;
    trees.push(tree);
    for (const { rows: held, value } of leaves) {
      for (let k = 0; k < held.length; k++)
        sums[held[k] as number] = (sums[held[k] as number] as number) + value;
    }
  }
  return trees;
}
