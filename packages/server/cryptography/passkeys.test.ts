import assert from "node:assert/strict";
import { test } from "node:test";
import { createPasskeyCeremonies } from "./passkeys.ts";

const PARTY = { origin: "https://stile.example", rpId: "stile.example" };
const MEMBER = { userId: "usr_1", email: "ada@example.org", name: "Ada", passkeys: [] };

test("registration asks for a discoverable credential with its user verified, and for no attestation", async () => {
  const { options, challenge } = await createPasskeyCeremonies().createRegistration(PARTY, MEMBER);
  const asked = options as PublicKeyCredentialCreationOptionsJSON;
  assert.deepEqual([asked.rp, asked.challenge], [{ name: "Stile", id: "stile.example" }, challenge]);
  assert.equal(Buffer.from(asked.user.id, "base64url").toString(), "usr_1");
  const { residentKey, userVerification } = asked.authenticatorSelection ?? {};
  assert.deepEqual([residentKey, userVerification, asked.attestation], ["required", "required", "none"]);
});

test("signing in asks for any passkey of this service, its user verified, and names no member", async () => {
  const { options, challenge } = await createPasskeyCeremonies().createSignIn(PARTY);
  const asked = options as PublicKeyCredentialRequestOptionsJSON;
  assert.deepEqual(
    [asked.rpId, asked.challenge, asked.userVerification, asked.allowCredentials ?? []],
    ["stile.example", challenge, "required", []],
  );
});

test("no challenge comes twice", async () => {
  const ceremonies = createPasskeyCeremonies();
  const challenges = await Promise.all(Array.from({ length: 50 }, () => ceremonies.createSignIn(PARTY)));
  assert.equal(new Set(challenges.map(({ challenge }) => challenge)).size, 50);
  for (const { challenge } of challenges) assert.ok(Buffer.from(challenge, "base64url").length >= 16);
});
