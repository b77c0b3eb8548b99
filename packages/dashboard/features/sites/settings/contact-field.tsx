import { CONTACT_CHARACTERS } from "@stile/protocol/limits";
import { TextField } from "../../../ui/field.tsx";
import { SETTINGS } from "../text.ts";

type ContactFieldProps = { readonly value: string; readonly onValue: (contact: string) => void };

/** How blocked visitors can reach the owner (D13, formats); the service validates it. */
export function ContactField({ value, onValue }: ContactFieldProps) {
  return (
    <div class="fields">
      <TextField
        label={SETTINGS.contact}
        name="contact"
        value={value}
        onValue={onValue}
        help={SETTINGS.contactHelp}
        autocomplete="off"
        maxLength={CONTACT_CHARACTERS}
      />
    </div>
  );
}
