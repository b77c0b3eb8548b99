import { type Call, type Contestant, STEPS, type Step } from "./contestant.ts";

/** Calls under way at a time, the same for all: a server never has only one visitor. */
export const IN_FLIGHT = 8;

/**
 * Microseconds of CPU per call, by step; undefined for a step that the contestant does not have.
 */
export type RoundCosts = { readonly [step in Step]: number | undefined };

/** A contestant and its costs in each round. */
export type Measured = { readonly contestant: Contestant; readonly rounds: readonly RoundCosts[] };

async function makeAll(calls: readonly Call[]): Promise<void> {
  for (let at = 0; at < calls.length; at += IN_FLIGHT) {
    await Promise.all(calls.slice(at, at + IN_FLIGHT).map((call) => call()));
  }
}

/** Microseconds of this process's CPU, all its threads, that making the calls takes. */
async function measureCalls(calls: readonly Call[]): Promise<number> {
  const before = process.cpuUsage();
  await makeAll(calls);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function measureStep(contestant: Contestant, step: Step): Promise<number | undefined> {
  const { samples } = contestant.steps[step];
  if (samples === 0) return undefined;
  let micros = 0;
  for (let made = 0; made < samples; ) {
    const calls = await contestant.prepare(step, samples - made);
    if (calls.length === 0) throw new Error(`${contestant.name} made no call ready for ${step}`);
    micros += await measureCalls(calls);
    made += calls.length;
  }
  return micros / samples;
}

/** One round of a contestant. */
export async function measureRound(contestant: Contestant): Promise<RoundCosts> {
  const costs: Partial<Record<Step, number | undefined>> = {};
  for (const step of STEPS) costs[step] = await measureStep(contestant, step);
  return { issue: costs.issue, check: costs.check, redeem: costs.redeem };
}

/**
 * Throws if the contestant accepts a call that it must refuse: a check that accepts everything
 * costs nothing.
 */
export async function expectRefusals(contestant: Contestant): Promise<void> {
  for (const [index, call] of (await contestant.prepareRefused()).entries()) {
    const outcome = await call().then(
      () => "taken",
      () => "refused",
    );
    if (outcome === "taken")
      throw new Error(`${contestant.name} took what it must refuse (${index + 1})`);
  }
}

/**
 * All contestants in turn, round by round, so that a drifting machine affects all alike; an extra
 * first round is for the compiler.
 */
export async function measureContestants(
  contestants: readonly Contestant[],
  roundCount: number,
  tell: (line: string) => void,
): Promise<readonly Measured[]> {
  for (const contestant of contestants) {
    await expectRefusals(contestant);
    await measureRound(contestant);
  }
  const measured = contestants.map((contestant) => ({ contestant, rounds: [] as RoundCosts[] }));
  for (let round = 1; round <= roundCount; round++) {
    tell(`round ${round} of ${roundCount}`);
    for (const { contestant, rounds } of measured) rounds.push(await measureRound(contestant));
  }
  return measured;
}
