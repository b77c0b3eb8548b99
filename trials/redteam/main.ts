// `npm run trial -- redteam --data DIR`: makes real automation tools, and recorded users alongside
// them, visit the running service through the widget, and prints the service's score for each.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom, seedOf } from "@stile/risk/seeded-random";
import { buildPages } from "../../tools/build.ts";
import { readOptions, refuseCall } from "../../tools/read-options.ts";
import { CONTROL_TOOLS } from "./controls.ts";
import { FORGERS } from "./forgers.ts";
import { FIREFOX, findMissing, installPackages, installPrograms, MissingTools } from "./install.ts";
import { startLimited } from "./limited-service.ts";
import { drawScores, withLivingTable } from "./living-table.ts";
import { measureOneNetwork, printOneNetwork } from "./one-network.ts";
import { PLAYWRIGHT_TOOLS } from "./playwright.ts";
import { startScreen } from "./programs.ts";
import { PUPPETEER_TOOLS } from "./puppeteer.ts";
import { RAW_TOOLS } from "./raw-tools.ts";
import { type RecordedPaths, readRecordedPaths } from "./recorded-paths.ts";
import { printReport, type Row, summarize, toRow, type Visit } from "./report.ts";
import { runTool } from "./run.ts";
import { SELENIUM_TOOLS } from "./selenium.ts";
import { openTestbed } from "./testbed.ts";
import { THIEVES } from "./thieves.ts";
import type { Tool } from "./tool.ts";

const HELP = `Usage: npm run trial -- redteam [--data DIR] [--only NAME] [--sessions N] [--json] [--report]
       npm run trial -- redteam --one-network MINUTES [--json]

  --data       Folder with human_*.jsonl.gz: recorded people, who are the controls; needed unless --only names others
  --only       Only tools whose name contains one of these texts, separated by commas
  --sessions   Visits of each tool (default 5)
  --report     Write the table and its picture into docs/measurements/red-team.md, too
  --one-network  What a forger gets from one address, or one /24, under the default limits: prices, and tokens for so many minutes
  --json       Print { rows, summary, visits } instead of the table
`;

/** How many characters of the service's log are shown. */
const MAX_COMPLAINTS = 2_000;

const say = (text: string): void => void process.stderr.write(`redteam: ${text}\n`);

const COMMAND = { name: "redteam", help: HELP };
function refuse(problem: string): never {
  refuseCall(COMMAND, problem);
}

/** The value of an option as a whole number. */
function readCount(name: string, text: string): number {
  const count = Number(text);
  return Number.isInteger(count) && count >= 1
    ? count
    : refuse(`--${name} must be a whole number from 1 on.`);
}

/** The recorded users, read when they are first needed. */
function peopleOf(data: string | undefined): () => RecordedPaths {
  let people: RecordedPaths | undefined;
  return () => {
    if (data === undefined) throw new Error("--data must name the folder of the recordings");
    people ??= readRecordedPaths(data, createRandom(seedOf("people")));
    return people;
  };
}

const needsBrowsers = (tools: readonly Tool[]): boolean =>
  tools.some(({ programs }) => programs.length > 0);

/**
 * Those of the tools whose programs are installed; Firefox may be missing, everything else is
 * required.
 */
function equip(tools: readonly Tool[]): Tool[] {
  if (!needsBrowsers(tools)) return [...tools];
  installPackages(say);
  const needed = [
    ...new Set(["/usr/bin/Xvfb" as const, ...tools.flatMap(({ programs }) => programs)]),
  ];
  const missing = installPrograms(needed, say).filter((program) => program !== FIREFOX);
  if (missing.length > 0) throw new MissingTools(missing);
  const [there, absent] = [true, false].map((isThere) =>
    tools.filter(({ programs }) => (findMissing(programs).length === 0) === isThere),
  );
  for (const { name } of absent ?? [])
    say(`${name} is left out: Firefox is not installed (package firefox-esr)`);
  return there ?? [];
}

/** Ends all child processes when the command ends. */
function endOnSignals(started: AsyncDisposableStack): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void started.disposeAsync().finally(() => process.exit(130)));
  }
}

/** Prints the results of one network under the default limits. */
async function showOneNetwork(minutes: number): Promise<void> {
  await using started = new AsyncDisposableStack();
  endOnSignals(started);
  await buildPages();
  const measured = await measureOneNetwork(await startLimited(started), minutes, say);
  process.stdout.write(values.json ? `${JSON.stringify(measured)}\n` : printOneNetwork(measured));
}

async function main(asked: readonly Tool[], sessions: number, data?: string): Promise<Visit[]> {
  await using started = new AsyncDisposableStack();
  endOnSignals(started);
  const tools = equip(asked);
  await buildPages();
  const screen = needsBrowsers(tools) ? await startScreen() : undefined;
  if (screen !== undefined) started.defer(screen.end);
  const testbed = await openTestbed(started);
  const surroundings = {
    testbed,
    display: screen?.display ?? "",
    people: peopleOf(data),
    donors: new Map(),
  };
  const visits: Visit[] = [];
  for (const [index, tool] of tools.entries()) {
    say(`${tool.name} (${index + 1} of ${tools.length}) ...`);
    const own = await runTool(tool, sessions * (tool.share ?? 1), surroundings, started);
    say(
      own
        .map(({ score, outcomes }) => `${score?.toFixed(2) ?? "-"} ${outcomes.join("+")}`)
        .join(", "),
    );
    for (const { fault } of own) if (fault !== undefined) say(`  ${fault}`);
    visits.push(...own);
  }
  if (testbed.complaints() !== "")
    say(`the service says:\n${testbed.complaints().slice(0, MAX_COMPLAINTS)}`);
  return visits;
}

/** The document with the living table, and its picture. */
const DOCUMENT = join(import.meta.dirname, "..", "..", "docs", "measurements", "red-team.md");
const PICTURE = join(
  import.meta.dirname,
  "..",
  "..",
  "docs",
  "measurements",
  "images",
  "red-team.svg",
);

function writeReport(rows: readonly Row[]): void {
  const only = values.only === "" ? "" : ` --only ${values.only}`;
  const command = `npm run trial -- redteam --data DIR${only} --sessions ${values.sessions}`;
  const ran = { rows, command, day: new Date().toISOString().slice(0, 10) };
  writeFileSync(DOCUMENT, withLivingTable(readFileSync(DOCUMENT, "utf8"), ran));
  writeFileSync(PICTURE, drawScores(ran));
}

/** Makes the tools visit, and prints the results. */
async function showTools(tools: readonly Tool[]): Promise<void> {
  const visits = await main(tools, readCount("sessions", values.sessions), values.data);
  const rows = [...Map.groupBy(visits, ({ tool }) => tool).values()].map(toRow);
  const summary = summarize(visits);
  if (values.report) writeReport(rows);
  process.stdout.write(
    values.json ? `${JSON.stringify({ rows, summary, visits })}\n` : printReport(rows, summary),
  );
}

const values = readOptions(COMMAND, {
  data: { type: "string" },
  only: { type: "string", default: "" },
  sessions: { type: "string", default: "5" },
  "one-network": { type: "string" },
  json: { type: "boolean", default: false },
  report: { type: "boolean", default: false },
});
const minutes = values["one-network"];
const all = [
  ...CONTROL_TOOLS,
  ...PLAYWRIGHT_TOOLS,
  ...PUPPETEER_TOOLS,
  ...SELENIUM_TOOLS,
  ...RAW_TOOLS,
  ...FORGERS,
  ...THIEVES,
];
const isAsked = (name: string): boolean =>
  values.only.split(",").some((part) => name.includes(part));
const tools = all.filter(({ name }) => isAsked(name));
if (tools.length === 0) refuse(`there is no tool like "${values.only}".`);
try {
  if (minutes === undefined) await showTools(tools);
  else await showOneNetwork(readCount("one-network", minutes));
} catch (error) {
  if (!(error instanceof MissingTools)) throw error;
  say(error.message);
  process.exitCode = 2;
}
