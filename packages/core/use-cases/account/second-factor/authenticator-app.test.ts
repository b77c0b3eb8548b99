import assert from "node:assert/strict";
import { test } from "node:test";
import { codeAt, createAccountWorld } from "@stile/testkit/world/account-world";
import { Secret } from "otpauth";
import { disableTotp } from "./disable-totp.ts";
import { beginTotp, confirmTotp } from "./enable-totp.ts";

const ADA = "ada@example.org";
const TICKET_MS = 5 * 60_000;

const begin: (
  ...args: Parameters<typeof beginTotp>
) => Extract<ReturnType<typeof beginTotp>, { kind: "begun" }> = (...args) => {
  const answer = beginTotp(...args);
  return answer.kind === "begun" ? answer : assert.fail(answer.kind);
};

test("a session gets 30 new authenticator apps in 15 minutes: each costs as much as twenty redemptions", async () => {
  const world = await createAccountWorld();
  const signedIn = await world.refresh((await world.addOwner(ADA)).token);
  for (let drawn = 0; drawn < 30; drawn++) begin(world.ports, signedIn);
  assert.equal(beginTotp(world.ports, signedIn).kind, "limited");
  world.clock.advance(30 * 60_000);
  begin(world.ports, signedIn);
});

test("an authenticator app is on only after one of its codes has arrived, and its secret is kept sealed", async () => {
  const world = await createAccountWorld();
  const owner = await world.addOwner(ADA);
  const signedIn = await world.refresh(owner.token);
  const { ticket, secret, uri, qr } = begin(world.ports, signedIn);
  assert.match(uri, /^otpauth:\/\/totp\/Stile:ada%40example\.org\?/);
  assert.ok(qr.length >= 21 && qr.every((row) => row.length === qr.length && /^[01]+$/.test(row)));
  assert.equal((await world.signIn(ADA)).kind, "signed_in", "nothing is on yet");
  const confirm = async (code: string) =>
    (await confirmTotp(world.ports, await world.refresh(owner.token), { ticket, code })).kind;
  const code = codeAt(secret, world.clock.nowMs());
  assert.equal(
    await confirm(String((Number(code) + 1) % 1_000_000).padStart(6, "0")),
    "wrong_code",
  );
  assert.equal(await confirm(code), "enabled");
  assert.equal(await confirm(code), "conflict");
  const { totp } = (await world.refresh(owner.token)).member;
  const { bytes } = Secret.fromBase32(secret);
  assert.ok(totp && !Buffer.from(totp.sealedSecret).includes(bytes));
  assert.deepEqual(
    world.ports.vault.open(totp.sealedSecret, owner.member.userId),
    new Uint8Array(bytes),
  );
  assert.equal(
    world.ports.vault.open(totp.sealedSecret, "usr_other"),
    undefined,
    "nobody else's secret",
  );
});

test("enrolling needs this session's ticket, within five minutes and ten tries", async () => {
  const world = await createAccountWorld();
  const owner = await world.addOwner(ADA);
  const other = await world.signIn(ADA);
  assert.ok(other.kind === "signed_in");
  const theirs = begin(world.ports, await world.refresh(other.token));
  const confirm = async ({ ticket, secret }: { ticket: string; secret: string }) => {
    const code = codeAt(secret, world.clock.nowMs());
    return (await confirmTotp(world.ports, await world.refresh(owner.token), { ticket, code }))
      .kind;
  };
  assert.equal(await confirm(theirs), "conflict");
  const mine = begin(world.ports, await world.refresh(owner.token));
  world.clock.advance(TICKET_MS);
  assert.equal(await confirm(mine), "conflict");
  const signedIn = await world.refresh(owner.token);
  const { ticket } = begin(world.ports, signedIn);
  const outcomes: string[] = [];
  for (let tries = 0; tries < 9; tries++)
    outcomes.push((await confirmTotp(world.ports, signedIn, { ticket, code: "x" })).kind);
  assert.deepEqual(outcomes, [...Array(8).fill("wrong_code"), "limited"]);
});

test("without the app the password is enough again", async () => {
  const world = await createAccountWorld();
  const owner = await world.addOwner(ADA);
  await world.enableTotp(owner);
  assert.equal((await world.signIn(ADA)).kind, "second_factor_needed");
  assert.equal(await disableTotp(world.ports, await world.refresh(owner.token)), "disabled");
  assert.equal((await world.signIn(ADA)).kind, "signed_in");
  assert.equal(await disableTotp(world.ports, await world.refresh(owner.token)), "disabled");
  assert.deepEqual(
    (await world.audit()).map(({ action }) => action).filter((action) => action.startsWith("totp")),
    ["totp_disabled", "totp_enabled"],
  );
});
