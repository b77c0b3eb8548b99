import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { createScenes } from "@stile/core/domain/layout/bake-bank";
import { createRandom } from "@stile/risk/seeded-random";
import { slowDown } from "@stile/stores/contract/slow-disk";
import { callDashboard, newAccount } from "@stile/testkit/contract/dashboard";
import { redeem } from "@stile/testkit/contract/redeem";
import { startInOwnProcess } from "@stile/testkit/contract/service-fixtures";
import { PAGE_ORIGIN } from "@stile/testkit/contract/sites";
import { earnToken } from "@stile/testkit/minting/solver-client";

const READS = Uint8Array.from({ length: 16 }, (_, at) => 2 + at);
const bakedAtMs = Date.now() - 3_600_000;
/** A bank in which all right answers are the same. */
const BANK = {
  ...{ bakedAtMs, drawnAtMs: bakedAtMs },
  scenes: createScenes(createRandom(7), 20).map((text) => ({
    text,
    answers: { blink: { reads: READS, kept: 0xffff } },
  })),
};

/** Those answers, after the version of the bank that the scenes came from. */
function layOut(scenes: string): Uint8Array {
  const version = Number.parseInt(scenes, 10);
  return Uint8Array.from([version & 255, version >> 8, ...READS, ...READS, ...READS]);
}

const fixture = await startInOwnProcess({ STILE_DEMO: "off" });
after(() => fixture.stop());

test("the System page answers while the disk does not, whatever waits to be written", async (t) => {
  const { site, members } = await newAccount(fixture);
  const ask = (path: string) => callDashboard(fixture, { path, cookie: members.owner.cookie });
  await fixture.store.layoutBanks.addBank(BANK);
  assert.equal((await ask("layouts")).status, 200);
  const visitor = { baseUrl: fixture.baseUrl, siteKey: site.siteKey, origin: PAGE_ORIGIN, layOut };
  const { token } = await earnToken(visitor);
  t.after(slowDown(fixture.databaseFile ?? "", 6).mend);
  const redeemed = await redeem(fixture, site, { token });
  assert.equal(redeemed.status, 503);
  let system = await ask("system");
  // The write without a timely answer may have waited before it was sent to the disk.
  for (let tries = 0; tries < 40 && system.body.data?.isStoreLate === false; tries++) {
    await setTimeout(50);
    system = await ask("system");
  }
  assert.deepEqual([system.status, system.body.data.isStoreLate], [200, true]);
});
