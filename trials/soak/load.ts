import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import {
  askChallenge,
  mixedRequest,
  redeemToken,
  type SoakRequest,
  type SoakTarget,
  submitSolution,
} from "./requests.ts";
import { VISITORS } from "./visitors.ts";

/** While every visitor is seen once, and afterwards. */
const CONNECTIONS = { fill: 160, steady: 24 } as const;
const PER_SECOND = 200;
const ANSWER_WITHIN_MS = 10_000;

/**
 * Answers by status; "none" if a connection broke or nothing came. Surprises are listed with their
 * request.
 */
export type SoakAnswers = { readonly byStatus: Map<string, number>; readonly surprises: string[] };

/** Sends requests over kept connections and counts the answers. */
export type SoakLoad = {
  /** Makes every visitor known, as fast as the service answers. */
  readonly fill: (onProgress: (visitors: number) => void) => Promise<void>;
  /** Sends the mixed load, PER_SECOND requests a second, until `isOver`. */
  readonly run: (isOver: () => boolean) => Promise<void>;
  readonly answers: SoakAnswers;
  readonly close: () => void;
};

function send(
  baseUrl: string,
  agent: Agent,
  { method, path, headers, body }: SoakRequest,
): Promise<string> {
  return new Promise((resolve) => {
    const call = request(
      baseUrl + path,
      { method, headers, agent, timeout: ANSWER_WITHIN_MS },
      (response) => {
        response.on("error", () => resolve("none"));
        response.resume().on("end", () => resolve(String(response.statusCode)));
      },
    );
    call.on("timeout", () => call.destroy());
    call.on("error", () => resolve("none"));
    call.end(body);
  });
}

/** A load for the service; nothing is sent yet. */
export function createSoakLoad(target: SoakTarget): SoakLoad {
  const steady = new Agent({ keepAlive: true, maxSockets: CONNECTIONS.steady });
  const answers: SoakAnswers = { byStatus: new Map(), surprises: [] };

  const deliver = async (told: SoakRequest, agent: Agent): Promise<void> => {
    const status = await send(target.service.baseUrl, agent, told);
    answers.byStatus.set(status, (answers.byStatus.get(status) ?? 0) + 1);
    if (!told.expected.map(String).includes(status))
      answers.surprises.push(`${told.method} ${told.path}: ${status}`);
  };

  return {
    answers,
    fill: async (onProgress) => {
      const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS.fill });
      let next = 0;
      const workerIndex = async (): Promise<void> => {
        for (let visitor = next++; visitor < VISITORS; visitor = next++) {
          if (visitor % 10_000 === 0) onProgress(visitor);
          await deliver(askChallenge(target, visitor), agent);
          await deliver((visitor % 2 === 0 ? redeemToken : submitSolution)(target, visitor), agent);
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS.fill }, workerIndex));
      agent.destroy();
    },
    run: async (isOver) => {
      const startedAt = performance.now();
      const pending = new Set<Promise<void>>();
      for (let number = 0; !isOver(); number++) {
        const waitMs = startedAt + (number * 1000) / PER_SECOND - performance.now();
        if (waitMs > 0) await sleep(waitMs);
        const delivered = deliver(mixedRequest(target, number), steady).finally(() =>
          pending.delete(delivered),
        );
        pending.add(delivered);
      }
      await Promise.all(pending);
    },
    close: () => steady.destroy(),
  };
}
