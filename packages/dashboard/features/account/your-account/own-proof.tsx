import type { DashboardAnswer } from "@stile/protocol/dashboard-api";
import { send } from "../../../api.ts";
import { usePasskey as askPasskey } from "../../../ui/passkey.ts";
import { me } from "../../../ui/session.ts";
import { UsernameField } from "../../../ui/username-field.tsx";
import { ACCOUNT } from "../text.ts";
import { PasswordField } from "./password-field.tsx";

type OwnProofFieldProps = { readonly value: string; readonly onValue: (value: string) => void };

/** The member's own password, for calls that ask for it each time; a member without one is asked for a passkey. */
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
  const begun = await send<{ options: unknown; ticket: string }>("POST", "prove/passkey/options");
  if (!begun.success) return begun;
  const response = await askPasskey(begun.data.options);
  if (response !== undefined) return { success: true, data: { passkey: { ticket: begun.data.ticket, response } } };
  return { success: false, error: { code: "wrong_credentials", message: ACCOUNT.passkeyUnused, request_id: "" } };
}
