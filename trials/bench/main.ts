// `npm run bench`: measures; see `npm run bench -- --help`.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { WORKLOADS, type Workload } from "./messages.ts";

const HELP = `Usage: npm run bench -- [WHAT] [--json] [--rounds N] [--profile] [--store NAME]

What a request costs the service, against a constant answer of the same node:http server in the same run:
  redeem             POST /api/v1/token/verify with a fresh token
  issue              GET /api/v1/pow/challenge
  submit             POST /api/v1/verify with a solved challenge, all mouse paths from one generator
  submit-varied      the same, with one to three paths a visit, each in a manner of its own
  life               all three, for one token
  hostile            requests that are refused: forged tokens, forged challenges, wrong secrets
  all                all of these (the default)

Other measurements:
  pow                what the puzzle costs a visitor, an attacker and the server
  hostile-shapes     server CPU of requests that anybody may send, by route and shape
  dashboard          what the pages of the dashboard wait for, with 13 months of data
  mixed              what redemptions wait for while the service does everything else, at half a core
  growth             what redeem costs with up to 10,000 sites, 2,000,000 tokens kept, and 13 months of statistics
  peers              server CPU of a puzzle's life, compared with ALTCHA, Cap and Friendly Captcha, installed by npm into .cache

Options:
  --json             one line of JSON instead of tables
  --rounds N         rounds of service and control, or of all peers, in turn (default 3); medians and ranges are of these
  --profile          CPU profiles of the service, in .cache/bench, and the ten most expensive functions of each row; runs the
                     service from its sources, all else runs it as built
  --store postgres   the same rows on a PostgreSQL of their own, with a real fsync per commit, instead of SQLite
  -h, --help         this text

Rows and growth need "wrk", which sends the requests. Progress goes to standard error.
`;

/** A text, as options are. */
const DEFAULT_ROUNDS = "3";
const PROFILES = join(import.meta.dirname, "..", "..", ".cache", "bench");
const HOSTILE: readonly Workload[] = ["forged-tokens", "forged-challenges", "wrong-secrets"];
/** The available measurements, and the rows of each. */
const GROUPS: Readonly<Record<string, readonly Workload[]>> = {
  ...Object.fromEntries(
    WORKLOADS.filter((name) => !HOSTILE.includes(name)).map((name) => [name, [name]]),
  ),
  hostile: HOSTILE,
  all: WORKLOADS,
};

/**
 * Separate measurements, which return whether the results keep their bounds. Only `peers` uses
 * rounds.
 */
const OTHERS: Readonly<Record<string, (isJson: boolean, rounds: number) => Promise<boolean>>> = {
  pow: async (isJson) => {
    const { benchPow } = await import("./pow/bench-pow.ts");
    await benchPow(isJson);
    return true;
  },
  dashboard: async (isJson) => {
    const { benchDashboard } = await import("./dashboard.ts");
    return await benchDashboard(isJson);
  },
  mixed: async (isJson) => {
    const { benchMixed } = await import("./mixed.ts");
    return await benchMixed(isJson);
  },
  "hostile-shapes": async (isJson) => {
    const { benchHostileShapes } = await import("./hostile-shapes.ts");
    await benchHostileShapes(isJson);
    return true;
  },
  growth: async (isJson) => {
    const { benchGrowth } = await import("./growth/bench-growth.ts");
    await requireWrk();
    await benchGrowth(isJson);
    return true;
  },
  peers: async (isJson, rounds) => {
    const { benchPeers } = await import("./peers/bench-peers.ts");
    return await benchPeers(isJson, rounds);
  },
};

function refuse(message: string): never {
  process.stderr.write(`bench: ${message}\n`);
  process.exit(2);
}

async function requireWrk(): Promise<void> {
  const { hasWrk } = await import("./load/wrk.ts");
  if (!hasWrk()) refuse("wrk is missing. Install it, on Debian by: apt-get install wrk");
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        json: { type: "boolean", default: false },
        rounds: { type: "string" },
        profile: { type: "boolean", default: false },
        store: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    return { ...values, positionals };
  } catch (error) {
    return refuse(`${(error as Error).message} See "npm run bench -- --help".`);
  }
}

const STORES = ["sqlite", "postgres"] as const;

/** A PostgreSQL for this run whose commits reach the disk, with a database for each row. */
async function startDatabases() {
  const { startPostgres } = await import("@stile/testkit/postgres/throw-away-postgres");
  const postgres = await startPostgres({ isDurable: true });
  let made = 0;
  return { newDatabase: () => postgres.createDatabase(`row_${++made}`), stop: postgres.stop };
}

const {
  json,
  rounds = DEFAULT_ROUNDS,
  profile,
  store: named = "sqlite",
  help,
  positionals,
} = readArguments();
if (help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const [asked = "all"] = positionals;
const words = [...Object.keys(GROUPS), ...Object.keys(OTHERS)];
if (positionals.length > 1) refuse(`Give one word at a time, not "${positionals.join(" ")}".`);
if (!words.includes(asked))
  refuse(`There is no bench "${asked}". Use one of: ${words.join(", ")}.`);

const other = OTHERS[asked];
const roundCount = Number(rounds);
if (!Number.isInteger(roundCount) || roundCount < 1)
  refuse("--rounds must be a whole number from 1 on.");
const store =
  STORES.find((name) => name === named) ?? refuse("--store must be sqlite or postgres.");
if (other !== undefined && store !== "sqlite") refuse(`"${asked}" takes no --store. Leave it out.`);
if (asked === "peers" && profile) refuse('"peers" takes no --profile. Leave it out.');
if (other !== undefined && asked !== "peers" && (rounds !== DEFAULT_ROUNDS || profile)) {
  refuse(`"${asked}" takes neither --rounds nor --profile. Leave them out.`);
}
// In a fresh clone nothing is built, and a service without its pages does not start.
const { buildStale } = await import("../../tools/build.ts");
await buildStale();
if (other !== undefined) {
  if (!(await other(json, roundCount))) process.exitCode = 1;
} else {
  const { benchService, FULL_WINDOW } = await import("./bench-service.ts");
  await requireWrk();
  const profiles = profile ? PROFILES : undefined;
  const plan = { rounds: roundCount, window: FULL_WINDOW, isWarmed: true, profiles };
  const { buildTarget } = await import("./build-target.ts");
  const program = profile ? undefined : await buildTarget();
  const databases = store === "postgres" ? await startDatabases() : undefined;
  await benchService(
    GROUPS[asked] ?? [],
    { ...plan, program, newDatabase: databases?.newDatabase },
    json,
  );
  await databases?.stop();
}
