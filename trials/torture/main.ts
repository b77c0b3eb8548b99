// `npm run trial -- torture`: tries to redeem tokens twice while everything breaks; see its
// `--help`.
import { postgresProgram } from "@stile/testkit/postgres/throw-away-postgres";
import { type Cluster, startSqliteCluster } from "@stile/testkit/torture/cluster";
import { startPostgresCluster } from "@stile/testkit/torture/shared-cluster";
import { bringPrograms } from "@stile/testkit/trials/debian-programs";
import type { Figure } from "@stile/testkit/trials/trial";
import { buildPages } from "../../tools/build.ts";
import { countBroken, type TrialResult, toJson, toText } from "../report.ts";
import { HELP, readArguments, type TorturedStore, type TortureOrder } from "./arguments.ts";
import { withCluster } from "./bounds.ts";
import { controls } from "./controls.ts";
import { limits } from "./limits.ts";
import { raceAtDeployment } from "./own-deployment.ts";
import { singleUse } from "./single-use.ts";
import { storeCut } from "./store-cut.ts";

const KIND = "torture";

type StoreOrder = Extract<TortureOrder, { kind: "store" }>;

const say = (text: string): void => void process.stderr.write(`torture: ${text}\n`);

function refuse(problem: string): never {
  process.stderr.write(`torture: ${problem}\n\n${HELP}`);
  process.exit(2);
}

async function trial(
  name: string,
  tries: string,
  run: () => Promise<readonly Figure[]>,
): Promise<TrialResult> {
  say(`${name} ...`);
  return { name, tries, figures: await run() };
}

/** Checks that a store's engines are there, and installs them if possible. */
function bringEngines(store: TorturedStore): void {
  const [missing] = store === "sqlite" ? [] : bringPrograms([postgresProgram()], say);
  if (missing === undefined) return;
  const { file, debianPackage } = missing;
  refuse(
    `${file} is missing; install the package "${debianPackage}", or name PostgreSQL's folder in POSTGRES_BIN.`,
  );
}

function startCluster(order: StoreOrder): Promise<Cluster> {
  const { store, servers } = order;
  switch (store) {
    case "sqlite":
      return startSqliteCluster();
    case "postgres":
      return startPostgresCluster({ servers });
    default:
      return store satisfies never;
  }
}

const PLACES: Readonly<Record<TorturedStore, string>> = {
  sqlite: "SQLite",
  postgres: "PostgreSQL",
};

async function tortureStore(order: StoreOrder): Promise<TrialResult[]> {
  const { store, servers, tokens, kills } = order;
  bringEngines(store);
  const where = `${servers === 1 ? "one server" : `${servers} servers`} on ${PLACES[store]}`;
  return await withCluster(
    () => startCluster(order),
    async (cluster) => {
      const results = [
        await trial(
          "single-use",
          `${tokens} tokens, 4 callers for each, ${where}, ${kills} kills`,
          () => singleUse(cluster, { tokens, kills }, say),
        ),
        await trial(
          "controls",
          "the same where it is known to be wrong: no doubles there, and the run is blind",
          () => controls(store, say),
        ),
        await trial(
          "limits",
          `a site's limit, asked for three times over at ${where}, and over a minute's edge`,
          () => limits(cluster),
        ),
      ];
      if (cluster.engines.length === 0) return results;
      const cut = await trial(
        "store-cut",
        "an engine is taken away from all servers, and comes back",
        () => storeCut(cluster, say),
      );
      return [...results, cut];
    },
  );
}

async function tortureDeployment(
  order: Extract<TortureOrder, { kind: "deployment" }>,
): Promise<TrialResult[]> {
  const { deployment, tokens } = order;
  const tries = `${tokens} earned tokens, 8 callers for each, at ${deployment.urls.join(", ")}`;
  return [await trial("single-use", tries, () => raceAtDeployment(deployment, tokens, say))];
}

function torture(
  order: Exclude<TortureOrder, { kind: "help" | "problem" }>,
): Promise<TrialResult[]> {
  switch (order.kind) {
    case "store":
      return tortureStore(order);
    case "deployment":
      return tortureDeployment(order);
    default:
      return order satisfies never;
  }
}

const order = readArguments(process.argv.slice(2), process.env.STILE_SECRET);
if (order.kind === "problem") refuse(order.problem);
if (order.kind === "help") {
  process.stdout.write(HELP);
  process.exit(0);
}
// All child processes end with this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
if (order.kind === "store") await buildPages();
try {
  const results = await torture(order);
  process.stdout.write(order.isJson ? toJson(KIND, results) : toText(results));
  process.exitCode = countBroken(results) === 0 ? 0 : 1;
} catch (error) {
  say(`it could not be finished: ${(error as Error).message}`);
  process.exitCode = 1;
}
