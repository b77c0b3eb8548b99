// `npm run compat`: real libraries of other vendors, against a running service.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { launchVisitorBrowser } from "@stile/testkit/browser/browser";
import { closeConnections } from "@stile/testkit/contract/call";
import { startInOwnProcess } from "@stile/testkit/contract/service-fixtures";
import { addEasySite, startEasyService } from "@stile/testkit/service/easy-service";
import { buildStale } from "../tools/build.ts";
import { APPS } from "./apps.ts";
import { clientRow } from "./client-rows.ts";
import { buildPackages, canRun, EXAMPLES, runExample } from "./examples.ts";
import { installDebianPackages, installLibraries } from "./install.ts";
import { phpMyAdminRows } from "./phpmyadmin.ts";
import type { Row } from "./row.ts";
import { serverRows } from "./server-rows.ts";
import { loadServerLibraries } from "./servers.ts";

const PAGE = join(import.meta.dirname, "..", "docs", "reference", "compatibility.md");
const PLACE = /(?<=<!-- grid -->\n\n).*?(?=\n<!-- grid end -->)/s;
/** Rows of client libraries at once: most of their time they wait for tokens to expire. */
const AT_ONCE = 3;
const HELP = `npm run compat                      runs the grid, and writes docs/reference/compatibility.md
npm run compat -- PART...           runs the rows whose name contains a part, and prints the table
npm run compat -- examples NAME...  runs the examples, or those that are named

Libraries are installed on demand into compat/, and on Debian as root also Debian's packages.
`;

const wanted = process.argv.slice(2);

const isWanted = (name: string): boolean =>
  wanted.length === 0 || wanted.some((part) => name.includes(part));

async function openShop() {
  await buildStale();
  const service = await startEasyService();
  // A program types in these pages, and neither the grid nor the examples are about scores.
  const thresholds = { challenge: 0.9, block: 0.95 };
  const site = await addEasySite(service, { name: "shop", domains: ["localhost"], thresholds });
  const browser = await launchVisitorBrowser();
  return { service, site, browser };
}

/** Runs the examples, and ends this process with 1 if one fails. */
async function runExamples(names: readonly string[]): Promise<void> {
  buildPackages();
  const { service, site, browser } = await openShop();
  const asked = EXAMPLES.filter(({ name }) => names.length === 0 || names.includes(name));
  for (const example of asked) {
    const result = canRun(example)
      ? await runExample(browser, service.baseUrl, site, example).then(
          () => "passes",
          (error: Error) => `fails: ${error.message}`,
        )
      : "skipped: its language is missing";
    console.log(`${example.name}: ${result}`);
    if (result !== "passes") process.exitCode = 1;
  }
  await browser.close();
  await service.dispose();
}

async function clientRows(): Promise<Row[]> {
  const apps = APPS.filter(({ library, name = library }) => isWanted(name));
  const hasApplication = isWanted("phpMyAdmin");
  if (apps.length === 0 && !hasApplication) return [];
  const { service, site, browser } = await openShop();
  const rows: Row[] = [];
  const waiting = apps.entries();
  const work = async (): Promise<void> => {
    for (const [at, app] of waiting) {
      const row = await clientRow(browser, service, app);
      console.error(toLine(row));
      rows[at] = row;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (hasApplication) {
    for (const row of await phpMyAdminRows(browser, service.baseUrl, site)) {
      rows.push(row);
      console.error(toLine(row));
    }
  }
  await browser.close();
  await service.dispose();
  return rows;
}

const toLine = ({ library, version, level, passes, wrong, thrown, remark }: Row): string => {
  const isClean = passes && wrong.length === 0 && thrown.length === 0;
  const faults = [
    ...wrong.map((name) => `ACCEPTS ${name}`),
    ...thrown.map((what) => `throws: ${what}`),
  ];
  const result = [isClean ? "passes" : "fails", ...faults, remark].filter(Boolean).join("; ");
  return `| ${library} | ${version} | ${level} | ${result.replaceAll("|", "\\|")} |`;
};

async function runGrid(): Promise<void> {
  installLibraries();
  installDebianPackages();
  const clients = await clientRows();
  const fixture = await startInOwnProcess();
  const libraries = (await loadServerLibraries()).filter(({ library }) => isWanted(library));
  const servers = await serverRows(fixture, libraries, (row) => console.error(toLine(row)));
  await fixture.stop();
  closeConnections();
  const rows = [...clients, ...servers];
  const wrong = rows.reduce((sum, row) => sum + row.wrong.length, 0);
  const lines = rows.map(toLine).join("\n");
  const table = `| library | version | level | result |\n|---|---|---|---|\n${lines}\n\nWrong accepts: ${wrong}\n`;
  console.log(table);
  if (wanted.length === 0) {
    const page = readFileSync(PAGE, "utf8");
    writeFileSync(
      PAGE,
      page.replace(PLACE, () => table),
    );
  }
  process.exitCode = rows.every(
    ({ passes, wrong, thrown }) => passes && wrong.length + thrown.length === 0,
  )
    ? 0
    : 1;
}

if (wanted.includes("--help")) console.log(HELP);
else if (wanted[0] === "examples") await runExamples(wanted.slice(1));
else await runGrid();
