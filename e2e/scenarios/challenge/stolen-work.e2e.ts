import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { AlgorithmNumber } from "@stile/pow/algorithms/table";
import { CHALLENGE_LIFE_SECONDS, TOKEN_LIFE_SECONDS } from "@stile/protocol/limits";
import {
  handIn,
  type InProcessService,
  makeChallenge,
  redeemAt,
  type SiteWithSecret,
  type SubmittedSolution,
  startInProcess,
  VISITOR,
} from "@stile/testkit/service/in-process-service";

let target: InProcessService;
let site: SiteWithSecret;

before(async () => {
  target = await startInProcess();
  site = await target.makeSite("Shop");
});

after(async () => {
  await target?.dispose();
});

const ENVIRONMENT = Buffer.from('{"v":1}');

/** Finished work, which can be exchanged for a token. */
function work(
  algorithm?: AlgorithmNumber,
): SubmittedSolution & { readonly environment: Uint8Array } {
  const challenge = makeChallenge(target, site, algorithm);
  return {
    challenge: challenge.text,
    solution: challenge.solve(ENVIRONMENT),
    environment: ENVIRONMENT,
  };
}

async function countTokens(
  handedIn: readonly SubmittedSolution[],
  at: SiteWithSecret = site,
): Promise<number> {
  const tokens = await Promise.all(handedIn.map((one) => handIn(target, at, one)));
  return tokens.filter((token) => token !== undefined).length;
}

test("work submitted fifty times at once yields one token, and none afterwards (D9, submission)", async () => {
  for (let round = 0; round < 20; round++) {
    const done = work();
    assert.equal(await countTokens(Array.from({ length: 50 }, () => done)), 1);
    assert.equal(await countTokens([done]), 0);
  }
});

test("another right solution to a spent challenge yields nothing (D9, submission)", async () => {
  const challenge = makeChallenge(target, site);
  const first = {
    challenge: challenge.text,
    solution: challenge.solve(ENVIRONMENT),
    environment: ENVIRONMENT,
  };
  const environment = Buffer.from('{"v":2}');
  const second = { challenge: challenge.text, solution: challenge.solve(environment), environment };
  assert.notEqual(second.solution, first.solution);
  assert.equal(await countTokens([first]), 1);
  assert.equal(await countTokens([second]), 0);
});

test("a spent challenge yields nothing even after the sweep removed its mark (D9, submission)", async () => {
  const done = work();
  assert.equal(await countTokens([done]), 1);
  target.nowMs += CHALLENGE_LIFE_SECONDS * 1000;
  await target.service.store.housekeeping.sweep(target.nowMs + 1);
  assert.equal(await countTokens([done]), 0);
});

test("ten thousand hoarded challenges are worthless once they expire (D12, states)", async () => {
  const hoard: SubmittedSolution[] = [];
  while (hoard.length < 10_000) {
    // Some use the service's default algorithm. Most use the one that is quick to solve.
    hoard.push(work(hoard.length % 20 === 0 ? 1 : 2));
    // The service runs in this process. Without a pause, all its idle connections would end
    // together afterwards.
    if (hoard.length % 100 === 0) await new Promise(setImmediate);
  }
  const inTime = work();
  target.nowMs += CHALLENGE_LIFE_SECONDS * 1000 - 1;
  assert.equal(await countTokens([inTime]), 1);
  target.nowMs += 1;
  for (let from = 0; from < hoard.length; from += 100) {
    assert.equal(await countTokens(hoard.slice(from, from + 100)), 0);
  }
});

test("a token lives exactly as long as its site allows, to the millisecond of its second (spec 2.5.2; D4, sealed token)", async () => {
  target.nowMs = Math.ceil(target.nowMs / 1000) * 1000;
  const tokens = await Promise.all([work(), work()].map((done) => handIn(target, site, done)));
  const [early, late] = tokens as [string, string];
  target.nowMs += TOKEN_LIFE_SECONDS.default * 1000 - 1;
  assert.equal(await redeemAt(target, site, early), "verified");
  target.nowMs += 1;
  assert.equal(await redeemAt(target, site, late), "token_expired");
  assert.equal(await redeemAt(target, site, early), "token_expired");
});

test("signals that change after the work invalidate it (D9, submission)", async () => {
  for (const environment of [
    Buffer.from('{"v":2}'),
    Buffer.from('{"v":1} '),
    Buffer.alloc(0),
    Buffer.alloc(16_384),
  ]) {
    assert.equal(await countTokens([{ ...work(), environment }]), 0);
  }
});

test("work of one visitor is worthless to another (D9, submission)", async () => {
  const done = work();
  assert.equal(
    await countTokens([{ ...done, visitor: { ...VISITOR, userAgent: "Visitor/2" } }]),
    0,
  );
  assert.equal(await countTokens([done]), 1, "the visitor who did the work can still use it");
});

test("work submitted from fifty networks at once yields one token (D9, submission)", async () => {
  const done = work();
  const everywhere = Array.from({ length: 50 }, (_, at) => ({
    ...done,
    visitor: { ...VISITOR, address: `203.0.${at}.7` },
  }));
  assert.equal(await countTokens([...everywhere, done]), 1);
  assert.equal(await countTokens(everywhere), 0);
});

test("visitors keep their work when their address changes, within their network or to another (D9, submission)", async () => {
  for (const address of ["198.51.100.200", "203.0.113.7", "2001:db8::7"]) {
    assert.equal(await countTokens([{ ...work(), visitor: { ...VISITOR, address } }]), 1);
  }
});

test("work for another site or action is worthless (D8, challenge)", async () => {
  const neighbour = await target.makeSite("Neighbour");
  assert.equal(await countTokens([work()], neighbour), 0);
  assert.equal(await countTokens([{ ...work(), action: "login" }]), 0);
});

test("less work than required is worthless (proof of work)", async () => {
  const nonces = (solution: string): string[] =>
    Buffer.from(solution, "base64url").toString("hex").match(/.{8}/g) ?? [];
  const spoil: readonly ((right: string[]) => string[])[] = [
    () => [],
    (right) => right.slice(1),
    (right) => [...right, "ffffffff"],
    (right) => right.map(() => right[0] ?? ""),
    (right) => [right[0] ?? "", ...right.slice(0, -1)],
    (right) => right.toReversed(),
    (right) => [...right.slice(0, -1), "ffffffff"],
    (right) => right.map((_, i) => Buffer.from(Uint32Array.of(i).buffer).toString("hex")),
  ];
  for (const spoiled of spoil) {
    const done = work();
    const solution = Buffer.from(spoiled(nonces(done.solution)).join(""), "hex").toString(
      "base64url",
    );
    assert.equal(await countTokens([{ ...done, solution }]), 0);
  }
});

test("after many wrong solutions the service refuses even the right one (proof of work)", async () => {
  const done = work();
  const wrong = Array.from({ length: 100 }, () => ({ ...done, environment: Buffer.from("{}") }));
  assert.equal(await countTokens(wrong), 0);
  assert.equal(await countTokens([done]), 0);
});
