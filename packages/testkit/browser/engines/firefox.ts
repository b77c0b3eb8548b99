import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { actionsOf, type BrowserEngine, type EnginePage, inPage } from "./engine.ts";
import { startProgram } from "./started-program.ts";

/** The programs that its tests need, as Debian has them. */
export const FIREFOX_PROGRAMS = [
  { file: "/usr/bin/firefox-esr", debianPackage: "firefox-esr" },
] as const;

/** How long a command may go unanswered, ms: longer than any wait of a test in a page. */
const COMMAND_MS = 150_000;

/**
 * Keeps Firefox from fetching automatically, and reduces motion; Firefox turns off other things
 * itself when driven.
 */
const PREFERENCES = {
  "app.normandy.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "services.settings.server": "data:,",
  "ui.prefersReducedMotion": 1,
};

type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly type: "success" | "error" | "event";
  readonly message?: string;
  readonly result?: unknown;
  readonly params?: unknown;
};

type BrowserLogEntry = {
  readonly level: string;
  readonly text: string | null;
  readonly source: { readonly context?: string };
};

/** A connection by WebDriver BiDi (W3C): commands, and the entries of all consoles. */
type BrowserConnection = {
  readonly send: <Result>(method: string, params: object) => Promise<Result>;
  readonly entries: readonly BrowserLogEntry[];
};

async function connect(url: string): Promise<BrowserConnection> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, (message: Message) => void>();
  const entries: BrowserLogEntry[] = [];
  socket.addEventListener("message", ({ data }) => {
    const message: Message = JSON.parse(String(data));
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    if (message.method === "log.entryAdded") entries.push(message.params as BrowserLogEntry);
  });
  socket.addEventListener("close", () => {
    for (const answer of waiting.values())
      answer({ type: "error", message: "Firefox closed the connection" });
  });
  await once(socket, "open");

  let count = 0;
  const send = async <Result>(method: string, params: object): Promise<Result> => {
    const id = ++count;
    const unanswered = () =>
      waiting.get(id)?.({ type: "error", message: `no answer within ${COMMAND_MS} ms` });
    const timer = setTimeout(unanswered, COMMAND_MS);
    const { type, message, result } = await new Promise<Message>((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    clearTimeout(timer);
    waiting.delete(id);
    if (type === "error") throw new Error(`${method}: ${message}`);
    return result as Result;
  };
  return { send, entries };
}

type Evaluated = {
  readonly result?: { readonly value: string };
  readonly exceptionDetails?: { readonly text: string };
};

async function openPage({ send, entries }: BrowserConnection): Promise<EnginePage> {
  const { userContext } = await send<{ userContext: string }>("browser.createUserContext", {});
  const { context } = await send<{ context: string }>("browsingContext.create", {
    type: "tab",
    userContext,
  });
  return {
    goto: async (url) =>
      void (await send("browsingContext.navigate", { context, url, wait: "complete" })),
    evaluate: async (work, ...given) => {
      const functionDeclaration = inPage(work, given);
      const call = { functionDeclaration, awaitPromise: true, target: { context } };
      const { result, exceptionDetails } = await send<Evaluated>("script.callFunction", call);
      if (result === undefined) throw new Error(exceptionDetails?.text);
      return JSON.parse(result.value);
    },
    perform: async (device, actions) =>
      void (await send("input.performActions", { context, actions: actionsOf(device, actions) })),
    complaints: () =>
      entries
        .filter(
          ({ level, source }) =>
            source.context === context && (level === "error" || level === "warn"),
        )
        .map(({ text }) => text ?? ""),
    [Symbol.asyncDispose]: async () =>
      void (await send("browser.removeUserContext", { userContext })),
  };
}

function profileParameters(profile: string): readonly string[] {
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, "user.js"), `${lines.join("\n")}\n`);
  return ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"];
}

/** Starts Firefox without a window, driven by WebDriver BiDi, which it has built in. */
export async function startFirefox(): Promise<BrowserEngine> {
  await using started = new AsyncDisposableStack();
  const program = started.use(startProgram(FIREFOX_PROGRAMS[0].file, profileParameters));
  const connection = await connect(`${await program.says(/BiDi listening on (ws:\S+)/)}/session`);
  await connection.send("session.new", { capabilities: {} });
  await connection.send("session.subscribe", { events: ["log.entryAdded"] });
  const programs = started.move();
  return {
    name: "Firefox",
    openPage: () => openPage(connection),
    [Symbol.asyncDispose]: () => programs.disposeAsync(),
  };
}
