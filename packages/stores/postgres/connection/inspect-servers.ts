import type { Finding } from "@stile/protocol/dashboard-api";
import type { ConnectionOptions } from "../engine/connection-options.ts";
import type { DatabaseHost } from "../engine/database-problem.ts";
import { clientFor } from "./postgres-client.ts";
import type { Server } from "./primary.ts";

/** The role of one of the address's servers, as found. */
type Found = { readonly place: string } & (
  | { readonly kind: "primary"; readonly server: Server }
  | { readonly kind: "standby" }
  | { readonly kind: "unreachable"; readonly message: string }
);

async function look(options: ConnectionOptions, host: DatabaseHost): Promise<Found> {
  const { default: driver } = await import("pg");
  const Client = clientFor(driver, { ...options, place: { ...options.place, hosts: [host] } });
  const client = new Client();
  const place = `${host.host}:${host.port}`;
  try {
    return { place, kind: "primary", server: await client.connectToPrimary() };
  } catch (fault) {
    const { code, message } = Object(fault) as { readonly code?: string; readonly message: string };
    return code === "25006" ? { place, kind: "standby" } : { place, kind: "unreachable", message };
  } finally {
    void client.end().catch(() => {});
  }
}

function toFinding(found: Found): Finding {
  if (found.kind === "primary")
    return { level: "ok", text: `PostgreSQL at ${found.place} is the primary` };
  if (found.kind === "standby")
    return { level: "ok", text: `PostgreSQL at ${found.place} is a standby` };
  const text = `PostgreSQL at ${found.place}, the address of a standby, can't be reached (${found.message}).`;
  return { level: "warn", text, fix: "Start it, or take it out of STILE_DATABASE_URL." };
}

/**
 * A finding for each server of an address with several; it fails if more than one accepts writes.
 */
export async function inspectServers(options: ConnectionOptions): Promise<readonly Finding[]> {
  const { hosts } = options.place;
  if (hosts.length === 1) return [];
  const found = await Promise.all(hosts.map((host) => look(options, host)));
  const primaries = found.filter((one) => one.kind === "primary");
  // A server may have two names.
  if (new Set(primaries.map(({ server }) => server.started)).size < 2) return found.map(toFinding);
  const list = primaries
    .map(({ place, server }) => `${place} (timeline ${server.timeline})`)
    .join(" and ");
  return [
    {
      level: "fail",
      text: `Two servers of STILE_DATABASE_URL accept writes, ${list}, and nodes may be on either.`,
      fix: "The one with the higher timeline took over: stop the other at once, and set it up as a standby again. Writes that nodes made there are lost.",
    },
    ...found.filter(({ kind }) => kind !== "primary").map(toFinding),
  ];
}
