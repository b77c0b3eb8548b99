/**
 * Bytes as base64url without padding, by the browser's own encoder: the shared one would be larger.
 * At most 65,535 bytes, the number of arguments that engines accept; signals have a quarter of
 * that.
 */
export function encodeBase64url(bytes: Uint8Array): string {
  const text = String.fromCharCode(...bytes);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
