import { randomBytes } from "node:crypto";
import { OPERATOR } from "@stile/core/domain/account/audit";
import type { ServiceSettings } from "@stile/core/domain/service-settings";
import type { Site, SiteSettings } from "@stile/core/domain/site/site";
import { METRIC_KINDS } from "@stile/core/domain/statistics/metrics";
import type { TokenPayload } from "@stile/core/domain/token/token";
import { parseIpAddress } from "@stile/core/domain/visitor/ip-address";
import { createNetworkList, parseNetwork } from "@stile/core/domain/visitor/network-list";
import type { ServicePorts } from "@stile/core/ports/service-ports";
import type { Store } from "@stile/core/ports/store";
import type { NetworkLists } from "@stile/core/ports/visitor/network-lists";
import type { SiteReference } from "@stile/core/services/site/own-site";
import { createTokenHeader, sealToken } from "@stile/core/services/token/seal-token";
import { keyReference } from "@stile/core/services/visitor/key-reference";
import { digestAddress, digestUserAgent } from "@stile/core/services/visitor/visitor-digests";
import { createSite } from "@stile/core/use-cases/site/create-site";
import { type RedeemFields, redeemToken } from "@stile/core/use-cases/token/redeem-token";
import {
  composePorts,
  type ProcessBounds,
  type ProcessPorts,
} from "@stile/server/compose/compose-ports";
import { createLog } from "@stile/server/telemetry/log";
import { createMemoryStore } from "../memory-store/memory-store.ts";

/** All ports of one node: a separate process on the shared store. */
export type WorldNode = ProcessPorts &
  Pick<ServicePorts, "settings"> & {
    /** Sends its observations to the other nodes, and receives theirs. */
    readonly exchange: () => Promise<void>;
  };

/** A site with its secret key. */
export type OwnedSite = { readonly site: Site; readonly secretKey: string };

/** The site's reference for use cases that change it, with the operator as actor. */
export function referenceTo(site: Site): SiteReference {
  return { accountId: site.accountId, siteKey: site.siteKey, actor: OPERATOR };
}

/** The address that minted tokens are bound to. */
export const VISITOR_IP = "192.0.2.7";
/** The browser that minted tokens are bound to. */
export const VISITOR_AGENT = "Mozilla/5.0 (X11; Linux x86_64)";
/** The account that owns every site of the world. */
export const ACCOUNT_ID = "acc_world";
/** When every world begins: noon UTC, at the start of a minute. */
export const NOON_MS = Date.UTC(2026, 5, 15, 12);

/** A clock that moves only when the test moves it. */
export type WorldClock = { nowMs(): number; advance(ms: number): void; setTo(ms: number): void };

/** A clock that is stopped at that moment. */
export function createClock(startMs: number): WorldClock {
  let atMs = startMs;
  return {
    nowMs: () => atMs,
    advance: (ms) => {
      atMs += ms;
    },
    setTo: (ms) => {
      atMs = ms;
    },
  };
}

/** An address in a data centre; every world's operator lists also have a Tor exit in it. */
export const DATACENTER_IP = "198.51.100.9";
/** See DATACENTER_IP. */
export const TOR_IP = "198.51.100.77";

const DATACENTER = createNetworkList(
  [parseNetwork("198.51.100.0/24")].filter((network) => network !== undefined),
);
const TOR = createNetworkList([parseNetwork(TOR_IP)].filter((network) => network !== undefined));
const NETWORK_LISTS: NetworkLists = {
  find: (address) => ({ isDatacenter: DATACENTER.has(address), isTor: TOR.has(address) }),
};

const SETTINGS: ServiceSettings = {
  algorithm: 2,
  limits: { verify: 1000, score: 500, challenge: 100, challengeTotal: 10_000, wrongSecret: 60 },
};

/**
 * A small service without its HTTP layer: a real store and real cryptography, with a clock that the
 * test moves.
 */
export type World = Awaited<ReturnType<typeof createWorld>>;

/** The content of a minted token; omitted parts are those of an honest visitor's token. */
export type Minting = Partial<Omit<TokenPayload, "siteKey">> & { ip?: string; userAgent?: string };

function mint(node: WorldNode, clock: WorldClock, site: Site, change: Minting = {}): string {
  const { ip = VISITOR_IP, userAgent = VISITOR_AGENT, ...payload } = change;
  const header = createTokenHeader(node.cryptography, clock.nowMs());
  const key = keyReference(header.keyId, "binding", header.issuedAtSeconds * 1000);
  return sealToken(node.cryptography, header, {
    siteKey: site.siteKey,
    mode: site.mode,
    expiresAtMs: (header.issuedAtSeconds + site.tokenLifeSeconds) * 1000,
    challengeAtMs: clock.nowMs(),
    score: 0.05,
    ...digestAddress(node.cryptography, key, ip === "" ? undefined : parseIpAddress(ip)),
    userAgentDigest: digestUserAgent(node.cryptography, key, userAgent),
    actionName: undefined,
    cdata: undefined,
    hostname: "shop.example",
    isScriptless: false,
    ...payload,
  });
}

/** The size of a node's memory: little, so that tests reach the bounds. */
const BOUNDS: ProcessBounds = {
  limitScopes: 1000,
  visitors: 100,
  failures: 100,
  scoredTokens: 100,
  sites: 100,
  tallies: { maxOwners: 100, maxNetworks: 10_000, maxInner: 10_000 },
  tokenUsage: { maxNetworks: 1000, maxSites: 100 },
  visits: { pathsOfSite: 100, paths: 1000, behaviours: 1000 },
  collected: { pathsOfSite: 100, paths: 1000, behaviours: 1000 },
  waves: { maxSites: 10 },
};

async function createNode(
  store: Store,
  clock: WorldClock,
  masterKey: Uint8Array,
  limits: object,
): Promise<WorldNode> {
  const parts = {
    store,
    clock,
    masterKey,
    networkLists: NETWORK_LISTS,
    log: createLog("silent"),
    bounds: BOUNDS,
  };
  const { ports, exchange = async () => {} } = await composePorts(parts);
  return {
    ...ports,
    exchange,
    settings: { ...SETTINGS, limits: { ...SETTINGS.limits, ...limits } },
  };
}

/** A world with one account, no site, and one node; `limits` replaces limits of the service. */
export async function createWorld(limits: Partial<ServiceSettings["limits"]> = {}) {
  const clock = createClock(NOON_MS);
  const store = createMemoryStore();
  const masterKey = randomBytes(32);
  const node = await createNode(store, clock, masterKey, limits);
  const account = { accountId: ACCOUNT_ID, name: "World", createdAtMs: clock.nowMs() };
  await store.sites.insertAccount({
    ...account,
    challengePerMinute: null,
    totalPerMinute: null,
  });
  let named = 0;
  return {
    clock,
    store,
    node,
    /** Another process on the same store, with its own caches and counters. */
    createNode: (): Promise<WorldNode> => createNode(store, clock, masterKey, limits),
    /** A site on shop.example. */
    createSite: async (change: Partial<SiteSettings> = {}): Promise<OwnedSite> => {
      const proposed = { name: `Site ${++named}`, domains: ["shop.example"], ...change };
      const created = await createSite(node, { accountId: ACCOUNT_ID, actor: OPERATOR }, proposed);
      if (created.kind !== "created") throw new Error(`no site: ${JSON.stringify(created)}`);
      return created;
    },
    /** A token as made by submitting a solution, but without the work. */
    mint: (site: Site, change: Minting = {}): string => mint(node, clock, site, change),
    /** Redeems as the customer's server does, from 203.0.113.1. */
    redeem: (secretKey: string, fields: Partial<RedeemFields>, at: WorldNode = node) =>
      redeemToken(
        at,
        { secretKey, address: parseIpAddress("203.0.113.1") },
        {
          kind: "received",
          read: () => ({
            kind: "fields",
            fields: {
              token: undefined,
              siteKey: undefined,
              idempotencyKey: undefined,
              remoteIp: undefined,
              userAgent: undefined,
              ...fields,
            },
          }),
        },
      ),
    /** The sum of a metric over the whole life of the world. */
    countOf: async (site: Site, metric: string): Promise<number> => {
      await store.statistics.flush();
      const whole = {
        siteKey: site.siteKey,
        resolution: "day",
        fromMs: 0,
        toMs: Number.MAX_SAFE_INTEGER,
      } as const;
      const sums = await store.statistics.readSums({ ...whole, kinds: METRIC_KINDS });
      return sums.find((sum) => sum.metric === metric)?.count ?? 0;
    },
  };
}
