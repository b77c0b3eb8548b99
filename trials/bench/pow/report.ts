import type { Solve } from "./browser-worker.ts";
import type { CheckCosts } from "./check-costs.ts";
import { HASHWX_NAME } from "./contestants.ts";
import { quantile } from "./quantile.ts";

/** Where code ran: Chromium, Node, or a program compiled from C. */
export type Where = "browser" | "node" | "native";

/** The best rate, kH/s, that a contestant reached in each round. */
export type Rates = {
  readonly name: string;
  readonly where: Where;
  readonly rounds: readonly number[];
};

/** All results of one run. */
export type PowResults = {
  readonly rates: readonly Rates[];
  /** At base difficulty in the browser, with one worker. */
  readonly solves: readonly Solve[];
  readonly costs: CheckCosts;
};

/**
 * The figures that `--json` prints: rates in kH/s (best chunk of the run), costs in microseconds;
 * null without a C compiler.
 */
export type PowFigures = {
  readonly browser_khs: number;
  readonly native_khs: number | null;
  readonly browser_to_native: number | null;
  readonly p95_to_p50: number;
  readonly accept_us: number;
  readonly reject_us: number;
  readonly forged_us: number;
  readonly algorithms: readonly {
    readonly name: string;
    readonly where: Where;
    readonly khs: number;
  }[];
};

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** The figures of a run, rounded. */
export function toFigures({ rates, solves, costs }: PowResults): PowFigures {
  const best = rates.map(({ name, where, rounds }) => ({
    name,
    where,
    khs: Math.round(Math.max(...rounds)),
  }));
  const hashwxIn = (where: Where): number | undefined =>
    best.find((row) => row.name === HASHWX_NAME && row.where === where)?.khs;
  const browserKhs = hashwxIn("browser") ?? Number.NaN;
  const nativeKhs = hashwxIn("native");
  const times = solves.map(({ ms }) => ms);
  return {
    browser_khs: browserKhs,
    native_khs: nativeKhs ?? null,
    browser_to_native: nativeKhs === undefined ? null : rounded(browserKhs / nativeKhs, 3),
    p95_to_p50: rounded(quantile(times, 0.95) / quantile(times, 0.5), 2),
    accept_us: rounded(costs.acceptUs, 1),
    reject_us: rounded(costs.rejectUs, 1),
    forged_us: rounded(costs.forgedUs, 1),
    algorithms: best,
  };
}

function distribution(unit: string, values: readonly number[], scale: number) {
  const at = (q: number): number => rounded(quantile(values, q) / scale, 1);
  return {
    of: unit,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    "p95/p50": rounded(at(0.95) / at(0.5), 2),
  };
}

type Aim = {
  readonly figure: keyof PowFigures;
  readonly is: "at least" | "at most";
  readonly aim: number;
};

const AIMS: readonly Aim[] = [
  { figure: "browser_to_native", is: "at least", aim: 0.75 },
  { figure: "p95_to_p50", is: "at most", aim: 1.6 },
  { figure: "accept_us", is: "at most", aim: 250 },
  { figure: "reject_us", is: "at most", aim: 40 },
  { figure: "forged_us", is: "at most", aim: 20 },
];

/** The aims next to the measurements; a null counts as not met. */
export function compareWithAims(figures: PowFigures) {
  return AIMS.map(({ figure, is, aim }) => {
    const measured = figures[figure];
    const isMet =
      typeof measured === "number" && (is === "at least" ? measured >= aim : measured <= aim);
    return { figure, measured, aim: `${is} ${aim}`, met: isMet ? "yes" : "no" };
  });
}

/** Prints tables to standard output. */
export function printTables(results: PowResults): void {
  const { rates, solves } = results;
  const figures = toFigures(results);
  console.log("Hash rates, kH/s, one thread");
  const medianOf = (i: number): number => Math.round(quantile(rates[i]?.rounds ?? [], 0.5));
  console.table(figures.algorithms.map((row, i) => ({ ...row, "median of rounds": medianOf(i) })));
  console.log(`Solving ${solves.length} challenges of algorithm 1 at base difficulty, one worker`);
  console.table([
    distribution(
      "ms",
      solves.map(({ ms }) => ms),
      1,
    ),
    distribution(
      "thousand hashes",
      solves.map(({ hashes }) => hashes),
      1000,
    ),
  ]);
  console.log(
    "Against the aims; the costs are medians in Node, from the challenge's text to the result",
  );
  console.table(compareWithAims(figures));
}
