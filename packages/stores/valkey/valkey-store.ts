import type { Sites, SiteWrite } from "@stile/core/ports/site/sites";
import type { Durability, SharedStore, Store, StoreDescription } from "@stile/core/ports/store";
import { SpendsElsewhere } from "../postgres/engine/postgres-generation.ts";
import { openPostgresStore, type PostgresOptions } from "../postgres/postgres-store.ts";
import { createSiteTurns, type SiteTurns } from "../site-turns.ts";
import { createValkeyChallengeLedger } from "./challenge/valkey-challenge-ledger.ts";
import { createCallWatch } from "./engine/call-watch.ts";
import type { ValkeyDescription } from "./engine/describe-valkey.ts";
import { createSiteCalls, type SiteCalls } from "./engine/site-calls.ts";
import { readValkeyAddress } from "./engine/valkey-address.ts";
import { openValkeyConnection, type ValkeyConnection } from "./engine/valkey-connection.ts";
import { FUNCTIONS } from "./engine/valkey-functions.ts";
import { GENERATION_KEY } from "./engine/valkey-keys.ts";
import { createValkeyTokenLedger } from "./token/valkey-token-ledger.ts";
import { createValkeyHousekeeping, forgetPurgedSites } from "./valkey-housekeeping.ts";
import { createValkeyRateLimiter } from "./valkey-rate-limiter.ts";

/** The durable store and the Valkey beside it. */
export type ValkeyOptions = {
  readonly postgres: Omit<PostgresOptions, "spendsIn">;
  readonly url: string;
  /** How many replicas it has, each of which must have a spend before it is answered; 0 by default. */
  readonly replicas?: number | undefined;
  /** The clock by which tokens are issued; by default the system's. */
  readonly nowMs?: (() => number) | undefined;
  /** How long an answer of Valkey is waited for, ms. */
  readonly deadlineMs?: number | undefined;
};

/** The durable store's sites; purging them also removes what Valkey keeps of them. */
function purgeBoth(sites: Sites, connection: ValkeyConnection): Sites {
  return {
    ...sites,
    purgeSites: async (deletedBeforeMs) => {
      const count = await sites.purgeSites(deletedBeforeMs);
      await forgetPurgedSites(connection, sites);
      return count;
    },
  };
}

/** Tells Valkey of a written site before the write is answered; also if it is unknown whether it was written. */
function tellChanges(sites: Sites, { write }: SiteTurns, { change }: SiteCalls): Sites {
  return {
    ...sites,
    replaceSite: (site, expectedRevision, entry) =>
      write(site.siteKey, async () => {
        let outcome: SiteWrite;
        try {
          outcome = await sites.replaceSite(site, expectedRevision, entry);
        } catch (fault) {
          void change(site.siteKey);
          throw fault;
        }
        if (outcome === "stored") await change(site.siteKey);
        return outcome;
      }),
  };
}

/** From the least durable to the most. */
const DURABILITIES = ["best-effort", "crash-safe", "strict"] as const satisfies readonly Durability[];

function describeBoth(durable: StoreDescription, hot: ValkeyDescription): StoreDescription {
  return {
    engine: `${durable.engine}, ${hot.engine}`,
    durability: DURABILITIES.find((one) => one === durable.durability || one === hot.durability) ?? "best-effort",
    detail: durable.detail,
    findings: [...durable.findings, ...hot.findings],
  };
}

/** Refuses to spend while other nodes, which started later, spend elsewhere. */
function createAgreement({ nodes }: Store, connection: ValkeyConnection) {
  let isElsewhere = false;
  const follow: SharedStore["follow"] = async (load) => {
    if (nodes === undefined) throw new Error("the durable store is shared by no nodes");
    try {
      const outcome = await nodes.follow(load);
      isElsewhere = false;
      return outcome;
    } catch (fault) {
      if (fault instanceof SpendsElsewhere) {
        isElsewhere = true;
        // Only another node may have seen that the engine was emptied: so this one checks again what it holds.
        connection.leave();
      }
      throw fault;
    }
  };
  const check = (): void => {
    if (isElsewhere) throw new SpendsElsewhere();
  };
  return { follow, check };
}

/**
 * Opens the scaled store with everything hot in Valkey: single use of tokens and challenges, and exact limits (decision
 * 0039); everything else is in PostgreSQL. Rejects with DatabaseProblem or ValkeyProblem, whose message tells the
 * operator what to do.
 */
export async function openValkeyStore({
  postgres,
  url,
  replicas = 0,
  nowMs = Date.now,
  deadlineMs,
}: ValkeyOptions): Promise<Store> {
  const address = readValkeyAddress(url);
  let opened: ValkeyConnection | undefined;
  const durable = await openPostgresStore({ ...postgres, spendsIn: () => `valkey ${opened?.dataset()}` });
  let connection: ValkeyConnection;
  try {
    const newestMs = await durable.housekeeping.newestMs();
    const plan = { address, nowMs: () => Math.max(newestMs, nowMs()), deadlineMs, replicas };
    connection = await openValkeyConnection({ ...plan, holds: "all" });
    opened = connection;
  } catch (fault) {
    await durable.close();
    throw fault;
  }
  const { follow, check } = createAgreement(durable, connection);
  const findRevision = async (siteKey: string) => (await durable.sites.findSite(siteKey))?.revision;
  const turns = createSiteTurns(connection.deadlineMs);
  const calls = createSiteCalls(connection, turns, findRevision);
  const tokens = createValkeyTokenLedger(connection, calls, durable.statistics);
  const challenges = createValkeyChallengeLedger(calls, durable.statistics);
  const limiter = createValkeyRateLimiter(connection);
  const watch = createCallWatch(postgres.observer);
  const spend = <Outcome>(work: () => Promise<Outcome>): Promise<Outcome> =>
    watch(async () => {
      check();
      return await work();
    });
  return {
    ...durable,
    sites: tellChanges(purgeBoth(durable.sites, connection), turns, calls),
    tokens: {
      ...tokens,
      redeem: (redemption) => spend(() => tokens.redeem(redemption)),
    },
    challenges: { spend: (one) => spend(() => challenges.spend(one)) },
    limiter: { consume: (request) => watch(() => limiter.consume(request)) },
    housekeeping: createValkeyHousekeeping(connection, durable.housekeeping),
    ...(durable.nodes !== undefined && { nodes: { ...durable.nodes, follow } }),
    ping: async () => {
      check();
      const [session, sinceMs] = [connection.session(), performance.now()];
      await connection.call(session, "FCALL", [FUNCTIONS.ping, 1, GENERATION_KEY]);
      await connection.acknowledge(session, sinceMs);
      await durable.ping();
    },
    describe: async () => describeBoth(await durable.describe(), await connection.describe()),
    close: async () => {
      await durable.close();
      await connection.close();
    },
  };
}
