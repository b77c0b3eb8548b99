import type { Config } from "./config.ts";

type Wanted = Pick<Config, "host" | "port" | "descriptor">;

/** What to do about each way in which the operating system refuses to listen; the address itself is right by its form. */
const CURES: Readonly<Record<string, (wanted: Wanted) => string>> = {
  EADDRINUSE: ({ port }) => `Port ${port} is in use. Stop what listens there, or set STILE_PORT.`,
  EACCES: ({ port }) => `Port ${port} may not be opened by this user. Set STILE_PORT to another one, above 1023.`,
  EPERM: ({ port }) => `This process may not open port ${port}. Check what confines it, or set STILE_PORT.`,
  EADDRNOTAVAIL: ({ host }) =>
    `This machine has no address ${host}. Set STILE_HOST to one it has, or to 127.0.0.1 behind a proxy on it.`,
  EAFNOSUPPORT: ({ host }) =>
    `This machine does not speak the kind of address that ${host} is. Set STILE_HOST to 127.0.0.1.`,
  EINVAL: ({ host }) =>
    `The address ${host} can't be listened on. Check STILE_HOST; what begins with fe80 needs its interface, as in fe80::1%eth0.`,
  ENOTFOUND: ({ host }) =>
    `The name ${host} leads to no address. Check STILE_HOST; it takes an address too, such as 127.0.0.1.`,
  EAI_AGAIN: ({ host }) =>
    `The name ${host} can't be looked up at the moment. Set STILE_HOST to an address, such as 127.0.0.1.`,
};

/** The sentence for a server that could not listen, or whose host has no address; undefined for any other fault. */
export function explainListenFault(fault: unknown, wanted: Wanted): string | undefined {
  const { code = "", syscall } = fault as NodeJS.ErrnoException;
  if (syscall !== "listen" && syscall !== "getaddrinfo") return undefined;
  if (wanted.descriptor !== undefined) {
    return (
      `The service manager handed over no TCP socket to listen on as descriptor ${wanted.descriptor} (${code}). ` +
      "Give its socket unit a ListenStream= with address and port, and Accept=no."
    );
  }
  const cure = Object.hasOwn(CURES, code) ? CURES[code] : undefined;
  return (
    cure?.(wanted) ?? `Can't listen on ${wanted.host}, port ${wanted.port} (${code}). Check STILE_HOST and STILE_PORT.`
  );
}
