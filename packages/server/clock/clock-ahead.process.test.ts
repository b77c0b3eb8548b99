import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import {
  newEntry,
  newLink,
  newMember,
  seedSession,
} from "@stile/stores/contract/account/account-fixtures";
import { startListeningNode, temporaryFolder } from "@stile/testkit/postgres/node-on-postgres";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { composePorts } from "../compose/compose-ports.ts";
import { jobsOf } from "../jobs/jobs.ts";
import { createLog } from "../telemetry/log.ts";

const engine = await startPostgres({ isDurable: false });
after(engine.stop);
let made = 0;

const MASTER_KEY = randomBytes(32);
const DAY_MS = 86_400_000;

const newSettings = () => ({
  STILE_DATABASE_URL: engine.createDatabase(`clock_${++made}`),
  STILE_MASTER_KEY: MASTER_KEY.toString("base64"),
  STILE_DATA_DIR: temporaryFolder(),
});

test("ends no other node's tokens or sessions, and does not advance the shared time, if a node's clock is hours ahead (D3, single use)", async (context) => {
  const { store, sitePorts } = (await startListeningNode(context, newSettings())).service;
  const [account] = await store.sites.listAccounts();
  const [site] = await store.sites.listSites(account?.accountId ?? "");
  assert.ok(site);
  const nowMs = sitePorts.clock.nowMs();
  const spend = async (issuedAtMs: number): Promise<string> => {
    const token = {
      siteKey: site.siteKey,
      tokenId: randomBytes(12),
      retainUntilMs: issuedAtMs + 360_000,
    };
    const asked = {
      siteRevision: site.revision,
      issuedAtMs,
      nowMs,
      perMinute: 60,
      repeatDigest: undefined,
    };
    const counted = { isRepeatOnly: false, onSpent: [], onReplayed: [] };
    return (await store.tokens.redeem({ ...token, ...asked, ...counted })).kind;
  };
  const member = newMember({ accountId: site.accountId });
  const link = newLink({ accountId: site.accountId, expiresAtMs: nowMs + 60_000 });
  await store.links.insertLink(link);
  assert.equal(await store.links.join(link.tokenDigest, nowMs, member, newEntry()), "stored");
  const session = await seedSession(store, member, { createdAtMs: nowMs, lastSeenAtMs: nowMs });
  // The node's own token, and one of another node.
  assert.deepEqual([await spend(nowMs + 7_200_000), await spend(nowMs)], ["spent", "spent"]);
  const clock = { nowMs: () => nowMs + 3 * 3_600_000 };
  const nothing = async (): Promise<void> => {};
  const jobs = jobsOf({
    store,
    clock,
    retention: clock,
    refreshKeys: nothing,
    exchange: undefined,
    followStore: undefined,
    ofParts: [],
    refreshNetworkLists: () => {},
    flushSecurityEvents: nothing,
  });
  for (const job of jobs) await job.run();
  assert.equal(await spend(nowMs - 1), "spent", "a visitor's token that is as fresh as any");
  assert.ok(await store.sessions.findSession(session.tokenDigest));
  assert.ok(
    (await store.housekeeping.newestMs()) < nowMs + 3_600_000,
    "the next start continues from now",
  );
});

test("keeps the service keys that other nodes still seal with, if a node's clock is days ahead (D4, sealed token)", async (context) => {
  const { store, sitePorts } = (await startListeningNode(context, newSettings())).service;
  const nowMs = sitePorts.clock.nowMs();
  const portsAt = (aheadMs: number) =>
    composePorts({
      store,
      masterKey: MASTER_KEY,
      log: createLog("silent"),
      clock: { nowMs: () => nowMs + aheadMs },
      networkLists: { find: () => ({ isDatacenter: false, isTor: false }) },
    });
  // The key is new to all other nodes. For a clock 40 days ahead its successor is due, and later
  // its own removal.
  for (const days of [40, 43]) await portsAt(days * DAY_MS);
  const keys = await store.serviceKeys.listServiceKeys();
  assert.deepEqual(
    keys.map(({ keyId, createdAtMs }) => [keyId, createdAtMs <= nowMs + DAY_MS]),
    [[1, true]],
  );
});
