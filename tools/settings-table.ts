// `node tools/settings-table.ts`: writes the table of settings into D17 (settings) of the operator's
// contract, from the schema that reads them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeSettings } from "@stile/server/config/settings";

/** The document with the table. */
export const SETTINGS_PAGE = join(import.meta.dirname, "..", "docs", "reference", "operator.md");

const PLACE = /(?<=<!-- settings: [^\n]*-->\n\n).*?(?=<!-- settings end -->)/s;

function settingsTable(): string {
  const settings = describeSettings().map(({ name, standard, meaning }) => [
    `\`${name}\``,
    standard,
    meaning,
  ]);
  const rows = [["Variable", "Default", "Meaning"], ...settings];
  const widths = [0, 1, 2].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |\n`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line), "\n"].join(
    "",
  );
}

/** The page with the up-to-date table; throws if the place for it is gone. */
export function withSettingsTable(page: string): string {
  if (!PLACE.test(page)) throw new Error("the page has no place for the table of settings");
  return page.replace(PLACE, () => settingsTable());
}

if (import.meta.main)
  writeFileSync(SETTINGS_PAGE, withSettingsTable(readFileSync(SETTINGS_PAGE, "utf8")));
