import assert from "node:assert/strict";
import { test } from "node:test";
import type { SystemData } from "@stile/protocol/dashboard-api";
import { SECURITY_EVENTS, type SecurityEvent } from "@stile/protocol/dashboard-events";
import { renderPage, textOf } from "@stile/testkit/page/render-page";
import { memberWithRole } from "@stile/testkit/page/signed-in-member";
import { h } from "preact";
import { me } from "../../../ui/session.ts";

const { System, SystemPage } = await import("./system-page.tsx");
const { AuditPage } = await import("../audit/audit-page.tsx");
const now = Date.now();
const SYSTEM: SystemData = {
  version: "0.1.0",
  node: "26.10.0",
  startedAtMs: now - 3_600_000,
  nowMs: now,
  isStoreLate: false,
  store: { engine: "SQLite", durability: "strict", detail: "synchronous=FULL" },
  serviceKeys: [
    { keyId: 2, createdAtMs: now, isCurrent: true },
    { keyId: 1, createdAtMs: now - 86_400_000, isCurrent: false },
  ],
  baseUrl: "https://stile.example",
  isDemoOn: false,
  findings: [{ level: "ok", text: "The demo is off" }],
  securityEvents: [],
};
/** As read now: data read seconds ago would show a differing clock. */
const system = (more: Partial<SystemData> = {}) =>
  textOf(renderPage(h(System, { system: { ...SYSTEM, nowMs: Date.now(), ...more } })));

test("shows no warning for a quiet service, and says that nothing was refused", () => {
  const text = system();
  assert.doesNotMatch(text, /Warning/);
  assert.match(text, /Nothing has been refused since the service started\./);
  assert.match(text, /agrees with this browser's/);
  assert.match(text, /2 .* current 1 .* opens only/);
});

test("names the difference between the clocks, whichever is ahead", () => {
  for (const differenceMs of [120_000, -120_000]) {
    const text = system({ nowMs: Date.now() + differenceMs });
    assert.match(text, /differs from this browser's by 2 min/);
  }
});

test("warns of a disk that does not answer, and says what to do", () => {
  assert.match(
    system({ isStoreLate: true }),
    /Warning: The disk is not responding .* Check the disk/,
  );
});

test("shows doctor's findings in its own words, failures first and then warnings", () => {
  const text = system({
    findings: [
      { level: "ok", text: "All is well here" },
      { level: "warn", text: "A proxy is not declared.", fix: "Set STILE_TRUSTED_PROXIES." },
      { level: "fail", text: "No key fits.", fix: "Put it back." },
    ],
  });
  const checks =
    /Error No key fits\. Put it back\. Warning A proxy is not declared\. Set STILE_TRUSTED_PROXIES\. OK All is well here/;
  assert.match(text, checks);
});

test("describes every guarantee that a store can give", () => {
  for (const durability of ["strict", "crash-safe", "best-effort"]) {
    const text = system({ store: { engine: "SQLite", durability, detail: "x" } });
    assert.match(text, new RegExp(`Durability ${durability} .*[a-z]\\. Security`), durability);
  }
});

test("describes every security event, with its count and its last time", () => {
  const events = Object.keys(SECURITY_EVENTS) as SecurityEvent[];
  const text = system({
    securityEvents: events.map((event) => ({ event, count: 1204, lastAtMs: Date.now() - 60_000 })),
  });
  for (const event of events)
    assert.ok(text.includes(`${SECURITY_EVENTS[event]} 1,204 1 minute ago`), event);
});

test("shows a member without access only who may see the page", () => {
  for (const role of ["viewer", "developer"] as const) {
    me.value = memberWithRole(role);
    for (const [page, title] of [
      [SystemPage, "System"],
      [AuditPage, "Audit log"],
    ] as const) {
      assert.equal(
        textOf(renderPage(h(page, {}))),
        `${title} This page is for admins and owners of the account.`,
      );
    }
  }
});
