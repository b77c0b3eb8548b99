import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { after, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  type BodyReading,
  parseBody,
  type ReceivedBody,
  RequestAborted,
  receiveBody,
} from "./body.ts";

setFlagsFromString("--expose-gc");
const LIMIT = 1000;
const LIMITS = { bytes: LIMIT, marks: LIMIT };
type TestedReading = BodyReading | Exclude<ReceivedBody, { kind: "received" }>;
const server: Server = createServer((request, response) => {
  receiveBody(request, LIMITS)
    .then(
      (body): TestedReading => (body.kind === "received" ? parseBody(body.bytes, LIMITS) : body),
    )
    .catch((error: Error) => error)
    .then((reading) => {
      server.emit("read", reading);
      response.setHeader("Connection", "close").end();
    });
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
after(() => server.close());

type PostedBody = {
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
};

/** The reader's result for a request that a real client sends. */
async function read({ body = "{}", headers = {} }: PostedBody): Promise<TestedReading | Error> {
  const reading = once(server, "read") as Promise<[TestedReading | Error]>;
  const init = { "Content-Type": "application/json", ...headers };
  await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body, headers: init });
  return (await reading)[0];
}

/** The same, written byte by byte. The connection stays open unless `mustDrop`. */
async function readRaw(lines: readonly string[], chunks: readonly string[], mustDrop = false) {
  const reading = once(server, "read") as Promise<[TestedReading | Error]>;
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.on("error", () => {});
  socket.write(
    ["POST / HTTP/1.1", "Host: x", "Content-Type: application/json", ...lines, "", ""].join("\r\n"),
  );
  for (const chunk of chunks) socket.write(chunk);
  if (mustDrop) socket.resetAndDestroy();
  const [result] = await reading;
  socket.destroy();
  return result;
}

const kindOf = (reading: TestedReading | Error): string =>
  "kind" in reading ? reading.kind : reading.name;

test("reads a JSON object, UTF-8 included, whole or in pieces", async () => {
  assert.deepEqual(await read({ body: '{"a":"é😀","b":[1,null]}' }), {
    kind: "object",
    object: { a: "é😀", b: [1, null] },
  });
  const [first, second] = ['5\r\n{"a":\r\n', "2\r\n1}\r\n0\r\n\r\n"];
  assert.deepEqual(await readRaw(["Transfer-Encoding: chunked"], [first, second]), {
    kind: "object",
    object: { a: 1 },
  });
});

test("refuses non-objects as malformed, and deep bodies or prototype names as too much (D2, redemption; D11, errors)", async () => {
  for (const body of ["", " ", "x", "[]", "null", "7", '"text"', '{"a":1', '{"a":1,"a":2}']) {
    assert.equal(kindOf(await read({ body })), "malformed", body);
  }
  for (const body of ['{"__proto__":{}}', `${'{"a":'.repeat(9)}1${"}".repeat(9)}`]) {
    assert.equal(kindOf(await read({ body })), "too_much", body);
  }
  const invalid = Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d);
  assert.deepEqual(await read({ body: invalid }), {
    kind: "malformed",
    message: "The body is not UTF-8.",
  });
});

test("takes a body of exactly the limit and refuses one byte more, announced or not (D2, redemption)", async () => {
  const bodyOf = (length: number): string => `{"a":"${"x".repeat(length - 8)}"}`;
  const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  assert.equal(kindOf(await read({ body: bodyOf(LIMIT) })), "object");
  assert.equal(kindOf(await read({ body: bodyOf(LIMIT + 1) })), "too_large");
  assert.equal(
    kindOf(await readRaw(["Transfer-Encoding: chunked"], [chunked(bodyOf(LIMIT))])),
    "object",
  );
  assert.equal(
    kindOf(await readRaw(["Transfer-Encoding: chunked"], [chunked(bodyOf(LIMIT + 1))])),
    "too_large",
  );
});

test("takes a body in 24 pieces plus one per 2,048 bytes, and in no more (D2, redemption)", async () => {
  const server = createServer((request, response) => {
    receiveBody(request, { bytes: 65_536, marks: 10 }).then((body) => {
      server.emit("read", body);
      response.setHeader("Connection", "close").end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const readPieces = async (count: number, size: number): Promise<ReceivedBody> => {
    const reading = once(server, "read") as Promise<[ReceivedBody]>;
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").on(
      "error",
      () => {},
    );
    const head =
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    socket.write(
      `${head}${`${size.toString(16)}\r\n${"a".repeat(size)}\r\n`.repeat(count)}0\r\n\r\n`,
    );
    const [body] = await reading;
    socket.destroy();
    return body;
  };
  for (const [count, size] of [
    [24, 1],
    [25, 82],
    [46, 1400],
    [16, 4096],
  ] as const) {
    assert.deepEqual(await readPieces(count, size), {
      kind: "received",
      bytes: Buffer.alloc(count * size, "a"),
    });
  }
  for (const [count, size] of [
    [25, 1],
    [1000, 1],
    [64, 1000],
  ] as const) {
    assert.deepEqual(await readPieces(count, size), { kind: "too_large" }, `${count} of ${size}`);
  }
  server.close();
});

test("refuses a body with more outside of its texts than the endpoint takes (D11, errors)", async () => {
  const limits = { bytes: 65_536, marks: 100 };
  const list = (count: number) => Buffer.from(`{"a":[${new Array(count).fill("1").join(",")}]}`);
  assert.equal(parseBody(list(40), limits).kind, "object");
  assert.equal(parseBody(list(60), limits).kind, "too_much");
});

test("keeps a body in pieces of one byte in little more memory than its size, and frees it (D11, errors)", {
  timeout: 30_000,
}, async () => {
  const pieces = 60_000;
  const collect = runInNewContext("gc") as () => void;
  const held = (): number => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const slow: Server = createServer((request) => {
    let size = 0;
    receiveBody(request, { bytes: 65_536, marks: 1 }).catch(() => {});
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size === pieces) slow.emit("all read");
    });
  });
  slow.listen(0, "127.0.0.1");
  await once(slow, "listening");
  const socket = connect((slow.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect");
  const allRead = once(slow, "all read");
  const before = held();
  socket.write(
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
  );
  socket.write("1\r\na\r\n".repeat(pieces));
  await allRead;
  const grownBytes = held() - before;
  socket.on("error", () => {}).destroy();
  slow.close();
  assert.ok(grownBytes < 4_000_000, `${grownBytes} bytes for a body of ${pieces}`);
});

test("counts bytes, not characters (D2, redemption)", async () => {
  assert.equal(kindOf(await read({ body: `{"a":"${"é".repeat(LIMIT / 2)}"}` })), "too_large");
});

test("answers too_large at once, before the rest has come (D2, redemption)", {
  timeout: 10_000,
}, async () => {
  assert.equal(kindOf(await readRaw([`Content-Length: ${10 ** 9}`], [])), "too_large");
  assert.equal(
    kindOf(
      await readRaw(
        ["Transfer-Encoding: chunked"],
        [`${(10 ** 6).toString(16)}\r\n`, "x".repeat(LIMIT + 1)],
      ),
    ),
    "too_large",
  );
});

test("checks the size before the media type, and the media type before the body (D2, redemption: order of checks)", async () => {
  const headers = { "Content-Type": "text/plain" };
  assert.equal(kindOf(await read({ body: "x".repeat(LIMIT + 1), headers })), "too_large");
  assert.deepEqual(await read({ body: "not JSON", headers }), {
    kind: "unsupported_media_type",
    isForm: false,
  });
});

test("takes application/json with or without charset=utf-8, and no other media type (D2, redemption; D11, errors)", async () => {
  for (const type of [
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
  ]) {
    assert.equal(kindOf(await read({ headers: { "Content-Type": type } })), "object", type);
  }
  for (const type of [
    "text/plain",
    "text/json",
    "application/jsonp",
    "application/json; charset=latin1",
    "application/ld+json",
    "*/*",
  ]) {
    assert.deepEqual(
      await read({ headers: { "Content-Type": type } }),
      { kind: "unsupported_media_type", isForm: false },
      type,
    );
  }
});

test("distinguishes a form, as the libraries of other services send, from other media types (D2, redemption)", async () => {
  for (const type of [
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "APPLICATION/X-WWW-FORM-URLENCODED; charset=utf-8",
  ]) {
    assert.deepEqual(
      await read({ body: "secret=a&response=b", headers: { "Content-Type": type } }),
      { kind: "unsupported_media_type", isForm: true },
      type,
    );
  }
});

test("refuses a compressed body, whose size says nothing", async () => {
  for (const encoding of ["gzip", "br", "deflate", "x"]) {
    assert.equal(
      kindOf(await read({ headers: { "Content-Encoding": encoding } })),
      "unsupported_media_type",
      encoding,
    );
  }
  assert.equal(kindOf(await read({ headers: { "Content-Encoding": "identity" } })), "object");
});

test("answers nobody if a client goes away before its body is complete", async () => {
  const reading = await readRaw(["Content-Length: 100"], ['{"a":'], true);
  assert.ok(reading instanceof RequestAborted);
});

test("frees a parsed body before its request is answered, because many requests wait for the disk at a time", async (context) => {
  const collect = runInNewContext("gc") as () => void;
  let isKept: boolean | undefined;
  const waiting: Server = createServer(async (request, response) => {
    const received = await receiveBody(request, LIMITS);
    const bytes = received.kind === "received" ? new WeakRef(received.bytes) : undefined;
    waiting.emit("received", bytes);
    waiting.once("seen", () => response.setHeader("Connection", "close").end());
  });
  context.after(() => waiting.close());
  waiting.on("received", async (bytes: WeakRef<Buffer>) => {
    // A weak reference keeps its target alive until the present turn is over.
    await nextTurn();
    collect();
    isKept = bytes.deref() !== undefined;
    waiting.emit("seen");
  });
  waiting.listen(0, "127.0.0.1");
  await once(waiting, "listening");
  const { port: waitingPort } = waiting.address() as AddressInfo;
  const headers = { "Content-Type": "application/json" };
  await fetch(`http://127.0.0.1:${waitingPort}/`, { method: "POST", body: '{"a":1}', headers });
  assert.equal(isKept, false);
});
