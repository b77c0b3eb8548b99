import assert from "node:assert/strict";
import { test } from "node:test";
import { SIGNALS_BYTES_LIMIT } from "@stile/protocol/limits";
import { behaviourSignalsSchema } from "@stile/protocol/schemas/signals";
import { POINTER_KINDS, POINTER_TYPES } from "@stile/protocol/signals";
import fc from "fast-check";
import { BEHAVIOUR_CAPACITY, createBehaviourLog } from "./behaviour-log.ts";
import { encodeSignals } from "./encode-signals.ts";

const at = [0, 10, null, null] as const;
const MOVE = POINTER_KINDS.indexOf("move");
const DOWN = POINTER_KINDS.indexOf("down");
const CLICK = POINTER_KINDS.indexOf("click");
const streams = ["keys", "focus", "visibility", "scroll"] as const;

test("keeps the newest samples of each kind and drops the oldest (D9, submission)", () => {
  const log = createBehaviourLog();
  for (let i = 0; i < 10_000; i++) {
    log.addPointer([i, i, 0, MOVE, 0, 0, 1]);
    for (const stream of streams) log.addToggle(stream, i, i % 2 === 1);
  }
  const signals = log.snapshot(...at);
  assert.equal(signals.pointer.length, BEHAVIOUR_CAPACITY.moves);
  assert.deepEqual(signals.pointer.at(-1)?.[0], 9999);
  assert.deepEqual(signals.pointer[0]?.[0], 10_000 - BEHAVIOUR_CAPACITY.moves);
  for (const stream of streams) {
    assert.equal(signals[stream].length, BEHAVIOUR_CAPACITY[stream]);
    assert.deepEqual(signals[stream].at(-1), [9999, 1]);
  }
});

test("keeps exactly the newest, however many there were", () => {
  const { visibility: capacity } = BEHAVIOUR_CAPACITY;
  for (const count of [
    0,
    1,
    capacity - 1,
    capacity,
    capacity + 1,
    2 * capacity - 1,
    2 * capacity,
    2 * capacity + 1,
  ]) {
    const log = createBehaviourLog();
    const times = Array.from({ length: count }, (_, at) => at);
    for (const timeMs of times) log.addToggle("visibility", timeMs, true);
    assert.deepEqual(
      log.snapshot(...at).visibility.map(([timeMs]) => timeMs),
      times.slice(-capacity),
    );
  }
});

test("keeps the click that was asked for while a hand keeps moving (D9, interaction: click)", () => {
  const log = createBehaviourLog();
  log.addPointer([5, 10, 10, CLICK, 0, 0, 1]);
  for (let i = 10; i < 5000; i++) log.addPointer([i, i, 0, MOVE, 0, 0, 1]);
  const { pointer } = log.snapshot(...at);
  assert.equal(pointer.filter((sample) => sample[3] === CLICK).length, 1);
  assert.deepEqual(
    pointer.toSorted((a, b) => a[0] - b[0]),
    pointer,
  );
});

test("leaves out events before the element was connected, and counts times from then on", () => {
  const log = createBehaviourLog();
  for (const timeMs of [99.5, 100, 250.125]) {
    log.addPointer([timeMs, 1, 2, MOVE, 0, 0.5, 1]);
    log.addToggle("keys", timeMs, true);
  }
  const signals = log.snapshot(100, 400.5, 12.25, [1, 2, 300, 66]);
  assert.deepEqual(
    signals.pointer.map(([timeMs]) => timeMs),
    [0, 150.125],
  );
  assert.deepEqual(signals.keys, [
    [0, 1],
    [150.125, 1],
  ]);
  assert.deepEqual(
    [signals.durationMs, signals.solveMs, signals.box],
    [300.5, 12.25, [1, 2, 300, 66]],
  );
});

test("does not round coordinates to whole pixels: fractions are an observation", () => {
  const log = createBehaviourLog();
  log.addPointer([1, 10.25, 20.3333333, MOVE, 0, 0, 1]);
  assert.deepEqual(log.snapshot(...at).pointer[0]?.slice(1, 3), [10.25, 20.333]);
});

test("keeps how far moves go and how far presses are from the centre, to 0.001 px", () => {
  const log = createBehaviourLog();
  log.addPointer([1, 2, 3, MOVE, 0, 0, 1, 0.12345, -7, 3]);
  log.addPointer([2, 2, 3, DOWN, 0, 0.5, 1, -0.5, 11.25]);
  log.addPointer([3, 2, 3, CLICK, 0, 0, 1]);
  assert.deepEqual(log.snapshot(...at).pointer, [
    [1, 2, 3, MOVE, 0, 0, 1, 0.123, -7, 3],
    [2, 2, 3, DOWN, 0, 0.5, 1, -0.5, 11.25],
    [3, 2, 3, CLICK, 0, 0, 1],
  ]);
});

test("fits normal numbers with every sample that was kept", () => {
  const log = createBehaviourLog();
  for (let i = 0; i < 1000; i++)
    log.addPointer([5000 + i * 16.7, 800 + (i % 99) / 3, 400, MOVE, 0, 0, 1, -12, 7, 2]);
  assert.equal(log.snapshot(0, 30_000, null, null).pointer.length, BEHAVIOUR_CAPACITY.moves);
});

test("keeps each caller once, and the first eight", () => {
  const log = createBehaviourLog();
  for (let i = 0; i < 40; i++) log.addCallers([`at click (<anonymous>:${i % 20}:1)`]);
  const { callers } = log.snapshot(...at);
  assert.equal(callers.length, BEHAVIOUR_CAPACITY.callers);
  assert.equal(new Set(callers).size, callers.length);
});

test("fits a full log with the widest numbers into the limit that the service accepts (D9, submission)", () => {
  const log = createBehaviourLog();
  for (let i = 0; i < 1000; i++) {
    const timeMs = 999_999_999.123 - i / 7;
    log.addPointer([
      timeMs,
      -99_998.777,
      -99_998.777,
      MOVE,
      3,
      0.123,
      1,
      -99_998.777,
      -99_998.777,
      65_535,
    ]);
    log.addCallers([`${i}${"x".repeat(90)}`]);
    log.addPointer([timeMs, -99_998.777, -99_998.777, CLICK, 3, 0.123, 1]);
    for (const stream of streams) log.addToggle(stream, timeMs, true);
  }
  const wide = -99_998.777;
  const signals = log.snapshot(0, 1e12, 1e12, [wide, wide, 99_998.777, 99_998.777]);
  const bytes = encodeSignals(signals);
  assert.ok(bytes.length <= SIGNALS_BYTES_LIMIT, String(bytes.length));
  assert.ok(bytes.length > SIGNALS_BYTES_LIMIT / 2, "the rings use the room they have");
  assert.ok(behaviourSignalsSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes))).success);
});

test("stays within the bounds of the wire format, whatever an event contains (D9, submission)", () => {
  const number = fc.double();
  const sample = fc.tuple(
    fc.double({ min: 0, max: 1e12, noNaN: true }),
    number,
    number,
    fc.nat(POINTER_KINDS.length - 1),
    fc.nat(POINTER_TYPES.length - 1),
    number,
    fc.constantFrom(0 as const, 1 as const),
    fc.option(number, { nil: undefined }),
    fc.option(number, { nil: undefined }),
    fc.option(fc.nat(1e6), { nil: undefined }),
  );
  fc.assert(
    fc.property(
      fc.array(sample, { maxLength: 300 }),
      fc.tuple(number, number, number, number),
      (samples, box) => {
        const log = createBehaviourLog();
        for (const one of samples) log.addPointer(one);
        const bytes = encodeSignals(log.snapshot(0, Number.NaN, -1, [...box]));
        assert.ok(bytes.length <= SIGNALS_BYTES_LIMIT);
        const parsed = behaviourSignalsSchema.safeParse(
          JSON.parse(new TextDecoder().decode(bytes)),
        );
        assert.ok(parsed.success, String(parsed.error));
      },
    ),
    { numRuns: 300, seed: 3 },
  );
});
