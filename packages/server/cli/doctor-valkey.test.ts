import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { after, type TestContext, test } from "node:test";
import type { Finding } from "@stile/protocol/dashboard-api";
import { openValkeyLimits } from "@stile/stores/valkey/valkey-limits";
import { openValkeyStore } from "@stile/stores/valkey/valkey-store";
import { temporaryFolder } from "@stile/testkit/postgres/node-on-postgres";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { runStile } from "@stile/testkit/service/run-command";
import { startValkey, type ThrowAwayValkey, type ValkeyPlan } from "@stile/testkit/valkey/throw-away-valkey";
import { diagnoseStore } from "../diagnosis/diagnosis.ts";

const postgres = await startPostgres({ isDurable: true });
after(postgres.stop);
const STILE_DATABASE_URL = postgres.createDatabase("doctor");

type Told = { readonly code: number | null; readonly findings: readonly Finding[]; readonly failures: number };

async function startEngine(context: TestContext, plan: ValkeyPlan): Promise<ThrowAwayValkey> {
  const engine = await startValkey(plan);
  context.after(engine.stop);
  return engine;
}

async function doctor({ url }: ThrowAwayValkey, further: Readonly<Record<string, string>> = {}): Promise<Told> {
  const settings = {
    ...further,
    STILE_DATABASE_URL,
    STILE_VALKEY_URL: url,
    STILE_DATA_DIR: temporaryFolder(),
    STILE_MASTER_KEY: randomBytes(32).toString("base64"),
    STILE_DEMO: "off",
  };
  const { code, stdout, stderr } = await runStile(["doctor", "--json"], settings);
  assert.equal(stderr, "");
  assert.doesNotMatch(stdout, /throw-away/);
  return { code, ...(JSON.parse(stdout) as Omit<Told, "code">) };
}

/** The findings about Valkey. */
const ofValkey = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ text }) => /Valkey at|(What is spent is|Limits of scores are) in/.test(text));

/** Runs the command of a finding as it is written, except for the password, which is passed in the environment. */
function runCommand(fix: string, { url }: ThrowAwayValkey): void {
  const [program = "", ...args] = fix.replace(/^Run: /, "").split(" ");
  const password = decodeURIComponent(new URL(url).password);
  const env = { ...process.env, REDISCLI_AUTH: password };
  const answer = execFileSync(
    program,
    args.filter((arg) => arg !== "--askpass"),
    { env, encoding: "utf8" },
  );
  assert.match(answer, /^OK/);
}

test("of a sound Valkey doctor says what it is set to, and the System page's checks say the same (D16)", async (context) => {
  const engine = await startEngine(context, { appendFsync: "always" });
  const told = await doctor(engine);
  assert.deepEqual([told.code, told.findings.filter(({ level }) => level !== "ok")], [0, []]);
  const [found, ...others] = ofValkey(told.findings);
  assert.deepEqual(others, []);
  assert.match(
    found?.text ?? "",
    /^What is spent is in (Redis|Valkey) \d+\.\d+\.\d+ at 127\.0\.0\.1:\d+, durability strict \(appendonly=yes, appendfsync=always, no-appendfsync-on-rewrite=no, maxmemory-policy=noeviction, replicas=0, run [0-9a-f]{8}\)$/,
  );
  const store = await openValkeyStore({ postgres: { url: STILE_DATABASE_URL }, url: engine.url });
  context.after(() => store.close());
  assert.deepEqual(ofValkey(diagnoseStore(await store.describe())), [found]);
});

test("everything that makes Valkey forget is a failure, with the command that mends it (D16)", async (context) => {
  const engine = await startEngine(context, {
    appendFsync: "off",
    settings: [
      ["no-appendfsync-on-rewrite", "yes"],
      ["maxmemory-policy", "allkeys-lru"],
    ],
  });
  const told = await doctor(engine);
  assert.deepEqual([told.code, told.failures], [1, 4]);
  const [line, ...unfit] = ofValkey(told.findings);
  assert.equal(line?.level, "warn");
  assert.match(line?.text ?? "", /durability best-effort \(appendonly=no, appendfsync=everysec, /);
  assert.equal(unfit.length, 4);
  for (const { level, fix } of unfit) {
    assert.equal(level, "fail");
    runCommand(fix ?? "", engine);
  }
  const mended = await doctor(engine);
  assert.deepEqual([mended.code, mended.failures], [0, 0]);
  assert.match(ofValkey(mended.findings)[0]?.text ?? "", /durability strict/);
});

test("settings that were changed, and memory that runs out, are told by a running node at once (D16)", async (context) => {
  const engine = await startEngine(context, { appendFsync: "always" });
  const store = await openValkeyStore({ postgres: { url: STILE_DATABASE_URL }, url: engine.url });
  context.after(() => store.close());
  const client = await engine.connect();
  await client.config("SET", "appendfsync", "no");
  await client.config("SET", "maxmemory", "1mb");
  const description = await store.describe();
  assert.equal(description.durability, "crash-safe");
  const told = ofValkey(diagnoseStore(description)).map(({ level, text }) => `${level} ${text}`);
  assert.equal(told.length, 3);
  assert.match(told[1] ?? "", /^fail .* has "appendfsync no" and may forget what was spent last/);
  assert.match(told[2] ?? "", /^warn .* uses \d+ % of its maxmemory; once that is full, nothing is redeemed\.$/);
});

test("a Valkey out of reach is told, by doctor and by a node that runs (D16)", async (context) => {
  const engine = await startEngine(context, { appendFsync: "always" });
  const store = await openValkeyStore({ postgres: { url: STILE_DATABASE_URL }, url: engine.url });
  context.after(() => store.close());
  await engine.kill();
  const told = await doctor(engine);
  assert.deepEqual([told.code, told.failures], [1, 1]);
  const sentence =
    /^The Valkey at 127\.0\.0\.1:\d+ can't be used \(.*ECONNREFUSED.*\); check STILE_VALKEY_URL, and that it runs\./;
  assert.match(ofValkey(told.findings)[0]?.text ?? "", sentence);
  const [ofNode] = ofValkey(diagnoseStore(await store.describe()));
  assert.equal(ofNode?.level, "fail");
  assert.match(ofNode?.text ?? "", /Until it is back, redemptions, submissions and scores are answered 503\.$/);
});

test("a clock far ahead, by which nothing is redeemed for long, is told with the command that ends it (D16)", async (context) => {
  const engine = await startEngine(context, { appendFsync: "always" });
  const nowMs = () => Date.now() + 3_600_000;
  const ahead = await openValkeyStore({ postgres: { url: STILE_DATABASE_URL }, url: engine.url, nowMs });
  await ahead.close();
  const told = await doctor(engine);
  assert.deepEqual([told.code, told.failures], [1, 1]);
  const found = told.findings.find(({ text }) => /^No token of the next 3\d\d\d s is redeemed: /.test(text));
  runCommand(found?.fix?.replace(/^.*, then run: /, "") ?? "", engine);
  const store = await openValkeyStore({ postgres: { url: STILE_DATABASE_URL }, url: engine.url });
  context.after(() => store.close());
  assert.equal((await doctor(engine)).failures, 0);
});

test("of a Valkey that holds limits alone nothing is demanded, and what is spent is as durable as PostgreSQL (D16)", async (context) => {
  const limits = { STILE_VALKEY_HOLDS: "limits" };
  const engine = await startEngine(context, { appendFsync: "off", settings: [["maxmemory-policy", "allkeys-lru"]] });
  const told = await doctor(engine, limits);
  assert.deepEqual([told.code, told.findings.filter(({ level }) => level !== "ok")], [0, []]);
  const [found, ...others] = ofValkey(told.findings);
  assert.deepEqual(others, []);
  assert.match(
    found?.text ?? "",
    /^Limits of scores are in (Redis|Valkey) \d+\.\d+\.\d+ at 127\.0\.0\.1:\d+, which may forget them \(replicas=0, run [0-9a-f]{8}\)$/,
  );
  const store = await openValkeyLimits({ postgres: { url: STILE_DATABASE_URL }, url: engine.url });
  context.after(() => store.close());
  const [first, ...further] = diagnoseStore(await store.describe());
  assert.match(first?.text ?? "", /^Store PostgreSQL \d+[^,]*, durability strict \(/);
  assert.deepEqual(ofValkey(further), [found]);
  await engine.kill();
  const away = await doctor(engine, limits);
  assert.deepEqual([away.code, away.failures], [1, 1]);
  const [ofNode] = ofValkey(diagnoseStore(await store.describe()));
  assert.equal(ofNode?.level, "fail");
  assert.match(
    ofNode?.text ?? "",
    /Until it is back, PostgreSQL counts the limits of scores, and no request is refused/,
  );
});
