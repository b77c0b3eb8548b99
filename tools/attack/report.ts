import { type Figure, holds } from "./attack.ts";

/** What became of one attack. */
export type AttackResult = { readonly name: string; readonly tries: string; readonly figures: readonly Figure[] };

/** The results as `--json` prints them: each figure with whether it holds. */
export function toJson(results: readonly AttackResult[]): string {
  const attacks = results.map((result) => ({
    ...result,
    figures: result.figures.map((figure) => ({ ...figure, holds: holds(figure) })),
  }));
  return `${JSON.stringify({ attacks, broken: countBroken(results) }, undefined, 2)}\n`;
}

/** How many figures break their bound. */
export function countBroken(results: readonly AttackResult[]): number {
  return results.flatMap(({ figures }) => figures).filter((figure) => !holds(figure)).length;
}

function toLine(figure: Figure): string {
  const { name, value, unit, bound } = figure;
  const sign = bound && (bound.kind === "at_most" ? "<=" : ">=");
  const limit = bound === undefined ? "" : `  (${sign} ${bound.value})`;
  const rounded = Number.isInteger(value) ? String(value) : value.toFixed(2);
  return `  ${holds(figure) ? "ok    " : "BROKEN"}  ${name}: ${rounded}${unit === "" ? "" : ` ${unit}`}${limit}`;
}

/** The results for a person: attack by attack, a line a figure, and a closing line. */
export function toText(results: readonly AttackResult[]): string {
  const parts = results.map(({ name, tries, figures }) => [`${name}: ${tries}`, ...figures.map(toLine), ""].join("\n"));
  const broken = countBroken(results);
  const closing = broken === 0 ? "Every bound holds." : `${broken} bounds are broken.`;
  return `${parts.join("\n")}\n${closing}\n`;
}
