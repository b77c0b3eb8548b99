// The solver frame: computes for the page that embeds it and does nothing else. It makes no request but for its worker's script.

import { readNavigator } from "../signals/browser-facts.ts";
import { fieldsOf } from "../untrusted.ts";
import { askWorker } from "./ask-worker.ts";
import type { FrameMessage } from "./messages.ts";
import type { readLayout } from "./read-layout.ts";
import { toPuzzle } from "./solve-request.ts";
import { startWorkers } from "./start-workers.ts";

type LayoutReader = { readonly readLayout: typeof readLayout };

/** The origin of the page's first message, to which all else is an answer; from then on no other is heard. */
let pageOrigin = "";
let stopWorkers: (() => void) | undefined;

function reply(message: FrameMessage): void {
  // An opaque origin (a sandboxed page) cannot be named; what is said here is no secret.
  parent.postMessage(message, pageOrigin === "null" ? "*" : pageOrigin);
}

/** Beside this script; a name of its own keeps it out of the bundle. */
const READER = "./read-layout.js";

/** What is read of the scenes that came with the challenge; nothing where none came, or nothing can read them. */
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
