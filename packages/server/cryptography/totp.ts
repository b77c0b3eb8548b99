import { randomBytes } from "node:crypto";
import type { TotpCodes } from "@stile/core/ports/account/credentials";
import { Secret, TOTP } from "otpauth";
import { encode } from "uqr";

const ISSUER = "Stile";
/** 160 bits, as RFC 4226 section 4 recommends. */
const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
const PERIOD_MS = PERIOD_SECONDS * 1000;
/** How many steps a code may be off. Phones' clocks differ, and typing takes time. */
const WINDOW = 1;
const CODE = /^\d{6}$/;

function toTotp(secret: Uint8Array, label: string): TOTP {
  const buffer = Uint8Array.from(secret).buffer;
  return new TOTP({
    issuer: ISSUER,
    label,
    algorithm: "SHA1",
    digits: 6,
    period: PERIOD_SECONDS,
    secret: new Secret({ buffer }),
  });
}

function findStepAt(totp: TOTP, token: string, atMs: number): number | undefined {
  const delta = totp.validate({ token, timestamp: atMs, window: WINDOW });
  return delta === null ? undefined : Math.floor(atMs / PERIOD_MS) + delta;
}

/**
 * Codes of authenticator apps (RFC 6238), which depend on the time of day. While the service does
 * not follow the system's clock `wallMs`, a code of either time is accepted. Nobody knows yet which
 * clock is wrong, and the person who sets it must be able to sign in.
 */
export function createTotpCodes(wallMs: () => number): TotpCodes {
  return {
    createSecret: () => new Uint8Array(randomBytes(SECRET_BYTES)),
    describe: (secret, email) => {
      const totp = toTotp(secret, email);
      const uri = totp.toString();
      const rows = encode(uri, { border: 0 }).data;
      return {
        secret: totp.secret.base32,
        uri,
        qr: rows.map((row) => row.map((isDark) => (isDark ? "1" : "0")).join("")),
      };
    },
    findStep: (secret, code, nowMs) => {
      const token = code.replaceAll(" ", "");
      if (!CODE.test(token)) return undefined;
      const totp = toTotp(secret, "");
      const found = findStepAt(totp, token, nowMs);
      const wall = wallMs();
      return (
        found ?? (Math.abs(wall - nowMs) < PERIOD_MS ? undefined : findStepAt(totp, token, wall))
      );
    },
  };
}
