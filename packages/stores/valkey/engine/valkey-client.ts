import type { Redis } from "ioredis";
import type { ValkeyAddress } from "./valkey-address.ts";
import type { ValkeyProblem } from "./valkey-problem.ts";
import { readSettings, SETTING_NAMES, type ValkeyHolds, type ValkeySettings, type Wanted } from "./valkey-settings.ts";
import { readTlsOptions } from "./valkey-tls.ts";

/** Where it is, the clock by which tokens are issued, how long (ms) an answer is waited for, and what it is held against. */
export type ValkeyPlan = Wanted & {
  readonly address: ValkeyAddress;
  readonly nowMs: () => number;
  readonly deadlineMs: number;
  /** Told why it can't be reached any more, and with undefined that it can again. */
  readonly onProblem?: ((problem: ValkeyProblem | undefined) => void) | undefined;
};

/** Connects and does work with the client, which stays open; where anything fails it ends, and what is thrown is why the connection broke. */
export async function connect<Result>(
  { address, deadlineMs }: Pick<ValkeyPlan, "address" | "deadlineMs">,
  work: (client: Redis) => Promise<Result>,
): Promise<Result> {
  // Loaded here, so that a start without it does not pay for the driver.
  const { Redis } = await import("ioredis");
  const { host, port, username, password, database } = address;
  const tls = readTlsOptions(address);
  const client = new Redis({
    ...{ host, port, protocol: 2, lazyConnect: true, enableReadyCheck: false },
    ...{ connectTimeout: deadlineMs, commandTimeout: deadlineMs, disconnectTimeout: 100 },
    // Whatever was on its way has an unknown outcome and must not be sent twice; connections are opened anew here alone.
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
  // Of a connection that is not made, or closed by the other side over who this one is, the driver says why only here.
  let reason: unknown;
  client.on("error", (fault) => {
    reason ??= fault;
  });
  try {
    await client.connect();
    // Left to the driver, one that there is not would go unnoticed, and another be used.
    if (database !== 0) await client.select(database);
    return await work(client);
  } catch (fault) {
    client.disconnect();
    throw reason ?? fault;
  }
}

/** What the engine says of itself at this moment. Its settings matter to nothing that may be forgotten; hosted ones let nobody ask for them. */
export async function readClientSettings(client: Redis, holds: ValkeyHolds): Promise<ValkeySettings> {
  const info = `${await client.info("server")}\r\n${await client.info("replication")}\r\n${await client.info("memory")}`;
  const config = holds === "all" ? await client.call("CONFIG", "GET", ...SETTING_NAMES) : [];
  return readSettings(info, config as string[]);
}

/** So many connections that pass the check, or none: rejects if one of them can't be had. */
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
