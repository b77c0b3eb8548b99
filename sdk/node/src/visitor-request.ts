// Reads a visitor's request: the token of the form, the address and the user agent.
//
// Worked example. A browser sends `email=a%40b.c&stile-response=eyJ...` to a plain node:http server.
// Nobody has read the body, so it is read here, up to 1 MiB, parsed by its Content-Type, and left in
// `request.body` as a body parser would. The token is the field `stile-response`. If Express had
// parsed the body before, only that field is read.

/** The field of the form, and the header of a script's request, that hold the token. */
export const TOKEN_FIELD = "stile-response";

/** A request of node:http, also inside Express, Fastify or Nest. */
export type NodeRequest = {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** What a body parser read. */
  body?: unknown;
  /** The visitor's address as the framework knows it behind your proxy (Express, Fastify). */
  readonly ip?: string | undefined;
  readonly socket?: { readonly remoteAddress?: string | undefined } | null;
  readonly readableEnded?: boolean;
  [Symbol.asyncIterator]?(): AsyncIterator<Uint8Array | string>;
};

/** What a request tells about its visitor. Undefined is "not known". */
export type Visitor = {
  readonly ip: string | undefined;
  readonly userAgent: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly url: string | undefined;
};

/** The longest body that is read for its token, in bytes. */
const MAX_BODY_BYTES = 1_048_576;
const PIECE_BYTES = 16_384;

const isWebRequest = (request: Request | NodeRequest): request is Request =>
  typeof (request as Request).headers.get === "function";

type Fields = Readonly<Record<PropertyKey, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/**
 * Whether a value is a request. Visitors choose the fields of a form, and parsers nest them, but a
 * parsed field never has a method. Fastify's request is no stream, so its socket is looked at.
 */
export function isRequest(value: unknown): value is Request | NodeRequest {
  if (!isObject(value) || !isObject(value.headers)) return false;
  const { headers, socket } = value;
  const methods = [headers.get, value[Symbol.asyncIterator], isObject(socket) && socket.on];
  return methods.some((method) => typeof method === "function");
}

/** The first 1 MiB of a body; undefined if it is longer, or if the visitor hangs up. */
async function collect(body: AsyncIterable<Uint8Array | string>): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      const bytes = typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
      length += bytes.length;
      if (length > MAX_BODY_BYTES) return undefined;
      chunks.push(bytes);
    }
  } catch {
    return undefined;
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // Not awaited: it ends only when the other copy of the body, the page's own, is cancelled too.
    reader.cancel().catch(() => {});
  }
}

/** A body in pieces: Node 18 never ends reading a form with a long field that came in one piece. */
const inPieces = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += PIECE_BYTES)
        controller.enqueue(bytes.subarray(at, at + PIECE_BYTES));
      controller.close();
    },
  });

/** The fields of a JSON, urlencoded or multipart body; none if it is something else or broken. */
async function parseFields(contentType: string, bytes: Uint8Array): Promise<Fields> {
  try {
    if (/^application\/json\b/i.test(contentType)) {
      const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
      return isObject(value) ? value : {};
    }
    const headers = { "content-type": contentType };
    const form = await new Response(inPieces(bytes), { headers }).formData();
    return Object.fromEntries(form.entries());
  } catch {
    return {};
  }
}

const fieldOf = (fields: unknown): unknown =>
  isObject(fields) && Object.hasOwn(fields, TOKEN_FIELD) ? fields[TOKEN_FIELD] : undefined;

async function findInWebRequest(request: Request): Promise<unknown> {
  const { headers, method } = request;
  const token = headers.get(TOKEN_FIELD);
  if (token !== null || method === "GET" || method === "HEAD") return token;
  if (request.bodyUsed)
    throw new Error("Stile: this request's body was read before. Verify first, or pass the token.");
  const { body } = request.clone();
  const bytes = body === null ? undefined : await collect(chunksOf(body));
  return bytes && fieldOf(await parseFields(headers.get("content-type") ?? "", bytes));
}

async function findInNodeRequest(request: NodeRequest): Promise<unknown> {
  const { headers, method } = request;
  const token = headers[TOKEN_FIELD];
  if (token !== undefined || method === "GET" || method === "HEAD") return token;
  if (request.body === undefined && request.readableEnded === false) {
    const bytes = await collect(request as AsyncIterable<Uint8Array>);
    if (bytes === undefined) return undefined;
    request.body = await parseFields(`${headers["content-type"]}`, bytes);
  }
  return fieldOf(request.body);
}

/**
 * The token of a form or of a script's request; undefined or null if there is none. Reads the body
 * of a Node request if nobody did, up to 1 MiB, and leaves its fields in `request.body`.
 */
export function findToken(request: Request | NodeRequest): Promise<unknown> {
  return isWebRequest(request) ? findInWebRequest(request) : findInNodeRequest(request);
}

/** What is known of the visitor. Headers that carry the visitor's own secrets are left out. */
export function describeVisitor(request: Request | NodeRequest): Visitor {
  const all: Record<string, string> = {};
  if (isWebRequest(request)) {
    for (const [name, value] of request.headers.entries()) all[name] = value;
  } else {
    for (const [name, value] of Object.entries(request.headers)) {
      if (value !== undefined) all[name] = typeof value === "string" ? value : value.join(", ");
    }
  }
  const { authorization: _, cookie: __, ...headers } = all;
  const ip = isWebRequest(request) ? undefined : (request.ip ?? request.socket?.remoteAddress);
  return { ip, userAgent: headers["user-agent"], headers, url: request.url };
}
