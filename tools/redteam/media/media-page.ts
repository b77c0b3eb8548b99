import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { LAYOUT_FRAME_STYLE } from "@stile/protocol/layout-frame";
import { type Answers, askHere, KEYWORDS } from "./ask-in-page.ts";

/**
 * What one visitor answered: in the page, in a frame of the same site, and in a frame of another one. The solver's
 * frame is of another site unless the service has a name below the customer's.
 */
export type Reading = { readonly page: Answers; readonly near: Answers; readonly far: Answers };

/** How the page itself is styled: what a customer's page may do to the frames in it. */
export type PageStyle = "plain" | "dark" | "zoomed";

const ROOT_STYLE: Readonly<Record<PageStyle, string>> = {
  plain: "",
  dark: "color-scheme:dark",
  zoomed: "zoom:1.25",
};

/** A page that asks whoever opens it, once under each name. */
export type MediaPage = {
  readonly urlOf: (name: string, style?: PageStyle, waitsForZoom?: boolean) => string;
  /** Resolves once the page of this name is there, before it answers. */
  readonly opened: (name: string) => Promise<void>;
  readonly reading: (name: string) => Promise<Reading>;
  readonly close: () => void;
};

const PATIENCE_MS = 40_000;
/** How long a page waits before it asks: for zoom in steps, and for emulation that comes after a frame. */
const SETTLE_MS = 700;
const READER = join(import.meta.dirname, "..", "..", "..", "packages", "widget", "dist", "read-layout.js");

const ASK = `const { readLayout } = await import("/read-layout.js");
const ask = () => (${askHere.toString()})(readLayout, ${JSON.stringify(KEYWORDS)});`;

const FRAME_SCRIPT = `${ASK}
addEventListener("message", ({ source }) => source.postMessage(ask(), "*"));
parent.postMessage("ready", "*");`;

/** Zooming by the keyboard comes after the page: it waits for the last of the sizes that a browser passes through. */
const pageScript = (port: number): string => `${ASK}
const tell = (what, body) => fetch(what + location.search, { method: "POST", body: JSON.stringify(body ?? null) });
const next = (type, target = window) => new Promise((resolve) => target.addEventListener(type, resolve, { once: true }));
const openFrame = async (host) => {
  const frame = document.createElement("iframe");
  frame.style.cssText = ${JSON.stringify(LAYOUT_FRAME_STYLE)};
  frame.src = "http://" + host + ":${port}/frame";
  const ready = next("message");
  document.body.append(frame);
  await ready;
  return async () => {
    const answered = next("message");
    frame.contentWindow.postMessage("ask", "*");
    return (await answered).data;
  };
};
const near = await openFrame(location.hostname);
const far = await openFrame("localhost");
const resized = next("resize");
await tell("/opened");
if (location.search.includes("waits")) await resized;
await new Promise((resolve) => setTimeout(resolve, ${SETTLE_MS}));
await tell("/reading", { page: ask(), near: await near(), far: await far() });`;

const documentOf = (script: string, style = ""): string =>
  `<!doctype html><html lang="en" style="${style}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Asking</title><link rel="icon" href="data:,"><body><script type="module" src="${script}"></script></body></html>`;

/** Opens it on the loopback address; the far frame is under `localhost`, which browsers take for another site. */
export async function openMediaPage(): Promise<MediaPage> {
  const openings = new Map<string, PromiseWithResolvers<void>>();
  const readings = new Map<string, PromiseWithResolvers<Reading>>();
  const of = <Value>(map: Map<string, PromiseWithResolvers<Value>>, name: string): PromiseWithResolvers<Value> => {
    const one = map.get(name) ?? Promise.withResolvers<Value>();
    map.set(name, one);
    return one;
  };
  const within = async <Value>(name: string, what: Promise<Value>): Promise<Value> => {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`${name} did not answer`)), PATIENCE_MS);
    return Promise.race([what, late.promise]).finally(() => clearTimeout(timer));
  };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const name = searchParams.get("name") ?? "";
    const style = ROOT_STYLE[(searchParams.get("style") ?? "plain") as PageStyle];
    const send = (type: string, body: string | Buffer): void =>
      void response.writeHead(200, { "Content-Type": type, "Cache-Control": "no-store" }).end(body);
    if (pathname === "/opened") of(openings, name).resolve();
    if (pathname === "/reading") of(readings, name).resolve(JSON.parse(await text(request)) as Reading);
    if (pathname === "/") send("text/html", documentOf("/page.js", style));
    else if (pathname === "/frame") send("text/html", documentOf("/frame.js"));
    else if (pathname === "/page.js") send("text/javascript", pageScript(port));
    else if (pathname === "/frame.js") send("text/javascript", FRAME_SCRIPT);
    else if (pathname === "/read-layout.js") send("text/javascript", readFileSync(READER));
    else send("text/plain", "");
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (name, style = "plain", waitsForZoom = false) =>
      `http://127.0.0.1:${port}/?name=${encodeURIComponent(name)}&style=${style}${waitsForZoom ? "&waits=1" : ""}`,
    opened: (name) => within(name, of(openings, name).promise),
    reading: (name) => within(name, of(readings, name).promise),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
