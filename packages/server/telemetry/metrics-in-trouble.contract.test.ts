import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { stopDiskOf } from "@stile/stores/contract/slow-disk";
import { callDashboard, newAccount } from "@stile/testkit/contract/dashboard";
import { redeem } from "@stile/testkit/contract/redeem";
import { startInOwnProcess } from "@stile/testkit/contract/service-fixtures";
import { PAGE_ORIGIN } from "@stile/testkit/contract/sites";
import { earnToken } from "@stile/testkit/minting/solver-client";
import { type MetricSamples, scrape, scrapeUntil } from "@stile/testkit/service/metrics";

const directory = mkdtempSync(join(tmpdir(), "stile-metrics-"));
after(() => rmSync(directory, { recursive: true }));
const aheadFile = join(directory, "ahead");
const preloads = ["settable-clock.ts", "idle-disk.ts"].map((name) =>
  join(import.meta.dirname, "..", "..", "testkit", "service", name),
);

const fixture = await startInOwnProcess({
  STILE_METRICS: "0",
  STILE_LOG_LEVEL: "info",
  NODE_OPTIONS: preloads.map((path) => `--import=${path}`).join(" "),
  CLOCK_AHEAD_FILE: aheadFile,
});
after(() => fixture.stop());
const metricsUrl = /"metricsUrl":"([^"]+)"/.exec(fixture.log())?.[1];

const at = (samples: MetricSamples, name: string): number => samples.get(name) ?? Number.NaN;

test("reports a stuck disk in metrics and on the System page while it is stuck, and how long the write took", async () => {
  const { site, members } = await newAccount(fixture);
  const ask = (path: string) => callDashboard(fixture, { path, cookie: members.owner.cookie });
  const askSystem = () => ask("system");
  const calm = await scrape(metricsUrl);
  assert.equal(at(calm, "stile_store_unanswered_writes_total"), 0);
  assert.equal((await askSystem()).body.data.isStoreLate, false);
  const visitor = { baseUrl: fixture.baseUrl, siteKey: site.siteKey, origin: PAGE_ORIGIN };
  const { token } = await earnToken(visitor);
  // A session unused for a while makes the service record its activity. That write now gets stuck.
  const database = new DatabaseSync(fixture.databaseFile ?? "", { timeout: 5000 });
  database.exec("UPDATE sessions SET last_seen_at_ms = last_seen_at_ms - 61000");
  database.close();
  const disk = stopDiskOf(fixture.databaseFile ?? "");
  const redeemed = redeem(fixture, site, { token });
  const unanswered = await scrapeUntil(
    metricsUrl,
    (now) => at(now, "stile_store_unanswered_writes_total") === 1,
  );
  assert.ok(at(unanswered, "stile_store_pending_write_seconds") >= 1.3);
  const stuck = await scrapeUntil(
    metricsUrl,
    (now) => at(now, "stile_store_pending_write_seconds") >= 1.4,
  );
  assert.equal(at(stuck, "stile_store_unanswered_writes_total"), 1);
  assert.equal((await redeemed).status, 503);
  const system = await askSystem();
  assert.deepEqual([system.status, system.body.data.isStoreLate], [200, true]);
  assert.ok(
    at(await scrape(metricsUrl), "stile_store_pending_write_seconds") >= 1.4,
    "the page waited for the disk",
  );
  disk.resume();
  const recovered = await scrapeUntil(
    metricsUrl,
    (now) => at(now, "stile_store_pending_write_seconds") === 0,
  );
  assert.equal(at(recovered, "stile_store_pending_write_seconds"), 0);
  const slower = (samples: MetricSamples): number =>
    at(samples, "stile_store_write_seconds_count") -
    at(samples, 'stile_store_write_seconds_bucket{le="1"}');
  assert.equal(slower(recovered) - slower(calm), 1);
  assert.equal((await askSystem()).body.data.isStoreLate, false);
});

test("counts clock jumps, and shows how far the clock is off as long as it is", async () => {
  const before = await scrape(metricsUrl);
  assert.ok(Math.abs(at(before, "stile_clock_offset_seconds")) < 2);
  writeFileSync(aheadFile, "");
  const ahead = await scrape(metricsUrl);
  rmSync(aheadFile);
  assert.ok(Math.abs(at(ahead, "stile_clock_offset_seconds") - 86_400) < 5);
  assert.equal(at(ahead, "stile_clock_jumps_total") - at(before, "stile_clock_jumps_total"), 1);
  const right = await scrape(metricsUrl);
  assert.ok(Math.abs(at(right, "stile_clock_offset_seconds")) < 2);
  assert.equal(at(right, "stile_clock_jumps_total"), at(ahead, "stile_clock_jumps_total"));
});

test("ends the start with one sentence if the address for metrics is in use (D17, settings)", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  after(() => taken.close());
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as AddressInfo;
  await assert.rejects(
    startInOwnProcess({ STILE_METRICS: String(port), STILE_DATA_DIR: join(directory, "taken") }),
    (error: Error) => {
      const sentence = `stile: Port ${port} is in use. Stop what listens there, or set the port in STILE_METRICS.`;
      assert.equal(error.message.split("\n").slice(1).join("\n").trim(), sentence);
      return true;
    },
  );
});
