import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@stile/core/ports/store";
import type { Redemption } from "@stile/core/ports/token/token-ledger";
import { seedSite, T0 } from "../contract/contract-fixtures.ts";
import { startTemporaryPostgres } from "../contract/postgres/temporary-postgres.ts";
import { openPostgresStore } from "../postgres/postgres-store.ts";
import { openSqliteStore } from "../sqlite/sqlite-store.ts";

const POSTGRES = "postgres";

/** A store whose commits reach the disk, and how to remove it. */
async function openStore(
  name: string,
): Promise<{ readonly store: Store; readonly remove: () => Promise<void> }> {
  if (name === POSTGRES) {
    const { emptyDatabase, stop } = await startTemporaryPostgres({ isDurable: true });
    return { store: await openPostgresStore({ url: await emptyDatabase() }), remove: stop };
  }
  const directory = mkdtempSync(join(tmpdir(), "stile-measure-"));
  const store = await openSqliteStore({ file: join(directory, "stile.sqlite") });
  return { store, remove: async () => rmSync(directory, { recursive: true }) };
}

/**
 * CPU time of one redemption in SQLite with `synchronous = FULL`, or of the node's part of one in
 * PostgreSQL with fsync, for several numbers of simultaneous callers: `node
 * packages/stores/measure/redeem.ts [redemptions] [postgres]`.
 */
async function measureRedemptions(
  name: string,
  concurrency: number,
  total: number,
): Promise<string> {
  const { store, remove } = await openStore(name);
  const site = await seedSite(store);
  const redemptions = Array.from(
    { length: total },
    (_, index): Redemption => ({
      siteKey: site.siteKey,
      siteRevision: site.revision,
      tokenId: randomBytes(12),
      issuedAtMs: T0,
      retainUntilMs: T0 + 360_000 + index,
      nowMs: T0 + Math.floor(index / 10),
      perMinute: 1_000_000_000,
      repeatDigest: index % 2 === 0 ? randomBytes(32) : undefined,
      isRepeatOnly: false,
      onSpent: ["token_redeemed", "verified_score:05"],
      onReplayed: ["refused:token_already_used"],
    }),
  );
  let next = 0;
  let spent = 0;
  const caller = async (): Promise<void> => {
    for (
      let redemption = redemptions[next++];
      redemption !== undefined;
      redemption = redemptions[next++]
    ) {
      const outcome = await store.tokens.redeem(redemption);
      if (outcome.kind === "spent") spent += 1;
    }
  };
  const cpuBefore = process.cpuUsage();
  const startMs = performance.now();
  await Promise.all(Array.from({ length: concurrency }, caller));
  const seconds = (performance.now() - startMs) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  await store.close();
  await remove();
  if (spent !== total) throw new Error(`only ${spent} of ${total} were spent`);
  const perRedemption = (microseconds: number): string => (microseconds / total).toFixed(1);
  return (
    `${concurrency} callers: ${Math.round(total / seconds)}/s, ${perRedemption(user + system)} us CPU each ` +
    `(user ${perRedemption(user)}, system ${perRedemption(system)})`
  );
}

const [count = "50000", name = "sqlite"] = process.argv.slice(2);
const total = Number(count);
for (const concurrency of [1, 30, 100, 1000]) {
  console.log(
    await measureRedemptions(name, concurrency, concurrency === 1 ? Math.ceil(total / 10) : total),
  );
}
