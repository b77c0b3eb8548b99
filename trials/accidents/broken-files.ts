import { createHash } from "node:crypto";
import {
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { startServer } from "@stile/testkit/service/run-command";
import type { Figure, Skipped, Trial } from "@stile/testkit/trials/trial";
import { NO_MOUNT, type SmallDisk, withSmallDisk } from "./full-disk.ts";
import { countStackTraces, withService } from "./scene.ts";

const PAGE_BYTES = 4096;
const WITHIN_MS = 15_000;
const DISK_MEGABYTES = 24;

/** A kind of damage to a whole data directory before a start. */
type Row = { readonly name: string; readonly damage: (path: string) => void };

function damagePages(path: string): void {
  const file = join(path, "stile.sqlite");
  const handle = openSync(file, "r+");
  for (let page = 5; page < 15; page++)
    writeSync(handle, Buffer.alloc(PAGE_BYTES, 7), 0, PAGE_BYTES, page * PAGE_BYTES);
}

const ROWS: readonly Row[] = [
  { name: "master.key is missing", damage: (path) => rmSync(join(path, "master.key")) },
  {
    name: "master.key is a directory",
    damage: (path) => {
      rmSync(join(path, "master.key"));
      mkdirSync(join(path, "master.key"));
    },
  },
  {
    name: "demo.json is cut in half",
    damage: (path) => writeFileSync(join(path, "demo.json"), '{"site_key":"pk_'),
  },
  { name: "ten damaged pages", damage: damagePages },
];

/** Name, size and digest of each file, except those that SQLite creates to read. */
function fingerprint(path: string): readonly string[] {
  return readdirSync(path)
    .filter((name) => !/\.lock$|^server-address$|-(shm|wal)$/.test(name))
    .map((name) => {
      const file = join(path, name);
      const digest = statSync(file).isFile()
        ? createHash("sha256").update(readFileSync(file)).digest("hex")
        : "";
      return `${name} ${digest}`;
    });
}

/**
 * The figure for one case that must end with a sentence: how many of its demands are not met, and
 * which.
 */
function figureOf(name: string, demands: Readonly<Record<string, boolean>>): Figure {
  const broken = Object.keys(demands).filter((demand) => demands[demand] === false);
  const told = broken.length === 0 ? "" : ` (${broken.join(", ")})`;
  const unit = `of ${Object.keys(demands).length}`;
  return {
    name: `${name}: demands broken${told}`,
    value: broken.length,
    unit,
    bound: { kind: "at_most", value: 0 },
  };
}

/** Starts the server, which must exit on its own; kills it after WITHIN_MS. */
async function start(dataDirectory: string) {
  const server = startServer({
    STILE_DATA_DIR: dataDirectory,
    STILE_PORT: "0",
    STILE_LOG_LEVEL: "error",
  });
  let isHung = false;
  const timer = setTimeout(() => {
    isHung = true;
    server.stop();
  }, WITHIN_MS);
  const ended = await server.ended;
  clearTimeout(timer);
  return {
    "ends with exit code 1": !isHung && ended.code === 1,
    "no stack trace": countStackTraces(ended.stderr) === 0,
    "says it in one sentence": /^stile: [^\n]+\n$/.test(ended.stderr),
  };
}

/**
 * Damages the directory in place: a copy would be recognised as one, and that is another accident.
 */
async function startDamaged({ name, damage }: Row): Promise<Figure> {
  return await withService({}, async (service) => {
    await service.stop();
    damage(service.dataDirectory);
    const was = fingerprint(service.dataDirectory);
    const demands = await start(service.dataDirectory);
    const changed = fingerprint(service.dataDirectory).filter((file) => !was.includes(file));
    const names = changed.map((file) => file.split(" ")[0]).join(" and ");
    return figureOf(name, { ...demands, [`leaves ${names || "all files"} alone`]: names === "" });
  });
}

async function onFullDisk({ path, fill, empty }: SmallDisk): Promise<Figure[]> {
  fill();
  const atStart = figureOf("a full disk at the start", await start(join(path, "new")));
  empty();
  const whileFull = await withService({ STILE_DATA_DIR: join(path, "data") }, async (service) => {
    await fetch(`${service.baseUrl}/readyz`);
    fill();
    const startedAt = performance.now();
    const code = await service.stop();
    const tookMs = performance.now() - startedAt;
    return figureOf("SIGTERM while the disk is full", {
      "ends on its own, with 0 or 1": code === 0 || code === 1,
      "no stack trace": countStackTraces(service.log()) === 0,
      "within 7 s": tookMs < 7000,
    });
  });
  return [atStart, whileFull];
}

/** Data directories that lack a file, or contain one that they should not. */
export const brokenFiles: Trial<Figure | Skipped> = {
  name: "broken-files",
  tries: "starts on broken data directories: one sentence, exit code 1, nothing written",
  run: async () => {
    const figures: (Figure | Skipped)[] = [];
    for (const row of ROWS) figures.push(await startDamaged(row));
    figures.push(figureOf("STILE_DATA_DIR=/proc/nope", await start("/proc/nope")));
    const full = await withSmallDisk(DISK_MEGABYTES, onFullDisk);
    return [...figures, ...(full ?? [{ name: "a full disk", skipped: NO_MOUNT }])];
  },
};
