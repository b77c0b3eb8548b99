import type { Program } from "../install.ts";
import { quantile, SAFE_BELOW, type Visit } from "../report.ts";
import { runTool } from "../run.ts";
import type { Surroundings } from "../tool.ts";
import type { Answers } from "./ask-in-page.ts";
import { type Disagreement, disagreementsOf, WAYS, type Way } from "./disagreements.ts";
import { GUISES, toTool } from "./guises.ts";
import { HONEST, readHonest } from "./honest.ts";
import { openMediaPage, type Reading } from "./media-page.ts";

// Whether style sheets that branch on media features tell guises apart from people: the experiment of decision 0117.

/** The programs that it needs; WebKit's own browser comes with its driver. */
export const MEDIA_PROGRAMS: readonly Program[] = [
  ...(["/usr/bin/chromium", "/usr/bin/firefox-esr", "/usr/bin/WebKitWebDriver"] as const),
  ...(["/usr/bin/Xvfb", "/usr/bin/xdotool"] as const),
];

type Asked = { readonly name: string; readonly told: readonly Disagreement[]; readonly fault?: string };
type Judged = Asked & {
  readonly visits: number;
  /** The middle score of its visits as the service judges them; null if it never did. */
  readonly score: number | null;
  readonly flags: readonly string[];
};

/** Everything that was measured. */
export type MeasuredMedia = {
  readonly honest: readonly Asked[];
  readonly guises: readonly Judged[];
  /** Of one scene of sixteen questions in a frame: characters, and ms at the median of all visitors. */
  readonly scene: { readonly characters: number; readonly ms: number };
};

const median = (values: readonly number[]): number | null =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );

function judge(name: string, visits: readonly Visit[], readings: readonly Reading[]): Judged {
  const scores = visits.flatMap(({ score }) => (score === undefined ? [] : [score]));
  const fault = visits.find((visit) => visit.fault !== undefined && visit.score === undefined)?.fault;
  const flags = [...new Set(visits.flatMap((visit) => visit.flags))];
  const told = readings.flatMap(disagreementsOf);
  return { name, told, visits: visits.length, score: median(scores), flags, ...(fault !== undefined && { fault }) };
}

function costOf(frames: readonly Answers[]): MeasuredMedia["scene"] {
  const [first] = frames;
  const ms = median(frames.map(({ cost }) => cost.ms / cost.scenes)) ?? 0;
  return { characters: first === undefined ? 0 : Math.round(first.cost.characters / first.cost.scenes), ms };
}

/** Which browsers and guises are asked, and how often the service judges each guise. */
export type MediaPlan = { readonly isAsked: (name: string) => boolean; readonly sessions: number };

/** Asks honest browsers and guises, and lets the service judge the guises. */
export async function measureMedia(
  surroundings: Omit<Surroundings, "random">,
  { isAsked, sessions }: MediaPlan,
  started: AsyncDisposableStack,
  say: (text: string) => void,
): Promise<MeasuredMedia> {
  const page = await openMediaPage();
  started.defer(page.close);
  const frames: Answers[] = [];
  const honest: Asked[] = [];
  for (const setup of HONEST.filter(({ name }) => isAsked(name))) {
    say(`${setup.name} ...`);
    try {
      const reading = await readHonest(setup, surroundings.display, page);
      frames.push(reading.far);
      honest.push({ name: setup.name, told: disagreementsOf(reading) });
    } catch (error) {
      honest.push({ name: setup.name, told: [], fault: (error as Error).message });
    }
  }
  const guises: Judged[] = [];
  for (const guise of GUISES.filter(({ name }) => isAsked(name))) {
    say(`${guise.name} ...`);
    const readings: Reading[] = [];
    const tool = toTool(guise, page, (reading) => void readings.push(reading));
    guises.push(judge(guise.name, await runTool(tool, sessions, surroundings, started), readings));
  }
  return { honest, guises, scene: costOf(frames) };
}

const toldBy = ({ told }: Asked, way: Way): string =>
  [...new Set(told.filter((one) => one.way === way).map(({ kind }) => kind))].join(" ") || "-";

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");

const nameOf = ({ name, fault }: Asked): string => (fault === undefined ? name : `${name} (${fault})`);

/** The tables, as Markdown, and how many each way tells of those that are safe today. */
export function printMedia({ honest, guises, scene }: MeasuredMedia): string {
  const isTold = (way: Way) => (one: Asked) => toldBy(one, way) !== "-";
  const disagreeing = honest.filter(({ told, fault }) => told.length > 0 || fault !== undefined);
  const safe = guises.filter(({ score }) => score !== null && score < SAFE_BELOW);
  const counts = WAYS.map((way) => {
    const [people, lies] = [honest.filter(isTold(way)).length, safe.filter(isTold(way)).length];
    return `${way}: ${people} of ${honest.length} honest browsers, ${lies} of ${safe.length} guises below ${SAFE_BELOW}`;
  });
  return [
    table(
      ["honest browser", ...WAYS],
      disagreeing.map((one) => [nameOf(one), ...WAYS.map((way) => toldBy(one, way))]),
    ),
    "",
    table(
      ["guise", "visits", "score", ...WAYS, "flags"],
      guises.map((one) => [
        ...[nameOf(one), `${one.visits}`, one.score?.toFixed(2) ?? "-"],
        ...[...WAYS.map((way) => toldBy(one, way)), one.flags.join(", ")],
      ]),
    ),
    "",
    ...counts,
    `a scene of 16 questions: ${scene.characters} characters, ${scene.ms.toFixed(2)} ms`,
    "",
  ].join("\n");
}
