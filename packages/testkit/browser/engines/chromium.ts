import { existsSync } from "node:fs";
import type { Program } from "../../trials/debian-programs.ts";

/** The browser that visitors have. */
export const CHROMIUM = { file: "/usr/bin/chromium", debianPackage: "chromium" } satisfies Program;

/** The same engine in the same version, without windows, tabs and an address bar. */
export const HEADLESS_SHELL = {
  file: "/usr/bin/chromium-headless-shell",
  debianPackage: "chromium-headless-shell",
} satisfies Program;

/**
 * The browser for tests of pages: the headless shell, which takes a third less CPU for the same
 * page, or Chromium if it is not installed. A page's looks, words, focus and blocked scripts depend
 * on the engine alone. The shell does not suit tests that depend on the browser around the engine:
 * visits that are scored, since the service can tell the shell from people's browsers, and cookies
 * and other data that a browser withholds from other sites.
 */
export function pageBrowser(): Program {
  return existsSync(HEADLESS_SHELL.file) ? HEADLESS_SHELL : CHROMIUM;
}
