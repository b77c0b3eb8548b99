import assert from "node:assert/strict";
import { test } from "node:test";
import { clientAt, createAccountWorld, PASSWORD } from "@stile/testkit/world/account-world";
import { createAuthenticator } from "@stile/testkit/world/authenticator";
import { disableTotp } from "./disable-totp.ts";
import { makeRecoveryCodes } from "./make-recovery-codes.ts";
import { removePasskey } from "./remove-passkey.ts";

const ADA = "ada@example.org";

/** An owner with an authenticator app and the recovery codes that came with it. */
async function recovering() {
  const world = await createAccountWorld();
  const owner = await world.addOwner(ADA);
  const { recoveryCodes } = await world.enableTotp(owner);
  const enter = (code: string) => world.signIn(ADA, PASSWORD, world.newClient(), code);
  const refresh = () => world.refresh(owner.token);
  return { world, ports: world.ports, owner, recoveryCodes, enter, refresh };
}

test("the first second factor brings ten different codes, of which only digests are stored", async () => {
  const { world, recoveryCodes, refresh } = await recovering();
  assert.equal(new Set(recoveryCodes).size, 10);
  for (const code of recoveryCodes)
    assert.match(code, /^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
  const { member } = await refresh();
  assert.equal(member.recoveryCodes.length, 10);
  const kept = JSON.stringify([member, await world.audit()]);
  for (const code of recoveryCodes)
    assert.ok(!kept.includes(code) && !kept.includes(code.replaceAll("-", "")));
});

test("the first second factor creates recovery codes, also if it is a passkey; another one creates none", async () => {
  const world = await createAccountWorld();
  const owner = await world.addOwner(ADA);
  const added = await world.enrol(owner, createAuthenticator());
  assert.ok(added.kind === "added" && added.recoveryCodes?.length === 10);
  const before = (await world.refresh(owner.token)).member.recoveryCodes;
  assert.deepEqual((await world.enableTotp(owner)).recoveryCodes, []);
  assert.deepEqual((await world.refresh(owner.token)).member.recoveryCodes, before);
});

test("a code replaces the app once, however it is typed; the answer and the audit log show how many are left", async () => {
  const { world, recoveryCodes, enter } = await recovering();
  const [code = "", other = ""] = recoveryCodes;
  const answer = await enter(` ${code.toUpperCase().replaceAll("-", " ")} `);
  assert.ok(answer.kind === "signed_in");
  assert.equal(answer.recoveryCodesLeft, 9);
  assert.equal((await enter(code)).kind, "wrong_credentials");
  const [line] = (await world.audit()).filter(({ action }) => action === "signed_in");
  assert.deepEqual(line?.changes, [{ field: "recoveryCodes", before: 10, after: 9 }]);
  const second = await enter(other);
  assert.ok(second.kind === "signed_in" && second.recoveryCodesLeft === 8);
});

test("many simultaneous sign-ins with one code succeed once", async () => {
  const { world, recoveryCodes } = await recovering();
  const [code = ""] = recoveryCodes;
  const first = await world.signIn(ADA, PASSWORD, world.newClient(), recoveryCodes[1]);
  assert.ok(first.kind === "signed_in");
  const home = { ...world.newClient(), deviceToken: first.deviceToken };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => world.signIn(ADA, PASSWORD, home, code)),
  );
  assert.equal(answers.filter(({ kind }) => kind === "signed_in").length, 1);
  assert.equal(answers.filter(({ kind }) => kind === "wrong_credentials").length, 7);
});

test("a code does not work without the password, nor for another member", async () => {
  const { world, owner, recoveryCodes } = await recovering();
  const viewer = await world.addMember(
    await world.refresh(owner.token),
    "viewer",
    "vic@example.org",
  );
  await world.enableTotp(viewer);
  const [code = ""] = recoveryCodes;
  assert.equal(
    (await world.signIn(ADA, "wrong horse battery", world.newClient(), code)).kind,
    "wrong_credentials",
  );
  assert.equal(
    (await world.signIn("vic@example.org", PASSWORD, world.newClient(), code)).kind,
    "wrong_credentials",
  );
});

test("new codes end the old ones, and without a second factor none can be made", async () => {
  const { world, ports, owner, recoveryCodes, enter, refresh } = await recovering();
  const made = await makeRecoveryCodes(ports, await refresh());
  assert.ok(made.kind === "made" && made.codes.length === 10);
  assert.equal((await enter(recoveryCodes[0] ?? "")).kind, "wrong_credentials");
  assert.equal((await enter(made.codes[0] ?? "")).kind, "signed_in");
  const viewer = await world.addMember(await world.refresh(owner.token), "viewer");
  assert.equal(
    (await makeRecoveryCodes(ports, await world.refresh(viewer.token))).kind,
    "factor_missing",
  );
});

test("removing the last second factor removes the codes, and removing another one does not", async () => {
  const { world, ports, owner, refresh } = await recovering();
  const authenticator = createAuthenticator();
  await world.enrol(owner, authenticator);
  assert.equal(await disableTotp(ports, await refresh()), "disabled");
  assert.equal((await refresh()).member.recoveryCodes.length, 10);
  assert.equal(await removePasskey(ports, await refresh(), authenticator.passkeyId), "removed");
  assert.deepEqual((await refresh()).member.recoveryCodes, []);
});

test("a stranger who knows the password gets five codes in 15 minutes, from any number of networks; a known browser is not delayed", async () => {
  const { world, recoveryCodes } = await recovering();
  const [code = "", other = ""] = recoveryCodes;
  const first = await world.signIn(ADA, PASSWORD, world.newClient(), other);
  assert.ok(first.kind === "signed_in");
  const kinds = [];
  for (let network = 0; network < 8; network++) {
    kinds.push((await world.signIn(ADA, PASSWORD, clientAt(`198.18.${network}.1`), "000000")).kind);
  }
  assert.deepEqual(kinds, [...Array(4).fill("wrong_credentials"), ...Array(4).fill("limited")]);
  const known = { ...world.newClient(), deviceToken: first.deviceToken };
  assert.equal((await world.signIn(ADA, PASSWORD, known, code)).kind, "signed_in");
});
