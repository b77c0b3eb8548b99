import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { openPostgresStore } from "../../postgres/postgres-store.ts";

const engine = await startPostgres({ isDurable: false });
after(engine.stop);

/** How many entries a node publishes in half a second of a flood. */
const TOLD = 10_000;
const ENTRY = "x".repeat(400);

test("delivers a flood to a new node in pieces that it can read, in order, each once", async (context) => {
  const store = await openPostgresStore({
    url: engine.createDatabase("flood"),
    deadlineMs: 20_000,
  });
  context.after(() => store.close());
  const { nodes } = store;
  assert.ok(nodes !== undefined);
  const [teller, listener] = [nodes.openFeed(), nodes.openFeed()];
  const rounds = Array.from({ length: 10 }, (_, at) => at);
  for (const round of rounds)
    await teller.publish(Array.from({ length: TOLD }, () => `${round} ${ENTRY}`));
  const heard: string[] = [];
  let [pieces, largest] = [0, 0];
  for (let piece = await listener.receive(); piece.length > 0; piece = await listener.receive()) {
    largest = Math.max(largest, piece.length);
    pieces += 1;
    for (const entry of piece) heard.push(entry.split(" ", 1)[0] ?? "");
  }
  assert.ok(largest <= 5 * TOLD, `${largest} entries at once`);
  assert.ok(pieces >= 2);
  assert.deepEqual(
    heard,
    rounds.flatMap((round) => Array.from({ length: TOLD }, () => String(round))),
  );
});
