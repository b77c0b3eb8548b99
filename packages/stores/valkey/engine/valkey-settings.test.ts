import assert from "node:assert/strict";
import { test } from "node:test";
import { answersBeforeDisk, findUnfit, readSettings, type ValkeySettings } from "./valkey-settings.ts";

const INFO = [
  "# Server",
  "redis_version:7.0.15",
  "redis_mode:standalone",
  "run_id:abc",
  "",
  "# Replication",
  "role:master",
  "connected_slaves:0",
  "master_replid:def",
  "",
  "# Memory",
  "used_memory:900",
  "maxmemory:1000",
].join("\r\n");
const CONFIG = [
  ...["appendonly", "yes", "appendfsync", "always"],
  ...["no-appendfsync-on-rewrite", "no", "maxmemory-policy", "noeviction"],
];
const FIT = readSettings(INFO, CONFIG);
const ALL = { holds: "all", replicas: 0 } as const;
const LIMITS = { holds: "limits", replicas: 0 } as const;

test("reads what the engine says of itself", () => {
  assert.equal(FIT.engine, "Redis 7.0.15");
  assert.equal(FIT.runId, "abc/def");
  assert.deepEqual([FIT.usedBytes, FIT.maxBytes], [900, 1_000]);
  assert.deepEqual(findUnfit(FIT, ALL), []);
  const valkey = readSettings(`${INFO}\r\nvalkey_version:8.0.1\r\n`, CONFIG);
  assert.equal(valkey.engine, "Valkey 8.0.1");
  assert.deepEqual(findUnfit(valkey, ALL), []);
});

const UNFIT: readonly (readonly [change: Partial<ValkeySettings>, told: RegExp])[] = [
  [{ redisVersion: "6.2.7" }, /too old: use Valkey, or Redis 7.0/],
  [{ mode: "cluster" }, /stands alone$/],
  [{ mode: "" }, /stands alone$/],
  [{ role: "slave" }, /name the primary/],
  [{ replicas: 1 }, /run it without them, or set STILE_VALKEY_REPLICAS to how many there are$/],
  [{ replicas: Number.NaN }, /run it without them, /],
  [{ appendonly: "no" }, /set "appendonly yes"$/],
  [{ appendonly: "" }, /set "appendonly yes"$/],
  [{ appendfsync: "everysec" }, /"appendfsync everysec".*set "appendfsync always", or use Redis 8.0 or newer/],
  [{ engine: "Redis 7.4.2", redisVersion: "7.4.2", appendfsync: "everysec" }, /set "appendfsync always", or use/],
  [{ engine: "Valkey 8.0.1", redisVersion: "7.2.4", appendfsync: "everysec" }, /set "appendfsync always", or use/],
  [{ engine: "Valkey 12.0.0", redisVersion: "8.0.0", appendfsync: "everysec" }, /set "appendfsync always", or use/],
  [{ engine: "Redis 8.2.1", redisVersion: "8.2.1", appendfsync: "no" }, /set "appendfsync always"$/],
  [{ appendfsync: "no" }, /set "appendfsync always"$/],
  [{ noAppendfsyncOnRewrite: "yes" }, /set it to "no"$/],
  [{ maxmemoryPolicy: "volatile-ttl" }, /set "maxmemory-policy noeviction"$/],
];

test("names the one thing by which an engine may forget what was spent, and what to do", () => {
  for (const [change, told] of UNFIT) {
    const [unfit, ...others] = findUnfit({ ...FIT, ...change }, ALL);
    assert.match(`${unfit?.lack}: ${unfit?.cure}`, told, JSON.stringify(change));
    assert.deepEqual(others, []);
  }
});

test("names all of them where there are several", () => {
  const unfit = findUnfit({ ...FIT, replicas: 1, appendonly: "no", appendfsync: "everysec", maxmemoryPolicy: "" }, ALL);
  assert.equal(unfit.length, 4);
});

test("only an engine whose WAITAOF waits for the disk may fsync once a second, and it is waited for", () => {
  const everySecond = { ...FIT, engine: "Redis 8.0.2", redisVersion: "8.0.2", appendfsync: "everysec" };
  assert.deepEqual(findUnfit(everySecond, ALL), []);
  assert.equal(answersBeforeDisk(everySecond), true);
  assert.equal(answersBeforeDisk({ ...everySecond, appendfsync: "always" }), false);
});

test("replicas are as many as the operator says, no fewer and no more", () => {
  assert.deepEqual(findUnfit({ ...FIT, replicas: 2 }, { ...ALL, replicas: 2 }), []);
  for (const replicas of [0, 1, 3, Number.NaN]) {
    const [unfit, ...others] = findUnfit({ ...FIT, replicas }, { ...ALL, replicas: 2 });
    assert.match(
      `${unfit?.lack}: ${unfit?.cure}`,
      /^has (\d|NaN) of 2 replicas .*: let exactly as many follow it, or change/,
    );
    assert.deepEqual(others, []);
  }
});

test("limits may lie wherever they can be written, whatever is forgotten there and whoever follows it (decision 0100)", () => {
  const forgetful = {
    appendonly: "no",
    appendfsync: "no",
    noAppendfsyncOnRewrite: "yes",
    maxmemoryPolicy: "allkeys-lru",
  };
  assert.deepEqual(findUnfit({ ...FIT, ...forgetful, replicas: 2 }, LIMITS), []);
  // An engine that lets no client read its settings.
  assert.deepEqual(findUnfit(readSettings(INFO, []), LIMITS), []);
  for (const change of [{ redisVersion: "6.2.7" }, { mode: "cluster" }, { role: "slave" }]) {
    assert.equal(findUnfit({ ...FIT, ...change }, LIMITS).length, 1, JSON.stringify(change));
  }
});
