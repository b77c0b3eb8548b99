import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FIREFOX_PREFERENCES } from "../plain-browser.ts";
import { startProgram } from "../programs.ts";
import type { MediaPage, PageStyle, Reading } from "./media-page.ts";

type Engine = "chromium" | "firefox" | "webkit";

/** A browser as somebody may honestly have set it up. */
export type Setup = {
  readonly name: string;
  readonly engine: Engine;
  readonly flags?: readonly string[];
  /** Entries of a Chromium profile's Preferences, or of Firefox's user.js. */
  readonly preferences?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly pageStyle?: PageStyle;
  /** Presses of Ctrl and + once the page is there. */
  readonly zoomSteps?: number;
};

/** A Chromium zoomed by its settings: levels are powers of 1.2. */
const zoomed = (factor: number) => ({ partition: { default_zoom_level: { x: Math.log(factor) / Math.log(1.2) } } });

const chromium = (name: string, flags: readonly string[] = [], more: Partial<Setup> = {}): Setup => ({
  ...{ name: `Chromium ${name}`, engine: "chromium", flags },
  ...more,
});
const firefox = (
  name: string,
  preferences: Readonly<Record<string, unknown>> = {},
  more: Partial<Setup> = {},
): Setup => ({
  ...{ name: `Firefox ${name}`, engine: "firefox", preferences },
  ...more,
});
const webkit = (
  name: string,
  environment: Readonly<Record<string, string>> = {},
  more: Partial<Setup> = {},
): Setup => ({
  ...{ name: `WebKitGTK ${name}`, engine: "webkit", environment },
  ...more,
});

const scale = (factor: number): string => `--force-device-scale-factor=${factor}`;

/** All that were tried; every one is to agree with itself. */
export const HONEST: readonly Setup[] = [
  chromium("in a window"),
  ...[1.1, 1.25, 1.5, 2].map((factor) => chromium(`at scale ${factor}`, [scale(factor)])),
  ...[0.67, 0.9, 1.1, 1.25, 1.75, 3].map((factor) =>
    chromium(`zoomed to ${factor}`, [], { preferences: zoomed(factor) }),
  ),
  chromium("at scale 1.25 and zoomed to 1.1", [scale(1.25)], { preferences: zoomed(1.1) }),
  chromium("zoomed by keys", [], { zoomSteps: 3 }),
  chromium("dark", ["--force-dark-mode"]),
  chromium("with forced dark pages", ["--enable-features=WebContentsForceDark"]),
  chromium("with reduced motion", ["--force-prefers-reduced-motion"]),
  chromium("with forced colours", ["--force-high-contrast"]),
  chromium("in kiosk mode", ["--kiosk"]),
  chromium("as an app", ["--app"]),
  chromium("with touch events", ["--touch-events=enabled"]),
  chromium("with a wide gamut", ["--force-color-profile=display-p3-d65"]),
  chromium("with high dynamic range", ["--force-color-profile=hdr10"]),
  chromium("in a dark page", [], { pageStyle: "dark" }),
  chromium("in a page with CSS zoom", [], { pageStyle: "zoomed" }),
  chromium("headless", ["--headless"]),
  ...[1.1, 2].map((factor) => chromium(`headless at scale ${factor}`, ["--headless", scale(factor)])),
  firefox("in a window"),
  ...[0.9, 1.1, 1.25, 1.5, 2].map((factor) =>
    firefox(`at scale ${factor}`, { "layout.css.devPixelsPerPx": `${factor}` }),
  ),
  firefox("zoomed by keys", {}, { zoomSteps: 2 }),
  firefox("zoomed by keys far", {}, { zoomSteps: 5 }),
  firefox("dark", { "layout.css.prefers-color-scheme.content-override": 0 }),
  firefox("with reduced motion", { "ui.prefersReducedMotion": 1 }),
  firefox("with forced colours", { "browser.display.document_color_use": 2 }),
  firefox("with resistFingerprinting", { "privacy.resistFingerprinting": true }),
  firefox("with resistFingerprinting and letterboxing", {
    "privacy.resistFingerprinting": true,
    "privacy.resistFingerprinting.letterboxing": true,
  }),
  firefox("with resistFingerprinting at scale 1.25", {
    "privacy.resistFingerprinting": true,
    "layout.css.devPixelsPerPx": "1.25",
  }),
  firefox("with resistFingerprinting and zoomed by keys", { "privacy.resistFingerprinting": true }, { zoomSteps: 2 }),
  firefox("with fingerprinting protection", {
    "privacy.fingerprintingProtection": true,
    "privacy.fingerprintingProtection.overrides": "+AllTargets",
  }),
  firefox("with touch events", { "dom.w3c_touch_events.enabled": 1 }),
  firefox("in a dark page", {}, { pageStyle: "dark" }),
  firefox("in a page with CSS zoom", {}, { pageStyle: "zoomed" }),
  firefox("headless", {}, { flags: ["--headless"] }),
  webkit("in a window"),
  webkit("at scale 2", { GDK_SCALE: "2" }),
  webkit("at text scale 1.25", { GDK_DPI_SCALE: "1.25" }),
  webkit("zoomed by keys", {}, { zoomSteps: 3 }),
  webkit("dark", { GTK_THEME: "Adwaita:dark" }),
  webkit("in a dark page", {}, { pageStyle: "dark" }),
  webkit("in a page with CSS zoom", {}, { pageStyle: "zoomed" }),
];

/** GTK's browser, which Debian installs with WebKit's driver; undefined if it is not there. */
function findMiniBrowser(): string | undefined {
  for (const machine of readdirSync("/usr/lib")) {
    for (const version of ["4.1", "4.0"]) {
      const file = `/usr/lib/${machine}/webkit2gtk-${version}/MiniBrowser`;
      if (existsSync(file)) return file;
    }
  }
  return undefined;
}

function commandOf({ engine, flags = [], preferences = {} }: Setup, profile: string, url: string): [string, string[]] {
  if (engine === "webkit") return [findMiniBrowser() ?? "MiniBrowser", ["--geometry=1200x900", url]];
  if (engine === "firefox") {
    const lines = Object.entries({ ...FIREFOX_PREFERENCES, ...preferences }).map(
      ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
    );
    writeFileSync(join(profile, "user.js"), `${lines.join("\n")}\n`);
    const window = ["--width", "1280", "--height", "940"];
    return ["/usr/bin/firefox-esr", [...flags, "--profile", profile, "--no-remote", ...window, url]];
  }
  mkdirSync(join(profile, "Default"), { recursive: true });
  writeFileSync(join(profile, "Default", "Preferences"), JSON.stringify(preferences));
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const quiet = [
    "--no-first-run",
    "--no-default-browser-check",
    "--password-store=basic",
    "--disable-component-update",
  ];
  const window = ["--window-position=0,0", "--window-size=1280,940"];
  const target = flags.includes("--app") ? [`--app=${url}`] : [url];
  const own = flags.filter((flag) => flag !== "--app");
  return ["/usr/bin/chromium", [`--user-data-dir=${profile}`, ...quiet, ...sandbox, ...window, ...own, ...target]];
}

function pressZoom(display: string, steps: number): void {
  const keys = Array.from({ length: steps }, () => ["key", "--clearmodifiers", "ctrl+plus", "sleep", "0.15"]).flat();
  const focus = ["mousemove", "600", "600", "click", "1", "sleep", "0.3"];
  spawnSync("xdotool", [...focus, ...keys], { env: { ...process.env, DISPLAY: display } });
}

/** Opens the page in such a browser, and resolves to what it answered. */
export async function readHonest(setup: Setup, display: string, page: MediaPage): Promise<Reading> {
  const profile = mkdtempSync(join(tmpdir(), "stile-media-"));
  const url = page.urlOf(setup.name, setup.pageStyle, setup.zoomSteps !== undefined);
  const [command, parameters] = commandOf(setup, profile, url);
  const home = { DISPLAY: display, HOME: profile, GDK_BACKEND: "x11", GSETTINGS_BACKEND: "memory", NO_AT_BRIDGE: "1" };
  const { end } = startProgram(command, parameters, { ...home, ...setup.environment });
  try {
    if (setup.zoomSteps !== undefined) {
      await page.opened(setup.name);
      pressZoom(display, setup.zoomSteps);
    }
    return await page.reading(setup.name);
  } finally {
    await end();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
