import { Agent, get } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import { redeem } from "@stile/testkit/service/redeem";
import { type RunningService, startService } from "@stile/testkit/service/service";
import { type Asker, type FloodRow, HONEST } from "./flood-rows.ts";

/** The results of one kind of visitor. */
export type Served = { asked: number; served: number; hashes: number };

/**
 * The result of a row; regulars are honest visitors who redeemed a token recently, strangers those
 * who did not.
 */
export type FloodResult = {
  readonly attacker: Served;
  readonly regulars: Served;
  readonly strangers: Served;
};

const FLOOD_MS = 60_000;
const OTHER_SITE = "pk_another0site0ofaccount";
const PAGE = {
  Origin: "http://localhost",
  Referer: "http://localhost/",
  Accept: "*/*",
  "Accept-Language": "en-US,en;q=0.5",
  "Accept-Encoding": "gzip, deflate, br",
};

/** A visitor's first try: counts whether they got a challenge, and how many hashes it takes. */
function ask(
  service: RunningService,
  agent: Agent,
  siteKey: string,
  asker: Asker,
  into: Served,
): Promise<void> {
  into.asked++;
  const url = `${service.baseUrl}/api/v1/pow/challenge?site_key=${siteKey}&action=login`;
  const headers = { ...PAGE, "User-Agent": asker.userAgent, "X-Forwarded-For": asker.address };
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      if (response.statusCode === 200) {
        const { data } = JSON.parse(Buffer.concat(chunks).toString()) as {
          data: { difficulty: number };
        };
        into.served++;
        into.hashes += data.difficulty;
      }
      resolve();
    });
    request.on("error", reject);
  });
}

/**
 * Sends `count` requests evenly over the flood's minute; late ones at once, so that the number is
 * right.
 */
async function spread(count: number, send: (index: number) => Promise<void>): Promise<void> {
  const startMs = performance.now();
  const pending: Promise<void>[] = [];
  for (let index = 0; index < count; index++) {
    const dueMs = startMs + ((index + 0.5) * FLOOD_MS) / count;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    pending.push(send(index));
  }
  await Promise.all(pending);
}

/** Adds the account's second site: a copy of the demo's, with another key. */
async function addOtherSite({ dataDirectory, siteKey }: RunningService): Promise<void> {
  const store = await openSqliteStore({ file: join(dataDirectory, "stile.sqlite") });
  const site = await store.sites.findSite(siteKey);
  if (site === undefined) throw new Error("the service has no demo site");
  await store.sites.insertSite({ ...site, siteKey: OTHER_SITE, name: "Another", secretKeys: [] });
  await store.close();
}

/** Every second honest visitor has been here before: the service redeemed one of their tokens. */
const isRegular = (visitor: number): boolean => visitor % 2 === 0;

async function redeemForRegulars(service: RunningService, row: FloodRow): Promise<void> {
  const { dataDirectory, siteKey } = service;
  for (let visitor = 0; visitor < HONEST; visitor++) {
    if (!isRegular(visitor)) continue;
    const [token = ""] = await mintTokens({
      dataDirectory,
      siteKey,
      count: 1,
      ...row.honest(visitor),
    });
    const { status } = await redeem(service, token);
    if (status !== 200) throw new Error(`a regular visitor's token was answered with ${status}`);
  }
}

/** A service for a row, ready to be flooded; `command` names another version of it. */
export async function prepareFlood(
  row: FloodRow,
  command?: readonly string[],
): Promise<RunningService> {
  const settings = {
    STILE_TRUSTED_PROXIES: "127.0.0.1",
    STILE_LOG_LEVEL: "error",
    ...row.settings,
  };
  const service = await startService(settings, command);
  if (row.isOtherSite) await addOtherSite(service);
  await redeemForRegulars(service, row);
  return service;
}

/** Floods the service for a minute, alongside honest visitors. */
export async function flood(row: FloodRow, service: RunningService): Promise<FloodResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const nothing = { asked: 0, served: 0, hashes: 0 };
  const result: FloodResult = {
    attacker: { ...nothing },
    regulars: { ...nothing },
    strangers: { ...nothing },
  };
  const honestSite = row.isOtherSite ? OTHER_SITE : service.siteKey;
  await Promise.all([
    spread(Math.round((row.perSecond * FLOOD_MS) / 1000), (index) =>
      ask(service, agent, service.siteKey, row.attacker(index), result.attacker),
    ),
    spread(HONEST, (index) => {
      const kind = isRegular(index) ? result.regulars : result.strangers;
      return ask(service, agent, honestSite, row.honest(index), kind);
    }),
  ]);
  agent.destroy();
  return result;
}
