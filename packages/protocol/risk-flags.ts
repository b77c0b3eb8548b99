// Written by `node tools/flags.ts` from the rows in packages/risk/flags: change those.
import type { RiskGroup } from "./risk-groups.ts";

type Flag = { readonly group: RiskGroup; readonly label: string };

/** Risk indicators, each with its group and what it says in plain words (spec 2.2 `flags`). */
export const RISK_FLAGS = {
  automation_webdriver: {
    group: "environment",
    label: "The browser says that it is driven by a program.",
  },
  ua_headless: { group: "environment", label: "The browser names itself headless." },
  ua_declared_bot: { group: "environment", label: "The client names itself a bot or a script." },
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
    label: "The request is not built as the claimed browser builds it.",
  },
  injected_stack: { group: "environment", label: "A script injected into the page operated it." },
  native_tampered: { group: "environment", label: "A function that reveals drivers was replaced." },
  iframe_mismatch: { group: "environment", label: "A frame sees another browser than the page." },
  worker_mismatch: { group: "environment", label: "A worker sees another browser than its page." },
  environment_mismatch: {
    group: "environment",
    label: "Page and request name different browsers.",
  },
  platform_mismatch: {
    group: "environment",
    label: "The page runs on another system than its user agent says.",
  },
  headless_media: { group: "environment", label: "A desktop without any pointing device." },
  viewport_exceeds_screen: { group: "environment", label: "The window is larger than the screen." },
  emulated_screen: { group: "environment", label: "The screen was made up to fit the page." },
  chrome_surface_missing: {
    group: "environment",
    label: "Chrome lacks what every Chrome window has.",
  },
  permission_mismatch: {
    group: "environment",
    label: "The browser contradicts itself about a permission.",
  },
  software_gl: { group: "environment", label: "Graphics are rendered in software." },
  signals_withheld: { group: "environment", label: "The page did not say what it observed." },
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
  pointer_pressure_invalid: { group: "input", label: "A mouse press without pressure." },
  fractional_pointer: {
    group: "input",
    label: "The mouse was between pixels, as only programs place it.",
  },
  scripted_click: { group: "input", label: "The mouse jumped, pressed and let go at once." },
  no_approach: { group: "input", label: "The mouse jumped to where it clicked." },
  sparse_pointer: { group: "input", label: "The mouse hopped to its clicks in a few far jumps." },
  scripted_pen: { group: "input", label: "A pen pressed as only programs press it." },
  scripted_touch: { group: "input", label: "A finger tapped a computer as programs do it." },
  bare_press: { group: "input", label: "The mouse pressed without having moved there." },
  press_too_short: { group: "input", label: "A mouse button was barely held." },
  move_press_coincident: { group: "input", label: "The press came with the last move." },
  exact_centre_click: { group: "input", label: "The click hit the exact middle." },
  press_dwell_regular: { group: "input", label: "Several clicks were equally long." },
  scripted_typing: { group: "input", label: "Keys were pressed as only programs press them." },
  movement_mismatch: { group: "input", label: "The mouse's movements do not match its positions." },
  event_time_phase: { group: "input", label: "Event times that no mouse has under X11." },
  visit_out_of_time: {
    group: "input",
    label: "The visit does not fit the time that passed, or what the page said at first.",
  },
  trajectory_replayed: {
    group: "trajectory",
    label: "Other networks drew the same pointer path before.",
  },
  behaviour_repeated: { group: "input", label: "Another network did the very same before." },
  trajectory_bot: { group: "trajectory", label: "The pointer moved as programs move it." },
  velocity_ip: { group: "network", label: "Many attempts from this network in a short time." },
  ip_datacenter: {
    group: "network",
    label: "The address belongs to a data centre, by the operator's list.",
  },
  ip_tor: { group: "network", label: "The address is an exit of Tor, by the operator's list." },
  token_farm: {
    group: "network",
    label: "Tokens from this network are rarely redeemed, or used elsewhere.",
  },
  ip_changed: {
    group: "network",
    label: "The visitor's network changed during the visit, or before redeeming.",
  },
  ip_hidden: {
    group: "network",
    label: "The visitor's address is hidden, or what was sent is no address.",
  },
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
  token_invalid: { group: "history", label: "The token is forged, foreign, expired or spent." },
  low_evidence: { group: "history", label: "Too little is known to judge." },
} as const satisfies Record<string, Flag>;

/** Name of a risk indicator. The set may grow; clients tolerate names they don't know (spec 9.2). */
export type RiskFlag = keyof typeof RISK_FLAGS;
