import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/**
 * The treatment of connections: `pass` lets everything through; `cut` ends and refuses them;
 * `silent` accepts them and lets nothing through in either direction, like a machine that hangs;
 * `deaf` lets questions through but no answers; `slow` delays everything by 150 ms; `torn` lets
 * half of an answer through and then resets its connection.
 */
export type ProxyMode = "pass" | "cut" | "silent" | "deaf" | "slow" | "torn";

const SLOW_MS = 150;

/** A connection to a server that can be disturbed. */
export type TcpProxy = {
  readonly port: number;
  /** Applies from now on, to existing connections too. */
  readonly setMode: (mode: ProxyMode) => void;
  readonly stop: () => Promise<void>;
};

/**
 * `rewrite` changes answers, piece by piece; `onAsked` gets each piece of a question, before its
 * mode is looked up.
 */
type ProxyPlan = {
  readonly rewrite?: ((answer: Buffer) => Buffer) | undefined;
  readonly onAsked?: (question: Buffer) => void;
};

/** Opens it on a free loopback port, letting everything through. */
export async function startTcpProxy(targetPort: number, plan: ProxyPlan = {}): Promise<TcpProxy> {
  const { rewrite = (answer) => answer, onAsked = () => {} } = plan;
  let mode: ProxyMode = "pass";
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (mode === "cut") return void client.destroy();
    const target = connect(targetPort, "127.0.0.1");
    keep(target);
    client.on("data", (bytes: Buffer) => {
      onAsked(bytes);
      if (mode === "slow") setTimeout(() => target.write(bytes), SLOW_MS);
      else if (mode !== "silent") target.write(bytes);
    });
    target.on("data", (answer: Buffer) => {
      const bytes = rewrite(answer);
      if (mode === "slow") setTimeout(() => client.write(bytes), SLOW_MS);
      else if (mode === "torn")
        client.write(bytes.subarray(0, bytes.length / 2), () => client.resetAndDestroy());
      else if (mode === "pass") client.write(bytes);
    });
    client.on("close", () => target.destroy());
    target.on("close", () => mode !== "silent" && client.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const destroyAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    setMode: (next) => {
      // Data held back in silence is lost, as with a machine that disappeared.
      if (next === "cut" || (mode !== "pass" && next === "pass")) destroyAll();
      mode = next;
    },
    stop: async () => {
      server.close();
      destroyAll();
      await once(server, "close");
    },
  };
}
