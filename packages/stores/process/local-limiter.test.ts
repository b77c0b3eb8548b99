import assert from "node:assert/strict";
import { test } from "node:test";
import { createLocalLimiter } from "./local-limiter.ts";

const T0 = Date.UTC(2026, 0, 15, 12, 0, 0);
const at = (scope: string, nowMs: number, perMinute = 3) => ({ scope, perMinute, nowMs });

test("admits up to the limit within a clock minute and returns what is left (D10, limits)", () => {
  const limiter = createLocalLimiter({ maxScopes: 10 });
  const states = Array.from({ length: 4 }, () => limiter.consume(at("a", T0 + 20_000)));
  assert.deepEqual(
    states.map(({ isAdmitted, remaining }) => [isAdmitted, remaining]),
    [
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
    ],
  );
  assert.equal(states[2]?.resetsInMs, 40_000);
  assert.equal(states[3]?.resetsInMs, 60_000);
});

test("weighs the previous minute, and forgets the one before it (D10, limits)", () => {
  const limiter = createLocalLimiter({ maxScopes: 10 });
  const admitted = (nowMs: number): number =>
    Array.from({ length: 50 }, () => limiter.consume(at("a", nowMs, 20))).filter(
      ({ isAdmitted }) => isAdmitted,
    ).length;
  assert.equal(admitted(T0 + 59_999), 20);
  assert.equal(admitted(T0 + 60_000), 0);
  assert.equal(admitted(T0 + 90_000), 10);
  assert.equal(admitted(T0 + 180_000), 20);
});

test("spends nothing on refused requests and on looks (D2, redemption)", () => {
  const limiter = createLocalLimiter({ maxScopes: 10 });
  for (let call = 0; call < 10; call++) assert.equal(limiter.peek(at("a", T0)).remaining, 2);
  for (let call = 0; call < 10; call++) limiter.consume(at("a", T0));
  assert.equal(limiter.countThisMinute("a", T0), 3);
  assert.equal(limiter.peek(at("a", T0)).isAdmitted, false);
});

test("counts each scope separately, in this clock minute only (D10, limits)", () => {
  const limiter = createLocalLimiter({ maxScopes: 10 });
  limiter.consume(at("a", T0 + 59_999));
  limiter.consume(at("a", T0 + 59_999));
  limiter.consume(at("b", T0 + 59_999));
  assert.equal(limiter.countThisMinute("a", T0), 2);
  assert.equal(limiter.countThisMinute("b", T0), 1);
  assert.equal(limiter.countThisMinute("c", T0), 0);
  assert.equal(limiter.countThisMinute("a", T0 + 60_000), 0);
});

test("grants no second budget if the clock goes back across a minute's edge; further back, it starts again (D10, limits)", () => {
  const limiter = createLocalLimiter({ maxScopes: 10 });
  for (let call = 0; call < 3; call++) limiter.consume(at("a", T0));
  assert.equal(limiter.consume(at("a", T0 - 1)).isAdmitted, false);
  assert.equal(limiter.consume(at("a", T0 - 60_001)).isAdmitted, true);
});

test("evicts the scope unused for longest when full; an attacked scope counts as used even if refused", () => {
  const limiter = createLocalLimiter({ maxScopes: 100 });
  for (let call = 0; call < 4; call++) limiter.consume(at("attacked", T0));
  limiter.consume(at("idle", T0));
  for (let scope = 0; scope < 10_000; scope++) {
    limiter.consume(at(`flood-${scope}`, T0));
    if (scope % 50 === 0) assert.equal(limiter.consume(at("attacked", T0)).isAdmitted, false);
  }
  assert.equal(limiter.countThisMinute("attacked", T0), 3);
  assert.equal(limiter.countThisMinute("idle", T0), 0);
  const remembered = Array.from({ length: 10_000 }, (_, scope) =>
    limiter.countThisMinute(`flood-${scope}`, T0),
  );
  assert.equal(
    remembered.reduce((sum, count) => sum + count, 0),
    99,
  );
});

test("evicts no other scope when it uses a known one", () => {
  const limiter = createLocalLimiter({ maxScopes: 2 });
  limiter.consume(at("a", T0));
  limiter.consume(at("b", T0));
  for (let call = 0; call < 5; call++) limiter.consume(at("b", T0));
  assert.equal(limiter.countThisMinute("a", T0), 1);
});

test("bounds separately kept scopes, too, which evict none of the others", () => {
  const limiter = createLocalLimiter({ maxScopes: 2, apart: ["made-up:"] });
  for (const scope of ["a", "b", "made-up:1", "made-up:2", "made-up:3"])
    limiter.consume(at(scope, T0));
  const counts = ["a", "b", "made-up:1", "made-up:2", "made-up:3"].map((scope) =>
    limiter.countThisMinute(scope, T0),
  );
  assert.deepEqual(counts, [1, 1, 0, 1, 1]);
});
