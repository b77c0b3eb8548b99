import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environmentForPrograms } from "@stile/stores/program-environment";
import { openBakePage } from "./bake-page.ts";
import type { InstalledBrowser } from "./installed-browsers.ts";
import { LOADED_AHEAD } from "./loaded-ahead.ts";

/** How long a browser that is starting or answering may say nothing, in ms. */
const SILENCE_MS = 60_000;

/** A browser did not answer, or ended. The message names it and says what to do. */
export class BrowserSilent extends Error {
  override readonly name = "BrowserSilent";
}

/** Which scenes to ask which browser, at how many device pixels per CSS pixel. */
export type Asking = {
  readonly browser: InstalledBrowser;
  readonly ratio: number;
  readonly scenes: readonly string[];
  /** The script that reads a layout, the same as in visitors' frames. */
  readonly reader: Uint8Array;
  readonly onProgress: (answered: number) => void;
};

function argumentsFor({ browser, ratio }: Asking, profile: string, url: string): string[] {
  if (browser.engine === "gecko") return ["--headless", "--no-remote", "--profile", profile, url];
  return [
    "--headless",
    "--disable-gpu",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    `--disable-features=${LOADED_AHEAD.join(",")}`,
    `--force-device-scale-factor=${ratio}`,
    `--user-data-dir=${profile}`,
    // Chromium refuses to start as root with its sandbox. That is safe here: the page is this program's own.
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    url,
  ];
}

function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}

/** Ends the browser with its helper processes, which are in its process group. */
function endGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid !== undefined && isRunning(child)) process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
}

/** Signals that end this process. A terminal sends them to its process group, to which the browser does not belong. */
const ENDINGS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Does the work before one of these signals ends this process. Call the returned function to cancel that. */
function beforeEnding(work: () => void): () => void {
  const letGo = (): void => {
    for (const signal of ENDINGS) process.removeListener(signal, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    letGo();
    work();
    process.kill(process.pid, signal);
  };
  for (const signal of ENDINGS) process.once(signal, onSignal);
  return letGo;
}

/** Starts the browser with a separate profile and asks it all scenes; 16 bytes a scene. Rejects with BrowserSilent. */
export async function askBrowser(asking: Asking): Promise<Uint8Array> {
  const profile = mkdtempSync(join(tmpdir(), "stile-bake-"));
  const removeProfile = (): void => rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  try {
    if (asking.browser.engine === "gecko")
      writeFileSync(join(profile, "user.js"), `user_pref("layout.css.devPixelsPerPx", "${asking.ratio}");\n`);
    return await askWith(profile, asking, removeProfile);
  } finally {
    removeProfile();
  }
}

async function askWith(profile: string, asking: Asking, removeProfile: () => void): Promise<Uint8Array> {
  const { browser, scenes, reader } = asking;
  const silent = Promise.withResolvers<never>();
  const fail = (what: string): void =>
    silent.reject(
      new BrowserSilent(`${browser.name} (${browser.file}) ${what}. Start it once by hand, and fix what it says.`),
    );
  const page = await openBakePage(scenes, reader, (answered) => {
    clearTimeout(timer);
    timer = setTimeout(fail, SILENCE_MS, "stopped answering");
    asking.onProgress(answered);
  });
  let timer = setTimeout(fail, SILENCE_MS, "did not answer in 60 seconds");
  // Before the browser is started, so that a signal that arrives meanwhile still ends it.
  const letGo = beforeEnding(() => {
    endGroup(child);
    removeProfile();
  });
  // In its own process group, so that its helpers end with it.
  const child = spawn(browser.file, argumentsFor(asking, profile, page.url), {
    stdio: "ignore",
    detached: true,
    env: environmentForPrograms(),
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  child.once("error", () => fail("could not be started"));
  child.once("exit", () => fail("ended before it had answered"));
  try {
    return await Promise.race([page.answered, silent.promise]);
  } finally {
    clearTimeout(timer);
    if (isRunning(child)) {
      endGroup(child);
      await ended;
    }
    page.close();
    letGo();
  }
}
