import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { after, test } from "node:test";
import { createConnections, MAX_PIPELINED } from "./connections.ts";

const connections = createConnections();
const server: Server = createServer((request, response) => {
  const isAdmitted = connections.admit(request, response);
  server.emit(isAdmitted ? "admitted" : "refused", request, response);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
after(() => {
  server.closeAllConnections();
  server.close();
});

const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

async function open(): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  return socket.on("error", () => {}).resume();
}

/** The next `count` admitted requests, with the answers they wait for. */
function nextAdmitted(count: number): Promise<[IncomingMessage, ServerResponse][]> {
  return new Promise((resolve) => {
    const admitted: [IncomingMessage, ServerResponse][] = [];
    const collect = (request: IncomingMessage, response: ServerResponse): void => {
      if (admitted.push([request, response]) < count) return;
      server.off("admitted", collect);
      resolve(admitted);
    };
    server.on("admitted", collect);
  });
}

test("admits as many requests at once as may wait, and as many again when they are answered (D11, errors)", async () => {
  const socket = await open();
  for (let i = 0; i < 3; i++) {
    const admitted = nextAdmitted(MAX_PIPELINED);
    socket.write(GET.repeat(MAX_PIPELINED));
    const closed = (await admitted).map(async ([, response]) => {
      const gone = once(response, "close");
      response.end();
      await gone;
    });
    await Promise.all(closed);
  }
  assert.equal(socket.destroyed, false);
  socket.destroy();
});

test("cuts a connection with more requests waiting, and admits none of the rest (D11, errors)", async () => {
  const socket = await open();
  let admitted = 0;
  let refused = 0;
  server.on("admitted", () => admitted++).on("refused", () => refused++);
  socket.write(GET.repeat(1000));
  await once(socket, "close");
  server.removeAllListeners("admitted").removeAllListeners("refused");
  assert.equal(admitted, MAX_PIPELINED);
  assert.ok(refused >= 1);
});

test("admits no request behind a refused one on its connection, but requests on others", async () => {
  const [socket, other] = [await open(), await open()];
  const first = nextAdmitted(1);
  socket.write(GET);
  const [[request, response] = assert.fail()] = await first;
  assert.deepEqual(
    [connections.refuseRest(request.socket), connections.refuseRest(request.socket)],
    [true, false],
  );
  const refused = once(server, "refused") as Promise<[IncomingMessage]>;
  response.end();
  socket.write(GET);
  assert.equal((await refused)[0].socket, request.socket);
  const elsewhere = nextAdmitted(1);
  other.write(GET);
  assert.equal((await elsewhere).length, 1);
  for (const each of [socket, other]) each.destroy();
});

test("knows the answer to the latest request of a connection, and of no other", async () => {
  const [socket, other] = [await open(), await open()];
  const pair = nextAdmitted(2);
  socket.write(GET.repeat(2));
  const [[request] = assert.fail(), [, latest] = assert.fail()] = await pair;
  assert.equal(connections.lastAnswer(request.socket), latest);
  assert.equal(connections.lastAnswer(other), undefined);
  for (const each of [socket, other]) each.destroy();
});
