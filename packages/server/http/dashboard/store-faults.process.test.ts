import assert from "node:assert/strict";
import { after, test } from "node:test";
import { callDashboard, newAccount, newMember, PASSWORD } from "@stile/testkit/contract/dashboard";
import { holdDatabase } from "@stile/testkit/contract/second-process";
import { startInOwnProcess } from "@stile/testkit/contract/service-fixtures";

const fixture = await startInOwnProcess();
after(() => fixture.stop());
const account = await newAccount(fixture);

test("answers changes with 503 in JSON and signs nobody in while the store can't be written to (D15, outage)", async () => {
  const { email } = await newMember(fixture, account.accountId, "viewer");
  const { cookie } = account.members.owner;
  assert.ok(fixture.databaseFile);
  const holder = await holdDatabase(fixture.databaseFile);
  try {
    const calls = [
      { method: "POST", path: "sign-in", body: { email, password: PASSWORD } },
      { method: "POST", path: "sites", body: { name: "Held", domains: ["shop.example"] }, cookie },
      { method: "POST", path: "sign-out", body: {}, cookie },
    ];
    for (const call of calls) {
      const { status, headers, body } = await callDashboard(fixture, call);
      assert.deepEqual([status, body.error?.code], [503, "internal_error"], call.path);
      assert.equal(headers["set-cookie"], undefined);
      assert.equal(headers["retry-after"], "1");
    }
  } finally {
    await holder.release();
  }
  const { body } = await callDashboard(fixture, { path: "sites", cookie });
  assert.ok(!JSON.stringify(body).includes("Held"));
  assert.equal(
    (await callDashboard(fixture, { path: "me", cookie })).status,
    200,
    "the session is still there",
  );
});
