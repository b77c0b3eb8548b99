import assert from "node:assert/strict";
import { after, test } from "node:test";
import { callDashboard, newAccount } from "@stile/testkit/contract/dashboard";
import {
  SQLITE,
  startInProcess,
  type TimedFixture,
} from "@stile/testkit/contract/service-fixtures";

const fixture: TimedFixture = await startInProcess({ STILE_DEMO: "off" }, SQLITE);
after(() => fixture.stop());

const account = await newAccount(fixture);
const { cookie } = account.members.developer;
const path = `sites/${account.site.siteKey}`;
const read = async () => (await callDashboard(fixture, { path, cookie })).body.data;
const change = async (contact: unknown) => {
  const { revision } = await read();
  return callDashboard(fixture, {
    path,
    cookie,
    method: "PATCH",
    body: JSON.stringify({ contact, revision }),
  });
};

test("stores the contact that an owner sets, trimmed, and lets the owner remove it (D13, formats)", async () => {
  assert.equal((await read()).contact, "");
  assert.equal((await change("  help@shop.example ")).status, 200);
  assert.equal((await read()).contact, "help@shop.example");
  assert.equal((await change("")).status, 200);
  assert.equal((await read()).contact, "");
});

test("refuses a contact that leads elsewhere, hides something or is too long, with the fix, and changes nothing", async () => {
  await change("Call us: 0800 123");
  const refused = [
    "javascript:alert(1)",
    "JAVASCRIPT:alert(1)//",
    "data:text/html,<script>alert(1)</script>",
    "http://shop.example",
    "https://bank.example@evil.example",
    "mailto:a@shop.example?bcc=b@evil.example",
    "Call \u202eus\u202c",
    "Call\u2028us",
    "Call\nus",
    "Call\u0000us",
    "x".repeat(201),
    "x".repeat(10_240),
    "\ud800",
    7,
    null,
    ["help@shop.example"],
    { toString: "help@shop.example" },
  ];
  for (const contact of refused) {
    const { status, body } = await change(contact);
    const what = JSON.stringify(contact).slice(0, 60);
    assert.equal(status, 400, what);
    assert.match(JSON.stringify(body), /"field":"contact"/, what);
  }
  assert.equal((await read()).contact, "Call us: 0800 123");
});
