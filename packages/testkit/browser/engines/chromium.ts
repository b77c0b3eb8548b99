import { existsSync } from "node:fs";
import type { Program } from "../../trials/debian-programs.ts";

/** What visitors have. */
export const CHROMIUM = { file: "/usr/bin/chromium", debianPackage: "chromium" } satisfies Program;

/** The same engine in the same version, without windows, tabs and an address bar. */
export const HEADLESS_SHELL = {
  file: "/usr/bin/chromium-headless-shell",
  debianPackage: "chromium-headless-shell",
} satisfies Program;

/**
 * What tests of pages run in: the headless shell, which takes a third less CPU for the same page, or Chromium where it is not
 * installed. What a page looks like, says, focuses and keeps from running is the engine's. It does not do for what depends on the
 * browser around the engine: visits that are judged, since the service tells the shell from what people have, and what a browser
 * keeps from other sites, such as cookies.
 */
export function pageBrowser(): Program {
  return existsSync(HEADLESS_SHELL.file) ? HEADLESS_SHELL : CHROMIUM;
}
