import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createRestartLoad,
  restartUnderLoad,
  stopAmongHalfOpen,
} from "@stile/testkit/service/restarts-under-load";
import { startService } from "@stile/testkit/service/service";

/** The figure in the documents is for `RESTARTS=20`. */
const RESTARTS = Number(process.env.RESTARTS ?? 4);

test(`${RESTARTS} restarts under load lose no request on an open connection, and verify every token`, async () => {
  const service = await startService({ STILE_LOG_LEVEL: "error", STILE_LIMIT_VERIFY: "10000000" });
  try {
    const tally = await restartUnderLoad([service], await createRestartLoad(service), RESTARTS);
    console.log(`restarts: ${JSON.stringify(tally)}`);
    assert.ok(tally.verified >= RESTARTS * 200);
    assert.deepEqual([tally.lost, tally.wrong, tally.firstWrong], [0, 0, ""]);
  } finally {
    await service.dispose();
  }
});

test("bodies that never arrive delay a stop by a few seconds at most", async () => {
  const service = await startService({ STILE_LOG_LEVEL: "error" });
  try {
    const { tookMs, code } = await stopAmongHalfOpen(service);
    assert.equal(code, 0);
    assert.ok(tookMs < 8000, `${tookMs} ms`);
  } finally {
    await service.dispose();
  }
});
