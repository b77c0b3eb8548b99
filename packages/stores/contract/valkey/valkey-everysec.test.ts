// With one fsync a second, a spend waits for the disk (decision 0073), on an engine whose `WAITAOF` tells the truth.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, type TestContext, test } from "node:test";
import type { Store } from "@stile/core/ports/store";
import { startValkey, type ThrowAwayValkey } from "@stile/testkit/valkey/throw-away-valkey";
import { ValkeyProblem } from "../../valkey/engine/valkey-problem.ts";
import { answersBeforeDisk, readSettings } from "../../valkey/engine/valkey-settings.ts";
import { openValkeyStore } from "../../valkey/valkey-store.ts";
import { redemptionOf, seedSite, spendOf } from "../contract-fixtures.ts";
import { startTemporaryPostgres } from "../postgres/temporary-postgres.ts";
import { GENEROUS_MS, isUnavailable, untilAnswered } from "../until-answered.ts";

const [postgres, engine] = await Promise.all([startTemporaryPostgres(), startValkey({ appendFsync: "everysec" })]);
after(() => Promise.all([postgres.stop(), engine.stop()]));
const client = await engine.connect();
const { engine: name, ...settings } = readSettings(await client.info(), ["appendfsync", "everysec"]);
const isBelieved = answersBeforeDisk({ ...settings, engine: name });
const skip = isBelieved
  ? false
  : `${name} does not say truly when its disk has something; name a Redis 8 in VALKEY_SERVER`;

const IMPATIENT_MS = 500;

type Opened = { readonly engine?: ThrowAwayValkey; readonly deadlineMs?: number; readonly nowMs?: () => number };

async function open(context: TestContext, plan: Opened = {}): Promise<Store> {
  const { engine: { url } = engine, deadlineMs = GENEROUS_MS, nowMs = () => 0 } = plan;
  const databaseUrl = await postgres.emptyDatabase();
  const store = await openValkeyStore({
    postgres: { url: databaseUrl, deadlineMs: GENEROUS_MS },
    ...{ url, deadlineMs, nowMs },
  });
  context.after(() => store.close());
  return store;
}

test("an engine that does not say truly when its disk has something is refused, with what to do", {
  skip: isBelieved && `${name} does`,
}, async (context) => {
  await assert.rejects(open(context), (fault) => {
    assert.ok(fault instanceof ValkeyProblem);
    assert.match(
      fault.message,
      /has "appendfsync everysec" and may forget .*: set "appendfsync always", or use Redis 8\.0 /,
    );
    return true;
  });
});

test("all that many callers spend over seconds is answered, each once, and it counts as strict", {
  skip,
}, async (context) => {
  const store = await open(context);
  const { findings } = await store.describe();
  const told = findings.map(({ text }) => text).find((text) => text.startsWith("What is spent is in"));
  assert.match(
    told ?? "",
    /durability strict \(.*appendfsync=everysec, .*, what is spent waits for the disk \(WAITAOF\)\)$/,
  );
  const site = await seedSite(store);
  const outcomes: string[] = [];
  const caller = async (): Promise<void> => {
    for (let time = 0; time < 3; time++) {
      const redemption = redemptionOf(site);
      outcomes.push((await store.tokens.redeem(redemption)).kind, (await store.tokens.redeem(redemption)).kind);
    }
  };
  await Promise.all(Array.from({ length: 16 }, caller));
  const each = (word: string): string[] => Array(48).fill(word);
  assert.deepEqual(outcomes.toSorted(), [...each("already_used"), ...each("spent")]);
});

test("while the disk gets nothing, nothing that is spent is answered, nor what rests on it; afterwards it is used", {
  skip,
}, async (context) => {
  const node = await open(context, { deadlineMs: IMPATIENT_MS });
  const site = await seedSite(node);
  await client.config("SET", "appendfsync", "no");
  const repeated = redemptionOf(site, { repeatDigest: randomBytes(32) });
  const challenge = spendOf(site);
  for (let time = 0; time < 2; time++) {
    const calls = [node.tokens.redeem(repeated), node.challenges.spend(challenge), node.ping()];
    for (const end of await Promise.allSettled(calls)) {
      assert.ok(end.status === "rejected" && isUnavailable(end.reason), JSON.stringify(end));
    }
  }
  await client.config("SET", "appendfsync", "everysec");
  assert.equal((await untilAnswered(() => node.tokens.redeem(repeated))).kind, "repeated");
  const another = { ...repeated, repeatDigest: undefined };
  assert.equal((await untilAnswered(() => node.tokens.redeem(another))).kind, "already_used");
  assert.equal(await untilAnswered(() => node.challenges.spend(challenge)), "already_spent");
});

test("an append-only file that is turned off lets nothing more be spent, at once", { skip }, async (context) => {
  const node = await open(context);
  const site = await seedSite(node);
  assert.equal((await node.tokens.redeem(redemptionOf(site))).kind, "spent");
  await client.config("SET", "appendonly", "no");
  const redemption = redemptionOf(site);
  for (let time = 0; time < 3; time++) await assert.rejects(node.tokens.redeem(redemption), isUnavailable);
  await client.config("SET", "appendonly", "yes");
  assert.equal((await untilAnswered(() => node.tokens.redeem(redemption))).kind, "already_used");
});

test("an engine that is killed while its disk is waited for leaves the outcome unknown, and takes nothing of before (D3)", {
  skip,
}, async (context) => {
  const other = await startValkey({ appendFsync: "everysec" });
  context.after(other.stop);
  let now = 0;
  const node = await open(context, { engine: other, nowMs: () => now });
  const site = await seedSite(node);
  assert.equal((await node.tokens.redeem(redemptionOf(site))).kind, "spent");
  const redemption = redemptionOf(site);
  const lost = assert.rejects(node.tokens.redeem(redemption), isUnavailable);
  now = redemption.issuedAtMs;
  await other.kill();
  await lost;
  await other.start();
  assert.equal((await untilAnswered(() => node.tokens.redeem(redemption))).kind, "not_repeated");
});

test("a session that began with an fsync for each write does not outlive a change to one a second", {
  skip,
}, async (context) => {
  await client.config("SET", "appendfsync", "always");
  const node = await open(context);
  const site = await seedSite(node);
  assert.equal((await node.tokens.redeem(redemptionOf(site))).kind, "spent");
  await client.config("SET", "appendfsync", "everysec");
  await node.describe();
  await assert.rejects(node.tokens.redeem(redemptionOf(site)), isUnavailable);
  assert.equal((await untilAnswered(() => node.tokens.redeem(redemptionOf(site)))).kind, "spent");
  assert.match(JSON.stringify(await node.describe()), /waits for the disk/);
});
