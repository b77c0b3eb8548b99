import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DEFAULT_SETTINGS } from "@stile/core/domain/site/site-settings";
import { DASHBOARD_ROUTES } from "@stile/server/http/dashboard/routes";
import { fieldName, subjectWords, toWords } from "./audit-words.ts";

test("puts every kind of changed value into words", () => {
  const table: [unknown, string][] = [
    [null, "nothing"],
    [undefined, "nothing"],
    ["", "nothing"],
    [[], "nothing"],
    [true, "yes"],
    [false, "no"],
    [0, "0"],
    [0.35, "0.35"],
    ["strict", "strict"],
    [["a.example", "b.example"], "a.example, b.example"],
    [{ challenge: 0.3, block: 0.6 }, "challenge 0.3, block 0.6"],
  ];
  for (const [value, words] of table) assert.equal(toWords("anything", value), words);
});

test("names a setting's new value as the settings page does, and shows unnamed values as they are", () => {
  const table: [string, unknown, string][] = [
    ["mode", "non_interactive", "Non-interactive"],
    ["theme", "auto", "Same as the visitor's system"],
    ["binding", "strict_family", "Exact"],
    ["scoreSignals", "none", "Never collected"],
    ["onUnavailable", "block", "Hold the form"],
    ["noScript", "wait", "Wait for a token"],
    ["signedAgents", "judge", "Score them"],
    ["difficultyOffset", 2, "Four times the work"],
    ["mode", "toString", "toString"],
    ["name", "managed", "managed"],
    ["constructor", "name", "name"],
  ];
  for (const [field, value, words] of table) assert.equal(toWords(field, value), words);
});

test("keeps a site with 50 long domains from flooding the log", () => {
  const domains = Array.from({ length: 50 }, (_, i) => `${"a".repeat(60)}${i}.example`);
  assert.ok(toWords("domains", domains).length <= 201);
  assert.ok(toWords("domains", domains).endsWith("…"));
});

test("names fields for people, and shows an unknown one as it is, even one named like a member of every object", () => {
  assert.equal(fieldName("isEnabled"), "Enabled");
  assert.equal(fieldName("somethingNew"), "somethingNew");
  assert.equal(fieldName("constructor"), "constructor");
  assert.equal(fieldName("__proto__"), "__proto__");
});

test("has a name for people for every setting of a site", () => {
  for (const field of ["name", "domains", ...Object.keys(DEFAULT_SETTINGS)])
    assert.notEqual(fieldName(field), field);
});

test("has words for every route that may refuse a role, or too many changes", () => {
  const refusing = DASHBOARD_ROUTES.filter(
    (route) =>
      route.role !== "anyone" &&
      (route.role !== "viewer" || (route.method !== "GET" && !route.mayLackFactor)),
  );
  assert.ok(refusing.length > 20);
  for (const { method, path } of refusing) {
    const route = `${method} ${path}`;
    const words = subjectWords("role_denied", route);
    assert.notEqual(words, route, route);
    assert.equal(
      subjectWords("changes_limited", `${route} (12 times more)`),
      `${words} (12 times more)`,
    );
  }
});

test("keeps no words for a route that no longer exists", () => {
  const known = new Set(DASHBOARD_ROUTES.map(({ method, path }) => `${method} ${path}`));
  const source = readFileSync(join(import.meta.dirname, "audit-words.ts"), "utf8");
  const named = [...source.matchAll(/^ {2}"([A-Z]+ [^"]+)":/gm)].map(([, route = ""]) => route);
  assert.ok(named.length > 10);
  for (const route of named) assert.ok(known.has(route), route);
});

test("leaves a subject that is not a route as it is: names of sites and members are not looked up", () => {
  for (const subject of [
    "Shop",
    "GET it now",
    "constructor",
    "POST",
    "PATCH __proto__",
    "",
    "Ada (ada@example.org)",
  ]) {
    assert.equal(subjectWords("role_denied", subject), subject);
  }
  // A member who names a site chooses the text of its entries, but not which action they record.
  assert.equal(subjectWords("site_deleted", "DELETE members/:userId"), "DELETE members/:userId");
});
