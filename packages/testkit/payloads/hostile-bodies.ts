import type { Cryptography } from "@stile/core/ports/cryptography";
import { mintEasyChallenge } from "../minting/easy-challenges.ts";
import type { RandomBelow } from "../random-below.ts";
import { type HostileValues, mutateBytes, pick } from "./hostile-values.ts";

/**
 * The four endpoints, by the last part of their paths, and the calls of other vendors' libraries:
 * those for siteverify, and reCAPTCHA Enterprise's assessments.
 */
export type EndpointName =
  | "token/verify"
  | "score"
  | "verify"
  | "pow/challenge"
  | "siteverify"
  | "assessments";

/** One complete HTTP request. */
export type HostileCall = { readonly endpoint: EndpointName; readonly bytes: Buffer };

/** The sources of the calls. */
export type HostileSource = {
  readonly random: RandomBelow;
  readonly values: HostileValues;
  readonly cryptography: Cryptography;
  readonly siteKey: string;
  readonly secretKey: string;
  readonly tokens: readonly string[];
};

const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";

/** A JSON object as text, so that its values can be texts that are not valid JSON. */
function objectText(entries: readonly (readonly [string, string])[]): string {
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`;
}

function toBase64url(text: string): string {
  return Buffer.from(text).toString("base64url");
}

/** Replaces, repeats, adds and omits members, one to three times. */
function disturb(
  source: HostileSource,
  entries: readonly (readonly [string, string])[],
): [string, string][] {
  const { random, values } = source;
  const disturbed = entries.map(([key, value]): [string, string] => [key, value]);
  for (let times = 1 + random(3); times > 0 && disturbed.length > 0; times--) {
    const at = random(disturbed.length);
    const [key] = disturbed[at] as [string, string];
    const hostile: [string, string] = [key, pick(random, values.texts)];
    const kind = random(8);
    if (kind === 0) disturbed.splice(at, 1);
    else if (kind === 1) disturbed.push(hostile);
    else if (kind === 2)
      disturbed.push([
        pick(random, ["__proto__", "constructor", "toString", "", "\0", "a"]),
        hostile[1],
      ]);
    else disturbed[at] = hostile;
  }
  return disturbed;
}

function mutateText(source: HostileSource, text: string): string {
  return mutateBytes(source.random, Buffer.from(text)).toString("latin1");
}

/** A challenge with a correct solution over hostile signals, so that these are really scored. */
function solvedSignals(source: HostileSource) {
  const { random, values, cryptography, siteKey } = source;
  const environment =
    random(4) === 0 ? pick(random, values.texts) : pick(random, values.environments);
  const behaviour =
    random(4) === 0
      ? mutateText(source, pick(random, values.behaviours))
      : pick(random, values.behaviours);
  const visitor = { siteKey, userAgent: USER_AGENT, address: "127.0.0.1", nowMs: Date.now() };
  const challenge = mintEasyChallenge({
    ...visitor,
    cryptography,
    algorithm: random(8) === 0 ? 1 : 2,
  });
  return {
    challenge,
    environment: environment.slice(0, 15_000),
    behaviour: behaviour.slice(0, 15_000),
  };
}

function tokenVerifyEntries(source: HostileSource): (readonly [string, string])[] {
  const { random, tokens, siteKey } = source;
  const token = pick(random, tokens);
  return [
    ["token", JSON.stringify(random(3) === 0 ? mutateText(source, token) : token)],
    ["remoteip", '"198.51.100.7"'],
    ["user_agent", JSON.stringify(USER_AGENT)],
    ["site_key", JSON.stringify(siteKey)],
    ["idempotency_key", `"${"k".repeat(15 + random(51))}"`],
  ];
}

function siteverifyEntries(source: HostileSource): (readonly [string, string])[] {
  const [token = ["", ""], address = ["", ""], , siteKey = ["", ""], key = ["", ""]] =
    tokenVerifyEntries(source);
  return [
    ["secret", JSON.stringify(source.secretKey)],
    ["response", token[1]],
    ["remoteip", address[1]],
    ["sitekey", siteKey[1]],
    ["idempotency_key", key[1]],
  ];
}

function assessmentEntries(source: HostileSource): (readonly [string, string])[] {
  const { random, values } = source;
  const [, token = ["", ""], address = ["", ""]] = siteverifyEntries(source);
  const event = [
    ["token", token[1]],
    ["userIpAddress", address[1]],
  ] as const;
  return [["event", random(4) === 0 ? pick(random, values.texts) : objectText(event)]];
}

function scoreEntries(source: HostileSource): (readonly [string, string])[] {
  const { random, values, tokens } = source;
  const { challenge, environment, behaviour } = solvedSignals(source);
  const envelope = [challenge.text, toBase64url(environment), toBase64url(behaviour)].join(".");
  const names = [
    "user-agent",
    "accept",
    "accept-language",
    "sec-ch-ua",
    "sec-ch-ua-platform",
    "sec-fetch-mode",
    "x",
  ];
  const headers = names.map((name) => [name, JSON.stringify(pick(random, values.texts))] as const);
  return [
    ["signals", JSON.stringify(random(4) === 0 ? mutateText(source, envelope) : envelope)],
    ["ip", '"2001:db8::1"'],
    ["user_agent", JSON.stringify(pick(random, values.texts))],
    ["headers", objectText(random(2) === 0 ? headers : disturb(source, headers))],
    ["url", '"https://example.org/login?x=1"'],
    ["action", '"login"'],
    ["token", JSON.stringify(pick(random, tokens))],
  ];
}

function verifyEntries(source: HostileSource): (readonly [string, string])[] {
  const { random, siteKey } = source;
  const { challenge, environment, behaviour } = solvedSignals(source);
  const solution = challenge.solve(Buffer.from(environment));
  const signals = objectText([
    ["environment", JSON.stringify(toBase64url(environment))],
    ["behaviour", JSON.stringify(toBase64url(behaviour))],
  ]);
  const isDamaged = random(8) === 0;
  return [
    ["site_key", JSON.stringify(siteKey)],
    ["challenge", JSON.stringify(isDamaged ? mutateText(source, challenge.text) : challenge.text)],
    ["solution", JSON.stringify(isDamaged ? mutateText(source, solution) : solution)],
    ["signals", signals],
    ["cdata", '"order-7"'],
  ];
}

const ENTRIES = {
  "token/verify": tokenVerifyEntries,
  score: scoreEntries,
  verify: verifyEntries,
  siteverify: siteverifyEntries,
  assessments: assessmentEntries,
} as const;

const VENDOR_PATHS = [
  "/recaptcha/api/siteverify",
  "/siteverify",
  "/turnstile/v0/siteverify",
  "/api/v2/captcha/siteverify",
] as const;

/** A call of a vendor's library: JSON, a form, multipart, a query, or a type that is not its own. */
function vendorCall(source: HostileSource, cached: Map<string, string>): Buffer {
  const { random, values, secretKey } = source;
  const path = pick(random, VENDOR_PATHS);
  const headers = [`X-API-Key: ${secretKey}`];
  const json = bodyFor(source, "siteverify", cached);
  const kind = random(5);
  if (kind === 0)
    return request(`POST ${path} HTTP/1.1`, [...headers, "Content-Type: application/json"], json);
  const entries = siteverifyEntries(source).map(([name, text]): [string, string] => [
    name,
    random(6) === 0 ? pick(random, values.texts).slice(0, 900).toWellFormed() : JSON.parse(text),
  ]);
  const form = new URLSearchParams(entries).toString();
  const text = random(3) === 0 ? mutateText(source, form) : form;
  if (kind === 1) {
    const query = text.replace(/[^!-~]/g, "%");
    return request(`GET ${VENDOR_PATHS[0]}?${query} HTTP/1.1`, headers, Buffer.alloc(0));
  }
  const parts = entries.map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const multipart = `${parts.join("")}--b--\r\n`;
  const [type, body] = pick(random, [
    ["application/x-www-form-urlencoded", text],
    ["multipart/form-data; boundary=b", multipart],
    ["multipart/form-data; boundary=b", mutateText(source, multipart)],
    [`multipart/form-data; boundary=${pick(random, ["", '"', "x".repeat(200), "-"])}`, multipart],
    ["application/x-www-form-urlencoded", multipart],
  ] as const);
  return request(
    `POST ${path} HTTP/1.1`,
    [...headers, `Content-Type: ${type}`],
    Buffer.from(body, "latin1"),
  );
}

/** Bodies of various kinds: intact, with disturbed members, with mutated bytes, or any JSON. */
function bodyFor(
  source: HostileSource,
  endpoint: keyof typeof ENTRIES,
  cached: Map<string, string>,
): Buffer {
  const { random, values } = source;
  const kind = random(10);
  if (kind === 0) return Buffer.from(pick(random, values.texts));
  // Byte mutations do not need a challenge of their own, which costs more than everything else.
  const known = kind < 6 ? cached.get(endpoint) : undefined;
  if (known !== undefined) {
    let mutated = mutateBytes(random, Buffer.from(known));
    while (random(3) === 0) mutated = mutateBytes(random, mutated);
    return mutated;
  }
  const entries = ENTRIES[endpoint](source);
  cached.set(endpoint, objectText(entries));
  return Buffer.from(objectText(kind < 9 ? disturb(source, entries) : entries));
}

function queryFor(source: HostileSource): string {
  const { random, values, siteKey } = source;
  const hostile = encodeURIComponent(pick(random, values.texts).slice(0, 900).toWellFormed());
  switch (random(6)) {
    case 0:
      return `site_key=${siteKey}&action=${hostile}`;
    case 1:
      return `site_key=${hostile}&action=login`;
    case 2:
      return `${hostile}=1&site_key=${siteKey}&site_key=${hostile}`;
    case 3:
      return `site_key=${siteKey}&__proto__=${hostile}&constructor=1`;
    case 4:
      return mutateText(source, `site_key=${siteKey}&action=%00%ff%`).replace(/[^!-~]/g, "%");
    default:
      return `site_key=${siteKey}&action=login`;
  }
}

function request(startLine: string, headers: readonly string[], body: Buffer): Buffer {
  const head = [
    startLine,
    "Host: localhost",
    `User-Agent: ${USER_AGENT}`,
    ...headers,
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body]);
}

const ENDPOINTS = [
  "token/verify",
  "score",
  "verify",
  "pow/challenge",
  "siteverify",
  "assessments",
] as const satisfies readonly EndpointName[];

/**
 * Endless hostile calls to all endpoints, the same for the same seed except for keys, times
 * and tokens.
 */
export function* hostileCalls(source: HostileSource): Generator<HostileCall, never> {
  const { random, values } = source;
  const cached = new Map<string, string>();
  for (;;) {
    const endpoint = pick(random, ENDPOINTS);
    if (endpoint === "siteverify") {
      yield { endpoint, bytes: vendorCall(source, cached) };
      continue;
    }
    const secret =
      random(100) === 0 ? pick(random, values.texts).replace(/[^!-~]/g, "") : source.secretKey;
    const isWidget = endpoint === "verify" || endpoint === "pow/challenge";
    const origin = random(50) === 0 ? "Origin: null" : "Origin: http://localhost";
    const headers = [isWidget ? origin : `Authorization: Bearer ${secret.slice(0, 2000)}`];
    if (endpoint === "pow/challenge") {
      yield {
        endpoint,
        bytes: request(
          `GET /api/v1/${endpoint}?${queryFor(source)} HTTP/1.1`,
          headers,
          Buffer.alloc(0),
        ),
      };
    } else {
      headers.push("Content-Type: application/json");
      const folder = endpoint === "assessments" ? "/v1/projects/p" : "/api/v1";
      yield {
        endpoint,
        bytes: request(
          `POST ${folder}/${endpoint} HTTP/1.1`,
          headers,
          bodyFor(source, endpoint, cached),
        ),
      };
    }
  }
}
