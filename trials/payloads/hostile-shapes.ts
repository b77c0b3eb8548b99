import { randomBytes } from "node:crypto";
import { createSecretKey } from "@stile/core/domain/site/create-keys";

/**
 * A request that is refused without a credential, or served to everybody, in a shape designed to be
 * expensive.
 */
export type HostileShape = {
  /** Method and path of the route, which identifies it in tables. */
  readonly route: string;
  /**
   * The hostile property; SMALL for the request with which the others of its route are compared.
   */
  readonly name: string;
  /** The complete request, from a client at that address. */
  readonly requestOf: (client: string) => Buffer;
  /**
   * Whether to compare it with as many small requests as have its bytes, since the parser sees
   * every byte before anything can refuse it.
   */
  readonly isByBytes?: boolean;
};

/** The name of a route's harmless request. */
export const SMALL = "small";
/** The name of the shape that fills packets with the smallest possible chunks. */
const CHUNKS = "4,000 chunks of one byte";
/** The name of the same request when it asks for its connection to be closed. */
export const CLOSING = "small, closing";

type Target = { readonly siteKey: string };
type Parts = {
  readonly path?: string;
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
  /** Sends the body in chunks of that many bytes, without announcing its size. */
  readonly chunkBytes?: number;
};

const KIB = 1024;
const ORIGIN = "http://localhost";

/** `size` characters or a few less: a list of the results of `itemOf`, between the brackets. */
function fill(
  size: number,
  [open, close]: readonly [string, string],
  itemOf: (index: number) => string,
): string {
  const items: string[] = [];
  for (let length = open.length + close.length, index = 0; ; index++) {
    const item = itemOf(index);
    length += item.length + 1;
    if (length > size) return open + items.join(",") + close;
    items.push(item);
  }
}

/** JSON of that size, or almost JSON; each is expensive for another part of a reader. */
function hostileBodies(size: number): readonly (readonly [name: string, body: string | Buffer])[] {
  const text = (open: string, part: string, close: string): string =>
    open + part.repeat(Math.floor((size - open.length - close.length) / part.length)) + close;
  const keys = (index: number): string => `"${index.toString(36)}":1`;
  return [
    ["short keys", fill(size, ["{", "}"], keys)],
    ["short keys, cut off", fill(size, ["{", ""], keys)],
    [
      "keys in escapes",
      fill(size, ["{", "}"], (index) => `"\\u00${(16 + (index % 240)).toString(16)}${index}":1`),
    ],
    ["headers of short keys", fill(size, ['{"headers":{', "}}"], keys)],
    ["signals of short keys", fill(size, ['{"signals":{', "}}"], keys)],
    ["empty objects", fill(size, ['{"a":[', "]}"], () => "{}")],
    ["objects of one key", fill(size, ['{"a":[', "]}"], () => '{"a":1}')],
    ["empty texts", fill(size, ['{"a":[', "]}"], () => '""')],
    ["numbers", fill(size, ['{"a":[', "]}"], () => "0")],
    ["one number", text('{"a":0.', "7", "}")],
    ["one text of quotes", text('{"a":"', '\\"', '"}')],
    ["one text of escapes", text('{"a":"', "\\u00e9", '"}')],
    ["open strings", text("{", '"a"', "")],
    ["open brackets", text('{"a":', "[", "")],
    ["white space", text("{", " ", "}")],
    ["white space behind a key", text('{"a"', " ", ":1}")],
    ["bytes that are no UTF-8", Buffer.from(text('{"a":"', "\xff", '"}'), "latin1")],
    ["many bytes of UTF-8", Buffer.from(text('{"a":"', "é", '"}').slice(0, size / 2 + 2))],
  ];
}

function inChunks(body: Buffer, chunkBytes: number): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; at += chunkBytes) {
    const chunk = body.subarray(at, at + chunkBytes);
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n"));
  }
  return Buffer.concat([...chunks, Buffer.from("0\r\n\r\n")]);
}

function toRequest(
  method: string,
  { path, headers = [], body, chunkBytes }: Parts,
  client: string,
): Buffer {
  const bytes = Buffer.from(body ?? "");
  const framing =
    chunkBytes === undefined ? `Content-Length: ${bytes.length}` : "Transfer-Encoding: chunked";
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    `X-Forwarded-For: ${client}`,
    ...headers,
  ];
  if (body !== undefined) lines.push(framing);
  const payload = chunkBytes === undefined ? bytes : inChunks(bytes, chunkBytes);
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), payload]);
}

/** A header as long as the service accepts. */
const long = (name: string, part: string): string =>
  `${name}: ${part.repeat(Math.floor((6 * KIB) / part.length))}`;

/** Headers that are expensive to parse. */
const HOSTILE_HEADERS: readonly (readonly [name: string, headers: readonly string[]])[] = [
  ["60 headers", Array.from({ length: 56 }, (_, index) => `Accept-${index}: ${"x".repeat(90)}`)],
  ["a long Cookie", [long("Cookie", "a=b;")]],
  ["a Cookie of our own name", [long("Cookie", "__Host-stile=;")]],
  ["a long User-Agent", [long("User-Agent", "Chrome/1.1 (")]],
  ["a long Accept-Language", [long("Accept-Language", "en;q=0.1,")]],
  ["long client hints", [long("Sec-CH-UA", '"a";v="1",')]],
  ["a long Accept-Encoding", [long("Accept-Encoding", "gzi,")]],
  ["an Accept-Encoding of commas", [long("Accept-Encoding", ",")]],
  ["a long If-None-Match", [long("If-None-Match", '"a",')]],
  ["a long Content-Type", [long("Content-Type", "application/json ")]],
  ["a long Referer", [long("Referer", "http://a.b/")]],
  // Placed after the client's own entry: the part before the proxy's entry is up to the client.
  ["a long X-Forwarded-For", [long("X-Forwarded-For", "203.0.113.7,")]],
];

const HOSTILE_ORIGINS = [
  ["a long Origin", [long("Origin", "http://a.")]],
  ["an Origin of labels", [`Origin: http://${"a.".repeat(3000)}b`]],
] as const;

function wrongSecrets(): readonly (readonly [name: string, header: string])[] {
  return [
    ["a wrong secret", "Authorization: Bearer sk_wrong"],
    ["a long wrong secret", long("Authorization: Bearer", "x")],
    [
      "a wrong secret of the right form",
      `Authorization: Bearer ${createSecretKey((size) => randomBytes(size))}`,
    ],
    ["a secret of spaces", `${long("Authorization: Bearer", " ")}x y`],
  ];
}

/** Shapes of a route that accepts a JSON body of at most `limit` bytes. */
function bodyShapes(
  route: string,
  limit: number,
  standing: readonly string[] = [],
): HostileShape[] {
  const [method = "", path = ""] = route.split(" ");
  const json = ["Content-Type: application/json", ...standing];
  const shape = (name: string, parts: Parts): HostileShape => ({
    route,
    name,
    requestOf: (client) => toRequest(method, { path, ...parts }, client),
  });
  const own = (lines: readonly string[]) => {
    const names = new Set(lines.map((line) => line.slice(0, line.indexOf(":")).toLowerCase()));
    return [
      ...json.filter((line) => !names.has(line.slice(0, line.indexOf(":")).toLowerCase())),
      ...lines,
    ];
  };
  const keys = fill(limit, ["{", "}"], (index) => `"${index.toString(36)}":1`);
  return [
    shape(SMALL, { headers: json, body: "{}" }),
    shape(CLOSING, { headers: [...json, "Connection: close"], body: "{}" }),
    ...hostileBodies(limit).map(([name, body]) => shape(name, { headers: json, body })),
    ...HOSTILE_HEADERS.map(([name, headers]) => shape(name, { headers: own(headers), body: "{}" })),
    ...HOSTILE_ORIGINS.map(([name, headers]) => shape(name, { headers: own(headers), body: "{}" })),
    shape("short keys in chunks of 4 KiB", { headers: json, body: keys, chunkBytes: 4 * KIB }),
    shape("short keys in chunks of 1 KiB", { headers: json, body: keys, chunkBytes: KIB }),
    shape("24 chunks of one byte", { headers: json, body: " ".repeat(24), chunkBytes: 1 }),
    { ...shape(CHUNKS, { headers: json, body: " ".repeat(4000), chunkBytes: 1 }), isByBytes: true },
    shape("a body over the limit", { headers: json, body: " ".repeat(limit + 1) }),
    shape("a body of 1 MiB", { headers: json, body: " ".repeat(1024 * KIB) }),
    shape("a form", {
      headers: own(["Content-Type: application/x-www-form-urlencoded"]),
      body: "a=b&".repeat(limit / 4),
    }),
    shape("another path below", { path: `${path}${"/a".repeat(3000)}`, headers: json, body: "{}" }),
    shape("a long query", { path: `${path}?${"a&".repeat(3000)}`, headers: json, body: "{}" }),
  ];
}

function secretShapes(route: string, limit: number): HostileShape[] {
  const [method = "", path = ""] = route.split(" ");
  const keys = fill(limit, ["{", "}"], (index) => `"${index.toString(36)}":1`);
  return wrongSecrets().flatMap(([name, header]) =>
    [["", "{}"] as const, [" and short keys", keys] as const].map(([more, body]) => {
      const headers = ["Content-Type: application/json", header];
      return {
        route,
        name: name + more,
        requestOf: (client: string) => toRequest(method, { path, headers, body }, client),
      };
    }),
  );
}

function getShapes(
  route: string,
  paths: readonly (readonly [name: string, path: string])[],
): HostileShape[] {
  const [, path = ""] = route.split(" ");
  const shape = (name: string, parts: Parts): HostileShape => ({
    route,
    name,
    requestOf: (client) => toRequest("GET", { path, ...parts }, client),
  });
  return [
    shape(SMALL, {}),
    shape(CLOSING, { headers: ["Connection: close"] }),
    ...[...HOSTILE_HEADERS, ...HOSTILE_ORIGINS].map(([name, headers]) => shape(name, { headers })),
    ...paths.map(([name, hostile]) => shape(name, { path: hostile })),
  ];
}

/** Addresses below a path that are expensive to split or decode. */
function hostilePaths(path: string): (readonly [name: string, path: string])[] {
  return [
    ["a path of slashes", `${path}${"/".repeat(6000)}`],
    ["a path of names", `${path}${"/a".repeat(3000)}`],
    ["a path of bad escapes", `${path}/${"%ff/".repeat(1500)}`],
    ["a path of good escapes", `${path}/${"%41%2f".repeat(1000)}`],
    [
      "a query of short names",
      `${path}?${fill(6000, ["", ""], (index) => index.toString(36)).replaceAll(",", "&")}`,
    ],
    ["a query of one name", `${path}?${"a&".repeat(3000)}`],
    ["a query of bad escapes", `${path}?a=${"%ff".repeat(2000)}`],
    ["a query of names of bad escapes", `${path}?${"%E0%A4&".repeat(850)}`],
  ];
}

/** Forms of that size, by the field that the route reads as a token. */
function formShapes(route: string, token: string, size: number): HostileShape[] {
  const [method = "", path = ""] = route.split(" ");
  const form = "Content-Type: application/x-www-form-urlencoded";
  const parts = "Content-Type: multipart/form-data; boundary=b";
  const part = (name: string | number) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n\r\n`;
  const few = Array.from({ length: 31 }, (_, at) => part(at)).join("");
  const shape = (name: string, header: string, [open, item, close]: readonly string[]) => {
    const count = Math.floor((size - `${open}${close}`.length) / `${item}`.length);
    const body = `${open}${item?.repeat(count)}${close}`;
    return {
      route,
      name,
      requestOf: (client: string) => toRequest(method, { path, headers: [header], body }, client),
    };
  };
  return [
    shape("names", form, ["", "a&", ""]),
    shape("names of bad escapes", form, ["", "%E0%A4&", ""]),
    shape("a token of bad escapes", form, [`${token}=`, "%ff", ""]),
    shape("parts", parts, ["", part(""), "--b--\r\n"]),
    shape("a few parts", parts, [few, "x", "\r\n--b--\r\n"]),
    shape("a part of headers", parts, ["--b\r\n", "a:\r\n", `\r\n${part("a")}--b--\r\n`]),
    shape("a part of almost boundaries", parts, [part("a"), "\r\n-", ""]),
    shape("parts of no boundary", "Content-Type: multipart/form-data", ["", part(""), ""]),
    shape("open brackets", "Content-Type: application/json", ["", "[", ""]),
  ];
}

/** All that a vendor's path takes: JSON, forms, multipart, and a secret key in the body. */
function vendorShapes(route: string, limit: number): HostileShape[] {
  const [method = "", path = ""] = route.split(" ");
  const secret = createSecretKey((size) => randomBytes(size));
  const headers = ["Content-Type: application/json"];
  const body = `{"secret":"${secret}","response":"${"A".repeat(limit - 200)}"}`;
  return [
    ...bodyShapes(route, limit),
    ...secretShapes(route, limit),
    ...formShapes(route, "response", limit),
    {
      route,
      name: "a wrong secret in the body",
      requestOf: (client) => toRequest(method, { path, headers, body }, client),
    },
  ];
}

/** A submission whose texts are as long as allowed, with a challenge that nobody signed. */
function longSubmission({ siteKey }: Target, behaviour = "A".repeat(21_840)): string {
  const challenge = "A".repeat(132);
  const signals = { environment: "A".repeat(21_840), behaviour };
  return JSON.stringify({
    site_key: siteKey,
    challenge,
    solution: "A".repeat(2048),
    signals,
    cdata: "x".repeat(255),
  });
}

/** Every shape by route. */
export function hostileShapes(target: Target): readonly HostileShape[] {
  const { siteKey } = target;
  const page = [`Origin: ${ORIGIN}`];
  const submission = (name: string, key: string): HostileShape => ({
    route: "POST /api/v1/verify",
    name,
    requestOf: (client) => {
      const headers = ["Content-Type: application/json", ...page];
      return toRequest(
        "POST",
        { path: "/api/v1/verify", headers, body: longSubmission({ siteKey: key }) },
        client,
      );
    },
  });
  const draw = `/api/v1/pow/challenge?site_key=${siteKey}`;
  return [
    ...bodyShapes("POST /api/v1/token/verify", 16 * KIB),
    ...secretShapes("POST /api/v1/token/verify", 16 * KIB),
    ...bodyShapes("POST /api/v1/score", 64 * KIB),
    ...secretShapes("POST /api/v1/score", 64 * KIB),
    ...bodyShapes("POST /api/v1/verify", 64 * KIB, page),
    submission("a forged challenge with long signals", siteKey),
    submission("an unknown site with long signals", `pk_${"A".repeat(22)}`),
    ...getShapes("GET /api/v1/pow/challenge", [
      ...hostilePaths("/api/v1/pow/challenge"),
      ["a long site key", `/api/v1/pow/challenge?site_key=${"x".repeat(6000)}`],
      ["a long action", `${draw}&action=${"x".repeat(6000)}`],
      ["an unknown site", `/api/v1/pow/challenge?site_key=pk_${"A".repeat(22)}`],
    ]),
    ...bodyShapes("POST /dashboard/api/link", 16 * KIB, page),
    ...bodyShapes("POST /dashboard/api/sites", 16 * KIB, page),
    ...getShapes("GET /dashboard/api/sites", hostilePaths("/dashboard/api/sites")),
    ...getShapes("GET /nothing", hostilePaths("/nothing")),
    ...getShapes("GET /dashboard", hostilePaths("/dashboard")),
    ...getShapes("GET /healthz", hostilePaths("/healthz")),
    ...getShapes("GET /stile.js", hostilePaths("/stile.js")),
    ...getShapes("GET /playground", hostilePaths("/playground")),
    {
      route: "POST /demo/submit",
      name: SMALL,
      requestOf: (client) => {
        const headers = ["Content-Type: application/x-www-form-urlencoded"];
        return toRequest(
          "POST",
          { path: "/demo/submit", headers, body: "stile-response=x" },
          client,
        );
      },
    },
    ...formShapes("POST /demo/submit", "stile-response", 16 * KIB),
    ...vendorShapes("POST /siteverify", 6 * KIB),
    ...vendorShapes("POST /api/v2/captcha/siteverify", 16 * KIB),
    ...vendorShapes("POST /v1/projects/p/assessments", 16 * KIB),
    ...getShapes("GET /recaptcha/api/siteverify", hostilePaths("/recaptcha/api/siteverify")),
  ];
}
