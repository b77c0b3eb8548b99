// Written by `node tools/flags.ts` from the rows in packages/risk/flags: change those.
import type { RiskGroup } from "./risk-groups.ts";

type Flag = { readonly group: RiskGroup; readonly label: string };

/** Risk indicators, each with its group and what it says in plain words (spec 2.2 `flags`). */
export const RISK_FLAGS = {
  automation_webdriver: {
    group: "environment",
    label: "The browser reports that it is controlled by a program.",
  },
  ua_headless: { group: "environment", label: "The browser identifies itself as headless." },
  ua_declared_bot: {
    group: "environment",
    label: "The client identifies itself as a bot or a script.",
  },
  ua_missing: { group: "environment", label: "The client sent no user agent." },
  driver_globals: { group: "environment", label: "The page has traces of an automation driver." },
  ua_ch_mismatch: {
    group: "environment",
    label: "User agent and client hints contradict each other.",
  },
  header_inconsistent: {
    group: "environment",
    label: "The request headers do not fit the claimed browser.",
  },
  header_order: {
    group: "environment",
    label: "The request is built differently from those of the claimed browser.",
  },
  injected_stack: { group: "environment", label: "A script injected into the page operated it." },
  native_tampered: { group: "environment", label: "A function that reveals drivers was replaced." },
  iframe_mismatch: {
    group: "environment",
    label: "A frame reports a different browser from the page.",
  },
  worker_mismatch: {
    group: "environment",
    label: "A worker reports a different browser from its page.",
  },
  environment_mismatch: {
    group: "environment",
    label: "The page and the request report different browsers.",
  },
  platform_mismatch: {
    group: "environment",
    label: "The page runs on a different system from the one in its user agent.",
  },
  headless_media: { group: "environment", label: "A desktop without any pointing device." },
  viewport_exceeds_screen: { group: "environment", label: "The window is larger than the screen." },
  emulated_screen: { group: "environment", label: "The screen was emulated to fit the page." },
  chrome_surface_missing: {
    group: "environment",
    label: "Chrome lacks features that every Chrome window has.",
  },
  permission_mismatch: {
    group: "environment",
    label: "The browser contradicts itself about a permission.",
  },
  software_gl: { group: "environment", label: "Graphics are rendered in software." },
  signals_withheld: {
    group: "environment",
    label: "Observations that the widget always sends are missing.",
  },
  pow_fallback: {
    group: "environment",
    label: "Solved the reduced work for browsers without WebAssembly.",
  },
  no_script: { group: "environment", label: "Waited for the token, without JavaScript." },
  solve_time_implausible: {
    group: "environment",
    label: "Solved faster than the claimed device can.",
  },
  synthetic_click: { group: "input", label: "The click was made by a program, not by a device." },
  click_unplaced: {
    group: "input",
    label: "The required click came by keyboard, or was not on the widget.",
  },
  pointer_pressure_invalid: {
    group: "input",
    label: "A mouse button was pressed without pressure.",
  },
  fractional_pointer: {
    group: "input",
    label: "The mouse was between pixels, where only programs put it.",
  },
  scripted_click: { group: "input", label: "The mouse jumped, pressed and released all at once." },
  no_approach: { group: "input", label: "The mouse jumped to where it clicked." },
  sparse_pointer: { group: "input", label: "The mouse reached its clicks in a few long jumps." },
  scripted_pen: { group: "input", label: "A pen was pressed in a way that only programs do." },
  scripted_touch: {
    group: "input",
    label: "A finger tapped a computer in a way that only programs do.",
  },
  bare_press: { group: "input", label: "The mouse pressed without moving there first." },
  press_too_short: { group: "input", label: "A mouse button was pressed for too short a time." },
  move_press_coincident: {
    group: "input",
    label: "The press came at the same moment as the last movement.",
  },
  exact_centre_click: { group: "input", label: "The click hit the exact centre." },
  press_dwell_regular: { group: "input", label: "Several clicks had the same duration." },
  scripted_typing: { group: "input", label: "Keys were pressed in a way that only programs do." },
  movement_mismatch: { group: "input", label: "The mouse's movements do not match its positions." },
  event_time_phase: {
    group: "input",
    label: "The event times are not those of a mouse under X11.",
  },
  visit_out_of_time: {
    group: "input",
    label: "The visit does not match the time that passed, or what the page reported at first.",
  },
  trajectory_replayed: {
    group: "trajectory",
    label: "Other networks sent the same pointer path before.",
  },
  behaviour_repeated: {
    group: "input",
    label: "Another network behaved in exactly the same way before.",
  },
  trajectory_bot: { group: "trajectory", label: "The pointer moved in a way that programs do." },
  velocity_ip: { group: "network", label: "Many attempts from this network in a short time." },
  ip_datacenter: {
    group: "network",
    label: "The address is in a data centre, according to the operator's list.",
  },
  ip_tor: {
    group: "network",
    label: "The address is a Tor exit, according to the operator's list.",
  },
  token_farm: {
    group: "network",
    label: "Tokens from this network are rarely redeemed, or used elsewhere.",
  },
  ip_changed: {
    group: "network",
    label: "The visitor's network changed during the visit, or before redeeming.",
  },
  ip_hidden: { group: "network", label: "The visitor's address is hidden or not valid." },
  ua_changed: {
    group: "network",
    label: "The visitor's browser changed between solving and redeeming.",
  },
  velocity_site: { group: "history", label: "Many more attempts on this site than usual." },
  fleet_surge: {
    group: "history",
    label: "Many visits from many networks look the same, far more than usual.",
  },
  signals_replayed: { group: "history", label: "The same observations were sent before." },
  token_invalid: {
    group: "history",
    label: "The token is forged, expired, already used or from another site.",
  },
  low_evidence: { group: "history", label: "There is too little evidence for a reliable score." },
} as const satisfies Record<string, Flag>;

/** Name of a risk indicator. The set may grow; clients tolerate names they don't know (spec 9.2). */
export type RiskFlag = keyof typeof RISK_FLAGS;
