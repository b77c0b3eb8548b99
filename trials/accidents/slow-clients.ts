import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { honestP99Ms } from "@stile/testkit/service/honest-calls";
import { stopAmongHalfOpen } from "@stile/testkit/service/restarts-under-load";
import type { RunningService } from "@stile/testkit/service/service";
import type { Figure, Trial } from "@stile/testkit/trials/trial";
import { SLOWHTTPTEST } from "./programs.ts";
import { withService } from "./scene.ts";

const SLOW = 1000;
/** How long until all of them are connected, ms, at 500 a second. */
const CONNECTING_MS = 3000;
const STOP_WITHIN_MS = 7000;
/**
 * Below this many ms, even twice the time is the noise of a shared machine, and not caused by the
 * slow clients.
 */
const UNNOTICEABLE_MS = 20;

/** slowhttptest's modes: slow headers, and slow bodies. */
const WAYS = { headers: "-H", bodies: "-B" } as const;

async function beside(service: RunningService, way: keyof typeof WAYS): Promise<Figure> {
  const aloneMs = await honestP99Ms(service);
  const url = `${service.baseUrl}/api/v1/verify`;
  const args = [
    WAYS[way],
    "-c",
    String(SLOW),
    "-r",
    "500",
    "-i",
    "1",
    "-l",
    "120",
    "-t",
    "POST",
    "-u",
    url,
  ];
  const child = spawn(SLOWHTTPTEST.file, args, { stdio: "ignore" });
  // Registered at the start: the program exits once the service has closed all its connections.
  const ended = once(child, "exit");
  try {
    await sleep(CONNECTING_MS);
    const besideMs = await honestP99Ms(service);
    return {
      name: `honest p99 with ${SLOW} slow ${way} of slowhttptest (${aloneMs.toFixed(1)} ms alone)`,
      value: besideMs,
      unit: "ms",
      bound: { kind: "at_most", value: Math.max(2 * aloneMs, UNNOTICEABLE_MS) },
    };
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

/** Clients that are slow on purpose. */
export const slowClients: Trial = {
  name: "slow-clients",
  tries: `${SLOW} slow clients next to honest ones, and a stop among 300 half-open requests`,
  needs: [SLOWHTTPTEST],
  run: async () =>
    await withService({}, async (service) => {
      await honestP99Ms(service);
      const headers = await beside(service, "headers");
      const bodies = await beside(service, "bodies");
      const { tookMs, code } = await stopAmongHalfOpen(service);
      return [
        headers,
        bodies,
        {
          name: "a stop among 300 half-open requests",
          value: tookMs,
          unit: "ms",
          bound: { kind: "at_most", value: STOP_WITHIN_MS },
        },
        {
          name: "its exit code",
          value: code ?? -1,
          unit: "",
          bound: { kind: "at_most", value: 0 },
        },
      ];
    }),
};
