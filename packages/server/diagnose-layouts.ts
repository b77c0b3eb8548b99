import { ENGINE_NAMES } from "@stile/core/domain/layout/claimed-engine";
import type { LayoutBank } from "@stile/core/domain/layout/layout-bank";
import { enginesIn } from "@stile/core/domain/layout/layout-bank";
import type { Finding } from "@stile/protocol/dashboard-api";

const DAY_MS = 86_400_000;
/** Days after which too many of the scenes have been seen by whoever collects them. */
const FRESH_DAYS = 7;
const FIX = "Run: npm run stile -- bake";

/** How many pages visitors are asked to lay out, by which browsers they were answered, and how old they are. */
export function diagnoseLayouts(bank: LayoutBank | undefined, nowMs: number): Finding {
  if (bank === undefined) {
    return { level: "ok", text: `Visitors' browsers are asked to lay out nothing: no pages were baked (${FIX})` };
  }
  const engines = enginesIn(bank).map((engine) => ENGINE_NAMES[engine]);
  const days = Math.max(0, Math.floor((nowMs - bank.drawnAtMs) / DAY_MS));
  const text = `Visitors' browsers lay out ${bank.scenes.length} pages, made ${days} days ago and baked by ${engines.join(" and ")}`;
  if (days < FRESH_DAYS) return { level: "ok", text };
  return { level: "warn", text: `${text}; whoever collects them has seen them by now.`, fix: FIX };
}
