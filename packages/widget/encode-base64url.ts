/**
 * Bytes as base64url without padding, by the browser's own encoder: the shared one would take more room than that. At most
 * 65,535 of them, as many as an engine takes for arguments; signals have a quarter.
 */
export function encodeBase64url(bytes: Uint8Array): string {
  const text = String.fromCharCode(...bytes);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
