import type { ServicePorts } from "../../ports/service-ports.ts";
import { findOwnSite, type SiteReference, siteEntry } from "./own-site.ts";

type Ports = Pick<ServicePorts, "clock" | "sites" | "waveMemory" | "auditLog">;

/** How long visits of a wave are refused: nobody has to remember to let the class in again, ms. */
const REFUSAL_MS = 3_600_000;

/**
 * Refuses visits of a wave's class for an hour from now, or judges them again as all others; `not_found` too for another
 * account's site. Its line of the audit log is written first. Held in memory: a restart, which forgets the wave, ends it.
 */
export async function refuseWave(
  ports: Ports,
  reference: SiteReference,
  waveId: string,
  isRefused: boolean,
): Promise<"changed" | "not_found"> {
  const { clock, waveMemory, auditLog } = ports;
  const site = await findOwnSite(ports, reference, false);
  const nowMs = clock.nowMs();
  const wave = site && waveMemory.list(site.siteKey, nowMs).waves.find((known) => known.waveId === waveId);
  if (site === undefined || wave === undefined) return "not_found";
  // Judged already: nothing changes, and the log tells of nothing. A refusal begins anew.
  if (!isRefused && wave.refusedUntilMs === null) return "changed";
  const action = isRefused ? "wave_refused" : "wave_released";
  await auditLog.append(siteEntry({ clock }, { actor: reference.actor, action }, site));
  waveMemory.refuse(site.siteKey, waveId, isRefused ? nowMs + REFUSAL_MS : nowMs);
  return "changed";
}
