import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Config } from "../config/config.ts";
import { operatorAddress } from "../config/operator-address.ts";
import { assertSocket } from "./handed-socket.ts";

/**
 * As long as systemd's own queue, in which connections wait during a restart. The system may allow
 * less.
 */
const HANDED_BACKLOG = 4096;

/**
 * The address the service listens on, and that of the dashboard for its operator; no slash at the
 * end.
 */
export type ListeningUrls = { readonly url: string; readonly operatorUrl: string };

/**
 * Listens on the socket from systemd, else on host and port. Throws with `syscall` "listen"
 * (listen-faults.ts).
 */
export async function startListening(server: Server, config: Config): Promise<ListeningUrls> {
  const { descriptor, host, port, baseUrl } = config;
  if (descriptor !== undefined) assertSocket(descriptor);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    if (descriptor === undefined) server.listen(port, host, resolve);
    else server.listen({ fd: descriptor, backlog: HANDED_BACKLOG }, resolve);
  });
  const bound = server.address();
  if (typeof bound === "string" || bound === null) {
    throw Object.assign(new Error("it is not a TCP socket"), {
      code: "EAFNOSUPPORT",
      syscall: "listen",
    });
  }
  return placeOf(bound, descriptor === undefined ? host : bound.address, baseUrl);
}

function placeOf({ port }: AddressInfo, host: string, baseUrl: string | undefined): ListeningUrls {
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return { url, operatorUrl: operatorAddress({ baseUrl, host }, port) };
}
