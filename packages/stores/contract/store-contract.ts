import { AUDIT_GUARANTEES } from "./audit-log.ts";
import { CHALLENGE_GUARANTEES } from "./challenges.ts";
import { DECISION_GUARANTEES, KEY_USAGE_GUARANTEES } from "./decisions.ts";
import type { Guarantee } from "./fixtures.ts";
import { LIMIT_GUARANTEES } from "./limits.ts";
import { LINK_GUARANTEES } from "./links.ts";
import { MEMBER_GUARANTEES } from "./members.ts";
import { REFUSAL_GUARANTEES } from "./refusals.ts";
import { SESSION_GUARANTEES } from "./sessions.ts";
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
  ...DECISION_GUARANTEES,
  ...REFUSAL_GUARANTEES,
  ...KEY_USAGE_GUARANTEES,
  ...SITE_GUARANTEES,
  ...UPKEEP_GUARANTEES,
  ...MEMBER_GUARANTEES,
  ...SESSION_GUARANTEES,
  ...LINK_GUARANTEES,
  ...AUDIT_GUARANTEES,
];
