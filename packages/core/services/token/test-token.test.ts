import assert from "node:assert/strict";
import { test } from "node:test";
import { isSecretKey, isSiteKey } from "@stile/protocol/key-formats";
import { createWorld } from "@stile/testkit/world/world";
import { TEST_KEYS } from "../../domain/site/test-keys.ts";
import { issueChallenge } from "../../use-cases/challenge/issue-challenge.ts";

const TIMEOUT = TEST_KEYS.find(({ behaviour }) => behaviour === "timeout") ?? assert.fail();

test("test keys have the form of keys, and show in their text what they do (D13, formats; D19, test keys)", () => {
  for (const { behaviour, siteKey, secretKey } of TEST_KEYS) {
    assert.ok(isSiteKey(siteKey) && isSecretKey(secretKey));
    assert.ok(siteKey.startsWith(`pk_TEST${behaviour}0`));
    assert.ok(secretKey.startsWith(`sk_TEST${behaviour}0`));
  }
});

test("the keys of timeouts answer only after their caller has given up, with a fault (D19, test keys)", async () => {
  const world = await createWorld();
  const waiting: (() => void)[] = [];
  const outwait = () => new Promise<void>((resolve) => waiting.push(resolve));
  const settings = { ...world.node.settings, testPlace: { hosts: "private", outwait } as const };
  const node = { ...world.node, settings };
  const ends: string[] = [];
  const answers = [
    world.redeem(TIMEOUT.secretKey, { token: "x" }, node),
    issueChallenge(node, {
      requestId: "request-1",
      siteKey: TIMEOUT.siteKey,
      actionName: undefined,
      wantsFallback: false,
      host: "localhost",
      visitor: {
        address: undefined,
        bindingAddress: undefined,
        country: undefined,
        userAgent: "",
        riskHeaders: {},
        wire: { headerNames: [], isForwarded: false, tlsFingerprint: undefined },
      },
    }),
  ].map((answer) => answer.catch(({ name }: Error) => ends.push(name)));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([ends, waiting.length], [[], 2]);
  for (const resolve of waiting) resolve();
  await Promise.all(answers);
  assert.deepEqual(ends, ["StoreUnavailable", "StoreUnavailable"]);
});
