import assert from "node:assert/strict";
import { test } from "node:test";
import { raises } from "@stile/testkit/visits/raises";
import { velocityIp } from "./velocity-ip.ts";
import { velocitySite } from "./velocity-site.ts";

test("velocity_ip: raised by a script that submits from one network again and again", () => {
  assert.ok(raises(velocityIp, { velocity: { perMinute: 31, siteRatio: 1 } }));
  assert.ok(raises(velocityIp, { velocity: { perMinute: 5_000, siteRatio: 1 } }));
});

test("velocity_ip: raised by a script that uses another address of its network for every call", () => {
  assert.ok(raises(velocityIp, { velocity: { perMinute: 1, networkPerMinute: 201 } }));
  assert.ok(
    !raises(velocityIp, { velocity: { perMinute: 1, networkPerMinute: 200 } }),
    "a carrier's gateways",
  );
});

test("velocity_ip: silent on an office behind one address and if nothing was counted", () => {
  assert.ok(!raises(velocityIp, { velocity: { perMinute: 30, siteRatio: 9 } }));
  assert.ok(!raises(velocityIp, {}));
});

test("velocity_site: raised by a site at five times its normal rate", () => {
  assert.ok(raises(velocitySite, { velocity: { perMinute: 1, siteRatio: 5 } }));
});

test("velocity_site: silent on busy days and if nothing was counted", () => {
  assert.ok(!raises(velocitySite, { velocity: { perMinute: 90, siteRatio: 4.9 } }));
  assert.ok(!raises(velocitySite, {}));
});
