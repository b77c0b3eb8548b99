import { type FoundFacts, readNavigator } from "../signals/browser-facts.ts";

/** A worker's observations of the browser, unchecked. */
export type WorkerProbe = {
  readonly facts: FoundFacts;
  readonly graphics: readonly [unknown, unknown] | null;
};

/** WebGL's constants for its two unmasked strings, if the extension exists. */
const UNMASKED = { vendor: 0x9245, renderer: 0x9246 };

/** WebGL's vendor and renderer: two strings; nothing is drawn. */
function readGraphics(): WorkerProbe["graphics"] {
  if (typeof OffscreenCanvas === "undefined") return null;
  const gl = new OffscreenCanvas(1, 1).getContext("webgl");
  if (gl === null) return null;
  // Firefox gives the real names without the extension, and prints a warning to the console if it
  // is requested.
  const isMasked = /^WebKit/.test(String(gl.getParameter(gl.RENDERER)));
  if (!isMasked) return [gl.getParameter(gl.VENDOR), gl.getParameter(gl.RENDERER)];
  if (gl.getExtension("WEBGL_debug_renderer_info") === null) return null;
  return [gl.getParameter(UNMASKED.vendor), gl.getParameter(UNMASKED.renderer)];
}

/** Inspects the browser from inside a worker. */
export function probeWorker(): WorkerProbe {
  let graphics: WorkerProbe["graphics"] = null;
  try {
    graphics = readGraphics();
  } catch {
    // Some privacy settings throw instead of returning nothing.
  }
  return { facts: readNavigator(navigator), graphics };
}
