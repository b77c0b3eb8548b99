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
  visitorAt,
} from "@stile/testkit/minting/solving";
import { createWorld, VISITOR_IP } from "@stile/testkit/world/world";
import type { FallbackState } from "../../domain/challenge/challenge.ts";
import type { SubmissionAnswer } from "../../services/challenge/ask-again.ts";
import {
  type IssuedChallenge,
  issueWithinBudget,
} from "../../services/challenge/issue-within-budget.ts";
import { openToken } from "../../services/token/seal-token.ts";
import { clientScope } from "../../services/visitor/client-scope.ts";
import { submitSolution } from "./submit-solution.ts";

/**
 * A site visited without WebAssembly. Each solution is submitted that many ms after its challenge
 * was issued.
 */
async function lockedDown(mode: SiteMode = "managed") {
  const made = await createWorld();
  // HashWX is the only algorithm with less work to ask for.
  const world = {
    ...made,
    node: { ...made.node, settings: { ...made.node.settings, algorithm: 1 } as const },
  };
  const { site } = await world.createSite({ mode });
  const submit = async (
    afterMs: number,
    page: SentSignals = { behaviour: NO_CLICK },
  ): Promise<SubmissionAnswer> => {
    const submission = await solve(
      world,
      site,
      await issueTo(world, site, visitorAt(VISITOR_IP), true),
      page,
    );
    // Solving took one second.
    world.clock.advance(afterMs - 1000);
    return submitSolution(world.node, submission);
  };
  const scoreOf = (answer: SubmissionAnswer): number => {
    assert.ok(answer.kind === "issued", answer.kind);
    return (openToken(world.node.cryptography, answer.token) ?? assert.fail("not opened")).payload
      .score;
  };
  return { world, site, submit, scoreOf };
}

test("the first few visitors of a network without WebAssembly need no press; the next needs one and an eighth of the work (proof of work)", async () => {
  const { submit, scoreOf } = await lockedDown();
  for (let i = 0; i < 3; i++) assert.ok(scoreOf(await submit(5_000)) < 0.3, `visit ${i}`);
  const fourth = await submit(5_000);
  assert.ok(fourth.kind === "step_up", fourth.kind);
  const { difficulty, isFallback, interaction } = fourth.issued.challenge;
  assert.deepEqual([difficulty, isFallback, interaction], [2 ** 10, true, "click"]);
});

test("the fourth one's press gets a token that says so, and nobody is remembered as a risk (proof of work)", async () => {
  const { world, site, submit, scoreOf } = await lockedDown();
  for (let i = 0; i < 3; i++) await submit(5_000);
  const fourth = await submit(5_000);
  assert.ok(fourth.kind === "step_up", fourth.kind);
  const score = scoreOf(await submitSolution(world.node, await solve(world, site, fourth.issued)));
  assert.ok(score >= 0.3, `score ${score}`);
  assert.equal((await issueTo(world, site)).challenge.stage, "first");
});

test("less work that comes sooner than an interpreter can finish keeps its floor and pays a whole step-up (proof of work)", async () => {
  const { world, site, submit } = await lockedDown();
  const answer = await submit(3_000);
  assert.ok(answer.kind === "step_up", answer.kind);
  assert.deepEqual(
    [answer.issued.challenge.difficulty, answer.issued.challenge.isFallback],
    [2 ** 14, true],
  );
  assert.equal((await issueTo(world, site)).challenge.stage, "stepped_up", "remembered as a risk");
});

test("a hurried solution uses none of the network's remaining excuses", async () => {
  const { submit, scoreOf } = await lockedDown("non_interactive");
  for (let i = 0; i < 5; i++) assert.ok(scoreOf(await submit(3_000)) >= 0.3, `visit ${i}`);
  assert.ok(scoreOf(await submit(5_000)) < 0.3);
});

test("a visitor not seen and without WebAssembly needs one press and an eighth of the work, and gets the usual token (D9, submission)", async () => {
  const { world, site, submit, scoreOf } = await lockedDown();
  const answer = await submit(5_000, { behaviour: NOBODY });
  assert.ok(answer.kind === "step_up", answer.kind);
  assert.deepEqual(
    [answer.issued.challenge.difficulty, answer.issued.challenge.isFallback],
    [2 ** 10, false],
  );
  const pressed = await solve(world, site, answer.issued, { behaviour: BY_KEYBOARD });
  assert.ok(scoreOf(await submitSolution(world.node, pressed)) < 0.3);
});

test("with other risks too, less work stays less, flagged, and the step-up is whole (D9, submission)", async () => {
  const { submit } = await lockedDown();
  const answer = await submit(5_000, { environment: "withheld" });
  assert.ok(answer.kind === "step_up", answer.kind);
  assert.deepEqual(
    [answer.issued.challenge.difficulty, answer.issued.challenge.isFallback],
    [2 ** 14, true],
  );
});

test("a visitor who has paid passes redemption too, even if others have used up the network's excuses (D9, submission)", async () => {
  const { world, site, submit, scoreOf } = await lockedDown();
  const handIn = async (issued: IssuedChallenge) => {
    const submission = await solve(world, site, issued, { environment: "withheld" });
    world.clock.advance(4_000);
    return submitSolution(world.node, submission);
  };
  const asked = await submit(5_000, { environment: "withheld" });
  assert.ok(asked.kind === "step_up", asked.kind);
  const priced = await handIn(asked.issued);
  assert.ok(priced.kind === "price", priced.kind);
  // A neighbour takes the last of the three excuses of this minute.
  const neighbour = await solve(
    world,
    site,
    await issueTo(world, site, visitorAt("192.0.2.8"), true),
  );
  world.clock.advance(4_000);
  assert.equal((await submitSolution(world.node, neighbour)).kind, "issued");
  const score = scoreOf(await handIn(priced.issued));
  assert.ok(score >= 0.3 && score < site.thresholds.block, `score ${score}`);
});

test("a missing WebAssembly alone costs nothing after the press, however soon the visitor presses (D9, submission)", async () => {
  for (const mode of ["managed", "interactive"] as const) {
    const { world, site, submit, scoreOf } = await lockedDown(mode);
    const first = await submit(2_000, {});
    const { issued } = first.kind === "step_up" ? first : { issued: undefined };
    const pressed =
      issued === undefined
        ? first
        : await submitSolution(world.node, await solve(world, site, issued));
    assert.ok(scoreOf(pressed) >= 0.3, mode);
  }
});

test("a site believes 24 paying visitors a minute that they have no WebAssembly (D8, challenge; D9, submission)", async () => {
  const { world, site } = await lockedDown();
  const kindsOf = async (networks: number, fallback: FallbackState): Promise<readonly string[]> => {
    const issuing = Array.from({ length: networks }, (_, at) => {
      const visitor = visitorAt(`10.0.${at}.7`);
      const client = clientScope(world.node.cryptography, visitor.address);
      const request = { site, actionName: "login", visitor, client, fallback };
      const stage = () => "priced" as const;
      return issueWithinBudget(world.node, {
        ...request,
        stage,
        batch: undefined,
        isWorkDone: false,
      });
    });
    return (await Promise.all(issuing)).map(({ kind }) => kind);
  };
  assert.deepEqual(await kindsOf(26, "continued"), [
    ...Array(24).fill("issued"),
    "limited",
    "limited",
  ]);
  assert.deepEqual(await kindsOf(3, "none"), Array(3).fill("issued"), "visitors who pay all of it");
});

test("only solved challenges use up less work: repeats and unsolved ones do not (D8, challenge)", async () => {
  const { world, site, submit } = await lockedDown("non_interactive");
  const difficultyFor = async (ip: string) =>
    (await issueTo(world, site, visitorAt(ip), true)).challenge.difficulty;
  const solved = await solve(world, site, await issueTo(world, site, visitorAt(VISITOR_IP), true));
  for (let i = 0; i < 3; i++) await submitSolution(world.node, solved);
  for (let i = 0; i < 100; i++) await issueTo(world, site, visitorAt(`10.0.${i}.1`), true);
  // One was solved. The site has 25 a minute, of which a lone network gets the first 15.
  for (let i = 0; i < 14; i++) await submit(1_000);
  assert.equal(await difficultyFor(VISITOR_IP), 2 ** 16);
  assert.equal(await difficultyFor("198.51.100.1"), 2 ** 13, "a network below its fair share");
});
