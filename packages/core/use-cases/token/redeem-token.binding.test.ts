import assert from "node:assert/strict";
import { test } from "node:test";
import { createShop, redeemed } from "@stile/testkit/world/redeeming";
import { createWorld, VISITOR_AGENT, VISITOR_IP } from "@stile/testkit/world/world";

const OTHER_PREFIX = "198.51.100.7";

test("answers binding_mismatch with the token's score if the binding differs, and the token stays valid (D2, redemption; D5, binding)", async () => {
  const { world, site, secretKey } = await createShop();
  const token = world.mint(site, { score: 0.2 });
  for (const claim of [{ remoteIp: OTHER_PREFIX }, { userAgent: "curl/8" }]) {
    const reason = await redeemed(world, { site, secretKey }, token, claim);
    assert.equal(reason, "binding_mismatch 0.2", JSON.stringify(claim));
  }
  const claim = { remoteIp: VISITOR_IP, userAgent: VISITOR_AGENT };
  const answer = await world.redeem(secretKey, { token, ...claim });
  assert.ok(answer.kind === "verified");
  assert.equal(answer.verdict.score, 0.2);
});

test("a remoteip that is no address raises the score instead of refusing the token (D5, binding)", async () => {
  for (const binding of ["strict_family", "strict", "flag"] as const) {
    const { world, site, secretKey } = await createShop({ binding });
    const answer = await world.redeem(secretKey, { token: world.mint(site), remoteIp: "unknown" });
    assert.ok(answer.kind === "verified" && answer.verdict.score > 0.05, binding);
  }
});

test("another address of the same /24 and any omitted claim are no difference (D5, binding)", async () => {
  const { world, site, secretKey } = await createShop();
  for (const claim of [
    { remoteIp: "192.0.2.250" },
    { remoteIp: "::ffff:192.0.2.9" },
    {},
    { userAgent: VISITOR_AGENT },
  ]) {
    assert.equal(
      await redeemed(world, { site, secretKey }, world.mint(site), claim),
      "verified",
      JSON.stringify(claim),
    );
  }
});

test("compares only the bound beginning of a long user agent (D5, binding)", async () => {
  const { world, site, secretKey } = await createShop();
  const long = "Mozilla/5.0 ".repeat(200);
  const token = world.mint(site, { userAgent: long.slice(0, 1024) });
  assert.equal(await redeemed(world, { site, secretKey }, token, { userAgent: long }), "verified");
});

test("a user agent beyond ASCII matches, however the customer's server decodes it (D5, binding)", async () => {
  const { world, site, secretKey } = await createShop();
  const sent = Buffer.from("Mozilla/5.0 (Linux; Android 15) Büro-App/1.0 微信", "utf8");
  // Node and Python's servers read headers as Latin-1; those of Go and PHP pass the bytes on, or
  // replace invalid ones.
  const ways = [
    sent.toString("latin1"),
    sent.toString("utf8"),
    sent.toString("latin1").replaceAll(/[^ -~]/g, "\ufffd"),
  ];
  for (const userAgent of ways) {
    const token = world.mint(site, { userAgent: sent.toString("latin1") });
    assert.equal(
      await redeemed(world, { site, secretKey }, token, { userAgent }),
      "verified",
      userAgent,
    );
    const other = { userAgent: userAgent.replace("1.0", "1.1") };
    assert.equal(
      await redeemed(world, { site, secretKey }, world.mint(site, { userAgent }), other),
      "binding_mismatch 0.05",
    );
  }
});

test("verifies a token of another address family with a raised score, as the visitor may be dual-stack (D5, binding)", async () => {
  const { world, secretKey, token } = await createShop();
  const answer = await world.redeem(secretKey, { token, remoteIp: "2001:db8::1" });
  assert.ok(answer.kind === "verified");
  assert.ok(
    answer.verdict.score > 0.05 && answer.verdict.score < 0.3,
    String(answer.verdict.score),
  );
});

test("another family costs as much as another network under flag, and is refused under strict_family (D5, binding)", async () => {
  const world = await createWorld();
  const flagged = await world.createSite({ binding: "flag" });
  const scoreFor = async (remoteIp: string): Promise<number> => {
    const token = world.mint(flagged.site);
    const answer = await world.redeem(flagged.secretKey, { token, remoteIp });
    return answer.kind === "verified" ? answer.verdict.score : Number.NaN;
  };
  assert.equal(await scoreFor("2001:db8::1"), await scoreFor(OTHER_PREFIX));
  const own = await world.createSite({ binding: "strict_family" });
  for (const [minted, remoteIp, expected] of [
    [VISITOR_IP, "2001:db8::1", "binding_mismatch 0.05"],
    ["2001:db8::1", VISITOR_IP, "binding_mismatch 0.05"],
    ["", VISITOR_IP, "binding_mismatch 0.05"],
    [VISITOR_IP, VISITOR_IP, "verified"],
    [VISITOR_IP, undefined, "verified"],
  ] as const) {
    const token = world.mint(own.site, { ip: minted });
    const claim = remoteIp === undefined ? {} : { remoteIp };
    assert.equal(await redeemed(world, own, token, claim), expected, `${minted} to ${remoteIp}`);
  }
});

test("binding `flag` refuses nothing and raises the score; `off` does neither (D5, binding)", async () => {
  const world = await createWorld();
  const claims = [
    { remoteIp: OTHER_PREFIX },
    { remoteIp: "garbage" },
    { userAgent: "curl/8" },
    { remoteIp: "2001:db8::1" },
  ];
  const scoresOf = async (binding: "flag" | "off"): Promise<number[]> => {
    const { site, secretKey } = await world.createSite({ binding });
    const answers = claims.map((claim) =>
      world.redeem(secretKey, { token: world.mint(site), ...claim }),
    );
    return (await Promise.all(answers)).map((answer) =>
      answer.kind === "verified" ? answer.verdict.score : Number.NaN,
    );
  };
  for (const score of await scoresOf("flag")) assert.ok(score > 0.05, String(score));
  assert.deepEqual(await scoresOf("off"), [0.05, 0.05, 0.05, 0.05]);
});

test("accepts a token without an address although the call names one, under strict (D5, binding)", async () => {
  const { world, site, secretKey } = await createShop();
  const token = world.mint(site, { ip: "" });
  assert.equal(
    await redeemed(world, { site, secretKey }, token, { remoteIp: OTHER_PREFIX }),
    "verified",
  );
});

test("a token is compared with the key of its own day after midnight (D5, binding)", async () => {
  const { world, site, secretKey } = await createShop();
  world.clock.setTo(Date.UTC(2026, 5, 15, 23, 59, 59));
  const [same, other] = [world.mint(site), world.mint(site)];
  world.clock.advance(2000);
  const claim = { remoteIp: VISITOR_IP, userAgent: VISITOR_AGENT };
  assert.equal(await redeemed(world, { site, secretKey }, same, claim), "verified");
  assert.equal(
    await redeemed(world, { site, secretKey }, other, { remoteIp: OTHER_PREFIX }),
    "binding_mismatch 0.05",
  );
});
