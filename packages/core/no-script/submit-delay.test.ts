import assert from "node:assert/strict";
import { test } from "node:test";
import { secretKeyChecksum } from "@stile/protocol/key-formats";
import { visitorAt } from "@stile/testkit/minting/solving";
import { NO_SCORE_FIELDS } from "@stile/testkit/visits/score-fields";
import { createWorld, VISITOR_IP } from "@stile/testkit/world/world";
import { parseIpAddress } from "../domain/visitor/ip-address.ts";
import { authenticateSecret } from "../services/site/authenticate-secret.ts";
import { requestScore } from "../use-cases/score/request-score.ts";
import { issueDelay } from "./issue-delay.ts";
import { submitDelay } from "./submit-delay.ts";

test("one of many simultaneous copies of a wait yields a token, and few reach the store (D18, no JavaScript)", async () => {
  const world = await createWorld();
  const { site } = await world.createSite({ noScript: "wait" });
  const { siteKey } = site;
  const errand = { requestId: "request-0", siteKey, actionName: "login", host: "shop.example" };
  const asked = { ...errand, visitor: visitorAt(VISITOR_IP) };
  const waiting = await issueDelay(world.node, asked);
  assert.ok(waiting.kind === "waiting", waiting.kind);
  world.clock.advance(waiting.waitMs);
  let spends = 0;
  const { challenges } = world.node;
  const counting: typeof challenges = {
    spend: (spend) => {
      spends += 1;
      return challenges.spend(spend);
    },
  };
  const node = { ...world.node, challenges: counting };
  const copies = Array.from({ length: 100 }, () =>
    submitDelay(node, { ...asked, delay: waiting.delay }),
  );
  const kinds = (await Promise.all(copies)).map(({ kind }) => kind).sort();
  assert.deepEqual([kinds.filter((kind) => kind === "issued").length, kinds.at(-1)], [1, "retry"]);
  assert.equal(spends, 3);
});

test("endless secret keys or scored addresses from one caller do not evict any network's waits (D10, limits; D18, no JavaScript)", async () => {
  const world = await createWorld();
  const { site } = await world.createSite({ noScript: "wait" });
  const { siteKey } = site;
  const errand = { requestId: "request-0", siteKey, actionName: "login", host: "shop.example" };
  const asked = { ...errand, visitor: visitorAt(VISITOR_IP) };
  const waits = await Promise.all(Array.from({ length: 6 }, () => issueDelay(world.node, asked)));
  world.clock.advance(30_000);
  const submitNext = async () => {
    const wait = waits.pop();
    assert.ok(wait?.kind === "waiting");
    return (await submitDelay(world.node, { ...asked, delay: wait.delay })).kind;
  };
  for (let i = 0; i < 5; i++) assert.equal(await submitNext(), "issued");
  const other = await world.createSite({ scorePerMinute: 1_000_000 });
  const body = `sk_${"A".repeat(43)}`;
  const wrong = { secretKey: body + secretKeyChecksum(body), address: undefined };
  for (let i = 0; i < 1_500; i++) {
    const remoteIp = `2001:db8:${i.toString(16)}::1`;
    const refused = await authenticateSecret(world.node, {
      ...wrong,
      address: parseIpAddress(remoteIp),
    });
    assert.equal(refused.kind, "invalid_secret");
    const fields = async () => ({ ...NO_SCORE_FIELDS, remoteIp });
    assert.equal(
      (await requestScore(world.node, { ...wrong, secretKey: other.secretKey }, fields)).kind,
      "scored",
    );
  }
  assert.equal(await submitNext(), "limited");
});
