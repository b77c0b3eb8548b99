import type { RunningService } from "@stile/testkit/service/service";
import type { Figure, Trial } from "@stile/testkit/trials/trial";
import { FLOOD_ROWS, type FloodRow, HONEST } from "./flood-rows.ts";
import { type FloodResult, flood, prepareFlood, type Served } from "./flood-run.ts";

/**
 * The attacker's work per challenge, relative to honest visitors': clearly more, beyond any
 * rounding.
 */
const LEAST_WORK_RATIO = 1.05;

const hashesEach = ({ served, hashes }: Served): number => (served === 0 ? 0 : hashes / served);

function figuresOf(row: FloodRow, { attacker, regulars, strangers }: FloodResult): Figure[] {
  const honest = {
    asked: regulars.asked + strangers.asked,
    served: regulars.served + strangers.served,
    hashes: regulars.hashes + strangers.hashes,
  };
  const share = (100 * honest.served) / honest.asked;
  const works = { attacker: hashesEach(attacker), honest: hashesEach(honest) };
  return [
    {
      name: `${row.name}: honest served`,
      value: share,
      unit: "%",
      bound: { kind: "at_least", value: row.served },
    },
    {
      name: `${row.name}: attacker's work by theirs`,
      value: works.honest === 0 ? 0 : works.attacker / works.honest,
      unit: "x",
      bound: { kind: "at_least", value: LEAST_WORK_RATIO },
    },
    {
      name: `${row.name}: attacker served`,
      value: (100 * attacker.served) / attacker.asked,
      unit: "%",
    },
    { name: `${row.name}: hashes, attacker`, value: works.attacker, unit: "" },
    { name: `${row.name}: hashes, honest`, value: works.honest, unit: "" },
    { name: `${row.name}: hashes, honest strangers`, value: hashesEach(strangers), unit: "" },
  ];
}

/**
 * Whether one client, or a thousand, can block an account's forms by asking for challenges without
 * solving any.
 */
export const challengeFlood: Trial = {
  name: "challenge-flood",
  tries: `Asks for challenges without solving them, next to ${HONEST} honest visitors a minute, half of whom redeemed a token lately.`,
  run: async (say) => {
    const services: RunningService[] = [];
    try {
      for (const row of FLOOD_ROWS) services.push(await prepareFlood(row));
      say(`${FLOOD_ROWS.length} floods at once, for one minute`);
      const results = await Promise.all(
        services.map((service, row) => flood(FLOOD_ROWS[row] as FloodRow, service)),
      );
      return results.flatMap((result, row) => figuresOf(FLOOD_ROWS[row] as FloodRow, result));
    } finally {
      await Promise.all(services.map((service) => service.dispose()));
    }
  },
};
