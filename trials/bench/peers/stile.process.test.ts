import assert from "node:assert/strict";
import { after, test } from "node:test";
import { STEPS } from "./contestant.ts";
import { expectRefusals } from "./measure.ts";
import { openStile } from "./stile.ts";

const stile = await openStile(0);
after(stile.close);

for (const step of STEPS) {
  test(`${step}: every prepared call gets the right answer, once`, async () => {
    const calls = await stile.prepare(step, 2);
    assert.equal(calls.length, 2);
    for (const call of calls) await call();
    const [first] = calls;
    assert.ok(first);
    if (step !== "issue") await assert.rejects(first, /the answer is not what was measured/);
  });
}

test("refuses a solution of zeros and a token that was redeemed", async () => {
  assert.equal((await stile.prepareRefused()).length, 2);
  await expectRefusals(stile);
});
