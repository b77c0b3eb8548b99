import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { outcomeOf, redeem } from "@stile/testkit/contract/redeem";
import { startInProcess, type TimedFixture } from "@stile/testkit/contract/service-fixtures";
import { newSite } from "@stile/testkit/contract/sites";
import { askChallenge, visit } from "@stile/testkit/contract/visitor";

/**
 * Challenges for one client, and for several of a network, with one from its reserve (D10, limits).
 * These numbers tell clients apart.
 */
const PER_CLIENT = 1;
const PER_NETWORK = 2;
const BUDGET = { STILE_LIMIT_CHALLENGE: "1" };

/** How many of these requests, each with its X-Forwarded-For, get a challenge. */
async function countAdmitted(
  fixture: TimedFixture,
  forwarded: readonly string[],
  from: string,
): Promise<number> {
  const site = await newSite(fixture);
  let admitted = 0;
  for (const entries of forwarded) {
    const headers = { "x-forwarded-for": entries };
    admitted +=
      (await askChallenge(fixture, { site_key: site.siteKey }, { from, headers })).status === 200
        ? 1
        : 0;
  }
  return admitted;
}

const FORGED = ["1.1.1.1", "2.2.2.2", "3.3.3.3", "4.4.4.4", "5.5.5.5"];

suite("client address (D14, client address), in process", async () => {
  const open = await startInProcess(BUDGET);
  const behindProxies = await startInProcess({
    ...BUDGET,
    STILE_TRUSTED_PROXIES: "127.0.0.1,10.0.0.0/8",
  });
  test.after(open.stop);
  test.after(behindProxies.stop);

  test("ignores X-Forwarded-For unless the peer is a trusted proxy", async () => {
    assert.equal(await countAdmitted(open, FORGED, "127.0.0.1"), PER_CLIENT);
    assert.equal(await countAdmitted(behindProxies, FORGED, "127.0.0.8"), PER_CLIENT);
  });

  test("takes the entry that a trusted proxy wrote as the client", async () => {
    assert.equal(await countAdmitted(behindProxies, FORGED, "127.0.0.1"), FORGED.length);
  });

  test("ignores entries to the left, which the client wrote itself", async () => {
    const lied = FORGED.map((entry) => `${entry}, 198.51.100.1, 10.1.2.3`);
    assert.equal(await countAdmitted(behindProxies, lied, "127.0.0.1"), PER_CLIENT);
  });

  test("counts an IPv4 address or an IPv6 /64 as one client, a /24 or a /48 as one network (D10, limits)", async () => {
    const table: [addressOf: (i: number) => string, expected: number][] = [
      [(i) => `2001:db8:0:1::${i + 1}`, PER_CLIENT],
      [(i) => `2001:db8:0:${i + 1}::1`, PER_NETWORK],
      [(i) => `2001:db8:${i + 1}::1`, FORGED.length],
      [() => "198.51.100.1", PER_CLIENT],
      [(i) => `198.51.100.${i}`, PER_NETWORK],
      [(i) => `198.51.${i}.1`, FORGED.length],
    ];
    for (const [addressOf, expected] of table) {
      const addresses = FORGED.map((_, i) => addressOf(i));
      assert.equal(
        await countAdmitted(behindProxies, addresses, "127.0.0.1"),
        expected,
        addressOf(1),
      );
    }
  });

  test("ends the search at the proxy that wrote an entry which is not an address", async () => {
    const garbage = FORGED.map((entry) => `${entry}, unknown`);
    assert.equal(await countAdmitted(behindProxies, garbage, "127.0.0.1"), PER_CLIENT);
  });

  test("binds a token to the forwarded visitor behind a trusted proxy, and to nobody behind an undeclared one (D5, binding)", async () => {
    const headers = { "x-forwarded-for": "203.0.113.7" };
    for (const [fixture, expected] of [
      [behindProxies, "binding_mismatch"],
      [open, "verified"],
    ] as const) {
      const site = await newSite(fixture, { difficultyOffset: -1 });
      const { token } = (await visit(fixture, site, {}, { headers })).body.data;
      assert.equal(
        outcomeOf(await redeem(fixture, site, { token, remoteip: "198.51.100.1" })),
        expected,
      );
      const other = await newSite(fixture, { difficultyOffset: -1 });
      const bound = (await visit(fixture, other, {}, { headers })).body.data;
      assert.equal(
        outcomeOf(await redeem(fixture, other, { token: bound.token, remoteip: "203.0.113.99" })),
        "verified",
      );
    }
  });

  test("scores a visitor behind an undeclared proxy differently from a bound one (D5, binding)", async () => {
    const fixture = await startInProcess();
    test.after(fixture.stop);
    const scoreWith = async (headers: Record<string, string>): Promise<number> => {
      // One site for each. The two submit the same path, which would count as a replay from two
      // networks.
      const site = await newSite(fixture, { difficultyOffset: -1 });
      const { token } = (await visit(fixture, site, {}, { headers })).body.data;
      return (await redeem(fixture, site, { token, remoteip: "127.0.0.1" })).body.data
        .score as number;
    };
    assert.deepEqual(
      [await scoreWith({}), await scoreWith({ "x-forwarded-for": "203.0.113.7" })],
      [0.05, 0.13],
    );
  });
});
