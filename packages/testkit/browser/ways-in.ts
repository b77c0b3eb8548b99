import { createHmac } from "node:crypto";
import { type ApiAnswer, callApi } from "../contract/call.ts";
import type { ServiceFixture } from "../contract/service-fixtures.ts";
import { withWork } from "../minting/puzzle-solving.ts";
import { type InProcessService, startInProcess } from "../service/in-process-service.ts";

/** The caller of a private endpoint: the address, and the session. */
export type SignInCaller = {
  readonly from: string;
  readonly cookie?: string | undefined;
  readonly method?: string;
};

/** A service whose clock the test sets, behind a proxy that names the caller's address. */
export type WayIn = {
  readonly service: InProcessService;
  readonly fixture: ServiceFixture;
  /** Before a sign-in, does its work first, as the page does. */
  readonly call: (
    path: string,
    body: object | undefined,
    caller: SignInCaller,
  ) => Promise<ApiAnswer>;
  readonly advance: (ms: number) => void;
};

/** Starts it without any member: the set-up link is unused. */
export async function openWayIn(): Promise<WayIn> {
  const service = await startInProcess();
  const { baseUrl } = service;
  const { sitePorts: ports, store } = service.service;
  const call: WayIn["call"] = async (
    path,
    body,
    { from, cookie, method = body === undefined ? "GET" : "POST" },
  ) => {
    const headers = {
      origin: baseUrl,
      "x-forwarded-for": from,
      ...(cookie !== undefined && { cookie }),
    };
    const send = (path: string, body: object | undefined) =>
      callApi(baseUrl, { method, path: `/dashboard/api/${path}`, headers, body });
    return send(path, await withWork(path, body, send));
  };
  return {
    service,
    call,
    fixture: {
      name: "ways in",
      baseUrl,
      ports,
      store,
      databaseFile: undefined,
      stop: service.dispose,
    },
    advance: (ms) => {
      service.nowMs += ms;
    },
  };
}

function cookieAt({ headers }: ApiAnswer, at: number): string | undefined {
  const lines: unknown = headers["set-cookie"];
  return Array.isArray(lines) ? String(lines[at]).split(";")[0] : undefined;
}

/** The Cookie header of the session that an answer began; undefined if it began none. */
export function cookieFrom(answer: ApiAnswer): string | undefined {
  return cookieAt(answer, 0);
}

/** The Cookie header by which the service recognises a browser after such an answer. */
export function deviceFrom(answer: ApiAnswer): string | undefined {
  return cookieAt(answer, 1);
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The bytes of a text in base32 (RFC 4648, 6). */
export function decodeBase32(text: string): Buffer {
  let bits = "";
  for (const character of text) bits += BASE32.indexOf(character).toString(2).padStart(5, "0");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/**
 * The code that an authenticator app shows at that moment (RFC 6238), computed independently of the
 * service's own library.
 */
export function totpCode(secret: Uint8Array, nowMs: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / 30_000)));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const at = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
