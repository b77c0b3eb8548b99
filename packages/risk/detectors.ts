import type { RiskFlag } from "@stile/protocol/risk-flags";
import type { Detector } from "./evidence.ts";
import { automationWebdriver, driverGlobals } from "./flags/automation.ts";
import { lowEvidence, signalsWithheld } from "./flags/completeness.ts";
import { uaDeclaredBot, uaHeadless, uaMissing } from "./flags/declared-client.ts";
import { headlessMedia, viewportExceedsScreen } from "./flags/display.ts";
import { environmentMismatch, iframeMismatch } from "./flags/environment-consistency.ts";
import { headerInconsistent, uaChMismatch } from "./flags/header-consistency.ts";
import { ipChanged, signalsReplayed, tokenInvalid, uaChanged } from "./flags/history.ts";
import { pointerPressureInvalid, syntheticClick } from "./flags/input.ts";
import { velocityIp, velocitySite } from "./flags/velocity.ts";
import { powFallback, solveTimeImplausible } from "./flags/work.ts";

/** The detector of every flag of the vocabulary. */
export const DETECTORS: Readonly<Record<RiskFlag, Detector>> = {
  automation_webdriver: automationWebdriver,
  ua_headless: uaHeadless,
  ua_declared_bot: uaDeclaredBot,
  ua_missing: uaMissing,
  driver_globals: driverGlobals,
  ua_ch_mismatch: uaChMismatch,
  header_inconsistent: headerInconsistent,
  iframe_mismatch: iframeMismatch,
  environment_mismatch: environmentMismatch,
  headless_media: headlessMedia,
  viewport_exceeds_screen: viewportExceedsScreen,
  signals_withheld: signalsWithheld,
  pow_fallback: powFallback,
  solve_time_implausible: solveTimeImplausible,
  synthetic_click: syntheticClick,
  pointer_pressure_invalid: pointerPressureInvalid,
  velocity_ip: velocityIp,
  ip_changed: ipChanged,
  ua_changed: uaChanged,
  velocity_site: velocitySite,
  signals_replayed: signalsReplayed,
  token_invalid: tokenInvalid,
  low_evidence: lowEvidence,
};
