import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeBase64url } from "@stile/pow/base64url";
import { solvePuzzle } from "@stile/testkit/minting/puzzle-solving";
import { clientAt, createAccountWorld, PASSWORD } from "@stile/testkit/world/account-world";
import type { Client } from "../../../domain/account/signed-in.ts";
import { DEVICE_DAYS } from "../../../services/account/sign-in/known-devices.ts";
import { openChallenge, toSignedText } from "../../../services/challenge/sign-challenge.ts";
import { changePassword } from "../member/change-password.ts";
import { askPuzzle } from "./ask-puzzle.ts";
import { signInWithPassword } from "./sign-in-with-password.ts";

const ADA = "ada@example.org";
const WRONG = "wrong horse battery";
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

type World = Awaited<ReturnType<typeof createAccountWorld>>;
type Puzzle = ReturnType<World["work"]>;

/** Submits a password with exactly that work, or with none. */
async function tryWith(
  world: World,
  client: Client,
  puzzle?: Puzzle,
  password = PASSWORD,
): Promise<string> {
  return (await signInWithPassword(world.ports, { email: ADA, password, puzzle }, client)).kind;
}

/** A browser that Ada has signed in with, now at another address. */
async function knownDevice(world: World, ip = "192.0.2.200"): Promise<Client> {
  const answer = await world.signIn(ADA);
  assert.ok(answer.kind === "signed_in");
  return { ...clientAt(ip), deviceToken: answer.deviceToken };
}

/** For floods with one password: computes each hash once, and repeats the result. */
function answerFloods({ ports }: World): void {
  const { verify } = ports.passwords;
  const answers = new Map<string, ReturnType<typeof verify>>();
  ports.passwords.verify = (password, hash, queue) => {
    const asked = JSON.stringify([password, hash]);
    const answer = answers.get(asked) ?? verify(password, hash, queue);
    answers.set(asked, answer);
    return answer;
  };
}

test("a stranger's password is checked only after work, and each work is valid for one check", async () => {
  const world = await createAccountWorld();
  await world.addOwner(ADA);
  let hashes = 0;
  const { verify } = world.ports.passwords;
  world.ports.passwords.verify = (...args) => {
    hashes += 1;
    return verify(...args);
  };
  const client = world.newClient();
  assert.equal(await tryWith(world, client), "puzzle_needed");
  const work = world.work(client);
  const wrong = { ...work, solution: encodeBase64url(new Uint8Array(64)) };
  assert.equal(await tryWith(world, client, wrong), "puzzle_needed");
  assert.equal(hashes, 0);
  assert.equal(await tryWith(world, client, work), "signed_in");
  let digests = 0;
  const { digest } = world.ports.cryptography;
  world.ports.cryptography.digest = (data) => {
    digests += 1;
    return digest(data);
  };
  assert.equal(await tryWith(world, client, work), "puzzle_needed", "used up");
  assert.deepEqual([hashes, digests], [1, 0], "and its work is not checked again");
});

test("work is valid in its own network for ten minutes, and for one sign-in even if it is submitted many times at once", async () => {
  const world = await createAccountWorld();
  await world.addOwner(ADA);
  const client = clientAt("203.0.113.9");
  assert.equal(await tryWith(world, clientAt("203.0.114.9"), world.work(client)), "puzzle_needed");
  assert.equal(await tryWith(world, clientAt(undefined), world.work(client)), "puzzle_needed");
  assert.equal(await tryWith(world, clientAt("203.0.113.200"), world.work(client)), "signed_in");
  const late = world.work(client);
  world.clock.advance(10 * MINUTE_MS);
  assert.equal(await tryWith(world, client, late), "puzzle_needed");
  const work = world.work(client);
  const kinds = await Promise.all(Array.from({ length: 5 }, () => tryWith(world, client, work)));
  assert.deepEqual(kinds.sort(), [...Array(4).fill("puzzle_needed"), "signed_in"]);
});

test("a site's challenge is no puzzle for signing in, and the reverse, though one key ring signs both", async () => {
  const world = await createAccountWorld();
  await world.addOwner(ADA);
  const client = world.newClient();
  const { cryptography } = world.ports;
  const own = askPuzzle(world.ports, client);
  const open = openChallenge(cryptography, own.challenge, "sign-in");
  assert.ok(open);
  assert.equal(openChallenge(cryptography, own.challenge), undefined);
  const ofSite = { ...own, challenge: toSignedText(cryptography, "challenge", open.challenge) };
  assert.ok(openChallenge(cryptography, ofSite.challenge));
  assert.equal(await tryWith(world, client, solvePuzzle(ofSite)), "puzzle_needed");
});

test("failures raise the work of their network, others' work less, and devalue puzzles drawn before", async () => {
  const world = await createAccountWorld();
  answerFloods(world);
  await world.addOwner(ADA);
  const [bad, good] = [clientAt("2001:db8:bad::1"), clientAt("2001:db8:900d::1")];
  const asked = (client: Client): number => askPuzzle(world.ports, client).difficulty;
  const before = asked(bad);
  const hoarded = world.work(bad);
  for (let n = 0; n < 60; n++) {
    const client = clientAt(`2001:db8:bad:${n}::1`);
    assert.equal(
      (await world.signIn(`nobody-${n}@example.org`, WRONG, client)).kind,
      "wrong_credentials",
    );
  }
  assert.equal(asked(bad), before * 8);
  assert.equal(asked(good), before);
  assert.equal(await tryWith(world, bad, hoarded), "puzzle_needed");
  for (let n = 0; n < 100; n++)
    await world.signIn(`nobody-${n}@example.org`, WRONG, clientAt(`198.18.${n}.1`));
  assert.equal(asked(good), before * 2, "everybody works a little more while many networks fail");
  world.clock.advance(30 * MINUTE_MS);
  assert.equal(asked(bad), before);
});

test("one network gets 100 attempts in 15 minutes, however many clients it has", async () => {
  const world = await createAccountWorld();
  answerFloods(world);
  let checked = 0;
  for (let n = 0; n < 120; n++) {
    const client = clientAt(`2001:db8:1:${n.toString(16)}::1`);
    const answer = await world.signIn(`nobody-${n}@example.org`, WRONG, client);
    if (answer.kind === "wrong_credentials") checked += 1;
  }
  assert.equal(checked, 100);
});

test("a known browser signs in without work, from anywhere, while strangers have used up every budget", async () => {
  const world = await createAccountWorld({ hashCost: "full" });
  await world.addOwner(ADA);
  const device = await knownDevice(world, "198.18.0.1");
  for (let n = 0; n < 60; n++) await world.signIn(ADA, WRONG, clientAt(`198.18.${n}.1`));
  for (let n = 0; n < 20; n++)
    await world.signIn("nobody@example.org", WRONG, clientAt("198.18.0.1"));
  assert.equal((await world.signIn(ADA, PASSWORD, clientAt("198.18.200.1"))).kind, "limited");
  const crowd = Array.from({ length: 20 }, () =>
    world.ports.passwords.verify(WRONG, null, "stranger"),
  );
  assert.equal(await tryWith(world, device), "signed_in");
  await Promise.all(crowd);
});

test("strangers are postponed while too many of their hashes wait, and are not let in", async () => {
  const world = await createAccountWorld({ hashCost: "full" });
  await world.addOwner(ADA);
  const crowd = Array.from({ length: 9 }, () =>
    world.ports.passwords.verify(WRONG, null, "stranger"),
  );
  assert.equal((await world.signIn(ADA)).kind, "limited");
  await Promise.all(crowd);
  assert.equal((await world.signIn(ADA)).kind, "signed_in");
});

test("a known browser stays known for 90 days after its last sign-in, past midnight too, and to its own member only", async () => {
  const world = await createAccountWorld();
  const owner = await world.addOwner(ADA);
  await world.addMember(owner, "viewer", "vic@example.org");
  const device = await knownDevice(world);
  world.clock.advance(DEVICE_DAYS * DAY_MS - 1);
  const again = await signInWithPassword(world.ports, { email: ADA, password: PASSWORD }, device);
  assert.ok(again.kind === "signed_in");
  world.clock.advance(1);
  assert.equal(await tryWith(world, device), "puzzle_needed");
  const renewed = { ...device, deviceToken: again.deviceToken };
  assert.equal(await tryWith(world, renewed), "signed_in");
  const foreign = await signInWithPassword(
    world.ports,
    { email: "vic@example.org", password: PASSWORD },
    renewed,
  );
  assert.equal(foreign.kind, "puzzle_needed");
});

test("a known browser may not guess forever: ten tries in 15 minutes", async () => {
  const world = await createAccountWorld();
  await world.addOwner(ADA);
  const device = await knownDevice(world);
  const kinds: string[] = [];
  for (let n = 0; n < 12; n++) kinds.push(await tryWith(world, device, undefined, WRONG));
  assert.deepEqual(kinds, [...Array(10).fill("wrong_credentials"), "limited", "limited"]);
});

test("a changed, cut or invented text, or one sealed for something else, makes no browser known", async () => {
  const world = await createAccountWorld();
  await world.addOwner(ADA);
  const { deviceToken = "", ...client } = await knownDevice(world);
  const ofVault = encodeBase64url(
    world.ports.vault.seal(new TextEncoder().encode("a usr_1 b 9999999999999"), "known device"),
  );
  const flipped = `${deviceToken.slice(0, 40)}${deviceToken[40] === "A" ? "B" : "A"}${deviceToken.slice(41)}`;
  for (const text of [
    "",
    "A",
    flipped,
    deviceToken.slice(0, -4),
    `${deviceToken}AAAA`,
    ofVault,
    "A".repeat(4000),
  ]) {
    assert.equal(await tryWith(world, { ...client, deviceToken: text }), "puzzle_needed", text);
  }
});

test("a new password makes all browsers that were known under the former one strangers", async () => {
  const world = await createAccountWorld();
  const owner = await world.addOwner(ADA);
  const device = await knownDevice(world);
  const chosen = { password: "a new and better one", currentPassword: PASSWORD };
  assert.equal(
    await changePassword(world.ports, await world.refresh(owner.token), chosen),
    "changed",
  );
  assert.equal(await tryWith(world, device, undefined, "a new and better one"), "puzzle_needed");
  assert.equal(
    await tryWith(world, device, world.work(device), "a new and better one"),
    "signed_in",
  );
});

test("known and unknown emails cost the same work, attempt by attempt, at every limit", async () => {
  const worlds = await Promise.all(
    [ADA, "nobody@example.org"].map(async (email) => ({
      email,
      world: await createAccountWorld(),
    })),
  );
  const told = await Promise.all(
    worlds.map(async ({ email, world }) => {
      await world.addOwner(ADA);
      const done: string[] = [];
      const { verify } = world.ports.passwords;
      world.ports.passwords.verify = (...args) => {
        done.push("hash");
        return verify(...args);
      };
      const { findMemberByEmail } = world.ports.members;
      world.ports.members.findMemberByEmail = (asked) => {
        done.push("look-up");
        return findMemberByEmail(asked);
      };
      for (let n = 0; n < 70; n++) {
        const client = clientAt(`198.18.${n % 8}.1`);
        done.push(
          (await world.signIn(email, WRONG, client)).kind,
          String(askPuzzle(world.ports, client).difficulty),
        );
      }
      return done;
    }),
  );
  assert.deepEqual(told[0], told[1]);
  assert.equal(told[0]?.filter((what) => what === "hash").length, 25);
});
