import { createRandom } from "../seeded-random.ts";
import type { Tree } from "../trajectory/model.ts";

/** Rows of features, each feature cut into at most BINS bins of about as many rows. */
export type BinnedRows = {
  readonly count: number;
  /** Bin of each row, a feature each. */
  readonly bins: readonly Uint8Array[];
  /** Upper ends of all bins but the last, a feature each. */
  readonly edges: readonly Float64Array[];
};

const BINS = 64;
/** Digits of an edge: the model file keeps no more, and must cut rows where training did. */
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

/** A part of the rows, with the sums of gradient, curvature and rows of each bin. */
type Leaf = {
  readonly rows: Int32Array;
  readonly histogram: Float64Array;
  readonly gradient: number;
  readonly curvature: number;
  readonly split: Split | undefined;
};

const STRIDE = 3;
const worth = (gradient: number, curvature: number): number => (gradient * gradient) / (curvature + L2);

function sumBins(bins: readonly Uint8Array[], features: Int32Array, rows: Int32Array, pulls: Pulls): Float64Array {
  const histogram = new Float64Array(features.length * BINS * STRIDE);
  const n = rows.length;
  const { gradients, curvatures, byRow } = pulls;
  for (let k = 0; k < n; k++) {
    const row = rows[k] as number;
    byRow[2 * k] = gradients[row] as number;
    byRow[2 * k + 1] = curvatures[row] as number;
  }
  for (let f = 0; f < features.length; f++) {
    const column = bins[features[f] as number] as Uint8Array;
    const offset = f * BINS * STRIDE;
    for (let k = 0; k < n; k++) {
      const at = offset + STRIDE * (column[rows[k] as number] as number);
      histogram[at] = (histogram[at] as number) + (byRow[2 * k] as number);
      histogram[at + 1] = (histogram[at + 1] as number) + (byRow[2 * k + 1] as number);
      histogram[at + 2] = (histogram[at + 2] as number) + 1;
    }
  }
  return histogram;
}

/** First and second derivative of the loss of each row; room to lay them side by side. */
type Pulls = { readonly gradients: Float64Array; readonly curvatures: Float64Array; readonly byRow: Float64Array };

function bestSplit(histogram: Float64Array, features: Int32Array, sums: { g: number; h: number; n: number }) {
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

/** The rows up to a bin, and those above it, in their order. Loops: methods of typed arrays took longer than all the sums. */
function partRows(rows: Int32Array, column: Uint8Array, bin: number): readonly [Int32Array, Int32Array] {
  const [low, high] = [new Int32Array(rows.length), new Int32Array(rows.length)];
  let lows = 0;
  for (let k = 0; k < rows.length; k++) {
    const row = rows[k] as number;
    if ((column[row] as number) <= bin) low[lows++] = row;
    else high[k - lows] = row;
  }
  return [low.subarray(0, lows), high.subarray(0, rows.length - lows)];
}

/** Takes the part out of the whole, and answers that: the leaf whose it was is no more. */
function subtract(whole: Float64Array, part: Float64Array): Float64Array {
  for (let i = 0; i < whole.length; i++) whole[i] = (whole[i] as number) - (part[i] as number);
  return whole;
}

function divide(leaf: Leaf, { feature, bin }: Split, data: BinnedRows, features: Int32Array, pulls: Pulls) {
  const [low, high] = partRows(leaf.rows, data.bins[feature] as Uint8Array, bin);
  const isLowSmall = low.length <= high.length;
  const small = sumBins(data.bins, features, isLowSmall ? low : high, pulls);
  const large = subtract(leaf.histogram, small);
  const lowLeaf = toLeaf(low, isLowSmall ? small : large, features);
  return [lowLeaf, toLeaf(high, isLowSmall ? large : small, features)] as const;
}

type GrownTree = { readonly tree: Tree; readonly leaves: readonly { rows: Int32Array; value: number }[] };

/** One tree: the leaf that gains most is split until there are LEAVES. */
function growTree(data: BinnedRows, rows: Int32Array, features: Int32Array, pulls: Pulls): GrownTree {
  const splits: [number, number, number, number][] = [];
  const leaves = [toLeaf(rows, sumBins(data.bins, features, rows, pulls), features)];
  const parents: ([split: number, side: 2 | 3] | undefined)[] = [undefined];
  while (leaves.length < LEAVES) {
    let at = -1;
    leaves.forEach(({ split }, i) => {
      if (split !== undefined && split.gain > (leaves[at]?.split?.gain ?? 0)) at = i;
    });
    const leaf = leaves[at];
    if (leaf?.split === undefined) break;
    const { feature, bin } = leaf.split;
    const [low, high] = divide(leaf, leaf.split, data, features, pulls);
    const made = splits.push([feature, data.edges[feature]?.[bin] ?? 0, -1 - at, -1 - leaves.length]) - 1;
    const parent = parents[at];
    if (parent !== undefined) (splits[parent[0]] as number[])[parent[1]] = made;
    leaves[at] = low;
    leaves.push(high);
    parents[at] = [made, 2];
    parents.push([made, 3]);
  }
  const valued = leaves.map((leaf) => {
    return { rows: leaf.rows, value: Number(((-RATE * leaf.gradient) / (leaf.curvature + L2)).toFixed(4)) };
  });
  return { tree: { splits, leaves: valued.map(({ value }) => value) }, leaves: valued };
}

function chooseFeatures(count: number, random: () => number): Int32Array {
  const shuffled = Array.from({ length: count }, (_, feature) => ({ feature, at: random() })).sort(
    (a, b) => a.at - b.at,
  );
  const chosen = shuffled.slice(0, Math.max(1, Math.ceil(FEATURE_SHARE * count)));
  return Int32Array.from(chosen, ({ feature }) => feature).sort();
}

/** What is learned from: which rows, what each is (1 a program) and how much it counts; both by row of the whole. */
export type Lesson = { readonly rows: Int32Array; readonly labels: Uint8Array; readonly weights: Float64Array };

/**
 * Gradient-boosted shallow trees for the log-odds of label 1 (Friedman 2001), with Newton steps. Their number, depth and
 * rate are few and small on purpose: what only deep trees can tell is what one generator does. The same rows give the same trees.
 */
export function boostTrees(data: BinnedRows, { rows, labels, weights }: Lesson): Tree[] {
  const random = createRandom(1);
  const sums = new Float64Array(data.count);
  const pulls = {
    gradients: new Float64Array(data.count),
    curvatures: new Float64Array(data.count),
    byRow: new Float64Array(2 * rows.length),
  };
  const trees: Tree[] = [];
  for (let round = 0; round < TREES; round++) {
    for (const row of rows) {
      const probability = 1 / (1 + Math.exp(-(sums[row] as number)));
      const weight = weights[row] as number;
      pulls.gradients[row] = weight * (probability - (labels[row] as number));
      pulls.curvatures[row] = weight * probability * (1 - probability);
    }
    const { tree, leaves } = growTree(data, rows, chooseFeatures(data.bins.length, random), pulls);
    if (tree.splits.length === 0) continue;
    trees.push(tree);
    for (const leaf of leaves) for (const row of leaf.rows) sums[row] = (sums[row] as number) + leaf.value;
  }
  return trees;
}
