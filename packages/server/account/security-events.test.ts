import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuditEntry, OPERATOR } from "@stile/core/domain/account/audit";
import { createMemoryStore } from "@stile/testkit/memory-store/memory-store";
import { createClock, NOON_MS } from "@stile/testkit/world/world";
import { pino } from "pino";
import { createSecurityEvents } from "./security-events.ts";

const MINUTE_MS = 60_000;

function underTest() {
  const clock = createClock(NOON_MS);
  const { auditLog } = createMemoryStore();
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(line) });
  const events = createSecurityEvents({ clock, auditLog, log });
  const entry = (subject: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
    accountId: "acc_1",
    atMs: clock.nowMs(),
    actor: OPERATOR,
    siteKey: null,
    changes: [],
    action: "sign_in_failed",
    subject,
    ...more,
  });
  const written = async (): Promise<readonly string[]> =>
    (await auditLog.list("acc_1", { limit: 1000 })).map(({ subject }) => subject).reverse();
  return { clock, auditLog, lines, events, entry, written };
}

test("turns one event into one count, one log line that names nobody, and one audit log entry", async () => {
  const { clock, lines, events, entry, written } = underTest();
  events.record("sign_in_failed", entry("ada@example.org"));
  clock.advance(10 * MINUTE_MS);
  await events.flush();
  await events.close();
  assert.deepEqual(await written(), ["ada@example.org"]);
  assert.deepEqual(events.counts(), [{ event: "sign_in_failed", count: 1, lastAtMs: NOON_MS }]);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    [
      {
        ...{ level: 40, event: "sign_in_failed", count: 1 },
        msg: "Security event: `event`. See the System page of the dashboard.",
      },
    ],
  );
});

test("writes two entries per period in a flood: the first event at once, and the number of further ones", async () => {
  const { clock, lines, events, entry, written } = underTest();
  for (let n = 0; n < 1000; n++) events.record("sign_in_failed", entry("ada@example.org"));
  assert.deepEqual(await written(), ["ada@example.org"]);
  clock.advance(MINUTE_MS - 1);
  await events.flush();
  assert.equal((await written()).length, 1, "the minute is not over");
  clock.advance(1);
  await events.flush();
  await events.flush();
  assert.deepEqual(await written(), [
    "ada@example.org",
    "ada@example.org (999 more times soon after)",
  ]);
  assert.equal(lines.length, 2);
  assert.equal(events.counts()[0]?.count, 1000);
});

test("writes the held-back number before a new period begins with the next event", async () => {
  const { clock, events, entry, written } = underTest();
  for (let n = 0; n < 2; n++) events.record("sign_in_failed", entry("ada@example.org"));
  clock.advance(MINUTE_MS);
  events.record("sign_in_failed", entry("ada@example.org"));
  const told = ["ada@example.org", "ada@example.org (once more soon after)", "ada@example.org"];
  assert.deepEqual(await written(), told);
  events.record("sign_in_failed", entry("ada@example.org"));
  await events.close();
  assert.deepEqual(
    await written(),
    [...told, "ada@example.org (once more soon after)"],
    "a stop loses nothing",
  );
});

test("reports a reached limit once a quarter of an hour", async () => {
  const { clock, events, entry, written } = underTest();
  for (let minute = 0; minute < 30; minute++) {
    events.record("sign_in_limited", entry("ada@example.org", { action: "sign_in_limited" }));
    clock.advance(MINUTE_MS);
    await events.flush();
  }
  assert.equal((await written()).length, 4);
});

test("keeps accounts, members and kinds of events apart", async () => {
  const { auditLog, events, entry, written } = underTest();
  events.record("sign_in_failed", entry("ada@example.org"));
  events.record("sign_in_failed", entry("bob@example.org"));
  events.record("sign_in_limited", entry("ada@example.org"));
  events.record("sign_in_failed", entry("ada@example.org", { accountId: "acc_2" }));
  assert.equal((await written()).length, 3);
  assert.equal((await auditLog.list("acc_2", { limit: 10 })).length, 1);
});

test("writes the oldest actor's held-back events before it drops that actor, so that no count is lost", async () => {
  const { events, entry, written } = underTest();
  for (let n = 0; n < 2; n++) events.record("sign_in_failed", entry("ada@example.org"));
  for (let n = 0; n < 10_000; n++)
    events.record("sign_in_failed", entry(`m${n}@example.org`, { accountId: "acc_2" }));
  assert.deepEqual(await written(), ["ada@example.org", "ada@example.org (once more soon after)"]);
});

test("logs a failed write and continues", async () => {
  const lines: string[] = [];
  const { auditLog, entry, clock } = underTest();
  const failing = { ...auditLog, append: () => Promise.reject(new Error("disk full")) };
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const events = createSecurityEvents({ clock, auditLog: failing, log });
  events.record("role_denied", entry("DELETE sites/:siteKey", { action: "role_denied" }));
  await events.close();
  assert.match(
    lines.at(-1) ?? "",
    /A security event could not be written to the audit log. Check the database./,
  );
});
