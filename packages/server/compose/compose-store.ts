import type { Store } from "@stile/core/ports/store";
import { openThreadedStore } from "@stile/stores/sqlite/threaded-store";
import type { Config } from "../config/config.ts";
import type { DataDirectory } from "../data-directory/data-directory.ts";
import { checkSharedStore } from "../data-directory/installation.ts";
import type { Logger } from "../telemetry/log.ts";
import { createWriteWatch, type WriteWatch } from "../telemetry/write-watch.ts";

/** A store, and how many tokens and challenges went through it. */
export type CountedStore = {
  readonly store: Store;
  readonly redeemed: () => number;
  readonly issued: () => number;
};

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
    store: {
      ...store,
      tokens: { ...store.tokens, redeem },
      statistics: { ...store.statistics, count },
    },
    redeemed: () => redeemed,
    issued: () => issued,
  };
}

/** Logged if the store may have lost spent marks (decision 0010, retired keys). */
export const RETIRED =
  "The store may lack spent tokens: it is a copy, was restored, lost a part, or was open when the machine stopped. " +
  "The service therefore refuses all tokens and challenges that it issued until now, and visitors get new ones. " +
  "If older data was restored or a standby took over, check secret keys and members: revoked and removed ones may be back.";

const UPGRADED =
  "The database was upgraded to this version. The file `copy` is from before the upgrade.";

/**
 * How to open the store, and whether a new one may be made although there are traces of another.
 */
export type StorePlan = {
  readonly config: Config;
  readonly directory: DataDirectory;
  readonly mayCreateNew: boolean;
};

/** The database that nodes share, and the observer of writes. */
export type SharedStorePlace = { readonly url: string; readonly observer?: WriteWatch["observer"] };

/** Opens the PostgreSQL store, and checks that it belongs to this directory and master key. */
export async function openSharedStore(
  { config, directory, mayCreateNew }: StorePlan,
  { url, observer }: SharedStorePlace,
): Promise<Store> {
  // Imported here, so that starts without PostgreSQL do not load the driver.
  const { openPostgresStore } = await import("@stile/stores/postgres/postgres-store");
  const store = await openPostgresStore({ url, observer, markFile: directory.markFile });
  try {
    await checkSharedStore(store, directory, config.masterKey, mayCreateNew);
    return store;
  } catch (fault) {
    await store.close();
    throw fault;
  }
}

/** The service's store, or the given one, watched and counted. */
export async function composeStore(plan: StorePlan, given: Store | undefined, log: Logger) {
  const writes = createWriteWatch(() => performance.now());
  const onUpgrade = (copy: string): void => log.warn({ copy }, UPGRADED);
  const { observer } = writes;
  const open = (): Promise<Store> => {
    const { databaseUrl } = plan.config;
    if (databaseUrl !== undefined) return openSharedStore(plan, { url: databaseUrl, observer });
    return openThreadedStore({ file: plan.directory.databaseFile, observer, onUpgrade });
  };
  const store = given ?? (await open());
  return { ...countStore(store), writes };
}
