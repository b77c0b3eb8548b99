import { encodeBase64url } from "@stile/pow/base64url";
import { changedMember, hasSecondFactor, type Member } from "../../../domain/account/member.ts";
import {
  foldRecoveryCode,
  RECOVERY_CODE_BYTES,
  RECOVERY_CODE_COUNT,
  recoveryCodeData,
  toRecoveryCode,
} from "../../../domain/account/recovery-codes.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";

type Ports = Pick<ServicePorts, "cryptography">;

/** New codes, shown only this once, and their digests, which are stored. */
export type NewRecoveryCodes = {
  readonly codes: readonly string[];
  readonly digests: readonly string[];
};

function digestOf({ cryptography }: Ports, userId: string, folded: string): string {
  return encodeBase64url(cryptography.digest(recoveryCodeData(userId, folded)));
}

/** Makes ten codes. Each replaces the member's app or passkey once. */
export function createRecoveryCodes(ports: Ports, userId: string): NewRecoveryCodes {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () =>
    toRecoveryCode(ports.cryptography.randomBytes(RECOVERY_CODE_BYTES)),
  );
  return {
    codes,
    digests: codes.map((code) => digestOf(ports, userId, foldRecoveryCode(code) ?? "")),
  };
}

/** The codes for a member's first second factor; undefined if they already have one. */
export function firstRecoveryCodes(ports: Ports, member: Member): NewRecoveryCodes | undefined {
  return hasSecondFactor(member) ? undefined : createRecoveryCodes(ports, member.userId);
}

/**
 * The result of a repeated change that added a factor: other codes, if that factor was the member's
 * first.
 */
export type RepeatedCodes =
  | { readonly kind: "repeated"; readonly codes: readonly string[] | undefined }
  | { readonly kind: "conflict" };

/**
 * Repeats a change that added a factor and whose answer was lost. `isOnlyFactor`: whether that
 * factor is the only one, so that recovery codes came with it. Nobody has seen those, and others
 * replace them.
 */
export async function repeatFirstCodes(
  ports: Ports & Pick<ServicePorts, "members">,
  member: Member,
  isOnlyFactor: boolean,
): Promise<RepeatedCodes> {
  if (!hasSecondFactor(member)) return { kind: "conflict" };
  if (!isOnlyFactor) return { kind: "repeated", codes: undefined };
  const { codes, digests } = createRecoveryCodes(ports, member.userId);
  const after = changedMember(member, { recoveryCodes: digests });
  const outcome = await ports.members.replaceMember(after, member.revision);
  return outcome === "stored" ? { kind: "repeated", codes } : { kind: "conflict" };
}

/** The digests left after this code was used; undefined if the code is not one of the member's. */
export function withoutRecoveryCode(
  ports: Ports,
  member: Member,
  typed: string,
): readonly string[] | undefined {
  const folded = foldRecoveryCode(typed);
  if (folded === undefined) return undefined;
  const digest = digestOf(ports, member.userId, folded);
  return member.recoveryCodes.includes(digest)
    ? member.recoveryCodes.filter((kept) => kept !== digest)
    : undefined;
}

/** The audit log's change for a used recovery code: how many there were, and how many are left. */
export function codesLeftChange(
  member: Member,
  { recoveryCodes }: Partial<Pick<Member, "recoveryCodes">>,
) {
  if (recoveryCodes === undefined) return [];
  return [
    { field: "recoveryCodes", before: member.recoveryCodes.length, after: recoveryCodes.length },
  ];
}
