import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { serveRoutes } from "@stile/testkit/contract/serve-routes";
import { exchange } from "@stile/testkit/payloads/raw-http";
import { readBytes } from "./request/body.ts";

let release = (): void => {};

/** `/late` is answered when the test says so, `/read` when its body is there, and `/early` before. */
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
]);
after(() => served.stop());

const LATE = "GET /late HTTP/1.1\r\nHost: x\r\n\r\n";
const chunked = (path: string, ...more: readonly string[]): string =>
  [`POST ${path} HTTP/1.1`, "Host: x", "Transfer-Encoding: chunked", ...more, "", ""].join("\r\n");
const NO_CHUNK = "no length\r\n";

/** Waits until the server, which runs in this process, has read what was written. */
async function letArrive(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await setImmediate();
}

/**
 * The statuses of all answers until the service closes. The later bytes come in packets of their own, and `/late` is
 * answered after all of them.
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

test("a body that breaks is refused after the requests before it are answered (T7)", async () => {
  assert.deepEqual(await answersTo(LATE + chunked("/read") + NO_CHUNK), [200, 400]);
});

test("garbage behind a request takes nothing from it, however much of it comes (T7)", async () => {
  const warnings: string[] = [];
  const collect = ({ name }: Error): void => void warnings.push(name);
  process.on("warning", collect);
  assert.deepEqual(await answersTo(`${LATE}garbage\r\n\r\n`, ...Array<string>(20).fill("more")), [200]);
  process.off("warning", collect);
  assert.deepEqual(warnings, []);
});

test("a refused request is not refused again for the rest of its body (T7)", async () => {
  const refused = [chunked("/early"), chunked("/read", "Host: x")];
  assert.deepEqual(await Promise.all(refused.map((bytes) => answersTo(bytes, NO_CHUNK))), [[401], [400]]);
});

test("a body that breaks alone is refused once (T7)", async () => {
  assert.deepEqual(await answersTo(chunked("/read"), NO_CHUNK, NO_CHUNK), [400]);
});
