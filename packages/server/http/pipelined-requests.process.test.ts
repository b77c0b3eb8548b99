import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { serveRoutes } from "@stile/testkit/contract/serve-routes";
import { exchange } from "@stile/testkit/payloads/raw-http";
import { createLog } from "../telemetry/log.ts";
import { drain } from "./connection/drain.ts";
import { createListener } from "./listener.ts";
import { readBytes } from "./request/body.ts";

let release = (): void => {};
/** How often a request to `/acting` did something. */
let acted = 0;

/**
 * `/late` is answered when the test releases it, `/read` when its body is there, and `/early`
 * before.
 */
const served = await serveRoutes([
  {
    path: "/late",
    method: "GET",
    handle: async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return { status: 200, body: {} };
    },
  },
  {
    path: "/read",
    method: "POST",
    handle: async (request) => {
      await readBytes(request, 1000);
      return { status: 200, body: {} };
    },
  },
  { path: "/early", method: "POST", handle: () => ({ status: 401, body: {} }) },
  {
    path: "/closing",
    method: "GET",
    handle: async () => ({ status: 405, body: {}, mustClose: true }),
  },
  {
    path: "/acting",
    method: "GET",
    handle: () => {
      acted += 1;
      return { status: 200, body: {} };
    },
  },
]);
after(() => served.stop());

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const LATE = get("/late");
const ACTING = get("/acting");
const chunked = (path: string, ...more: readonly string[]): string =>
  [`POST ${path} HTTP/1.1`, "Host: x", "Transfer-Encoding: chunked", ...more, "", ""].join("\r\n");
const NO_CHUNK = "no length\r\n";

/** Waits until the server, which runs in this process, has read what was written. */
async function letArrive(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await setImmediate();
}

/**
 * The statuses of all answers until the service closes. The later bytes come in separate packets,
 * and `/late` is answered after all of them.
 */
async function answersTo(first: string, ...later: readonly string[]): Promise<readonly number[]> {
  const { answers, isClosed } = await exchange(Number(new URL(served.baseUrl).port), first, {
    withinMs: 5_000,
    onConnected: async (socket) => {
      socket.setNoDelay();
      await letArrive();
      for (const bytes of later) {
        socket.write(bytes);
        await letArrive();
      }
      release();
    },
  });
  assert.ok(isClosed);
  return answers.map(({ status }) => status);
}

test("refuses a broken body after answering the requests before it", async () => {
  assert.deepEqual(await answersTo(LATE + chunked("/read") + NO_CHUNK), [200, 400]);
});

test("answers a request completely although garbage follows, however much", async () => {
  const warnings: string[] = [];
  const collect = ({ name }: Error): void => void warnings.push(name);
  process.on("warning", collect);
  assert.deepEqual(
    await answersTo(`${LATE}garbage\r\n\r\n`, ...Array<string>(20).fill("more")),
    [200],
  );
  process.off("warning", collect);
  assert.deepEqual(warnings, []);
});

test("refuses a request only once, whatever the rest of its body is", async () => {
  const refused = [chunked("/early"), chunked("/read", "Host: x")];
  assert.deepEqual(await Promise.all(refused.map((bytes) => answersTo(bytes, NO_CHUNK))), [
    [401],
    [400],
  ]);
});

test("refuses a single broken body once", async () => {
  assert.deepEqual(await answersTo(chunked("/read"), NO_CHUNK, NO_CHUNK), [400]);
});

test("closes the connection after a body that is too long, whatever the answer (D11, errors)", async () => {
  const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
  assert.deepEqual(
    await answersTo(`${chunked("/read")}${chunk.repeat(15)}0\r\n\r\n${ACTING}`),
    [200],
  );
});

test("does nothing for a request whose body is already broken at its turn", async () => {
  const before = acted;
  const broken = chunked("/acting").replace("POST", "GET") + NO_CHUNK;
  assert.deepEqual(await answersTo(get("/early") + broken), [404, 400]);
  assert.equal(acted, before);
});

test("does nothing for requests behind an answer that closes the connection (RFC 9112, 9.6)", async () => {
  const before = acted;
  for (const closing of [get("/closing"), `${chunked("/early")}0\r\n\r\n`]) {
    assert.equal((await answersTo(closing + ACTING)).length, 1);
  }
  assert.deepEqual(
    await answersTo(ACTING + LATE + ACTING + get("/closing") + ACTING),
    [200, 200, 200, 405],
  );
  assert.equal(acted - before, 2);
});

test("answers every pipelined request when the client half-closes the connection", async () => {
  const port = Number(new URL(served.baseUrl).port);
  const halves = [LATE + ACTING, ACTING + LATE];
  for (const bytes of halves) {
    const { answers, isClosed } = await exchange(port, bytes, {
      withinMs: 5_000,
      isHalfClosed: true,
      onConnected: async () => {
        await letArrive();
        release();
      },
    });
    assert.deepEqual([answers.map(({ status }) => status), isClosed], [[200, 200], true], bytes);
  }
  const { answers, isClosed } = await exchange(port, chunked("/read"), {
    withinMs: 5_000,
    isHalfClosed: true,
  });
  assert.deepEqual(
    [answers.map(({ status }) => status), isClosed],
    [[400], true],
    "half a request",
  );
});

test("does nothing, while stopping, for requests behind the last one it answers (D17, settings)", async () => {
  let done = 0;
  const handle = async () => {
    done += 1;
    return { status: 200, body: {} };
  };
  const routes = [{ path: "/", method: "GET", handle }] as const;
  const server = createListener({ routes, log: createLog("silent"), security: [] });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const drained = drain(server);
  while (server.listening) await setImmediate();
  socket.write(get("/").repeat(3));
  await Promise.all([drained, text(socket)]);
  assert.equal(done, 1);
});
