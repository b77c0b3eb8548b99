import { closeSync, openSync, writeSync } from "node:fs";
import { type Decision, isDecision, type LogEntry } from "@stile/core/domain/statistics/decision";
import type { Store } from "@stile/core/ports/store";
import type { Config } from "../config/config.ts";
import { openDataDirectory } from "../data-directory/data-directory.ts";
import { fail } from "./fail.ts";
import { noInstallation } from "./no-installation.ts";
import { hasInstallation, openOperatorStore } from "./operator-ports.ts";

/** How many decisions are read at once. */
const PAGE = 1000;
const PRIVATE_FILE = 0o600;

/**
 * A line of the export: the label and the parts of the score. Nothing in it leads to a visitor,
 * site or request.
 */
function toLine({ label, score, contributions }: Decision): string {
  const flags = Object.fromEntries(contributions.map(({ flag, weight }) => [flag, weight]));
  return `${JSON.stringify({ label, score, flags })}\n`;
}

/**
 * Signed bots that the site let through without a score say nothing about the weights, so they are
 * left out.
 */
function isLabelled(entry: LogEntry): entry is Decision {
  return isDecision(entry) && entry.label !== null && entry.signedAgent?.isLetThrough !== true;
}

async function* labelledOf(store: Store, siteKey: string): AsyncGenerator<Decision> {
  let beforeId: string | undefined;
  for (;;) {
    const decisions = await store.decisions.list({ siteKey, limit: PAGE, beforeId });
    for (const entry of decisions) if (isLabelled(entry)) yield entry;
    if (decisions.length < PAGE) return;
    beforeId = decisions.at(-1)?.decisionId;
  }
}

async function* labelledDecisions(store: Store): AsyncGenerator<Decision> {
  for (const { accountId } of await store.sites.listAccounts()) {
    for (const { siteKey } of await store.sites.listSites(accountId))
      yield* labelledOf(store, siteKey);
  }
}

function openPrivate(path: string): number | "refused" {
  try {
    return openSync(path, "w", PRIVATE_FILE);
  } catch {
    return "refused";
  }
}

/**
 * Writes a line for each decision that a member labelled, to a file that only the owner can read,
 * or to standard output.
 */
export async function exportDecisions(
  config: Config,
  options: { readonly out?: string },
): Promise<number> {
  const directory = openDataDirectory(config.dataDirectory);
  // The check itself must create nothing.
  if (!hasInstallation(config, directory)) throw noInstallation(config);
  // Before the store is opened: its connections would stay open if the path turned out to be wrong.
  const file = options.out === undefined ? undefined : openPrivate(options.out);
  if (file === "refused")
    return fail(`${options.out} can't be written to. Check the path and its permissions.`);
  const store = await openOperatorStore(config, directory);
  let lines = 0;
  try {
    for await (const decision of labelledDecisions(store)) {
      if (file === undefined) process.stdout.write(toLine(decision));
      else writeSync(file, toLine(decision));
      lines += 1;
    }
  } finally {
    if (file !== undefined) closeSync(file);
    await store.close();
  }
  process.stderr.write(`stile: ${lines} labelled decisions\n`);
  return 0;
}
