import assert from "node:assert/strict";
import { test } from "node:test";
import { createSiteLoad } from "./site-load.ts";

const T0 = Date.UTC(2026, 5, 15);
const MINUTE = 60_000;

/** `perMinute` challenges, evenly spread, from minute `from` up to but excluding `to`. */
function visit(
  load: ReturnType<typeof createSiteLoad>,
  perMinute: number,
  from: number,
  to: number,
): void {
  for (let minute = from; minute < to; minute++) {
    for (let i = 0; i < perMinute; i++)
      load.record("pk_a", T0 + minute * MINUTE + (i * MINUTE) / perMinute);
  }
}

test("reports no load for a site without visitors", () => {
  assert.equal(createSiteLoad({ maxSites: 10 }).ratio("pk_a", T0), 0);
});

test("reports a load of about 1 for an even stream", () => {
  const load = createSiteLoad({ maxSites: 10 });
  visit(load, 100, 0, 60);
  const ratio = load.ratio("pk_a", T0 + 60 * MINUTE);
  assert.ok(ratio > 0.95 && ratio < 1.05, String(ratio));
});

test("detects eight times the usual rate within a minute, and takes it as usual after half an hour", () => {
  const load = createSiteLoad({ maxSites: 10 });
  visit(load, 100, 0, 60);
  visit(load, 800, 60, 61);
  assert.ok(load.ratio("pk_a", T0 + 61 * MINUTE) > 7);
  visit(load, 800, 61, 90);
  const ratio = load.ratio("pk_a", T0 + 90 * MINUTE);
  assert.ok(ratio < 1.2, String(ratio));
});

test("does not count a small site as busy when 30 visitors arrive at once", () => {
  const load = createSiteLoad({ maxSites: 10 });
  visit(load, 30, 0, 1);
  assert.ok(load.ratio("pk_a", T0 + MINUTE - 1) <= 1.01);
});

test("forgets the baseline after a silent day, and is unharmed by a clock that goes back", () => {
  const load = createSiteLoad({ maxSites: 10 });
  visit(load, 1000, 0, 60);
  assert.equal(load.ratio("pk_a", T0 + 25 * 60 * MINUTE), 0);
  load.record("pk_a", T0);
  assert.ok(load.ratio("pk_a", T0) < 1);
});

test("keeps memory bounded: forgets the site that was idle for longest", () => {
  const load = createSiteLoad({ maxSites: 2 });
  for (const siteKey of ["pk_a", "pk_b", "pk_a", "pk_c"]) load.record(siteKey, T0);
  assert.equal(load.ratio("pk_b", T0), 0);
  assert.ok(load.ratio("pk_a", T0) > 0 && load.ratio("pk_c", T0) > 0);
});
