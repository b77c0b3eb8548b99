/** A row of terms with its label (1 a program) and how much it counts. */
export type Sample = {
  readonly terms: Float64Array;
  readonly label: 0 | 1;
  readonly weight: number;
  /** Log-odds that are added to those of the terms, and not fitted; 0 if undefined. */
  readonly known?: number;
};

const MEMORY = 12;
const MAX_STEPS = 400;
const TOLERANCE = 1e-5;

/** Coefficients for the original terms, then the constant. */
export type Fit = { readonly coefficients: Float64Array };

/**
 * Loss and gradient of penalised logistic regression over standardised terms; the constant is last
 * and not penalised.
 */
function evaluate(data: Data, at: Float64Array, gradient: Float64Array): number {
  const { matrix, labels, weights, known, columns, penalty } = data;
  gradient.fill(0);
  let loss = 0;
  for (let row = 0; row < labels.length; row++) {
    const offset = row * columns;
    let sum = (at[columns] ?? 0) + (known[row] ?? 0);
    for (let i = 0; i < columns; i++) sum += (matrix[offset + i] ?? 0) * (at[i] ?? 0);
    const label = labels[row] ?? 0;
    const weight = weights[row] ?? 0;
    const margin = label === 1 ? sum : -sum;
    loss +=
      weight * (margin > 0 ? Math.log1p(Math.exp(-margin)) : Math.log1p(Math.exp(margin)) - margin);
    const error = weight * (1 / (1 + Math.exp(-sum)) - label);
    for (let i = 0; i < columns; i++)
      gradient[i] = (gradient[i] ?? 0) + error * (matrix[offset + i] ?? 0);
    gradient[columns] = (gradient[columns] ?? 0) + error;
  }
  for (let i = 0; i < columns; i++) {
    loss += 0.5 * penalty * (at[i] ?? 0) ** 2;
    gradient[i] = (gradient[i] ?? 0) + penalty * (at[i] ?? 0);
  }
  return loss;
}

type Data = {
  readonly matrix: Float32Array;
  readonly labels: Uint8Array;
  readonly weights: Float64Array;
  readonly known: Float64Array;
  readonly columns: number;
  readonly penalty: number;
};

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
};

/**
 * The direction of L-BFGS: minus the gradient, corrected by the curvature that the last steps
 * showed (Nocedal 1980).
 */
function directionOf(
  gradient: Float64Array,
  steps: readonly { s: Float64Array; y: Float64Array }[],
): Float64Array {
  const direction = gradient.map((value) => -value);
  const alphas: number[] = [];
  for (const { s, y } of [...steps].reverse()) {
    const alpha = dot(s, direction) / dot(s, y);
    alphas.push(alpha);
    for (let i = 0; i < direction.length; i++)
      direction[i] = (direction[i] ?? 0) - alpha * (y[i] ?? 0);
  }
  const last = steps.at(-1);
  const scale =
    last === undefined
      ? 1 / Math.sqrt(dot(gradient, gradient) + 1e-12)
      : dot(last.s, last.y) / dot(last.y, last.y);
  for (let i = 0; i < direction.length; i++) direction[i] = (direction[i] ?? 0) * scale;
  for (const { s, y } of steps) {
    const alpha = alphas.pop() ?? 0;
    const beta = dot(y, direction) / dot(s, y);
    for (let i = 0; i < direction.length; i++)
      direction[i] = (direction[i] ?? 0) + (alpha - beta) * (s[i] ?? 0);
  }
  return direction;
}

function minimise(data: Data): Float64Array {
  const size = data.columns + 1;
  let at = new Float64Array(size);
  let gradient = new Float64Array(size);
  let loss = evaluate(data, at, gradient);
  const steps: { s: Float64Array; y: Float64Array }[] = [];
  for (let step = 0; step < MAX_STEPS; step++) {
    const direction = directionOf(gradient, steps);
    const slope = dot(direction, gradient);
    let length = 1;
    let next = at;
    const nextGradient = new Float64Array(size);
    let nextLoss = loss;
    for (let attempt = 0; attempt < 20; attempt++, length /= 2) {
      next = at.map((value, i) => value + length * (direction[i] ?? 0));
      nextLoss = evaluate(data, next, nextGradient);
      if (nextLoss <= loss + 1e-4 * length * slope) break;
    }
    const s = next.map((value, i) => value - (at[i] ?? 0));
    const y = nextGradient.map((value, i) => value - (gradient[i] ?? 0));
    if (dot(s, y) > 1e-10) steps.push({ s, y });
    if (steps.length > MEMORY) steps.shift();
    const gain = (loss - nextLoss) / Math.max(1, Math.abs(loss));
    at = next;
    gradient = nextGradient;
    loss = nextLoss;
    if (gain < TOLERANCE) break;
  }
  return at;
}

/**
 * Penalised logistic regression: returns coefficients for the original terms, then the constant.
 * The penalty applies to standardised terms, in units of the samples' weights.
 */
export function fitLogistic(samples: readonly Sample[], penalty: number): Fit {
  const columns = samples[0]?.terms.length ?? 0;
  const mean = new Float64Array(columns);
  const spread = new Float64Array(columns);
  for (const { terms } of samples)
    for (let i = 0; i < columns; i++) mean[i] = (mean[i] ?? 0) + (terms[i] ?? 0) / samples.length;
  for (const { terms } of samples) {
    for (let i = 0; i < columns; i++)
      spread[i] = (spread[i] ?? 0) + ((terms[i] ?? 0) - (mean[i] ?? 0)) ** 2 / samples.length;
  }
  for (let i = 0; i < columns; i++) spread[i] = Math.sqrt(spread[i] ?? 0) + 1e-6;
  const matrix = new Float32Array(samples.length * columns);
  samples.forEach(({ terms }, row) => {
    for (let i = 0; i < columns; i++)
      matrix[row * columns + i] = ((terms[i] ?? 0) - (mean[i] ?? 0)) / (spread[i] ?? 1);
  });
  const fitted = minimise({
    matrix,
    labels: Uint8Array.from(samples, ({ label }) => label),
    weights: Float64Array.from(samples, ({ weight }) => weight),
    known: Float64Array.from(samples, ({ known = 0 }) => known),
    columns,
    penalty,
  });
  const coefficients = new Float64Array(columns + 1);
  let constant = fitted[columns] ?? 0;
  for (let i = 0; i < columns; i++) {
    coefficients[i] = (fitted[i] ?? 0) / (spread[i] ?? 1);
    constant -= (coefficients[i] ?? 0) * (mean[i] ?? 0);
  }
  coefficients[columns] = constant;
  return { coefficients };
}
