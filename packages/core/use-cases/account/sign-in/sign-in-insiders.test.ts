import assert from "node:assert/strict";
import { test } from "node:test";
import { createAccountWorld, PASSWORD } from "@stile/testkit/world/account-world";
import { admitChange } from "../../../services/account/sign-in/sign-in-limits.ts";
import { proveByPassword } from "../session/prove-by-password.ts";
import { signInWithPassword } from "./sign-in-with-password.ts";

const ADA = "ada@example.org";
const VIC = "vic@example.org";
const WRONG = "wrong horse battery";
const MINUTE_MS = 60_000;

type World = Awaited<ReturnType<typeof createAccountWorld>>;

/** Two members, and the number of passwords checked in the members' queue. */
async function pair() {
  const world = await createAccountWorld();
  const ada = await world.addOwner(ADA);
  const vic = await world.addMember(ada, "viewer", VIC);
  let hashes = 0;
  const { verify } = world.ports.passwords;
  world.ports.passwords.verify = (password, hash, queue) => {
    if (queue !== "stranger") hashes += 1;
    return verify(password, hash, queue);
  };
  return { world, ada, vic, countHashes: () => hashes };
}

const signInKnown = (world: World, email: string, deviceToken: string, password = PASSWORD) =>
  signInWithPassword(world.ports, { email, password }, { ...world.newClient(), deviceToken });

test("a member with ever more known browsers and sessions gets 100 hashes of the members' queue in 15 minutes", async () => {
  const { world, ada, vic, countHashes } = await pair();
  const entries = [vic];
  // Each sign-in adds a browser and a session, which have their own tries.
  for (let n = 0; n < 300; n++) {
    const entered = await signInKnown(world, VIC, entries[n % entries.length]?.deviceToken ?? "");
    if (entered.kind === "signed_in") entries.push(entered);
  }
  for (const { token } of entries) {
    const signedIn = await world.refresh(token);
    assert.equal((await proveByPassword(world.ports, signedIn, WRONG)).kind, "limited");
  }
  assert.equal(countHashes(), 100);
  assert.equal(
    (await signInKnown(world, ADA, ada.deviceToken)).kind,
    "signed_in",
    "who did nothing of the kind",
  );
  world.clock.advance(30 * MINUTE_MS);
  assert.equal((await signInKnown(world, VIC, vic.deviceToken)).kind, "signed_in");
});

test("tries of a strange browser of the same member do not limit the known one", async () => {
  const { world, vic } = await pair();
  for (let n = 0; n < 40; n++) await world.signIn(VIC, WRONG);
  assert.equal((await signInKnown(world, VIC, vic.deviceToken)).kind, "signed_in");
});

test("a known browser's other emails are not looked up before work, since the time would reveal members", async () => {
  const { world, vic } = await pair();
  const lookedUp: string[] = [];
  const { members } = world.ports;
  const findMemberByEmail = (email: string) => {
    lookedUp.push(email);
    return members.findMemberByEmail(email);
  };
  const ports = { ...world.ports, members: { ...members, findMemberByEmail } };
  const client = { ...world.newClient(), deviceToken: vic.deviceToken };
  for (const email of [ADA, "nobody@example.org"]) {
    assert.equal(
      (await signInWithPassword(ports, { email, password: WRONG }, client)).kind,
      "puzzle_needed",
    );
  }
  assert.deepEqual(lookedUp, []);
  assert.equal(
    (await signInWithPassword(ports, { email: VIC, password: PASSWORD }, client)).kind,
    "signed_in",
  );
});

test("a session makes 1,000 changes in 15 minutes, and all sessions of a member together 3,000", async () => {
  const { world, ada, vic } = await pair();
  const sessions = [vic];
  for (let n = 0; n < 4; n++) {
    const entered = await signInKnown(world, VIC, vic.deviceToken);
    assert.ok(entered.kind === "signed_in");
    sessions.push(entered);
  }
  const admitted = sessions.map(({ session }) => {
    let count = 0;
    for (let n = 0; n < 1001; n++) count += admitChange(world.ports, session).isAdmitted ? 1 : 0;
    return count;
  });
  assert.deepEqual(admitted, [1000, 1000, 1000, 0, 0]);
  assert.equal(admitChange(world.ports, ada.session).isAdmitted, true, "another member");
  world.clock.advance(30 * MINUTE_MS);
  assert.equal(admitChange(world.ports, vic.session).isAdmitted, true);
});
