// `npm run bench -- peers`: the server's cost of a puzzle's life, compared with other projects that
// do the same, all in one run.

import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { pinToOneCore } from "../pin-to-one-core.ts";
import { openAltcha } from "./altcha.ts";
import { openCaps } from "./cap.ts";
import type { Contestant } from "./contestant.ts";
import { openFriendly } from "./friendly.ts";
import { type InstalledPeers, installPeers, PeersMissing } from "./install.ts";
import { IN_FLIGHT, measureContestants } from "./measure.ts";
import { plotPeers } from "./plot.ts";
import { openStile } from "./stile.ts";
import { type Row, toLine, toNotes, toRows } from "./table.ts";

const CACHE = join(import.meta.dirname, "..", "..", "..", ".cache", "bench");
/** Where the peers are installed: not a workspace, and ignored by git. */
const FOLDER = join(CACHE, "peers");
const PLOT_FILE = join(CACHE, "peers.svg");

function tell(line: string): void {
  process.stderr.write(`bench: ${line}\n`);
}

async function openAll(peers: InstalledPeers): Promise<readonly Contestant[]> {
  tell("solving puzzles ahead, which is no part of any figure");
  return [
    await openStile(),
    await openAltcha(peers),
    ...(await openCaps(peers)),
    await openFriendly(peers),
  ];
}

async function measure(peers: InstalledPeers, rounds: number): Promise<readonly Row[]> {
  const contestants = await openAll(peers);
  try {
    const measured = await measureContestants(contestants, rounds, tell);
    const [own] = measured;
    return own === undefined ? [] : toRows(measured, own);
  } finally {
    for (const contestant of contestants) await contestant.close();
  }
}

function print(rows: readonly Row[], rounds: number): void {
  console.log(
    `Server CPU of this process a call, all its threads, in microseconds: median of ${rounds} rounds (least..most), and its ratio to\n` +
      `Stile's own. Functions called in one process on one core, ${IN_FLIGHT} at a time; no HTTP, no JSON, no solving. A life is its steps.`,
  );
  console.table(rows.map(toLine));
  console.log(rows.flatMap(toNotes).join("\n"));
}

/**
 * Installs missing peers, measures, prints tables or JSON, draws a plot. Returns whether it could.
 */
export async function benchPeers(isJson: boolean, rounds: number): Promise<boolean> {
  const core = pinToOneCore();
  const [load = 0] = loadavg();
  const place =
    core === undefined
      ? "taskset is missing: cores are the system's choice"
      : `everything runs on core ${core}`;
  tell(`${place}; Node ${process.versions.node}, load average ${load.toFixed(1)} before it begins`);
  try {
    const rows = await measure(await installPeers(FOLDER), rounds);
    if (isJson) process.stdout.write(`${JSON.stringify(rows)}\n`);
    else print(rows, rounds);
    writeFileSync(PLOT_FILE, plotPeers(rows));
    tell(`the plot is in ${PLOT_FILE}`);
    return true;
  } catch (error) {
    if (!(error instanceof PeersMissing)) throw error;
    tell(error.message);
    return false;
  }
}
