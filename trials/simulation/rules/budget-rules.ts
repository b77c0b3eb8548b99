import { encodeBase64url } from "@stile/pow/base64url";
import type { Challenge } from "@stile/pow/challenge";
import { Violation } from "../world/violation.ts";

/**
 * Checks issued challenges against the budgets (D10, limits): for each run of the service and clock
 * minute, a network gets its limit and a reserve of the same size, and so does the account with its
 * total.
 */
export function createBudgetRules({
  challenge,
  challengeTotal,
}: {
  challenge: number;
  challengeTotal: number;
}) {
  let counts = new Map<string, number>();
  const count = (name: string, most: number): void => {
    const sum = (counts.get(name) ?? 0) + 1;
    counts.set(name, sum);
    if (sum > most) throw new Violation("more challenges than the budget", `${sum} of ${most}`);
  };
  return {
    /** A process has started, and its counts start from zero. */
    onStart: (): void => {
      counts = new Map();
    },
    onIssued: ({ prefixDigest, issuedAtMs }: Challenge): void => {
      const minute = Math.floor(issuedAtMs / 60_000);
      count(`${minute} ${encodeBase64url(prefixDigest)}`, 2 * challenge);
      count(`${minute}`, 2 * challengeTotal);
    },
  };
}

/** See createBudgetRules. */
export type BudgetRules = ReturnType<typeof createBudgetRules>;
