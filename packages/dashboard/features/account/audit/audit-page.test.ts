import assert from "node:assert/strict";
import { test } from "node:test";
import { AUDIT_ACTIONS, type AuditData } from "@stile/protocol/dashboard-events";
import { drawn, renderPage } from "@stile/testkit/page/render-page";
import { h } from "preact";
import { formatDateTime } from "../../../ui/format.ts";

const { AuditTable } = await import("./audit-page.tsx");

const now = Date.now();
const entry = (more: Partial<AuditData>): AuditData => ({
  entryId: 1,
  atMs: now - 60_000,
  actor: "Ada",
  action: "site_updated",
  subject: "Shop",
  changes: [],
  ...more,
});
const audit = (more: Partial<AuditData>) => {
  const markup = renderPage(h(AuditTable, { entries: [entry(more)] }));
  return [...drawn(markup, "th"), ...drawn(markup, "td")].slice(4).map(({ text }) => text);
};

test("shows for each entry the time, the actor, the action with its subject, and each change from and to", () => {
  const changes = [
    { field: "isEnabled", before: true, after: false },
    { field: "domains", before: ["a.example"], after: [] },
  ];
  assert.deepEqual(audit({ changes }), [
    formatDateTime(now - 60_000),
    "Ada",
    "Changed the site Shop",
    "Enabled: yes → no Domains: a.example → nothing",
  ]);
});

test("shows every action in words and an unknown one by its name, and markup from strangers as text", () => {
  for (const [action, words] of Object.entries(AUDIT_ACTIONS)) {
    assert.equal(
      audit({ action: action as AuditData["action"], subject: "<b>" })[2],
      `${words} <b>`,
    );
  }
  for (const action of ["of_tomorrow", "constructor"]) {
    assert.equal(audit({ action: action as AuditData["action"] })[2], `${action} Shop`);
  }
});
