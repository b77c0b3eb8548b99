import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { cookieFrom } from "../browser/ways-in.ts";
import type { ApiAnswer } from "../contract/call.ts";
import { callDashboard, PASSWORD } from "../contract/dashboard.ts";

/** Calls a private endpoint of the dashboard, as a member's page does. */
export type CallAsOwner = (
  baseUrl: string,
  path: string,
  body?: object,
  method?: "GET" | "POST" | "PATCH" | "DELETE",
) => Promise<ApiAnswer>;

/** The email and the password of owners. */
export const OWNER = { email: "owner@example.org", password: PASSWORD } as const;

/** Calls with this session's cookie; without one, as a client who is not signed in. */
export function callAs(cookie: string | undefined): CallAsOwner {
  return (baseUrl, path, body, method = body === undefined ? "GET" : "POST") =>
    callDashboard({ baseUrl }, { path, method, body, cookie });
}

/** Accepts a link as a new member; returns the Cookie header of the session that it began. */
export async function takeLink(baseUrl: string, url: string, email: string): Promise<string> {
  const token = new URL(url).hash.slice(1);
  const choice = { token, email, name: email, password: OWNER.password };
  const joined = await callAs(undefined)(baseUrl, "link/accept", choice);
  const cookie = cookieFrom(joined);
  if (cookie === undefined)
    throw new Error(`the link was refused: ${joined.status} ${JSON.stringify(joined.body)}`);
  return cookie;
}

/**
 * Becomes the owner through the link that the release's own command line prints; returns the Cookie
 * header.
 */
export async function becomeOwner(
  baseUrl: string,
  commandLine: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [...commandLine, "init", "--json"], {
    env: { ...process.env, ...settings },
  });
  return takeLink(baseUrl, (JSON.parse(stdout) as { setup_url: string }).setup_url, OWNER.email);
}
