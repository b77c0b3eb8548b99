import { hasSecondFactor, type Member, type Totp } from "../../../domain/account/member.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { withoutRecoveryCode } from "./recovery-codes.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "members" | "vault" | "totpCodes">;

/** What of a member changes when it signs in: a code or a passkey that was used. */
export type CredentialUse = Partial<Pick<Member, "totp" | "passkeys" | "recoveryCodes">>;

/** The authenticator app after this code was used; undefined if the code is wrong or was used before. */
function verifyTotp(ports: Ports, member: Member, totp: Totp, code: string): Totp | undefined {
  const secret = ports.vault.open(totp.sealedSecret, member.userId);
  if (secret === undefined) throw new Error("the secret of an authenticator app was sealed with another master key");
  const step = ports.totpCodes.findStep(secret, code, ports.clock.nowMs());
  return step === undefined || step <= totp.lastStep ? undefined : { ...totp, lastStep: step };
}

/** What using this code changes, be it the app's or a recovery code; undefined if it is neither, or was used before. */
export function verifyCode(ports: Ports, member: Member, code: string): CredentialUse | undefined {
  const totp = member.totp === null ? undefined : verifyTotp(ports, member, member.totp, code);
  if (totp !== undefined) return { totp };
  // Without a factor that they stand in for, the codes are worth nothing.
  const recoveryCodes = hasSecondFactor(member) ? withoutRecoveryCode(ports, member, code) : undefined;
  return recoveryCodes && { recoveryCodes };
}
