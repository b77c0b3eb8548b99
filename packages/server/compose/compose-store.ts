import type { Store } from "@stile/core/ports/store";
import type { PostgresOptions } from "@stile/stores/postgres/postgres-store";
import { openThreadedStore } from "@stile/stores/sqlite/threaded-store";
import type { Config } from "../config/config.ts";
import type { DataDirectory } from "../data-directory/data-directory.ts";
import { checkSharedStore } from "../data-directory/installation.ts";
import type { Logger } from "../telemetry/log.ts";
import { createWriteWatch, type WriteWatch } from "../telemetry/write-watch.ts";

/** A store, and how many tokens and challenges went through it. */
export type CountedStore = { readonly store: Store; readonly redeemed: () => number; readonly issued: () => number };

/** The same store, with its answers counted. */
function countStore(store: Store): CountedStore {
  let redeemed = 0;
  let issued = 0;
  const redeem: Store["tokens"]["redeem"] = async (redemption) => {
    const outcome = await store.tokens.redeem(redemption);
    if (outcome.kind === "spent") redeemed += 1;
    return outcome;
  };
  const count: Store["statistics"]["count"] = (event) => {
    if (event.metric === "challenge_issued") issued += 1;
    store.statistics.count(event);
  };
  return {
    store: { ...store, tokens: { ...store.tokens, redeem }, statistics: { ...store.statistics, count } },
    redeemed: () => redeemed,
    issued: () => issued,
  };
}

/** Logged if the store may have lost spent marks (decisions 0018 and 0036). */
export const RETIRED =
  "the data directory or the database is a copy, was restored, lost a part, or was not closed before the machine stopped: tokens and challenges issued " +
  "before this start are refused, so that none counts twice; visitors who hold one get another. Where older data was put back, or a standby " +
  "took over, secret keys that were revoked and members who were removed since may be good again: look at both";

const UPGRADED = "the database was upgraded to this version; a copy from before the upgrade is in the file named";

/** What a store is opened with, and whether it may be a new one beside traces of another. */
export type StorePlan = { readonly config: Config; readonly directory: DataDirectory; readonly mayBeginAnew: boolean };

/** The database that nodes share, the Valkey beside it, and the observer of writes. */
export type SharedPlace = {
  readonly url: string;
  readonly valkeyUrl?: string | undefined;
  readonly observer?: WriteWatch["observer"];
  /** The service's clock; by default the system's. */
  readonly nowMs?: (() => number) | undefined;
  /** If Valkey only holds limits: called when it can't be reached, and with undefined when it can again. */
  readonly onValkeyProblem?: ((problem: Error | undefined) => void) | undefined;
};

/** Opens the store that the settings name. It is imported here, so that other starts do not load the drivers. */
async function openShared(
  postgres: PostgresOptions,
  { valkeyUrl, nowMs, onValkeyProblem }: Pick<SharedPlace, "valkeyUrl" | "nowMs" | "onValkeyProblem">,
  { areLimitsLeased, valkeyHolds, valkeyReplicas }: Config,
): Promise<Store> {
  const durable = areLimitsLeased
    ? { ...postgres, leaseBlock: (await import("@stile/stores/postgres/engine/limit-leases")).leaseBlock }
    : postgres;
  if (valkeyUrl === undefined) {
    const { openPostgresStore } = await import("@stile/stores/postgres/postgres-store");
    return await openPostgresStore(durable);
  }
  if (valkeyHolds === "limits") {
    const { openValkeyLimits } = await import("@stile/stores/valkey/valkey-limits");
    return await openValkeyLimits({ postgres: durable, url: valkeyUrl, onProblem: onValkeyProblem });
  }
  const { openValkeyStore } = await import("@stile/stores/valkey/valkey-store");
  return await openValkeyStore({ postgres, url: valkeyUrl, replicas: valkeyReplicas, nowMs });
}

/**
 * Opens the PostgreSQL store, with the Valkey beside it if one is named, and checks that it belongs to this directory
 * and master key.
 */
export async function openSharedStore(
  { config, directory, mayBeginAnew }: StorePlan,
  { url, observer, ...place }: SharedPlace,
): Promise<Store> {
  const store = await openShared({ url, observer, markFile: directory.markFile }, place, config);
  try {
    await checkSharedStore(store, directory, config.masterKey, mayBeginAnew);
    return store;
  } catch (fault) {
    await store.close();
    throw fault;
  }
}

/** The service's store, or the given one, watched and counted. `nowMs` is the service's clock, once there is one. */
export async function composeStore(plan: StorePlan, given: Store | undefined, nowMs: () => number, log: Logger) {
  const writes = createWriteWatch(() => performance.now());
  const onUpgrade = (copy: string): void => log.warn({ copy }, UPGRADED);
  const onValkeyProblem = (problem: Error | undefined): void => {
    if (problem === undefined) log.info("Valkey answers, and counts the limits of scores");
    else log.warn({ reason: problem.message }, "PostgreSQL counts the limits of scores: Valkey can't be used");
  };
  const { observer } = writes;
  const open = (): Promise<Store> => {
    const { databaseUrl, valkeyUrl } = plan.config;
    if (databaseUrl !== undefined) {
      return openSharedStore(plan, { url: databaseUrl, valkeyUrl, observer, nowMs, onValkeyProblem });
    }
    return openThreadedStore({ file: plan.directory.databaseFile, observer, onUpgrade });
  };
  const store = given ?? (await open());
  return { ...countStore(store), writes };
}
