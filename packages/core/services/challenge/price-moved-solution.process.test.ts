import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { assess } from "@stile/risk/assess";
import {
  BY_KEYBOARD,
  issueTo,
  NOBODY,
  type SentSignals,
  solve,
  visitorAt,
} from "@stile/testkit/minting/solving";
import { createWorld, type OwnedSite, VISITOR_IP, type World } from "@stile/testkit/world/world";
import { submitSolution } from "../../use-cases/challenge/submit-solution.ts";
import { openToken } from "../token/seal-token.ts";
import { networkOf } from "../visitor/network-evidence.ts";
import type { SubmissionAnswer } from "./ask-again.ts";
import type { Submission } from "./check-work.ts";
import type { IssuedChallenge } from "./issue-within-budget.ts";
import { priceMovedSolution } from "./price-moved-solution.ts";

const ELSEWHERE = "203.0.113.7";
/** The challenges a minute from which a network's work doubles. */
const BUSY = 24;

let world: World;
let owned: OwnedSite;
beforeEach(async () => {
  world = await createWorld();
  owned = await world.createSite();
});

/** A challenge drawn at one address and solved, as submitted from another. */
async function solvedAt(from: string, to: string, page: SentSignals = {}): Promise<Submission> {
  return {
    ...(await solve(world, owned.site, await issueTo(world, owned.site, visitorAt(from)), page)),
    visitor: visitorAt(to),
  };
}

const submit = (submission: Submission): Promise<SubmissionAnswer> =>
  submitSolution(world.node, submission);

function payloadOf(answer: SubmissionAnswer) {
  assert.ok(answer.kind === "issued", answer.kind);
  return (openToken(world.node.cryptography, answer.token) ?? assert.fail("not opened")).payload;
}

/** A client at that address asks for this many challenges. */
async function ask(ip: string, times: number): Promise<IssuedChallenge | undefined> {
  let last: IssuedChallenge | undefined;
  for (let i = 0; i < times; i++) last = await issueTo(world, owned.site, visitorAt(ip));
  return last;
}

test("a submission from another network yields a token for that network, with a raised score and no press (D9, submission)", async () => {
  const moved = payloadOf(await submit(await solvedAt(VISITOR_IP, ELSEWHERE)));
  assert.equal(
    moved.score,
    assess({ tokenScore: 0.05, history: { isAddressChanged: true } }).score,
  );
  assert.equal(await world.countOf(owned.site, "flag:ip_changed"), 1);
  const stayed = payloadOf(await submit(await solvedAt(ELSEWHERE, ELSEWHERE)));
  assert.deepEqual(moved.prefixDigest, stayed.prefixDigest);
  assert.equal(stayed.score, 0.05);
});

test("a visitor whose address changes with every request is asked for a press, and then gets a token (D9, submission)", async () => {
  const answer = await submit(await solvedAt(VISITOR_IP, ELSEWHERE, { behaviour: NOBODY }));
  assert.ok(answer.kind === "step_up", answer.kind);
  const submission = await solve(world, owned.site, answer.issued, { behaviour: BY_KEYBOARD });
  const pressed = { ...submission, visitor: visitorAt("198.18.7.7") };
  assert.ok(payloadOf(await submit(pressed)).score < 0.3);
});

test("observations from before a step-up are no replay when a third network submits them (D9, submission)", async () => {
  const asked = await submit(await solvedAt(VISITOR_IP, ELSEWHERE, { environment: "withheld" }));
  assert.ok(asked.kind === "step_up", asked.kind);
  const again = {
    ...(await solve(world, owned.site, asked.issued)),
    visitor: visitorAt("198.18.7.7"),
  };
  assert.equal((await submit(again)).kind, "issued");
  for (const flag of ["behaviour_repeated", "trajectory_replayed"] as const) {
    assert.equal(await world.countOf(owned.site, `flag:${flag}`), 0, flag);
  }
});

test("a solution whose key is retired while its price is looked up spends nothing, in any run of the store (D3, single use; D9, submission)", async () => {
  const submission = await solvedAt(VISITOR_IP, ELSEWHERE);
  const { cryptography, directory } = world.node;
  let isRetired = false;
  const findAccount: typeof directory.findAccount = (accountId) => {
    isRetired = true;
    return directory.findAccount(accountId);
  };
  const node = {
    ...world.node,
    cryptography: { ...cryptography, isRetired: () => isRetired },
    directory: { ...directory, findAccount },
  };
  assert.equal((await submitSolution(node, submission)).kind, "retry");
  assert.equal((await submit(submission)).kind, "issued", "it was spent");
});

test("a solution submitted from two networks at once yields exactly one token (D9, submission)", async () => {
  const submission = await solvedAt(VISITOR_IP, VISITOR_IP);
  const everywhere = [ELSEWHERE, VISITOR_IP, "2001:db8::7"].map((ip) =>
    submit({ ...submission, visitor: visitorAt(ip) }),
  );
  const kinds = (await Promise.all(everywhere)).map(({ kind }) => kind);
  assert.deepEqual(kinds.toSorted(), ["issued", "retry", "retry"]);
});

test("a recording of one network, submitted from others with challenges drawn there, is recognised (D9, submission)", async () => {
  assert.equal((await submit(await solvedAt(VISITOR_IP, VISITOR_IP))).kind, "issued");
  for (const ip of [ELSEWHERE, "198.18.7.7"]) {
    assert.equal((await submit(await solvedAt(VISITOR_IP, ip))).kind, "blocked", ip);
  }
});

test("cheap work is refused in an expensive network, and stays valid where it was drawn (D9, submission)", async () => {
  await ask(ELSEWHERE, BUSY);
  const submission = await solvedAt(VISITOR_IP, ELSEWHERE);
  assert.equal((await submit(submission)).kind, "retry");
  assert.equal((await submit({ ...submission, visitor: visitorAt(VISITOR_IP) })).kind, "issued");
});

test("a busy network accepts work from elsewhere that is at least as hard as its own (D9, submission)", async () => {
  await ask(ELSEWHERE, BUSY);
  const submission = await solvedAt(VISITOR_IP, ELSEWHERE);
  const { challenge } = await issueTo(world, owned.site, visitorAt(VISITOR_IP));
  const priceOf = async (difficulty: number, isFallback = false): Promise<string> =>
    (
      await priceMovedSolution(
        world.node,
        owned.site,
        { ...challenge, difficulty, isFallback },
        submission,
      )
    ).kind;
  const own = 2 * challenge.difficulty;
  assert.deepEqual([await priceOf(own - 1), await priceOf(own)], ["cheap", "paid"]);
  assert.equal(
    await priceOf(own, true),
    "cheap",
    "a busy network rations browsers without WebAssembly",
  );
});

test("a network's earnings also raise the price of work from elsewhere there (D9, submission; D10, limits)", async () => {
  const network = networkOf(
    world.node.cryptography,
    visitorAt(ELSEWHERE).address,
    world.clock.nowMs(),
  );
  assert.ok(network !== undefined);
  const { siteKey } = owned.site;
  for (let i = 0; i < 900; i++)
    world.node.tokenUsage.recordEarned(siteKey, network, world.clock.nowMs());
  assert.equal((await submit(await solvedAt(VISITOR_IP, ELSEWHERE))).kind, "retry");
});

test("both networks count as having earned the token (D10, limits)", async () => {
  assert.equal((await submit(await solvedAt(VISITOR_IP, ELSEWHERE))).kind, "issued");
  for (const ip of [VISITOR_IP, ELSEWHERE]) {
    const network = networkOf(world.node.cryptography, visitorAt(ip).address, world.clock.nowMs());
    const earned = world.node.tokenUsage.earnedLately(
      owned.site.siteKey,
      network ?? "",
      world.clock.nowMs(),
    );
    assert.equal(earned, 1, ip);
  }
});

test("a submission draws on the limit of its network, and a refusal spends nothing (D9, submission; D10, limits)", async () => {
  await ask(ELSEWHERE, 100);
  const submission = await solvedAt(VISITOR_IP, ELSEWHERE);
  assert.equal((await submit(submission)).kind, "limited");
  assert.equal((await submit({ ...submission, visitor: visitorAt(VISITOR_IP) })).kind, "issued");
});

test("a browser that must step up in a network cannot avoid it with a challenge from elsewhere (D9, submission)", async () => {
  const risky = await solvedAt(ELSEWHERE, ELSEWHERE, { environment: "withheld" });
  assert.equal((await submit(risky)).kind, "step_up");
  assert.equal((await submit(await solvedAt(VISITOR_IP, ELSEWHERE))).kind, "retry");
});

test("a signed bot that is let through does not step up for its neighbours either (D9, submission)", async () => {
  owned = await world.createSite({ signedAgents: "let_through" });
  const risky = await solvedAt(ELSEWHERE, ELSEWHERE, { environment: "withheld" });
  assert.equal((await submit(risky)).kind, "step_up");
  const moved = await solvedAt(VISITOR_IP, ELSEWHERE);
  assert.equal(
    (await submit({ ...moved, visitor: { ...moved.visitor, signedAgent: "Crawler" } })).kind,
    "issued",
  );
});

test("correct work that is too cheap there uses its challenge up, as wrong work does (proof of work)", async () => {
  await ask(ELSEWHERE, BUSY);
  const submission = await solvedAt(VISITOR_IP, ELSEWHERE);
  for (let i = 0; i < 3; i++) assert.equal((await submit(submission)).kind, "retry");
  assert.equal((await submit({ ...submission, visitor: visitorAt(VISITOR_IP) })).kind, "retry");
});

test("checks correct work at most three times if a limit in the new network refuses it (D10, proof of work)", async () => {
  await ask(ELSEWHERE, 100);
  const submission = await solvedAt(VISITOR_IP, ELSEWHERE);
  for (let i = 0; i < 3; i++) assert.equal((await submit(submission)).kind, "limited");
  assert.equal((await submit(submission)).kind, "retry");
});
