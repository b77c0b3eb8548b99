import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { decodeAttestationObject, isoBase64URL, isoCBOR } from "@simplewebauthn/server/helpers";
import type { PasskeyCeremonies } from "@stile/core/ports/account/credentials";

const SERVICE_NAME = "Stile";
const CEREMONY_MS = 5 * 60_000;
/** COSE algorithms: EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];

/**
 * Ways to reach an authenticator (WebAuthn, section 5.8.4). Others in a browser's response are
 * dropped.
 */
const TRANSPORTS: readonly string[] = ["usb", "nfc", "ble", "smart-card", "hybrid", "internal"];

/** The result, or undefined: the library throws for responses that are invalid or malformed. */
async function unlessRefused<Answer>(verify: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}

/**
 * The response without the authenticator's attestation, as browsers send it if nobody asks for one
 * (WebAuthn, 5.1.3). Otherwise the library would check the attestation, and fetch any address that
 * a certificate in it names.
 */
function withoutAttestation({
  response,
  ...rest
}: RegistrationResponseJSON): RegistrationResponseJSON {
  const given = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const bare = new Map<string, string | Uint8Array | Map<string, string>>()
    .set("fmt", "none")
    .set("attStmt", new Map())
    .set("authData", given.get("authData"));
  return {
    ...rest,
    response: { ...response, attestationObject: isoBase64URL.fromBuffer(isoCBOR.encode(bare)) },
  };
}

/**
 * WebAuthn ceremonies: discoverable credentials, always with user verification (PIN or biometrics),
 * without attestation.
 */
export const CEREMONIES: PasskeyCeremonies = {
  createRegistration: async ({ rpId }, member) => {
    const options = await generateRegistrationOptions({
      rpName: SERVICE_NAME,
      rpID: rpId,
      userID: new TextEncoder().encode(member.userId),
      userName: member.email,
      userDisplayName: member.name,
      timeout: CEREMONY_MS,
      attestationType: "none",
      excludeCredentials: member.passkeys.map(({ passkeyId, transports }) => ({
        id: passkeyId,
        transports: [...transports],
      })),
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      supportedAlgorithmIDs: ALGORITHMS,
    });
    return { options, challenge: options.challenge };
  },
  verifyRegistration: async ({ origin, rpId }, challenge, response) => {
    const answer = await unlessRefused(async () =>
      verifyRegistrationResponse({
        response: withoutAttestation(response as RegistrationResponseJSON),
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpId,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }),
    );
    if (answer?.verified !== true) return undefined;
    const { id, publicKey, counter, transports } = answer.registrationInfo.credential;
    const known = Array.isArray(transports)
      ? TRANSPORTS.filter((transport) => transports.includes(transport))
      : [];
    return { passkeyId: id, publicKey: new Uint8Array(publicKey), counter, transports: known };
  },
  createSignIn: async ({ rpId }) => {
    const options = await generateAuthenticationOptions({
      rpID: rpId,
      timeout: CEREMONY_MS,
      userVerification: "required",
    });
    return { options, challenge: options.challenge };
  },
  verifySignIn: async (
    { origin, rpId },
    challenge,
    response,
    { passkeyId, publicKey, counter },
  ) => {
    const answer = await unlessRefused(() =>
      verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpId,
        credential: { id: passkeyId, publicKey: Uint8Array.from(publicKey), counter },
        requireUserVerification: true,
      }),
    );
    return answer?.verified === true
      ? { counter: answer.authenticationInfo.newCounter }
      : undefined;
  },
};
