import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { deleteSite } from "@stile/core/use-cases/site/delete-site";
import { restoreSite } from "@stile/core/use-cases/site/restore-site";
import { revokeReplacedSecrets } from "@stile/core/use-cases/site/revoke-replaced-secrets";
import { rotateSecret } from "@stile/core/use-cases/site/rotate-secret";
import { updateSite } from "@stile/core/use-cases/site/update-site";
import { callApi } from "@stile/testkit/contract/call";
import { bearer, outcomeOf, redeem, SCORE, TOKEN_VERIFY } from "@stile/testkit/contract/redeem";
import {
  type ServiceFixture,
  startFixtures,
  startInProcess,
} from "@stile/testkit/contract/service-fixtures";
import { mintToken, newSite, type TestSite } from "@stile/testkit/contract/sites";

const DAY_MS = 86_400_000;

async function rotate(fixture: ServiceFixture, site: TestSite): Promise<TestSite> {
  const rotated = await rotateSecret(fixture.ports, site);
  assert.ok(rotated.kind === "rotated");
  return { ...site, secretKey: rotated.secretKey };
}

/** The result of redeeming a fresh token with this key. */
async function redeemFresh(fixture: ServiceFixture, site: TestSite): Promise<string> {
  return outcomeOf(await redeem(fixture, site, { token: mintToken(fixture, site) }));
}

suite("rotation and grace (spec 5.3; D12, states), in process", async () => {
  const fixture = await startInProcess();
  test.after(fixture.stop);
  const { clock } = fixture;

  test("accepts the replaced key at 23:59:59.999 and refuses it at 24:00:00.000", async () => {
    const site = await newSite(fixture);
    const fresh = await rotate(fixture, site);
    const rotatedAtMs = clock.nowMs();
    clock.set(rotatedAtMs + DAY_MS - 1);
    assert.equal(await redeemFresh(fixture, site), "verified");
    clock.set(rotatedAtMs + DAY_MS);
    assert.equal(await redeemFresh(fixture, site), "invalid_secret");
    assert.equal(await redeemFresh(fixture, fresh), "verified");
  });

  test("applies the same limits to POST /api/v1/score", async () => {
    const site = await newSite(fixture);
    await rotate(fixture, site);
    const score = () =>
      callApi(fixture.baseUrl, { path: SCORE, body: {}, headers: bearer(site.secretKey) });
    clock.advance(DAY_MS - 1);
    assert.equal((await score()).status, 200);
    clock.advance(1);
    assert.equal((await score()).status, 401);
  });

  test("gives each replaced key its own 24 h", async () => {
    const first = await newSite(fixture);
    const second = await rotate(fixture, first);
    clock.advance(3_600_000);
    const third = await rotate(fixture, second);
    clock.advance(DAY_MS - 3_600_000);
    const outcomes = [];
    for (const site of [first, second, third]) outcomes.push(await redeemFresh(fixture, site));
    assert.deepEqual(outcomes, ["invalid_secret", "verified", "verified"]);
    clock.advance(3_600_000);
    assert.equal(await redeemFresh(fixture, second), "invalid_secret");
  });

  test("expires a token at its expiry, to the millisecond, and keeps it valid over a rotation (spec 2.5.2)", async () => {
    const site = await newSite(fixture);
    const [early, late] = [mintToken(fixture, site), mintToken(fixture, site)];
    const issuedAtMs = clock.nowMs();
    const rotated = await rotate(fixture, site);
    clock.set(Math.floor(issuedAtMs / 1000) * 1000 + 299_999);
    assert.equal(outcomeOf(await redeem(fixture, rotated, { token: early })), "verified");
    clock.advance(1);
    assert.equal(outcomeOf(await redeem(fixture, rotated, { token: late })), "token_expired");
  });

  test("answers an exact repeat for 60 s, also past the token's expiry, and not a millisecond longer (D2, redemption)", async () => {
    const site = await newSite(fixture);
    const body = { token: mintToken(fixture, site), idempotency_key: "order-0000000007" };
    clock.advance(299_000);
    const first = await redeem(fixture, site, body);
    clock.advance(59_999);
    assert.deepEqual((await redeem(fixture, site, body)).body, first.body);
    clock.advance(1);
    assert.equal(outcomeOf(await redeem(fixture, site, body)), "token_expired");
  });

  test("accepts a token that a disabled site refused once the site is enabled again (D12, states)", async () => {
    const site = await newSite(fixture);
    const token = mintToken(fixture, site);
    await updateSite(fixture.ports, site, { isEnabled: false });
    assert.equal(outcomeOf(await redeem(fixture, site, { token })), "site_disabled");
    await updateSite(fixture.ports, site, { isEnabled: true });
    assert.equal(outcomeOf(await redeem(fixture, site, { token })), "verified");
  });

  test("takes the times of a verdict from the service's clock (spec 2.1)", async () => {
    const site = await newSite(fixture);
    const { data } = (await redeem(fixture, site, { token: mintToken(fixture, site) })).body;
    const now = new Date(clock.nowMs()).toISOString();
    assert.deepEqual([data.timestamp, data.challenge_ts], [now, now]);
  });
});

for (const fixture of await startFixtures()) {
  suite(`sites and keys change at once (D3, single use; D12, states), ${fixture.name}`, () => {
    /** A site whose key was just used, so that the service may have it in memory. */
    const knownSite = async (): Promise<TestSite> => {
      const site = await newSite(fixture);
      assert.equal(await redeemFresh(fixture, site), "verified");
      return site;
    };

    test("redeems with both keys after a rotation", async () => {
      const site = await knownSite();
      const fresh = await rotate(fixture, site);
      assert.equal(await redeemFresh(fixture, fresh), "verified");
      assert.equal(await redeemFresh(fixture, site), "verified");
    });

    test("ends the grace of replaced keys with 'revoke now', and keeps the current one", async () => {
      const site = await knownSite();
      const fresh = await rotate(fixture, site);
      assert.equal(await redeemFresh(fixture, fresh), "verified");
      assert.equal(await revokeReplacedSecrets(fixture.ports, site), "revoked");
      assert.equal(await redeemFresh(fixture, site), "invalid_secret");
      assert.equal(await redeemFresh(fixture, fresh), "verified");
    });

    test("refuses a disabled site's tokens", async () => {
      const site = await knownSite();
      const token = mintToken(fixture, site);
      await updateSite(fixture.ports, site, { isEnabled: false });
      assert.equal(outcomeOf(await redeem(fixture, site, { token })), "site_disabled");
    });

    test("invalidates all keys of a deleted site, and gives a restored one a new key only (spec 1, Delete Site)", async () => {
      const site = await knownSite();
      const fresh = await rotate(fixture, site);
      assert.equal(await deleteSite(fixture.ports, site), "deleted");
      for (const dead of [site, fresh])
        assert.equal(await redeemFresh(fixture, dead), "invalid_secret");
      const restored = await restoreSite(fixture.ports, site);
      assert.ok(restored.kind === "restored");
      assert.equal(
        await redeemFresh(fixture, { ...site, secretKey: restored.secretKey }),
        "verified",
      );
      for (const dead of [site, fresh])
        assert.equal(await redeemFresh(fixture, dead), "invalid_secret");
    });

    test("tells a caller that sends undefined, or a site key, how a secret key begins", async () => {
      const { siteKey } = await newSite(fixture);
      for (const path of [TOKEN_VERIFY, SCORE]) {
        for (const shown of ["undefined", siteKey]) {
          const { status, body } = await callApi(fixture.baseUrl, {
            path,
            body: {},
            headers: bearer(shown),
          });
          assert.deepEqual([status, body.error?.code], [401, "invalid_secret"]);
          assert.match(body.error?.message ?? "", /begins with sk_/);
        }
      }
    });

    test("passes exactly one of 60 redemptions of one token at once (spec 2.5.1; D3, single use)", async () => {
      const site = await newSite(fixture);
      const token = mintToken(fixture, site);
      const answers = await Promise.all(
        Array.from({ length: 60 }, () => redeem(fixture, site, { token })),
      );
      const outcomes = answers.map(outcomeOf);
      assert.equal(outcomes.filter((outcome) => outcome === "verified").length, 1);
      assert.equal(outcomes.filter((outcome) => outcome === "token_already_used").length, 59);
    });
  });
}
