import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { SettingsService } from "@simplewebauthn/server";
import { createCertificates } from "@stile/testkit/service/throw-away-certificates";
import { skipWithout } from "@stile/testkit/trials/debian-programs";
import { type AuthenticatorOptions, createAuthenticator } from "@stile/testkit/world/authenticator";
import { createPasskeyCeremonies } from "./passkeys.ts";

const PARTY = { origin: "https://stile.example", rpId: "stile.example" };
const MEMBER = { userId: "usr_1", email: "ada@example.org", name: "Ada", passkeys: [] };

test("asks for a discoverable credential with its user verified, and for no attestation, to register", async () => {
  const { options, challenge } = await createPasskeyCeremonies().createRegistration(PARTY, MEMBER);
  const asked = options as PublicKeyCredentialCreationOptionsJSON;
  assert.deepEqual(
    [asked.rp, asked.challenge],
    [{ name: "Stile", id: "stile.example" }, challenge],
  );
  assert.equal(Buffer.from(asked.user.id, "base64url").toString(), "usr_1");
  const { residentKey, userVerification } = asked.authenticatorSelection ?? {};
  assert.deepEqual(
    [residentKey, userVerification, asked.attestation],
    ["required", "required", "none"],
  );
});

test("asks for any passkey of this service with its user verified, and names no member, to sign in", async () => {
  const { options, challenge } = await createPasskeyCeremonies().createSignIn(PARTY);
  const asked = options as PublicKeyCredentialRequestOptionsJSON;
  assert.deepEqual(
    [asked.rpId, asked.challenge, asked.userVerification, asked.allowCredentials ?? []],
    ["stile.example", challenge, "required", []],
  );
});

test("never repeats a challenge", async () => {
  const ceremonies = createPasskeyCeremonies();
  const challenges = await Promise.all(
    Array.from({ length: 50 }, () => ceremonies.createSignIn(PARTY)),
  );
  assert.equal(new Set(challenges.map(({ challenge }) => challenge)).size, 50);
  for (const { challenge } of challenges)
    assert.ok(Buffer.from(challenge, "base64url").length >= 16);
});

/** Registers a passkey of an authenticator that attests, although it was not asked to. */
async function registerAttesting(attest: AuthenticatorOptions["attest"]) {
  const ceremonies = createPasskeyCeremonies();
  const { options, challenge } = await ceremonies.createRegistration(PARTY, MEMBER);
  const authenticator = createAuthenticator({ ...PARTY, attest });
  const verified = await ceremonies.verifyRegistration(
    PARTY,
    challenge,
    authenticator.register(options),
  );
  return verified?.passkeyId === authenticator.passkeyId;
}

const OPENSSL = { skip: skipWithout("/usr/bin/openssl") };

test(
  "fetches no address that the certificates of an attestation name",
  OPENSSL,
  async (context) => {
    const asked: string[] = [];
    const list = createServer(({ url }, response) => {
      asked.push(url ?? "");
      response.end();
    });
    await new Promise<void>((resolve) => list.listen(0, "127.0.0.1", resolve));
    const certificates = createCertificates();
    context.after(() => {
      list.close();
      certificates.dispose();
    });
    // The library does not check issuers. With any certificate under a root that it trusts, an
    // attacker can sign another one.
    certificates.makeAuthority("root");
    certificates.makeCertificate("any", "root", "DNS:any.example");
    const address = `http://127.0.0.1:${(list.address() as AddressInfo).port}/revoked`;
    certificates.makeCertificate(
      "attest.android.com",
      "any",
      `DNS:attest.android.com\ncrlDistributionPoints=URI:${address}`,
    );
    const derOf = (name: string) =>
      readFileSync(certificates.pathOf(`${name}.pem`), "utf8").replaceAll(/-----.*-----|\s/g, "");
    const root = readFileSync(certificates.pathOf("root.pem"), "utf8");
    // The library's own root. Only its owner has the key.
    const trusted = SettingsService.getRootCertificates({ identifier: "android-safetynet" });
    SettingsService.setRootCertificates({ identifier: "android-safetynet", certificates: [root] });
    context.after(() =>
      SettingsService.setRootCertificates({
        identifier: "android-safetynet",
        certificates: trusted,
      }),
    );
    const textOf = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
    const isRegistered = await registerAttesting((nonce) => {
      const payload = {
        nonce: nonce.toString("base64"),
        ctsProfileMatch: true,
        timestampMs: Date.now(),
      };
      const jwt = [
        textOf({ x5c: ["attest.android.com", "any"].map(derOf) }),
        textOf(payload),
        "AAAA",
      ].join(".");
      return {
        format: "android-safetynet",
        statement: new Map<string, string | Buffer>([
          ["ver", "1"],
          ["response", Buffer.from(jwt)],
        ]),
      };
    });
    assert.deepEqual([asked, isRegistered], [[], true]);
  },
);

test("registers a passkey with any attestation, because the service asked for none and ignores it", async () => {
  for (const format of ["packed", "tpm", "fido-u2f", "of the future"]) {
    assert.ok(
      await registerAttesting(() => ({
        format,
        statement: new Map([["x5c", Buffer.from("no certificate")]]),
      })),
      format,
    );
  }
});
