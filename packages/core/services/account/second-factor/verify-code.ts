import { hasSecondFactor, type Member, type Totp } from "../../../domain/account/member.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { withoutRecoveryCode } from "./recovery-codes.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "members" | "vault" | "totpCodes">;

/**
 * The change that a sign-in makes in the member: the app, passkeys or recovery codes after the use
 * of one.
 */
export type CredentialUse = Partial<Pick<Member, "totp" | "passkeys" | "recoveryCodes">>;

/**
 * The authenticator app after this code was used; undefined if the code is wrong or was already
 * used.
 */
function verifyTotp(ports: Ports, member: Member, totp: Totp, code: string): Totp | undefined {
  const secret = ports.vault.open(totp.sealedSecret, member.userId);
  if (secret === undefined)
    throw new Error("the secret of an authenticator app was sealed with another master key");
  const step = ports.totpCodes.findStep(secret, code, ports.clock.nowMs());
  return step === undefined || step <= totp.lastStep ? undefined : { ...totp, lastStep: step };
}

/**
 * The change that using this code makes to the app or the recovery codes; undefined if the code is
 * wrong or used.
 */
export function verifyCode(ports: Ports, member: Member, code: string): CredentialUse | undefined {
  const totp = member.totp === null ? undefined : verifyTotp(ports, member, member.totp, code);
  if (totp !== undefined) return { totp };
  // Recovery codes only replace a second factor, so without one they are not accepted.
  const recoveryCodes = hasSecondFactor(member)
    ? withoutRecoveryCode(ports, member, code)
    : undefined;
  return recoveryCodes && { recoveryCodes };
}
