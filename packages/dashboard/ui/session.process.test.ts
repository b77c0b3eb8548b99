import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { ROLES_IN_ORDER } from "@stile/protocol/roles";
import { refusal, startAnswering, success } from "@stile/testkit/page/answering-service";
import { memberWithRole } from "@stile/testkit/page/signed-in-member";
import { standAt } from "@stile/testkit/page/stand-at";
import {
  hasFactor,
  loadMe,
  may,
  me,
  mustSetUpFactor,
  recordEntered,
  recoveryCodesLeft,
} from "./session.ts";

const PASSKEY = { passkeyId: "k", name: "Laptop", createdAtMs: 1, lastUsedAtMs: null };

beforeEach(() => {
  me.value = undefined;
  recoveryCodesLeft.value = undefined;
});

test("allows nothing before the member is known", () => {
  for (const role of ROLES_IN_ORDER) assert.equal(may(role), false, role);
  assert.deepEqual([hasFactor(), mustSetUpFactor()], [false, false]);
});

test("allows a member exactly what the role allows", () => {
  me.value = memberWithRole("developer");
  assert.deepEqual(ROLES_IN_ORDER.map(may), [true, true, false, false]);
});

test("counts an app or a passkey as a second factor, but not recovery codes alone", () => {
  const has = (more: object) => {
    me.value = memberWithRole("viewer", more);
    return hasFactor();
  };
  assert.deepEqual(
    [{}, { recoveryCodesLeft: 10 }, { hasTotp: true }, { passkeys: [PASSKEY] }].map(has),
    [false, false, true, true],
  );
});

test("limits only a member who lacks the demanded second factor to setting one up", () => {
  const must = (isSecondFactorDemanded: boolean, hasTotp: boolean) => {
    me.value = memberWithRole("owner", { isSecondFactorDemanded, hasTotp });
    return mustSetUpFactor();
  };
  assert.deepEqual([must(true, false), must(true, true), must(false, false)], [true, false, false]);
});

test("keeps the member that the service names, or the last known one if it can't answer", async () => {
  await using service = await startAnswering();
  standAt(`${service.origin}/dashboard/sites`);
  const admin = memberWithRole("admin");
  service.answer(success(admin), refusal(503, "internal_error"));
  assert.equal((await loadMe()).success, true);
  assert.deepEqual(me.value, admin);
  assert.equal((await loadMe()).success, false);
  assert.deepEqual(me.value, admin);
  assert.equal(service.calls[0]?.path, "/dashboard/api/me");
});

test("reports how many recovery codes are left after using one, also zero, and nothing after another sign-in", () => {
  recordEntered({ success: true, data: { recoveryCodesLeft: 0 } });
  assert.equal(recoveryCodesLeft.value, 0);
  recordEntered({
    success: false,
    error: { code: "wrong_credentials", message: "No.", request_id: "r" },
  });
  assert.equal(recoveryCodesLeft.value, 0);
  recordEntered({ success: true, data: {} });
  assert.equal(recoveryCodesLeft.value, undefined);
});
