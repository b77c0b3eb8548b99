import { join } from "node:path";
import { type Cluster, startSqliteCluster } from "@stile/testkit/torture/cluster";
import { startPostgresCluster } from "@stile/testkit/torture/shared-cluster";
import type { Figure, Say } from "@stile/testkit/trials/trial";
import type { TorturedStore } from "./arguments.ts";
import { atLeast, withCluster } from "./bounds.ts";
import { raceOn } from "./single-use.ts";

type Control = {
  readonly name: string;
  readonly tokens: number;
  readonly kills: number;
  readonly start: () => Promise<Cluster>;
};

const KNOWN_WRONG = join(
  import.meta.dirname,
  "..",
  "..",
  "packages",
  "testkit",
  "service",
  "known-wrong-service.ts",
);
/**
 * Enough to see doubles by chance with a few kills; tried again up to this often if chance prevents
 * it.
 */
const FEW = { tokens: 300, kills: 4 } as const;
const TRIES = 3;

/** Kills only the engine, all of it at once. */
function killingEngine(cluster: Cluster): Cluster {
  const faults = cluster.engines.map(({ kills: [all] }) => all);
  return { ...cluster, target: { ...cluster.target, faults } };
}

const WRONG_STORE: Control = {
  ...FEW,
  name: "a store that reads, and then writes",
  start: () => startSqliteCluster([KNOWN_WRONG, "readsThenWrites"]),
};

const CONTROLS: Readonly<Record<TorturedStore, readonly Control[]>> = {
  sqlite: [WRONG_STORE],
  postgres: [
    WRONG_STORE,
    {
      ...FEW,
      name: "PostgreSQL with synchronous_commit=off, killed",
      start: async () =>
        killingEngine(
          await startPostgresCluster({ servers: 1, engineSettings: ["synchronous_commit=off"] }),
        ),
    },
  ],
};

async function doublesIn({ name, start, ...plan }: Control, say: Say): Promise<Figure> {
  let [doubles, tokens] = [0, 0];
  for (let at = 0; at < TRIES && doubles === 0; at++) {
    const report = await withCluster(start, (cluster) =>
      raceOn(cluster, { ...plan, breaks: 0 }, say),
    );
    doubles += report.doubles;
    tokens += report.tokens;
  }
  return {
    name: `tokens redeemed twice: ${name}`,
    value: doubles,
    unit: `of ${tokens}`,
    bound: atLeast(1),
  };
}

/** Tortures known-wrong stores: if no doubles appear there, the torture is blind. */
export async function controls(store: TorturedStore, say: Say): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const control of CONTROLS[store]) {
    say(control.name);
    figures.push(await doublesIn(control, say));
  }
  return figures;
}
