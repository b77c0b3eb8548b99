import { redemptionOf, seedSite } from "@stile/stores/contract/contract-fixtures";
import { openValkeyStore } from "@stile/stores/valkey/valkey-store";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { startReplica, startValkey } from "@stile/testkit/valkey/throw-away-valkey";

const [mode = "always", callersText = "100", tokensText = "8000"] = process.argv.slice(2);
const [CALLERS, TOKENS] = [Number(callersText), Number(tokensText)];
const WARM_UP = 1_000;
const DEADLINE_MS = 5_000;
const NO_LIMIT = 1_000_000_000;

/** The value below which this part of them lies, in milliseconds. */
const quantile = (sorted: readonly number[], part: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN).toFixed(1);

/**
 * What a redemption costs through the store, with and without waiting for Valkey's disk or its replica: `node
 * tools/measure-valkey-waits.ts [always|everysec|replica] [callers] [tokens]`; VALKEY_SERVER names the engine.
 */
async function measure(): Promise<string> {
  const [postgres, engine] = await Promise.all([
    startPostgres({ isDurable: true }),
    startValkey({ appendFsync: mode === "everysec" ? "everysec" : "always" }),
  ]);
  const replica = mode === "replica" ? await startReplica(engine) : undefined;
  const store = await openValkeyStore({
    postgres: { url: postgres.createDatabase("waits"), deadlineMs: DEADLINE_MS },
    ...{ url: engine.url, replicas: replica === undefined ? 0 : 1, nowMs: () => 0, deadlineMs: DEADLINE_MS },
  });
  try {
    const site = await seedSite(store);
    const redeemAll = async (count: number): Promise<number[]> => {
      const tookMs: number[] = [];
      let left = count;
      const caller = async (): Promise<void> => {
        while (left-- > 0) {
          const sinceMs = performance.now();
          const { kind } = await store.tokens.redeem(redemptionOf(site, { perMinute: NO_LIMIT }));
          if (kind !== "spent") throw new Error(kind);
          tookMs.push(performance.now() - sinceMs);
        }
      };
      await Promise.all(Array.from({ length: CALLERS }, caller));
      return tookMs.sort((a, b) => a - b);
    };
    await redeemAll(WARM_UP);
    const [sinceMs, before] = [performance.now(), process.cpuUsage()];
    const tookMs = await redeemAll(TOKENS);
    const { user, system } = process.cpuUsage(before);
    const rate = (TOKENS / (performance.now() - sinceMs)) * 1_000;
    const waits = `p50 ${quantile(tookMs, 0.5)}, p99 ${quantile(tookMs, 0.99)}, at worst ${quantile(tookMs, 1)} ms`;
    return `${mode}, ${CALLERS} callers: ${rate.toFixed()} a second, ${((user + system) / TOKENS).toFixed()} us of the node's CPU each, ${waits}`;
  } finally {
    await store.close();
    await Promise.all([replica?.stop(), engine.stop(), postgres.stop()]);
  }
}

process.stdout.write(`${await measure()}\n`);
