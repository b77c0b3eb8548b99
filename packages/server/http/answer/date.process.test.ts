import assert from "node:assert/strict";
import { test } from "node:test";
import { startInProcess } from "@stile/testkit/service/in-process-service";

const DAY_MS = 86_400_000;

for (const apartMs of [DAY_MS, -DAY_MS]) {
  test(`sends the service's own time in Date, ${apartMs / DAY_MS} days from the system's, to compare a token's life with (D9, submission)`, async (context) => {
    const clock = { nowMs: () => Date.now() + apartMs };
    const service = await startInProcess(clock);
    context.after(service.dispose);
    for (const path of ["/healthz", "/stile.js", "/api/v1/pow/challenge"]) {
      const beforeMs = clock.nowMs();
      const { headers } = await fetch(`${service.baseUrl}${path}`);
      const toldMs = Date.parse(headers.get("date") ?? "");
      // The header has whole seconds.
      assert.ok(
        toldMs > beforeMs - 1_000 && toldMs <= clock.nowMs(),
        `${path}: ${headers.get("date")}`,
      );
    }
  });
}
