// `npm run trial -- accidents [--only NAME] [--json]`: exposes its own services, on loopback
// addresses, to accidents of machines: clocks that jump, disks that fill or slow down, copies,
// kills. Prints the losses, with the bound that each must keep.

import type { Figure, Skipped, Trial } from "@stile/testkit/trials/trial";
import { runTrials } from "../run-trials.ts";
import { brokenFiles } from "./broken-files.ts";
import { clockJump } from "./clock-jump.ts";
import { copies } from "./copies.ts";
import { httpEdges } from "./http-edges.ts";
import { kills } from "./kills.ts";
import { restarts } from "./restarts.ts";
import { slowClients } from "./slow-clients.ts";
import { slowDisk } from "./slow-disk.ts";
import { stuckStore } from "./stuck-store.ts";

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
