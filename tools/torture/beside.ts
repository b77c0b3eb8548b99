import { LEAST_KNOWN, POSTGRES_MIGRATIONS } from "@stile/stores/postgres/engine/postgres-migrations";
import { startPostgres, type ThrowAwayPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { openRelease, type Release } from "@stile/testkit/releases/older-release";
import { type RollReport, roll, type Turn } from "@stile/testkit/releases/roll";
import { toRollFigures } from "@stile/testkit/releases/roll-figures";
import { BUILT_COMMAND_LINE, BUILT_SERVICE, LATER_SERVICE } from "@stile/testkit/service/programs";
import type { Figure, Say } from "@stile/testkit/trials/trial";
import { atLeast } from "./bounds.ts";

/** Another release, and how often servers are restarted. */
export type BesidePlan = { readonly commit: string; readonly restarts: number };

const OWN = { service: [BUILT_SERVICE], commandLine: [BUILT_COMMAND_LINE] };

/**
 * A database is upgraded only once: if the release does not start on what the upgrade leaves, each round begins with a
 * new database, and the server that was turned first is restarted once more beside the other.
 */
const UPGRADE: readonly Turn[] = [
  { node: 0, version: "after" },
  { node: 0, version: "after" },
  { node: 1, version: "after" },
];
const THERE_AND_BACK: readonly Turn[] = [
  { node: 0, version: "after" },
  { node: 1, version: "after" },
  { node: 0, version: "before" },
  { node: 1, version: "before" },
];

/** The turns of each round: that many in all, or a few more, so that every round is complete. */
export function planRounds(restarts: number, mayGoBack: boolean): readonly (readonly Turn[])[] {
  const cycle = mayGoBack ? THERE_AND_BACK : UPGRADE;
  const cycles = Array.from({ length: Math.ceil(restarts / cycle.length) }, () => cycle);
  return mayGoBack ? [cycles.flat()] : cycles;
}

function sayProblems(say: Say, { visits, changes }: RollReport): void {
  if (visits.firstWrong !== "") say(`a visit was answered: ${visits.firstWrong}`);
  for (const { what, told } of changes.filter(({ holds }) => !holds)) say(`did not hold: ${what}: ${told}`);
}

async function rollAll(
  engine: ThrowAwayPostgres,
  before: Release,
  { restarts }: BesidePlan,
  say: Say,
): Promise<readonly RollReport[]> {
  const rounds = planRounds(restarts, before.steps >= LEAST_KNOWN);
  const reports: RollReport[] = [];
  for (const [at, turns] of rounds.entries()) {
    const databaseUrl = engine.createDatabase(`round_${at}`);
    const report = await roll({ databaseUrl, before, after: OWN, turns });
    reports.push(report);
    sayProblems(say, report);
    say(`round ${at + 1} of ${rounds.length}: ${report.restarts} restarts, ${report.races.calls} calls that raced`);
  }
  const told = reports[0]?.refusedStart;
  say(told ? `${before.commit} does not start on what this version left: ${told}` : `${before.commit} starts again`);
  return reports;
}

/** The same beside a later version that removes marks of spent tokens: if that shows no doubles, the run is blind. */
async function control(engine: ThrowAwayPostgres): Promise<Figure> {
  const after = { service: [LATER_SERVICE, "forgets"] };
  const plan = { databaseUrl: engine.createDatabase("control"), before: OWN, after };
  const { races } = await roll({ ...plan, turns: [{ node: 0, version: "after" }] });
  return {
    name: "control: doubles where a step of the tables forgets what is spent",
    value: races.doubles,
    unit: `of ${races.tokens}`,
    bound: atLeast(1),
  };
}

/** Rolls this version out over servers of another release, and back if both can share the tables, all while in use. */
export async function beside(plan: BesidePlan, say: Say): Promise<Figure[]> {
  say(`unpacking and building ${plan.commit} ...`);
  const release = openRelease(plan.commit);
  say(`${release.commit} knows ${release.steps} migrations of PostgreSQL, this version ${POSTGRES_MIGRATIONS.length}`);
  const engine = await startPostgres({ isDurable: true });
  try {
    const reports = await rollAll(engine, release, plan, say);
    return [...toRollFigures(reports, plan.restarts), await control(engine)];
  } finally {
    await engine.stop();
    release.remove();
  }
}
