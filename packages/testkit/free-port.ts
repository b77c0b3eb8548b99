import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that systems give to clients: otherwise a client could take the port while the
 * service restarts.
 */
const PORTS = { first: 10_240, count: 22_000 } as const;

/** A port on which nothing is listening at this moment. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!isFree) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
}
