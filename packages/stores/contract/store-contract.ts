import { CHALLENGE_GUARANTEES } from "./challenges.ts";
import type { Guarantee } from "./fixtures.ts";
import { LIMIT_GUARANTEES } from "./limits.ts";
import { SITE_GUARANTEES } from "./sites.ts";
import { STATISTICS_GUARANTEES } from "./statistics.ts";
import { TOKEN_GUARANTEES } from "./tokens.ts";
import { UPKEEP_GUARANTEES } from "./upkeep.ts";

/** Everything a store promises; each engine proves all of it on stores of its own. */
export const STORE_CONTRACT: readonly Guarantee[] = [
  ...TOKEN_GUARANTEES,
  ...CHALLENGE_GUARANTEES,
  ...LIMIT_GUARANTEES,
  ...STATISTICS_GUARANTEES,
  ...SITE_GUARANTEES,
  ...UPKEEP_GUARANTEES,
];
