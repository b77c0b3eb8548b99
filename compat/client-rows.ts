// The rows of the client libraries: each in pages of its own, in Chromium, against a running service.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { TOKEN_LIFE_SECONDS } from "@stile/protocol/limits";
import { newVisitor, waitForState } from "@stile/testkit/browser/browser";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { addEasySite } from "@stile/testkit/service/easy-service";
import type { RunningService } from "@stile/testkit/service/service";
import { startTroubledProxy, type TroubledProxy } from "@stile/testkit/service/troubled-proxy";
import type { Browser, Page } from "playwright-core";
import { type ClientApp, sourceOf } from "./apps.ts";
import { load, versionOf } from "./install.ts";
import type { Row } from "./row.ts";

const ROOTS = ["one", "two"];
const NOW_AND_THEN = { polling: 100, timeout: 60_000 };
/** A program types in these pages, and the libraries are not about scores. */
const SITE = {
  domains: ["localhost"],
  thresholds: { challenge: 0.9, block: 0.95 },
  tokenLifeSeconds: TOKEN_LIFE_SECONDS.min,
};

/** Compiles the components of Svelte libraries, which are published as sources. */
export async function compileSvelte(compiler: string, generate?: "client" | "server") {
  const { compile } = await load(compiler);
  return {
    name: "svelte",
    // biome-ignore lint/suspicious/noExplicitAny: esbuild is installed on demand.
    setup: (build: any) =>
      build.onLoad({ filter: /\.svelte$/ }, ({ path }: { path: string }) => ({
        contents: compile(readFileSync(path, "utf8"), {
          filename: path,
          ...(generate && { generate }),
        }).js.code,
      })),
  };
}

async function bundle(app: ClientApp): Promise<string> {
  const { build } = await load("esbuild");
  const { outputFiles } = await build({
    stdin: { contents: sourceOf(app), resolveDir: import.meta.dirname, loader: "jsx" },
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    logLevel: "silent",
    conditions: ["svelte", "browser"],
    mainFields: ["svelte", "browser", "module", "main"],
    // In production, StrictMode does nothing.
    define: { "process.env.NODE_ENV": '"development"', "process.env": "{}", global: "globalThis" },
    ...(app.kind === "svelte" && { plugins: [await compileSvelte("svelte/compiler")] }),
  });
  return outputFiles[0].text;
}

const pageOf = (app: ClientApp, base: string, key: string, roots: readonly string[]): string =>
  `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
${(app.script ?? "").replaceAll("BASE", base).replaceAll("KEY", key)}
${roots.map((root) => `<form><input id="name-${root}" name="name"><div id="${root}"></div></form>`).join("\n")}
<script>Object.assign(globalThis, ${JSON.stringify({ got: [], heard: [], KEY: key, BASE: base, ROOTS: roots })},
{ onExpired: () => heard.push("expired"), onError: () => heard.push("event") })</script>
<script src="/app.js"></script></html>`;

async function serve(app: ClientApp, base: string, key: string) {
  const code = await bundle(app);
  const server = createServer(({ url }, response) => {
    const isCode = url === "/app.js";
    response.writeHead(200, { "Content-Type": isCode ? "text/javascript" : "text/html" });
    response.end(isCode ? code : pageOf(app, base, key, url === "/two" ? ROOTS : ["one"]));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://localhost:${port}/`, stop: () => server.close() };
}

/** The page of an app, whose service is behind a proxy, and the faults that a visit finds. */
type Visit = {
  readonly page: Page;
  readonly url: string;
  readonly app: ClientApp;
  readonly proxy: TroubledProxy;
  /** Whether the server of the page accepts the token. */
  readonly accepts: (token: string) => Promise<boolean>;
  readonly wrong: string[];
  readonly thrown: string[];
};

type Shop = { got: string[]; again?: () => unknown; unmount?: () => unknown };

const hasGo = ({ code }: ClientApp): boolean => code.includes("window.go = ");

/** Waits until an expression in the page is truthy, and returns it. */
async function become<Value>(page: Page, expression: string): Promise<Value> {
  const handle = await page.waitForFunction(expression, undefined, NOW_AND_THEN);
  return (await handle.jsonValue()) as Value;
}

async function typeName(page: Page, root: string): Promise<void> {
  await pressByHand(page, `#name-${root}`);
  await page.keyboard.type("Ada", { delay: 60 });
}

/** A visitor types, and the app asks for a token if the library has to be asked. */
async function touch({ page, app }: Visit): Promise<void> {
  await typeName(page, "one");
  if (!hasGo(app)) return;
  await become(page, "window.go");
  await page.evaluate('void window.go().catch(() => heard.push("rejects"))');
}

/** Waits for a token beyond those that the page had. */
async function earn(visit: Visit, had: number): Promise<string> {
  await touch(visit);
  return become(visit.page, `got[${had}]`);
}

/** Tokens before and after a reset, and of two widgets; nothing is left behind. */
async function reset(visit: Visit): Promise<void> {
  const { page, url, app, accepts, wrong, thrown } = visit;
  await page.goto(url);
  const first = await earn(visit, 0);
  if (!(await accepts(first))) thrown.push("no token");
  if (await accepts(first)) wrong.push("replayed");
  const had = await page.evaluate((): number => {
    const shop = window as unknown as Shop;
    shop.again?.();
    return shop.got.length;
  });
  const second = await earn(visit, had);
  if (second === first || !(await accepts(second))) thrown.push("no fresh token after a reset");
  const left = await page.evaluate((): number => {
    (window as unknown as Shop).unmount?.();
    return document.querySelectorAll("#one stile-captcha").length;
  });
  if (left > 0) thrown.push("a widget is left after unmounting");
  if (hasGo(app)) return;
  await page.goto(`${url}two`);
  for (const root of ROOTS) await typeName(page, root);
  for (const token of await become<string[]>(page, "got.length > 1 && got"))
    if (!(await accepts(token))) thrown.push("a second widget's token");
}

/** A token expires, and there is a fresh one. Returns how the app hears of it. */
async function expire(visit: Visit): Promise<string> {
  const { page, url, app, accepts, wrong, thrown } = visit;
  await page.goto(url);
  const old = await earn(visit, 0);
  const expired = delay(TOKEN_LIFE_SECONDS.min * 1000);
  const hears = app.code.includes("onExpired");
  if (hears) await become(page, 'heard.includes("expired")');
  await expired;
  if (await accepts(old)) wrong.push("expired");
  if (!(await accepts(await earn(visit, 1)))) thrown.push("no fresh token after one expired");
  return hears ? "event" : "none";
}

/** The service can't be reached, and there is a token once it can. Returns how the app hears of it. */
async function breakDown(visit: Visit): Promise<string> {
  const { page, url, app, proxy, accepts, thrown } = visit;
  proxy.set("breaks", /^\/api\//);
  await page.goto(url);
  await touch(visit);
  const ways = [app.code.includes("onError") && "event", hasGo(app) && "rejects"].filter(Boolean);
  for (const way of ways) await become(page, `heard.includes("${way}")`);
  if (ways.length === 0) await waitForState(page, "error");
  proxy.set("none");
  if (!(await accepts(await earn(visit, 0)))) thrown.push("no token after an outage");
  return ways.join(" and ") || "none";
}

/** People visit the library's app, all at the same time; what they find is reported. */
export async function clientRow(
  browser: Browser,
  service: RunningService,
  app: ClientApp,
): Promise<Row> {
  const { library, name = library, level } = app;
  const { siteKey, secretKey } = await addEasySite(service, { ...SITE, name });
  const wrong: string[] = [];
  const thrown: string[] = [];
  const accepts = async (response: string): Promise<boolean> => {
    const body = new URLSearchParams({ secret: secretKey, response });
    const answer = await fetch(service.baseUrl + app.path, { method: "POST", body });
    return ((await answer.json()) as { success: boolean }).success;
  };
  const run = async <Heard>(visit: (visit: Visit) => Promise<Heard>): Promise<Heard | "fails"> => {
    await using proxy = await startTroubledProxy(service.baseUrl);
    const { url, stop } = await serve(app, proxy.baseUrl, siteKey);
    const context = await newVisitor(browser);
    try {
      const page = await context.newPage();
      page.on("pageerror", (error) => thrown.push(String(error)));
      page.on("console", (message) => {
        const text = message.text();
        if (/error/i.test(text) && !/^stile: /.test(text)) thrown.push(text);
      });
      return await visit({ page, url, app, proxy, accepts, wrong, thrown });
    } catch (error) {
      thrown.push(`${visit.name}: ${String((error as Error).message).split("\n")[0]}`);
      return "fails";
    } finally {
      await context.close();
      stop();
    }
  };
  const [, expiry, outage] = await Promise.all([run(reset), run(expire), run(breakDown)]);
  const remark = `expiry: ${expiry}; outage: ${outage}`;
  const passes = thrown.length === 0;
  return { library: name, version: versionOf(library), level, passes, wrong, thrown, remark };
}
