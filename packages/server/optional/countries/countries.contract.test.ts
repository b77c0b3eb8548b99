import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import type { OutcomeData } from "@stile/protocol/dashboard-statistics";
import { callDashboard, newMember, newSession } from "@stile/testkit/contract/dashboard";
import { startInProcess, type TimedFixture } from "@stile/testkit/contract/service-fixtures";
import { newSite, type TestSite } from "@stile/testkit/contract/sites";
import { askChallenge, challengeOf, solve, submit, visit } from "@stile/testkit/contract/visitor";
import { inCountry, writeCountryFile } from "@stile/testkit/service/country-file";

const directory = mkdtempSync(join(tmpdir(), "stile-countries-"));
const file = join(directory, "countries.mmdb");
writeFileSync(
  file,
  writeCountryFile({
    "203.0.113.0/24": inCountry("DE"),
    "2001:db8:1::/48": inCountry("NZ"),
    "198.51.100.0/24": { country: { iso_code: "not a code" } },
  }),
);

const from = (forwardedFor: string) => ({ headers: { "x-forwarded-for": forwardedFor } });

/** The dashboard's numbers for the hour: countries, and the sums. */
async function outcomeOf(
  fixture: TimedFixture,
  site: TestSite,
): Promise<Pick<OutcomeData, "countries" | "sums">> {
  const { cookie } = await newSession(fixture, await newMember(fixture, site.accountId, "viewer"));
  const answer = await callDashboard(fixture, {
    path: `sites/${site.siteKey}/outcome?range=1h`,
    cookie,
  });
  assert.equal(answer.status, 200);
  return answer.body.data as unknown as OutcomeData;
}

suite("countries in the statistics (spec 1; D14, client address), in process", async () => {
  const proxy = { STILE_TRUSTED_PROXIES: "127.0.0.1" };
  const fixture = await startInProcess({ ...proxy, STILE_COUNTRY_DATABASE: file });
  const undeclared = await startInProcess({ STILE_COUNTRY_DATABASE: file });
  const without = await startInProcess(proxy);
  test.after(async () => {
    for (const each of [fixture, undeclared, without]) await each.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  test("counts each right solution once for the country of the forwarded address, if known", async () => {
    const site = await newSite(fixture, { mode: "invisible", difficultyOffset: -1 });
    const known = ["203.0.113.7", "203.0.113.8", "2001:db8:1::5"];
    const unknown = ["198.51.100.1", "192.0.2.1", "2001:db8:2::5", "10.1.1.1"];
    for (const ip of [...known, ...unknown]) {
      assert.equal((await visit(fixture, site, {}, from(ip))).body.data.verified, true, ip);
    }
    const { countries, sums } = await outcomeOf(fixture, site);
    assert.deepEqual(countries, [
      { name: "DE", count: 2 },
      { name: "NZ", count: 1 },
    ]);
    assert.equal(sums.solved, known.length + unknown.length);
  });

  test("counts no country for replays and wrong solutions", async () => {
    const site = await newSite(fixture, { mode: "invisible", difficultyOffset: -1 });
    const more = from("203.0.113.9");
    const asked = challengeOf(await askChallenge(fixture, { site_key: site.siteKey }, more));
    const right = await solve(fixture, site, asked);
    await submit(fixture, { ...right, solution: "" }, more);
    for (let i = 0; i < 3; i++) await submit(fixture, right, more);
    assert.deepEqual((await outcomeOf(fixture, site)).countries, [{ name: "DE", count: 1 }]);
  });

  test("lets no visitor choose a country, by forged entries or behind an undeclared proxy", async () => {
    const site = await newSite(fixture, { mode: "invisible", difficultyOffset: -1 });
    await visit(fixture, site, {}, from("203.0.113.7, 192.0.2.1"));
    await visit(fixture, site, {}, { ...from("203.0.113.7"), from: "127.0.0.9" });
    await visit(
      fixture,
      site,
      {},
      { headers: { "x-forwarded-for": "192.0.2.1", "cf-ipcountry": "DE" } },
    );
    const { countries, sums } = await outcomeOf(fixture, site);
    assert.deepEqual([countries, sums.solved], [[], 3]);
    const other = await newSite(undeclared, { mode: "invisible", difficultyOffset: -1 });
    await visit(undeclared, other, {}, from("203.0.113.7"));
    const hidden = await outcomeOf(undeclared, other);
    assert.deepEqual([hidden.countries, hidden.sums.solved], [[], 1]);
  });

  test("counts nothing by country without a database", async () => {
    const site = await newSite(without, { mode: "invisible", difficultyOffset: -1 });
    await visit(without, site, {}, from("203.0.113.7"));
    const { countries, sums } = await outcomeOf(without, site);
    assert.deepEqual([countries, sums.solved], [[], 1]);
  });

  test("stops the start with one sentence if the database can't be read (D17, settings)", async () => {
    const missing = join(directory, "missing.mmdb");
    await assert.rejects(startInProcess({ STILE_COUNTRY_DATABASE: missing }), {
      name: "CountryDatabaseProblem",
      message: `STILE_COUNTRY_DATABASE names ${missing}, which can't be read. Check the path and its permissions, or unset it.`,
    });
  });
});
