import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createVisitorMemory } from "./visitor-memory.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

test("demands a step-up from a client until the given moment, on that site only (D9, submission)", () => {
  const memory = createVisitorMemory({ maxEntries: 10 });
  memory.demandStepUp("pk_1", "visitor", 600_000);
  assert.equal(memory.mustStepUp("pk_1", "visitor", 599_999), true);
  assert.equal(memory.mustStepUp("pk_1", "visitor", 600_000), false);
  assert.equal(memory.mustStepUp("pk_2", "visitor", 0), false);
  assert.equal(memory.mustStepUp("pk_1", "other", 0), false);
});

test("extends the time by a later demand, and never shortens it by an earlier one (D9, submission)", () => {
  const memory = createVisitorMemory({ maxEntries: 10 });
  memory.demandStepUp("pk_1", "visitor", 600_000);
  memory.demandStepUp("pk_1", "visitor", 700_000);
  memory.demandStepUp("pk_1", "visitor", 500_000);
  assert.equal(memory.mustStepUp("pk_1", "visitor", 699_999), true);
});

test("remembers a redemption separately from step-ups, until the given moment (D8, challenge)", () => {
  const memory = createVisitorMemory({ maxEntries: 10 });
  memory.recordRedeemed("pk_1", "visitor", 600_000);
  assert.equal(memory.hasRedeemed("pk_1", "visitor", 599_999), true);
  assert.equal(memory.hasRedeemed("pk_1", "visitor", 600_000), false);
  assert.equal(memory.hasRedeemed("pk_2", "visitor", 0), false);
  assert.equal(memory.mustStepUp("pk_1", "visitor", 0), false);
});

test("keeps memory bounded: forgets the client that was renewed longest ago, and keeps a renewed one", () => {
  const memory = createVisitorMemory({ maxEntries: 100 });
  memory.demandStepUp("pk_1", "first", 600_000);
  for (let client = 0; client < 1000; client++) {
    memory.demandStepUp("pk_1", `flood-${client}`, 600_000);
    if (client % 50 === 0) memory.demandStepUp("pk_1", "renewed", 600_000);
  }
  assert.equal(memory.mustStepUp("pk_1", "first", 0), false);
  assert.equal(memory.mustStepUp("pk_1", "renewed", 0), true);
  const remembered = Array.from({ length: 1000 }, (_, client) =>
    memory.mustStepUp("pk_1", `flood-${client}`, 0),
  );
  assert.equal(remembered.filter(Boolean).length, 99);
});

test("remembers that an agent's token was redeemed until the given moment, in that account only (D10, limits)", () => {
  const memory = createVisitorMemory({ maxEntries: 10 });
  memory.recordRedeemed("acc_1", "network agent", 3_600_000);
  assert.equal(memory.hasRedeemed("acc_1", "network agent", 3_599_999), true);
  assert.equal(memory.hasRedeemed("acc_1", "network agent", 3_600_000), false);
  assert.equal(memory.hasRedeemed("acc_2", "network agent", 0), false);
  for (let client = 0; client < 100; client++) {
    memory.demandStepUp("acc_1", `flood-${client}`, 600_000);
  }
  assert.equal(memory.hasRedeemed("acc_1", "network agent", 0), true, "nothing cheaper evicts it");
});

test("keeps at most the 64 newest agents of a network, and never evicts another network's (D10, limits)", () => {
  const memory = createVisitorMemory({ maxEntries: 1000 });
  memory.recordRedeemed("acc_1", "office agent", 1000);
  for (let made = 0; made < 100; made++) memory.recordRedeemed("acc_1", `bots agent-${made}`, 1000);
  const held = Array.from({ length: 100 }, (_, made) =>
    memory.hasRedeemed("acc_1", `bots agent-${made}`, 0),
  );
  assert.equal(held.filter(Boolean).length, 64);
  assert.equal(held.at(-1), true);
  assert.equal(memory.hasRedeemed("acc_1", "office agent", 0), true);
});

test("uses no more memory for agents of many networks than its maximum of entries needs (D10, limits)", () => {
  const memory = createVisitorMemory({ maxEntries: 2_000 });
  const held = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const fill = (from: number): void => {
    for (let network = from; network < from + 2_000; network++) {
      for (let agent = 0; agent < 64; agent++)
        memory.recordRedeemed("acc_1", `network-${network} agent-${agent}`, 1000);
    }
  };
  const before = held();
  fill(0);
  const grownBytes = held() - before;
  assert.ok(grownBytes < 2_000_000, `${grownBytes} bytes for 2,000 entries`);
  assert.equal(memory.hasRedeemed("acc_1", "network-1999 agent-63", 0), true);
});
