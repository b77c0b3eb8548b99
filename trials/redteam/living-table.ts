import type { Row } from "./report.ts";

/** The result of a run of the red team, for the document and its picture. */
export type Run = {
  readonly rows: readonly Row[];
  /** The command, so that anybody can repeat it. */
  readonly command: string;
  /** The day, such as 2026-11-23. */
  readonly day: string;
};

const KINDS = { automation: "automated", control: "people", beside: "neither" } as const;

/** How many flags of a visitor the table names. */
const MOST_FLAGS = 5;

const shown = (value: number | null, digits: number): string =>
  value === null ? "-" : value.toFixed(digits);
const share = (part: number): string => `${Math.round(100 * part)}%`;

function tableOf(rows: readonly Row[]): string {
  const head = [
    "Visitor",
    "Kind",
    "Visits",
    "Middle score",
    ">= 0.30",
    ">= 0.60",
    "Safe tokens",
    "CPU s a safe token",
    "Accepted by our sample code",
    "CPU s each",
    "Open s",
    "MB",
    "Most frequent flags",
  ];
  const cells = rows.map((row) => [
    `\`${row.tool}\``,
    KINDS[row.kind],
    `${row.sessions}`,
    shown(row.p50, 2),
    share(row.share_030),
    share(row.share_060),
    `${row.accepted}`,
    shown(row.cpu_per_accepted, 2),
    `${row.sample_accepted}`,
    shown(row.cpu_per_sample_accepted, 2),
    shown(row.wall_per_accepted, 1),
    row.memory_mb === 0 ? "-" : `${row.memory_mb}`,
    row.flags
      .slice(0, MOST_FLAGS)
      .map(([flag]) => `\`${flag}\``)
      .join(", "),
  ]);
  const lines = [head, ["---", "---", ...Array(10).fill("---:"), "---"], ...cells];
  return lines.map((line) => `| ${line.join(" | ")} |\n`).join("");
}

const MARKED = /(?<=<!-- living table: [^\n]*-->\n\n).*?(?=\n<!-- living table end -->)/s;

/** The document with the table of this run; throws if the place for it is gone. */
export function withLivingTable(document: string, { rows, command, day }: Run): string {
  if (!MARKED.test(document)) throw new Error("the document has no place for the living table");
  const picture = "![Middle score of each visitor](images/red-team.svg)";
  const content = `\`${command}\`, ${day}:\n\n${picture}\n\n${tableOf(rows)}`;
  return document.replace(MARKED, () => content);
}

const [ROW_PX, LEFT_PX, WIDTH_PX] = [18, 250, 420];
const INKS = { automation: "#b3261e", control: "#1c7a4a", beside: "#5b6472" } as const;
/** Where the picture begins, and where the two limits are (D6, scores). */
const LIMITS = [0.3, 0.6] as const;

const escapeXml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/**
 * Median scores, a bar per visitor, with the two limits: people must end to the left of them,
 * programs to the right.
 */
export function drawScores({ rows, day }: Run): string {
  const height = rows.length * ROW_PX + 70;
  const xOf = (score: number): number => LEFT_PX + score * WIDTH_PX;
  const bars = rows.map((row, i) => {
    const y = 40 + i * ROW_PX;
    const ink = INKS[row.kind];
    const bar = `<rect x="${LEFT_PX}" y="${y}" width="${(Math.max(0.003, row.p50 ?? 0) * WIDTH_PX).toFixed(1)}" height="11" rx="2" fill="${ink}"/>`;
    return `<text x="${LEFT_PX - 8}" y="${y + 10}" text-anchor="end">${escapeXml(row.tool)}</text>${bar}`;
  });
  const limits = LIMITS.map((limit) => {
    const x = xOf(limit).toFixed(1);
    const line = `<line x1="${x}" x2="${x}" y1="32" y2="${height - 28}" stroke="#1d2430" stroke-dasharray="3 3"/>`;
    return `${line}<text x="${x}" y="${height - 12}" text-anchor="middle">${limit.toFixed(2)}</text>`;
  });
  const said = `Middle score of each visitor's visits, ${day}`;
  const title = `<title id="title">${said}</title><text x="12" y="20" font-weight="600">${said}</text>`;
  const style = 'font-family="system-ui, sans-serif" font-size="11" fill="#1d2430"';
  const ground = `<rect width="100%" height="100%" fill="#ffffff"/>`;
  const size = `width="${LEFT_PX + WIDTH_PX + 30}" height="${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-labelledby="title" ${style}>${ground}${title}${bars.join("")}${limits.join("")}</svg>\n`;
}
