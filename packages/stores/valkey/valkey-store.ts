import type { Sites, SiteWrite } from "@stile/core/ports/site/sites";
import type { Store, StoreDescription } from "@stile/core/ports/store";
import { openPostgresStore, type PostgresOptions } from "../postgres/postgres-store.ts";
import { createSiteTurns, type SiteTurns } from "../site-turns.ts";
import { createValkeyChallengeLedger } from "./challenge/valkey-challenge-ledger.ts";
import { createSiteCalls, type SiteCalls } from "./engine/site-calls.ts";
import { readValkeyAddress } from "./engine/valkey-address.ts";
import { DEADLINE_MS, openValkeyConnection, type ValkeyConnection } from "./engine/valkey-connection.ts";
import { createValkeyTokenLedger } from "./token/valkey-token-ledger.ts";
import { createValkeyHousekeeping } from "./valkey-housekeeping.ts";
import { createValkeyRateLimiter } from "./valkey-rate-limiter.ts";

/** The durable store and the Valkey beside it. */
export type ValkeyOptions = {
  readonly postgres: Omit<PostgresOptions, "spendsIn">;
  readonly url: string;
  /** The system's clock. */
  readonly nowMs?: (() => number) | undefined;
  /** How long (ms) an answer of Valkey is waited for. */
  readonly deadlineMs?: number | undefined;
};

/** A written site is told to Valkey before the write is answered; also where nobody knows whether it was written. */
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

function describeBoth(durable: StoreDescription, connection: ValkeyConnection): StoreDescription {
  const { engine, appendfsync, maxmemoryPolicy } = connection.session().settings;
  return {
    engine: `${durable.engine}, ${engine}`,
    // What is less durable than this is not connected to.
    durability: durable.durability,
    detail: `${durable.detail}, appendfsync=${appendfsync}, maxmemory-policy=${maxmemoryPolicy}`,
    findings: durable.findings,
  };
}

/**
 * Opens the scaled store with what is hot in Valkey: single use of tokens and challenges, and exact limits (decision 0039); all else lies in
 * PostgreSQL. Rejects with DatabaseProblem or ValkeyProblem, whose message says to the operator what to do.
 */
export async function openValkeyStore({
  postgres,
  url,
  nowMs = Date.now,
  deadlineMs = DEADLINE_MS,
}: ValkeyOptions): Promise<Store> {
  const address = readValkeyAddress(url);
  let dataset = "";
  const durable = await openPostgresStore({ ...postgres, spendsIn: () => `valkey ${dataset}` });
  let connection: ValkeyConnection;
  // The service's own clock may be ahead of the system's: a fence lies behind the newest time that was seen, too.
  let newestMs = 0;
  try {
    newestMs = await durable.housekeeping.newestMs();
    connection = await openValkeyConnection({ address, nowMs: () => Math.max(newestMs, nowMs()), deadlineMs });
    dataset = connection.session().generation.dataset;
  } catch (fault) {
    await durable.close();
    throw fault;
  }
  const see = <Spend extends { readonly nowMs: number }>(spend: Spend): Spend => {
    newestMs = Math.max(newestMs, spend.nowMs);
    return spend;
  };
  const findRevision = async (siteKey: string) => (await durable.sites.findSite(siteKey))?.revision;
  const calls = createSiteCalls(connection, findRevision);
  const turns = createSiteTurns();
  const tokens = createValkeyTokenLedger(connection, calls, durable.statistics);
  const challenges = createValkeyChallengeLedger(calls, durable.statistics);
  return {
    ...durable,
    sites: tellChanges(durable.sites, turns, calls),
    tokens: { ...tokens, redeem: (one) => turns.spend(one.siteKey, () => tokens.redeem(see(one))) },
    challenges: { spend: (one) => turns.spend(one.siteKey, () => challenges.spend(see(one))) },
    limiter: createValkeyRateLimiter(connection),
    housekeeping: createValkeyHousekeeping(connection, durable.housekeeping),
    ping: async () => {
      await connection.call(connection.session(), "PING", []);
      await durable.ping();
    },
    describe: async () => describeBoth(await durable.describe(), connection),
    close: async () => {
      await durable.close();
      await connection.close();
    },
  };
}
