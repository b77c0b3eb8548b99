import { AUDIT_GUARANTEES } from "./account/audit-log-contract.ts";
import { LINK_GUARANTEES } from "./account/links-contract.ts";
import { MEMBER_GUARANTEES } from "./account/members-contract.ts";
import { SESSION_GUARANTEES } from "./account/sessions-contract.ts";
import { CHALLENGE_GUARANTEES } from "./challenge/challenge-ledger-contract.ts";
import type { Guarantee } from "./contract-fixtures.ts";
import { UPKEEP_GUARANTEES } from "./housekeeping-contract.ts";
import { LIMIT_GUARANTEES } from "./rate-limiter-contract.ts";
import { SITE_GUARANTEES } from "./site/sites-contract.ts";
import { DECISION_GUARANTEES, KEY_USAGE_GUARANTEES } from "./statistics/decision-log-contract.ts";
import { REFUSAL_GUARANTEES } from "./statistics/refusals-contract.ts";
import { STATISTICS_GUARANTEES } from "./statistics/statistics-contract.ts";
import { TOKEN_GUARANTEES } from "./token/token-ledger-contract.ts";

/** Every guarantee of a store. Each engine proves all of them on its own stores. */
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
