import { Agent, type ClientRequest, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { mintToken } from "../minting/mint-tokens.ts";
import type { RunningService } from "./service.ts";
import { openServiceCryptography } from "./service-cryptography.ts";

const CLIENTS = 8;
/** Answers from one stop to the next, and the least number of them after the start between them. */
const ANSWERS_BETWEEN = 200;
const ANSWERS_AFTER_START = 50;
const HALF_OPEN = 300;
/** Pause between two checks of the callers' progress, ms. */
const PAUSE_MS = 10;
/**
 * Pause of a caller that all nodes refused, ms, as a well-behaved client makes it: the starting
 * node needs the CPU.
 */
const REFUSED_MS = 100;

/** The restarted node. */
export type RestartedNode = Pick<RunningService, "baseUrl" | "stop" | "restart">;

/** The redemptions meanwhile: the secret key of a site, and a fresh token for each call. */
export type RestartLoad = { readonly secretKey: string; readonly mint: () => string };

/**
 * Outcomes of redemptions: `verified`, as each must be; `wrong`, any other answer. Of those without
 * an answer, `lost` were sent over an established connection, `reset` over a new one.
 */
export type RestartCounts = {
  verified: number;
  wrong: number;
  refused: number;
  reset: number;
  lost: number;
};

/** The counts, and the first wrong answer; empty if there is none. */
export type RestartTally = RestartCounts & { readonly firstWrong: string };

type CallOutcome = { readonly kind: keyof RestartCounts; readonly told?: string };

/** Redemptions for the site that the service created at its first start. */
export async function createRestartLoad({
  dataDirectory,
  siteKey,
  secretKey,
}: RunningService): Promise<RestartLoad> {
  const cryptography = await openServiceCryptography(dataDirectory);
  return { secretKey, mint: () => mintToken(cryptography, siteKey, {}) };
}

function outcomeOf(status: number | undefined, body: string): CallOutcome {
  const isVerified = status === 200 && /"verified":\s*true/.test(body);
  return isVerified ? { kind: "verified" } : { kind: "wrong", told: `${status}: ${body}` };
}

function send(
  { baseUrl }: RestartedNode,
  secretKey: string,
  token: string,
  agent: Agent,
): Promise<CallOutcome> {
  return new Promise((resolve) => {
    const headers = { Authorization: `Bearer ${secretKey}`, "Content-Type": "application/json" };
    const call: ClientRequest = request(`${baseUrl}/api/v1/token/verify`, {
      method: "POST",
      agent,
      headers,
    });
    const onError = ({ code }: NodeJS.ErrnoException): void => {
      const ofNew = code === "ECONNREFUSED" ? "refused" : "reset";
      resolve({ kind: call.reusedSocket ? "lost" : ofNew });
    };
    call.once("response", (response) => {
      text(response).then((body) => resolve(outcomeOf(response.statusCode, body)), onError);
    });
    call.once("error", onError);
    call.end(JSON.stringify({ token }));
  });
}

/**
 * Tries node after node until one accepts the connection, as a proxy does; if all refuse, the last
 * error counts.
 */
async function sendToAny(
  nodes: readonly RestartedNode[],
  first: number,
  { secretKey, mint }: RestartLoad,
  agent: Agent,
): Promise<CallOutcome> {
  const token = mint();
  let outcome: CallOutcome = { kind: "refused" };
  for (let i = 0; i < nodes.length && outcome.kind === "refused"; i++) {
    outcome = await send(
      nodes[(first + i) % nodes.length] as RestartedNode,
      secretKey,
      token,
      agent,
    );
  }
  return outcome;
}

/**
 * Stops (by SIGTERM) and starts nodes of a service that many times, one after another, while
 * callers redeem at all of them; throws if a stop ends with an error. Each caller rests for
 * `restMs` after an answer.
 */
export async function restartUnderLoad(
  nodes: readonly RestartedNode[],
  load: RestartLoad,
  restarts: number,
  restMs = 0,
): Promise<RestartTally> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const counts: RestartCounts = { verified: 0, wrong: 0, refused: 0, reset: 0, lost: 0 };
  let firstWrong = "";
  const countAnswers = (): number => counts.verified + counts.wrong;
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let sent = client; !isOver; sent++) {
      const { kind, told } = await sendToAny(nodes, sent, load, agent);
      counts[kind] += 1;
      firstWrong ||= told ?? "";
      // Some connections rest for longer, like those of real callers.
      const longMs = countAnswers() % 7 === 0 ? countAnswers() % 40 : 0;
      const pauseMs = longMs + Math.max(restMs, kind === "refused" ? REFUSED_MS : 0);
      if (pauseMs > 0) await delay(pauseMs);
    }
  });
  try {
    let until = ANSWERS_BETWEEN;
    for (let i = 0; i < restarts; i++) {
      while (countAnswers() < until) await delay(PAUSE_MS);
      const stoppedAt = countAnswers();
      const node = nodes[i % nodes.length] as RestartedNode;
      const code = await node.stop();
      if (code !== 0) throw new Error(`a stop ended with ${code}`);
      await node.restart();
      until = Math.max(stoppedAt + ANSWERS_BETWEEN, countAnswers() + ANSWERS_AFTER_START);
    }
  } finally {
    isOver = true;
    await Promise.all(clients);
    agent.destroy();
  }
  return { ...counts, firstWrong };
}

/**
 * Stops the service while 300 requests wait for bodies that never come; returns the duration, ms,
 * and its exit code.
 */
export async function stopAmongHalfOpen(
  service: RunningService,
): Promise<{ tookMs: number; code: number | null }> {
  const sockets = Array.from({ length: HALF_OPEN }, () => connect(service.port, "127.0.0.1"));
  try {
    const head = `POST /api/v1/token/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
    await Promise.all(
      sockets.map(
        (socket) => new Promise((sent) => socket.on("error", () => {}).write(head, sent)),
      ),
    );
    const startedAt = performance.now();
    const code = await service.stop();
    return { tookMs: performance.now() - startedAt, code };
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}
