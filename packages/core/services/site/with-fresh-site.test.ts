import assert from "node:assert/strict";
import { test } from "node:test";
import { StoreUnavailable } from "../../ports/store-unavailable.ts";
import { withFreshSite } from "./with-fresh-site.ts";

test("a call whose site changes at each attempt asks to try again, and is no fault (D3, single use; D15, outage)", async () => {
  let [attempts, forgotten] = [0, 0];
  const directory = {
    findSite: () => assert.fail("the attempt finds it itself"),
    findSiteBySecret: () => assert.fail("the attempt finds it itself"),
    findAccount: () => assert.fail("nobody asks for it"),
    forget: () => {
      forgotten += 1;
    },
  };
  const attempt = async () => {
    attempts += 1;
    return { kind: "site_changed", siteKey: "pk_restless" } as const;
  };
  await assert.rejects(withFreshSite(directory, attempt), StoreUnavailable);
  assert.ok(attempts > 1 && forgotten === attempts);
});
