import { replay, rush } from "../clients/customer.ts";
import type { Chance } from "./chance.ts";
import type { Operator } from "./operator.ts";
import type { World } from "./world.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const JUMPS_MS = [3 * MINUTE_MS, HOUR_MS, DAY_MS, 40 * DAY_MS, 400 * DAY_MS] as const;
const RESTS_MS = [
  2 * MINUTE_MS,
  20 * MINUTE_MS,
  2 * HOUR_MS,
  26 * HOUR_MS,
  8 * DAY_MS,
  31 * DAY_MS,
] as const;
const SLEEPS_MS = [1500, 20_000, 10 * MINUTE_MS, 9 * HOUR_MS] as const;

/** Somebody sets the clock ahead or back, or it stops; most often it is corrected before long. */
async function disturbClock(world: World, chance: Chance): Promise<void> {
  const { machine } = world;
  const kind = chance.below(10);
  const byMs = chance.pick(JUMPS_MS);
  if (kind === 0) {
    world.say("the clock is corrected by less than a second");
    return machine.jump(chance.between(-300, 300));
  }
  if (kind < 3) {
    world.say("the clock stands");
    machine.freeze();
  } else {
    const isAhead = kind < 7;
    world.say(`the clock is set ${isAhead ? "ahead" : "back"} by ${byMs / MINUTE_MS} minutes`);
    machine.jump(isAhead ? byMs : -byMs);
  }
  await world.pause(
    chance.happens(0.6)
      ? chance.between(1000, 14 * MINUTE_MS)
      : chance.between(14 * MINUTE_MS, 3 * HOUR_MS),
  );
  if (kind < 3 && chance.happens(0.5)) machine.thaw();
  else machine.correct();
  world.say("the clock is set right, or runs again");
}

/**
 * A copy is made, and restored before long; then everyone with a token tries it at once, used or
 * not.
 */
async function putBack(world: World, operator: Operator, chance: Chance): Promise<void> {
  operator.copy();
  await world.pause(chance.between(2000, 20_000));
  operator.crash(1);
  await world.pause(chance.between(100, 8000));
  await Promise.all([
    rush(world, chance),
    ...world.tokens.slice(-8).map((token) => replay(world, chance, token)),
  ]);
}

/** An accident of the machine, the process or the data. */
export function disturb(world: World, operator: Operator, chance: Chance): Promise<void> | void {
  const kind = chance.below(20);
  if (kind < 5) return operator.crash();
  if (kind < 6) return operator.copy();
  if (kind < 8) return putBack(world, operator, chance);
  if (kind < 9) return operator.crash(chance.between(1, 3));
  if (kind < 16) return disturbClock(world, chance);
  if (kind < 17) {
    world.say("the machine sleeps");
    return world.machine.sleep(chance.pick(SLEEPS_MS));
  }
  const restMs = chance.pick(RESTS_MS);
  world.say(`nobody comes for ${restMs / MINUTE_MS} minutes`);
  world.rest(restMs);
}
