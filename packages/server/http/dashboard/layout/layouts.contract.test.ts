import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { SystemData } from "@stile/protocol/dashboard-api";
import type { BakeDraftData, BakedData, LayoutsData, ScenesData } from "@stile/protocol/dashboard-layouts";
import { callDashboard, newAccount, newMember, newSession } from "@stile/testkit/contract/dashboard";
import { startInProcess, type TimedFixture } from "@stile/testkit/contract/service-fixtures";

const CHROMIUM =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0";
const DAY_MS = 86_400_000;

const fixture: TimedFixture = await startInProcess({ STILE_DEMO: "off" });
after(() => fixture.stop());
const account = await newAccount(fixture);
const { admin } = account.members;

type Sent = { readonly cookie?: string; readonly headers?: Readonly<Record<string, string>> };
const call = (userAgent: string, path: string, body?: object, { cookie = admin.cookie, headers = {} }: Sent = {}) =>
  callDashboard(fixture, {
    method: body === undefined ? "GET" : "POST",
    path,
    cookie,
    headers: { "user-agent": userAgent, ...headers },
    ...(body && { body }),
  });

async function look(userAgent = CHROMIUM): Promise<LayoutsData> {
  return (await call(userAgent, "layouts")).body.data as unknown as LayoutsData;
}

async function begin(userAgent: string, isFresh: boolean): Promise<BakeDraftData> {
  const { status, body } = await call(userAgent, "layouts/drafts", { isFresh });
  assert.equal(status, 200);
  return body.data as unknown as BakeDraftData;
}

/** All scenes of a draft, read as the dashboard reads them. */
async function readAll({ draft, scenes }: BakeDraftData): Promise<string[]> {
  const texts: string[] = [];
  while (texts.length < scenes) {
    const { body } = await call(CHROMIUM, `layouts/scenes?draft=${draft}&at=${texts.length}`);
    texts.push(...(body.data as unknown as ScenesData).texts);
  }
  return texts;
}

/** The answers of a made-up engine: one read, the same in every scene, differs. */
const answer = (texts: readonly string[], differing: number): Buffer =>
  Buffer.from(texts.flatMap(() => Array.from({ length: 16 }, (_, at) => (at === differing ? 3 : 2 + at))));
const hand = (userAgent: string, { draft }: BakeDraftData, reads: Buffer) =>
  call(userAgent, "layouts", { draft, reads: reads.toString("base64url") });

test("a browser makes the bank, another one adds its answers, and the scenes grow no younger by it", async () => {
  assert.deepEqual((await look()).bank, null);
  assert.deepEqual((await look()).browser, { name: "Chromium 156", isNew: true });
  const draft = await begin(CHROMIUM, false);
  assert.deepEqual([draft.scenes, draft.browser], [2000, "Chromium 156"]);
  const texts = await readAll(draft);
  assert.equal(new Set(texts).size, 2000);
  const made = await hand(CHROMIUM, draft, answer(texts, -1));
  assert.deepEqual([made.status, (made.body.data as unknown as BakedData).browsers], [200, ["Chromium"]]);
  const drawnAtMs = fixture.clock.nowMs();

  fixture.clock.advance(600_000);
  const asked = await begin(FIREFOX, false);
  assert.deepEqual(await readAll(asked), texts);
  const both = await hand(FIREFOX, asked, answer(texts, 14));
  assert.deepEqual(both.body.data, { scenes: 2000, browsers: ["Chromium", "Firefox"] });
  const { bank, browser } = await look(FIREFOX);
  assert.deepEqual(bank, { scenes: 2000, drawnAtMs, browsers: ["Chromium", "Firefox"] });
  assert.deepEqual(browser, { name: "Firefox 153", isNew: false });
  const [stored] = await fixture.store.layoutBanks.listBanks();
  assert.equal(stored?.scenes[7]?.answers.gecko?.reads[14], 3);
  const entries = await fixture.store.auditLog.list(account.accountId, { limit: 2 });
  assert.deepEqual(
    entries.map(({ action, subject }) => `${action} ${subject}`),
    ["layouts_baked Firefox 153", "layouts_baked Chromium 156"],
  );
});

test("of two that answer at once the second is told to begin again, and undoes nothing", async () => {
  const [one, other] = [await begin(CHROMIUM, true), await begin(FIREFOX, true)];
  const reads = answer(await readAll(one), -1);
  const [first, second] = [await hand(CHROMIUM, one, reads), await hand(FIREFOX, other, reads)];
  assert.deepEqual([first.status, second.status], [200, 409]);
  assert.match(second.body.error?.message ?? "", /^Another browser changed the pages meanwhile\. Start again/);
  assert.equal((await call(FIREFOX, `layouts/scenes?draft=${other.draft}&at=0`)).status, 409);
  assert.deepEqual((await look()).bank?.browsers, ["Chromium"]);
});

test("of answers that come at once one is compared at a time, a few wait, and the rest is refused: each takes a core's half second", async () => {
  const draft = await begin(FIREFOX, true);
  const untouched = Buffer.alloc(16 * draft.scenes);
  const handed = await Promise.all(Array.from({ length: 12 }, () => hand(FIREFOX, draft, untouched)));
  const statuses = handed.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [...Array(5).fill(400), ...Array(7).fill(429)]);
  assert.equal(handed.find(({ status }) => status === 429)?.headers["retry-after"], "5");
  assert.equal((await hand(FIREFOX, draft, untouched)).status, 400, "and then it goes on");
});

test("answers that no browser gives change nothing", async () => {
  const before = await fixture.store.layoutBanks.newestVersion();
  fixture.clock.advance(1000);
  const draft = await begin(FIREFOX, false);
  const right = answer(await readAll(draft), 14);
  const shuffled = Buffer.from(right.map((value, at) => (at % 7 === 0 ? value + 1 : value)));
  const impossible = Buffer.from(right.map((value, at) => (at === 3 ? 64 : value)));
  const untouched = Buffer.alloc(right.length);
  const wrong = [shuffled, impossible, untouched, right.subarray(16), Buffer.concat([right, Buffer.alloc(16)])];
  for (const [at, reads] of wrong.entries()) assert.equal((await hand(FIREFOX, draft, reads)).status, 400, `${at}`);
  assert.equal((await call(FIREFOX, "layouts", { draft: draft.draft, reads: "=?" })).status, 400);
  assert.equal((await call(FIREFOX, "layouts", { draft: draft.draft, reads: "A".repeat(70_000) })).status, 413);
  for (const userAgent of ["curl/8", FIREFOX.replaceAll("153.0", "90.0")]) {
    assert.equal((await hand(userAgent, draft, right)).status, 400);
    assert.equal((await call(userAgent, "layouts/drafts", { isFresh: true })).status, 400);
  }
  assert.equal((await look("curl/8")).browser, null);
  assert.equal(await fixture.store.layoutBanks.newestVersion(), before);
  assert.equal((await hand(FIREFOX, draft, right)).status, 200);
});

test("a draft is of one member, and of a day", async () => {
  const draft = await begin(CHROMIUM, false);
  const neighbour = await newSession(fixture, await newMember(fixture, account.accountId, "admin"));
  const path = `layouts/scenes?draft=${draft.draft}&at=0`;
  assert.equal((await call(CHROMIUM, path, undefined, { cookie: neighbour.cookie })).status, 409);
  assert.equal((await call(CHROMIUM, path)).status, 200);
  fixture.clock.advance(DAY_MS);
  const { cookie } = await newSession(fixture, admin.member);
  assert.equal((await call(CHROMIUM, path, undefined, { cookie })).status, 409);
});

test("who may not change the installation is refused, and so is a page of another site", async () => {
  for (const { member } of [account.members.viewer, account.members.developer]) {
    const { cookie } = await newSession(fixture, member);
    for (const [path, body] of [
      ["layouts", undefined],
      ["layouts/drafts", { isFresh: true }],
      ["layouts/scenes?draft=x&at=0", undefined],
      ["layouts", { draft: "x", reads: "" }],
    ] as const) {
      assert.equal((await call(CHROMIUM, path, body, { cookie })).status, 403, path);
    }
  }
  const { cookie } = await newSession(fixture, admin.member);
  const forged = { cookie, headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" } };
  assert.equal((await call(CHROMIUM, "layouts/drafts", { isFresh: true }, forged)).status, 403);
  assert.equal((await call(CHROMIUM, "layouts", { draft: "x", reads: "" }, forged)).status, 403);
});

test("whether layouts count by themselves is told to whoever may look at a site", async () => {
  const { cookie } = await newSession(fixture, account.members.viewer.member);
  const release = { release: "Chromium 156", near: 200, nearShare: 199, low: 0, lowShare: 0 };
  await fixture.store.layoutVotes.addVotes([release], Date.now());
  const { cookie: adminsCookie } = await newSession(fixture, admin.member);
  const seen = await call(CHROMIUM, "layouts", undefined, { cookie: adminsCookie });
  const { data } = (await call("curl/8", "layouts/gate", undefined, { cookie })).body;
  const needed = { engines: 2, visits: 200, share: 0.98 };
  assert.deepEqual(data, { isOpen: true, engines: 2, visits: 200, share: 0.995, fallen: [], needed });
  assert.deepEqual((seen.body.data as unknown as LayoutsData).gate, data);
  const { findings } = (await call(CHROMIUM, "system", undefined, { cookie: adminsCookie })).body
    .data as unknown as SystemData;
  const told = findings.find(({ text }) => text.startsWith("Proof of browser"));
  const words = "Live: 200 visits agree in 99.5 % of their reads.";
  assert.deepEqual(told, { level: "ok", text: `Proof of browser, at sites set to Automatic: ${words}` });
});
