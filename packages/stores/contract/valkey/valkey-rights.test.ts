import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { startReplica, startValkey } from "@stile/testkit/valkey/throw-away-valkey";
import { NEEDED_COMMANDS } from "../../valkey/engine/valkey-functions.ts";
import { ValkeyProblem } from "../../valkey/engine/valkey-problem.ts";
import { openValkeyStore } from "../../valkey/valkey-store.ts";
import { redemptionOf, seedSite, spendOf, T0 } from "../contract-fixtures.ts";
import { startTemporaryPostgres } from "../postgres/temporary-postgres.ts";
import { GENEROUS_MS } from "../until-answered.ts";

const postgres = await startTemporaryPostgres();
after(postgres.stop);

/** A primary with a replica, and a user who may run only these of its commands; `open` opens a node as that user. */
async function startWithUser(context: TestContext, commands: readonly string[]) {
  const primary = await startValkey({ appendFsync: "always" });
  const replica = await startReplica(primary);
  context.after(() => Promise.all([primary.stop(), replica.stop()]));
  const client = await primary.connect();
  const known = (await client.call("COMMAND", "LIST")) as string[];
  const rights = commands.filter((command) => known.includes(command.split("|")[0] ?? ""));
  await client.call("ACL", "SETUSER", "stile", "on", ">secret", "~stile:*", ...rights.map((right) => `+${right}`));
  const url = `redis://stile:secret@127.0.0.1:${primary.port}/1`;
  const database = { url: await postgres.emptyDatabase(), deadlineMs: GENEROUS_MS };
  return () => openValkeyStore({ postgres: database, url, replicas: 1, nowMs: () => 0, deadlineMs: GENEROUS_MS });
}

test("a user with the rights that the manual names, and no other, does all that a node does", async (context) => {
  const node = await (await startWithUser(context, NEEDED_COMMANDS))();
  context.after(() => node.close());
  const site = await seedSite(node);
  const redemption = redemptionOf(site);
  assert.equal((await node.tokens.redeem(redemption)).kind, "spent");
  assert.equal(await node.challenges.spend(spendOf(site)), "spent");
  assert.equal((await node.limiter.consume({ scope: "score:x", perMinute: 5, nowMs: T0 })).isAdmitted, true);
  assert.equal(await node.tokens.isSpent(redemption), true);
  assert.equal(await node.sites.replaceSite({ ...site, revision: 2 }, 1), "stored");
  assert.equal((await node.tokens.redeem(redemptionOf(site))).kind, "site_changed");
  assert.equal(await node.housekeeping.sweep(redemption.retainUntilMs + 1_000), 2);
  await node.ping();
  assert.deepEqual(
    (await node.describe()).findings.filter(({ level }) => level === "fail"),
    [],
  );
  const manual = readFileSync(join(import.meta.dirname, "../../../../docs/operations/scaling.md"), "utf8");
  for (const command of NEEDED_COMMANDS) assert.ok(manual.includes(`+${command}`), command);
});

test("a user without the rights of the functions' own commands is told what it needs", async (context) => {
  const open = await startWithUser(
    context,
    NEEDED_COMMANDS.filter((command) => command !== "hmget"),
  );
  await assert.rejects(
    open,
    (fault) => fault instanceof ValkeyProblem && /refuses a command .*; the user needs .*, HMGET, /.test(fault.message),
  );
});
