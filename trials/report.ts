import { type Figure, holds, type Skipped } from "@stile/testkit/trials/trial";

/** The result of one trial. */
export type TrialResult = {
  readonly name: string;
  readonly tries: string;
  readonly figures: readonly (Figure | Skipped)[];
};

/**
 * The results as `--json` prints them, under the name of their kind: each figure with whether it
 * keeps its bound.
 */
export function toJson(kind: string, results: readonly TrialResult[]): string {
  const told = results.map((result) => ({
    ...result,
    figures: result.figures.map((figure) =>
      "skipped" in figure ? figure : { ...figure, holds: holds(figure) },
    ),
  }));
  return `${JSON.stringify({ [kind]: told, broken: countBroken(results) }, undefined, 2)}\n`;
}

/** How many figures break their bound. */
export function countBroken(results: readonly TrialResult[]): number {
  return results.flatMap(({ figures }) => figures).filter((figure) => !holds(figure)).length;
}

function toLine(figure: Figure | Skipped): string {
  if ("skipped" in figure) return `  skip    ${figure.name}: ${figure.skipped}`;
  const { name, value, unit, bound } = figure;
  const sign = bound && (bound.kind === "at_most" ? "<=" : ">=");
  const limit = bound === undefined ? "" : `  (${sign} ${bound.value})`;
  const rounded = Number.isInteger(value) ? String(value) : value.toFixed(2);
  const shown = unit === "" || unit === "%" ? `${rounded}${unit}` : `${rounded} ${unit}`;
  return `  ${holds(figure) ? "ok    " : "BROKEN"}  ${name}: ${shown}${limit}`;
}

function closingOf(results: readonly TrialResult[]): string {
  const broken = countBroken(results);
  const skipped = results
    .flatMap(({ figures }) => figures)
    .filter((figure) => "skipped" in figure).length;
  const held =
    broken === 0
      ? "Every bound holds"
      : `${broken} ${broken === 1 ? "bound is" : "bounds are"} broken`;
  return skipped === 0 ? `${held}.` : `${held}; ${skipped} could not be tried here.`;
}

/** The results for a person: trial by trial, one line per figure, and a closing line. */
export function toText(results: readonly TrialResult[]): string {
  const parts = results.map(({ name, tries, figures }) =>
    [`${name}: ${tries}`, ...figures.map(toLine), ""].join("\n"),
  );
  return `${parts.join("\n")}\n${closingOf(results)}\n`;
}
