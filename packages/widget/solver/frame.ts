// The solver frame computes for the page that embeds it, and nothing else. It requests only its worker's script.

import { readNavigator } from "../signals/browser-facts.ts";
import { fieldsOf } from "../untrusted.ts";
import { askWorker } from "./ask-worker.ts";
import type { FrameMessage } from "./messages.ts";
import type { readLayout } from "./read-layout.ts";
import { toPuzzle } from "./solve-request.ts";
import { startWorkers } from "./start-workers.ts";

type LayoutReader = { readonly readLayout: typeof readLayout };

/** The origin of the page's first message, which everything else answers; from then on other origins are ignored. */
let pageOrigin = "";
let stopWorkers: (() => void) | undefined;

function reply(message: FrameMessage): void {
  // An opaque origin (a sandboxed page) can't be named; what is sent here is no secret.
  parent.postMessage(message, pageOrigin === "null" ? "*" : pageOrigin);
}

/** In the same folder as this script; the separate variable keeps it out of the bundle. */
const READER = "./read-layout.js";

/** What is read from the scenes that came with the challenge; undefined if there are none, or they can't be read. */
const layOut = async (scenes: unknown): Promise<Uint8Array | undefined> =>
  scenes
    ? import(/* @vite-ignore */ READER)
        .then((reader: LayoutReader) => reader.readLayout(String(scenes)))
        .catch(() => undefined)
    : undefined;

async function solve(request: unknown): Promise<void> {
  const layout = await layOut(fieldsOf(request).scenes);
  stopWorkers?.();
  const puzzle = toPuzzle(request, layout);
  if (puzzle === undefined) return reply({ stile: "failed" });
  stopWorkers = startWorkers(puzzle, navigator.hardwareConcurrency, reply, layout);
}

async function greet(): Promise<void> {
  const probe = await askWorker();
  reply({ stile: "ready", navigator: readNavigator(navigator), worker: probe?.facts, graphics: probe?.graphics });
}

addEventListener("message", (event) => {
  if (event.source !== parent || parent === window) return;
  pageOrigin ||= event.origin;
  if (event.origin !== pageOrigin) return;
  const { stile, request } = fieldsOf(event.data);
  if (stile === "hello") void greet();
  if (stile === "solve") void solve(request);
  if (stile === "lay_out") void layOut(request).then((layout) => reply({ stile: "layout", layout }));
});
