// `npm run accidents -- [--only NAME] [--json]`: lets happen to services of its own, on loopback addresses, what happens to
// machines: clocks that jump, disks that fill or slow down, copies, kills; and prints what was lost beside the bound it must keep.
import { slowDisk } from "./accidents/slow-disk.ts";
import { stuckStore } from "./accidents/stuck-store.ts";
import { runTrials } from "./trials/run-trials.ts";
import type { Figure, Skipped, Trial } from "./trials/trial.ts";

const ACCIDENTS: readonly Trial<Figure | Skipped>[] = [slowDisk, stuckStore];

await runTrials({ command: "accidents", kind: "accidents", trials: ACCIDENTS });
