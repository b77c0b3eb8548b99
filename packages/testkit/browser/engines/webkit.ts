import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findFreePort } from "../../free-port.ts";
import { actionsOf, type BrowserEngine, type EnginePage, inPage } from "./engine.ts";
import { type StartedProgram, startProgram } from "./started-program.ts";

const DRIVER = { file: "/usr/bin/WebKitWebDriver", debianPackage: "webkit2gtk-driver" } as const;
const SCREEN = { file: "/usr/bin/Xvfb", debianPackage: "xvfb" } as const;

/**
 * The programs for its tests, as Debian has them: the driver, with GTK's browser in its package,
 * and a screen for that.
 */
export const WEBKIT_PROGRAMS = [DRIVER, SCREEN];

const SCREEN_SIZE = "1280x1000x24";
/** How long a function may run in a page, ms. */
const SCRIPT_MS = 120_000;
/**
 * How long the driver may take over a command, ms: longer than a script may, and half as long as
 * fetch's own limit.
 */
const COMMAND_MS = 150_000;
const LOOK_AGAIN_MS = 20;

/** Shuts out the machine's desktop: only settings from its own home, no accessibility bus. */
const NO_DESKTOP = {
  GDK_BACKEND: "x11",
  GSETTINGS_BACKEND: "memory",
  NO_AT_BRIDGE: "1",
  XDG_CONFIG_HOME: "",
};

const CAPABILITIES = { timeouts: { script: SCRIPT_MS } };

type SendCommand = <Result>(
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: object,
) => Promise<Result>;

/** Sends commands of W3C WebDriver to the driver at this address. */
const connect =
  (base: string): SendCommand =>
  async (method, path, body) => {
    const signal = AbortSignal.timeout(COMMAND_MS);
    const init = { method, signal, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${base}${path}`, init).catch((cause: unknown) => {
      throw new Error(`${method} ${path} was not answered`, { cause });
    });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  };

/** The driver does not report when it listens, so this asks until it does. */
async function listens(send: SendCommand, driver: StartedProgram): Promise<void> {
  const isReady = (): Promise<boolean> =>
    send<{ ready: boolean }>("GET", "/status").then(
      ({ ready }) => ready,
      () => false,
    );
  while (!(await isReady())) {
    if (driver.hasEnded()) throw new Error(`${DRIVER.file} ended: ${driver.written()}`);
    await delay(LOOK_AGAIN_MS);
  }
}

type ScriptOutcome = { readonly json?: string; readonly error?: string };

/** A session is a separate browser that remembers nothing; the driver has only one at a time. */
async function openPage(send: SendCommand): Promise<EnginePage> {
  const capabilities = { alwaysMatch: CAPABILITIES };
  const { sessionId } = await send<{ sessionId: string }>("POST", "/session", { capabilities });
  const session = `/session/${sessionId}`;
  return {
    goto: (url) => send("POST", `${session}/url`, { url }),
    evaluate: async (work, ...given) => {
      const script = `(${inPage(work, given)})().then((json) => arguments[0]({ json }), (error) => arguments[0]({ error: String(error) }))`;
      const { json, error } = await send<ScriptOutcome>("POST", `${session}/execute/async`, {
        script,
        args: [],
      });
      if (json === undefined) throw new Error(error);
      return JSON.parse(json);
    },
    perform: (device, actions) =>
      send("POST", `${session}/actions`, { actions: actionsOf(device, actions) }),
    complaints: () => [],
    [Symbol.asyncDispose]: () => send("DELETE", session),
  };
}

/**
 * Asks for reduced motion: without a graphics card, WebKit draws a spinner in software sixty times
 * a second.
 */
function writeSettings(home: string): void {
  const folder = join(home, ".config", "gtk-3.0");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "settings.ini"), "[Settings]\ngtk-enable-animations=false\n");
}

/** Starts WebKit's driver, and a screen of its own for the windows of its browsers. */
export async function startWebKit(): Promise<BrowserEngine> {
  await using started = new AsyncDisposableStack();
  const screen = started.use(
    startProgram(SCREEN.file, () => [
      "-displayfd",
      "1",
      "-screen",
      "0",
      SCREEN_SIZE,
      "-nolisten",
      "tcp",
    ]),
  );
  // If another screen is there already, it prints a warning before its number.
  const DISPLAY = `:${await screen.says(/^(\d+)\n/m)}`;
  const port = await findFreePort();
  const parametersIn = (home: string): readonly string[] => {
    writeSettings(home);
    return [`--port=${port}`];
  };
  const driver = started.use(startProgram(DRIVER.file, parametersIn, { ...NO_DESKTOP, DISPLAY }));
  const send = connect(`http://127.0.0.1:${port}`);
  await listens(send, driver);
  const programs = started.move();
  return {
    name: "WebKit",
    openPage: () => openPage(send),
    [Symbol.asyncDispose]: () => programs.disposeAsync(),
  };
}
