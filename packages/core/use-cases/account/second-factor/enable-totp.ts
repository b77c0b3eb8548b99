import type { TotpEnrolmentData } from "@stile/protocol/dashboard-api";
import { changedMember } from "../../../domain/account/member.ts";
import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { Limited } from "../../../domain/rate-window.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry } from "../../../services/account/account-entry.ts";
import {
  firstRecoveryCodes,
  repeatFirstCodes,
} from "../../../services/account/second-factor/recovery-codes.ts";
import { admitEnrolment, admitProof } from "../../../services/account/sign-in/sign-in-limits.ts";
import { openTicket, sealTicket, useWithin } from "../../../services/account/sign-in/tickets.ts";

type Ports = Pick<
  ServicePorts,
  "clock" | "cryptography" | "localLimiter" | "members" | "vault" | "totpCodes"
>;

/**
 * The data for the app, with the ticket to send back with its first code; or when the session may
 * ask again.
 */
export type BeginTotpAnswer =
  | ({ readonly kind: "begun"; readonly ticket: string } & TotpEnrolmentData)
  | Limited;

/**
 * A fresh secret for an authenticator app. Nothing is on or stored until one of its codes arrives
 * with the ticket.
 */
export function beginTotp(ports: Ports, signedIn: SignedIn): BeginTotpAnswer {
  const limit = admitEnrolment(ports, signedIn.session.sessionId);
  if (!limit.isAdmitted) return { kind: "limited", limit };
  const secret = ports.totpCodes.createSecret();
  const enrolment = ports.totpCodes.describe(secret, signedIn.member.email);
  return {
    kind: "begun",
    ...enrolment,
    ticket: sealTicket(ports, useWithin(signedIn, "totp"), secret),
  };
}

/**
 * With a first second factor come recovery codes, shown only this once. `conflict`: the ticket has
 * expired or belongs to another session, or an app is already on.
 */
export type ConfirmTotpAnswer =
  | { readonly kind: "enabled"; readonly recoveryCodes: readonly string[] | undefined }
  | { readonly kind: "wrong_code" | "conflict" | "limited" };

/**
 * Turns the authenticator app on after a code has shown that it has the secret. The same step ends
 * the member's other sessions, which a password alone may have begun.
 */
export async function confirmTotp(
  ports: Ports,
  signedIn: SignedIn,
  { ticket, code }: { readonly ticket: string; readonly code: string },
): Promise<ConfirmTotpAnswer> {
  const { member, session, change } = signedIn;
  if (change?.made !== undefined) {
    const repeat = await repeatFirstCodes(
      ports,
      member,
      member.totp !== null && member.passkeys.length === 0,
    );
    return repeat.kind === "repeated" ? { kind: "enabled", recoveryCodes: repeat.codes } : repeat;
  }
  if (!admitProof(ports, session).isAdmitted) return { kind: "limited" };
  const open = openTicket(ports, useWithin(signedIn, "totp"), ticket);
  if (open === undefined || member.totp !== null) return { kind: "conflict" };
  const lastStep = ports.totpCodes.findStep(open.payload, code, ports.clock.nowMs());
  if (lastStep === undefined) return { kind: "wrong_code" };
  const totp = { sealedSecret: ports.vault.seal(open.payload, member.userId), lastStep };
  const first = firstRecoveryCodes(ports, member);
  const recoveryCodes = first?.digests ?? member.recoveryCodes;
  const after = changedMember(member, { totp, recoveryCodes });
  const entry = accountEntry(ports, member, "totp_enabled", { change });
  const outcome = await ports.members.replaceMember(
    after,
    member.revision,
    entry,
    session.sessionId,
  );
  return outcome === "stored"
    ? { kind: "enabled", recoveryCodes: first?.codes }
    : { kind: "conflict" };
}
