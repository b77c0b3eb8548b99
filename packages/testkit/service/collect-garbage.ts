import { once } from "node:events";

/** Settings under which a service can be told to collect garbage. */
export const INSPECTED = { NODE_OPTIONS: "--inspect=127.0.0.1:0" } as const;

/** Lines that the inspector writes to the log of its process. */
export const INSPECTOR_LINE = /^(Debugger (listening on|attached|ending on)|For help, see: )/;

/**
 * Collects all garbage of a service that was started with `INSPECTED`, to measure the memory still
 * in use.
 */
export async function collectGarbage(log: string): Promise<void> {
  const address = /^Debugger listening on (ws:\S+)$/m.exec(log)?.[1];
  if (address === undefined) throw new Error("the service was not started with INSPECTED");
  const inspector = new WebSocket(address);
  await once(inspector, "open");
  // The first collection finds what needs finalising, the second frees what that released.
  for (const id of [1, 2]) {
    inspector.send(JSON.stringify({ id, method: "HeapProfiler.collectGarbage" }));
    await once(inspector, "message");
  }
  inspector.close();
  await once(inspector, "close");
}
