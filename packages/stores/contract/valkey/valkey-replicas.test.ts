// A spend has reached every replica before it is answered (decision 0073).
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, type TestContext, test } from "node:test";
import type { Store } from "@stile/core/ports/store";
import { startReplica, startValkey, type ThrowAwayValkey } from "@stile/testkit/valkey/throw-away-valkey";
import { GENERATION_KEY, marksName } from "../../valkey/engine/valkey-keys.ts";
import { ValkeyProblem } from "../../valkey/engine/valkey-problem.ts";
import { openValkeyStore } from "../../valkey/valkey-store.ts";
import { redemptionOf, seedSite, spendOf, T0 } from "../contract-fixtures.ts";
import { startTemporaryPostgres } from "../postgres/temporary-postgres.ts";
import { GENEROUS_MS, isUnavailable, untilAnswered } from "../until-answered.ts";

const postgres = await startTemporaryPostgres();
after(postgres.stop);

/** The deadline of a node that is meant to find out that it gets no answer. */
const IMPATIENT_MS = 500;

type Node = { readonly url: string; readonly replicas: number; readonly deadlineMs?: number; readonly nowMs?: number };

/** A primary with one replica, and nodes on them, whose clocks stand long ago so that no fence is met, unless given. */
async function startPair(context: TestContext) {
  const primary = await startValkey({ appendFsync: "always" });
  const replica = await startReplica(primary);
  const databaseUrl = await postgres.emptyDatabase();
  const stores: Store[] = [];
  const open = async ({ url, replicas, deadlineMs = GENEROUS_MS, nowMs = 0 }: Node): Promise<Store> => {
    const engine = { url, replicas, deadlineMs, nowMs: () => nowMs };
    const store = await openValkeyStore({ postgres: { url: databaseUrl, deadlineMs: GENEROUS_MS }, ...engine });
    stores.push(store);
    return store;
  };
  context.after(async () => {
    replica.signal("SIGCONT");
    await Promise.allSettled(stores.map((store) => store.close()));
    await Promise.all([primary.stop(), replica.stop()]);
  });
  return { primary, replica, open };
}

/** Opens the node, also if the machine is at first too busy for its deadline. */
async function untilOpen(open: () => Promise<Store>): Promise<Store> {
  for (const sinceMs = performance.now(); ; ) {
    try {
      return await open();
    } catch (fault) {
      if (!(fault instanceof ValkeyProblem) || performance.now() - sinceMs > GENEROUS_MS) throw fault;
    }
  }
}

async function isRefused(open: () => Promise<Store>, told: RegExp): Promise<void> {
  await assert.rejects(open, (fault) => {
    assert.ok(fault instanceof ValkeyProblem, String(fault));
    assert.match(fault.message, told);
    return true;
  });
}

async function promote(replica: ThrowAwayValkey): Promise<void> {
  await (await replica.connect()).call("REPLICAOF", "NO", "ONE");
}

test("what was answered as spent is at the replica, whoever spent it and however many at once", async (context) => {
  const { primary, replica, open } = await startPair(context);
  const nodes = await Promise.all([1, 1].map((replicas) => open({ url: primary.url, replicas })));
  const [here] = nodes as [Store, Store];
  const site = await seedSite(here);
  const client = await replica.connect();
  const spendOne = async (node: Store): Promise<number> => {
    const redemption = redemptionOf(site);
    assert.equal((await node.tokens.redeem(redemption)).kind, "spent");
    const name = marksName(site.siteKey, "tokens", redemption.retainUntilMs);
    return await client.hexists(name, Buffer.from(redemption.tokenId));
  };
  for (let round = 0; round < 20; round++) {
    const marks = await Promise.all(nodes.flatMap((node) => Array.from({ length: 5 }, () => spendOne(node))));
    assert.deepEqual(new Set(marks), new Set([1]));
  }
});

test("while a replica does not answer nothing is: what was spent meanwhile is unavailable, and used when it is back", async (context) => {
  const { primary, replica, open } = await startPair(context);
  const patient = await open({ url: primary.url, replicas: 1 });
  const node = await untilOpen(() => open({ url: primary.url, replicas: 1, deadlineMs: IMPATIENT_MS }));
  const site = await seedSite(patient);
  assert.equal((await patient.tokens.redeem(redemptionOf(site))).kind, "spent");
  replica.signal("SIGSTOP");
  const repeated = redemptionOf(site, { repeatDigest: randomBytes(32) });
  const challenge = spendOf(site);
  // The second time a mark exists already, on which "used" and the repeat's answer would rest: neither is given.
  for (let time = 0; time < 2; time++) {
    const ends = await Promise.allSettled([
      node.tokens.redeem(repeated),
      node.challenges.spend(challenge),
      node.ping(),
    ]);
    for (const end of ends) assert.ok(end.status === "rejected" && isUnavailable(end.reason), JSON.stringify(end));
  }
  const mark = marksName(site.siteKey, "tokens", repeated.retainUntilMs);
  assert.equal(await (await primary.connect()).hexists(mark, Buffer.from(repeated.tokenId)), 1);
  replica.signal("SIGCONT");
  assert.equal((await untilAnswered(() => patient.tokens.redeem(repeated))).kind, "repeated");
  const another = { ...repeated, repeatDigest: undefined };
  assert.equal((await untilAnswered(() => node.tokens.redeem(another))).kind, "already_used");
  assert.equal(await untilAnswered(() => node.challenges.spend(challenge)), "already_spent");
});

test("a connection that is lost while the replica is waited for leaves the outcome unknown, never spent", async (context) => {
  const { primary, replica, open } = await startPair(context);
  const node = await open({ url: primary.url, replicas: 1 });
  const site = await seedSite(node);
  assert.equal((await node.tokens.redeem(redemptionOf(site))).kind, "spent");
  const client = await primary.connect();
  replica.signal("SIGSTOP");
  const redemption = redemptionOf(site);
  const lost = assert.rejects(node.tokens.redeem(redemption), isUnavailable);
  const isMarked = () =>
    client.hexists(marksName(site.siteKey, "tokens", redemption.retainUntilMs), Buffer.from(redemption.tokenId));
  for (const sinceMs = performance.now(); (await isMarked()) === 0; ) {
    assert.ok(performance.now() - sinceMs < GENEROUS_MS, "nothing was spent");
  }
  await client.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
  await lost;
  replica.signal("SIGCONT");
  assert.equal((await untilAnswered(() => node.tokens.redeem(redemption))).kind, "already_used");
});

test("after a failover the primary that was left behind spends and counts nothing, nor does the new one while it is alone (D3, D10)", async (context) => {
  const { primary, replica, open } = await startPair(context);
  const left = await untilOpen(() => open({ url: primary.url, replicas: 1, deadlineMs: IMPATIENT_MS }));
  const site = await seedSite(left);
  const spent = redemptionOf(site);
  assert.ok(["spent", "already_used"].includes((await untilAnswered(() => left.tokens.redeem(spent))).kind));
  await promote(replica);
  const late = redemptionOf(site, { issuedAtMs: T0 + 60_000 });
  const score = { scope: `score:${site.siteKey}`, perMinute: 5, nowMs: T0 };
  for (let time = 0; time < 3; time++) {
    const ends = await Promise.allSettled([left.tokens.redeem(late), left.limiter.consume(score)]);
    for (const end of ends) assert.ok(end.status === "rejected" && isUnavailable(end.reason), JSON.stringify(end));
  }
  const alone = /has 0 of 1 replicas \(STILE_VALKEY_REPLICAS\).*change STILE_VALKEY_REPLICAS at all nodes\.$/;
  await isRefused(() => open({ url: replica.url, replicas: 1 }), alone);
  // The operator abandons the primary. Tokens issued before count as expired, spent or not; later ones are spent once.
  const onNew = await open({ url: replica.url, replicas: 0, nowMs: T0 });
  assert.equal((await onNew.tokens.redeem(spent)).kind, "not_repeated");
  assert.equal((await onNew.tokens.redeem(redemptionOf(site))).kind, "not_repeated");
  assert.equal((await onNew.tokens.redeem(late)).kind, "spent");
  await assert.rejects(left.tokens.redeem(late), isUnavailable);
});

test("a primary that followed another one and leads again is another run: what was issued before counts as expired (D3)", async (context) => {
  const { primary, replica, open } = await startPair(context);
  const node = await open({ url: primary.url, replicas: 1, nowMs: T0 });
  const site = await seedSite(node);
  const ask = (issuedAtMs: number) => node.tokens.redeem(redemptionOf(site, { issuedAtMs }));
  assert.equal((await ask(T0 + 60_000)).kind, "spent");
  const client = await primary.connect();
  const known = await client.hget(GENERATION_KEY, "id");
  await promote(replica);
  await client.call("REPLICAOF", "127.0.0.1", replica.port);
  await assert.rejects(ask(T0 + 60_000), isUnavailable);
  await client.call("REPLICAOF", "NO", "ONE");
  await (await replica.connect()).call("REPLICAOF", "127.0.0.1", primary.port);
  assert.deepEqual(await untilAnswered(() => ask(T0)), { kind: "not_repeated" });
  assert.notEqual(await client.hget(GENERATION_KEY, "id"), known);
});

test("a change that is told to the primary that was left behind holds at the new one once it is answered (D3)", async (context) => {
  const { primary, replica, open } = await startPair(context);
  const left = await untilOpen(() => open({ url: primary.url, replicas: 1, deadlineMs: IMPATIENT_MS }));
  const site = await seedSite(left);
  assert.equal((await untilAnswered(() => left.tokens.redeem(redemptionOf(site)))).kind, "spent");
  await promote(replica);
  const further = await startReplica(replica);
  context.after(further.stop);
  const onNew = await open({ url: replica.url, replicas: 1 });
  const ask = async (): Promise<string> => (await untilAnswered(() => onNew.tokens.redeem(redemptionOf(site)))).kind;
  assert.equal(await ask(), "spent");
  assert.equal(await left.sites.replaceSite({ ...site, revision: 2 }, 1), "stored");
  assert.equal(await ask(), "site_changed");
});

test("a start beside other replicas than were told is refused, and so is one more that comes later", async (context) => {
  const { primary, replica, open } = await startPair(context);
  await isRefused(
    () => open({ url: primary.url, replicas: 0 }),
    /has replicas, .* or set STILE_VALKEY_REPLICAS to how many/,
  );
  await isRefused(() => open({ url: primary.url, replicas: 2 }), /has 1 of 2 replicas .*let exactly as many follow it/);
  await isRefused(
    () => open({ url: replica.url, replicas: 1 }),
    /is a replica.*name the primary in STILE_VALKEY_URL\.$/,
  );
  const node = await open({ url: primary.url, replicas: 1 });
  const site = await seedSite(node);
  assert.equal((await node.tokens.redeem(redemptionOf(site))).kind, "spent");
  const further = await startReplica(primary);
  context.after(further.stop);
  const refused = async (): Promise<boolean> =>
    await node.tokens.redeem(redemptionOf(site)).then(() => false, isUnavailable);
  // The node recovers once the primary acknowledges with the other replica, or when the settings are read again.
  await node.describe();
  for (let call = 0; call < 5; call++) assert.equal(await refused(), true);
  await further.stop();
  assert.equal((await untilAnswered(() => node.tokens.redeem(redemptionOf(site)))).kind, "spent");
});

test("a user that may not wait is refused at the start, with what it needs", async (context) => {
  const { primary, open } = await startPair(context);
  const client = await primary.connect();
  await client.call("ACL", "SETUSER", "stile", "on", ">secret", "~stile:*", "+@all", "-wait");
  const url = `redis://stile:secret@127.0.0.1:${primary.port}`;
  await isRefused(
    () => open({ url, replicas: 1 }),
    /refuses a command \(NOPERM .*wait.*\); the user needs .*, WAIT, WAITAOF and/,
  );
  await client.call("ACL", "SETUSER", "stile", "+wait");
  await open({ url, replicas: 1 });
});
