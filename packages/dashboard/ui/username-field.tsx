import { me } from "./session.ts";

/**
 * The member's email next to their password, invisible: password managers store and fill in by it.
 * They overlook inputs of the type `hidden`.
 */
export function UsernameField() {
  return (
    <input
      hidden
      readOnly
      name="username"
      autocomplete="username"
      value={me.value?.user.email ?? ""}
    />
  );
}
