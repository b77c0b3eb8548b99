// `node tools/scale-model.ts`: writes the tables of "How far it goes" into docs/operations/scaling.md, as measured.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The document with the tables. */
export const SCALING = join(import.meta.dirname, "..", "docs", "operations", "scaling.md");

/** A batch of redemptions: CPU of the engine (microseconds) and bytes of its log, per redemption. */
type Batch = { readonly size: number; readonly engineMicros: number; readonly logBytes: number };

/** What was measured; the document names the commands. A batch's times are for 10 and 300 redemptions, on one node. */
export type Figures = {
  /**
   * CPU of a node, microseconds: for a redemption on PostgreSQL, and a whole visit (challenge, submission, redemption).
   */
  readonly nodeMicros: number;
  readonly visitMicros: number;
  readonly smallBatch: Batch;
  readonly largeBatch: Batch;
  /** The same for a node that leases blocks of the limit. */
  readonly smallLeased: Batch;
  readonly largeLeased: Batch;
  /** Milliseconds of a commit, and of writing counts, during which nobody else writes these rows of a site. */
  readonly commitMs: number;
  readonly countsMs: number;
  /** How much a spent token takes in its table, index included. */
  readonly tokenBytes: number;
};

/** `npm run bench -- redeem --store postgres`, `-- hot-site`, on 23 November 2026; `-- all` on the 26th. */
export const MEASURED: Figures = {
  nodeMicros: 95,
  visitMicros: 915,
  smallBatch: { size: 10, engineMicros: 58.9, logBytes: 325 },
  largeBatch: { size: 300, engineMicros: 9.4, logBytes: 225 },
  smallLeased: { size: 10, engineMicros: 81.1, logBytes: 306 },
  largeLeased: { size: 300, engineMicros: 25.9, logBytes: 224 },
  commitMs: 1,
  countsMs: 0.24,
  tokenBytes: 102,
};

/** The share of a core to plan with: at a half, random arrivals wait on average half as long as one takes (M/D/1). */
const USE = 0.5;
const CONNECTIONS = 9;
const PRIMARY_CORES = 16;
const MOST_OF_A_BATCH = 1000;
/** A token is remembered for 6 minutes by default, in a partition of 15 minutes that is removed as a whole. */
const KEPT_SECONDS = 360 + 900;
const DAY_SECONDS = 86_400;

/** A cost of a batch: its fixed part, and the part for each redemption in it. */
type Line = { readonly fixed: number; readonly each: number };

/** The straight line through both sizes of a batch. */
function lineThrough(small: Batch, large: Batch, what: "engineMicros" | "logBytes"): Line {
  const each = (large[what] * large.size - small[what] * small.size) / (large.size - small.size);
  return { each, fixed: (small[what] - each) * small.size };
}

/**
 * A batch's cost for engine (microseconds) and log (bytes), how long it takes, and how long its end alone takes (ms).
 */
export function costsOf(figures: Figures) {
  const { commitMs, countsMs } = figures;
  const inMs = ({ fixed, each }: Line): Line => ({ fixed: fixed / 1000 + commitMs, each: each / 1000 });
  const engine = lineThrough(figures.smallBatch, figures.largeBatch, "engineMicros");
  return {
    engine,
    log: lineThrough(figures.smallBatch, figures.largeBatch, "logBytes"),
    batchMs: inMs(engine),
    leasedMs: inMs(lineThrough(figures.smallLeased, figures.largeLeased, "engineMicros")),
    endMs: commitMs + countsMs,
  };
}

/** What a rate of redemptions per second needs. */
export function needsOf(figures: Figures, rate: number) {
  const { engine, log, batchMs } = costsOf(figures);
  const nodes = Math.ceil((rate * figures.nodeMicros) / 1e6 / USE);
  // What arrives during a batch forms the next one: as many as arrive in the time that a batch of that size takes.
  const perMs = rate / nodes / 1000;
  const batch = Math.max(1, (perMs * batchMs.fixed) / (1 - perMs * batchMs.each));
  const engineCores = (rate * (engine.fixed / batch + engine.each)) / 1e6 / USE;
  return {
    nodes,
    visitCores: Math.ceil((rate * figures.visitMicros) / 1e6 / USE),
    connections: nodes * CONNECTIONS,
    batch,
    engineCores,
    primaries: Math.ceil(engineCores / PRIMARY_CORES),
    logBytesADay: rate * DAY_SECONDS * (log.fixed / batch + log.each),
    tokenBytesKept: rate * KEPT_SECONDS * figures.tokenBytes,
  };
}

/**
 * How long (ms) a redemption waits on average at one hot site: for the rest of the batch under way, half of one, and
 * for its own. Without leases batches of all nodes take turns; with leases only their counts and commits do. Undefined:
 * more than a batch can hold.
 */
export function hotSiteWait(figures: Figures, rate: number, areLimitsLeased: boolean): number | undefined {
  const { batchMs, leasedMs, endMs } = costsOf(figures);
  const { nodes } = needsOf(figures, rate);
  const perMs = rate / 1000;
  const inTurn =
    perMs * batchMs.each < 1 ? (nodes * batchMs.fixed) / (1 - perMs * batchMs.each) : Number.POSITIVE_INFINITY;
  const beside = leasedMs.fixed / (1 - (perMs / nodes) * leasedMs.each);
  const cycle = areLimitsLeased ? Math.max(beside, nodes * endMs) : inTurn;
  return (cycle * perMs) / nodes > MOST_OF_A_BATCH ? undefined : 1.5 * cycle;
}

const RATES = [100, 1_000, 10_000, 100_000, 1_000_000];
const HOT_RATES = [1_000, 10_000, 20_000, 40_000, 100_000, 200_000];

const inEnglish = (value: number): string => Number(value.toPrecision(2)).toLocaleString("en");
const inBytes = (value: number): string => {
  const [unit, size] = value < 1e9 ? ["MB", 1e6] : value < 1e12 ? ["GB", 1e9] : ["TB", 1e12];
  return `${inEnglish(value / Number(size))} ${unit}`;
};

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  return [line(head), `|${"---:|".repeat(head.length)}\n`, ...rows.map(line)].join("");
}

function needsTable(): string {
  const head = ["Redemptions a second", "Nodes", "Cores for whole visits", "Connections", "Redemptions a batch"];
  const rows = RATES.map((rate) => {
    const needs = needsOf(MEASURED, rate);
    const counts = [rate, needs.nodes, needs.visitCores, needs.connections].map((count) => count.toLocaleString("en"));
    const engine = [needs.batch, needs.engineCores].map(inEnglish);
    return [...counts, ...engine, `${needs.primaries}`, ...[needs.logBytesADay, needs.tokenBytesKept].map(inBytes)];
  });
  return table([...head, "Engine's cores", "Primaries", "Log a day", "Spent tokens kept"], rows);
}

function hotTable(): string {
  const inMs = (wait: number | undefined): string => (wait === undefined ? "no" : `${inEnglish(wait)} ms`);
  const rows = HOT_RATES.map((rate) => {
    const waits = [false, true].map((areLimitsLeased) => inMs(hotSiteWait(MEASURED, rate, areLimitsLeased)));
    return [rate.toLocaleString("en"), `${needsOf(MEASURED, rate).nodes}`, ...waits];
  });
  return table(["Redemptions of the site a second", "Nodes", "Mean wait without leases", "With leases"], rows);
}

/** The document with the model's tables; throws if the place for one is gone. */
export function withScaleTables(document: string): string {
  const put = (text: string, name: string, content: string): string => {
    const place = new RegExp(`(?<=<!-- ${name}: [^\\n]*-->\\n\\n).*?(?=\\n<!-- ${name} end -->)`, "s");
    if (!place.test(text)) throw new Error(`the document has no place for the table ${name}`);
    return text.replace(place, () => content);
  };
  return put(put(document, "needs", needsTable()), "hot site", hotTable());
}

if (import.meta.main) writeFileSync(SCALING, withScaleTables(readFileSync(SCALING, "utf8")));
