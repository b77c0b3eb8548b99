import assert from "node:assert/strict";
import { test } from "node:test";
import { clientAt, createAccountWorld, PARTY } from "@stile/testkit/world/account-world";
import { type AuthenticatorOptions, createAuthenticator } from "@stile/testkit/world/authenticator";
import type { NewSession } from "../../../services/account/sign-in/enter.ts";
import { beginPasskeyProof, finishPasskeyProof } from "../session/prove-by-passkey.ts";
import { beginPasskeySignIn, finishPasskeySignIn } from "../sign-in/sign-in-with-passkey.ts";
import { addPasskey, beginPasskey } from "./add-passkey.ts";
import { removePasskey } from "./remove-passkey.ts";

const ADA = "ada@example.org";
const TICKET_MS = 5 * 60_000;

/** An owner with a registered passkey, and the means to sign in with it. */
async function enrolled(options: AuthenticatorOptions = {}) {
  const world = await createAccountWorld();
  const owner = await world.addOwner(ADA);
  const authenticator = createAuthenticator(options);
  const added = await world.enrol(owner, authenticator);
  const signIn = async (key = authenticator) => {
    const { options: asked, ticket } = await beginPasskeySignIn(world.ports, PARTY);
    return await finishPasskeySignIn(
      world.ports,
      PARTY,
      { ticket, response: key.signIn(asked) },
      world.newClient(),
    );
  };
  return { world, ports: world.ports, owner, authenticator, added, signIn };
}

test("a registered passkey signs in, without a code even if an app is on, and its use is recorded", async () => {
  const { world, owner, authenticator, added, signIn } = await enrolled();
  assert.ok(added.kind === "added");
  assert.deepEqual(
    [added.passkey.passkeyId, added.passkey.name, added.passkey.transports],
    [authenticator.passkeyId, "Laptop", ["internal"]],
  );
  await world.enableTotp(owner);
  world.clock.advance(1000);
  const answer = await signIn();
  assert.ok(answer.kind === "signed_in");
  const [passkey] = (await world.refresh(answer.token)).member.passkeys;
  assert.deepEqual([passkey?.counter, passkey?.lastUsedAtMs], [2, world.clock.nowMs()]);
});

test("a passkey signs in while strangers use up the email's budget", async () => {
  const { world, signIn } = await enrolled();
  for (let attempt = 0; attempt < 10; attempt++) await world.signIn(ADA, "wrong horse battery");
  assert.equal((await world.signIn(ADA)).kind, "limited");
  assert.equal((await signIn()).kind, "signed_in");
});

test("an observed answer cannot be replayed, with or without a counter", async () => {
  for (const hasCounter of [true, false]) {
    const { world, ports, authenticator } = await enrolled({ hasCounter });
    const { options, ticket } = await beginPasskeySignIn(ports, PARTY);
    const answer = { ticket, response: authenticator.signIn(options) };
    const kinds = await Promise.all(
      Array.from(
        { length: 2 },
        async () => (await finishPasskeySignIn(ports, PARTY, answer, world.newClient())).kind,
      ),
    );
    assert.deepEqual(kinds.sort(), ["signed_in", "wrong_credentials"]);
    world.clock.advance(TICKET_MS - 1);
    assert.equal(
      (await finishPasskeySignIn(ports, PARTY, answer, world.newClient())).kind,
      "wrong_credentials",
    );
  }
});

test("a copied passkey is detected by its counter", async () => {
  const { signIn, authenticator, world, ports } = await enrolled();
  const { options, ticket } = await beginPasskeySignIn(ports, PARTY);
  const early = authenticator.signIn(options);
  assert.equal((await signIn()).kind, "signed_in");
  const answer = await finishPasskeySignIn(
    ports,
    PARTY,
    { ticket, response: early },
    world.newClient(),
  );
  assert.equal(answer.kind, "wrong_credentials");
});

test("a passkey that did not verify its user, or signed for another origin or host, is rejected", async () => {
  for (const options of [
    { isUserVerified: false },
    { origin: "https://stile.example.evil.example" },
    { rpId: "evil.example" },
  ]) {
    const { added } = await enrolled(options);
    assert.equal(added.kind, "refused", JSON.stringify(options));
    const { authenticator, signIn } = await enrolled();
    const rogue = createAuthenticator({ ...options, passkeyId: authenticator.passkeyId });
    assert.equal((await signIn(rogue)).kind, "wrong_credentials", JSON.stringify(options));
  }
});

test("a foreign key under a known credential id signs nobody in", async () => {
  const { authenticator, signIn } = await enrolled();
  assert.equal(
    (await signIn(createAuthenticator({ passkeyId: authenticator.passkeyId }))).kind,
    "wrong_credentials",
  );
});

test("garbage instead of an answer counts as a wrong credential, never as a fault", async () => {
  const { world, ports, authenticator } = await enrolled();
  const id = authenticator.passkeyId;
  for (const response of [
    undefined,
    null,
    7,
    "x",
    [],
    {},
    { id },
    { id: `${id}\0` },
    { id: "A".repeat(2_000) },
    { id, rawId: id, type: "public-key", response: {} },
  ]) {
    const { ticket } = await beginPasskeySignIn(ports, PARTY);
    const answer = await finishPasskeySignIn(ports, PARTY, { ticket, response }, world.newClient());
    assert.equal(answer.kind, "wrong_credentials");
    const signedIn = await world.refresh(((await world.signIn(ADA)) as NewSession).token);
    const begun = await beginPasskey(ports, PARTY, signedIn);
    const added = await addPasskey(ports, PARTY, signedIn, {
      ticket: begun.ticket,
      response,
      name: "x",
    });
    assert.equal(added.kind, "refused");
    world.clock.advance(30 * 60_000);
  }
});

test("a client without a passkey cannot lock out a passkey user at the same address", async () => {
  const { ports, authenticator } = await enrolled();
  const client = clientAt("198.51.100.9");
  for (let attempt = 0; attempt < 50; attempt++) {
    const { ticket } = await beginPasskeySignIn(ports, PARTY);
    const { kind } = await finishPasskeySignIn(
      ports,
      PARTY,
      { ticket, response: { id: "made-up" } },
      client,
    );
    assert.equal(kind, "wrong_credentials");
  }
  const { options, ticket } = await beginPasskeySignIn(ports, PARTY);
  const answer = { ticket, response: authenticator.signIn(options) };
  assert.equal((await finishPasskeySignIn(ports, PARTY, answer, client)).kind, "signed_in");
});

test("a passkey id gets 30 answers from unknown browsers in 15 minutes, and its known browser still signs in", async () => {
  const { world, ports, authenticator, signIn } = await enrolled();
  const entered = await signIn();
  assert.ok(entered.kind === "signed_in");
  const rogue = createAuthenticator({ passkeyId: authenticator.passkeyId });
  const kinds: string[] = [];
  for (let attempt = 0; attempt < 30; attempt++) kinds.push((await signIn(rogue)).kind);
  assert.deepEqual(kinds, [...Array(29).fill("wrong_credentials"), "limited"]);
  const { options, ticket } = await beginPasskeySignIn(ports, PARTY);
  const known = { ...world.newClient(), deviceToken: entered.deviceToken };
  const answer = { ticket, response: authenticator.signIn(options) };
  assert.equal((await finishPasskeySignIn(ports, PARTY, answer, known)).kind, "signed_in");
});

test("a ticket is valid for five minutes, to the millisecond", async () => {
  for (const [waitMs, kind] of [
    [TICKET_MS - 1, "signed_in"],
    [TICKET_MS, "wrong_credentials"],
    [TICKET_MS + 1, "wrong_credentials"],
  ] as const) {
    const { world, ports, authenticator } = await enrolled();
    const { options, ticket } = await beginPasskeySignIn(ports, PARTY);
    const answer = { ticket, response: authenticator.signIn(options) };
    world.clock.advance(waitMs);
    assert.equal(
      (await finishPasskeySignIn(ports, PARTY, answer, world.newClient())).kind,
      kind,
      `${waitMs}`,
    );
  }
});

test("a ticket is valid only for its purpose and session, and no bit of it can be changed", async () => {
  const { world, ports, owner, authenticator } = await enrolled();
  const mine = await world.refresh(owner.token);
  const other = await world.signIn(ADA);
  assert.ok(other.kind === "signed_in");
  const theirs = await world.refresh(other.token);
  const prove = async (asked: { options: unknown; ticket: string }, ticket = asked.ticket) => {
    const response = authenticator.signIn(asked.options);
    return (
      await finishPasskeyProof(ports, PARTY, await world.refresh(owner.token), { ticket, response })
    ).kind;
  };
  assert.equal(
    await prove(await beginPasskeyProof(ports, PARTY, mine)),
    "proven",
    "the way itself works",
  );
  assert.equal(
    await prove(await beginPasskeyProof(ports, PARTY, theirs)),
    "wrong_credentials",
    "another session",
  );
  assert.equal(
    await prove(await beginPasskeySignIn(ports, PARTY)),
    "wrong_credentials",
    "another purpose",
  );
  const asked = await beginPasskeySignIn(ports, PARTY);
  const bytes = Buffer.from(asked.ticket, "base64url");
  const response = authenticator.signIn(asked.options);
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    const ticket = changed.toString("base64url");
    const answer = await finishPasskeySignIn(
      ports,
      PARTY,
      { ticket, response },
      clientAt(`10.0.0.${at}`),
    );
    assert.equal(answer.kind, "wrong_credentials", `byte ${at}`);
  }
  const answer = await finishPasskeySignIn(
    ports,
    PARTY,
    { ticket: asked.ticket, response },
    world.newClient(),
  );
  assert.equal(answer.kind, "signed_in", "unchanged it holds");
});

test("a passkey of another member proves nothing", async () => {
  const { world, ports, owner } = await enrolled();
  const viewer = await world.addMember(await world.refresh(owner.token), "viewer");
  const theirs = createAuthenticator();
  await world.enrol(viewer, theirs);
  const mine = await world.refresh(owner.token);
  const { options, ticket } = await beginPasskeyProof(ports, PARTY, mine);
  const answer = await finishPasskeyProof(ports, PARTY, mine, {
    ticket,
    response: theirs.signIn(options),
  });
  assert.equal(answer.kind, "wrong_credentials");
});

test("registering a known credential id is refused, so nobody takes over or hides another's passkey", async () => {
  const { world, owner, authenticator, signIn } = await enrolled();
  const viewer = await world.addMember(await world.refresh(owner.token), "viewer");
  const thief = createAuthenticator({ passkeyId: authenticator.passkeyId });
  assert.equal((await world.enrol(viewer, thief)).kind, "refused");
  assert.equal((await world.enrol(owner, authenticator)).kind, "refused");
  const answer = await signIn();
  assert.ok(answer.kind === "signed_in" && answer.member.userId === owner.member.userId);
});

test("a member keeps at most 20 passkeys, and the 21st is refused", async () => {
  const { world, owner } = await enrolled();
  for (let made = 1; made < 20; made++)
    assert.equal((await world.enrol(owner, createAuthenticator())).kind, "added");
  assert.equal((await world.enrol(owner, createAuthenticator())).kind, "refused");
});

test("a passkey's name is stored as it looks: without controls, text directions or line ends, which would garble the audit log", async () => {
  const { world, ports } = await enrolled();
  const owner = await world.signIn(ADA);
  assert.ok(owner.kind === "signed_in");
  for (const [typed, kept] of [
    ["Lap\u202etop\nx\u0007", "Laptopx"],
    ["\u2066\u200b", "Passkey"],
    ["👩\u200d💻", "👩\u200d💻"],
  ] as const) {
    const signedIn = await world.refresh(owner.token);
    const { options, ticket } = await beginPasskey(ports, PARTY, signedIn);
    const response = createAuthenticator().register(options);
    const added = await addPasskey(ports, PARTY, signedIn, { ticket, response, name: typed });
    assert.ok(added.kind === "added");
    assert.equal(added.passkey.name, kept);
    assert.equal((await world.audit())[0]?.changes[0]?.after, kept);
  }
});

test("a credential id of 1,023 bytes registers and signs in; a longer, unusable one is refused", async () => {
  const idOf = (bytes: number) => Buffer.alloc(bytes, 7).toString("base64url");
  const { added, signIn } = await enrolled({ passkeyId: idOf(1023) });
  assert.equal(added.kind, "added");
  assert.equal((await signIn()).kind, "signed_in");
  assert.equal((await enrolled({ passkeyId: idOf(1024) })).added.kind, "refused");
});

test("a removed passkey no longer signs in, and only its own member removes it", async () => {
  const { world, ports, owner, authenticator, signIn } = await enrolled();
  const viewer = await world.addMember(await world.refresh(owner.token), "viewer");
  const id = authenticator.passkeyId;
  assert.equal(await removePasskey(ports, await world.refresh(viewer.token), id), "not_found");
  assert.equal(await removePasskey(ports, await world.refresh(owner.token), id), "removed");
  assert.equal((await signIn()).kind, "wrong_credentials");
});

test("a session may send 30 answers for new passkeys in 15 minutes, since each may be expensive", async () => {
  const world = await createAccountWorld();
  const signedIn = await world.refresh((await world.addOwner(ADA)).token);
  const { ticket } = await beginPasskey(world.ports, PARTY, signedIn);
  const add = async () =>
    (await addPasskey(world.ports, PARTY, signedIn, { ticket, response: {}, name: "x" })).kind;
  for (let tried = 0; tried < 30; tried++) assert.equal(await add(), "refused");
  assert.equal(await add(), "limited");
  world.clock.advance(30 * 60_000);
  assert.equal(await add(), "refused");
});
