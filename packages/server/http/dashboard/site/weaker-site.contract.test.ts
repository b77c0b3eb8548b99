import assert from "node:assert/strict";
import { after, test } from "node:test";
import { callDashboard, newAccount, newSession } from "@stile/testkit/contract/dashboard";
import { startInProcess } from "@stile/testkit/contract/service-fixtures";

const memory = await startInProcess();
after(() => memory.stop());

test("asks for a fresh proof to weaken a site, and for none to make it stricter (D16, operator)", async () => {
  const { site, members } = await newAccount(memory);
  const { cookie } = await newSession(memory, members.developer.member, {
    provenAtMs: memory.clock.nowMs() - 600_000,
  });
  const path = `sites/${site.siteKey}`;
  const save = (body: object) => callDashboard(memory, { method: "PATCH", path, body, cookie });
  const stricter = await save({ revision: 1, binding: "strict_family" });
  assert.equal(stricter.status, 200, JSON.stringify(stricter.body));
  for (const change of [
    { binding: "off" },
    { signedAgents: "let_through" },
    { domains: ["evil.example"] },
  ]) {
    assert.equal((await save({ revision: 2, ...change })).body.error?.code, "step_up_needed");
  }
  assert.equal((await memory.store.sites.findSite(site.siteKey))?.revision, 2);
});
