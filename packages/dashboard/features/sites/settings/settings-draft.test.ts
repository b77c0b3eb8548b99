import assert from "node:assert/strict";
import { test } from "node:test";
import type { SiteData, SiteSettingsData } from "@stile/protocol/dashboard-api";
import { findChange, mergeSettings, toSettings } from "./settings-draft.ts";

const BASE: SiteSettingsData = {
  name: "Shop",
  domains: ["example.org"],
  mode: "managed",
  theme: "auto",
  language: "auto",
  isEnabled: true,
  tokenLifeSeconds: 300,
  binding: "strict",
  thresholds: { challenge: 0.3, block: 0.6 },
  difficultyOffset: 0,
  signedAgents: "judge",
  verifyPerMinute: null,
  scorePerMinute: null,
  scoreSignals: "expected",
  onUnavailable: "submit",
  noScript: "off",
  contact: "",
};

/** A different value for every setting. */
const OTHER: SiteSettingsData = {
  name: "Store",
  domains: ["example.org", "example.com"],
  mode: "invisible",
  theme: "dark",
  language: "de",
  isEnabled: false,
  tokenLifeSeconds: 60,
  binding: "off",
  thresholds: { challenge: 0.3, block: 0.7 },
  difficultyOffset: 1,
  signedAgents: "let_through",
  verifyPerMinute: 10,
  scorePerMinute: 20,
  scoreSignals: "none",
  onUnavailable: "block",
  noScript: "wait",
  contact: "help@shop.example",
};

const FIELDS = Object.keys(BASE) as (keyof SiteSettingsData)[];

test("sends exactly the settings that were changed, each of them", () => {
  assert.deepEqual(findChange(BASE, structuredClone(BASE)), {});
  assert.deepEqual(findChange(BASE, OTHER), OTHER);
  for (const field of FIELDS) {
    assert.deepEqual(findChange(BASE, { ...BASE, [field]: OTHER[field] }), {
      [field]: OTHER[field],
    });
  }
});

test("takes the settings of a site without its keys and its revision", () => {
  const site: SiteData = { ...OTHER, siteKey: "pk_x", createdAtMs: 1, revision: 7, secretKeys: [] };
  assert.deepEqual(toSettings(site), OTHER);
});

test("merges changes of different settings without a conflict", () => {
  const mine = { ...BASE, theme: "dark" } as const;
  const theirs = { ...BASE, name: "Store" };
  assert.deepEqual(mergeSettings(BASE, mine, theirs), {
    merged: { ...BASE, theme: "dark", name: "Store" },
    conflicts: [],
  });
});

test("keeps mine and shows theirs for each setting that both changed", () => {
  for (const field of FIELDS.filter((name) => name !== "isEnabled")) {
    const mine = { ...BASE, [field]: OTHER[field] };
    const theirs = {
      ...BASE,
      [field]: field === "thresholds" ? { challenge: 0.1, block: 0.2 } : "third",
    };
    const { merged, conflicts } = mergeSettings(
      BASE,
      mine as SiteSettingsData,
      theirs as SiteSettingsData,
    );
    assert.deepEqual(merged[field], OTHER[field]);
    assert.deepEqual(conflicts, [{ field, mine: OTHER[field], theirs: theirs[field] }]);
  }
});

test("finds no conflict in the same change by both", () => {
  assert.deepEqual(mergeSettings(BASE, OTHER, structuredClone(OTHER)), {
    merged: OTHER,
    conflicts: [],
  });
});

test("keeps all their changes to settings that I did not change", () => {
  assert.deepEqual(mergeSettings(BASE, BASE, OTHER), { merged: OTHER, conflicts: [] });
});
