import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { launchAutomatedBrowser } from "@stile/testkit/browser/browser";
import { build, type Rolldown } from "vite";
import type { BrowserBench, Solve } from "./browser-worker.ts";
import type { Measured } from "./contestants.ts";

/**
 * Chromium with the bench in a worker, called from Node; challenges are base64url. `close` ends it
 * and its server.
 */
export type BenchBrowser = {
  readonly version: string;
  readonly measure: (challengeText: string) => Promise<readonly Measured[]>;
  readonly solve: (challengeText: string) => Promise<Solve>;
  readonly close: () => Promise<void>;
};

type WorkerScope = { readonly bench: BrowserBench };

async function buildWorker(): Promise<string> {
  const built = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: "warn",
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: {
        input: join(import.meta.dirname, "browser-worker.ts"),
        output: { format: "es" },
      },
    },
  });
  const { output } = built as Rolldown.RolldownOutput;
  return output[0].code;
}

/**
 * Serves an empty page and the worker, isolated from other origins: only then does a browser
 * measure time to 5 us.
 */
async function serve(workerScript: string): Promise<Server> {
  const isolation = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
  };
  const server = createServer((request, response) => {
    const isWorker = request.url === "/worker.js";
    response.writeHead(200, {
      ...isolation,
      "Content-Type": isWorker ? "text/javascript" : "text/html",
    });
    response.end(isWorker ? workerScript : "<!doctype html><title>bench</title>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** Resolves in the page once the worker has everything it needs. */
function startWorker(): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker("/worker.js", { type: "module" });
    worker.addEventListener("message", () => resolve());
    worker.addEventListener("error", (event) => reject(new Error(event.message)));
  });
}

/** Builds the worker, starts Chromium on a local page and the worker in it. */
export async function openBenchBrowser(): Promise<BenchBrowser> {
  const workerScript = await buildWorker();
  const server = await serve(workerScript);
  const browser = await launchAutomatedBrowser();
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const [worker] = await Promise.all([page.waitForEvent("worker"), page.evaluate(startWorker)]);
  if (!(await worker.evaluate(() => crossOriginIsolated)))
    throw new Error("the worker's clock is too coarse");
  return {
    version: browser.version(),
    measure: (challengeText) =>
      worker.evaluate(
        (text) => (globalThis as unknown as WorkerScope).bench.measure(text),
        challengeText,
      ),
    solve: (challengeText) =>
      worker.evaluate(
        (text) => (globalThis as unknown as WorkerScope).bench.solve(text),
        challengeText,
      ),
    close: async () => {
      await browser.close();
      server.close();
    },
  };
}
