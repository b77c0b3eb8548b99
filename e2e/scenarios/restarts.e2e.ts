import assert from "node:assert/strict";
import { Agent, type ClientRequest, request } from "node:http";
import { connect } from "node:net";
import { test } from "node:test";
import { type RunningService, startService } from "../service.ts";

const RESTARTS = 20;
const CLIENTS = 8;

/** What became of requests: `lost` were sent over a connection that stood, and got no answer. */
type Tally = { answered: number; refused: number; lost: number };

function send(service: RunningService, agent: Agent, tally: Tally): Promise<void> {
  return new Promise((resolve) => {
    const headers = { Authorization: `Bearer ${service.secretKey}`, "Content-Type": "application/json" };
    const options = { method: "POST", agent, headers };
    const call: ClientRequest = request(`${service.baseUrl}/api/v1/token/verify`, options, (response) => {
      response.resume().once("end", () => {
        tally.answered += 1;
        resolve();
      });
    });
    call.once("error", () => {
      tally[call.reusedSocket ? "lost" : "refused"] += 1;
      resolve();
    });
    call.end('{"token":"x"}');
  });
}

test("20 restarts under load lose no request that was sent over a connection which stood (T27)", async () => {
  const service = await startService({ STILE_LOG_LEVEL: "error", STILE_LIMIT_VERIFY: "10000000" });
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const tally: Tally = { answered: 0, refused: 0, lost: 0 };
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      await send(service, agent, tally);
      // Some connections rest for a moment, as those of real callers do.
      if (tally.answered % 7 === 0) await new Promise((resolve) => setTimeout(resolve, tally.answered % 40));
    }
  });
  try {
    for (let i = 0; i < RESTARTS; i++) {
      const until = tally.answered + 200;
      while (tally.answered < until) await new Promise(setImmediate);
      assert.equal(await service.stop(), 0);
      await service.restart();
    }
  } finally {
    isOver = true;
    await Promise.all(clients);
    agent.destroy();
    await service.dispose();
  }
  console.log(`restarts: ${JSON.stringify(tally)}`);
  assert.ok(tally.answered >= RESTARTS * 200);
  assert.equal(tally.lost, 0);
});

test("bodies that never come do not hold a stop for longer than a few seconds", async () => {
  const service = await startService({ STILE_LOG_LEVEL: "error" });
  const sockets = Array.from({ length: 300 }, () => connect(service.port, "127.0.0.1"));
  try {
    const head = `POST /api/v1/token/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
    await Promise.all(sockets.map((socket) => new Promise((sent) => socket.on("error", () => {}).write(head, sent))));
    const startedAt = performance.now();
    assert.equal(await service.stop(), 0);
    assert.ok(performance.now() - startedAt < 8000, `${performance.now() - startedAt} ms`);
  } finally {
    for (const socket of sockets) socket.destroy();
    await service.dispose();
  }
});
