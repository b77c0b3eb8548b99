import { setTimeout as sleep } from "node:timers/promises";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import type { RunningService } from "@stile/testkit/service/service";
import type { Figure, Trial } from "@stile/testkit/trials/trial";
import {
  countVerified,
  type Heard,
  PATIENCE_MS,
  quantileOf,
  redeemPatiently,
  repeatKeyOf,
  sendSteadily,
} from "./customer.ts";
import { injectFault, SYNCS } from "./fault-injection.ts";
import { STRACE } from "./programs.ts";
import { NONE, withService } from "./scene.ts";

const TOKENS = 100;
const REDEEM_EVERY_MS = 50;
const POLL_EVERY_MS = 100;
const HEALTH_PATIENCE_MS = 15_000;
const DELAY_US = 3_000_000;
/**
 * How long to ask for the true outcome once the disk works again, ms; exact repeats are recognised
 * for 60 s (D2, redemption).
 */
const TRUTH_MS = 15_000;

/** How long /healthz takes, ms; HEALTH_PATIENCE_MS if no answer came by then. */
async function askHealth(service: RunningService): Promise<number> {
  const startedAt = performance.now();
  try {
    const response = await fetch(`${service.baseUrl}/healthz`, {
      signal: AbortSignal.timeout(HEALTH_PATIENCE_MS),
    });
    await response.arrayBuffer();
    return performance.now() - startedAt;
  } catch {
    return HEALTH_PATIENCE_MS;
  }
}

/** Asks /healthz again and again until `isOver`. */
async function pollHealth(service: RunningService, isOver: () => boolean): Promise<number[]> {
  const pending: Promise<number>[] = [];
  while (!isOver()) {
    pending.push(askHealth(service));
    await sleep(POLL_EVERY_MS);
  }
  return await Promise.all(pending);
}

type Measured = { readonly heard: readonly Heard[]; readonly healthMs: readonly number[] };

/** Redeems tokens while every wait for the disk is delayed, or only traced. */
async function underFault(
  service: RunningService,
  tokens: readonly string[],
  isSlow: boolean,
): Promise<Measured> {
  const fault = await injectFault(
    service.pid(),
    SYNCS,
    isSlow ? `delay_exit=${DELAY_US}` : undefined,
  );
  let isOver = false;
  const health = pollHealth(service, () => isOver);
  const send = (token: string): Promise<Heard> =>
    redeemPatiently(service, token, repeatKeyOf(token));
  try {
    const heard = await sendSteadily(tokens, REDEEM_EVERY_MS, send);
    isOver = true;
    return { heard, healthMs: await health };
  } finally {
    isOver = true;
    await fault.lift();
  }
}

/** The answer to the exact repeat of a call once the store answers again. */
async function askAgain(service: RunningService, token: string): Promise<Heard["kind"]> {
  const deadline = performance.now() + TRUTH_MS;
  for (;;) {
    const { kind } = await redeemPatiently(service, token, repeatKeyOf(token));
    if ((kind !== "unavailable" && kind !== "gave_up") || performance.now() > deadline) return kind;
    await sleep(POLL_EVERY_MS);
  }
}

/** The figures of the control: the cost of tracing alone. */
async function watchOnly(): Promise<Figure[]> {
  return await withService({}, async (service) => {
    const tokens = await mintTokens({ ...service, count: TOKENS });
    const { heard, healthMs } = await underFault(service, tokens, false);
    const answersMs = heard.map(({ afterMs }) => afterMs);
    return [
      { name: "/healthz p99 with strace alone", value: quantileOf(healthMs, 0.99), unit: "ms" },
      { name: "redemption p99 with strace alone", value: quantileOf(answersMs, 0.99), unit: "ms" },
    ];
  });
}

async function slowDown(): Promise<Figure[]> {
  return await withService({}, async (service) => {
    const tokens = await mintTokens({ ...service, count: TOKENS });
    const { heard, healthMs } = await underFault(service, tokens, true);
    const countOf = (kind: Heard["kind"]): number =>
      heard.filter((one) => one.kind === kind).length;
    const unsure = tokens.filter((_, index) => heard[index]?.kind !== "verified");
    const repeats = await Promise.all(unsure.map((token) => askAgain(service, token)));
    const unit = `of ${TOKENS}`;
    return [
      { name: "/healthz p50", value: quantileOf(healthMs, 0.5), unit: "ms" },
      {
        name: "/healthz p99",
        value: quantileOf(healthMs, 0.99),
        unit: "ms",
        bound: { kind: "at_most", value: 100 },
      },
      { name: "/healthz at worst", value: Math.max(...healthMs), unit: "ms" },
      {
        name: `time to an answer p99 (${PATIENCE_MS} ms and more: none came)`,
        value: quantileOf(
          heard.map(({ afterMs }) => afterMs),
          0.99,
        ),
        unit: "ms",
        bound: { kind: "at_most", value: 2000 },
      },
      { name: "callers that heard verified", value: countOf("verified"), unit },
      { name: "callers that heard 503", value: countOf("unavailable"), unit },
      {
        name: "callers that gave up, or were cut off",
        value: countOf("gave_up") + countOf("cut"),
        unit,
        bound: NONE,
      },
      {
        name: "exact repeats of the rest that tell the truth afterwards",
        value: repeats.filter((kind) => kind === "verified").length,
        unit: `of ${unsure.length}`,
        bound: { kind: "at_least", value: unsure.length },
      },
      {
        name: "tokens redeemed twice",
        value: await countVerified(service, tokens),
        unit,
        bound: NONE,
      },
    ];
  });
}

/** A disk on which every fsync takes three seconds. */
export const slowDisk: Trial = {
  name: "slow-disk",
  tries: `${TOKENS} redemptions in ${(TOKENS * REDEEM_EVERY_MS) / 1000} s while every fsync takes ${DELAY_US / 1e6} s`,
  needs: [STRACE],
  run: async (say) => {
    say("strace alone, as the control");
    const control = await watchOnly();
    say("with the delay");
    return [...control, ...(await slowDown())];
  },
};
