import type { ServicePorts } from "../../ports/service-ports.ts";
import { findOwnSite, type SiteReference, siteEntry } from "../../services/site/own-site.ts";

type Ports = Pick<ServicePorts, "clock" | "sites" | "waveMemory" | "auditLog">;

/**
 * How long visits of a wave are refused, in ms. Afterwards the class is admitted again
 * automatically.
 */
const REFUSAL_MS = 3_600_000;

/**
 * Refuses visits of a wave's class for an hour from now, or releases them, to be scored as usual;
 * another account's site is `not_found`. The audit entry is written first. The refusal is held in
 * memory: a restart, which forgets the wave, ends it.
 */
export async function refuseWave(
  ports: Ports,
  reference: SiteReference,
  waveId: string,
  change: "refuse" | "release",
): Promise<"changed" | "not_found"> {
  const { clock, waveMemory, auditLog } = ports;
  const site = await findOwnSite(ports, reference);
  const nowMs = clock.nowMs();
  const wave =
    site && waveMemory.list(site.siteKey, nowMs).waves.find((known) => known.waveId === waveId);
  if (site === undefined || wave === undefined) return "not_found";
  // Its visits are already scored as usual, so nothing changes and nothing is logged. A repeated
  // refusal, in contrast, starts again.
  if (change === "release" && wave.refusedUntilMs === null) return "changed";
  const action = change === "refuse" ? "wave_refused" : "wave_released";
  await auditLog.append(siteEntry({ clock }, { actor: reference.actor, action }, site));
  waveMemory.refuse(site.siteKey, waveId, change === "refuse" ? nowMs + REFUSAL_MS : nowMs);
  return "changed";
}
