import { readFileSync } from "node:fs";
import { request } from "node:http";
import { type SignInSolution, solvePuzzle } from "@stile/dashboard/solve-puzzle";
import type { SignInPuzzleData } from "@stile/protocol/dashboard-api";
import { runStile } from "@stile/testkit/service/run-command";
import { type RunningService, startService } from "@stile/testkit/service/service";

/** The password of the owner under attack. */
export const PASSWORD = "pale otters count nine lanterns";
/** The email of the owner under attack. */
export const OWNER = "owner@example.org";

/** The answer to a call. */
export type CallAnswer = {
  readonly status: number;
  readonly cookies: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
};

/** The caller's address and cookies. */
export type From = { readonly address: string; readonly cookie?: string | undefined };

/** A service with an owner, behind a proxy that reports the caller's address. */
export type DashboardTarget = {
  readonly service: RunningService;
  /** Calls a private endpoint; without a body it reads. */
  readonly call: (path: string, from: From, body?: object) => Promise<CallAnswer>;
  /** Signs in after doing the required work, if any, as the page does. */
  readonly signIn: (from: From, claim: { email: string; password: string }) => Promise<CallAnswer>;
  /** The Cookie header of the browser in which the owner signed in, and its address. */
  readonly owner: From;
};

/** CPU time of a process in seconds, all its threads together. */
export function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function callOnce(baseUrl: string, path: string, from: From, body?: object): Promise<CallAnswer> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = {
    origin: baseUrl,
    "sec-fetch-site": "same-origin",
    "x-forwarded-for": from.address,
    ...(body !== undefined && {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
    }),
    ...(from.cookie !== undefined && { cookie: from.cookie }),
  };
  const method = body === undefined ? "GET" : "POST";
  return new Promise((resolve, reject) => {
    request(new URL(`/dashboard/api/${path}`, baseUrl), { method, headers }, (response) => {
      let received = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        received += part;
      });
      response.on("error", reject);
      response.on("end", () => {
        const cookies = (response.headers["set-cookie"] ?? []).map(
          (line) => line.split(";")[0] ?? "",
        );
        const { data = {} } = JSON.parse(received) as { data?: CallAnswer["data"] };
        resolve({ status: response.statusCode ?? 0, cookies, data });
      });
    })
      .on("error", reject)
      .end(text);
  });
}

/** Starts it, without a log, and signs an owner in. */
export async function startDashboardTarget(): Promise<DashboardTarget> {
  const service = await startService({
    STILE_TRUSTED_PROXIES: "127.0.0.1",
    STILE_LOG_LEVEL: "silent",
  });
  const call: DashboardTarget["call"] = (path, from, body) =>
    callOnce(service.baseUrl, path, from, body);
  const work = async (from: From): Promise<SignInSolution | undefined> => {
    const asked = await call("sign-in/puzzle", from, {});
    if (asked.status !== 200) return undefined;
    return solvePuzzle(asked.data as SignInPuzzleData, new AbortController().signal);
  };
  const { stdout } = await runStile(["init", "--json"], { STILE_DATA_DIR: service.dataDirectory });
  const token = new URL((JSON.parse(stdout) as { setup_url: string }).setup_url).hash.slice(1);
  const address = "192.0.2.7";
  const joined = await call(
    "link/accept",
    { address },
    { token, email: OWNER, name: "Owner", password: PASSWORD },
  );
  if (joined.status !== 200) throw new Error(`the owner did not sign in: ${joined.status}`);
  return {
    service,
    call,
    owner: { address, cookie: joined.cookies.join("; ") },
    signIn: async (from, claim) => call("sign-in", from, { ...claim, puzzle: await work(from) }),
  };
}
