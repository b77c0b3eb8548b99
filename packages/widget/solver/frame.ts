// The solver frame computes for the page that embeds it, and does nothing else. It requests only
// its worker's script.

import { readNavigator } from "../signals/browser-facts.ts";
import { fieldsOf } from "../untrusted.ts";
import { askWorker } from "./ask-worker.ts";
import type { FrameReply } from "./messages.ts";
import { toPuzzle } from "./solve-request.ts";
import { startWorkers } from "./start-workers.ts";

/**
 * The origin of the page's first message, which everything else answers; from then on other origins
 * are ignored.
 */
let pageOrigin = "";
let stopWorkers: (() => void) | undefined;

function reply(message: FrameReply): void {
  // An opaque origin (a sandboxed page) can't be named, and these messages contain no secret.
  parent.postMessage(message, pageOrigin === "null" ? "*" : pageOrigin);
}

function solve(request: unknown): void {
  stopWorkers?.();
  const puzzle = toPuzzle(request);
  if (puzzle === undefined) reply({ stile: "failed" });
  else stopWorkers = startWorkers(puzzle, navigator.hardwareConcurrency, reply);
}

async function greet(): Promise<void> {
  const probe = await askWorker();
  reply({
    stile: "ready",
    navigator: readNavigator(navigator),
    worker: probe?.facts,
    graphics: probe?.graphics,
  });
}

addEventListener("message", (event) => {
  if (event.source !== parent || parent === window) return;
  pageOrigin ||= event.origin;
  if (event.origin !== pageOrigin) return;
  const { stile, request } = fieldsOf(event.data);
  if (stile === "hello") void greet();
  if (stile === "solve") solve(request);
});
