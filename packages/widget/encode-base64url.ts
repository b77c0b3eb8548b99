/** Bytes as base64url without padding, by the browser's own encoder: the shared one would take more room than that. */
export function encodeBase64url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
