// The solver frame: computes for the page that embeds it and does nothing else. It makes no request but for its worker's script.
import { readNavigator } from "../signals/browser-facts.ts";
import { fieldsOf } from "../untrusted.ts";
import { askWorker } from "./ask-worker.ts";
import type { FrameMessage } from "./messages.ts";
import { toPuzzle } from "./solve-request.ts";
import { startWorkers } from "./start-workers.ts";

/** The origin of the page's first message; from then on no other is heard. */
let pageOrigin: string | undefined;
let stopWorkers: (() => void) | undefined;

function reply(message: FrameMessage): void {
  // An opaque origin (a sandboxed page) cannot be named; what is said here is no secret.
  if (pageOrigin !== undefined) parent.postMessage(message, pageOrigin === "null" ? "*" : pageOrigin);
}

function solve(request: unknown): void {
  stopWorkers?.();
  const puzzle = toPuzzle(request);
  if (puzzle === undefined) reply({ stile: "failed" });
  else stopWorkers = startWorkers(puzzle, navigator.hardwareConcurrency, reply);
}

async function greet(): Promise<void> {
  const probe = await askWorker();
  reply({ stile: "ready", navigator: readNavigator(navigator), worker: probe?.facts, graphics: probe?.graphics });
}

addEventListener("message", (event) => {
  if (event.source !== parent || parent === window) return;
  pageOrigin ??= event.origin;
  if (event.origin !== pageOrigin) return;
  const { stile, request } = fieldsOf(event.data);
  if (stile === "hello") void greet();
  if (stile === "solve") solve(request);
});
