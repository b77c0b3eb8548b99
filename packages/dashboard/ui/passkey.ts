import type { DashboardAnswer } from "@stile/protocol/dashboard-api";
import { send } from "../api.ts";

/**
 * Whether this browser can use passkeys here: they need https and a domain name, or localhost, but
 * no IP address.
 */
export function hasPasskeys(): boolean {
  const canRead = globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON !== undefined;
  return canRead && !/^[\d.]+$|:/.test(location.hostname);
}

/** The answer to the service: the ticket of its question, and the passkey's response. */
export type PasskeyAnswer = { readonly ticket: string; readonly response: object };

/**
 * Asks the service how to sign in or prove by a passkey, then the passkey; undefined if the person
 * or the browser cancelled it.
 */
export async function askPasskey(
  to: "sign-in" | "prove",
): Promise<DashboardAnswer<PasskeyAnswer> | undefined> {
  const begun = await send<{ options: unknown; ticket: string }>("POST", `${to}/passkey/options`);
  if (!begun.success) return begun;
  const { options, ticket } = begun.data;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  );
  const response = toJson(await navigator.credentials.get({ publicKey }).catch(() => null));
  return response && { success: true, data: { ticket, response } };
}

/**
 * Makes a new passkey with options as the service sent them; undefined if the person or the browser
 * cancelled it.
 */
export async function makePasskey(options: unknown): Promise<object | undefined> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  return toJson(await navigator.credentials.create({ publicKey }).catch(() => null));
}

function toJson(credential: Credential | null): object | undefined {
  return credential instanceof PublicKeyCredential ? credential.toJSON() : undefined;
}
