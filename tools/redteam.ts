// `npm run redteam -- --data DIR`: lets real automation tools, and recorded people beside them, visit the running service
// through the widget, and prints what the service made of each.
import { parseArgs } from "node:util";
import { buildStale } from "./build.ts";
import { createClosing } from "./redteam/closing.ts";
import { controlTools } from "./redteam/controls.ts";
import { installPackages, installPrograms, MissingTools } from "./redteam/install.ts";
import { PLAYWRIGHT_TOOLS } from "./redteam/playwright.ts";
import { startScreen } from "./redteam/programs.ts";
import { PUPPETEER_TOOLS } from "./redteam/puppeteer.ts";
import { rawTools } from "./redteam/raw-tools.ts";
import { printReport, summarize, toRow, type Visit } from "./redteam/report.ts";
import { runTool } from "./redteam/run.ts";
import { SELENIUM_TOOLS } from "./redteam/selenium.ts";
import { openStage } from "./redteam/stage.ts";
import type { Tool } from "./redteam/tool.ts";

const HELP = `Usage: npm run redteam -- --data DIR [--only NAME] [--sessions N] [--json]

  --data       Folder with human_*.jsonl.gz: recorded people, who are the controls
  --only       Only tools whose name holds this text
  --sessions   Visits of each tool (default 5)
  --json       Print { rows, summary, visits } instead of the table
`;

/** Characters of the service's log that are shown. */
const MAX_COMPLAINTS = 2_000;

const say = (text: string): void => void process.stderr.write(`redteam: ${text}\n`);

function refuse(message: string): never {
  process.stderr.write(`redteam: ${message}\n\n${HELP}`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        data: { type: "string" },
        only: { type: "string", default: "" },
        sessions: { type: "string", default: "5" },
        json: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}

async function main(tools: readonly Tool[], sessions: number): Promise<Visit[]> {
  const closing = createClosing(say);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void closing.endAll().finally(() => process.exit(130)));
  }
  try {
    installPackages(say);
    installPrograms([...new Set(["/usr/bin/Xvfb" as const, ...tools.flatMap(({ programs }) => programs)])], say);
    await buildStale();
    const screen = await startScreen();
    closing.add("the screen", screen.end);
    const stage = await openStage(closing);
    const surroundings = { stage, display: screen.display, donors: [] };
    const visits: Visit[] = [];
    for (const [index, tool] of tools.entries()) {
      say(`${tool.name} (${index + 1} of ${tools.length}) ...`);
      const own = await runTool(tool, sessions * (tool.share ?? 1), surroundings, closing);
      say(own.map(({ score, outcomes }) => `${score?.toFixed(2) ?? "-"} ${outcomes.join("+")}`).join(", "));
      for (const { fault } of own) if (fault !== undefined) say(`  ${fault}`);
      visits.push(...own);
    }
    if (stage.complaints() !== "") say(`the service says:\n${stage.complaints().slice(0, MAX_COMPLAINTS)}`);
    return visits;
  } finally {
    await closing.endAll();
  }
}

const values = readArguments();
const sessions = Number(values.sessions);
if (!Number.isInteger(sessions) || sessions < 1) refuse("--sessions must be a whole number from 1 on.");
if (values.data === undefined) refuse("--data must name the folder of the recordings.");
const all = [
  ...controlTools(values.data),
  ...PLAYWRIGHT_TOOLS,
  ...PUPPETEER_TOOLS,
  ...SELENIUM_TOOLS,
  ...rawTools(values.data),
];
const tools = all.filter(({ name }) => name.includes(values.only));
if (tools.length === 0) refuse(`there is no tool like "${values.only}".`);
try {
  const visits = await main(tools, sessions);
  const rows = [...Map.groupBy(visits, ({ tool }) => tool).values()].map(toRow);
  const summary = summarize(visits);
  process.stdout.write(values.json ? `${JSON.stringify({ rows, summary, visits })}\n` : printReport(rows, summary));
} catch (error) {
  if (!(error instanceof MissingTools)) throw error;
  say(error.message);
  process.exitCode = 2;
}
