import assert from "node:assert/strict";
import { test } from "node:test";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import { assessVisit } from "@stile/testkit/visits/handed-in";
import { raises } from "@stile/testkit/visits/raises";
import type { TokenUsageCounts } from "../evidence.ts";
import { tokenFarm } from "./token-farm.ts";

const usage = (
  earned: number,
  redeemed: number,
  traced = redeemed,
  moved = 0,
): TokenUsageCounts => ({
  earned,
  redeemed,
  traced,
  moved,
});
/** A shop where three in five visitors submit the form, and some change networks before they do. */
const SHOP = usage(500, 300, 300, 9);

test("token_farm: raised by a network that solves and hardly redeems", () => {
  assert.ok(raises(tokenFarm, { farm: { network: usage(200, 4), others: SHOP } }));
  assert.ok(raises(tokenFarm, { farm: { network: usage(25, 3), others: SHOP } }));
});

test("token_farm: raised by a network whose tokens are redeemed from other networks", () => {
  assert.ok(raises(tokenFarm, { farm: { network: usage(40, 40, 40, 38), others: SHOP } }));
  assert.ok(raises(tokenFarm, { farm: { network: usage(40, 16, 16, 9), others: SHOP } }));
});

test("token_farm: silent on an office, on a few visitors, and if nothing was counted", () => {
  assert.ok(!raises(tokenFarm, { farm: { network: usage(200, 110, 110, 3), others: SHOP } }));
  assert.ok(
    !raises(tokenFarm, { farm: { network: usage(24, 0), others: SHOP } }),
    "fewer than 15 would have been redeemed",
  );
  assert.ok(
    !raises(tokenFarm, { farm: { network: usage(14, 14, 14, 14), others: SHOP } }),
    "14 phones that left a WLAN",
  );
  assert.ok(!raises(tokenFarm, {}));
});

test("token_farm: silent on a site that redeems little, is new, or whose server reports wrong addresses", () => {
  const network = usage(400, 2);
  for (const others of [usage(0, 0), usage(14, 14), usage(9000, 20), usage(9000, 0)]) {
    assert.ok(!raises(tokenFarm, { farm: { network, others } }), JSON.stringify(others));
  }
  const proxied = usage(200, 120, 120, 120);
  assert.ok(!raises(tokenFarm, { farm: { network: usage(40, 24, 24, 24), others: proxied } }));
});

test("token_farm: does not ask a farm's neighbour for a click", () => {
  const { score, flags } = assessVisit({
    ...CHROME_VISITOR,
    farm: { network: usage(200, 4), others: SHOP },
  });
  assert.deepEqual(flags, ["token_farm"]);
  assert.ok(score < 0.15, `score ${score}`);
});
