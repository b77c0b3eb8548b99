import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { findFreePort } from "@stile/testkit/free-port";
import { startService } from "@stile/testkit/service/service";

/** Asks as the container's HEALTHCHECK does. */
async function ask(settings: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "ready.ts")], { env: settings });
  const [[code], stdout, stderr] = await Promise.all([
    once(child, "exit"),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code: code as number | null, stdout, stderr };
}

test("reports a service as ready at any address it listens on, and as not ready once it has stopped", async () => {
  const service = await startService({
    STILE_LOG_LEVEL: "error",
    STILE_HOST: "0.0.0.0",
    STILE_DEMO: "on",
  });
  const settings = { STILE_PORT: String(service.port), STILE_HOST: "0.0.0.0" };
  try {
    const answer = await ask(settings);
    assert.deepEqual([answer.code, answer.stderr], [0, ""]);
    assert.match(answer.stdout, /"ready"/);
    await service.kill();
    const gone = await ask(settings);
    assert.deepEqual([gone.code, gone.stdout], [1, ""]);
    assert.match(
      gone.stderr,
      /^stile: Nothing answers on 0\.0\.0\.0, port \d+ \(.*ECONNREFUSED.*\)\. Start the service.*\n$/,
    );
  } finally {
    await service.dispose();
  }
});

test("reports no ready service for a foreign server, a silent port or unusable settings", async () => {
  const port = await findFreePort();
  const other = createServer(
    (socket) => void socket.end("HTTP/1.1 503 No\r\nConnection: close\r\n\r\nnot_ready"),
  ).listen(port, "127.0.0.1");
  await once(other, "listening");
  try {
    const answer = await ask({ STILE_PORT: String(port) });
    assert.deepEqual([answer.code, answer.stdout], [1, ""]);
    assert.match(
      answer.stderr,
      /^stile: The service on 127\.0\.0\.1, port \d+ is not ready: not_ready\n$/,
    );
  } finally {
    other.close();
  }
  const wrong = await ask({ STILE_PORT: "none" });
  assert.deepEqual([wrong.code, wrong.stdout], [1, ""]);
  assert.match(wrong.stderr, /^stile: STILE_PORT must be a whole number/);
});
