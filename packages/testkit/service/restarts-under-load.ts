import { Agent, type ClientRequest, request } from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { RunningService } from "./service.ts";

const CLIENTS = 8;
const ANSWERS_BETWEEN = 200;
const HALF_OPEN = 300;
/** Between two looks at how far callers have come, and before a caller whom all nodes refused asks again: neither takes the core a node starts on. */
const PAUSE_MS = 10;

/** What became of requests: of those not answered, `lost` were sent over a connection that stood, `reset` over a new one. */
export type RestartTally = { answered: number; refused: number; reset: number; lost: number };

type Outcome = keyof RestartTally;

function send({ baseUrl }: RunningService, secretKey: string, agent: Agent): Promise<Outcome> {
  return new Promise((resolve) => {
    const headers = { Authorization: `Bearer ${secretKey}`, "Content-Type": "application/json" };
    const options = { method: "POST", agent, headers };
    const call: ClientRequest = request(`${baseUrl}/api/v1/token/verify`, options, (response) => {
      response.resume().once("end", () => resolve("answered"));
    });
    call.once("error", (error: NodeJS.ErrnoException) => {
      const isRefused = error.code === "ECONNREFUSED";
      resolve(call.reusedSocket ? "lost" : isRefused ? "refused" : "reset");
    });
    call.end('{"token":"x"}');
  });
}

/** Asks one node after another until one takes the connection, as a proxy does; of all that refuse it, the last one's word counts. */
async function sendToAny(nodes: readonly RunningService[], first: number, agent: Agent): Promise<Outcome> {
  const secretKey = nodes.find((node) => node.secretKey !== "")?.secretKey ?? "";
  let outcome: Outcome = "refused";
  for (let i = 0; i < nodes.length && outcome === "refused"; i++) {
    outcome = await send(nodes[(first + i) % nodes.length] as RunningService, secretKey, agent);
  }
  return outcome;
}

/**
 * Stops and starts nodes of a service so many times, by SIGTERM and one after another, while callers redeem at all of them; throws
 * if a stop ends with an error. Each caller rests for `restMs` after an answer.
 */
export async function restartUnderLoad(
  nodes: readonly RunningService[],
  restarts: number,
  restMs = 0,
): Promise<RestartTally> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const tally: RestartTally = { answered: 0, refused: 0, reset: 0, lost: 0 };
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let sent = client; !isOver; sent++) {
      const outcome = await sendToAny(nodes, sent, agent);
      tally[outcome] += 1;
      // Some connections rest for longer, as those of real callers do.
      const longMs = tally.answered % 7 === 0 ? tally.answered % 40 : 0;
      const pauseMs = longMs + Math.max(restMs, outcome === "refused" ? PAUSE_MS : 0);
      if (pauseMs > 0) await delay(pauseMs);
    }
  });
  try {
    for (let i = 0; i < restarts; i++) {
      const until = tally.answered + ANSWERS_BETWEEN;
      while (tally.answered < until) await delay(PAUSE_MS);
      const node = nodes[i % nodes.length] as RunningService;
      const code = await node.stop();
      if (code !== 0) throw new Error(`a stop ended with ${code}`);
      await node.restart();
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
