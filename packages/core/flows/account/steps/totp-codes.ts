import type { Member, Totp } from "../../../domain/member.ts";
import type { AccountPorts } from "./account-ports.ts";

/** The authenticator app after this code was used; undefined if the code is wrong or was used before. */
export function judgeCode(
  ports: Pick<AccountPorts, "clock" | "vault" | "totpCodes">,
  member: Member,
  totp: Totp,
  code: string,
): Totp | undefined {
  const secret = ports.vault.open(totp.sealedSecret, member.userId);
  if (secret === undefined) throw new Error("the secret of an authenticator app was sealed with another master key");
  const step = ports.totpCodes.findStep(secret, code, ports.clock.nowMs());
  return step === undefined || step <= totp.lastStep ? undefined : { ...totp, lastStep: step };
}
