import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Engine } from "@stile/core/domain/layout/layout-bank";

/** A browser on this machine that can run without a window. */
export type InstalledBrowser = { readonly engine: Engine; readonly name: string; readonly file: string };

/** Program names and usual places of browsers. Of each family, the first one found is used. */
const KNOWN = [
  {
    engine: "blink",
    name: "Chromium",
    files: ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "microsoft-edge", "brave-browser"],
    places: [
      "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
      "/Applications/Chromium.app/Contents/MacOS/Chromium",
      "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
      "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
    ],
  },
  {
    engine: "gecko",
    name: "Firefox",
    files: ["firefox", "firefox-esr"],
    places: ["/Applications/Firefox.app/Contents/MacOS/firefox", "C:\\Program Files\\Mozilla Firefox\\firefox.exe"],
  },
] as const;

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** One installed browser of each engine family. `path` is the search path for programs. */
export function findBrowsers(path = process.env.PATH ?? ""): InstalledBrowser[] {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  return KNOWN.flatMap(({ engine, name, files, places }) => {
    const candidates = [...files.flatMap((file) => folders.map((folder) => join(folder, file))), ...places];
    const file = candidates.find(isProgram);
    return file === undefined ? [] : [{ engine, name, file }];
  });
}
