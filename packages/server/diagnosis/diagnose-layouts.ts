import { GATE, type Gate, gateOf } from "@stile/core/domain/layout/agreement";
import { ENGINE_NAMES } from "@stile/core/domain/layout/claimed-engine";
import { enginesIn, type LayoutBank } from "@stile/core/domain/layout/layout-bank";
import type { Store } from "@stile/core/ports/store";
import type { Finding } from "@stile/protocol/dashboard-api";
import { describeGate } from "@stile/protocol/gate-words";
import { COMMAND_LINE } from "../command-line.ts";

const DAY_MS = 86_400_000;
/** Days after which collectors have seen too many of the scenes. */
const FRESH_DAYS = 7;
const IN_DASHBOARD = "in the dashboard (System, Proof of browser)";
const FIX = `Run: ${COMMAND_LINE} bake, or make pages ${IN_DASHBOARD}`;

function diagnoseBank(bank: LayoutBank, nowMs: number): Finding {
  const engines = enginesIn(bank).map((engine) => ENGINE_NAMES[engine]);
  const days = Math.max(0, Math.floor((nowMs - bank.drawnAtMs) / DAY_MS));
  const ago = new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-days, "day");
  const text = `Visitors' browsers lay out ${bank.scenes.length} pages, made ${ago} and baked by ${engines.join(" and ")}`;
  if (days < FRESH_DAYS) return { level: "ok", text };
  return { level: "warn", text: `${text}; anyone who collects them has seen them by now.`, fix: FIX };
}

/** Visits that are yet to come are no fault; what will not happen by itself is. */
function diagnoseGate(gate: Gate): Finding {
  const text = `Proof of browser, at sites set to Automatic: ${describeGate({ ...gate, needed: GATE })}`;
  if (gate.engines < GATE.engines)
    return {
      level: "warn",
      text,
      fix: `Run: ${COMMAND_LINE} bake, where Chromium and Firefox are installed, or let another browser answer ${IN_DASHBOARD}`,
    };
  if (gate.fallen.length > 0) return { level: "warn", text, fix: FIX };
  return { level: gate.visits >= GATE.visits && !gate.isOpen ? "warn" : "ok", text };
}

/**
 * Reports how many scenes there are, which browsers answered them and how old they are; and whether layouts count where
 * a site leaves it to the service, or what is missing.
 */
export function diagnoseLayouts(bank: LayoutBank | undefined, gate: Gate, nowMs: number): readonly Finding[] {
  if (bank === undefined) {
    return [{ level: "ok", text: `Proof of browser is not in use: no pages were made for it. ${FIX}` }];
  }
  return [diagnoseBank(bank, nowMs), diagnoseGate(gate)];
}

/** The same from the store; a running server knows it half a minute later. Rejects as the store does. */
export async function diagnoseStoredLayouts(
  { layoutBanks, layoutVotes }: Pick<Store, "layoutBanks" | "layoutVotes">,
  nowMs: number,
): Promise<readonly Finding[]> {
  const [bank] = await layoutBanks.listBanks();
  const votes = await layoutVotes.listVotes(nowMs);
  return diagnoseLayouts(bank, gateOf(bank ? enginesIn(bank).length : 0, votes), nowMs);
}
