// A process that redeems tokens 0, 1, 2, ... of a site, twenty at once. It prints the number of
// each token that the store reports as spent: `redeemer.ts <file> <site key> <count>`. Tests kill
// it.
import { writeSync } from "node:fs";
import type { RedemptionOutcome } from "@stile/core/domain/token/single-use";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { openSqliteStore } from "../../sqlite/sqlite-store.ts";
import { T0 } from "../contract-fixtures.ts";
import { tokenIdOf } from "./token-ids.ts";

const GROUP = 20;
const [file = "", siteKey = "", count = "0"] = process.argv.slice(2);
const store = await openSqliteStore({ file });

/** Retries while the other process holds the database. */
async function redeem(number: number): Promise<RedemptionOutcome | undefined> {
  const redemption = {
    siteKey,
    siteRevision: 1,
    tokenId: tokenIdOf(number),
    issuedAtMs: T0,
    retainUntilMs: T0 + 360_000,
    nowMs: T0,
    perMinute: 1_000_000_000,
    repeatDigest: undefined,
    isRepeatOnly: false,
    onSpent: ["token_redeemed" as const],
    onReplayed: [],
  };
  for (;;) {
    try {
      const outcome = await store.tokens.redeem(redemption);
      return outcome;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
}

for (let first = 0; first < Number(count); first += GROUP) {
  const numbers = Array.from({ length: GROUP }, (_, index) => first + index);
  const outcomes = await Promise.all(numbers.map(redeem));
  const spent = numbers.filter((_, index) => outcomes[index]?.kind === "spent");
  if (spent.length > 0) writeSync(1, `${spent.join("\n")}\n`);
}
await store.close();
