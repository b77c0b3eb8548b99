import { spawnSync } from "node:child_process";

/**
 * Switches that remove the best-known marks of automation from Chromium, in a window of a size that
 * people use.
 */
export const UNMARKED = [
  "--disable-blink-features=AutomationControlled",
  "--window-size=1280,940",
] as const;

const major =
  /\d+/.exec(
    spawnSync("/usr/bin/chromium", ["--version"], { encoding: "utf8" }).stdout ?? "",
  )?.[0] ?? "0";

/** The user agent of the installed Chromium when it has a window. */
export const HEADFUL_USER_AGENT = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;

/**
 * Runs in every frame before the page, like stealth plugins: corrects the browser's reports about
 * itself.
 */
export function hideMarks(): void {
  const answer = (target: object, name: string, value: unknown): void => {
    Object.defineProperty(target, name, { get: () => value, configurable: true });
  };
  answer(Navigator.prototype, "webdriver", false);
  answer(Navigator.prototype, "hardwareConcurrency", 8);
  answer(Navigator.prototype, "deviceMemory", 8);
  answer(Navigator.prototype, "languages", ["en-US", "en"]);
  const shown = globalThis as unknown as { chrome?: Record<string, unknown> };
  shown.chrome ??= {};
  shown.chrome.runtime ??= {};
  const query = Permissions.prototype.query;
  Permissions.prototype.query = function (descriptor) {
    if (descriptor.name !== "notifications") return query.call(this, descriptor);
    return Promise.resolve({ state: Notification.permission, onchange: null } as PermissionStatus);
  };
  const getParameter = WebGLRenderingContext.prototype.getParameter;
  WebGLRenderingContext.prototype.getParameter = function (name: number) {
    if (name === 37445) return "Google Inc. (Intel)";
    if (name === 37446)
      return "ANGLE (Intel, Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6)";
    return getParameter.call(this, name);
  };
}
