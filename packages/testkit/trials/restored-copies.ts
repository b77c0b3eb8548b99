import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EasyChallenge } from "../minting/easy-challenges.ts";
import { mintTokens } from "../minting/mint-tokens.ts";
import { redeem } from "../service/redeem.ts";
import { type RunningService, startService } from "../service/service.ts";
import { isTaken, makeChallenges } from "./solutions.ts";
import type { Figure, Trial } from "./trial.ts";

const TOKENS = 100;
const CHALLENGES = 10;

/** The service, a folder for a copy of its data directory, and further things to end. */
type RestoreScene = {
  readonly service: RunningService;
  readonly copy: string;
  readonly startOn: (dataDirectory: string) => Promise<RunningService>;
};

/** One way in which spent tokens get forgotten: the steps before tokens are spent, and after. */
type Restoring = {
  readonly name: string;
  readonly before: (scene: RestoreScene) => Promise<void>;
  /** Returns the service at which everything is tried again. */
  readonly after: (scene: RestoreScene) => Promise<RunningService>;
};

const copyAll = (from: string, to: string): void => cpSync(from, to, { recursive: true });

/** Copies only the database, as an operator might who knows where the data is. */
function copyDatabase(from: string, to: string): void {
  for (const name of ["stile.sqlite", "stile.sqlite-wal", "stile.sqlite-shm"]) {
    rmSync(join(to, name), { force: true });
    if (readdirSync(from).includes(name)) cpSync(join(from, name), join(to, name));
  }
}

async function copyLive({ service, copy }: RestoreScene): Promise<void> {
  copyAll(service.dataDirectory, copy);
}

async function copyStopped({ service, copy }: RestoreScene): Promise<void> {
  await service.stop();
  copyAll(service.dataDirectory, copy);
  await service.restart();
}

const RESTORINGS: readonly Restoring[] = [
  {
    name: "a copy of the running service's directory, started elsewhere",
    before: copyLive,
    after: ({ copy, startOn }) => startOn(copy),
  },
  {
    name: "a copy of the stopped service's directory, started elsewhere",
    before: copyStopped,
    after: ({ copy, startOn }) => startOn(copy),
  },
  {
    name: "the whole directory copied back after a crash",
    before: copyLive,
    after: async ({ service, copy }) => {
      await service.kill();
      copyAll(copy, service.dataDirectory);
      await service.restart();
      return service;
    },
  },
  {
    name: "the database alone copied back after a crash",
    before: copyLive,
    after: async ({ service, copy }) => {
      await service.kill();
      copyDatabase(copy, service.dataDirectory);
      await service.restart();
      return service;
    },
  },
  {
    name: "the database of the running service copied back after a stop",
    before: copyLive,
    after: async ({ service, copy }) => {
      await service.stop();
      copyDatabase(copy, service.dataDirectory);
      await service.restart();
      return service;
    },
  },
  {
    name: "the database of the stopped service copied back after a stop",
    before: copyStopped,
    after: async ({ service, copy }) => {
      await service.stop();
      copyDatabase(copy, service.dataDirectory);
      await service.restart();
      return service;
    },
  },
];

async function countVerified(service: RunningService, tokens: readonly string[]): Promise<number> {
  const answers = await Promise.all(tokens.map((token) => redeem(service, token)));
  return answers.filter(({ body }) => body.data.verified === true).length;
}

async function countEarned(
  service: RunningService,
  challenges: readonly EasyChallenge[],
): Promise<number> {
  const outcomes = await Promise.all(challenges.map((challenge) => isTaken(service, challenge)));
  return outcomes.filter(Boolean).length;
}

/** Does the work with a service of its own and a folder for copies, and removes both. */
async function withScene<Result>(use: (scene: RestoreScene) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "stile-copies-"));
  const environment = { STILE_LIMIT_VERIFY: "100000", STILE_LOG_LEVEL: "error" };
  const started: RunningService[] = [];
  const startOn = async (dataDirectory: string): Promise<RunningService> => {
    const service = await startService({ ...environment, STILE_DATA_DIR: dataDirectory });
    started.push(service);
    return service;
  };
  try {
    return await use({
      service: await startOn(join(folder, "live")),
      copy: join(folder, "copy"),
      startOn,
    });
  } finally {
    for (const service of started) await service.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Spends tokens and challenges, loses the record of it, and counts the second spends that succeed.
 */
async function restore({ name, before, after }: Restoring): Promise<Figure[]> {
  return await withScene(async (scene) => {
    const tokens = await mintTokens({ ...scene.service, count: TOKENS });
    const challenges = await makeChallenges(scene.service, CHALLENGES);
    await before(scene);
    const spent = await countVerified(scene.service, tokens);
    const solved = await countEarned(scene.service, challenges);
    if (spent !== TOKENS || solved !== CHALLENGES)
      throw new Error(`${name}: only ${spent} and ${solved} were spent`);
    const restored = await after(scene);
    const bound = { kind: "at_most", value: 0 } as const;
    return [
      {
        name: `tokens spent twice: ${name}`,
        value: await countVerified(restored, tokens),
        unit: `of ${TOKENS}`,
        bound,
      },
      {
        name: `solutions paid twice: ${name}`,
        value: await countEarned(restored, challenges),
        unit: `of ${CHALLENGES}`,
        bound,
      },
    ];
  });
}

/** A copy that runs next to the original service must not accept the original's tokens. */
async function runBeside(): Promise<Figure[]> {
  return await withScene(async ({ service, copy, startOn }) => {
    copyAll(service.dataDirectory, copy);
    const beside = await startOn(copy);
    const tokens = await mintTokens({ ...service, count: TOKENS });
    if ((await countVerified(service, tokens)) !== TOKENS)
      throw new Error("the service refused its own tokens");
    const value = await countVerified(beside, tokens);
    const bound = { kind: "at_most", value: 0 } as const;
    return [
      {
        name: "tokens spent twice: a copy that runs next to the service",
        value,
        unit: `of ${TOKENS}`,
        bound,
      },
    ];
  });
}

/**
 * Honest visitors' tokens must survive a crash and a restart: no record is lost there, so nothing
 * need be refused.
 */
async function crash(): Promise<Figure[]> {
  return await withScene(async ({ service }) => {
    const tokens = await mintTokens({ ...service, count: TOKENS });
    await countVerified(service, tokens.slice(0, TOKENS / 4));
    await service.kill();
    await service.restart();
    const afterCrash = await countVerified(service, tokens.slice(0, (3 * TOKENS) / 4));
    await service.stop();
    await service.restart();
    const afterStop = await countVerified(service, tokens);
    const half = TOKENS / 2;
    return [
      {
        name: "fresh tokens good after a crash (a quarter was spent before)",
        value: afterCrash,
        unit: `of ${half}`,
        bound: { kind: "at_least", value: half },
      },
      {
        name: "fresh tokens good after a stop",
        value: afterStop,
        unit: `of ${TOKENS / 4}`,
        bound: { kind: "at_least", value: TOKENS / 4 },
      },
    ];
  });
}

/**
 * Restores the service's earlier state, so that spent tokens and solved challenges might become
 * valid again.
 */
export const restoredCopies: Trial = {
  name: "restored-copies",
  tries: "redeems spent tokens again at a restored or copied data directory",
  run: async (say) => {
    const figures: Figure[] = [];
    for (const restoring of RESTORINGS) {
      say(restoring.name);
      figures.push(...(await restore(restoring)));
    }
    return [...figures, ...(await runBeside()), ...(await crash())];
  },
};
