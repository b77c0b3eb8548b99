// `npm run torture`: tries to redeem tokens twice while everything breaks; what and how, `npm run torture -- --help` says.
import { postgresProgram } from "@stile/testkit/postgres/throw-away-postgres";
import { startPostgresCluster, startSqliteCluster } from "@stile/testkit/torture/cluster";
import { bringPrograms } from "@stile/testkit/trials/debian-programs";
import type { Figure } from "@stile/testkit/trials/trial";
import { buildStale } from "./build.ts";
import { HELP, readArguments, type TortureOrder } from "./torture/arguments.ts";
import { withCluster } from "./torture/bounds.ts";
import { limits } from "./torture/limits.ts";
import { raceAtDeployment } from "./torture/own-deployment.ts";
import { controls, singleUse } from "./torture/single-use.ts";
import { storeCut } from "./torture/store-cut.ts";
import { countBroken, type TrialResult, toJson, toText } from "./trials/report.ts";

const KIND = "torture";

const say = (text: string): void => void process.stderr.write(`torture: ${text}\n`);

function refuse(problem: string): never {
  process.stderr.write(`torture: ${problem}\n\n${HELP}`);
  process.exit(2);
}

async function trial(name: string, tries: string, run: () => Promise<readonly Figure[]>): Promise<TrialResult> {
  say(`${name} ...`);
  return { name, tries, figures: await run() };
}

async function tortureStore(order: Extract<TortureOrder, { kind: "store" }>): Promise<TrialResult[]> {
  const { store, servers, tokens, kills } = order;
  const isOnPostgres = store === "postgres";
  if (isOnPostgres && bringPrograms([postgresProgram()], say).length > 0) {
    refuse(
      `PostgreSQL is missing (${postgresProgram().file}); install the package "postgresql", or name its folder in POSTGRES_BIN.`,
    );
  }
  const where = isOnPostgres ? `${servers} servers on PostgreSQL` : "one server on SQLite";
  const start = () => (isOnPostgres ? startPostgresCluster({ servers }) : startSqliteCluster());
  return await withCluster(start, async (cluster) => {
    const results = [
      await trial("single-use", `${tokens} tokens, 4 callers for each, ${where}, ${kills} kills (T1)`, () =>
        singleUse(cluster, { tokens, kills }, say),
      ),
      await trial(
        "controls",
        "the same where it is known to be wrong: no doubles there, and the run is blind (T1)",
        () => controls(isOnPostgres, say),
      ),
      await trial(
        "limits",
        `a site's limit, asked for three times over at ${where}, and over a minute's edge (T12)`,
        () => limits(cluster),
      ),
    ];
    if (!isOnPostgres) return results;
    const cut = await trial("store-cut", "the engine is taken away from all servers, and comes back (T6)", () =>
      storeCut(cluster, say),
    );
    return [...results, cut];
  });
}

async function tortureDeployment(order: Extract<TortureOrder, { kind: "deployment" }>): Promise<TrialResult[]> {
  const { deployment, tokens } = order;
  const tries = `${tokens} earned tokens, 8 callers for each, at ${deployment.urls.join(", ")}`;
  return [await trial("single-use", tries, () => raceAtDeployment(deployment, tokens, say))];
}

const order = readArguments(process.argv.slice(2), process.env.STILE_SECRET);
if (order.kind === "problem") refuse(order.problem);
if (order.kind === "help") {
  process.stdout.write(HELP);
  process.exit(0);
}
// What was started ends with this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
if (order.kind === "store") await buildStale();
try {
  const results = order.kind === "store" ? await tortureStore(order) : await tortureDeployment(order);
  process.stdout.write(order.isJson ? toJson(KIND, results) : toText(results));
  process.exitCode = countBroken(results) === 0 ? 0 : 1;
} catch (error) {
  say(`it could not be finished: ${(error as Error).message}`);
  process.exitCode = 1;
}
