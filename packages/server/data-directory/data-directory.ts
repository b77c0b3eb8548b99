import { randomBytes } from "node:crypto";
import { closeSync, existsSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { removeDraft } from "@stile/stores/private-draft";
import { explainFile } from "../faults/file-reasons.ts";
import { DataDirectoryProblem } from "./data-directory-problem.ts";
import { giveToOwner, makeForOwner } from "./give-to-owner.ts";
import { checkFile, checkRoom, makeDirectory } from "./usable-directory.ts";

/** The keys of the demo site: the store holds digests only, and the demo page must redeem (D16). */
export type DemoKeys = { readonly siteKey: string; readonly secretKey: string };

const PRIVATE_FILE = 0o600;
const MASTER_KEY_BYTES = 32;
const TURN_MS = 5000;
/** A command that looks whether a server runs holds the lock for a moment. */
const LOCK_WAIT_MS = 500;
const SQLITE_BUSY = 5;

/** A private peer that forwarded visitors undeclared: when, and which proxies were declared then, as BlockList names them. */
export type UndeclaredProxy = { readonly seenAtMs: number; readonly trustedProxies: readonly string[] };

/** Files by which the operator shapes the risk score: lists of networks, and weights fitted to their own decisions. */
export type RiskFile = "networks-datacenter.txt" | "networks-tor.txt" | "risk-weights.json";

/** The files the embedded service keeps (D16, D17). */
export type DataDirectory = {
  readonly path: string;
  readonly databaseFile: string;
  /** Where `restore` makes what is to take the place of the database. */
  readonly restoreDraft: string;
  readonly masterKeyFile: string;
  readonly demoFile: string;
  /** What this node wrote last to a database that nodes share (decision 0038). */
  readonly markFile: string;
  /** Throws DataDirectoryProblem if the directory can't take what a start writes. */
  checkRoom(): void;
  /** Files that only an installation leaves, other than its database. */
  listTraces(): readonly string[];
  /** The master key, made on first use, readable by the owner alone (D4): not for a store that has keys already. */
  masterKey(): Uint8Array;
  /** The master key; undefined if its file is missing. */
  readMasterKey(): Uint8Array | undefined;
  /** Path of a file of the risk score, whether it exists or not. */
  riskFile(name: RiskFile): string;
  /** Its text; undefined if there is none. */
  readRiskFile(name: RiskFile): string | undefined;
  /** Writes it whole, or leaves the old one. */
  writeRiskFile(name: RiskFile, text: string): void;
  /** Undefined if there are none; throws DataDirectoryProblem if the file holds anything else. */
  readDemoKeys(): DemoKeys | undefined;
  writeDemoKeys(keys: DemoKeys): void;
  /** Does the work while no other process does such work on this directory; throws if its turn does not come in TURN_MS. */
  alone<Answer>(work: () => Promise<Answer>): Promise<Answer>;
  /** Claims the directory for one server; the operating system lets go of it when the process ends, however it ends. */
  lock(): void;
  /** Forgets what was recorded of the server before, and what a restore that was killed left; for whoever has claimed the directory. */
  forgetRecords(): void;
  unlock(): void;
  /** Whether a server has claimed the directory. */
  isServed(): boolean;
  /** Remembers, for the command line, where operators reach the server that has claimed the directory. */
  recordAddress(url: string): void;
  /** That address, without a slash at the end; undefined unless a server listens. */
  servedAt(): string | undefined;
  /** Remembers, for `doctor`, that a private peer forwarded visitors without being one of the trusted proxies (D5). */
  recordUndeclaredProxy(record: UndeclaredProxy): void;
  /** What was last recorded since the last start of a server; undefined if nothing. */
  undeclaredProxy(): UndeclaredProxy | undefined;
};

/** Writes a whole file, durably, or nothing: a crash must not leave half a key behind. With `wx` it throws EEXIST if there is one. */
function writePrivate(file: string, text: string, flag: "w" | "wx"): void {
  const draft = `${file}.${randomBytes(6).toString("hex")}.new`;
  try {
    const handle = openSync(draft, "wx", PRIVATE_FILE);
    try {
      giveToOwner(handle, dirname(file));
      writeFileSync(handle, text, { flush: true });
    } finally {
      closeSync(handle);
    }
    if (flag === "wx") linkSync(draft, file);
    else renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Undefined if there is no such file; throws DataDirectoryProblem if it can't be read. */
function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const explained = explainFile(cause);
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    if (explained === undefined) throw cause;
    throw new DataDirectoryProblem(`${file} can't be read (${explained.reason}). ${explained.cure}`, { cause });
  }
}

function readMasterKey(file: string): Uint8Array | undefined {
  const text = readText(file);
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text.trim(), "base64");
  if (bytes.length !== MASTER_KEY_BYTES) {
    throw new DataDirectoryProblem(`${file} does not hold 32 bytes in base64. Restore it from your backup.`);
  }
  return new Uint8Array(bytes);
}

/** What the text of a JSON file says; an empty object if it is no JSON object, as of a file written half. */
function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

function readDemoKeys(file: string): DemoKeys | undefined {
  const text = readText(file);
  if (text === undefined) return undefined;
  const { site_key: siteKey, secret_key: secretKey } = parseObject(text);
  if (typeof siteKey === "string" && siteKey && typeof secretKey === "string" && secretKey)
    return { siteKey, secretKey };
  throw new DataDirectoryProblem(
    `${file} does not hold the demo site's keys. Put it back from your backup, or remove it: then the demo page stays off.`,
  );
}

function readProxyRecord(file: string): UndeclaredProxy | undefined {
  const { seenAtMs, trustedProxies } = parseObject(readText(file) ?? "");
  if (typeof seenAtMs !== "number" || !Array.isArray(trustedProxies)) return undefined;
  return { seenAtMs, trustedProxies: trustedProxies.map(String) };
}

/** Takes the server's lock: one held by SQLite, which the operating system drops with the process; a pid would outlive kill -9. */
function claim(lockFile: string, path: string): DatabaseSync {
  makeForOwner(lockFile);
  const database = new DatabaseSync(lockFile, { timeout: LOCK_WAIT_MS });
  try {
    database.exec("PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return database;
  } catch (cause) {
    database.close();
    if ((cause as { readonly errcode?: number }).errcode !== SQLITE_BUSY) throw cause;
    const message = `Another Stile server runs on ${path}. Stop it, or choose another STILE_DATA_DIR.`;
    throw new DataDirectoryProblem(message, { cause });
  }
}

/** Whether a process holds the server's lock; looks without taking it. */
function isClaimed(lockFile: string): boolean {
  if (!existsSync(lockFile)) return false;
  const database = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    database.exec("SELECT count(*) FROM sqlite_schema");
    return false;
  } catch (cause) {
    if ((cause as { readonly errcode?: number }).errcode !== SQLITE_BUSY) throw cause;
    return true;
  } finally {
    database.close();
  }
}

/** Files of the directory, and what SQLite keeps beside its databases. */
const FILES = [
  ...["master.key", "demo.json", "undeclared-proxy.json", "server-address", "server.lock", "first-start.lock"],
  ...["networks-datacenter.txt", "networks-tor.txt", "risk-weights.json", "node-mark"],
  ...["", "-wal", "-shm", "-generation", "-last-spent"].map((suffix) => `stile.sqlite${suffix}`),
];

/**
 * Opens the directory, making it (0700) if it does not exist. Throws DataDirectoryProblem if it can't be one, or if something
 * else lies where a file belongs.
 */
export function openDataDirectory(path: string): DataDirectory {
  makeDirectory(path);
  for (const name of FILES) checkFile(join(path, name));
  const databaseFile = join(path, "stile.sqlite");
  const masterKeyFile = join(path, "master.key");
  const demoFile = join(path, "demo.json");
  const proxyFile = join(path, "undeclared-proxy.json");
  const addressFile = join(path, "server-address");
  const restoreDraft = `${databaseFile}.restoring`;
  const markFile = join(path, "node-mark");
  const serverLock = join(path, "server.lock");
  let lockDatabase: DatabaseSync | undefined;
  return {
    path,
    databaseFile,
    restoreDraft,
    masterKeyFile,
    demoFile,
    markFile,
    checkRoom: () => checkRoom(path),
    listTraces: () =>
      [masterKeyFile, demoFile, `${databaseFile}-generation`, markFile].filter((file) => existsSync(file)),
    masterKey: () => {
      if (!existsSync(masterKeyFile)) {
        try {
          writePrivate(masterKeyFile, `${randomBytes(MASTER_KEY_BYTES).toString("base64")}\n`, "wx");
        } catch (error) {
          // The command line may have made it a moment earlier.
          if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        }
      }
      const key = readMasterKey(masterKeyFile);
      if (key === undefined) throw new DataDirectoryProblem(`${masterKeyFile} was removed a moment ago.`);
      return key;
    },
    readMasterKey: () => readMasterKey(masterKeyFile),
    riskFile: (name) => join(path, name),
    readRiskFile: (name) => readText(join(path, name)),
    writeRiskFile: (name, text) => writePrivate(join(path, name), text, "w"),
    readDemoKeys: () => readDemoKeys(demoFile),
    writeDemoKeys: (keys) => {
      const wire = { site_key: keys.siteKey, secret_key: keys.secretKey };
      writePrivate(demoFile, `${JSON.stringify(wire, undefined, 2)}\n`, "w");
    },
    alone: async (work) => {
      const turnLock = join(path, "first-start.lock");
      makeForOwner(turnLock);
      const turn = new DatabaseSync(turnLock, { timeout: TURN_MS });
      try {
        turn.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
        return await work();
      } finally {
        turn.close();
      }
    },
    lock: () => {
      lockDatabase = claim(serverLock, path);
    },
    forgetRecords: () => {
      for (const file of [addressFile, proxyFile]) rmSync(file, { force: true });
      removeDraft(restoreDraft);
    },
    unlock: () => {
      if (lockDatabase !== undefined) rmSync(addressFile, { force: true });
      lockDatabase?.close();
      lockDatabase = undefined;
    },
    isServed: () => isClaimed(serverLock),
    recordAddress: (url) => writePrivate(addressFile, `${url}\n`, "w"),
    servedAt: () => (isClaimed(serverLock) ? readText(addressFile)?.trim() : undefined),
    recordUndeclaredProxy: (record) => writePrivate(proxyFile, `${JSON.stringify(record)}\n`, "w"),
    undeclaredProxy: () => readProxyRecord(proxyFile),
  };
}
