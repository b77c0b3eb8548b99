import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { READS_PER_SCENE } from "@stile/core/domain/layout/create-scene";
import { LAYOUT_FRAME_STYLE } from "@stile/protocol/layout-frame";

/** How many scenes the page answers per message. */
const CHUNK = 20;
/** After this time without an answer, the page repeats its request; in ms. */
const ASK_MS = 10_000;

const POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'";

const documentOf = (script: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Stile</title><script type="module" src="${script}"></script></html>`;

/** The page's script: it asks in the same frame that visitors' pages have, whatever the size of its window. */
const OUTER = `
const frame = document.createElement("iframe");
frame.style.cssText = "${LAYOUT_FRAME_STYLE}";
frame.src = "frame";
document.body.append(frame);
`;

/**
 * The frame's script: it runs the reader of visitors' frames on all scenes, a few at a time. A busy machine may break a
 * connection, not answer, or lay out the frame late. Each response says how many scenes are answered, and the script
 * continues there.
 */
const SCRIPT = `
const { readLayout } = await import(new URL("read-layout.js", import.meta.url));
const pause = () => new Promise((resolve) => setTimeout(resolve, 100));
async function ask(path, options) {
  for (;;) {
    try {
      const answer = await fetch(path, { ...options, signal: AbortSignal.timeout(${ASK_MS}) });
      return await answer.text();
    } catch {
      await pause();
    }
  }
}
const scenes = JSON.parse(await ask("scenes"));
for (let at = 0; at < scenes.length; ) {
  const reads = readLayout(["0", ...scenes.slice(at, at + ${CHUNK})].join("\\n")).subarray(2);
  const answered = Number(await ask("answers?at=" + at, { method: "POST", body: reads }));
  if (answered <= at) await pause();
  at = answered;
}
`;

/** A page on a loopback address that asks its scenes of any browser that opens it, once, under a secret path. */
export type BakePage = {
  readonly url: string;
  /** Resolves with 16 bytes per scene once all scenes are answered. */
  readonly answered: Promise<Uint8Array>;
  readonly close: () => void;
};

/**
 * Opens such a page for these scenes. `reader` is the script that reads a layout. `onProgress` gets the number of
 * answered scenes, also whenever the page loads a file, because on a busy machine a browser loads for long before it
 * answers.
 */
export async function openBakePage(
  scenes: readonly string[],
  reader: Uint8Array,
  onProgress: (answered: number) => void,
): Promise<BakePage> {
  const secret = `/${randomBytes(16).toString("hex")}/`;
  const reads = new Uint8Array(READS_PER_SCENE * scenes.length);
  const whole = Promise.withResolvers<Uint8Array>();
  let answered = 0;

  const take = async (request: IncomingMessage, at: number): Promise<number> => {
    const body = await buffer(request);
    const expected = READS_PER_SCENE * Math.min(CHUNK, scenes.length - at);
    // Answers must come in order, so that no scene is answered twice.
    if (at !== answered || body.length !== expected) return 400;
    reads.set(body, READS_PER_SCENE * at);
    answered += body.length / READS_PER_SCENE;
    onProgress(answered);
    if (answered === scenes.length) whole.resolve(reads);
    return 200;
  };
  const files: Readonly<Record<string, readonly [type: string, body: string | Uint8Array]>> = {
    "": ["text/html; charset=utf-8", documentOf("bake.js")],
    "bake.js": ["text/javascript", OUTER],
    frame: ["text/html; charset=utf-8", documentOf("frame.js")],
    "frame.js": ["text/javascript", SCRIPT],
    "read-layout.js": ["text/javascript", reader],
    scenes: ["application/json", JSON.stringify(scenes)],
  };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const name = pathname.startsWith(secret) ? pathname.slice(secret.length) : undefined;
    if (request.method === "POST" && name === "answers") {
      const status = await take(request, Number(searchParams.get("at"))).catch(() => 400);
      response.writeHead(status, { "Content-Type": "text/plain" }).end(String(answered));
      return;
    }
    const [type, body] = (name !== undefined && files[name]) || ["text/plain", ""];
    if (body !== "") onProgress(answered);
    response.writeHead(body === "" ? 404 : 200, { "Content-Type": type, "Content-Security-Policy": POLICY }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${secret}`,
    answered: whole.promise,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
