import type { Round } from "./round.ts";

/** Both servers in one round. */
export type RoundPair = { readonly service: Round; readonly control: Round };

/**
 * One line of the result: medians of all rounds, with minimum and maximum. `ratio` is throughput
 * and `cpu_ratio` CPU per request, both relative to the control in the same round. For `life`, a
 * request is the three of a token's life, compared with one constant answer; its p50 and p99 are of
 * single requests.
 */
export type Row = {
  readonly name: string;
  readonly rounds: number;
  readonly rps: number;
  readonly rps_range: Range;
  readonly ratio: number;
  readonly ratio_range: Range;
  readonly cpu_us: number;
  readonly cpu_us_range: Range;
  readonly cpu_ratio: number;
  readonly cpu_ratio_range: Range;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly rss_mb: number;
};

/** The minimum and the maximum. */
export type Range = readonly [min: number, max: number];

/** The middle value, or the mean of the two middle ones; NaN if there are none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

function spread(
  values: readonly number[],
  digits: number,
): { readonly middle: number; readonly range: Range } {
  const range = [round(Math.min(...values), digits), round(Math.max(...values), digits)] as const;
  return { middle: round(median(values), digits), range };
}

function toRow(name: string, rounds: readonly Round[], controls: readonly Round[]): Row {
  const against = (pick: (round: Round) => number) =>
    rounds.map((own, index) => pick(own) / pick(controls[index] ?? own));
  const rps = spread(
    rounds.map((r) => r.requestsPerSecond),
    0,
  );
  const cpu = spread(
    rounds.map((r) => r.cpuMicrosPerRequest),
    1,
  );
  const ratio = spread(
    against((r) => r.requestsPerSecond),
    2,
  );
  const cpuRatio = spread(
    against((r) => r.cpuMicrosPerRequest),
    2,
  );
  return {
    name,
    rounds: rounds.length,
    rps: rps.middle,
    rps_range: rps.range,
    ratio: ratio.middle,
    ratio_range: ratio.range,
    cpu_us: cpu.middle,
    cpu_us_range: cpu.range,
    cpu_ratio: cpuRatio.middle,
    cpu_ratio_range: cpuRatio.range,
    p50_ms: round(median(rounds.map((r) => r.p50Ms)), 2),
    p99_ms: round(median(rounds.map((r) => r.p99Ms)), 2),
    rss_mb: round(median(rounds.map((r) => r.rssBytes)) / 2 ** 20, 0),
  };
}

/** The row of a workload and that of its control. */
export function toRows(name: string, pairs: readonly RoundPair[]): readonly [Row, Row] {
  const services = pairs.map(({ service }) => service);
  const controls = pairs.map(({ control }) => control);
  return [toRow(name, services, controls), toRow(`${name} control`, controls, controls)];
}

const withRange = (middle: number, [min, max]: Range): string => `${middle} (${min}..${max})`;

/** A row for the terminal, where a figure and its range share a column. */
export function toLine(row: Row): Readonly<Record<string, string | number>> {
  return {
    name: row.name,
    "CPU us": withRange(row.cpu_us, row.cpu_us_range),
    "CPU ratio": withRange(row.cpu_ratio, row.cpu_ratio_range),
    "requests/s": withRange(row.rps, row.rps_range),
    "rate ratio": withRange(row.ratio, row.ratio_range),
    "p50 ms": row.p50_ms,
    "p99 ms": row.p99_ms,
    "RSS MB": row.rss_mb,
  };
}
