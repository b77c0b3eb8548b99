import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { removeDraft } from "@stile/stores/private-draft";
import { explainFile } from "../faults/file-reasons.ts";
import { DataDirectoryProblem } from "./data-directory-problem.ts";
import { giveToOwner, makeForOwner } from "./give-to-owner.ts";
import { checkFile, checkRoom, makeDirectory } from "./usable-directory.ts";

/**
 * The keys of the demo site. The demo page must redeem tokens, but the store only has digests (D16,
 * operator).
 */
export type DemoKeys = { readonly siteKey: string; readonly secretKey: string };

const PRIVATE_FILE = 0o600;
const MASTER_KEY_BYTES = 32;
const TURN_MS = 5000;
/**
 * How long to wait for the lock, in ms. A command that checks whether a server runs holds it for a
 * moment.
 */
const LOCK_WAIT_MS = 500;
const [SQLITE_BUSY, SQLITE_CORRUPT, SQLITE_NOTADB] = [5, 11, 26];

/**
 * When an undeclared private peer last forwarded visitors, and the proxies that were declared then,
 * in BlockList's notation.
 */
export type UndeclaredProxy = {
  readonly seenAtMs: number;
  readonly trustedProxies: readonly string[];
};

const RISK_FILES = ["networks-datacenter.txt", "networks-tor.txt", "risk-weights.json"] as const;
/**
 * Files by which the operator shapes the risk score: lists of networks, and weights fitted to the
 * operator's own decisions.
 */
export type RiskFile = (typeof RISK_FILES)[number];

/** The files of the embedded service (D16, operator; D17, settings). */
export type DataDirectory = {
  readonly path: string;
  readonly databaseFile: string;
  /** Where `restore` prepares the new database. */
  readonly restoreDraft: string;
  readonly masterKeyFile: string;
  /** The master key that `rekey` changes to, until the service uses it. */
  readonly nextMasterKeyFile: string;
  readonly demoFile: string;
  /** This node's last write to a database that nodes share (decision 0010, retired keys). */
  readonly markFile: string;
  /** Throws DataDirectoryProblem if the directory has no room for what a start writes. */
  checkRoom(): void;
  /** Files that only an installation leaves, apart from its database. */
  listTraces(): readonly string[];
  /**
   * The master key, made on first use and readable by the owner only (D4, sealed token). Do not use
   * this for a store that already has keys.
   */
  masterKey(): Uint8Array;
  /** The master key; undefined if its file is missing. */
  readMasterKey(): Uint8Array | undefined;
  /** The key that `rekey` changes to; undefined if no change is under way. */
  readNextMasterKey(): Uint8Array | undefined;
  /** Makes that key in a file that only the owner can read. */
  makeNextMasterKey(): Uint8Array;
  /**
   * Makes it the master key, and keeps the previous key in the returned file. At every moment, each
   * key has a file name.
   */
  useNextMasterKey(): string;
  /** Path of a file for the risk score; the file need not exist. */
  riskFile(name: RiskFile): string;
  /** The text of such a file; undefined if there is none. */
  readRiskFile(name: RiskFile): string | undefined;
  /** Writes the whole file, or keeps the old one. */
  writeRiskFile(name: RiskFile, text: string): void;
  /** Undefined if there are none. Throws DataDirectoryProblem if the file holds anything else. */
  readDemoKeys(): DemoKeys | undefined;
  writeDemoKeys(keys: DemoKeys): void;
  /**
   * Does the work while no other process does such work on this directory. Throws after waiting
   * TURN_MS.
   */
  alone<Answer>(work: () => Promise<Answer>): Promise<Answer>;
  /**
   * Claims the directory for one server. The operating system releases it when the process ends,
   * for any reason.
   */
  lock(): void;
  /** Removes the previous server's records, and what a killed restore left. Only after `lock`. */
  forgetRecords(): void;
  unlock(): void;
  /** Whether a server has claimed the directory. */
  isServed(): boolean;
  /** Records the address at which operators reach the running server, for the command line. */
  recordAddress(url: string): void;
  /** That address, without a slash at the end; undefined if no server is listening. */
  servedAt(): string | undefined;
  /**
   * Records for `doctor` that a private peer forwarded visitors without being a trusted proxy (D5,
   * binding).
   */
  recordUndeclaredProxy(record: UndeclaredProxy): void;
  /** The latest such record since the last start of a server; undefined if there is none. */
  undeclaredProxy(): UndeclaredProxy | undefined;
};

/**
 * Writes a whole file durably, or nothing, because a crash must not leave half a key. With `wx`,
 * EEXIST if it exists.
 */
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

/** Undefined if the file does not exist. Throws DataDirectoryProblem if it can't be read. */
function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const explained = explainFile(cause);
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    if (explained === undefined) throw cause;
    throw new DataDirectoryProblem(
      `${file} can't be read (${explained.reason}). ${explained.cure}`,
      { cause },
    );
  }
}

function readMasterKey(file: string): Uint8Array | undefined {
  const text = readText(file);
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text.trim(), "base64");
  if (bytes.length !== MASTER_KEY_BYTES) {
    throw new DataDirectoryProblem(
      `${file} does not hold 32 bytes in base64. Restore it from your backup.`,
    );
  }
  return new Uint8Array(bytes);
}

/**
 * The content of a JSON file. An empty object if the text is not a JSON object, for example half
 * written.
 */
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
    `${file} does not hold the demo site's keys. Restore it from your backup, or remove it: then the demo page stays off.`,
  );
}

function readProxyRecord(file: string): UndeclaredProxy | undefined {
  const { seenAtMs, trustedProxies } = parseObject(readText(file) ?? "");
  if (typeof seenAtMs !== "number" || !Array.isArray(trustedProxies)) return undefined;
  return { seenAtMs, trustedProxies: trustedProxies.map(String) };
}

/** The fault of taking a lock. A damaged lock file can be removed, unlike a damaged database. */
function explainLock(lockFile: string, cause: unknown): unknown {
  const { errcode } = cause as { readonly errcode?: number };
  if (errcode !== SQLITE_CORRUPT && errcode !== SQLITE_NOTADB) return cause;
  const message = `${lockFile} is damaged. Remove it while no server runs; it has no data.`;
  return new DataDirectoryProblem(message, { cause });
}

/**
 * Takes the server's lock. SQLite holds it, so the system drops it with the process; a pid file
 * would outlive kill -9.
 */
function claim(lockFile: string, path: string): DatabaseSync {
  makeForOwner(lockFile);
  const database = new DatabaseSync(lockFile, { timeout: LOCK_WAIT_MS });
  try {
    database.exec("PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return database;
  } catch (cause) {
    database.close();
    if ((cause as { readonly errcode?: number }).errcode !== SQLITE_BUSY)
      throw explainLock(lockFile, cause);
    const message = `Another Stile server runs on ${path}. Stop it, or choose another STILE_DATA_DIR.`;
    throw new DataDirectoryProblem(message, { cause });
  }
}

/** Whether a process holds the server's lock; does not take it. */
function isClaimed(lockFile: string): boolean {
  if (!existsSync(lockFile)) return false;
  const database = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    database.exec("SELECT count(*) FROM sqlite_schema");
    return false;
  } catch (cause) {
    if ((cause as { readonly errcode?: number }).errcode !== SQLITE_BUSY)
      throw explainLock(lockFile, cause);
    return true;
  } finally {
    database.close();
  }
}

const NAMES = {
  databaseFile: "stile.sqlite",
  masterKeyFile: "master.key",
  nextMasterKeyFile: "master.key.next",
  demoFile: "demo.json",
  markFile: "node-mark",
  proxyFile: "undeclared-proxy.json",
  addressFile: "server-address",
  serverLock: "server.lock",
  turnLock: "first-start.lock",
} as const;

function pathsIn(directory: string): Readonly<Record<keyof typeof NAMES, string>> {
  const paths = Object.entries(NAMES).map(([key, name]) => [key, join(directory, name)]);
  return Object.fromEntries(paths);
}

/** The files of the directory, and those that the store keeps next to its database. */
const FILES = [
  ...Object.values(NAMES),
  ...RISK_FILES,
  ...["-wal", "-shm", "-generation", "-last-spent"].map((suffix) => NAMES.databaseFile + suffix),
];

/**
 * Opens the directory, and creates it (0700) if it does not exist. Throws DataDirectoryProblem if
 * that fails, or if something other than a file has the name of one of its files.
 */
export function openDataDirectory(path: string): DataDirectory {
  makeDirectory(path);
  for (const name of FILES) checkFile(join(path, name));
  const files = pathsIn(path);
  const { databaseFile, masterKeyFile, nextMasterKeyFile, demoFile, markFile } = files;
  const { proxyFile, addressFile, serverLock, turnLock } = files;
  const restoreDraft = `${databaseFile}.restoring`;
  let lockDatabase: DatabaseSync | undefined;
  return {
    path,
    databaseFile,
    restoreDraft,
    masterKeyFile,
    nextMasterKeyFile,
    demoFile,
    markFile,
    checkRoom: () => checkRoom(path),
    listTraces: () =>
      [masterKeyFile, demoFile, `${databaseFile}-generation`, markFile].filter((file) =>
        existsSync(file),
      ),
    masterKey: () => {
      if (!existsSync(masterKeyFile)) {
        try {
          writePrivate(
            masterKeyFile,
            `${randomBytes(MASTER_KEY_BYTES).toString("base64")}\n`,
            "wx",
          );
        } catch (error) {
          // The command line may have made it a moment earlier.
          if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        }
      }
      const key = readMasterKey(masterKeyFile);
      if (key === undefined)
        throw new DataDirectoryProblem(
          `${masterKeyFile} was removed while the service started. Restore it and start again.`,
        );
      return key;
    },
    readMasterKey: () => readMasterKey(masterKeyFile),
    readNextMasterKey: () => readMasterKey(nextMasterKeyFile),
    makeNextMasterKey: () => {
      const key = randomBytes(MASTER_KEY_BYTES);
      writePrivate(nextMasterKeyFile, `${key.toString("base64")}\n`, "wx");
      return new Uint8Array(key);
    },
    useNextMasterKey: () => {
      const kept = `${masterKeyFile}.before-${new Date().toISOString().replaceAll(":", "-")}`;
      linkSync(masterKeyFile, kept);
      renameSync(nextMasterKeyFile, masterKeyFile);
      return kept;
    },
    riskFile: (name) => join(path, name),
    readRiskFile: (name) => readText(join(path, name)),
    writeRiskFile: (name, text) => writePrivate(join(path, name), text, "w"),
    readDemoKeys: () => readDemoKeys(demoFile),
    writeDemoKeys: (keys) => {
      const wire = { site_key: keys.siteKey, secret_key: keys.secretKey };
      writePrivate(demoFile, `${JSON.stringify(wire, undefined, 2)}\n`, "w");
    },
    alone: async (work) => {
      makeForOwner(turnLock);
      const turn = new DatabaseSync(turnLock, { timeout: TURN_MS });
      try {
        try {
          turn.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
        } catch (cause) {
          throw explainLock(turnLock, cause);
        }
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
