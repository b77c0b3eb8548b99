import type { Config } from "../config/config.ts";
import { MetricsListenFault } from "../telemetry/metrics-listener.ts";

type Wanted = Pick<Config, "host" | "port" | "descriptor">;

/** An address, with the names of the settings for its host and port. */
type BindAddress = {
  readonly host: string;
  readonly port: number;
  readonly hostAt: string;
  readonly portAt: string;
};

const OWN_SETTINGS = { hostAt: "STILE_HOST", portAt: "STILE_PORT" } as const;
const METRICS_SETTINGS = {
  hostAt: "the address in STILE_METRICS",
  portAt: "the port in STILE_METRICS",
} as const;

/**
 * The fix for each reason for a refusal to listen. The address is already known to be well
 * formed.
 */
const CURES: Readonly<Record<string, (place: BindAddress) => string>> = {
  EADDRINUSE: ({ port, portAt }) =>
    `Port ${port} is in use. Stop what listens there, or set ${portAt}.`,
  EACCES: ({ port, portAt }) =>
    `Port ${port} may not be opened by this user. Set ${portAt} to another one, above 1023.`,
  EPERM: ({ port, portAt }) =>
    `This process may not open port ${port}. Check what confines it, or set ${portAt}.`,
  EADDRNOTAVAIL: ({ host, hostAt }) =>
    `This machine has no address ${host}. Set ${hostAt} to one it has, or to 127.0.0.1 behind a proxy on it.`,
  EAFNOSUPPORT: ({ host, hostAt }) =>
    `This machine does not support addresses such as ${host}. Set ${hostAt} to 127.0.0.1.`,
  EINVAL: ({ host, hostAt }) =>
    `The address ${host} can't be listened on. Check ${hostAt}; what begins with fe80 needs its interface, as in fe80::1%eth0.`,
  ENOTFOUND: ({ host, hostAt }) =>
    `The name ${host} has no address. Check ${hostAt}; it takes an address too, such as 127.0.0.1.`,
  EAI_AGAIN: ({ host, hostAt }) =>
    `The name ${host} can't be looked up at the moment. Set ${hostAt} to an address, such as 127.0.0.1.`,
};

/**
 * The sentence for a server that could not listen or whose host has no address; undefined for other
 * faults.
 */
export function explainListenFault(fault: unknown, wanted: Wanted): string | undefined {
  if (fault instanceof MetricsListenFault) {
    const { code = "" } = fault.cause as NodeJS.ErrnoException;
    return explainPlace(code, { ...fault.place, ...METRICS_SETTINGS });
  }
  const { code = "", syscall } = fault as NodeJS.ErrnoException;
  if (syscall !== "listen" && syscall !== "getaddrinfo") return undefined;
  if (wanted.descriptor !== undefined) {
    return (
      `systemd passed no TCP socket to listen on as descriptor ${wanted.descriptor} (${code}). ` +
      "Give its socket unit a ListenStream= with address and port, and Accept=no."
    );
  }
  return explainPlace(code, { ...wanted, ...OWN_SETTINGS });
}

function explainPlace(code: string, place: BindAddress): string {
  const { host, port, hostAt, portAt } = place;
  const cure = Object.hasOwn(CURES, code) ? CURES[code] : undefined;
  return (
    cure?.(place) ??
    `Can't listen on ${host}, port ${port} (${code}). Check ${hostAt} and ${portAt}.`
  );
}
