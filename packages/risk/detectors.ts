import type { RiskFlag } from "@stile/protocol/risk-flags";
import type { Detector, RiskEvidence } from "./evidence.ts";
import { clickUnplaced } from "./flags/asked-click.ts";
import { automationWebdriver, driverGlobals, injectedStack } from "./flags/automation.ts";
import { lowEvidence, signalsWithheld } from "./flags/completeness.ts";
import { uaDeclaredBot, uaHeadless, uaMissing } from "./flags/declared-client.ts";
import { chromeSurfaceMissing, nativeTampered, permissionMismatch } from "./flags/disguise.ts";
import {
  emulatedScreen,
  emulatedScreenGrade,
  headlessMedia,
  softwareGl,
  viewportExceedsScreen,
} from "./flags/display.ts";
import { environmentMismatch, iframeMismatch, workerMismatch } from "./flags/environment-consistency.ts";
import { headerInconsistent, uaChMismatch } from "./flags/header-consistency.ts";
import { behaviourRepeated, ipChanged, ipHidden, signalsReplayed, tokenInvalid, uaChanged } from "./flags/history.ts";
import { pointerPressureInvalid, syntheticClick } from "./flags/input.ts";
import { scriptedTyping } from "./flags/keys.ts";
import { ipDatacenter, ipTor } from "./flags/network-lists.ts";
import { eventTimePhase, fractionalPointer, movementMismatch } from "./flags/pointer-numbers.ts";
import {
  exactCentreClick,
  movePressCoincident,
  noApproach,
  pressDwellRegular,
  pressTooShort,
  scriptedClick,
} from "./flags/press.ts";
import { tokenFarm } from "./flags/token-farm.ts";
import { trajectoryBot, trajectoryBotGrade, trajectoryReplayed, trajectoryReplayedGrade } from "./flags/trajectory.ts";
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
  injected_stack: injectedStack,
  native_tampered: nativeTampered,
  iframe_mismatch: iframeMismatch,
  worker_mismatch: workerMismatch,
  environment_mismatch: environmentMismatch,
  headless_media: headlessMedia,
  viewport_exceeds_screen: viewportExceedsScreen,
  emulated_screen: emulatedScreen,
  chrome_surface_missing: chromeSurfaceMissing,
  permission_mismatch: permissionMismatch,
  software_gl: softwareGl,
  signals_withheld: signalsWithheld,
  pow_fallback: powFallback,
  solve_time_implausible: solveTimeImplausible,
  synthetic_click: syntheticClick,
  click_unplaced: clickUnplaced,
  pointer_pressure_invalid: pointerPressureInvalid,
  fractional_pointer: fractionalPointer,
  scripted_click: scriptedClick,
  no_approach: noApproach,
  press_too_short: pressTooShort,
  move_press_coincident: movePressCoincident,
  exact_centre_click: exactCentreClick,
  press_dwell_regular: pressDwellRegular,
  scripted_typing: scriptedTyping,
  movement_mismatch: movementMismatch,
  event_time_phase: eventTimePhase,
  trajectory_replayed: trajectoryReplayed,
  behaviour_repeated: behaviourRepeated,
  trajectory_bot: trajectoryBot,
  velocity_ip: velocityIp,
  ip_datacenter: ipDatacenter,
  ip_tor: ipTor,
  token_farm: tokenFarm,
  ip_changed: ipChanged,
  ip_hidden: ipHidden,
  ua_changed: uaChanged,
  velocity_site: velocitySite,
  signals_replayed: signalsReplayed,
  token_invalid: tokenInvalid,
  low_evidence: lowEvidence,
};

/** Flags that may be present in part: the share of their weight that they add, 0 where they are absent .. 1. */
export const GRADES: Readonly<Partial<Record<RiskFlag, (evidence: RiskEvidence) => number>>> = {
  emulated_screen: emulatedScreenGrade,
  trajectory_replayed: trajectoryReplayedGrade,
  trajectory_bot: trajectoryBotGrade,
};
