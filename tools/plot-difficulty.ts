// `node tools/plot-difficulty.ts`: draws docs/operations/images/difficulty.svg from the service's
// own functions.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  difficultyExponent,
  loadExponent,
  networkExponent,
} from "@stile/core/domain/challenge/difficulty";
import { BASE_DIFFICULTY, difficultyFor } from "@stile/pow/puzzle";

/** The picture's file. */
export const PLOT_FILE = join(
  import.meta.dirname,
  "..",
  "docs",
  "operations",
  "images",
  "difficulty.svg",
);

/** What varies along a panel; everything else about the visitor and the site is as usual. */
type Panel = {
  readonly title: string;
  readonly unit: string;
  /** The axis goes from `from` over this many doublings. */
  readonly from: number;
  readonly doublings: number;
  readonly factors: (value: number) => { readonly network: number; readonly load: number };
};

type Visitor = { readonly label: string; readonly risk: number; readonly color: string };

const PANELS: readonly Panel[] = [
  {
    title: "One address or network",
    unit: "challenges a minute",
    from: 6,
    doublings: 7,
    factors: (rate) => ({ network: networkExponent(rate, 1), load: 0 }),
  },
  {
    title: "The whole site",
    unit: "times its own usual rate",
    from: 0.5,
    doublings: 7,
    factors: (ratio) => ({ network: 0, load: loadExponent(ratio) }),
  },
];

const VISITORS: readonly Visitor[] = [
  { label: "was asked for more lately (risk +1)", risk: 1, color: "#b3261e" },
  { label: "usual visitor (risk 0)", risk: 0, color: "#1f5fbf" },
  { label: "token redeemed lately (risk -1)", risk: -1, color: "#1c7a4a" },
];

const LEAST = -1;
const MOST = 5;
const SIZE = { width: 760, height: 330 };
const PLOT = { top: 56, height: 190, width: 280, lefts: [92, 440] } as const;
/** Points per octave at which the functions are evaluated; they step at whole octaves. */
const SAMPLES = 64;

const INK = "#1d2430";
const FAINT = "#d5dae2";
const GROUND = "#ffffff";

const near = (value: number): string => String(Number(value.toFixed(1)));
const yOf = (exponent: number): number =>
  PLOT.top + (PLOT.height * (MOST - exponent)) / (MOST - LEAST);

function text(
  x: number,
  y: number,
  anchor: "start" | "middle" | "end",
  words: string,
  more = "",
): string {
  return `<text x="${near(x)}" y="${near(y)}" text-anchor="${anchor}"${more}>${words}</text>`;
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  return `<path d="M${near(x1)} ${near(y1)}L${near(x2)} ${near(y2)}" stroke="${FAINT}"/>`;
}

/**
 * The exponents of a visitor along a panel, as steps; lines that would coincide are shifted
 * slightly.
 */
function steps(panel: Panel, left: number, { risk, color }: Visitor, shift: number): string {
  const last = panel.doublings * SAMPLES;
  const points = Array.from({ length: last + 1 }, (_, i) => {
    const factors = panel.factors(panel.from * 2 ** (i / SAMPLES));
    const exponent = difficultyExponent({ risk, site: 0, isOverLimit: false, ...factors });
    return { x: near(left + (PLOT.width * i) / last), y: near(yOf(exponent) + shift) };
  });
  const path = points.map(({ x, y }, i) => {
    if (i === 0) return `M${x} ${y}`;
    if (y !== points[i - 1]?.y) return `H${x}V${y}`;
    return i === last ? `H${x}` : "";
  });
  return `<path d="${path.join("")}" fill="none" stroke="${color}" stroke-width="2.5"/>`;
}

function drawPanel(panel: Panel, left: number): string[] {
  const bottom = PLOT.top + PLOT.height;
  const drawn = [
    text(left + PLOT.width / 2, PLOT.top - 16, "middle", panel.title, ' font-weight="600"'),
  ];
  for (let doubling = 0; doubling <= panel.doublings; doubling++) {
    const x = left + (PLOT.width * doubling) / panel.doublings;
    drawn.push(
      line(x, PLOT.top, x, bottom),
      text(x, bottom + 18, "middle", String(panel.from * 2 ** doubling)),
    );
  }
  for (let exponent = LEAST; exponent <= MOST; exponent++) {
    const sign = exponent > 0 ? "+" : "";
    drawn.push(line(left, yOf(exponent), left + PLOT.width, yOf(exponent)));
    drawn.push(text(left - 8, yOf(exponent) + 4, "end", `${sign}${exponent}`));
  }
  drawn.push(text(left + PLOT.width / 2, bottom + 38, "middle", panel.unit));
  drawn.push(...VISITORS.map((visitor, i) => steps(panel, left, visitor, 1.5 * (i - 1))));
  return drawn;
}

/** Thousands of hashes, beside the exponents of the first panel. */
function drawHashes(): string[] {
  const drawn = [text(16, PLOT.top - 16, "start", "thousand hashes")];
  for (let exponent = LEAST; exponent <= MOST; exponent++) {
    const hashes = difficultyFor(BASE_DIFFICULTY[1], exponent) / 1000;
    drawn.push(text(16, yOf(exponent) + 4, "start", Math.round(hashes).toLocaleString("en-US")));
  }
  return drawn;
}

function drawLegend(): string[] {
  return VISITORS.map(({ label, color }, i) => {
    const x = 30 + 235 * i;
    const y = SIZE.height - 20;
    return `<path d="M${x} ${y - 4}h22" stroke="${color}" stroke-width="2.5"/>${text(x + 30, y, "start", label)}`;
  });
}

/**
 * The picture: by how many powers of two a challenge of algorithm 1 is harder; its own ground suits
 * any page.
 */
export function plotDifficulty(): string {
  const { width, height } = SIZE;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" font-size="12" fill="${INK}">`,
    '<title id="title">Exponent of the difficulty against the rate of an address and against the load of the site</title>',
    `<rect width="${width}" height="${height}" rx="10" fill="${GROUND}"/>`,
    ...drawHashes(),
    ...PANELS.flatMap((panel, i) => drawPanel(panel, PLOT.lefts[i] as number)),
    ...drawLegend(),
    "</svg>\n",
  ].join("\n");
}

if (import.meta.main) writeFileSync(PLOT_FILE, plotDifficulty());
