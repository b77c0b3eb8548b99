// The service over a ledger that is wrong on purpose, to prove that the torture test finds double
// spends. One argument names the fault; settings and output are those of the service.
import type { Redemption, RedemptionOutcome } from "@stile/core/domain/token/single-use";
import type { TokenLedger } from "@stile/core/ports/token/token-ledger";
import { composeService } from "@stile/server/compose/compose";
import { readConfig } from "@stile/server/config/config";
import { openDataDirectory } from "@stile/server/data-directory/data-directory";
import { createLog } from "@stile/server/telemetry/log";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";

function spent({ nowMs, perMinute }: Redemption): RedemptionOutcome {
  return {
    kind: "spent",
    atMs: nowMs,
    limit: { isAdmitted: true, perMinute, remaining: 1, resetsInMs: 60_000 },
  };
}

/** Checks whether the token is spent, and then spends it in a separate step. */
function readsThenWrites(right: TokenLedger): TokenLedger {
  return {
    isSpent: right.isSpent,
    redeem: async (redemption) => {
      const wasSpent = await right.isSpent(redemption);
      await right.redeem(redemption);
      return wasSpent ? { kind: "already_used" } : spent(redemption);
    },
  };
}

/** Is atomic, but remembers spent tokens only in its own process. */
function forgets(): TokenLedger {
  const known = new Set<string>();
  const nameOf = (tokenId: Uint8Array): string => Buffer.from(tokenId).toString("hex");
  return {
    isSpent: async ({ tokenId }) => known.has(nameOf(tokenId)),
    redeem: async (redemption) => {
      const isFirst = !known.has(nameOf(redemption.tokenId));
      known.add(nameOf(redemption.tokenId));
      return isFirst ? spent(redemption) : { kind: "already_used" };
    },
  };
}

const FAULTS: Readonly<Record<string, (right: TokenLedger) => TokenLedger>> = {
  readsThenWrites,
  forgets,
};

const makeWrong = FAULTS[process.argv[2] ?? ""];
const reading = readConfig(process.env);
if (makeWrong === undefined || reading.kind === "problems")
  throw new Error("no such fault, or wrong settings");
const right = await openSqliteStore({
  file: openDataDirectory(reading.config.dataDirectory).databaseFile,
});
const store = { ...right, tokens: makeWrong(right.tokens) };
const service = await composeService(reading.config, createLog("error"), { store });
console.log(`Stile listens on ${(await service.listen()).url}`);
