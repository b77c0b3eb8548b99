import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { SiteSum } from "@stile/core/domain/statistics/metrics";
import { keptFromMs } from "@stile/core/domain/statistics/periods";
import type { Store } from "@stile/core/ports/store";
import { seedSite, T0 } from "../../contract/contract-fixtures.ts";
import { temporaryFile } from "../../contract/temporary-file.ts";
import { openSqliteStore } from "../sqlite-store.ts";

const DAY_MS = 86_400_000;
const DAYS = 396;
const FIRST_DAY_MS = Math.floor(T0 / DAY_MS) * DAY_MS - DAYS * DAY_MS;
const SPANS = [
  [0, DAYS + 1],
  [0, 1],
  [3, 40],
  [17, 17],
  [31, 33],
  [100, 164],
  [365, 397],
  [-500, 1000],
] as const;

/** Scores of three actions on every day of 13 months, each with a different count. */
function everyDay(siteKey: string): SiteSum[] {
  return Array.from({ length: DAYS }, (_, day) => day).flatMap((day) =>
    ["", "login", "a:b"].map((action, index): SiteSum => {
      const metric = `score:${action}:${10 + ((day + index) % 7)}` as const;
      return {
        siteKey,
        metric,
        atMs: FIRST_DAY_MS + day * DAY_MS + index * 3_600_000,
        count: 1 + day * 3 + index,
      };
    }),
  );
}

async function openFilled() {
  const file = temporaryFile();
  const store = await openSqliteStore({ file });
  const { siteKey } = await seedSite(store);
  await store.statistics.add(everyDay(siteKey));
  return { file, store, siteKey };
}

/**
 * Asserts that `readSums` returns, for each span, the sums of the days that `readSeries` reads.
 * Returns their total.
 */
async function assertSumsOfDays({ statistics }: Store, siteKey: string): Promise<number> {
  let total = 0;
  for (const [fromDay, toDay] of SPANS) {
    const span = { fromMs: FIRST_DAY_MS + fromDay * DAY_MS, toMs: FIRST_DAY_MS + toDay * DAY_MS };
    const query = { siteKey, resolution: "day", kinds: ["score"], ...span } as const;
    const byDays = new Map<string, number>();
    for (const { metric, count } of await statistics.readSeries(query)) {
      byDays.set(metric, (byDays.get(metric) ?? 0) + count);
      total += count;
    }
    const sums = await statistics.readSums(query);
    assert.deepEqual(
      new Map(sums.map(({ metric, count }) => [metric, count])),
      byDays,
      `days ${fromDay} to ${toDay}`,
    );
  }
  return total;
}

test("sums of scores over any span equal the sums of its days", async () => {
  const { store, siteKey } = await openFilled();
  assert.ok((await assertSumsOfDays(store, siteKey)) > 100_000);
  await store.close();
});

test("sums stay equal when the oldest days are removed, in any block, and when counts arrive later", async () => {
  const { store, siteKey } = await openFilled();
  let before = Number.POSITIVE_INFINITY;
  for (const days of [1, 10, 31, 32, 33, 150]) {
    await store.statistics.prune(T0 + days * DAY_MS);
    const total = await assertSumsOfDays(store, siteKey);
    assert.ok(total < before);
    before = total;
  }
  await store.statistics.add([
    { siteKey, metric: "score:login:10", atMs: T0 - 3 * DAY_MS, count: 1000 },
  ]);
  assert.ok((await assertSumsOfDays(store, siteKey)) > before);
  await store.close();
});

test("removing old days removes their blocks", async () => {
  const { file, store } = await openFilled();
  const nowMs = T0 + 100 * DAY_MS;
  await store.statistics.prune(nowMs);
  await store.close();
  const database = new DatabaseSync(file);
  const { oldest } = {
    ...database.prepare("SELECT min(start_ms) AS oldest FROM score_blocks").get(),
  };
  assert.ok(Number(oldest) >= keptFromMs("day", nowMs));
  database.close();
});
