// The examples: each is installed, built and started as its README says, and driven in Chromium.
import {
  type ChildProcess,
  type ExecFileSyncOptions,
  execFileSync,
  spawn,
  spawnSync,
} from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { newVisitor } from "@stile/testkit/browser/browser";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { findFreePort } from "@stile/testkit/free-port";
import type { OperatorSite } from "@stile/testkit/service/operator-site";
import type { Browser } from "playwright-core";

const ROOT = join(import.meta.dirname, "..");
const PATIENCE_MS = 60_000;

/** An example of examples/. */
export type Example = {
  readonly name: string;
  /** Starts it; the port is in the environment as well. */
  readonly start: (port: number) => readonly string[];
  /** A command that succeeds if this machine has the language and its libraries. */
  readonly needs?: readonly string[];
  /** Where the form is sent, if not to `/sign-up`. */
  readonly action?: string;
};

const npmStart = (): readonly string[] => ["npm", "start"];
const needsCurl = "exit(function_exists('curl_init') ? 0 : 1);";
const needsFlask = ["python3", "-c", "import flask"];

/** All examples. Those with `needs` install nothing. */
export const EXAMPLES: readonly Example[] = [
  {
    name: "php",
    needs: ["php", "-r", needsCurl],
    start: (port) => ["php", "-S", `localhost:${port}`, "index.php"],
  },
  {
    name: "flask",
    needs: needsFlask,
    start: (port) => ["python3", "-m", "flask", "run", "--port", `${port}`],
  },
  { name: "go", needs: ["go", "version"], start: () => ["go", "run", "."] },
  { name: "express", start: npmStart },
  { name: "react", start: npmStart },
  { name: "vue", start: npmStart },
  { name: "next", start: npmStart },
  { name: "sveltekit", start: npmStart, action: "/" },
];

/** Whether this machine can run the example. */
export const canRun = ({ needs: [command = "", ...args] = [] }: Example): boolean =>
  command === "" || spawnSync(command, args).status === 0;

/** Builds the packages that the examples install from their folders. */
export function buildPackages(): void {
  for (const name of ["node", "widget"])
    execFileSync(process.execPath, [join(ROOT, "sdk", name, "build.mjs")], { stdio: "inherit" });
}

function install(cwd: string, env: NodeJS.ProcessEnv): void {
  // npm keeps the copy of a folder that it has installed before.
  rmSync(join(cwd, "node_modules", "@stile"), { recursive: true, force: true });
  const options: ExecFileSyncOptions = { cwd, env, stdio: ["ignore", "ignore", "inherit"] };
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
  execFileSync("npm", ["install", ...quiet, "--loglevel=error"], options);
  execFileSync("npm", ["run", "build", "--if-present"], options);
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
  // With the processes that npm and go start.
  process.kill(-server.pid, "SIGTERM");
  await once(server, "exit");
}

async function send(url: string, token?: string): Promise<number> {
  const body = new URLSearchParams({
    email: "ada@example.org",
    ...(token && { "stile-response": token }),
  });
  const headers = { Origin: new URL(url).origin };
  return (await fetch(url, { method: "POST", body, headers })).status;
}

/**
 * Runs an example: a person passes, and a form without a token, with a forged one or with the
 * person's own again is refused. Throws if not.
 */
export async function runExample(
  browser: Browser,
  baseUrl: string,
  site: OperatorSite,
  { name, start, needs, action = "/sign-up" }: Example,
): Promise<void> {
  const cwd = join(ROOT, "examples", name);
  const port = await findFreePort();
  const { siteKey: SITE_KEY, secretKey: STILE_SECRET } = site;
  const own = { CAPTCHA_URL: baseUrl, SITE_KEY, STILE_SECRET, PORT: `${port}` };
  const env = {
    ...process.env,
    CGO_ENABLED: "0",
    NEXT_TELEMETRY_DISABLED: "1",
    PYTHONPATH: join(ROOT, "sdk/python"),
    PYTHONDONTWRITEBYTECODE: "1",
    ...own,
  };
  if (needs === undefined) install(cwd, env);
  const [command = "", ...args] = start(port);
  const server = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [server.stdout, server.stderr])
    stream.on("data", (text) => {
      said += text;
    });
  const context = await newVisitor(browser);
  try {
    const url = `http://localhost:${port}`;
    const isUp = (): Promise<boolean> =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isUp())) if (server.exitCode !== null) throw new Error(said);
    const page = await context.newPage();
    const posted: string[] = [];
    page.on("request", (request) => {
      if (request.url() === url + action) posted.push(request.postData() ?? "");
    });
    await page.goto(url);
    await pressByHand(page, "[name=email]");
    await page.keyboard.type("ada@example.org", { delay: 60 });
    await pressByHand(page, "form > button");
    await page.waitForSelector("text=Welcome, ada@example.org", { timeout: PATIENCE_MS });
    const [, token = ""] = /stile-response(?:=|":")([\w.%-]+)/.exec(posted.join()) ?? [];
    const answers = [];
    for (const wrong of [undefined, "x".repeat(120), decodeURIComponent(token)])
      answers.push(await send(url + action, wrong));
    if (token === "" || answers.some((status) => status !== 403))
      throw new Error(`Without a token, with a forged and a used one: ${answers}`);
  } finally {
    await context.close();
    await stop(server);
  }
}
