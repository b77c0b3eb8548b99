import assert from "node:assert/strict";
import { test } from "node:test";
import type { SiteMode } from "@stile/protocol/site-settings";
import {
  BY_KEYBOARD,
  issueTo,
  NO_CLICK,
  NOBODY,
  type SentSignals,
  solve,
  solveFresh,
  visitorAt,
  WEBDRIVER,
} from "@stile/testkit/minting/solving";
import { createWorld, VISITOR_IP, type World } from "@stile/testkit/world/world";
import { isDecision } from "../../domain/statistics/decision.ts";
import { scoreMetric, solveMetric } from "../../domain/statistics/metrics.ts";
import type { SubmissionAnswer } from "../../services/challenge/ask-again.ts";
import { openToken } from "../../services/token/seal-token.ts";
import { submitSolution } from "./submit-solution.ts";

const WITHHELD: SentSignals = { environment: "withheld" };

async function shop(mode: SiteMode, limits: Parameters<typeof createWorld>[0] = {}) {
  const world = await createWorld(limits);
  const { site } = await world.createSite({ mode });
  const submitFresh = async (page: SentSignals): Promise<SubmissionAnswer> =>
    submitSolution(world.node, await solveFresh(world, site, page));
  return { world, site, submitFresh };
}

function scoreOf(world: World, answer: SubmissionAnswer): number {
  assert.ok(answer.kind === "issued", answer.kind);
  const { payload } = openToken(world.node.cryptography, answer.token) ?? assert.fail("not opened");
  return payload.score;
}

test("managed: an honest visitor gets a token without a click (D9, submission)", async () => {
  const { world, submitFresh } = await shop("managed");
  assert.ok(scoreOf(world, await submitFresh({ behaviour: NO_CLICK })) < 0.3);
});

test("blocks a driven browser in `managed`, and gives the same solution no second try (D9, submission)", async () => {
  const { world, site } = await shop("managed");
  const submission = await solveFresh(world, site, { environment: WEBDRIVER });
  assert.deepEqual(await submitSolution(world.node, submission), { kind: "blocked", contact: "" });
  assert.equal((await submitSolution(world.node, submission)).kind, "retry");
  assert.equal(await world.countOf(site, "challenge_blocked"), 1);
  assert.equal(await world.countOf(site, "token_issued"), 0);
});

test("managed at risk: asks for a click, then for 16 times the work, and then issues a token (D9, submission)", async () => {
  const { world, site, submitFresh } = await shop("managed");
  const answer = await submitFresh(WITHHELD);
  assert.ok(answer.kind === "step_up", answer.kind);
  const { challenge } = answer.issued;
  assert.deepEqual(
    [challenge.stage, challenge.interaction, challenge.difficulty],
    ["stepped_up", "click", 2 ** 20],
  );
  const clicked = await submitSolution(
    world.node,
    await solve(world, site, answer.issued, WITHHELD),
  );
  assert.ok(clicked.kind === "price", clicked.kind);
  const priced = clicked.issued.challenge;
  assert.deepEqual(
    [priced.stage, priced.interaction, priced.difficulty],
    ["priced", "none", 2 ** 23],
  );
  const paid = await submitSolution(world.node, await solve(world, site, clicked.issued, WITHHELD));
  assert.ok(scoreOf(world, paid) >= 0.3);
  assert.equal(await world.countOf(site, "challenge_priced"), 1);
});

test("asks for 16 times the work after the press if doubts remain, in `interactive` (D9, submission)", async () => {
  const { world, site, submitFresh } = await shop("interactive");
  const answer = await submitFresh(WITHHELD);
  assert.ok(answer.kind === "price", answer.kind);
  const { challenge } = answer.issued;
  assert.deepEqual(
    [challenge.stage, challenge.interaction, challenge.difficulty],
    ["priced", "none", 2 ** 23],
  );
  const paid = await submitSolution(world.node, await solve(world, site, answer.issued, WITHHELD));
  assert.ok(scoreOf(world, paid) >= 0.3);
});

test("a fresh challenge instead of the priced one asks for a press again, and leads to the same price (D9, submission)", async () => {
  const { world, site, submitFresh } = await shop("managed");
  const answer = await submitFresh(WITHHELD);
  assert.ok(answer.kind === "step_up", answer.kind);
  const clicked = await submitSolution(
    world.node,
    await solve(world, site, answer.issued, WITHHELD),
  );
  assert.equal(clicked.kind, "price");
  const fresh = await issueTo(world, site);
  assert.deepEqual([fresh.challenge.stage, fresh.challenge.interaction], ["stepped_up", "click"]);
  assert.equal(
    (await submitSolution(world.node, await solve(world, site, fresh, WITHHELD))).kind,
    "price",
  );
  assert.equal(await world.countOf(site, "token_issued"), 0);
});

test("managed at risk: without the click the service asks again and never issues (D9, submission)", async () => {
  const { world, site, submitFresh } = await shop("managed");
  const answer = await submitFresh(WITHHELD);
  assert.ok(answer.kind === "step_up", answer.kind);
  const unclicked = await solve(world, site, answer.issued, {
    environment: "withheld",
    behaviour: NO_CLICK,
  });
  assert.equal((await submitSolution(world.node, unclicked)).kind, "step_up");
});

test("managed: better signals do not replace a requested click (D9, submission)", async () => {
  const { world, site, submitFresh } = await shop("managed");
  assert.equal((await submitFresh(WITHHELD)).kind, "step_up");
  assert.equal((await submitFresh({ behaviour: NO_CLICK })).kind, "step_up");
  assert.equal(await world.countOf(site, "token_issued"), 0);
  assert.equal((await submitFresh({})).kind, "issued", "the honest behaviour holds a click");
});

test("managed at risk: an unrequested click does not count (D9, submission)", async () => {
  const { submitFresh } = await shop("managed");
  assert.equal((await submitFresh(WITHHELD)).kind, "step_up", "the honest behaviour holds a click");
});

test("interactive: always needs the click, and with it issues at once (D9, submission)", async () => {
  const { world, site, submitFresh } = await shop("interactive");
  assert.equal((await submitFresh({ behaviour: NO_CLICK })).kind, "step_up");
  assert.ok(scoreOf(world, await submitFresh({})) < 0.3);
  assert.equal((await submitFresh({ environment: WEBDRIVER })).kind, "blocked");
  assert.equal(await world.countOf(site, "challenge_stepped_up"), 1);
});

test("interactive: a press by key scores as doubtful, and managed scores it as safe (D9, submission)", async () => {
  const interactive = await shop("interactive");
  const score = scoreOf(
    interactive.world,
    await interactive.submitFresh({ behaviour: BY_KEYBOARD }),
  );
  assert.ok(score >= 0.3 && score < 0.6, String(score));
  const managed = await shop("managed");
  assert.ok(scoreOf(managed.world, await managed.submitFresh({ behaviour: BY_KEYBOARD })) < 0.3);
});

test("managed, nobody seen: asks for a click and an eighth of the work, and one press by key is enough (D9, submission)", async () => {
  const { world, site, submitFresh } = await shop("managed");
  const answer = await submitFresh({ behaviour: NOBODY });
  assert.ok(answer.kind === "step_up", answer.kind);
  const { challenge } = answer.issued;
  assert.deepEqual(
    [challenge.interaction, challenge.isFallback, challenge.difficulty],
    ["click", false, 2 ** 16],
  );
  const pressed = await submitSolution(
    world.node,
    await solve(world, site, answer.issued, { behaviour: BY_KEYBOARD }),
  );
  assert.ok(scoreOf(world, pressed) < 0.3);
  assert.equal(
    (await issueTo(world, site)).challenge.stage,
    "first",
    "a visitor without signals is not remembered",
  );
});

test("asks for the work of an invented press, not for a press, if `managed` saw only keys, and issues a token with low evidence (D9, submission)", async () => {
  const { world, site, submitFresh } = await shop("managed");
  const typed = { ...NOBODY, keys: BY_KEYBOARD.keys };
  const answer = await submitFresh({ behaviour: typed });
  assert.ok(answer.kind === "price", answer.kind);
  const { challenge } = answer.issued;
  assert.deepEqual(
    [challenge.stage, challenge.interaction, Math.round(challenge.difficulty / 2 ** 19)],
    ["priced", "none", 2 + 16],
  );
  assert.equal((await issueTo(world, site)).challenge.stage, "first", "no risk to remember");
  const paid = await submitSolution(
    world.node,
    await solve(world, site, answer.issued, { behaviour: typed }),
  );
  assert.equal(scoreOf(world, paid), 0.3);
});

test("asks for a press if `managed` saw only keys and has another doubt (D9, submission)", async () => {
  const { submitFresh } = await shop("managed");
  const typed = { ...NOBODY, keys: BY_KEYBOARD.keys };
  assert.equal((await submitFresh({ environment: "withheld", behaviour: typed })).kind, "step_up");
});

test("managed, nobody seen: a click from before the request gets a token with low evidence (D9, submission)", async () => {
  const { world, site, submitFresh } = await shop("managed");
  const answer = await submitFresh({ behaviour: NOBODY });
  assert.ok(answer.kind === "step_up", answer.kind);
  const early = { ...BY_KEYBOARD, durationMs: 20_000 };
  const token = await submitSolution(
    world.node,
    await solve(world, site, answer.issued, { behaviour: early }),
  );
  assert.equal(scoreOf(world, token), 0.3);
});

test("managed, nobody seen: a visitor who ignores a due click is asked again, for more work than before (D9, submission)", async () => {
  const { world, site, submitFresh } = await shop("managed");
  const answer = await submitFresh({ behaviour: NOBODY });
  assert.ok(answer.kind === "step_up", answer.kind);
  const again = await submitSolution(
    world.node,
    await solve(world, site, answer.issued, { behaviour: NOBODY }),
  );
  assert.ok(again.kind === "step_up", again.kind);
  assert.equal(again.issued.challenge.difficulty, 2 ** 20);
  assert.equal(await world.countOf(site, "token_issued"), 0);
});

test("asks for the same as for any risk if `managed` saw nobody and has another doubt (D9, submission)", async () => {
  const { world, site, submitFresh } = await shop("managed");
  const answer = await submitFresh({ environment: "withheld", behaviour: NOBODY });
  assert.ok(answer.kind === "step_up", answer.kind);
  assert.equal(answer.issued.challenge.difficulty, 2 ** 20);
  assert.equal((await issueTo(world, site)).challenge.stage, "stepped_up");
});

for (const mode of ["non_interactive", "invisible"] as const) {
  test(`always issues a token that carries its score in ${mode}, also to a driven browser (D9, submission)`, async () => {
    const { world, submitFresh } = await shop(mode);
    assert.ok(scoreOf(world, await submitFresh({ behaviour: NO_CLICK })) < 0.3);
    assert.equal(scoreOf(world, await submitFresh({ behaviour: NOBODY })), 0.3, "low_evidence");
    assert.ok(scoreOf(world, await submitFresh({ environment: WEBDRIVER })) >= 0.6);
  });
}

test("a stepped-up visitor gets only stepped-up challenges for 10 minutes, and others do not (D9, submission)", async () => {
  const { world, site, submitFresh } = await shop("managed");
  assert.equal((await submitFresh({ environment: WEBDRIVER })).kind, "blocked");
  const blockedAtMs = world.clock.nowMs();
  const stageOf = async (ip: string) => (await issueTo(world, site, visitorAt(ip))).challenge.stage;
  assert.equal(await stageOf("198.51.100.1"), "first");
  world.clock.setTo(blockedAtMs + 599_999);
  assert.equal(await stageOf(VISITOR_IP), "stepped_up");
  world.clock.setTo(blockedAtMs + 600_000);
  assert.equal(await stageOf(VISITOR_IP), "first");
});

test("neither a token nor its redemption changes the price of the next work, whatever the score (D8, challenge)", async () => {
  for (const page of [{}, { environment: WEBDRIVER }]) {
    const world = await createWorld();
    const { site, secretKey } = await world.createSite({ mode: "invisible" });
    const difficulty = async (ip = VISITOR_IP) =>
      (await issueTo(world, site, visitorAt(ip))).challenge.difficulty;
    const full = await difficulty();
    const answer = await submitSolution(world.node, await solveFresh(world, site, page));
    assert.ok(answer.kind === "issued");
    assert.equal(await difficulty(), full, "issued, not yet redeemed");
    assert.equal((await world.redeem(secretKey, { token: answer.token })).kind, "verified");
    assert.equal(await difficulty(), full);
    assert.equal(await difficulty("198.51.100.1"), full, "another network");
  }
});

test("a step-up counts against the limits: over them the answer is limited, and the solution is spent (D9, submission)", async () => {
  const { world, site } = await shop("managed", { challenge: 1 });
  const submission = await solveFresh(world, site, WITHHELD);
  assert.equal((await submitSolution(world.node, submission)).kind, "limited");
  assert.equal((await submitSolution(world.node, submission)).kind, "retry");
});

test("the statistics match the answers (spec 1, View Statistics)", async () => {
  const { world, site, submitFresh } = await shop("invisible");
  const score = scoreOf(world, await submitFresh({}));
  await submitSolution(world.node, { ...(await solveFresh(world, site)), actionName: "other" });
  const counts = ["challenge_issued", "challenge_solved", "challenge_failed", "token_issued"].map(
    (metric) => world.countOf(site, metric),
  );
  assert.deepEqual(await Promise.all(counts), [2, 1, 1, 1]);
  const seen = [
    scoreMetric("login", score),
    solveMetric(310),
    "device:desktop",
    "host:www.shop.example",
  ];
  for (const metric of seen) assert.equal(await world.countOf(site, metric), 1, metric);
});

test("a visitor's known country is counted with their solution, and changes no score", async () => {
  const { world, site } = await shop("invisible");
  const scores: number[] = [];
  for (const country of ["DE", undefined, "NZ", "DE"] as const) {
    const submission = await solveFresh(world, site);
    const visitor = { ...submission.visitor, country };
    scores.push(scoreOf(world, await submitSolution(world.node, { ...submission, visitor })));
    await submitSolution(world.node, { ...submission, visitor });
  }
  const counts = ["country:DE", "country:NZ", "challenge_solved"] as const;
  assert.deepEqual(
    await Promise.all(counts.map((metric) => world.countOf(site, metric))),
    [2, 1, 4],
  );
  const alike = await shop("invisible");
  const plain: number[] = [];
  for (let i = 0; i < 4; i++) plain.push(scoreOf(alike.world, await alike.submitFresh({})));
  assert.deepEqual(scores, plain);
});

test("a solution that is blocked or stepped up is counted with its score and flags, and recorded with its reasons", async () => {
  const { world, site, submitFresh } = await shop("managed");
  assert.equal((await submitFresh({ environment: WEBDRIVER })).kind, "blocked");
  await world.store.decisions.flush();
  const [decision] = await world.store.decisions.list({ siteKey: site.siteKey, limit: 10 });
  assert.ok(decision !== undefined && isDecision(decision));
  const { decisionId, score, contributions, ...rest } = decision;
  assert.deepEqual(rest, {
    siteKey: site.siteKey,
    atMs: world.clock.nowMs(),
    requestId: "request-1",
    source: "widget",
    recommendation: "block",
    outcome: "blocked",
    action: "login",
    host: "www.shop.example",
    device: "desktop",
    solveMs: 310,
    label: null,
  });
  assert.match(decisionId, /^[0-9a-f]{21}$/);
  assert.ok(contributions.some(({ flag }) => flag === "automation_webdriver"));
  const weights = contributions.map(({ weight }) => weight);
  assert.deepEqual(
    weights,
    weights.toSorted((a, b) => b - a),
  );
  assert.equal(await world.countOf(site, scoreMetric("login", score)), 1);
  for (const { flag } of contributions) assert.equal(await world.countOf(site, `flag:${flag}`), 1);
  assert.equal(await world.countOf(site, "challenge_blocked"), 1);
});

test("a replayed solution is recorded and not scored again, so it cannot flood the log (D9, submission)", async () => {
  const { world, site } = await shop("invisible");
  const submission = await solveFresh(world, site);
  await Promise.all([1, 2, 3].map(() => submitSolution(world.node, submission)));
  await world.store.decisions.flush();
  const listed = await world.store.decisions.list({ siteKey: site.siteKey, limit: 10 });
  assert.equal(listed.filter(isDecision).length, 1);
  assert.deepEqual(
    listed.flatMap((entry) => (isDecision(entry) ? [] : [entry.reason])),
    ["solution_rejected", "solution_rejected"],
  );
  assert.equal(await world.countOf(site, "challenge_solved"), 1);
  assert.equal(await world.countOf(site, "host:www.shop.example"), 1);
});
