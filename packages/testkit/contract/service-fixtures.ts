import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type { Clock } from "@stile/core/ports/clock";
import type { ServicePorts } from "@stile/core/ports/service-ports";
import type { Store } from "@stile/core/ports/store";
import { composeService } from "@stile/server/compose/compose";
import { openDataDirectory } from "@stile/server/data-directory/data-directory";
import { createLog } from "@stile/server/telemetry/log";
import { createCachedDirectory } from "@stile/stores/process/cached-directory";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";
import { createMemoryStore } from "../memory-store/memory-store.ts";
import { configOf } from "../service/config-of.ts";
import type { EnvironmentVariables } from "../service/run-command.ts";
import { startService } from "../service/service.ts";
import { openServiceCryptography } from "../service/service-cryptography.ts";
import { closeConnections } from "./call.ts";

/**
 * A real service that tests call over TCP, and the ports with which an operator changes its sites.
 */
export type ServiceFixture = {
  readonly name: string;
  readonly baseUrl: string;
  readonly ports: Pick<ServicePorts, "clock" | "cryptography" | "sites" | "directory">;
  /** The service's store, for data that no endpoint shows. */
  readonly store: Store;
  /** The database's file; undefined if the store does not outlive the process. */
  readonly databaseFile: string | undefined;
  readonly stop: () => Promise<void>;
};

/** A fixture whose time the test sets; `metricsUrl` exists if STILE_METRICS is set. */
export type TimedFixture = ServiceFixture & {
  readonly clock: TestClock;
  readonly metricsUrl: string | undefined;
} & Pick<ServicePorts, "waveMemory">;

/** A fixture with its log so far. */
export type LoggingFixture = ServiceFixture & { readonly log: () => string };

/** The clock of a service in this process: it stands still unless moved. */
export type TestClock = Clock & {
  readonly set: (nowMs: number) => void;
  readonly advance: (ms: number) => void;
};

/** Noon of some day, at the first millisecond of a minute. */
const NOON_MS = Date.UTC(2026, 4, 20, 12, 0, 0);

function createTestClock(startMs: number): TestClock {
  let nowMs = startMs;
  return {
    nowMs: () => nowMs,
    set: (ms) => {
      nowMs = ms;
    },
    advance: (ms) => {
      nowMs += ms;
    },
  };
}

/** A store that a service in this process can use. */
export type StoreEngine = {
  readonly name: string;
  readonly open: (dataDirectory: string) => Promise<Store>;
};

/** The throw-away store. */
export const MEMORY: StoreEngine = { name: "memory", open: async () => createMemoryStore() };
/** SQLite in the service's data directory. */
export const SQLITE: StoreEngine = {
  name: "SQLite",
  open: (dataDirectory) => openSqliteStore({ file: join(dataDirectory, "stile.sqlite") }),
};

/**
 * Hashes before a sign-in: tests check that they are required, and that failures raise their
 * number.
 */
const EASY_PUZZLE = 64;

/**
 * The service composed in this process, with a clock set by the test; on a throw-away store unless
 * another is given.
 */
export async function startInProcess(
  environment: EnvironmentVariables = {},
  engine: StoreEngine = MEMORY,
): Promise<TimedFixture> {
  const dataDirectory = mkdtempSync(join(tmpdir(), "stile-contract-"));
  const fixed = { STILE_PORT: "0", STILE_DATA_DIR: dataDirectory, STILE_LOG_LEVEL: "silent" };
  const config = configOf({ ...fixed, ...environment });
  const clock = createTestClock(NOON_MS);
  const log = createLog(config.logLevel);
  const store = await engine.open(dataDirectory);
  const service = await composeService(config, log, { clock, store, puzzleBase: EASY_PUZZLE });
  const { url: baseUrl, metricsUrl } = await service.listen();
  return {
    name: `in process, ${engine.name} store`,
    baseUrl,
    metricsUrl,
    waveMemory: service.api.waveMemory,
    ports: service.sitePorts,
    store: service.store,
    databaseFile: undefined,
    clock,
    stop: async () => {
      closeConnections();
      await service.stop();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

/**
 * The service as operators run it: a separate process on SQLite; the tests change its sites next to
 * it (D16, operator).
 */
export async function startInOwnProcess(
  environment: EnvironmentVariables = {},
): Promise<LoggingFixture> {
  const service = await startService({ STILE_LOG_LEVEL: "silent", ...environment });
  const { databaseFile } = openDataDirectory(service.dataDirectory);
  const clock = { nowMs: () => Date.now() };
  const store = await openSqliteStore({ file: databaseFile });
  const { sites } = store;
  const cryptography = await openServiceCryptography(service.dataDirectory);
  const directory = createCachedDirectory({ sites, clock, maxEntries: 1 });
  return {
    name: "own process, SQLite",
    baseUrl: service.baseUrl,
    ports: { clock, sites, directory, cryptography },
    store,
    databaseFile,
    log: service.log,
    stop: async () => {
      closeConnections();
      await store.close();
      await service.dispose();
    },
  };
}

const shared = new Map<string, Promise<readonly ServiceFixture[]>>();

async function startBoth(environment: EnvironmentVariables): Promise<readonly ServiceFixture[]> {
  const fixtures = [await startInProcess(environment), await startInOwnProcess(environment)];
  after(async () => {
    for (const fixture of fixtures) await fixture.stop();
  });
  return fixtures;
}

/**
 * Both fixtures, for tests that need no clock and look only at sites and accounts of their own.
 * Test files that run in one process share those with the same settings, which stop after the last
 * test.
 */
export function startFixtures(
  environment: EnvironmentVariables = {},
): Promise<readonly ServiceFixture[]> {
  const settings = JSON.stringify(environment);
  const fixtures = shared.get(settings) ?? startBoth(environment);
  shared.set(settings, fixtures);
  return fixtures;
}
