import { join } from "node:path";
import { type Cluster, startSqliteCluster } from "@stile/testkit/torture/cluster";
import { startPostgresCluster, startValkeyCluster } from "@stile/testkit/torture/shared-cluster";
import type { Bound, Figure, Say } from "@stile/testkit/trials/trial";
import type { TorturedStore } from "./arguments.ts";
import { atLeast, NONE, withCluster } from "./bounds.ts";
import { raceOn } from "./single-use.ts";

type Control = {
  readonly name: string;
  readonly tokens: number;
  readonly kills: number;
  /** How many doubles there must be: some if it is wrong, and none if one part alone suffices. */
  readonly bound: Bound;
  readonly start: () => Promise<Cluster>;
};

const KNOWN_WRONG = join(import.meta.dirname, "..", "..", "packages", "testkit", "service", "known-wrong-service.ts");
const SOME = atLeast(1);
/** Enough to see doubles by chance with a few kills; tried again up to this often if chance prevents it. */
const FEW = { tokens: 300, kills: 4 } as const;
const TRIES = 3;
/** Enough for what must show none. */
const MANY = { tokens: 3000, kills: 12 } as const;

/** Kills only the engine in which spends are kept, all of it at once. */
function killingEngine(cluster: Cluster): Cluster {
  const faults = cluster.engines.filter(({ isSpentIn }) => isSpentIn).map(({ kills: [all] }) => all);
  return { ...cluster, target: { ...cluster.target, faults } };
}

/** Kills engine and servers, but breaks no connection: through one that recovers, a new run would be found too soon. */
function killingAll(cluster: Cluster): Cluster {
  const faults = cluster.target.faults.filter(({ isKill }) => isKill);
  return { ...cluster, target: { ...cluster.target, faults } };
}

const WRONG_STORE: Control = {
  ...FEW,
  name: "a store that reads, and then writes",
  bound: SOME,
  start: () => startSqliteCluster([KNOWN_WRONG, "readsThenWrites"]),
};

const FORGETFUL_VALKEY: Control = {
  ...FEW,
  name: "Valkey without an append-only file and without the fence, killed",
  bound: SOME,
  start: async () => killingEngine(await startValkeyCluster({ servers: 1, hasAppendOnlyFile: false, hasFence: false })),
};

const CONTROLS: Readonly<Record<TorturedStore | "limits", readonly Control[]>> = {
  sqlite: [WRONG_STORE],
  postgres: [
    WRONG_STORE,
    {
      ...FEW,
      name: "PostgreSQL with synchronous_commit=off, killed",
      bound: SOME,
      start: async () =>
        killingEngine(await startPostgresCluster({ servers: 1, engineSettings: ["synchronous_commit=off"] })),
    },
  ],
  // What is lost harmlessly with limits does harm if everything is kept in it.
  limits: [WRONG_STORE, FORGETFUL_VALKEY],
  valkey: [
    WRONG_STORE,
    FORGETFUL_VALKEY,
    {
      ...FEW,
      name: "the fence alone: Valkey without an append-only file, killed",
      bound: NONE,
      start: async () => killingEngine(await startValkeyCluster({ servers: 1, hasAppendOnlyFile: false })),
    },
    {
      ...MANY,
      name: "the append-only file alone: Valkey without the fence, all killed",
      bound: NONE,
      start: async () => killingAll(await startValkeyCluster({ servers: 2, hasFence: false })),
    },
  ],
};

async function doublesIn({ name, start, bound, ...plan }: Control, say: Say): Promise<Figure[]> {
  let [doubles, tokens, told] = [0, 0, 0];
  const tries = bound === SOME ? TRIES : 1;
  for (let at = 0; at < tries && doubles === 0; at++) {
    const report = await withCluster(start, (cluster) => raceOn(cluster, { ...plan, breaks: 0 }, say));
    doubles += report.doubles;
    tokens += report.tokens;
    told += report.successes;
  }
  const unit = `of ${tokens}`;
  const doubled: Figure = { name: `tokens redeemed twice: ${name}`, value: doubles, unit, bound };
  if (bound === SOME) return [doubled];
  // If nothing is redeemed, nothing is redeemed twice.
  return [doubled, { name: `tokens that a caller heard "verified" for: ${name}`, value: told, unit, bound: SOME }];
}

/**
 * Tortures what is known to be wrong: without doubles there the torture is blind. And what one of two parts must
 * protect.
 */
export async function controls(store: keyof typeof CONTROLS, say: Say): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const control of CONTROLS[store]) {
    say(control.name);
    figures.push(...(await doublesIn(control, say)));
  }
  return figures;
}
