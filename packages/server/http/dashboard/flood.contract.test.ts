import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { newAccount } from "@stile/testkit/contract/dashboard";
import { startInOwnProcess } from "@stile/testkit/contract/service-fixtures";
import { mintToken, newSite } from "@stile/testkit/contract/sites";
import { redeem } from "@stile/testkit/service/redeem";

const SITES = 40;
/**
 * Requests of one connection run in turn. A flood needs more connections than requests may run at
 * once and wait.
 */
const CONNECTIONS = 100;
const PIPELINED = 3;

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  return socket;
}

/** The statuses of equal requests, sent in one packet over one connection. */
async function pipeline(socket: Socket, request: string): Promise<readonly number[]> {
  socket.write(
    request.repeat(PIPELINED - 1) + request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"),
  );
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  await once(socket, "close");
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

test("runs a few of a viewer's flood of reads, refuses the rest, and still redeems tokens (D16, operator)", async (context) => {
  const fixture = await startInOwnProcess();
  context.after(() => fixture.stop());
  const { accountId, members, site } = await newAccount(fixture);
  for (let made = 1; made < SITES; made++) await newSite(fixture, {}, accountId);
  const { host, port } = new URL(fixture.baseUrl);
  const request = `GET /dashboard/api/sites HTTP/1.1\r\nHost: ${host}\r\nCookie: ${members.viewer.cookie}\r\n\r\n`;
  // On a busy machine, connections that are still being made come one by one.
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(Number(port))));
  const flood = Promise.all(sockets.map((socket) => pipeline(socket, request)));
  const verdict = await redeem(
    { baseUrl: fixture.baseUrl, secretKey: site.secretKey },
    mintToken(fixture, site, {}),
  );
  assert.equal(verdict.status, 200);
  const statuses = (await flood).flat();
  assert.equal(statuses.length, CONNECTIONS * PIPELINED);
  assert.deepEqual([...new Set(statuses)].sort(), [200, 429]);
});
