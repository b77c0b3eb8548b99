import type { Program } from "./debian-programs.ts";

/** The bound that a figure must keep for the trial to pass. */
export type FigureBound = { readonly kind: "at_most" | "at_least"; readonly value: number };

/** One measured figure of a trial. */
export type Figure = {
  readonly name: string;
  readonly value: number;
  /** Its unit: "x" for a ratio, "%", "ms", "tokens", "" for a plain number. */
  readonly unit: string;
  /** Undefined for a figure that is only reported. */
  readonly bound?: FigureBound;
};

/** A figure that could not be measured on this machine, and why. */
export type Skipped = { readonly name: string; readonly skipped: string };

/** Reports on standard error how far a long trial has got. */
export type Say = (text: string) => void;

/**
 * One trial of the service, an attack or an accident: it starts its own services on loopback
 * addresses, in separate processes, sends a bounded number of real requests, ends its processes,
 * and returns its measurements.
 */
export type Trial<Result extends Figure | Skipped = Figure> = {
  /** In kebab-case; `--only` selects it by this name. */
  readonly name: string;
  /** The attempt, in one sentence. */
  readonly tries: string;
  /** Programs without which the whole trial is skipped. */
  readonly needs?: readonly Program[];
  readonly run: (say: Say) => Promise<readonly Result[]>;
};

/**
 * Whether a figure keeps its bound; one without a bound, or that could not be measured, always
 * does.
 */
export function holds(figure: Figure | Skipped): boolean {
  if ("skipped" in figure || figure.bound === undefined) return true;
  const { value, bound } = figure;
  return bound.kind === "at_most" ? value <= bound.value : value >= bound.value;
}
