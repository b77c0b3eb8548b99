import { replay } from "../clients/customer.ts";
import { livingSites, manageSites } from "../clients/owner.ts";
import { askForScores } from "../clients/score.ts";
import { visit } from "../clients/visit.ts";
import { disturb } from "./accidents.ts";
import { type Chance, createChance } from "./chance.ts";
import type { Operator } from "./operator.ts";
import type { World } from "./world.ts";

/** See startClients. */
export type ClientParts = {
  readonly seed: number;
  readonly without: ReadonlySet<number>;
  readonly world: World;
  readonly operator: Operator;
  readonly later: (afterMs: number, run: () => unknown) => void;
  readonly fail: (error: unknown) => void;
};

/**
 * Each client draws from a chance of its own, so that leaving one out changes nothing for the
 * others.
 */
const STRIDE = 0x9e37_79b1;

function act(world: World, operator: Operator, chance: Chance): Promise<void> | void {
  const living = livingSites(world);
  const draw = chance.below(100);
  if (living.length === 0 || (living.length < 3 && draw < 30) || draw < 6)
    return manageSites(world, chance);
  if (draw < 14) return disturb(world, operator, chance);
  const siteKey = chance.pick(living);
  if (draw < 24) return askForScores(world, chance, siteKey);
  if (draw < 36 && world.tokens.length > 0) return replay(world, chance, chance.pick(world.tokens));
  return visit(world, chance, siteKey);
}

/**
 * Makes visitors, servers, attackers, owners and accidents come, one after another, as long as the
 * world runs.
 */
export function startClients({ seed, without, world, operator, later, fail }: ClientParts): {
  readonly started: () => number;
} {
  const chance = createChance(seed ^ STRIDE);
  let started = 0;
  const come = (): void => {
    const number = ++started;
    const own = createChance(seed + Math.imul(number, STRIDE));
    if (!without.has(number)) Promise.resolve(act(world, operator, own)).catch(fail);
    const restMs = Math.max(0, world.restsUntilMs() - world.machine.trueMs());
    later(restMs + (chance.happens(0.1) ? chance.below(8000) : chance.below(900)), come);
  };
  later(0, come);
  return { started: () => started };
}
