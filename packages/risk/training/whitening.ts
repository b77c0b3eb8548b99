/** Eigenvalues and eigenvectors (as rows) of a symmetric matrix, by cyclic Jacobi rotations. Changes `matrix`. */
export function eigen(matrix: Float64Array[]): { values: number[]; vectors: Float64Array[] } {
  const n = matrix.length;
  const vectors = matrix.map((_, row) => Float64Array.from({ length: n }, (_, column) => (row === column ? 1 : 0)));
  const at = (row: number, column: number): number => matrix[row]?.[column] ?? 0;
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) off += at(p, q) ** 2;
    if (off < 1e-18) break;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) rotate(matrix, vectors, p, q);
  }
  return { values: matrix.map((row, i) => row[i] ?? 0), vectors };
}

function rotate(matrix: Float64Array[], vectors: Float64Array[], p: number, q: number): void {
  const rowP = matrix[p] as Float64Array;
  const rowQ = matrix[q] as Float64Array;
  const apq = rowP[q] ?? 0;
  if (Math.abs(apq) < 1e-14) return;
  const theta = ((rowQ[q] ?? 0) - (rowP[p] ?? 0)) / (2 * apq);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (const row of matrix) turn(row, p, q, c, s);
  turnRows(rowP, rowQ, c, s);
  turnRows(vectors[p] as Float64Array, vectors[q] as Float64Array, c, s);
}

function turn(row: Float64Array, p: number, q: number, c: number, s: number): void {
  const a = row[p] ?? 0;
  const b = row[q] ?? 0;
  row[p] = c * a - s * b;
  row[q] = s * a + c * b;
}

function turnRows(a: Float64Array, b: Float64Array, c: number, s: number): void {
  for (let i = 0; i < a.length; i++) {
    const x = a[i] ?? 0;
    const y = b[i] ?? 0;
    a[i] = c * x - s * y;
    b[i] = s * x + c * y;
  }
}

/** Added to the diagonal, so that combinations which hardly vary among people don't grow without bounds. */
const RIDGE = 0.02;
const CLIP = 8;

/** Mean and spread of each feature, and the rows that make standardised features uncorrelated, all weighted alike. */
export function fitWhitening(rows: readonly Float64Array[]): {
  mean: number[];
  spread: number[];
  whitening: number[][];
} {
  const n = rows[0]?.length ?? 0;
  const mean = new Array<number>(n).fill(0);
  const spread = new Array<number>(n).fill(0);
  for (const row of rows) for (let i = 0; i < n; i++) mean[i] = (mean[i] ?? 0) + (row[i] ?? 0) / rows.length;
  for (const row of rows) {
    for (let i = 0; i < n; i++) spread[i] = (spread[i] ?? 0) + ((row[i] ?? 0) - (mean[i] ?? 0)) ** 2 / rows.length;
  }
  for (let i = 0; i < n; i++) spread[i] = Math.sqrt(spread[i] ?? 0) + 1e-6;
  const covariance = Array.from({ length: n }, () => new Float64Array(n));
  const z = new Float64Array(n);
  for (const row of rows) {
    for (let i = 0; i < n; i++) {
      z[i] = Math.max(-CLIP, Math.min(CLIP, ((row[i] ?? 0) - (mean[i] ?? 0)) / (spread[i] ?? 1)));
    }
    for (let i = 0; i < n; i++) {
      const line = covariance[i] as Float64Array;
      const zi = z[i] ?? 0;
      for (let j = 0; j < n; j++) line[j] = (line[j] ?? 0) + (zi * (z[j] ?? 0)) / rows.length;
    }
  }
  for (let i = 0; i < n; i++) (covariance[i] as Float64Array)[i] = (covariance[i]?.[i] ?? 0) + RIDGE;
  const { values, vectors } = eigen(covariance);
  const whitening = vectors.map((vector, row) => Array.from(vector, (value) => value / Math.sqrt(values[row] ?? 1)));
  return { mean, spread, whitening };
}
