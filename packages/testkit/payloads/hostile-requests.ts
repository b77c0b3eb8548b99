/** Bytes that a client must not send, and the service's allowed answers. */
export type HostileRequest = {
  readonly name: string;
  readonly bytes: string;
  /**
   * Allowed statuses, one set per expected answer; if empty, the connection is closed without an
   * answer.
   */
  readonly statuses: readonly (readonly number[])[];
  /**
   * Whether the service must close the connection because it cannot know where the next request
   * begins.
   */
  readonly mustClose: boolean;
  /** Whether the client closes its sending half after the request. */
  readonly isHalfClosed?: boolean;
};

/** Included in every request that has room for it; no answer may contain it. */
export const ECHO_CANARY = "c4n4ry-5f1e";

const HOST = "Host: localhost";
const JSON_TYPE = "Content-Type: application/json";
const PATH = "/api/v1/token/verify";

function requestOf(startLine: string, headers: readonly string[], body = ""): string {
  return [startLine, ...headers, `X-Note: ${ECHO_CANARY}`, "", body].join("\r\n");
}

const times = (count: number, text: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => text(i));

/**
 * Requests whose end is ambiguous or malformed: a proxy in front could see another request than the
 * service (RFC 9112, 11.2). Each carries `token` where a redemption could be smuggled, and must not
 * spend it.
 */
export function ambiguousRequests(secretKey: string, token: string): readonly HostileRequest[] {
  const bearer = `Authorization: Bearer ${secretKey}`;
  const body = JSON.stringify({ token });
  const length = `Content-Length: ${body.length}`;
  const chunked = "Transfer-Encoding: chunked";
  const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const post = (name: string, headers: readonly string[], sent = body): HostileRequest => ({
    name,
    bytes: requestOf(`POST ${PATH} HTTP/1.1`, headers, sent),
    statuses: [[400]],
    mustClose: true,
  });
  const base = [HOST, bearer, JSON_TYPE];
  return [
    post("Content-Length and Transfer-Encoding", [...base, length, chunked], chunks),
    post("Transfer-Encoding and Content-Length", [...base, chunked, "Content-Length: 4"], chunks),
    post("two equal Content-Length", [...base, length, length]),
    post("two different Content-Length", [...base, length, "Content-Length: 0"]),
    post("a list in Content-Length", [...base, `Content-Length: ${body.length}, ${body.length}`]),
    post("negative Content-Length", [...base, "Content-Length: -1"]),
    post("signed Content-Length", [...base, `Content-Length: +${body.length}`]),
    post("hexadecimal Content-Length", [...base, "Content-Length: 0x10"]),
    post("Content-Length beyond 64 bit", [...base, "Content-Length: 99999999999999999999999"]),
    post("empty Content-Length", [...base, "Content-Length:"]),
    post("space before the colon", [...base, `Content-Length : ${body.length}`]),
    post("Transfer-Encoding in two headers", [...base, chunked, chunked], chunks),
    post("chunked not last", [...base, "Transfer-Encoding: chunked, identity"], chunks),
    post("unknown Transfer-Encoding", [...base, "Transfer-Encoding: xchunked"], chunks),
    post("chunk size that is no number", [...base, chunked], `zz\r\n${body}\r\n0\r\n\r\n`),
    post(
      "chunk size beyond 64 bit",
      [...base, chunked],
      `FFFFFFFFFFFFFFFFF\r\n${body}\r\n0\r\n\r\n`,
    ),
    post("negative chunk size", [...base, chunked], `-5\r\n${body}\r\n0\r\n\r\n`),
    post("chunk longer than its size", [...base, chunked], `5\r\n${body}\r\n0\r\n\r\n`),
    post("bare line feeds in chunks", [...base, chunked], chunks.replaceAll("\r\n", "\n")),
    post("two Host", [HOST, "Host: evil.example", bearer, JSON_TYPE, length]),
    post("two equal Host", [HOST, HOST, bearer, JSON_TYPE, length]),
    post("no Host", [bearer, JSON_TYPE, length]),
    post("two Authorization", [...base, "Authorization: Bearer x", length]),
    post("two Content-Type", [...base, "Content-Type: text/plain", length]),
    post("two Content-Encoding", [
      ...base,
      "Content-Encoding: identity",
      "Content-Encoding: gzip",
      length,
    ]),
    post("two Origin", [
      ...base,
      "Origin: http://localhost",
      "Origin: http://evil.example",
      length,
    ]),
    post("a folded header", [...base, "X-Folded: one", ` ${ECHO_CANARY}`, length]),
    post("a folded first header", [` ${ECHO_CANARY}`, ...base, length]),
    post("a header without a colon", [...base, ECHO_CANARY, length]),
    post("a header without a name", [...base, `: ${ECHO_CANARY}`, length]),
    post("NUL in a header", [...base, `X-Nul: \0${ECHO_CANARY}`, length]),
    post("a carriage return in a header", [...base, `X-Cr: a\rb${ECHO_CANARY}`, length]),
    post("non-ASCII header name", [...base, `X-\xe9: ${ECHO_CANARY}`, length]),
    {
      ...post("bare line feeds", base),
      bytes: requestOf(`POST ${PATH} HTTP/1.1`, [...base, length], body).replaceAll("\r\n", "\n"),
    },
  ];
}

/**
 * Requests that are too big in one dimension, and complete ones with a wrong media type or
 * encoding.
 */
export function oversizedRequests(secretKey: string): readonly HostileRequest[] {
  const base = [HOST, `Authorization: Bearer ${secretKey}`];
  const json = [...base, JSON_TYPE];
  const post = (
    name: string,
    headers: readonly string[],
    body: string,
    statuses: readonly number[],
  ): HostileRequest => ({
    name,
    bytes: requestOf(`POST ${PATH} HTTP/1.1`, [...headers, `Content-Length: ${body.length}`], body),
    statuses: [statuses],
    mustClose: true,
  });
  const kept = (request: HostileRequest): HostileRequest => ({ ...request, mustClose: false });
  const body = JSON.stringify({ token: ECHO_CANARY });
  const utf16 = Buffer.from(body, "utf16le").toString("latin1");
  const big = JSON.stringify({ token: ECHO_CANARY.repeat(2000) });
  const wide = JSON.stringify({ token: ECHO_CANARY, user_agent: ECHO_CANARY.repeat(1400) });
  return [
    post("a header of 20 KB", [...json, `X-Big: ${"a".repeat(20_000)}`], body, [431]),
    post("2,000 headers", [...json, ...times(2000, (i) => `X${i}: ${ECHO_CANARY}`)], body, [431]),
    post("70 small headers", [...json, ...times(70, (i) => `X${i}: 1`)], body, [400, 431]),
    post("a path of 20 KB", [], body, [431]),
    post("a body over the limit, with the secret", json, big, [200]),
    post("a body over the limit, without the secret", [HOST, JSON_TYPE], big, [413]),
    kept(post("a body just within the limit", json, wide, [200])),
    post("gzip", [...json, "Content-Encoding: gzip"], "\x1f\x8b\x08", [415]),
    post("an encoding nobody knows", [...json, "Content-Encoding: zstd, br"], body, [415]),
    post("text/plain", [...base, "Content-Type: text/plain"], body, [415]),
    post("no media type", base, body, [415]),
    post(
      "a form",
      [...base, "Content-Type: application/x-www-form-urlencoded"],
      `token=${ECHO_CANARY}`,
      [415],
    ),
    post(
      "a multipart form",
      [...base, "Content-Type: multipart/form-data; boundary=x"],
      "--x--",
      [415],
    ),
    post("JSON in another character set", [...base, `${JSON_TYPE}; charset=utf-16`], utf16, [415]),
    kept(post("UTF-16 that is called JSON", json, utf16, [400])),
    kept(post("a byte order mark", json, `\xef\xbb\xbf${body}`, [400])),
    kept(post("invalid UTF-8", json, `{"token":"\xff${ECHO_CANARY}"}`, [400])),
    kept(post("an empty body", json, "", [400])),
  ].map((request) =>
    request.name === "a path of 20 KB"
      ? { ...request, bytes: requestOf(`POST /${"a".repeat(20_000)} HTTP/1.1`, json) }
      : request,
  );
}

/** Methods, versions and addresses that only tools and attackers send. */
export function oddRequests(secretKey: string): readonly HostileRequest[] {
  const base = [HOST, `Authorization: Bearer ${secretKey}`, JSON_TYPE];
  const body = JSON.stringify({ token: ECHO_CANARY });
  const withBody = [...base, `Content-Length: ${body.length}`];
  const start = `POST ${PATH} HTTP/1.1`;
  const line = (
    name: string,
    startLine: string,
    statuses: readonly number[],
    mustClose: boolean,
  ): HostileRequest => ({
    name,
    bytes: requestOf(startLine, withBody, body),
    statuses: [statuses],
    mustClose,
  });
  const bare = (name: string, bytes: string): HostileRequest => ({
    name,
    bytes,
    statuses: [[400]],
    mustClose: true,
  });
  const address = (path: string): HostileRequest =>
    line(`the address ${JSON.stringify(path)}`, `POST ${path} HTTP/1.1`, [404], false);
  const asking = (
    name: string,
    headers: readonly string[],
    statuses: readonly (readonly number[])[],
  ) => ({
    name,
    bytes: requestOf(start, [...withBody, ...headers], body),
    statuses,
    mustClose: false,
  });
  return [
    ...["GET", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "OPTIONS"].map((method) =>
      line(`${method} on an endpoint of POST`, `${method} ${PATH} HTTP/1.1`, [405], true),
    ),
    line("TRACE elsewhere", `TRACE /${ECHO_CANARY} HTTP/1.1`, [404], false),
    line("POST on an endpoint of GET", "POST /api/v1/pow/challenge HTTP/1.1", [405], true),
    line("a method in lower case", `post ${PATH} HTTP/1.1`, [400], true),
    line("a method nobody knows", `${ECHO_CANARY} ${PATH} HTTP/1.1`, [400], true),
    { ...line("CONNECT", `CONNECT ${PATH} HTTP/1.1`, [], true), statuses: [] },
    line("an absolute address", `POST http://evil.example${PATH} HTTP/1.1`, [400], true),
    line("an absolute address of another scheme", `POST file://${PATH} HTTP/1.1`, [400], true),
    line("an asterisk", "OPTIONS * HTTP/1.1", [400], true),
    line("an address without a slash", "POST api/v1/token/verify HTTP/1.1", [400], true),
    address("//api/v1/token/verify"),
    address("/api/v1/token/verify/"),
    address("/api//v1/token/verify"),
    address("/API/v1/token/verify"),
    address("/api/v1/token/..%2ftoken%2fverify"),
    address("/api/v1/x/../token/verify"),
    address("/./api/v1/token/verify"),
    address("/api/v1/token/verify%00"),
    address("/api/v1/token/verify%20"),
    address(`/api/v1/token/verify;x=${ECHO_CANARY}`),
    address("/api/v1/token%2fverify"),
    line("backslashes in the address", "POST /api\\v1\\token\\verify HTTP/1.1", [400], true),
    address("/%61pi/v1/token/verify"),
    address("/..%2f..%2f..%2fetc/passwd"),
    address("/demo/../../master.key"),
    address("/__proto__"),
    address("/%"),
    address("/%ff%fe"),
    line("a fragment in the address", `POST ${PATH}#x HTTP/1.1`, [404], false),
    line("a control character in the address", `POST ${PATH}\x01 HTTP/1.1`, [400], true),
    line("HTTP/1.0", `POST ${PATH} HTTP/1.0`, [200], true),
    line("HTTP/2.0 by name only", `POST ${PATH} HTTP/2.0`, [400], true),
    line("no version", `POST ${PATH}`, [400], true),
    line("HTTP/1.2", `POST ${PATH} HTTP/1.2`, [400], true),
    line("http in lower case", `POST ${PATH} http/1.1`, [400], true),
    bare("HTTP/0.9", `GET ${PATH}\r\n\r\n`),
    bare("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    bare("a TLS greeting", `\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03${"\x00".repeat(32)}`),
    bare("an SSH greeting", "SSH-2.0-OpenSSH_9.9\r\n"),
    bare(
      "a PROXY line",
      `PROXY TCP4 198.51.100.7 127.0.0.1 5 80\r\nGET / HTTP/1.1\r\n${HOST}\r\n\r\n`,
    ),
    bare("a Host that is no host", `GET /healthz HTTP/1.1\r\nHost: a/b?${ECHO_CANARY}@e\r\n\r\n`),
    bare("an empty Host", "GET /healthz HTTP/1.1\r\nHost:\r\n\r\n"),
    asking("Expect: 100-continue", ["Expect: 100-continue"], [[100], [200]]),
    {
      ...asking("an expectation nobody knows", [`Expect: ${ECHO_CANARY}`], [[417]]),
      mustClose: true,
    },
    {
      ...asking("one of two expectations known", [`Expect: 100-continue, ${ECHO_CANARY}`], [[417]]),
      mustClose: true,
    },
    {
      name: "Expect: 100-continue with 2 GB announced",
      bytes: requestOf(start, [...base, "Expect: 100-continue", "Content-Length: 2147483648"]),
      statuses: [[200, 413]],
      mustClose: true,
    },
    asking("Upgrade to WebSocket", ["Connection: Upgrade", "Upgrade: websocket"], [[200]]),
    asking(
      "Upgrade to HTTP/2",
      ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AA"],
      [[200]],
    ),
    { ...asking("a half-closed socket", [], [[200]]), mustClose: true, isHalfClosed: true },
    {
      name: "a half-closed socket in the middle of the body",
      bytes: requestOf(start, [...base, "Content-Length: 900"], body),
      statuses: [[400]],
      mustClose: true,
      isHalfClosed: true,
    },
    {
      name: "chunk extensions and trailers",
      bytes: requestOf(
        start,
        [...base, "Transfer-Encoding: chunked"],
        `${body.length.toString(16)};ext=${ECHO_CANARY}\r\n${body}\r\n0\r\nAuthorization: Bearer x\r\n\r\n`,
      ),
      statuses: [[200]],
      mustClose: false,
    },
    {
      name: "garbage behind a whole request",
      bytes: `${requestOf(start, withBody, body)}\x00\x01${ECHO_CANARY}\r\n\r\n`,
      statuses: [[200]],
      mustClose: true,
    },
  ];
}
