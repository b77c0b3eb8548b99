import { join } from "node:path";
import type { Metric, SiteSum } from "@stile/core/domain/statistics/metrics";
import { PERIOD_MS, startOfPeriod } from "@stile/core/domain/statistics/periods";
import type { Cryptography } from "@stile/core/ports/cryptography";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";
import { mintEasyChallenge } from "@stile/testkit/minting/easy-challenges";
import {
  behaviourOf,
  ENVIRONMENT,
  encodeSignals,
  USER_AGENT,
} from "@stile/testkit/minting/solver-client";
import { addSite } from "@stile/testkit/service/operator-site";
import { type RunningService, startService } from "@stile/testkit/service/service";
import { openServiceCryptography } from "@stile/testkit/service/service-cryptography";
import type { Figure, Trial } from "@stile/testkit/trials/trial";

const DOMAIN = "example.org";
const JUNK = 100;
const ROUNDS = 10;
/** The visitors' actions on the site: every action on every host. */
const HOSTS = [DOMAIN, `www.${DOMAIN}`, `shop.${DOMAIN}`, `forum.${DOMAIN}`] as const;
const ACTIONS = ["login", "sign-up", "comment", "order", "reset"] as const;

type Visit = { readonly host: string; readonly actionName: string };
type Site = {
  readonly service: RunningService;
  readonly siteKey: string;
  readonly cryptography: Cryptography;
};

/** Submits a correct solution; its score does not matter, but it is counted under its names. */
async function visit(
  { service, siteKey, cryptography }: Site,
  { host, actionName }: Visit,
): Promise<void> {
  const environment = encodeSignals(ENVIRONMENT);
  const nowMs = Date.now() - 2000;
  const binding = { siteKey, userAgent: USER_AGENT, address: "127.0.0.1", actionName };
  const challenge = mintEasyChallenge({ cryptography, ...binding, nowMs });
  const response = await fetch(`${service.baseUrl}/api/v1/verify`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "User-Agent": USER_AGENT,
      Origin: `https://${host}`,
    },
    body: JSON.stringify({
      site_key: siteKey,
      challenge: challenge.text,
      solution: challenge.solve(environment.bytes),
      signals: { environment: environment.text, behaviour: encodeSignals(behaviourOf(500)).text },
      action: actionName,
    }),
  });
  if (!response.ok)
    throw new Error(`a solution was answered ${response.status}: ${await response.text()}`);
}

const junk = (day: number): Visit[] =>
  Array.from({ length: JUNK }, (_, at) => ({
    host: `junk${day}-${at}.${DOMAIN}`,
    actionName: `junk${day}-${at}`,
  }));
const people: readonly Visit[] = HOSTS.flatMap((host) =>
  ACTIONS.map((actionName) => ({ host, actionName })),
);

/** Two days of the site's past: people's visits, and on the second day a flood after them. */
async function plantPast(file: string, siteKey: string): Promise<void> {
  const toSums = (visits: readonly Visit[], atMs: number, count: number): SiteSum[] =>
    visits.flatMap(({ host, actionName }) =>
      [`host:${host}` as Metric, `score:${actionName}:05` as Metric].map((metric) => ({
        siteKey,
        metric,
        atMs,
        count,
      })),
    );
  const yesterdayMs = Date.now() - PERIOD_MS.day;
  const store = await openSqliteStore({ file });
  await store.statistics.add(toSums(people, yesterdayMs - PERIOD_MS.day, 3));
  await store.statistics.add(toSums(people, yesterdayMs, 3));
  await store.statistics.add(toSums(junk(1), yesterdayMs, 1));
  await store.close();
}

/** The share, in per cent, of people's visits that are counted under their own name today. */
async function readShares(
  file: string,
  siteKey: string,
): Promise<{ hosts: number; actions: number; told: number }> {
  const store = await openSqliteStore({ file });
  const fromMs = startOfPeriod("day", Date.now());
  const today = { siteKey, resolution: "day", fromMs, toMs: fromMs + PERIOD_MS.day } as const;
  const sums = await store.statistics.readSums({ ...today, kinds: ["host", "score"] });
  await store.close();
  const countOf = (isMeant: (metric: Metric) => boolean): number =>
    sums.filter(({ metric }) => isMeant(metric)).reduce((sum, { count }) => sum + count, 0);
  const visits = ROUNDS * people.length;
  return {
    hosts: (100 * countOf((metric) => HOSTS.some((host) => metric === `host:${host}`))) / visits,
    actions:
      (100 * countOf((metric) => ACTIONS.some((action) => metric.startsWith(`score:${action}:`)))) /
      visits,
    told: sums.filter(({ metric }) => metric.startsWith("host:") && metric !== "host:other").length,
  };
}

/** An attacker's generated names use up the places of a day before visitors come. */
export const junkNames: Trial = {
  name: "junk-names",
  tries:
    "fills the day's statistics with invented actions and hosts before people come, a second day running",
  run: async (say) => {
    const service = await startService();
    try {
      const { dataDirectory } = service;
      const file = join(dataDirectory, "stile.sqlite");
      const { siteKey } = await addSite(dataDirectory, { name: "Shop", domains: [DOMAIN] });
      await plantPast(file, siteKey);
      const site = { service, siteKey, cryptography: await openServiceCryptography(dataDirectory) };
      say(`${JUNK} solutions with invented names, then ${ROUNDS * people.length} of people`);
      for (const one of junk(2)) await visit(site, one);
      for (let round = 0; round < ROUNDS; round++) for (const one of people) await visit(site, one);
      const { hosts, actions, told } = await readShares(file, siteKey);
      const most = { kind: "at_least", value: 95 } as const;
      const figures: Figure[] = [
        {
          name: "people's visits counted under their own action",
          value: actions,
          unit: "%",
          bound: most,
        },
        {
          name: "people's visits counted under their own host",
          value: hosts,
          unit: "%",
          bound: most,
        },
        { name: "hosts told apart", value: told, unit: "", bound: { kind: "at_most", value: 22 } },
      ];
      return figures;
    } finally {
      await service.dispose();
    }
  },
};
