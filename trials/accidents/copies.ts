import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import { runStile } from "@stile/testkit/service/run-command";
import { type RunningService, startService } from "@stile/testkit/service/service";
import type { Figure, Trial } from "@stile/testkit/trials/trial";
import { countVerified, redeemPatiently } from "./customer.ts";
import { countStackTraces, NONE, withFolder, withService } from "./scene.ts";

const TOKENS = 300;
const DATABASE = "stile.sqlite";
const LOG = `${DATABASE}-wal`;
const INDEX = `${DATABASE}-shm`;

/** A running service, and where its copy goes. */
type Scene = { readonly service: RunningService; readonly copy: string };

/**
 * A way of copying a running service's directory; `begin` runs before half of the tokens are spent,
 * `end` after.
 */
type Copying = {
  readonly name: string;
  readonly begin?: (scene: Scene) => void;
  readonly end?: (scene: Scene) => void;
};

function copyFiles({ service, copy }: Scene, names: readonly string[]): void {
  mkdirSync(copy, { recursive: true });
  for (const name of names) {
    const from = join(service.dataDirectory, name);
    if (existsSync(from)) copyFileSync(from, join(copy, name));
  }
}

const copyAll = ({ service, copy }: Scene): void =>
  cpSync(service.dataDirectory, copy, { recursive: true });

/** Moves the log's content into the main file, so that the next write restarts the log. */
function restartLog({ service }: Scene): void {
  const database = new DatabaseSync(join(service.dataDirectory, DATABASE), { timeout: 5000 });
  database.exec("PRAGMA wal_checkpoint(RESTART)");
  database.close();
}

const COPYINGS: readonly Copying[] = [
  {
    name: "the main file and the keys alone",
    begin: (scene) => copyFiles(scene, [DATABASE, "master.key", "demo.json"]),
  },
  {
    name: "a deleted log",
    begin: (scene) => {
      copyAll(scene);
      for (const name of [LOG, INDEX]) rmSync(join(scene.copy, name), { force: true });
    },
  },
  {
    name: "a scribbled log",
    begin: (scene) => {
      copyAll(scene);
      const log = join(scene.copy, LOG);
      writeFileSync(log, Buffer.alloc(statSync(log).size, 0xa5));
      rmSync(join(scene.copy, INDEX), { force: true });
    },
  },
  {
    name: "a copy across a restart of the log",
    begin: (scene) => copyFiles(scene, [DATABASE, "master.key", "demo.json"]),
    end: (scene) => {
      restartLog(scene);
      copyFiles(scene, [LOG]);
    },
  },
  { name: "a whole older copy", begin: copyAll },
];

async function spend(service: RunningService, tokens: readonly string[]): Promise<void> {
  const spent = await countVerified(service, tokens);
  if (spent !== tokens.length)
    throw new Error(`only ${spent} of ${tokens.length} tokens were spent`);
}

/** The result of a start on the copy. */
type Start = {
  readonly outcome: "refused" | "started";
  readonly isSilentlyNew: boolean;
  readonly doubles: number;
  readonly told: string;
};

async function startOn({ service, copy }: Scene, tokens: readonly string[]): Promise<Start> {
  let beside: RunningService;
  try {
    beside = await startService({
      STILE_DATA_DIR: copy,
      STILE_LIMIT_VERIFY: "1000000",
      STILE_LOG_LEVEL: "error",
    });
  } catch (error) {
    const told = (error as Error).message.split("listened:\n")[1] ?? "";
    return { outcome: "refused", isSilentlyNew: false, doubles: 0, told };
  }
  try {
    const known = { baseUrl: beside.baseUrl, secretKey: service.secretKey };
    // A service that does not know the secret key is a new installation.
    const { kind } = await redeemPatiently(known, "x");
    const isSilentlyNew = beside.siteKey !== service.siteKey || kind === "cut";
    return {
      outcome: "started",
      isSilentlyNew,
      doubles: await countVerified(known, tokens),
      told: beside.log(),
    };
  } finally {
    await beside.dispose();
  }
}

async function tryCopying({ name, begin, end }: Copying): Promise<Figure[]> {
  return await withFolder((folder) =>
    withService({}, async (service) => {
      const scene = { service, copy: join(folder, "copy") };
      const tokens = await mintTokens({ ...service, count: TOKENS });
      await spend(service, tokens.slice(0, TOKENS / 2));
      begin?.(scene);
      await spend(service, tokens.slice(TOKENS / 2));
      end?.(scene);
      const { outcome, isSilentlyNew, doubles, told } = await startOn(scene, tokens);
      return [
        {
          name: `${name} (${outcome}): starts a new installation without a warning`,
          value: Number(isSilentlyNew),
          unit: "",
          bound: NONE,
        },
        {
          name: `${name}: spent tokens redeemed again`,
          value: doubles,
          unit: `of ${TOKENS}`,
          bound: NONE,
        },
        { name: `${name}: stack traces`, value: countStackTraces(told), unit: "", bound: NONE },
      ];
    }),
  );
}

/** A backup by command while tokens are redeemed, restored after a kill. */
async function backUpUnderLoad(): Promise<Figure[]> {
  return await withFolder((folder) =>
    withService({ STILE_DATA_DIR: join(folder, "live") }, async (service) => {
      const environment = { STILE_DATA_DIR: service.dataDirectory, STILE_LOG_LEVEL: "error" };
      const tokens = await mintTokens({ ...service, count: 4 * TOKENS });
      const [backup, spent] = await Promise.all([
        runStile(["backup", join(folder, "backup")], environment),
        countVerified(service, tokens),
      ]);
      await service.kill();
      const restore = await runStile(["restore", join(folder, "backup")], environment);
      await service.restart();
      const doubles = await countVerified(service, tokens);
      const fresh = await mintTokens({ ...service, count: TOKENS });
      const name = "backup under load and restore";
      const failed = [backup, restore].filter(({ code }) => code !== 0).length;
      return [
        { name: `${name}: commands that failed`, value: failed, unit: "of 2", bound: NONE },
        {
          name: `${name}: spent tokens redeemed again`,
          value: doubles,
          unit: `of ${spent}`,
          bound: NONE,
        },
        {
          name: `${name}: fresh tokens verified afterwards`,
          value: await countVerified(service, fresh),
          unit: `of ${TOKENS}`,
          bound: { kind: "at_least", value: TOKENS },
        },
      ];
    }),
  );
}

/** Copies of a running service's directory, each of them wrong or old, and a proper backup. */
export const copies: Trial = {
  name: "copies",
  tries: "starts on half, torn and old copies of a running service's data directory",
  run: async (say) => {
    const figures: Figure[] = [];
    for (const copying of COPYINGS) {
      say(copying.name);
      figures.push(...(await tryCopying(copying)));
    }
    say("backup and restore");
    return [...figures, ...(await backUpUnderLoad())];
  },
};
