import assert from "node:assert/strict";
import { test } from "node:test";
import { type ClockState, createSteadyClock } from "./steady-clock.ts";

const NOON_MS = Date.UTC(2026, 5, 15, 12);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A machine on which time passes evenly unless its clock is changed. */
function machine(notBeforeMs = 0) {
  const at = { steadyMs: 1000, sleptMs: 0, setMs: 0 };
  const heard: ClockState["kind"][] = [];
  const clock = createSteadyClock(
    {
      wallMs: () => NOON_MS + at.steadyMs - 1000 + at.sleptMs + at.setMs,
      steadyMs: () => at.steadyMs,
      sinceBootMs: () => at.steadyMs + at.sleptMs,
    },
    { notBeforeMs, onChange: ({ kind }) => heard.push(kind) },
  );
  return {
    at,
    heard,
    clock,
    /** The clock's time after that many ms, relative to noon. */
    after: (ms: number): number => {
      at.steadyMs += ms;
      return clock.nowMs() - NOON_MS;
    },
  };
}

test("follows the system's clock and the small corrections of a time service", () => {
  const { at, after, heard } = machine();
  assert.equal(after(MINUTE_MS), MINUTE_MS);
  at.setMs = 900;
  assert.equal(after(MINUTE_MS), 2 * MINUTE_MS + 900);
  for (let minute = 0; minute < 100; minute++) {
    at.setMs += 100;
    after(MINUTE_MS + 1);
  }
  assert.deepEqual(heard, [], "ten seconds that add up slowly are no jump");
});

for (const days of [1, 40, 400]) {
  test(`stays and reports once if the system's clock is ${days} days ahead for two minutes`, () => {
    const { at, after, heard } = machine();
    after(MINUTE_MS);
    at.setMs = days * DAY_MS;
    assert.equal(after(1000), MINUTE_MS + 1000);
    assert.equal(after(130_000), MINUTE_MS + 131_000);
    at.setMs = 0;
    assert.equal(after(1000), MINUTE_MS + 132_000);
    assert.deepEqual(heard, ["jumped", "agrees"]);
  });
}

test("follows a jump ahead after a quarter of an hour, when all tokens from before have expired", () => {
  const { at, after, heard } = machine();
  at.setMs = DAY_MS;
  assert.equal(after(1), 1);
  assert.equal(after(15 * MINUTE_MS - 1), 15 * MINUTE_MS);
  assert.equal(after(1), DAY_MS + 15 * MINUTE_MS + 1);
  assert.deepEqual(heard, ["jumped", "agrees"]);
});

test("counts the time that the machine slept as passed at once", () => {
  const { at, after, heard } = machine();
  after(MINUTE_MS);
  at.sleptMs = 8 * 3_600_000;
  assert.equal(after(1000), 8 * 3_600_000 + MINUTE_MS + 1000);
  assert.deepEqual(heard, []);
});

test("never goes back, and runs at half speed until a clock that was set back an hour has caught up", () => {
  const { at, after, heard } = machine();
  after(MINUTE_MS);
  at.setMs = -3_600_000;
  let last = after(0);
  assert.equal(last, MINUTE_MS);
  for (let minute = 0; minute < 119; minute++) {
    const next = after(MINUTE_MS);
    assert.ok(Math.abs(next - last - MINUTE_MS / 2) <= 1, `${next - last}`);
    last = next;
  }
  assert.equal(heard.at(-1), "ahead");
  after(2 * MINUTE_MS);
  assert.deepEqual(heard, ["ahead", "agrees"]);
});

test("starts no earlier than the newest time in the store, so that a dead secret stays dead (D12, states)", () => {
  const { clock, after, heard } = machine(NOON_MS + 600_000);
  assert.equal(clock.nowMs(), NOON_MS + 600_000);
  assert.equal(after(MINUTE_MS), 600_000 + MINUTE_MS / 2);
  after(30 * MINUTE_MS);
  assert.deepEqual(heard, ["ahead", "agrees"]);
});

test("runs at half speed while the system's clock stands still", () => {
  const { at, after, heard } = machine();
  after(MINUTE_MS);
  let shown = 0;
  for (let passed = 0; passed < 10 * MINUTE_MS; passed += 10) {
    at.setMs -= 10;
    shown = after(10);
  }
  assert.ok(
    shown >= 6 * MINUTE_MS && shown <= 6 * MINUTE_MS + 2000,
    `${shown - MINUTE_MS} ms in ten minutes`,
  );
  assert.deepEqual(heard, ["ahead"]);
});

test("restarts the wait when the system's clock jumps again", () => {
  const { at, after } = machine();
  at.setMs = 3_600_000;
  after(14 * MINUTE_MS);
  at.setMs = 400 * DAY_MS;
  assert.equal(after(2 * MINUTE_MS), 16 * MINUTE_MS);
  assert.equal(after(14 * MINUTE_MS), 30 * MINUTE_MS);
  assert.equal(after(2 * MINUTE_MS), 400 * DAY_MS + 32 * MINUTE_MS);
});

test("counts a long sleep as passed at once after many short sleeps", () => {
  const { at, after, heard } = machine();
  for (let nap = 0; nap < 10; nap++) {
    at.sleptMs += 1500;
    after(2 * MINUTE_MS);
  }
  for (let nap = 0; nap < 3; nap++) {
    at.sleptMs += 1500;
    after(1000);
  }
  at.sleptMs += 8 * 3_600_000;
  assert.equal(after(1000), 8 * 3_600_000 + 19_500 + 20 * MINUTE_MS + 4000);
  assert.deepEqual(heard, []);
});

test("counts a sleep as passed at once although the clock was set back or ahead", () => {
  for (const setMs of [-3_600_000, DAY_MS]) {
    const { at, after } = machine();
    at.setMs = setMs;
    const before = after(MINUTE_MS);
    at.sleptMs += 8 * 3_600_000;
    const gained = after(1000) - before - 8 * 3_600_000;
    assert.ok(gained >= 500 && gained <= 1000, `${gained}`);
  }
});

test("counts a sleep as passed on waking although the system's clock still stands", () => {
  const { at, after } = machine();
  const standFor = (ms: number): number => {
    at.setMs -= ms;
    return after(ms);
  };
  const before = standFor(MINUTE_MS);
  at.sleptMs += 8 * 3_600_000;
  at.setMs -= 8 * 3_600_000;
  const gained = standFor(1000) - before - 8 * 3_600_000;
  assert.ok(gained >= 500 && gained <= 1000, `${gained}`);
});

test("does not follow a jump ahead at once if the system's clock was behind before", () => {
  const { at, after, heard } = machine();
  at.setMs = -3_600_000;
  const before = after(MINUTE_MS);
  at.setMs = 40 * DAY_MS;
  assert.ok(after(1000) - before <= 1000);
  assert.deepEqual(heard, ["ahead", "jumped"]);
});

test("reports the difference to the system's clock", () => {
  const { at, after, clock } = machine();
  at.setMs = DAY_MS;
  after(1000);
  assert.deepEqual(clock.state(), { kind: "jumped", apartMs: DAY_MS });
});

test("reports the present state although nobody has asked for the time lately", () => {
  const { at, clock } = machine();
  at.steadyMs += MINUTE_MS;
  assert.deepEqual(clock.state(), { kind: "agrees", apartMs: 0 });
  at.setMs = DAY_MS;
  assert.deepEqual(clock.state(), { kind: "jumped", apartMs: DAY_MS });
});
