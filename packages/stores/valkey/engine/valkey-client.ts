import type { Redis } from "ioredis";
import type { ValkeyAddress } from "./valkey-address.ts";
import type { ValkeyProblem } from "./valkey-problem.ts";
import { readSettings, SETTING_NAMES, type ValkeyHolds, type ValkeySettings, type Wanted } from "./valkey-settings.ts";
import { readTlsOptions } from "./valkey-tls.ts";

/** Where Valkey is, the clock by which tokens are issued, the deadline of an answer (ms), and what to check it for. */
export type ValkeyPlan = Wanted & {
  readonly address: ValkeyAddress;
  readonly nowMs: () => number;
  readonly deadlineMs: number;
  /** Hears why it can't be reached any more, and with undefined that it can again. */
  readonly onProblem?: ((problem: ValkeyProblem | undefined) => void) | undefined;
};

/** The longest that a request waits for an answer, ms. */
export const DEADLINE_MS = 1_000;

/**
 * Connects and does work with the client, which stays open. If anything fails the client is closed, and the error
 * thrown is the reason why the connection broke.
 */
export async function connect<Result>(
  { address, deadlineMs }: Pick<ValkeyPlan, "address" | "deadlineMs">,
  work: (client: Redis) => Promise<Result>,
): Promise<Result> {
  // Imported here, so that a start without Valkey does not pay for loading the driver.
  const { Redis } = await import("ioredis");
  const { host, port, username, password, database } = address;
  const tls = readTlsOptions(address);
  const client = new Redis({
    ...{ host, port, protocol: 2, lazyConnect: true, enableReadyCheck: false },
    ...{ connectTimeout: deadlineMs, commandTimeout: deadlineMs, disconnectTimeout: 100 },
    // A command in flight has an unknown outcome and must not be sent twice; only our own code reconnects.
    ...{
      retryStrategy: null,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
    },
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
  });
  // If a connection fails, or the other side refuses this client's certificate, the driver gives the reason only here.
  let reason: unknown;
  client.on("error", (fault) => {
    reason ??= fault;
  });
  try {
    await client.connect();
    // If the driver did this, a missing database would go unnoticed and another one be used.
    if (database !== 0) await client.select(database);
    return await work(client);
  } catch (fault) {
    client.disconnect();
    throw reason ?? fault;
  }
}

/**
 * What the engine now reports about itself. For a store that may be forgotten its settings don't matter, and hosted
 * engines don't let clients read them.
 */
export async function readClientSettings(client: Redis, holds: ValkeyHolds): Promise<ValkeySettings> {
  const info = `${await client.info("server")}\r\n${await client.info("replication")}\r\n${await client.info("memory")}`;
  const config = holds === "all" ? await client.call("CONFIG", "GET", ...SETTING_NAMES) : [];
  return readSettings(info, config as string[]);
}

/** That many connections that pass the check, or none: rejects if one of them can't be made. */
export async function connectAll(
  plan: Pick<ValkeyPlan, "address" | "deadlineMs">,
  count: number,
  check: (client: Redis) => Promise<void>,
): Promise<readonly Redis[]> {
  const one = async (client: Redis): Promise<Redis> => {
    await check(client);
    return client;
  };
  const tries = await Promise.allSettled(Array.from({ length: count }, () => connect(plan, one)));
  const clients = tries.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
  const failed = tries.find((end) => end.status === "rejected");
  if (failed === undefined) return clients;
  for (const client of clients) client.disconnect();
  throw failed.reason;
}
