import assert from "node:assert/strict";
import { test } from "node:test";
import { API_ERROR_CODES } from "./api-error-codes.ts";
import { DASHBOARD_ERROR_CODES } from "./dashboard-api.ts";
import { AUDIT_ACTIONS, SECURITY_EVENTS } from "./dashboard-events.ts";
import {
  DECISION_FILTERS,
  DECISION_LABELS,
  DEVICE_CLASSES,
  DOOR_REASONS,
  RANGES,
  RESOLUTIONS,
} from "./dashboard-statistics.ts";
import { RECOMMENDATIONS } from "./site-settings.ts";

test("every refusal says in whole sentences what is wrong, and no two are alike", () => {
  const meanings = Object.entries(DASHBOARD_ERROR_CODES).map(([code, { meaning }]) => {
    assert.match(meaning, /^[A-Z][^\n]*\.$/, code);
    return meaning;
  });
  assert.equal(new Set(meanings).size, meanings.length);
});

test("every refusal has a status of HTTP's own meaning: 401 if a sign-in is needed, 403 if it is forbidden", () => {
  const byStatus = Map.groupBy(
    Object.entries(DASHBOARD_ERROR_CODES),
    ([, { status }]): number => status,
  );
  const codesOf = (status: number) => byStatus.get(status)?.map(([code]) => code) ?? [];
  assert.deepEqual(codesOf(401), ["not_signed_in", "wrong_credentials", "second_factor_needed"]);
  assert.deepEqual(codesOf(409), ["name_taken", "conflict", "factor_missing", "last_owner"]);
  assert.deepEqual(codesOf(404), ["not_found", "link_expired"]);
  for (const code of ["not_allowed", "step_up_needed", "second_factor_demanded"]) {
    assert.ok(codesOf(403).includes(code), code);
  }
  for (const status of byStatus.keys()) assert.ok(status >= 400 && status <= 599, String(status));
});

test("a code that the public interface also has gets the same status there (D11, errors)", () => {
  const shared = Object.entries(DASHBOARD_ERROR_CODES).filter(([code]) =>
    Object.hasOwn(API_ERROR_CODES, code),
  );
  assert.ok(shared.length >= 6);
  for (const [code, { status }] of shared) {
    assert.equal(status, API_ERROR_CODES[code as keyof typeof API_ERROR_CODES].status, code);
  }
});

test("the audit log's actions are in snake case, and its labels and those of security events are unique", () => {
  for (const [name, label] of Object.entries(AUDIT_ACTIONS)) {
    assert.match(name, /^[a-z]+(_[a-z]+)*$/);
    assert.match(label, /^[A-Z][a-z]+( [a-z-]+)*:?$/, name);
  }
  assert.equal(new Set(Object.values(AUDIT_ACTIONS)).size, Object.keys(AUDIT_ACTIONS).length);
  for (const [name, label] of Object.entries(SECURITY_EVENTS))
    assert.match(label, /^[A-Z][^.]+$/, name);
  assert.equal(new Set(Object.values(SECURITY_EVENTS)).size, Object.keys(SECURITY_EVENTS).length);
});

const HOURS = { minute: 1 / 60, hour: 1, day: 24 } as const;
/** How long counts are kept in each resolution: 48 h, 90 days, 13 months of at most 31 days. */
const KEPT_HOURS = { minute: 48, hour: 90 * 24, day: 13 * 31 * 24 } as const;

test("a range is as long as its name says, and covers no period that is no longer kept", () => {
  const lengths = { h: 1, d: 24, m: 30.5 * 24 } as const;
  for (const [name, { resolution, periods }] of Object.entries(RANGES)) {
    const hours = periods * HOURS[resolution];
    const named = Number.parseInt(name, 10) * lengths[name.slice(-1) as keyof typeof lengths];
    assert.ok(Math.abs(hours / named - 1) < 0.01, `${name}: ${hours} h`);
    assert.ok(hours <= KEPT_HOURS[resolution], name);
    assert.ok(periods >= 24 && periods <= 400, `${name} has ${periods} points`);
  }
});

test("lists that pages offer contain each word once", () => {
  for (const words of [
    RESOLUTIONS,
    DOOR_REASONS,
    DECISION_FILTERS,
    DECISION_LABELS,
    DEVICE_CLASSES,
  ]) {
    assert.equal(new Set<string>(words).size, words.length, words.join());
  }
  assert.deepEqual(DECISION_FILTERS, [...RECOMMENDATIONS, "refused"]);
});
