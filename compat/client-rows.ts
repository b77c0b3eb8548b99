// The rows of the client libraries: each in a page of its own, in Chromium, against a running service.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { collectComplaints, newVisitor } from "@stile/testkit/browser/browser";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import type { OperatorSite } from "@stile/testkit/service/operator-site";
import type { Browser, Page } from "playwright-core";
import { type ClientApp, sourceOf } from "./apps.ts";
import { load, versionOf } from "./install.ts";
import type { Row } from "./row.ts";

const PATIENCE_MS = 60_000;
const ROOTS = ["one", "two"];

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
    define: { "process.env.NODE_ENV": '"production"', "process.env": "{}", global: "globalThis" },
    ...(app.kind === "svelte" && { plugins: [await compileSvelte("svelte/compiler")] }),
  });
  return outputFiles[0].text;
}

const pageOf = (app: ClientApp, base: string, key: string, roots: readonly string[]): string =>
  `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
${(app.script ?? "").replaceAll("BASE", base).replaceAll("KEY", key)}
${roots.map((root) => `<form><input id="name-${root}" name="name"><div id="${root}"></div></form>`).join("\n")}
<script>Object.assign(globalThis, ${JSON.stringify({ got: [], KEY: key, BASE: base, ROOTS: roots })})</script>
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

type Shop = { got: string[]; go?: () => unknown; again?: () => unknown; unmount?: () => unknown };
async function typeName(page: Page, root: string): Promise<void> {
  await pressByHand(page, `#name-${root}`);
  await page.keyboard.type("Ada", { delay: 60 });
}

/** Waits for a token beyond those the page had, as a visitor who types and presses if asked. */
async function earn(page: Page, had: number, hasGo: boolean): Promise<string> {
  await typeName(page, "one");
  if (hasGo) {
    await page.waitForFunction("window.go");
    await page.evaluate("void window.go()");
  }
  const token = await page.waitForFunction(`window.got[${had}]`, undefined, {
    polling: 100,
    timeout: PATIENCE_MS,
  });
  return (await token.jsonValue()) as string;
}

async function verify(base: string, path: string, site: OperatorSite, token: string) {
  const body = new URLSearchParams({ secret: site.secretKey, response: token });
  const answer = await fetch(base + path, { method: "POST", body });
  return ((await answer.json()) as { success: boolean }).success;
}

/** A person earns tokens through the library; what it leaves behind is reported. */
export async function clientRow(
  browser: Browser,
  base: string,
  site: OperatorSite,
  app: ClientApp,
): Promise<Row> {
  const { library, name = library } = app;
  const version = versionOf(library);
  const row = {
    library: name,
    version,
    level: app.level,
    wrong: [] as string[],
  };
  const hasGo = app.code.includes("window.go = ");
  const thrown: string[] = [];
  const done: string[] = [];
  let stop = (): void => {};
  const context = await newVisitor(browser);
  try {
    const shop = await serve(app, base, site.siteKey);
    stop = shop.stop;
    const page = await context.newPage();
    const complaints = collectComplaints(page);
    await page.goto(shop.url);
    const first = await earn(page, 0, hasGo);
    const passes = await verify(base, app.path, site, first);
    if (await verify(base, app.path, site, first)) row.wrong.push("replayed");
    const had = await page.evaluate((): number => {
      const shop = window as unknown as Shop;
      shop.again?.();
      return shop.got.length;
    });
    const second = await earn(page, had, hasGo);
    done.push("reset");
    const isFresh = second !== first && (await verify(base, app.path, site, second));
    if (!isFresh) thrown.push("no fresh token after a reset");
    const left = await page.evaluate((): number => {
      (window as unknown as Shop).unmount?.();
      return document.querySelectorAll("#one stile-captcha").length;
    });
    if (left > 0) thrown.push("a widget is left after unmounting");
    else done.push("unmount");
    if (app.kind === "react") done.push("StrictMode");
    if (!hasGo) {
      await page.goto(`${shop.url}two`);
      for (const root of ROOTS) await typeName(page, root);
      const earned = await page.waitForFunction(
        "window.got.length === 2 && window.got",
        undefined,
        {
          polling: 100,
          timeout: PATIENCE_MS,
        },
      );
      for (const token of (await earned.jsonValue()) as string[])
        if (!(await verify(base, app.path, site, token))) thrown.push("a second widget's token");
      done.push("two widgets");
    }
    thrown.push(...complaints.filter((line) => /error/i.test(line) && !/^stile: /.test(line)));
    return { ...row, passes, thrown, remark: done.join(", ") };
  } catch (error) {
    const said = String((error as Error).message).split("\n")[0] ?? "";
    return { ...row, passes: false, thrown, remark: `${done.join(", ")} ${said}`.trim() };
  } finally {
    await context.close();
    stop();
  }
}
