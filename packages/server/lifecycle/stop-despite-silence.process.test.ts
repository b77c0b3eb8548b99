import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { temporaryFolder } from "@stile/testkit/postgres/node-on-postgres";
import { startTcpProxy } from "@stile/testkit/postgres/tcp-proxy";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { startService } from "@stile/testkit/service/service";

const engine = await startPostgres({ isDurable: false });
after(engine.stop);

/**
 * In ms. A stop takes 8 s, and once took a minute. The bound is in between, so that a busy machine
 * passes.
 */
const MOST_MS = 25_000;

/**
 * With 0 ms, the stop itself meets the silent database. Later, work that was under way meets it,
 * and later work is refused.
 */
for (const [mode, afterMs] of [
  ["silent", 0],
  ["deaf", 0],
  ["silent", 2_500],
] as const) {
  test(`ends soon if it must stop ${afterMs} ms after the database fell ${mode}, and names what it could not write (D15, outage)`, async (context) => {
    const url = new URL(engine.createDatabase(`stop_${mode}_${afterMs}`));
    const proxy = await startTcpProxy(engine.port);
    context.after(proxy.stop);
    url.port = `${proxy.port}`;
    const service = await startService({
      STILE_DATABASE_URL: url.href,
      STILE_DATA_DIR: temporaryFolder(),
    });
    context.after(service.dispose);
    // Causes a count, so that a write is under way.
    await fetch(`${service.baseUrl}/api/v1/pow/challenge?site_key=${service.siteKey}`);
    proxy.setMode(mode);
    await delay(afterMs);
    const sinceMs = performance.now();
    const code = await service.stop();
    const tookMs = Math.round(performance.now() - sinceMs);
    context.diagnostic(`${mode}: ${tookMs} ms`);
    assert.equal(code, 1);
    assert.match(
      service.log(),
      /^stile: Stopped, but the last counts and decisions could not be written; no spent /m,
    );
    assert.ok(tookMs < MOST_MS, `${tookMs} ms`);
  });
}
