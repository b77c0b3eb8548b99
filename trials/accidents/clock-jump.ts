import { createHash } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { toSecretKeyRecord } from "@stile/core/domain/site/create-keys";
import { isDecision } from "@stile/core/domain/statistics/decision";
import { GRACE_SECONDS } from "@stile/protocol/limits";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import { redeem } from "@stile/testkit/service/redeem";
import type { RunningService } from "@stile/testkit/service/service";
import { isTaken, makeChallenges } from "@stile/testkit/trials/solutions";
import type { Figure, Trial } from "@stile/testkit/trials/trial";
import { countVerified } from "./customer.ts";
import { FAKETIME, faketimeLibrary } from "./programs.ts";
import { NONE, withFolder, withService } from "./scene.ts";

const DAYS = [1, 40, 400, -1] as const;
const TOKENS = 20;
const DECISIONS = 5;
const DAY_SECONDS = 86_400;
/** Long enough for two sweeps of marks and one of statistics and decisions. */
const JUMPED_MS = 75_000;
/** Statistics and decisions are written within a second. */
const WRITTEN_MS = 2500;
const DYING_SITE = "pk_another0site0ofaccount";
const DYING_SECRET = `sk_${"d".repeat(40)}`;
const DYING_MS = 3000;

/** A clock that differs from the machine's by the offset in a file; only the service sees it. */
function createFalseClock(folder: string) {
  const file = join(folder, "faketime");
  const set = (days: number): void => {
    writeFileSync(`${file}.new`, `${days < 0 ? "-" : "+"}${Math.abs(days) * DAY_SECONDS}\n`);
    renameSync(`${file}.new`, file);
  };
  set(0);
  const environment = {
    LD_PRELOAD: faketimeLibrary(),
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    DONT_FAKE_MONOTONIC: "1",
    NO_FAKE_STAT: "1",
  };
  return { set, environment };
}

/**
 * Adds a site whose only secret key was replaced almost a day ago: its grace period ends in
 * DYING_MS.
 */
async function addDyingSecret({ dataDirectory, siteKey }: RunningService): Promise<void> {
  const store = await openSqliteStore({ file: join(dataDirectory, "stile.sqlite") });
  const site = await store.sites.findSite(siteKey);
  if (site === undefined) throw new Error("the service has no demo site");
  const replacedAtMs = Date.now() - GRACE_SECONDS * 1000 + DYING_MS;
  const digest = createHash("sha256").update(DYING_SECRET).digest("base64url");
  const dying = { ...toSecretKeyRecord(DYING_SECRET, digest, replacedAtMs), replacedAtMs };
  await store.sites.insertSite({
    ...site,
    siteKey: DYING_SITE,
    name: "Another",
    secretKeys: [dying],
  });
  await store.close();
}

/** 1 if the expired secret key is accepted, else 0. */
async function countAlive({ baseUrl }: RunningService): Promise<number> {
  const { status } = await redeem({ baseUrl, secretKey: DYING_SECRET }, "x");
  return status === 401 ? 0 : 1;
}

/** Redemptions in the statistics of all days, and the number of decisions kept. */
async function countKept({ dataDirectory, siteKey }: RunningService) {
  const store = await openSqliteStore({ file: join(dataDirectory, "stile.sqlite") });
  const toMs = Date.now() + 1000 * DAY_SECONDS * 1000;
  const sumsOf = async (resolution: "minute" | "day"): Promise<number> => {
    const sums = await store.statistics.readSums({
      siteKey,
      resolution,
      fromMs: 0,
      toMs,
      kinds: ["outcome"],
    });
    return sums.find(({ metric }) => metric === "token_redeemed")?.count ?? 0;
  };
  const decisions = (await store.decisions.list({ siteKey, limit: 100 })).filter(isDecision).length;
  const kept = { minutes: await sumsOf("minute"), days: await sumsOf("day"), decisions };
  await store.close();
  return kept;
}

async function spendBefore(service: RunningService): Promise<string[]> {
  const spent = await mintTokens({ ...service, count: TOKENS });
  if ((await countVerified(service, spent)) !== TOKENS)
    throw new Error("a service at rest refused its own tokens");
  for (const challenge of await makeChallenges(service, DECISIONS))
    await isTaken(service, challenge);
  await addDyingSecret(service);
  await sleep(DYING_MS + WRITTEN_MS);
  if ((await countAlive(service)) > 0) throw new Error("the revoked secret key still works");
  return spent;
}

/**
 * Jumps by that many days, back again after JUMPED_MS, and restarts the service under the false
 * clock.
 */
async function jump(days: number): Promise<Figure[]> {
  return await withFolder(async (folder) => {
    const clock = createFalseClock(folder);
    return await withService(clock.environment, async (service) => {
      const spent = await spendBefore(service);
      const before = await countKept(service);
      const held = await mintTokens({ ...service, count: TOKENS });
      clock.set(days);
      await sleep(JUMPED_MS);
      const saysSo = await fetch(`${service.baseUrl}/readyz`).then((response) => response.text());
      const heldRefused = TOKENS - (await countVerified(service, held));
      const alive = await countAlive(service);
      clock.set(0);
      await sleep(WRITTEN_MS);
      const fresh = await mintTokens({ ...service, count: TOKENS });
      const freshRefused = TOKENS - (await countVerified(service, fresh));
      const after = await countKept(service);
      const doubles = await countVerified(service, [...spent, ...held, ...fresh]);
      const name = `${days > 0 ? "+" : ""}${days} days`;
      return [
        {
          name: `${name}: /readyz speaks of the clock (no: it did not jump)`,
          value: Number(saysSo.includes("clock")),
          unit: "",
          bound: { kind: "at_least", value: 1 },
        },
        {
          name: `${name}: fresh tokens refused after it`,
          value: freshRefused,
          unit: `of ${TOKENS}`,
          bound: NONE,
        },
        {
          name: `${name}: tokens refused during it`,
          value: heldRefused,
          unit: `of ${TOKENS}`,
          bound: NONE,
        },
        {
          name: `${name}: tokens redeemed twice`,
          value: doubles,
          unit: `of ${3 * TOKENS}`,
          bound: NONE,
        },
        {
          name: `${name}: redemptions lost from the statistics of minutes and days`,
          value:
            Math.max(0, before.minutes - after.minutes) + Math.max(0, before.days - after.days),
          unit: `of ${before.minutes + before.days}`,
          bound: NONE,
        },
        {
          name: `${name}: decisions lost`,
          value: Math.max(0, before.decisions - after.decisions),
          unit: `of ${before.decisions}`,
          bound: NONE,
        },
        {
          name: `${name}: dead secret keys let in`,
          value: alive + (await aliveAfterStart(service, () => clock.set(days))),
          unit: "of 2",
          bound: NONE,
        },
      ];
    });
  });
}

/** Whether a service that starts under the false clock accepts the expired secret key; 1 or 0. */
async function aliveAfterStart(service: RunningService, set: () => void): Promise<number> {
  await service.stop();
  set();
  await service.restart();
  return await countAlive(service);
}

/** A machine's clock that jumps, and jumps back. */
export const clockJump: Trial = {
  name: "clock-jump",
  tries: `a clock that is ${DAYS.join(", ")} days off for ${JUMPED_MS / 1000} s, through sweeps of all that is old`,
  needs: [FAKETIME],
  run: async (say) => {
    say(`${DAYS.length} services at once, about two minutes`);
    return (await Promise.all(DAYS.map(jump))).flat();
  },
};
