import assert from "node:assert/strict";
import { test } from "node:test";
import type { SecretKeyData, SiteData } from "@stile/protocol/dashboard-api";
import { actionsOf, drawn, fieldsOf, renderPage, textOf } from "@stile/testkit/page/render-page";
import { memberWithRole } from "@stile/testkit/page/signed-in-member";
import { h } from "preact";
import { me } from "../../../ui/session.ts";

const { Keys } = await import("./keys-page.tsx");
const { NewSecret } = await import("./new-secret.tsx");

const HOUR = 3_600_000;
const now = Date.now();
const ACTIVE: SecretKeyData = {
  lastFour: "new1",
  createdAtMs: now - 5 * HOUR,
  state: "active",
  deadAtMs: null,
  lastUsedAtMs: null,
};
const REPLACED: SecretKeyData = {
  lastFour: "old1",
  createdAtMs: now - 90 * HOUR,
  state: "grace",
  // Read when a test runs, which may be minutes after this file was loaded.
  get deadAtMs() {
    return Date.now() + 19 * HOUR;
  },
  lastUsedAtMs: now - 6 * HOUR,
};
const site = (secretKeys: readonly SecretKeyData[]): SiteData => ({
  name: "Shop",
  domains: ["shop.example"],
  mode: "managed",
  theme: "auto",
  language: "auto",
  isEnabled: true,
  tokenLifeSeconds: 300,
  binding: "strict",
  thresholds: { challenge: 0.3, block: 0.6 },
  difficultyOffset: 0,
  signedAgents: "judge" as const,
  verifyPerMinute: null,
  scorePerMinute: null,
  scoreSignals: "expected",
  onUnavailable: "submit",
  noScript: "off",
  contact: "",
  siteKey: "pk_1",
  createdAtMs: 0,
  revision: 1,
  secretKeys,
});
const keys = (secretKeys: readonly SecretKeyData[]) =>
  renderPage(h(Keys, { site: site(secretKeys), reload: () => {} }));

test("shows the public key in full, and only the end of a secret one (D13, formats)", () => {
  me.value = memberWithRole("admin");
  const markup = keys([ACTIVE, REPLACED]);
  assert.deepEqual(
    drawn(markup, "code").map(({ text }) => text),
    ["pk_1", "…new1", "…old1"],
  );
});

test("lists the active key first, in any order of the answer, and says when a replaced one dies (D12, states)", () => {
  const rows = drawn(keys([REPLACED, ACTIVE]), "tr").slice(1);
  assert.match(rows[0]?.text ?? "", /^…new1 Active 5 hours ago never –$/);
  assert.match(rows[1]?.text ?? "", /^…old1 Replaced .* 6 hours ago (19 h|18 h 59 min)$/);
});

test("warns of a forgotten server if a replaced key was used after the new one was made, and only then", () => {
  const warns = (lastUsedAtMs: number | null) =>
    textOf(keys([ACTIVE, { ...REPLACED, lastUsedAtMs }])).includes("Warning");
  assert.equal(warns(now - 6 * HOUR), false, "used before it was replaced");
  assert.equal(warns(null), false, "never used");
  assert.equal(warns(now - HOUR), true);
  assert.match(
    textOf(keys([ACTIVE, { ...REPLACED, lastUsedAtMs: now - HOUR }])),
    /last used 1 hour ago ?\. If that was your server, give it/,
  );
  assert.doesNotMatch(textOf(keys([{ ...ACTIVE, lastUsedAtMs: now - HOUR }])), /Warning/);
});

test("counts the latest use of several replaced keys", () => {
  const older = {
    ...REPLACED,
    lastFour: "old2",
    createdAtMs: now - 95 * HOUR,
    lastUsedAtMs: now - 2 * HOUR,
  };
  assert.match(
    textOf(keys([ACTIVE, { ...REPLACED, lastUsedAtMs: now - 3 * HOUR }, older])),
    /last used 2 hours ago/,
  );
});

test("lets admins rotate, and offers to revoke only if there is something to revoke", () => {
  const enabled = (markup: string) =>
    drawn(markup, "button").flatMap(({ attributes, text }) =>
      "disabled" in attributes || text === "Copy" ? [] : [text],
    );
  me.value = memberWithRole("admin");
  assert.deepEqual(enabled(keys([ACTIVE])), ["Rotate the secret key"]);
  assert.deepEqual(enabled(keys([ACTIVE, REPLACED])), [
    "Rotate the secret key",
    "Revoke replaced keys now",
  ]);
  me.value = memberWithRole("developer");
  assert.deepEqual(enabled(keys([ACTIVE, REPLACED])), []);
  assert.match(textOf(keys([ACTIVE])), /This needs the admin role\./);
});

test("shows a new secret key whole, to copy, and asks before the page is left until it is stored", () => {
  const secretKey = `sk_${"a".repeat(49)}`;
  const fresh = { site: site([ACTIVE]), secretKey };
  const markup = renderPage(h(NewSecret, { fresh, onDone: () => {} }));
  assert.ok(drawn(markup, "code").some(({ text }) => text === secretKey));
  assert.deepEqual(actionsOf(markup), ["Copy: Site key", "Copy: Secret key", "Done"]);
  assert.ok("disabled" in (drawn(markup, "button").at(-1)?.attributes ?? {}));
  assert.deepEqual([...fieldsOf(markup).keys()], ["I have stored the secret key"]);
  assert.equal(actionsOf(renderPage(h(NewSecret, { fresh }))).at(-1), "Next: install");
});
