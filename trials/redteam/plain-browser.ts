import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "@stile/testkit/free-port";
import { pause } from "./input-methods.ts";
import { startProgram } from "./programs.ts";

/**
 * A browser as people start it: a profile, a window, an address; nothing can control it from
 * outside.
 */
export type PlainBrowser = { readonly end: () => Promise<void> };

type Kind = "chromium" | "firefox";

/** A person's own settings of Chromium. */
export type ChromiumSettings = {
  /** The zoom of all pages: 1.25 is 125%. */
  readonly zoom?: number;
  /** A script that an extension runs in every page. */
  readonly contentScript?: string;
};

/** Chromium stores a zoom as a power of this. */
const ZOOM_STEP = 1.2;

/** Writes the settings into a fresh profile; returns the switches that they need. */
function writeSettings(profile: string, { zoom, contentScript }: ChromiumSettings): string[] {
  if (zoom !== undefined) {
    mkdirSync(join(profile, "Default"));
    const default_zoom_level = { x: Math.log(zoom) / Math.log(ZOOM_STEP) };
    writeFileSync(
      join(profile, "Default", "Preferences"),
      JSON.stringify({ partition: { default_zoom_level } }),
    );
  }
  if (contentScript === undefined) return [];
  const extension = join(profile, "extension");
  mkdirSync(extension);
  const manifest = {
    ...{ manifest_version: 3, name: "Extension", version: "1" },
    content_scripts: [{ matches: ["http://*/*"], js: ["content.js"] }],
  };
  writeFileSync(join(extension, "manifest.json"), JSON.stringify(manifest));
  writeFileSync(join(extension, "content.js"), contentScript);
  return [`--load-extension=${extension}`];
}

/** Firefox greets new profiles with its own pages. */
const FIREFOX_PREFERENCES = {
  "browser.aboutwelcome.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "browser.startup.homepage_override.mstone": "ignore",
};

function commandOf(kind: Kind, profile: string, url: string): [string, string[]] {
  if (kind === "firefox") {
    const lines = Object.entries(FIREFOX_PREFERENCES).map(
      ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
    );
    writeFileSync(join(profile, "user.js"), `${lines.join("\n")}\n`);
    return [
      "/usr/bin/firefox-esr",
      ["--profile", profile, "--no-remote", "--width", "1280", "--height", "940", url],
    ];
  }
  // Chromium's sandbox refuses root; nothing else is unusual.
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const window = ["--window-position=0,0", "--window-size=1280,940"];
  const first = ["--no-first-run", "--no-default-browser-check", "--password-store=basic"];
  return [
    "/usr/bin/chromium",
    [`--user-data-dir=${profile}`, ...first, ...sandbox, ...window, url],
  ];
}

function start(
  kind: Kind,
  display: string,
  url: string,
  settings: ChromiumSettings = {},
  extra: readonly string[] = [],
) {
  const profile = mkdtempSync(join(tmpdir(), "stile-redteam-"));
  const [command, parameters] = commandOf(kind, profile, url);
  const switches = [...extra, ...writeSettings(profile, settings)];
  const { end } = startProgram(command, [...switches, ...parameters], { DISPLAY: display });
  const endAll = async (): Promise<void> => {
    await end();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  return { end: endAll };
}

/** Opens the address in a fresh profile. */
export function startPlainBrowser(
  kind: Kind,
  display: string,
  url: string,
  settings?: ChromiumSettings,
): PlainBrowser {
  return start(kind, display, url, settings);
}

const PORT_STEP_MS = 100;
const PORT_STEPS = 100;

/** The same Chromium with a port for debuggers, who connect to `url`. */
export async function startDebuggedBrowser(
  display: string,
): Promise<PlainBrowser & { readonly url: string }> {
  // An explicit port: with port 0 Chromium reports that a program controls it.
  const port = await findFreePort();
  const { end } = start("chromium", display, "about:blank", {}, [
    `--remote-debugging-port=${port}`,
  ]);
  const url = `http://127.0.0.1:${port}`;
  for (let i = 0; i < PORT_STEPS; i++) {
    const isOpen = await fetch(`${url}/json/version`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isOpen) return { url, end };
    await pause(PORT_STEP_MS);
  }
  await end();
  throw new Error("Chromium opened no port for debuggers");
}
