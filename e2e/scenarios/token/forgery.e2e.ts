import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { unpackChallenge } from "@stile/pow/challenge";
import { sha256 } from "@stile/pow/sha256";
import { createSolver, packSolution } from "@stile/pow/solver";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import {
  handIn,
  type InProcessService,
  makeChallenge,
  redeemAt,
  type SiteWithSecret,
  startInProcess,
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

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

async function earnTokens(count: number): Promise<string[]> {
  const tokens: string[] = [];
  while (tokens.length < count) {
    const challenge = makeChallenge(target, site);
    const token = await handIn(target, site, {
      challenge: challenge.text,
      solution: challenge.solve(new Uint8Array(0)),
    });
    assert.ok(token !== undefined);
    tokens.push(token);
  }
  return tokens;
}

/** Copies of the text, each with one bit flipped. */
function flipBits(text: string): string[] {
  const bytes = Buffer.from(text, "base64url");
  return Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return flipped.toString("base64url");
  });
}

/** Other texts that careless decoders read as the same bytes. */
function otherSpellings(text: string): string[] {
  const last = BASE64URL.indexOf(text.at(-1) ?? "");
  const trailing = [1, 2, 3].map((low) => text.slice(0, -1) + BASE64URL[last ^ low]);
  const standard = text.replaceAll("-", "+").replaceAll("_", "/");
  return [...trailing, `${text}=`, `${text}==`, `${text}A`, `${text}\0`, `${text}.`, standard];
}

async function assertNoneRedeems(
  name: string,
  forged: readonly string[],
  original: readonly string[],
): Promise<void> {
  const variants = forged.filter((text) => !original.includes(text));
  const outcomes = await Promise.all(variants.map((text) => redeemAt(target, site, text)));
  const accepted = outcomes.filter((outcome) => outcome === "verified").length;
  console.log(`${name}: ${variants.length} variants, ${accepted} accepted`);
  assert.deepEqual([...new Set(outcomes)], ["invalid_signature"]);
}

test("no changed, cut, respelled or spliced token is redeemed, and the original still is, once (D3, single use; D4, sealed token)", async () => {
  const [token, other] = (await earnTokens(2)) as [string, string];
  const [bytes, otherBytes] = [Buffer.from(token, "base64url"), Buffer.from(other, "base64url")];
  const cuts = Array.from({ length: token.length - 1 }, (_, i) => [
    token.slice(0, i + 1),
    token.slice(i + 1),
  ]);
  const splices = Array.from({ length: bytes.length - 1 }, (_, i) =>
    [
      [bytes.subarray(0, i + 1), otherBytes.subarray(i + 1)],
      [otherBytes.subarray(0, i + 1), bytes.subarray(i + 1)],
    ].map((parts) => Buffer.concat(parts).toString("base64url")),
  );
  await assertNoneRedeems("bits flipped", flipBits(token), [token]);
  await assertNoneRedeems("cut at each length", cuts.flat(), [token]);
  await assertNoneRedeems("other spellings", otherSpellings(token), [token]);
  await assertNoneRedeems("spliced with another token", splices.flat(), [token, other]);
  await assertNoneRedeems(
    "characters swapped",
    [token.toLowerCase(), token.toUpperCase()],
    [token],
  );
  for (const text of [token, other]) {
    assert.equal(await redeemAt(target, site, text), "verified");
    assert.equal(await redeemAt(target, site, text), "token_already_used");
  }
});

test("a spent token is spent in every spelling (D3, single use)", async () => {
  const [token] = (await earnTokens(1)) as [string];
  assert.equal(await redeemAt(target, site, token), "verified");
  await assertNoneRedeems("other spellings of a spent token", otherSpellings(token), [token]);
});

test("a token with spaces around it is the same token and is redeemed once (D2, redemption)", async () => {
  const [token] = (await earnTokens(1)) as [string];
  assert.equal(await redeemAt(target, site, ` ${token}\n`), "verified");
  for (const text of [token, ` ${token}`, `${token}\n`]) {
    assert.equal(await redeemAt(target, site, text), "token_already_used");
  }
});

test("tokens of another installation are not redeemed, even with the same site key and key id (D4, sealed token)", async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "stile-e2e-"));
  try {
    const foreign = await mintTokens({ dataDirectory, siteKey: site.siteKey, count: 20 });
    await assertNoneRedeems("another installation", foreign, []);
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true });
  }
});

test("a token of another site of the service is refused and not spent (spec 2.5.3; D2, redemption)", async () => {
  const neighbour = await target.makeSite("Neighbour");
  const [token] = (await earnTokens(1)) as [string];
  assert.equal(await redeemAt(target, neighbour, token), "site_key_mismatch");
  assert.equal(await redeemAt(target, site, token), "verified");
});

test("a challenge is no token and a token is no challenge (D4: purposes never share a key)", async () => {
  const [token] = (await earnTokens(1)) as [string];
  const challenge = makeChallenge(target, site);
  const solution = challenge.solve(new Uint8Array(0));
  await assertNoneRedeems(
    "challenges and solutions as tokens",
    [challenge.text, solution, `${challenge.text}${solution}`],
    [],
  );
  assert.equal(await handIn(target, site, { challenge: token, solution }), undefined);
});

/** The solution that would be right if the service accepted the changed challenge as its own. */
function solveAsChanged(text: string, fallback: string): string {
  const challengeBytes = new Uint8Array(Buffer.from(text, "base64url"));
  const changed = unpackChallenge(challengeBytes)?.challenge;
  if (changed === undefined || changed.difficulty > 4096) return fallback;
  const solver = createSolver({
    ...changed,
    challengeBytes,
    environmentDigest: sha256(new Uint8Array(0)),
    workerIndex: 0,
    workerCount: 1,
  });
  return Buffer.from(packSolution(solver.search(8 * changed.difficulty).found)).toString(
    "base64url",
  );
}

test("no changed challenge is accepted, even with a matching solution; the original is (D8, challenge)", async () => {
  const challenge = makeChallenge(target, site);
  const solution = challenge.solve(new Uint8Array(0));
  const forged = [
    ...flipBits(challenge.text),
    challenge.text.slice(0, -4),
    `${challenge.text}AAAA`,
  ];
  const tokens = await Promise.all(
    forged.map((text) =>
      handIn(target, site, { challenge: text, solution: solveAsChanged(text, solution) }),
    ),
  );
  const accepted = tokens.filter((token) => token !== undefined).length;
  console.log(`changed challenges: ${forged.length} variants, ${accepted} accepted`);
  assert.equal(accepted, 0);
  assert.notEqual(await handIn(target, site, { challenge: challenge.text, solution }), undefined);
});
