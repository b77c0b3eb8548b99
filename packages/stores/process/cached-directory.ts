import type { Account } from "@stile/core/domain/account/account";
import { createBoundedMap } from "@stile/core/domain/bounded-map";
import type { Site } from "@stile/core/domain/site/site";
import type { Clock } from "@stile/core/ports/clock";
import type { SiteDirectory, Sites } from "@stile/core/ports/site/sites";

const MAX_AGE_MS = 1000;

/**
 * The source of the directory, and its bounds: `maxEntries` sites, as many secrets and as many
 * accounts.
 */
export type CachedDirectoryOptions = {
  readonly sites: Pick<Sites, "findSite" | "findSiteBySecret" | "findAccount">;
  readonly clock: Clock;
  readonly maxEntries: number;
};

/** A value, the time when its read began, and the promise that every hit shares. */
type CachedValue<Value> = {
  readonly value: Value;
  readonly answer: Promise<Value>;
  readonly readAtMs: number;
};

/** Callers that ask for the same key while a load is running share that load. */
function createSingleFlight<Value>() {
  const running = new Map<string, Promise<Value>>();
  return {
    load: (key: string, read: () => Promise<Value>): Promise<Value> => {
      const known = running.get(key);
      if (known !== undefined) return known;
      const loading = read().finally(() => {
        if (running.get(key) === loading) running.delete(key);
      });
      running.set(key, loading);
      return loading;
    },
    /** Drops the running loads: later calls start their own. */
    abandon: (): void => running.clear(),
  };
}

/**
 * Sites and accounts, read at most MAX_AGE_MS ago. Their age counts from the start of the read.
 * Unknown keys are not cached. If a site is forgotten while a read runs, its result is not cached
 * and not shared with later callers (D3, single use).
 */
export function createCachedDirectory(options: CachedDirectoryOptions): SiteDirectory {
  const { sites, clock, maxEntries } = options;
  const heldSites = createBoundedMap<string, CachedValue<Site>>(maxEntries);
  const siteKeyOfSecret = createBoundedMap<string, string>(maxEntries);
  const heldAccounts = createBoundedMap<string, CachedValue<Account>>(maxEntries);
  const siteLoads = createSingleFlight<Site | undefined>();
  const accountLoads = createSingleFlight<Account | undefined>();
  let forgotten = 0;

  const findFresh = <Value>(
    held: CachedValue<Value> | undefined,
  ): CachedValue<Value> | undefined => {
    if (held === undefined) return undefined;
    const ageMs = clock.nowMs() - held.readAtMs;
    return ageMs >= 0 && ageMs < MAX_AGE_MS ? held : undefined;
  };

  const loadSite = (
    key: string,
    read: () => Promise<Site | undefined>,
  ): Promise<Site | undefined> =>
    siteLoads.load(key, async () => {
      const readAtMs = clock.nowMs();
      const forgottenBefore = forgotten;
      const value = await read();
      if (value !== undefined && forgotten === forgottenBefore) {
        heldSites.set(value.siteKey, { value, answer: Promise.resolve(value), readAtMs });
      }
      return value;
    });

  const findHeldBySecret = (digest: string): CachedValue<Site> | undefined => {
    const siteKey = siteKeyOfSecret.get(digest);
    const held = siteKey === undefined ? undefined : findFresh(heldSites.get(siteKey));
    return held?.value.secretKeys.some((secret) => secret.digest === digest) ? held : undefined;
  };

  return {
    findSite: (siteKey) =>
      findFresh(heldSites.get(siteKey))?.answer ??
      loadSite(`site ${siteKey}`, () => sites.findSite(siteKey)),
    findSiteBySecret: (digest) =>
      findHeldBySecret(digest)?.answer ??
      loadSite(`secret ${digest}`, async () => {
        const site = await sites.findSiteBySecret(digest);
        if (site !== undefined) siteKeyOfSecret.set(digest, site.siteKey);
        return site;
      }),
    findAccount: (accountId) =>
      findFresh(heldAccounts.get(accountId))?.answer ??
      accountLoads.load(accountId, async () => {
        const readAtMs = clock.nowMs();
        const value = await sites.findAccount(accountId);
        if (value !== undefined) {
          heldAccounts.set(accountId, { value, answer: Promise.resolve(value), readAtMs });
        }
        return value;
      }),
    forget: (siteKey) => {
      forgotten += 1;
      heldSites.delete(siteKey);
      siteLoads.abandon();
    },
  };
}
