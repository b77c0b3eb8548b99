/** Whether this browser can use passkeys here: they need https and a domain name, or localhost, but no IP address. */
export function hasPasskeys(): boolean {
  const canRead = globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON !== undefined;
  return canRead && !/^[\d.]+$|:/.test(location.hostname);
}

/**
 * Runs a sign-in or proof ceremony with options as the service sent them; returns what to send back, or undefined if
 * the person or the browser cancelled it.
 */
export async function usePasskey(options: unknown): Promise<object | undefined> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON);
  return toJson(await navigator.credentials.get({ publicKey }).catch(() => null));
}

/** Runs the ceremony that makes a new passkey; returns the same as `usePasskey`. */
export async function makePasskey(options: unknown): Promise<object | undefined> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON);
  return toJson(await navigator.credentials.create({ publicKey }).catch(() => null));
}

function toJson(credential: Credential | null): object | undefined {
  return credential instanceof PublicKeyCredential ? credential.toJSON() : undefined;
}
