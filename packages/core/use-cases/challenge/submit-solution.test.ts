import assert from "node:assert/strict";
import { test } from "node:test";
import { unpackChallenge } from "@stile/pow/challenge";
import { assess } from "@stile/risk/assess";
import {
  EASY_DIFFICULTY,
  issueTo,
  solve,
  solveFresh,
  visitorAt,
  workOn,
} from "@stile/testkit/minting/solving";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import { createWorld, NOON_MS, referenceTo, VISITOR_IP } from "@stile/testkit/world/world";
import { StoreUnavailable } from "../../ports/store-unavailable.ts";
import type { Submission } from "../../services/challenge/check-work.ts";
import { openToken } from "../../services/token/seal-token.ts";
import { deleteSite } from "../site/delete-site.ts";
import { updateSite } from "../site/update-site.ts";
import { submitSolution } from "./submit-solution.ts";

/** The offset of the difficulty in a challenge's bytes. */
const DIFFICULTY_AT = 8;

const world = await createWorld();
const { site, secretKey } = await world.createSite();
const { site: otherSite } = await world.createSite();
const nodes = [world.node, await world.createNode()] as const;
/** One solved challenge for all refusals, which must not spend it. */
const solved = await solveFresh(world, site);

async function submit(change: Partial<Submission> = {}, node = world.node): Promise<string> {
  return (await submitSolution(node, { ...solved, ...change })).kind;
}

test("answers retry for another site's key, since the challenge is signed for one site (D9, submission)", async () => {
  assert.equal(await submit({ siteKey: otherSite.siteKey }), "retry");
});

test("answers invalid_site_key for an unknown key, and domain_mismatch for a page elsewhere or none (D8, challenge; D9, submission)", async () => {
  assert.equal(await submit({ siteKey: "pk_unknown" }), "invalid_site_key");
  assert.equal(await submit({ host: "evil.example" }), "domain_mismatch");
  assert.equal(await submit({ host: undefined }), "domain_mismatch");
});

test("answers retry to a forged or malformed challenge (D9, submission)", async () => {
  const { challenge } = solved;
  const flipped = `${challenge.slice(0, -1)}${challenge.endsWith("A") ? "B" : "A"}`;
  for (const text of [
    "",
    "x",
    flipped,
    challenge.slice(1),
    `${challenge}A`,
    "A".repeat(challenge.length),
  ]) {
    assert.equal(await submit({ challenge: text }), "retry", text);
  }
});

test("answers retry to a challenge of a retired key, since a copy of the service may have issued its token (D3, single use; D9, submission)", async () => {
  const cryptography = { ...world.node.cryptography, isRetired: () => true };
  assert.equal(await submit({}, { ...world.node, cryptography }), "retry");
});

test("answers retry to another action, another user agent or none (D9, submission)", async () => {
  assert.equal(await submit({ actionName: "transfer" }), "retry");
  assert.equal(await submit({ actionName: undefined }), "retry");
  assert.equal(await submit({ visitor: { ...solved.visitor, userAgent: "Other/1.0" } }), "retry");
  assert.equal(await submit({ visitor: { ...solved.visitor, userAgent: "" } }), "retry");
});

test("answers retry if the signals changed after solving, since the work covers their bytes (D9, submission)", async () => {
  assert.equal(await submit({ environmentBytes: () => Buffer.from("{}") }), "retry");
  assert.equal(await submit({ environmentBytes: () => new Uint8Array(0) }), "retry");
});

test("a refused solution spends nothing: the right one still yields its token, with all fields (D9, submission)", async () => {
  const answer = await submitSolution(world.node, { ...solved, visitor: visitorAt("192.0.2.250") });
  assert.ok(answer.kind === "issued", answer.kind);
  const issuedAtMs = world.clock.nowMs();
  assert.equal(answer.expiresAtMs, issuedAtMs + 300_000);
  const { payload } = openToken(world.node.cryptography, answer.token) ?? assert.fail("not opened");
  assert.deepEqual(
    [payload.siteKey, payload.hostname, payload.actionName, payload.cdata, payload.challengeAtMs],
    [site.siteKey, "www.shop.example", "login", "order 7", issuedAtMs],
  );
  assert.ok(payload.score < 0.3, String(payload.score));
  const claim = { remoteIp: VISITOR_IP, userAgent: CHROME_VISITOR.userAgent };
  const redeemed = await world.redeem(secretKey, { token: answer.token, ...claim });
  assert.ok(redeemed.kind === "verified");
  assert.equal(redeemed.verdict.score, payload.score, "bound to the visitor who solved");
});

test("a spent challenge yields no second token, on any node (D9, submission)", async () => {
  assert.equal(await submit(), "retry");
  assert.equal(await submit({}, nodes[1]), "retry");
  assert.equal(await world.countOf(site, "token_issued"), 1);
});

test("many simultaneous submissions of one solution yield exactly one token (D9, submission)", async () => {
  const submission = await solveFresh(world, site);
  const calls = Array.from({ length: 40 }, (_, i) =>
    submitSolution(nodes[i % 2] ?? world.node, submission),
  );
  const kinds = (await Promise.all(calls)).map((answer) => answer.kind);
  assert.equal(kinds.filter((kind) => kind === "issued").length, 1);
  assert.equal(kinds.filter((kind) => kind === "retry").length, 39);
});

test("a solution is accepted 299.999 s after the challenge was issued and not after 300 s (proof of work)", async () => {
  const issuedAtMs = world.clock.nowMs();
  const submission = await solveFresh(world, site);
  world.clock.setTo(issuedAtMs + 300_000);
  assert.equal((await submitSolution(world.node, submission)).kind, "retry");
  world.clock.setTo(issuedAtMs + 299_999);
  assert.equal((await submitSolution(world.node, submission)).kind, "issued");
});

test("a challenge is opened with the keys of its own day after midnight (D4, sealed token)", async () => {
  world.clock.setTo(Date.UTC(2026, 5, 15, 23, 59, 59, 500));
  const submission = await solveFresh(world, site);
  assert.ok(world.clock.nowMs() >= Date.UTC(2026, 5, 16));
  assert.equal((await submitSolution(world.node, submission)).kind, "issued");
  world.clock.setTo(NOON_MS + 3_600_000);
});

test("issues a token with a raised score to a visitor of another address family, who may be dual-stack (D9, submission)", async () => {
  const submission = await solveFresh(world, site);
  const answer = await submitSolution(world.node, {
    ...submission,
    visitor: visitorAt("2001:db8::7"),
  });
  assert.ok(answer.kind === "issued", answer.kind);
  const { payload } = openToken(world.node.cryptography, answer.token) ?? assert.fail("not opened");
  assert.ok(payload.score > 0.05 && payload.score < 0.3, String(payload.score));
  assert.equal(payload.addressFamily, 6);
});

test("a visitor behind an undeclared proxy gets an unbound token with the score of a moved one (D5, binding)", async () => {
  const hidden = { ...visitorAt(VISITOR_IP), bindingAddress: undefined };
  const scoreOn = async (binding: "strict" | "off"): Promise<number> => {
    const own = await world.createSite({ binding });
    const issued = await issueTo(world, own.site, hidden);
    const answer = await submitSolution(world.node, {
      ...(await solve(world, own.site, issued)),
      visitor: hidden,
    });
    assert.ok(answer.kind === "issued", answer.kind);
    const { payload } =
      openToken(world.node.cryptography, answer.token) ?? assert.fail("not opened");
    assert.equal(payload.addressFamily, 0);
    return payload.score;
  };
  assert.equal(
    await scoreOn("strict"),
    assess({ tokenScore: 0.05, history: { isAddressChanged: true } }).score,
  );
  assert.equal(await scoreOn("off"), 0.05, "where nothing is bound nothing is avoided");
});

test("three wrong solutions use a challenge up: the correct one comes too late and is not hashed (proof of work)", async () => {
  const submission = await solveFresh(world, site);
  const wrong = {
    ...submission,
    solutionBytes: Uint8Array.from(submission.solutionBytes).fill(0, 60),
  };
  for (let i = 0; i < 3; i++) assert.equal((await submitSolution(world.node, wrong)).kind, "retry");
  assert.equal((await submitSolution(world.node, submission)).kind, "retry");
});

test("replays of a correct solution use its challenge up too: from the fourth on they reach no store (proof of work)", async () => {
  const submission = await solveFresh(world, site);
  let spends = 0;
  const { challenges } = world.node;
  const counting: typeof challenges = {
    spend: (spend) => {
      spends += 1;
      return challenges.spend(spend);
    },
  };
  const node = { ...world.node, challenges: counting };
  const kinds: string[] = [];
  for (let i = 0; i < 6; i++) kinds.push((await submitSolution(node, submission)).kind);
  assert.deepEqual(kinds, ["issued", "retry", "retry", "retry", "retry", "retry"]);
  assert.equal(spends, 4);
});

test("a thousand simultaneous copies of a correct solution cause no more scoring than copies in turn", async () => {
  const fresh = await solveFresh(world, site);
  let looks = 0;
  const observe: Submission["observe"] = () => {
    looks += 1;
    return fresh.observe();
  };
  const answers = await Promise.all(
    Array.from({ length: 1000 }, () => submitSolution(world.node, { ...fresh, observe })),
  );
  assert.equal(answers.filter(({ kind }) => kind === "issued").length, 1);
  assert.equal(looks, 3);
});

test("a failure that is not the visitor's fault does not count: they may submit again (D15, outage)", async () => {
  const submission = await solveFresh(world, site);
  const { challenges } = world.node;
  const failing: typeof challenges = {
    spend: () => Promise.reject(new StoreUnavailable("the disk is full")),
  };
  for (let i = 0; i < 5; i++) {
    await assert.rejects(
      submitSolution({ ...world.node, challenges: failing }, submission),
      StoreUnavailable,
    );
  }
  let changes = 3;
  const changing: typeof challenges = {
    spend: async (spend) => (changes-- > 0 ? "site_changed" : await challenges.spend(spend)),
  };
  assert.equal(
    (await submitSolution({ ...world.node, challenges: changing }, submission)).kind,
    "issued",
  );
});

test("impossible solutions are refused: empty, short, long, unsorted, repeated (proof of work)", async () => {
  const fresh = await solveFresh(world, site);
  const nonces = Buffer.from(fresh.solutionBytes);
  const first = nonces.subarray(0, 4);
  for (const solutionBytes of [
    new Uint8Array(0),
    nonces.subarray(0, 60),
    Buffer.concat([nonces, first]),
    Buffer.concat([nonces.subarray(4), first]),
    Buffer.concat(new Array<Buffer>(16).fill(first)),
  ]) {
    const { text } = await issueTo(world, site);
    assert.equal(
      (await submitSolution(world.node, { ...fresh, challenge: text, solutionBytes })).kind,
      "retry",
    );
  }
  const { text } = await issueTo(world, site);
  assert.equal(
    (await submitSolution(world.node, { ...fresh, challenge: text })).kind,
    "retry",
    "another one's work",
  );
});

test("no request yields an easier challenge, since the difficulty is signed (proof of work)", async () => {
  const { text, challenge } = await issueTo(world, site);
  const cheap = Buffer.from(text, "base64url");
  cheap.writeUInt32LE(EASY_DIFFICULTY, DIFFICULTY_AT);
  assert.equal(unpackChallenge(cheap)?.challenge.difficulty, EASY_DIFFICULTY);
  const solutionBytes = await workOn(cheap, challenge, solved.environmentBytes());
  assert.equal(await submit({ challenge: cheap.toString("base64url"), solutionBytes }), "retry");
});

test("a site that was disabled or deleted on another node issues nothing here, despite caches (D3, single use; D12, states)", async () => {
  const { site: doomed } = await world.createSite();
  const reference = referenceTo(doomed);
  const submission = await solveFresh(world, doomed);
  await nodes[1].directory.findSite(doomed.siteKey);
  await updateSite(world.node, reference, { isEnabled: false });
  assert.equal((await submitSolution(nodes[1], submission)).kind, "site_disabled");
  await updateSite(world.node, reference, { isEnabled: true });
  world.clock.advance(1000);
  await nodes[1].directory.findSite(doomed.siteKey);
  await deleteSite(world.node, reference);
  assert.equal((await submitSolution(nodes[1], submission)).kind, "invalid_site_key");
});
