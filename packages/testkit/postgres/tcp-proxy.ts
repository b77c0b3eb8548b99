import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/**
 * What becomes of connections: `pass` lets all through; `cut` ends and refuses them; `silent` takes them and lets nothing
 * through either way, as a machine that hangs; `deaf` lets questions through and no answers; `slow` holds all back for 150 ms;
 * `torn` lets half of an answer through and then resets its connection.
 */
export type ProxyMode = "pass" | "cut" | "silent" | "deaf" | "slow" | "torn";

const SLOW_MS = 150;

/** A way to a server that can be broken. */
export type TcpProxy = {
  readonly port: number;
  /** From now on, for the connections there are too. */
  readonly setMode: (mode: ProxyMode) => void;
  readonly stop: () => Promise<void>;
};

/** `rewrite` changes what is answered, a piece at a time; `onAsked` is told each piece of what is asked, before its mode is looked at. */
type ProxyPlan = {
  readonly rewrite?: ((answer: Buffer) => Buffer) | undefined;
  readonly onAsked?: (question: Buffer) => void;
};

/** Opens it on a free loopback port, letting all through. */
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
      else if (mode === "torn") client.write(bytes.subarray(0, bytes.length / 2), () => client.resetAndDestroy());
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
      // What was held back in silence is lost, as with a machine that went away.
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
