import { Agent, type ClientRequest, request } from "node:http";
import { connect } from "node:net";
import type { RunningService } from "./service.ts";

const CLIENTS = 8;
const ANSWERS_BETWEEN = 200;
const HALF_OPEN = 300;

/** What became of requests: of those not answered, `lost` were sent over a connection that stood, `reset` over a new one. */
export type RestartTally = { answered: number; refused: number; reset: number; lost: number };

function send(service: RunningService, agent: Agent, tally: RestartTally): Promise<void> {
  return new Promise((resolve) => {
    const headers = { Authorization: `Bearer ${service.secretKey}`, "Content-Type": "application/json" };
    const options = { method: "POST", agent, headers };
    const call: ClientRequest = request(`${service.baseUrl}/api/v1/token/verify`, options, (response) => {
      response.resume().once("end", () => {
        tally.answered += 1;
        resolve();
      });
    });
    call.once("error", (error: NodeJS.ErrnoException) => {
      const isRefused = error.code === "ECONNREFUSED";
      tally[call.reusedSocket ? "lost" : isRefused ? "refused" : "reset"] += 1;
      resolve();
    });
    call.end('{"token":"x"}');
  });
}

/** Stops and starts the service so many times, by SIGTERM, while callers redeem; throws if a stop ends with an error. */
export async function restartUnderLoad(service: RunningService, restarts: number): Promise<RestartTally> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const tally: RestartTally = { answered: 0, refused: 0, reset: 0, lost: 0 };
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      await send(service, agent, tally);
      // Some connections rest for a moment, as those of real callers do.
      if (tally.answered % 7 === 0) await new Promise((resolve) => setTimeout(resolve, tally.answered % 40));
    }
  });
  try {
    for (let i = 0; i < restarts; i++) {
      const until = tally.answered + ANSWERS_BETWEEN;
      while (tally.answered < until) await new Promise(setImmediate);
      const code = await service.stop();
      if (code !== 0) throw new Error(`a stop ended with ${code}`);
      await service.restart();
    }
  } finally {
    isOver = true;
    await Promise.all(clients);
    agent.destroy();
  }
  return tally;
}

/** Stops the service while 300 requests wait for bodies that never come; answers how long that took, ms, and its exit code. */
export async function stopAmongHalfOpen(service: RunningService): Promise<{ tookMs: number; code: number | null }> {
  const sockets = Array.from({ length: HALF_OPEN }, () => connect(service.port, "127.0.0.1"));
  try {
    const head = `POST /api/v1/token/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
    await Promise.all(sockets.map((socket) => new Promise((sent) => socket.on("error", () => {}).write(head, sent))));
    const startedAt = performance.now();
    const code = await service.stop();
    return { tookMs: performance.now() - startedAt, code };
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}
