// `node tools/flags.ts`: writes the texts that derive from the rows of the flags
// (packages/risk/flags): the vocabulary that all packages share, even the browser's, and the page
// for readers. A test compares both with the rows.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RISK_GROUPS, type RiskGroup } from "@stile/protocol/risk-groups";
import type { FlagRow } from "@stile/risk/flag-row";
import { FLAG_ROWS } from "@stile/risk/flag-rows";
import { toScore } from "@stile/risk/score";
import { GROUP_CAPS } from "@stile/risk/weights";
import { readOptions } from "./read-options.ts";

const root = join(import.meta.dirname, "..");

/** Where the vocabulary and the page are. */
export const FLAG_FILES = {
  vocabulary: join(root, "packages/protocol/risk-flags.ts"),
  page: join(root, "docs/reference/flags.md"),
} as const;

/** Columns that the formatter allows. */
const WIDTH = 100;

function entryOf({ name, group, label }: FlagRow): string[] {
  const parts = [`group: ${JSON.stringify(group)}`, `label: ${JSON.stringify(label)}`];
  const line = `  ${name}: { ${parts.join(", ")} },`;
  return line.length <= WIDTH
    ? [line]
    : [`  ${name}: {`, ...parts.map((part) => `    ${part},`), "  },"];
}

/** The text of `protocol/risk-flags.ts`. */
export function flagVocabulary(): string {
  return [
    "// Written by `node tools/flags.ts` from the rows in packages/risk/flags: change those.",
    'import type { RiskGroup } from "./risk-groups.ts";',
    "",
    "type Flag = { readonly group: RiskGroup; readonly label: string };",
    "",
    "/** Risk indicators, each with its group and what it says in plain words (spec 2.2 `flags`). */",
    "export const RISK_FLAGS = {",
    ...FLAG_ROWS.flatMap(entryOf),
    "} as const satisfies Record<string, Flag>;",
    "",
    "/** Name of a risk indicator. The set may grow; clients tolerate names they don't know (spec 9.2). */",
    "export type RiskFlag = keyof typeof RISK_FLAGS;",
    "",
  ].join("\n");
}

/** Path of a flag's file, from the root. */
const flagFile = (name: string): string => `packages/risk/flags/${name.replaceAll("_", "-")}.ts`;

/** The text of the comment above a row; throws if there is none. */
function explain({ name }: FlagRow): string {
  const text = readFileSync(join(root, flagFile(name)), "utf8");
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const \w+ = \{\n {2}name:/.exec(
    text,
  )?.[1];
  if (comment === undefined) throw new Error(`${flagFile(name)} has no comment above its row`);
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\*? ?/, "").trim());
  return lines.join(" ").trim();
}

function weighs(row: FlagRow): string {
  const alone = toScore([{ flag: row.name, weight: row.weight }]).toFixed(2);
  const share = "grade" in row ? ", if fully present" : "";
  const floor = row.floor === undefined ? "" : `, never below ${row.floor.toFixed(2)}`;
  return `Weight ${row.weight}, score ${alone}${share}${floor}.`;
}

const sectionOf = (row: FlagRow): string[] => [
  ...[`### \`${row.name}\``, "", `*${row.label}*`, ""],
  ...[explain(row), "", weighs(row), ""],
];

const capOf = (group: RiskGroup): string => `Weights count at most ${GROUP_CAPS[group]} together.`;

/** The text of docs/reference/flags.md. */
export function flagPage(): string {
  return [
    "<!-- Written by `node tools/flags.ts` from the rows in packages/risk/flags: change those. -->",
    "# The flags",
    "",
    "A flag is one reason to suspect a visitor. For each flag, this page says what the dashboard shows, what raises it, who else may",
    "raise it, its weight, and the score of a visitor with this flag alone. Weights are log-odds, added to those of a visitor without",
    "flags (0.05). With the default thresholds, a score of 0.30 asks for a click and 0.60 blocks. See also [paths of the",
    "pointer](risk-model.md) and [what the widget reads](signals.md).",
    "",
    ...RISK_GROUPS.flatMap((group) => [
      ...[`## ${group[0]?.toUpperCase()}${group.slice(1)}`, "", capOf(group), ""],
      ...FLAG_ROWS.filter((row) => row.group === group).flatMap(sectionOf),
    ]),
  ]
    .join("\n")
    .replace(/\n+$/, "\n");
}

const HELP = `Usage: node tools/flags.ts

Writes packages/protocol/risk-flags.ts and docs/reference/flags.md from the rows in packages/risk/flags.
`;

if (import.meta.main) {
  readOptions({ name: "flags", help: HELP }, {});
  writeFileSync(FLAG_FILES.vocabulary, flagVocabulary());
  writeFileSync(FLAG_FILES.page, flagPage());
}
