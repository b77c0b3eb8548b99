import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { keptFromMs, PERIOD_MS, type Span, splitSpan, startOfPeriod } from "./periods.ts";

const { minute, hour, day } = PERIOD_MS;
const DAY_0 = Date.UTC(2026, 0, 15);

test("a span is cut into whole days, and hours and minutes at both ends", () => {
  const span = { fromMs: DAY_0 - 90 * minute, toMs: DAY_0 + 2 * day + 61 * minute };
  const parts = splitSpan("minute", span).map(({ resolution, fromMs, toMs }) => [
    resolution,
    (fromMs - DAY_0) / minute,
    (toMs - DAY_0) / minute,
  ]);
  assert.deepEqual(parts, [
    ["minute", -90, -60],
    ["hour", -60, 0],
    ["day", 0, 2880],
    ["hour", 2880, 2940],
    ["minute", 2940, 2941],
  ]);
  assert.deepEqual(splitSpan("day", span), [{ resolution: "day", ...span }]);
});

test("the parts of any span follow each other without gap or overlap, and each begins and ends with its periods", () => {
  const spans = fc.tuple(
    fc.integer({ min: 0, max: 200_000 }),
    fc.integer({ min: 1, max: 200_000 }),
  );
  fc.assert(
    fc.property(spans, fc.constantFrom("minute", "hour", "day"), ([from, length], finest) => {
      const periodMs = PERIOD_MS[finest];
      const span: Span = { fromMs: from * periodMs, toMs: (from + length) * periodMs };
      const parts = splitSpan(finest, span);
      assert.equal(parts[0]?.fromMs, span.fromMs);
      assert.equal(parts.at(-1)?.toMs, span.toMs);
      for (const [index, part] of parts.entries()) {
        assert.ok(part.fromMs < part.toMs);
        if (index > 0) assert.equal(part.fromMs, parts[index - 1]?.toMs);
        assert.equal(part.fromMs % PERIOD_MS[part.resolution], 0);
        assert.equal(part.toMs % PERIOD_MS[part.resolution], 0);
        assert.ok(PERIOD_MS[part.resolution] >= periodMs);
      }
      assert.ok(parts.length <= 5);
    }),
  );
});

test("the kept time begins with a whole period", () => {
  const nowMs = DAY_0 + 12_345;
  assert.equal(startOfPeriod("hour", nowMs), DAY_0);
  assert.equal(keptFromMs("minute", nowMs), DAY_0 - 2 * day);
  assert.equal(keptFromMs("hour", nowMs) % hour, 0);
});
