import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProgram } from "./programs.ts";

/** A browser as people start it: a profile, a window, an address; nothing can drive it from outside. */
export type PlainBrowser = { readonly end: () => Promise<void> };

/** Firefox greets new profiles with pages of its own. */
const FIREFOX_PREFERENCES = {
  "browser.aboutwelcome.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "browser.startup.homepage_override.mstone": "ignore",
};

function commandOf(kind: "chromium" | "firefox", profile: string, url: string): [string, string[]] {
  if (kind === "firefox") {
    const lines = Object.entries(FIREFOX_PREFERENCES).map(
      ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
    );
    writeFileSync(join(profile, "user.js"), `${lines.join("\n")}\n`);
    return ["/usr/bin/firefox-esr", ["--profile", profile, "--no-remote", "--width", "1280", "--height", "940", url]];
  }
  // Chromium's sandbox refuses root; nothing else is out of the ordinary.
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const window = ["--window-position=0,0", "--window-size=1280,940"];
  const first = ["--no-first-run", "--no-default-browser-check", "--password-store=basic"];
  return ["/usr/bin/chromium", [`--user-data-dir=${profile}`, ...first, ...sandbox, ...window, url]];
}

/** Opens the address in a fresh profile. */
export function startPlainBrowser(kind: "chromium" | "firefox", display: string, url: string): PlainBrowser {
  const profile = mkdtempSync(join(tmpdir(), "stile-redteam-"));
  const [command, parameters] = commandOf(kind, profile, url);
  const { end } = startProgram(command, parameters, { DISPLAY: display });
  return {
    end: async () => {
      await end();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}
