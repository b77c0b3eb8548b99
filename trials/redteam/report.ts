import type { Decision } from "@stile/core/domain/statistics/decision";
import type { Tool } from "./tool.ts";

/** The result of a visit. */
export type Visit = {
  readonly tool: string;
  readonly kind: Tool["kind"];
  /** The highest score of its submissions; undefined if none was scored. */
  readonly score: number | undefined;
  /** The same without `trajectory_bot`; 0 if none was scored. */
  readonly scoreWithoutModel: number;
  /** The score inside the token that it got; undefined if it got none. */
  readonly tokenScore: number | undefined;
  /**
   * CPU time that the visit cost its client, with a share of its browser's start, and the part of
   * shop and proxy.
   */
  readonly cpuSeconds: number;
  /** The most memory that the tool's programs held; 0 if it started none. */
  readonly memoryBytes: number;
  /** How long the visit was held open. */
  readonly wallSeconds: number;
  readonly outcomes: readonly Decision["outcome"][];
  /** Flags of all its submissions. */
  readonly flags: readonly string[];
  /** Undefined if there was no browser. */
  readonly botd: boolean | undefined;
  /** The tool's error; one that was blocked often has nothing left to do. */
  readonly fault: string | undefined;
};

/** A tool's row in the table. */
export type Row = {
  readonly tool: string;
  readonly kind: Tool["kind"];
  readonly sessions: number;
  readonly scored: number;
  readonly p10: number | null;
  readonly p50: number | null;
  /**
   * The shares of its visits with at least this score: no longer safe, and refused (D6, scores).
   */
  readonly share_030: number;
  readonly share_060: number;
  /** Visits that got a token which counts as safe: below 0.30. */
  readonly accepted: number;
  /**
   * Visits whose token our own sample code accepts: it is verified, and the recommendation is
   * `allow`. The red team's site asks for presses, so that is every token below 0.60. And CPU
   * seconds of all visits per such token.
   */
  readonly sample_accepted: number;
  readonly cpu_per_sample_accepted: number | null;
  /**
   * Per safe token: CPU seconds of all visits, how many such tokens an hour of a core yields, and
   * the price of a thousand of them in dollars; null if there is none.
   */
  readonly cpu_per_accepted: number | null;
  readonly tokens_per_core_hour: number | null;
  readonly dollars_per_1000: number | null;
  /** Seconds that all visits were held open per safe token; null if there is none. */
  readonly wall_per_accepted: number | null;
  readonly memory_mb: number;
  readonly botd: number;
  readonly flags: readonly (readonly [string, number])[];
};

/** The closing figures. Visits without a score count as not caught, and as not bothered. */
export type Summary = {
  readonly automated: number;
  readonly automated_030: number;
  readonly automated_060: number;
  /** Automated visits that reach 0.30, or 0.60, only with `trajectory_bot`. */
  readonly by_model_030: number;
  readonly by_model_060: number;
  readonly controls: number;
  readonly controls_030: number;
  readonly unscored: number;
  readonly botd_caught: number;
  readonly botd_asked: number;
  readonly botd_controls: number;
};

/** The score that the share `share` of visits do not exceed. */
export function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.floor(share * (sorted.length - 1))] ?? null;
}

/** The score from which a token is no longer safe by default (D6, scores). */
export const SAFE_BELOW = 0.3;
/** The score from which a visit is refused. */
const BLOCKED_FROM = 0.6;

/** The assumed price of an hour of a core, to compare forgers; not measured. */
const DOLLARS_PER_CORE_HOUR = 0.02;

const HOUR_SECONDS = 3600;

const isAcceptedBySample = ({ tokenScore }: Visit): boolean =>
  tokenScore !== undefined && tokenScore < BLOCKED_FROM;

function sampleCostOf(visits: readonly Visit[]) {
  const accepted = visits.filter(isAcceptedBySample).length;
  const cpuSeconds = visits.reduce((sum, visit) => sum + visit.cpuSeconds, 0);
  return {
    sample_accepted: accepted,
    cpu_per_sample_accepted: accepted === 0 ? null : cpuSeconds / accepted,
  };
}

const NO_TOKEN = {
  ...{ accepted: 0, cpu_per_accepted: null, tokens_per_core_hour: null },
  ...{ dollars_per_1000: null, wall_per_accepted: null },
};

function costOf(visits: readonly Visit[]) {
  const accepted = visits.filter(({ tokenScore = 1 }) => tokenScore < SAFE_BELOW).length;
  if (accepted === 0) return NO_TOKEN;
  const perToken = (what: "cpuSeconds" | "wallSeconds"): number =>
    visits.reduce((sum, visit) => sum + visit[what], 0) / accepted;
  const cpu_per_accepted = perToken("cpuSeconds");
  const tokens_per_core_hour = Math.round(HOUR_SECONDS / cpu_per_accepted);
  const dollars_per_1000 = (1000 * cpu_per_accepted * DOLLARS_PER_CORE_HOUR) / HOUR_SECONDS;
  const wall_per_accepted = perToken("wallSeconds");
  return { accepted, cpu_per_accepted, tokens_per_core_hour, dollars_per_1000, wall_per_accepted };
}

/** How many of the visits have at least that score; a visit that was never scored does not. */
const countAtLeast = (visits: readonly Visit[], limit: number): number =>
  visits.filter(({ score = 0 }) => score >= limit).length;

/** How many of the visits have that score with the model of paths, and would not without it. */
const countByModel = (visits: readonly Visit[], limit: number): number =>
  visits.filter(({ score = 0, scoreWithoutModel }) => score >= limit && scoreWithoutModel < limit)
    .length;

/** The row of one tool's visits. */
export function toRow(visits: readonly Visit[]): Row {
  const [first] = visits;
  const scores = visits
    .flatMap(({ score }) => (score === undefined ? [] : [score]))
    .sort((a, b) => a - b);
  const counts = new Map<string, number>();
  for (const flag of visits.flatMap(({ flags }) => flags))
    counts.set(flag, (counts.get(flag) ?? 0) + 1);
  return {
    tool: first?.tool ?? "",
    kind: first?.kind ?? "beside",
    sessions: visits.length,
    scored: scores.length,
    p10: quantile(scores, 0.1),
    p50: quantile(scores, 0.5),
    ...costOf(visits),
    ...sampleCostOf(visits),
    memory_mb: Math.round(Math.max(0, ...visits.map(({ memoryBytes }) => memoryBytes)) / 1e6),
    share_030: countAtLeast(visits, SAFE_BELOW) / Math.max(1, visits.length),
    share_060: countAtLeast(visits, BLOCKED_FROM) / Math.max(1, visits.length),
    botd: visits.filter(({ botd }) => botd === true).length,
    flags: [...counts].sort((a, b) => b[1] - a[1]),
  };
}

/** The figures over all tools. */
export function summarize(visits: readonly Visit[]): Summary {
  const automated = visits.filter(({ kind }) => kind === "automation");
  const controls = visits.filter(({ kind }) => kind === "control");
  const asked = automated.filter(({ botd }) => botd !== undefined);
  return {
    automated: automated.length,
    automated_030: countAtLeast(automated, SAFE_BELOW),
    automated_060: countAtLeast(automated, BLOCKED_FROM),
    by_model_030: countByModel(automated, SAFE_BELOW),
    by_model_060: countByModel(automated, BLOCKED_FROM),
    controls: controls.length,
    controls_030: countAtLeast(controls, SAFE_BELOW),
    unscored: visits.filter(({ score }) => score === undefined).length,
    botd_caught: asked.filter(({ botd }) => botd === true).length,
    botd_asked: asked.length,
    botd_controls: controls.filter(({ botd }) => botd === true).length,
  };
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)}%`;
const shown = (score: number | null): string => (score === null ? "-" : score.toFixed(2));

/** The table and the closing lines, as text. */
export function printReport(rows: readonly Row[], summary: Summary): string {
  const width = Math.max(4, ...rows.map(({ tool }) => tool.length));
  const head = `${"tool".padEnd(width)}  sessions  p10   p50   >=0.30  >=0.60   safe  CPU s  sample  CPU s  /core-h  $/1000  open s    MB  BotD  flags (sessions)`;
  const lines = rows.map((row) => {
    const flags = row.flags
      .map(([flag, count]) => (count === row.sessions ? flag : `${flag} (${count})`))
      .join(", ");
    const sessions =
      row.scored === row.sessions ? `${row.sessions}` : `${row.scored}/${row.sessions}`;
    const shares = [row.share_030, row.share_060].map((it) =>
      percent(it, 1).replace(".0%", "%").padStart(7),
    );
    const safe = [String(row.accepted).padStart(6), shown(row.cpu_per_accepted).padStart(6)];
    const sample = [
      String(row.sample_accepted).padStart(7),
      shown(row.cpu_per_sample_accepted).padStart(6),
    ];
    const cost = [
      `${row.tokens_per_core_hour ?? "-"}`.padStart(8),
      (row.dollars_per_1000?.toFixed(4) ?? "-").padStart(7),
      shown(row.wall_per_accepted).padStart(7),
      (row.memory_mb === 0 ? "-" : `${row.memory_mb}`).padStart(5),
    ];
    const cells = [
      sessions.padStart(8),
      shown(row.p10),
      shown(row.p50).padStart(5),
      ...shares,
      ...safe,
      ...sample,
      ...cost,
    ];
    return `${row.tool.padEnd(width)}  ${cells.join(" ")}  ${String(row.botd).padStart(4)}  ${flags}`;
  });
  const automated = [
    `>= 0.30: ${percent(summary.automated_030, summary.automated)}`,
    `>= 0.60: ${percent(summary.automated_060, summary.automated)}`,
  ].join(", ");
  const unscored = summary.unscored > 0 ? [`without a score: ${summary.unscored}`] : [];
  return [
    head,
    ...lines,
    "",
    `automated sessions ${summary.automated}, ${automated}`,
    `only with trajectory_bot: ${summary.by_model_030} of them >= 0.30, ${summary.by_model_060} >= 0.60`,
    `controls ${summary.controls}, >= 0.30: ${summary.controls_030}`,
    `BotD: ${summary.botd_caught} of ${summary.botd_asked} automated, ${summary.botd_controls} of ${summary.controls} controls`,
    ...unscored,
    "",
  ].join("\n");
}
