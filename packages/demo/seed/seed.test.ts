import assert from "node:assert/strict";
import { test } from "node:test";
import type { Store } from "@stile/core/ports/store";
import { openOperatorPorts } from "@stile/server/cli/operator-ports";
import { createMemoryStore } from "@stile/testkit/memory-store/memory-store";
import { DEMO_SITES } from "./demo-sites.ts";
import { seedSites } from "./seed.ts";

const ACCOUNT = {
  accountId: "acc",
  name: "Account",
  createdAtMs: 0,
  challengePerMinute: null,
  totalPerMinute: null,
};
const [SHOP, FORUM] = DEMO_SITES.map(({ settings, traffic }) => ({
  settings,
  // A few visitors are enough here.
  traffic: { ...traffic, peoplePerHour: 2, attacks: [] },
}));
const DEMOS = [SHOP ?? assert.fail(), FORUM ?? assert.fail()];

async function createAccount() {
  const store = createMemoryStore();
  await store.sites.insertAccount(ACCOUNT);
  const ports = await openOperatorPorts(store);
  const run = (on: Store = store) => seedSites(ports, on, ACCOUNT, DEMOS);
  const listNames = async () => {
    const sites = await store.sites.listSites("acc");
    return sites.filter(({ deletedAtMs }) => deletedAtMs === null).map(({ name }) => name);
  };
  /** How many challenges of the site with that name were solved, and how many decisions it has. */
  const countOf = async (name: string): Promise<readonly [solved: number, decisions: number]> => {
    const site =
      (await store.sites.listSites("acc")).find((one) => one.name === name) ?? assert.fail(name);
    const { siteKey } = site;
    const whole = { siteKey, resolution: "day", fromMs: 0, toMs: Number.MAX_SAFE_INTEGER } as const;
    const sums = await store.statistics.readSums({ ...whole, kinds: ["outcome"] });
    const solved = sums.find(({ metric }) => metric === "challenge_solved")?.count ?? 0;
    return [solved, (await store.decisions.list({ siteKey, limit: 1000 })).length];
  };
  return { store, run, listNames, countOf };
}

test("completes a run that was interrupted at any point, and changes nothing in a third run", async () => {
  const whole = await createAccount();
  assert.equal(await whole.run(), 2);
  const wanted = [await whole.countOf("Harbour Shop"), await whole.countOf("Rowing Forum")];
  assert.ok(wanted.every(([solved, decisions]) => solved > 1000 && decisions === 600));

  for (const [port, method, calls] of [
    ["statistics", "add", [1, 3]],
    ["decisions", "flush", [2, 8]],
  ] as const) {
    for (const atCall of calls) {
      const { store, run, listNames, countOf } = await createAccount();
      let called = 0;
      const interrupted = {
        ...store,
        [port]: {
          ...store[port],
          [method]: async (...args: readonly never[]) => {
            if (++called === atCall) throw new Error("killed");
            await (store[port] as unknown as Record<string, (...all: readonly never[]) => unknown>)[
              method
            ]?.(...args);
          },
        },
      };
      await assert.rejects(run(interrupted), /killed/);
      assert.ok((await run()) >= 1);
      assert.deepEqual(await listNames(), ["Harbour Shop", "Rowing Forum"]);
      const counts = [await countOf("Harbour Shop"), await countOf("Rowing Forum")];
      for (const [at, [solved, decisions]] of counts.entries()) {
        const [solvedWhole = 0, decisionsWhole = 0] = wanted[at] ?? [];
        assert.equal(decisions, decisionsWhole);
        // The clock advanced a little between the two.
        assert.ok(
          Math.abs(solved / solvedWhole - 1) < 0.05,
          `${port} ${atCall}: ${solved} of ${solvedWhole}`,
        );
      }
      assert.equal(await run(), 0);
      assert.deepEqual([await countOf("Harbour Shop"), await countOf("Rowing Forum")], counts);
    }
  }
});
