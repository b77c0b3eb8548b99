import assert from "node:assert/strict";
import { test } from "node:test";
import { CHROME_VISITOR, findVisitor } from "@stile/testkit/visits/find-visitor";
import { assessVisit } from "@stile/testkit/visits/handed-in";
import { raises } from "@stile/testkit/visits/raises";
import { ipDatacenter } from "./ip-datacenter.ts";
import { ipTor } from "./ip-tor.ts";

test("ip_datacenter: raised by an address on the operator's list of data centres", () => {
  assert.ok(
    raises(ipDatacenter, { ...CHROME_VISITOR, network: { isDatacenter: true, isTor: false } }),
  );
});

test("ip_datacenter: silent if the address is not listed, without lists, and on a Tor exit, which has its own flag", () => {
  assert.ok(
    !raises(ipDatacenter, { ...CHROME_VISITOR, network: { isDatacenter: false, isTor: false } }),
  );
  assert.ok(!raises(ipDatacenter, CHROME_VISITOR));
  assert.ok(!raises(ipDatacenter, { network: { isDatacenter: true, isTor: true } }));
});

test("ip_tor: raised by an address on the operator's list of exits", () => {
  assert.ok(raises(ipTor, { ...CHROME_VISITOR, network: { isDatacenter: false, isTor: true } }));
});

test("ip_tor: silent if the address is not listed and without lists, for any browser", () => {
  const torBrowser = findVisitor("Tor Browser on Linux, whose header says Windows");
  assert.ok(!raises(ipTor, { ...torBrowser, network: { isDatacenter: true, isTor: false } }));
  assert.ok(!raises(ipTor, torBrowser));
});

test("does not even ask people for a click on a listed, busy network in which somebody farms tokens", () => {
  const busy = { perMinute: 900, networkPerMinute: 9000, siteRatio: 1 };
  const farm = {
    network: { earned: 1000, redeemed: 0, traced: 0, moved: 0 },
    others: { earned: 1000, redeemed: 900, traced: 900, moved: 0 },
  };
  for (const network of [
    { isTor: true, isDatacenter: true },
    { isTor: false, isDatacenter: true },
  ]) {
    const { score, flags } = assessVisit({ ...CHROME_VISITOR, network, velocity: busy, farm });
    assert.deepEqual(flags, [
      "velocity_ip",
      network.isTor ? "ip_tor" : "ip_datacenter",
      "token_farm",
    ]);
    assert.ok(score < 0.3, `score ${score}`);
  }
});
