import { lookup } from "node:dns/promises";
import { type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { isLoopback } from "../../config/config.ts";

/** The most requests of one probe. */
const MOST_REQUESTS = 10;
/** In ms; longer than a server waits for the service. */
const PATIENCE_MS = 20_000;
const LONGEST_BODY = 1_048_576;

/** An answer; `location` and `cookies` are empty if it sets none. */
export type ProbeAnswer = {
  readonly status: number;
  readonly location: string;
  readonly cookies: readonly string[];
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
};

/** What to send; a GET without a body. */
export type Message = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** The server under test. */
export type Target = {
  readonly isLoopback: boolean;
  /** Asks this path of the server. Rejects if it does not answer, or after MOST_REQUESTS. */
  ask(path: string, message?: Message): Promise<ProbeAnswer>;
};

/** The probe finds nothing out. The message says why, and what to do. */
export class CannotTell extends Error {
  override readonly name = "CannotTell";
}

/**
 * The server of the address. Its name is resolved once, and every request connects to that address,
 * so a name that changes meanwhile leads nowhere else. Redirects are never followed.
 */
export async function findTarget(url: URL): Promise<Target> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const { address } = await lookup(host, { order: "ipv4first" }).catch((error: Error) => {
    throw new CannotTell(`${host} has no address (${error.message}). Check the name.`);
  });
  let asked = 0;
  return {
    isLoopback: isLoopback(address),
    ask: async (path, message = {}) => {
      asked += 1;
      if (asked > MOST_REQUESTS) throw new Error(`more than ${MOST_REQUESTS} requests`);
      const options: RequestOptions = {
        host: address,
        port: url.port || (url.protocol === "https:" ? 443 : 80),
        path,
        method: message.body === undefined ? "GET" : "POST",
        headers: { host: url.host, "user-agent": "stile-probe", ...message.headers },
        agent: false,
        timeout: PATIENCE_MS,
      };
      return await send(url.protocol, host, options, message.body);
    },
  };
}

function send(
  protocol: string,
  host: string,
  options: RequestOptions,
  body: string | undefined,
): Promise<ProbeAnswer> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void =>
      reject(new CannotTell(`${options.method} ${options.path} got no answer: ${reason}.`));
    // The certificate has to be that of the name.
    const asked =
      protocol === "https:"
        ? requestHttps({ ...options, servername: isIP(host) ? "" : host })
        : requestHttp(options);
    asked.once("response", async (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      try {
        for await (const chunk of response as AsyncIterable<Buffer>) {
          length += chunk.length;
          if (length > LONGEST_BODY) throw new Error("it is longer than 1 MiB");
          chunks.push(chunk);
        }
      } catch (error) {
        return fail((error as Error).message);
      }
      resolve({
        status: response.statusCode ?? 0,
        location: response.headers.location ?? "",
        cookies: response.headers["set-cookie"] ?? [],
        headers: response.headers,
        body: Buffer.concat(chunks).toString("utf8"),
      });
    });
    asked.once("timeout", () => asked.destroy(new Error(`nothing in ${PATIENCE_MS / 1000} s`)));
    asked.once("error", (error) => fail(error.message));
    asked.end(body);
  });
}
