// `npm run accidents -- [--only NAME] [--json]`: exposes its own services, on loopback addresses,
// to what happens to machines: clocks that jump, disks that fill or slow down, copies, kills.
// Prints what was lost, with the bound that it must keep.

import type { Figure, Skipped, Trial } from "@stile/testkit/trials/trial";
import { brokenFiles } from "./accidents/broken-files.ts";
import { clockJump } from "./accidents/clock-jump.ts";
import { copies } from "./accidents/copies.ts";
import { httpEdges } from "./accidents/http-edges.ts";
import { kills } from "./accidents/kills.ts";
import { restarts } from "./accidents/restarts.ts";
import { slowClients } from "./accidents/slow-clients.ts";
import { slowDisk } from "./accidents/slow-disk.ts";
import { stuckStore } from "./accidents/stuck-store.ts";
import { runTrials } from "./trials/run-trials.ts";

const ACCIDENTS: readonly Trial<Figure | Skipped>[] = [
  clockJump,
  copies,
  slowDisk,
  stuckStore,
  kills,
  restarts,
  brokenFiles,
  httpEdges,
  slowClients,
];

await runTrials({ command: "accidents", kind: "accidents", trials: ACCIDENTS });
