import { after, test } from "node:test";
import { CHALLENGE_GUARANTEES, CHALLENGE_RACES } from "../challenge/challenge-ledger-contract.ts";
import { UPKEEP_GUARANTEES } from "../housekeeping-contract.ts";
import { keepNodes } from "../kept-nodes.ts";
import { LIMIT_GUARANTEES, LIMIT_RACES } from "../rate-limiter-contract.ts";
import { SITE_GUARANTEES } from "../site/sites-contract.ts";
import { NAME_GUARANTEES } from "../statistics/statistic-names-contract.ts";
import { TOKEN_GUARANTEES, TOKEN_RACES } from "../token/token-ledger-contract.ts";
import { takeTurns, writeHereReadThere } from "../two-nodes.ts";
import { startTemporaryValkey } from "./temporary-valkey.ts";

const { empty, open, openLimits, stop } = await startTemporaryValkey();

const ARRANGEMENTS = [
  { where: "Valkey", open: (databaseUrl: string) => open(databaseUrl) },
  { where: "limits in Valkey", open: openLimits },
];

/** The guarantees about what lies in Valkey or is reported to it; the rest is PostgreSQL's, which has its own suite. */
const HOT = [
  ...TOKEN_GUARANTEES,
  ...CHALLENGE_GUARANTEES,
  ...LIMIT_GUARANTEES,
  ...UPKEEP_GUARANTEES,
  ...SITE_GUARANTEES,
];

const PAIRS = [
  { how: "two nodes, one writes and one reads", join: writeHereReadThere, guarantees: HOT },
  { how: "two nodes in turn", join: takeTurns, guarantees: [...TOKEN_RACES, ...CHALLENGE_RACES, ...LIMIT_RACES] },
];

for (const { where, open } of ARRANGEMENTS) {
  const nodes = keepNodes({ empty, open });
  after(nodes.close);
  for (const guarantee of [...HOT, ...NAME_GUARANTEES]) {
    test(`${where}: ${guarantee.name}`, () => nodes.check(guarantee));
  }
  for (const { how, join, guarantees } of PAIRS) {
    for (const guarantee of guarantees) {
      test(`${where}, ${how}: ${guarantee.name}`, () => nodes.check(guarantee, join));
    }
  }
}
after(stop);
