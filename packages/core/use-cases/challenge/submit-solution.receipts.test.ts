import assert from "node:assert/strict";
import { test } from "node:test";
import type { RiskFlag } from "@stile/protocol/risk-flags";
import {
  BY_KEYBOARD,
  issueTo,
  NO_CLICK,
  NOBODY,
  solve,
  visitorAt,
} from "@stile/testkit/minting/solving";
import { createWorld, VISITOR_IP } from "@stile/testkit/world/world";
import { assessSolution } from "../../services/challenge/assess-solution.ts";
import { giveReceipt, openReceipt, type ReceiptedBatch } from "../../services/challenge/receipt.ts";
import { openChallenge } from "../../services/challenge/sign-challenge.ts";
import { issueChallenge } from "./issue-challenge.ts";
import { submitSolution } from "./submit-solution.ts";

const world = await createWorld();
const { site } = await world.createSite({ mode: "managed" });
const { cryptography } = world.node;

const request = {
  requestId: "request-0",
  siteKey: site.siteKey,
  actionName: "login",
  host: "shop.example",
  wantsFallback: false,
  visitor: visitorAt(VISITOR_IP),
};

/** The flags of an honest visit that submits this batch in addition to its challenge. */
async function flagsWith(
  earlierOf: (good: ReceiptedBatch) => ReceiptedBatch | undefined,
): Promise<readonly RiskFlag[]> {
  const submission = await solve(world, site, await issueTo(world, site));
  const earlier = earlierOf(submission.earlier ?? assert.fail("no batch"));
  const handedIn = { ...submission, host: "shop.example", earlier };
  const open = openChallenge(cryptography, submission.challenge) ?? assert.fail("not open");
  const solution = { site, open, hasMoved: false, submission: handedIn };
  return assessSolution(world.node, solution).assessment.flags;
}

test("a page that sends its observations gets a receipt with its challenge, and others get none (D8, challenge)", async () => {
  const silent = await issueChallenge(world.node, request);
  assert.ok(silent.kind === "issued" && silent.issued.receipt === undefined);
  const told = await issueChallenge(world.node, { ...request, batch: "900~880.12.14~" });
  assert.ok(told.kind === "issued");
  const { challenge, receipt = "" } = told.issued;
  assert.equal(receipt.length, 20);
  const batch = { batch: "900~880.12.14~", receipt };
  assert.deepEqual(openReceipt(cryptography, challenge, batch), {
    atMs: 900,
    pointer: ["880.12.14"],
    keys: [],
  });
});

test("an honest visit with its own receipt raises no flag; without one, nothing counts as seen before (D9, submission)", async () => {
  assert.deepEqual(await flagsWith((good) => good), []);
  assert.deepEqual(await flagsWith(() => undefined), ["low_evidence"]);
});

const other = await issueTo(world, site);
const stranger = await createWorld();

for (const [name, forge] of Object.entries({
  "a receipt for another challenge": ({ batch }) => ({
    batch,
    receipt: giveReceipt(cryptography, other.challenge, batch),
  }),
  "a receipt for another batch": ({ batch, receipt }) => ({
    batch: batch.replace("2000~", "2001~"),
    receipt,
  }),
  "moments spliced into a batch": ({ batch, receipt }) => ({ batch: `${batch}_1999`, receipt }),
  "moments in another order": ({ batch, receipt }) => ({
    batch: batch.replace(/~(.*)~/, (_, list: string) => `~${list.split("_").reverse().join("_")}~`),
    receipt,
  }),
  "no receipt": ({ batch }) => ({ batch, receipt: "" }),
  "a receipt cut short": ({ batch, receipt }) => ({ batch, receipt: receipt.slice(0, 16) }),
  "a receipt of zeros": ({ batch }) => ({ batch, receipt: "A".repeat(20) }),
} satisfies Record<string, (good: ReceiptedBatch) => ReceiptedBatch>)) {
  test(`${name} is forged, and asks for a press (visit_out_of_time; D9, submission)`, async () => {
    assert.ok((await flagsWith(forge)).includes("visit_out_of_time"));
  });
}

test("a receipt of another installation is forged (D4, sealed token; D9, submission)", async () => {
  const { challenge } = await issueTo(world, site);
  const receipt = giveReceipt(stranger.node.cryptography, challenge, "900~~");
  assert.equal(openReceipt(cryptography, challenge, { batch: "900~~", receipt }), "forged");
});

test("another browser gains nothing from a receipt, since the challenge is not its own (D9, submission)", async () => {
  const submission = await solve(world, site, await issueTo(world, site));
  const visitor = { ...visitorAt(VISITOR_IP), userAgent: "Other/1.0" };
  const answer = await submitSolution(world.node, { ...submission, visitor });
  assert.equal(answer.kind, "retry");
});

test("a second node knows the first one's receipts (D3, single use)", async () => {
  const node = await world.createNode();
  const { challenge } = await issueTo(world, site);
  const receipt = giveReceipt(cryptography, challenge, "900~~");
  assert.notEqual(openReceipt(node.cryptography, challenge, { batch: "900~~", receipt }), "forged");
});

test("the step-up signs the observations of the first submission, and the press must come after it (D9, submission)", async () => {
  const first = await solve(world, site, await issueTo(world, site), { behaviour: NOBODY });
  const answer = await submitSolution(world.node, { ...first, batch: "2000~~1500_1590" });
  assert.ok(answer.kind === "step_up", answer.kind);
  const { issued } = answer;
  const earlier = {
    batch: "2000~~1500_1590",
    receipt: issued.receipt ?? assert.fail("no receipt"),
  };
  const pressed = { ...(await solve(world, site, issued, { behaviour: BY_KEYBOARD })), earlier };
  const open = openChallenge(cryptography, pressed.challenge) ?? assert.fail("not open");
  const flagsOf = (behaviour = pressed.observe().behaviour) => {
    const observe = () => ({ ...pressed.observe(), behaviour });
    const submission = { ...pressed, observe, host: "shop.example" };
    return assessSolution(world.node, { site, open, hasMoved: false, submission }).assessment.flags;
  };
  assert.deepEqual(flagsOf(), []);
  const { behaviour } = pressed.observe();
  assert.ok(behaviour !== "withheld");
  assert.deepEqual(
    flagsOf({ ...behaviour, durationMs: 9_000 }),
    ["low_evidence"],
    "pressed 5 s before it was asked for",
  );
});

test("seconds of a visit submitted milliseconds after the challenge lead to a press (D9, submission)", async () => {
  const issuing = await issueChallenge(world.node, { ...request, batch: "2000~~" });
  assert.ok(issuing.kind === "issued");
  const submission = await solve(world, site, issuing.issued, { behaviour: NO_CLICK });
  const open = openChallenge(cryptography, submission.challenge) ?? assert.fail("not open");
  const early = {
    ...world.node,
    clock: { ...world.clock, nowMs: () => issuing.issued.challenge.issuedAtMs + 40 },
  };
  const handedIn = {
    site,
    open,
    hasMoved: false,
    submission: { ...submission, host: "shop.example" },
  };
  assert.ok(assessSolution(early, handedIn).assessment.flags.includes("low_evidence"));
});
