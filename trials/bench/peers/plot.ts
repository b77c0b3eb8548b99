import { COLUMNS, type Column, type Row } from "./table.ts";

const SIZE = { width: 760, left: 236, right: 96, top: 64, bar: 16, gap: 6, panelGap: 34 } as const;
const TITLES: Readonly<Record<Column, string>> = {
  issue: "Issue a challenge",
  check: "Check a solution",
  redeem: "Redeem once",
  life: "A whole life",
};
const INK = "#1d2430";
const FAINT = "#d5dae2";
const OWN = "#1f5fbf";
const OTHERS = "#8a93a3";

const near = (value: number): string => String(Number(value.toFixed(1)));

/** Powers of ten that enclose everything drawn. */
function boundsOf(rows: readonly Row[]): { readonly from: number; readonly to: number } {
  const all = rows.flatMap(({ cpu_us }) =>
    COLUMNS.flatMap((column) => cpu_us[column]?.range ?? []),
  );
  return {
    from: Math.floor(Math.log10(Math.min(...all))),
    to: Math.ceil(Math.log10(Math.max(...all))),
  };
}

type Scale = (micros: number) => number;

function drawBar(row: Row, column: Column, x: Scale, y: number, isOwn: boolean): string {
  const figure = row.cpu_us[column];
  const middle = y + SIZE.bar / 2;
  const label = `<text x="${SIZE.left - 10}" y="${near(middle + 4)}" text-anchor="end">${row.name}</text>`;
  if (figure === null)
    return `${label}\n<text x="${SIZE.left + 6}" y="${near(middle + 4)}">none</text>`;
  const [least, most] = figure.range;
  const end = x(figure.middle);
  return [
    label,
    `<rect x="${SIZE.left}" y="${near(y)}" width="${near(end - SIZE.left)}" height="${SIZE.bar}" fill="${isOwn ? OWN : OTHERS}"/>`,
    `<path d="M${near(x(least))} ${near(middle)}H${near(x(most))}" stroke="${INK}" stroke-width="1.5"/>`,
    `<text x="${near(Math.max(end, x(most)) + 6)}" y="${near(middle + 4)}">${figure.middle.toLocaleString("en")}</text>`,
  ].join("\n");
}

function drawAxis({ from, to }: ReturnType<typeof boundsOf>, x: Scale, bottom: number): string {
  const powers = Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
  const lines = powers.map((power) => {
    const at = near(x(power));
    const label = `<text x="${at}" y="${bottom + 18}" text-anchor="middle">${power.toLocaleString("en")}</text>`;
    return `<path d="M${at} ${SIZE.top - 24}V${bottom}" stroke="${FAINT}"/>\n${label}`;
  });
  return lines.join("\n");
}

/**
 * Bars for the cost of each step for each contestant on a logarithmic scale, with ranges; the first
 * row is Stile's.
 */
export function plotPeers(rows: readonly Row[]): string {
  const panelHeight = rows.length * (SIZE.bar + SIZE.gap) + SIZE.panelGap;
  const bottom = SIZE.top + COLUMNS.length * panelHeight - SIZE.panelGap;
  const height = bottom + 34;
  const bounds = boundsOf(rows);
  const width = SIZE.width - SIZE.left - SIZE.right;
  const x: Scale = (micros) =>
    SIZE.left + (width * (Math.log10(micros) - bounds.from)) / (bounds.to - bounds.from);
  const panels = COLUMNS.flatMap((column, index) => {
    const top = SIZE.top + index * panelHeight;
    const title = `<text x="16" y="${top - 8}" font-weight="600">${TITLES[column]}</text>`;
    return [
      title,
      ...rows.map((row, at) => drawBar(row, column, x, top + at * (SIZE.bar + SIZE.gap), at === 0)),
    ];
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${height}" width="${SIZE.width}" height="${height}" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" font-size="12" fill="${INK}">`,
    `<title id="title">Server CPU of a puzzle's life, in microseconds, by step and contestant, on a logarithmic scale</title>`,
    `<rect width="${SIZE.width}" height="${height}" rx="10" fill="#ffffff"/>`,
    `<text x="16" y="26">Server CPU a call, in microseconds: median of the rounds, the line is their range; logarithmic scale</text>`,
    drawAxis(bounds, x, bottom),
    ...panels,
    "</svg>",
  ].join("\n")}\n`;
}
