import { type Config, isLoopback } from "./config.ts";

const ALL_ADDRESSES = ["0.0.0.0", "::"];

/**
 * The address at which an operator opens the dashboard, without a slash at the end. Without
 * STILE_BASE_URL it is this machine as localhost, because passkeys need a name, and browsers keep
 * the session cookie there without TLS.
 */
export function operatorAddress(
  { baseUrl, host }: Pick<Config, "baseUrl" | "host">,
  port: number,
): string {
  if (baseUrl !== undefined) return baseUrl;
  if (isLoopback(host) || ALL_ADDRESSES.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
