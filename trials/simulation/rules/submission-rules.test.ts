import assert from "node:assert/strict";
import { test } from "node:test";
import type { SubmissionAnswer } from "@stile/core/services/challenge/ask-again";
import { issueTo, visitorAt } from "@stile/testkit/minting/solving";
import { createWorld, VISITOR_IP } from "@stile/testkit/world/world";
import { Violation } from "../world/violation.ts";
import { checkSubmission } from "./submission-rules.ts";
import { createTruth } from "./truth.ts";

test("asks a visitor who paid with the priced challenge for nothing more (D9, submission)", async () => {
  const world = await createWorld();
  const { site } = await world.createSite({ mode: "managed" });
  const issued = await issueTo(world, site);
  const moment = { step: 1, trueMs: 0, clockMs: world.clock.nowMs() };
  const challenge = {
    ...{
      name: "C1",
      id: "",
      siteKey: site.siteKey,
      visitor: visitorAt(VISITOR_IP),
      expiresAtMs: issued.expiresAtMs,
    },
    challenge: { ...issued.challenge, stage: "priced" as const },
    ...{ issued: moment, tokens: 0, failures: 0, underWay: 0 },
  };
  const honest = { isOwnVisitor: true, isRight: true, isOwnHost: true, isCrowded: false };
  const answered = {
    call: { challenge, siteKey: site.siteKey, ...honest, began: moment },
    end: moment,
    truth: createTruth(() => moment, world.clock.nowMs),
  };
  for (const kind of ["step_up", "price"] as const) {
    const answer: SubmissionAnswer = { kind, issued };
    assert.throws(
      () => checkSubmission(answered, answer),
      new Violation("a visitor who paid was asked for more", "C1, call of step 1"),
    );
  }
});
