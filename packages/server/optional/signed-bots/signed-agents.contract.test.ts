import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { updateSite } from "@stile/core/use-cases/site/update-site";
import type { ScoredRequestData } from "@stile/protocol/dashboard-statistics";
import type { ApiAnswer } from "@stile/testkit/contract/call";
import { redeem } from "@stile/testkit/contract/redeem";
import { startInProcess } from "@stile/testkit/contract/service-fixtures";
import { newSite, type TestSite } from "@stile/testkit/contract/sites";
import { askChallenge, challengeOf, solve, submit, visit } from "@stile/testkit/contract/visitor";
import { createSigner, type Signing, signedHeaders } from "@stile/testkit/visits/signing-agent";

const BASE_URL = "https://stile.example";
const EASY = { difficultyOffset: -1 } as const;
/** Signs of automation that make the service block. */
const AUTOMATED = { environment: { webdriver: true } } as const;

const directory = mkdtempSync(join(tmpdir(), "stile-agents-"));
const file = join(directory, "agents.json");
const otter = createSigner();
const trust = (...agents: { readonly name: string; readonly keys: readonly object[] }[]) =>
  writeFileSync(file, JSON.stringify({ agents }));
trust({ name: "Otter", keys: [otter.jwk] });

const fixture = await startInProcess({
  STILE_BASE_URL: BASE_URL,
  STILE_SIGNED_AGENTS: file,
  STILE_LIMIT_CHALLENGE: "1000",
});
after(async () => {
  await fixture.stop();
  rmSync(directory, { recursive: true, force: true });
});

const outcomeOf = ({ body }: ApiAnswer) =>
  body.data.verified === true ? "verified" : body.data.next;
let signed = 0;
const sign = (change: Partial<Signing> = {}, signer = otter) =>
  signedHeaders(signer, {
    method: "POST",
    target: "/api/v1/verify",
    origin: BASE_URL,
    nowMs: fixture.clock.nowMs(),
    nonce: `${signed++}`,
    ...change,
  });

/** A robot's visit. Its submission has these headers, which are made when its work is done. */
async function visitSigned(site: TestSite, headers: () => Readonly<Record<string, string>>) {
  const body = await solve(
    fixture,
    site,
    challengeOf(await askChallenge(fixture, { site_key: site.siteKey })),
    AUTOMATED,
  );
  return await submit(fixture, body, { headers: headers() });
}

async function decisionsOf({ siteKey }: TestSite): Promise<readonly ScoredRequestData[]> {
  await fixture.store.decisions.flush();
  const entries = await fixture.store.decisions.list({ siteKey, limit: 50, beforeId: undefined });
  return entries.filter((entry) => entry.outcome !== "refused");
}

suite("bots that sign (Web Bot Auth; D9, submission), in process", () => {
  test("scores signed bots like everybody on a new site, and names the signer in the decisions", async () => {
    const site = await newSite(fixture, EASY);
    assert.equal(outcomeOf(await visitSigned(site, sign)), "blocked");
    const [decision] = await decisionsOf(site);
    assert.deepEqual(decision?.signedAgent, { name: "Otter", isLetThrough: false });
    assert.ok(decision.contributions.some(({ flag }) => flag === "automation_webdriver"));
  });

  for (const mode of ["managed", "interactive", "invisible"] as const) {
    test(`gives bots a token with a low score, without a click, on a ${mode} site that lets them through, and says why`, async () => {
      const site = await newSite(fixture, { ...EASY, mode, signedAgents: "let_through" });
      const answer = await visitSigned(site, sign);
      assert.equal(outcomeOf(answer), "verified");
      const redeemed = (await redeem(fixture, site, { token: answer.body.data.token })).body.data;
      assert.deepEqual([redeemed.verified, redeemed.score], [true, 0.05]);
      const [decision] = await decisionsOf(site);
      assert.deepEqual(decision?.signedAgent, { name: "Otter", isLetThrough: true });
      assert.deepEqual(
        [decision.score, decision.outcome, decision.contributions],
        [0.05, "token", []],
      );
    });
  }

  test("scores unsigned requests and invalid signatures there as before, and no worse", async () => {
    const site = await newSite(fixture, { ...EASY, signedAgents: "let_through" });
    const spent = sign();
    assert.equal(outcomeOf(await visitSigned(site, () => spent)), "verified");
    const cases: readonly (readonly [string, () => Readonly<Record<string, string>>])[] = [
      ["nothing", () => ({})],
      ["a signature that counted already", () => spent],
      ["of a stranger", () => sign({}, createSigner())],
      ["for another authority", () => sign({ origin: "https://evil.example" })],
      [
        "for another host, which a proxy replaced by ours",
        () => ({
          ...sign({ origin: "https://evil.example" }),
          "x-forwarded-host": "evil.example",
          forwarded: "host=evil.example",
        }),
      ],
      [
        "for another path",
        () =>
          sign({
            target: "/api/v1/score",
            cover: ['"@authority"', '"@path"', '"signature-agent";key="sig1"'],
          }),
      ],
      ["expired", () => sign({ nowMs: fixture.clock.nowMs() - 400_000 })],
      ["without a tag", () => sign({ tag: undefined })],
      ["no structured field", () => ({ ...sign(), "signature-input": "(((" })],
    ];
    const [first] = await decisionsOf(site);
    for (const [what, headers] of cases) {
      assert.equal(outcomeOf(await visitSigned(site, headers)), "blocked", what);
      const [decision] = await decisionsOf(site);
      assert.notEqual(decision?.decisionId, first?.decisionId);
      assert.equal(decision?.signedAgent, undefined, what);
    }
    // An honest visitor with a broken signature, which does not count against them.
    const honest = await newSite(fixture, { ...EASY, signedAgents: "let_through" });
    const headers = { ...sign({}, createSigner()) };
    assert.equal(outcomeOf(await visit(fixture, honest, {}, { headers })), "verified");
    assert.equal((await decisionsOf(honest))[0]?.score, 0.05);
  });

  test("demands the work of signed requests too, and spends a challenge once", async () => {
    const site = await newSite(fixture, { ...EASY, signedAgents: "let_through" });
    const body = await solve(
      fixture,
      site,
      challengeOf(await askChallenge(fixture, { site_key: site.siteKey })),
    );
    assert.equal(
      outcomeOf(await submit(fixture, { ...body, solution: "A".repeat(86) }, { headers: sign() })),
      "retry",
    );
    assert.equal(outcomeOf(await submit(fixture, body, { headers: sign() })), "verified");
    assert.equal(outcomeOf(await submit(fixture, body, { headers: sign() })), "retry");
  });

  test("asks a signed request for no click after a refusal in its network, but asks an unsigned one", async () => {
    const site = await newSite(fixture, { ...EASY, signedAgents: "let_through" });
    assert.equal(outcomeOf(await visit(fixture, site, AUTOMATED)), "blocked");
    const target = `/api/v1/pow/challenge?site_key=${site.siteKey}`;
    const ask = async (headers: Readonly<Record<string, string>>) =>
      challengeOf(await askChallenge(fixture, { site_key: site.siteKey }, { headers })).interaction;
    const cover = ['"@authority"', '"@method"', '"@path"', '"signature-agent";key="sig1"'];
    assert.equal(await ask({}), "click");
    assert.equal(await ask(sign({ method: "GET", target, cover })), "none");
    assert.equal(await ask(sign({ method: "POST", target, cover })), "click");
    await updateSite(fixture.ports, site, { signedAgents: "judge" });
    assert.equal(await ask(sign({ method: "GET", target, cover })), "click");
  });

  test("records the change of a site in the audit log, with both values", async () => {
    const site = await newSite(fixture, EASY);
    await updateSite(fixture.ports, site, { signedAgents: "let_through" });
    const entries = await fixture.store.auditLog.list(site.accountId, { limit: 10 });
    const changes = entries.flatMap((entry) => entry.changes);
    assert.deepEqual(
      changes.find(({ field, before }) => field === "signedAgents" && before !== null),
      { field: "signedAgents", before: "judge", after: "let_through" },
    );
  });
});
