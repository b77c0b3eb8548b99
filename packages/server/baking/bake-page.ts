import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { READS_PER_SCENE } from "@stile/core/domain/layout/create-scene";
import { LAYOUT_FRAME_STYLE } from "@stile/protocol/layout-frame";

/** Scenes that are answered between two messages of the page. */
const CHUNK = 20;

const POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'";

const documentOf = (script: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Stile</title><script type="module" src="${script}"></script></html>`;

/** What the page runs: it asks in a frame as visitors' pages have it, whatever the size of its window. */
const OUTER = `
const frame = document.createElement("iframe");
frame.style.cssText = "${LAYOUT_FRAME_STYLE}";
frame.src = "frame";
document.body.append(frame);
`;

/**
 * What the frame runs: the very reader that visitors' frames load, over all scenes, a few at a time. A busy machine may break a
 * connection: what did not arrive is sent again, and what did is refused, which is as good.
 */
const SCRIPT = `
const { readLayout } = await import(new URL("read-layout.js", import.meta.url));
async function ask(...request) {
  for (;;) {
    try {
      return await fetch(...request);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
const scenes = await (await ask("scenes")).json();
for (let at = 0; at < scenes.length; at += ${CHUNK}) {
  const answer = readLayout(["0", ...scenes.slice(at, at + ${CHUNK})].join("\\n"));
  await ask("answers?at=" + at, { method: "POST", body: answer.subarray(2) });
}
`;

/** A page on this machine's own address that asks whoever opens it; it answers under a secret path, once. */
export type BakePage = {
  readonly url: string;
  /** Resolves with 16 bytes a scene once all are answered. */
  readonly answered: Promise<Uint8Array>;
  readonly close: () => void;
};

/** Opens such a page for these scenes; `reader` is the script that reads a layout, `onProgress` is told how many are answered. */
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
    // Strictly one after the other: nothing is answered twice.
    if (at !== answered || body.length !== expected) return 400;
    reads.set(body, READS_PER_SCENE * at);
    answered += body.length / READS_PER_SCENE;
    onProgress(answered);
    if (answered === scenes.length) whole.resolve(reads);
    return 204;
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
      response.writeHead(await take(request, Number(searchParams.get("at"))).catch(() => 400)).end();
      return;
    }
    const [type, body] = (name !== undefined && files[name]) || ["text/plain", ""];
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
