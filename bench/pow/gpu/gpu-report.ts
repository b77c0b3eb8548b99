import { BASE_DIFFICULTY } from "@stile/pow/puzzle";
import { median } from "../../rows.ts";
import { HASHWX_NAME } from "../contestants.ts";

/** A rate, kH/s, of a function in one way of computing it; `compileMs` is what making that way took. */
export type GpuSample = {
  readonly name: string;
  readonly where: string;
  readonly khs: number;
  readonly compileMs?: number;
};

/** One line of the result: medians over the functions, of the fastest build of each. */
export type GpuFigure = {
  readonly name: string;
  readonly where: string;
  readonly khs: number;
  /** Times the rate of one thread of V8. */
  readonly to_browser: number;
  /** Solutions at base difficulty, a second. */
  readonly solutions: number;
  /** Compiling that build, ms; null where V8 compiles while it runs. */
  readonly compile_ms: number | null;
};

const round = (value: number): number => Number(value.toPrecision(3));

/** The best of the samples for one way of computing. */
const bestOf = (samples: readonly GpuSample[], { name, where }: GpuSample): GpuSample =>
  samples
    .filter((sample) => sample.name === name && sample.where === where)
    .reduce((best, sample) => (sample.khs > best.khs ? sample : best));

/** The figures of several functions, each with samples of all ways of computing it. */
export function toGpuFigures(functions: readonly (readonly GpuSample[])[]): GpuFigure[] {
  const ways = new Map(functions.flat().map((sample) => [`${sample.name} ${sample.where}`, sample]));
  const middle = (way: GpuSample) => {
    const best = functions.map((samples) => bestOf(samples, way));
    return { khs: median(best.map(({ khs }) => khs)), compileMs: median(best.map(({ compileMs = 0 }) => compileMs)) };
  };
  return [...ways.values()].map((way) => {
    const { khs, compileMs } = middle(way);
    return {
      name: way.name,
      where: way.where,
      khs: Math.round(khs),
      to_browser: round(khs / middle({ ...way, where: "V8" }).khs),
      solutions: round((khs * 1000) / BASE_DIFFICULTY[way.name === HASHWX_NAME ? 1 : 2]),
      compile_ms: way.compileMs === undefined ? null : Math.round(compileMs),
    };
  });
}

/** Prints a table to standard output. */
export function printGpuTable(figures: readonly GpuFigure[]): void {
  console.log("Hash rates, kH/s: one thread of V8 and of C, and a whole card; medians over functions");
  console.table(figures);
}
