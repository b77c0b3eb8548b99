import type { DashboardAnswer } from "@stile/protocol/dashboard-api";
import { askPasskey } from "../../../ui/passkey.ts";
import { me } from "../../../ui/session.ts";
import { UsernameField } from "../../../ui/username-field.tsx";
import { ACCOUNT } from "../text.ts";
import { PasswordField } from "./password-field.tsx";

type OwnProofFieldProps = { readonly value: string; readonly onValue: (value: string) => void };

/**
 * The member's own password, for calls that ask for it each time; a member without one is asked for
 * a passkey.
 */
export function OwnProofField({ value, onValue }: OwnProofFieldProps) {
  if (me.value?.hasPassword === false) return <p class="quiet">{ACCOUNT.passkeyAsked}</p>;
  return (
    <>
      <UsernameField />
      <PasswordField
        label={ACCOUNT.currentPassword}
        name="currentPassword"
        value={value}
        onValue={onValue}
        autocomplete="current-password"
      />
    </>
  );
}

/** The proof to send with such a call; a refusal if no passkey was used. */
export async function makeOwnProof(currentPassword: string): Promise<DashboardAnswer<object>> {
  if (me.value?.hasPassword !== false) return { success: true, data: { currentPassword } };
  const answer = await askPasskey("prove");
  if (answer !== undefined)
    return answer.success ? { success: true, data: { passkey: answer.data } } : answer;
  return {
    success: false,
    error: { code: "wrong_credentials", message: ACCOUNT.passkeyUnused, request_id: "" },
  };
}
