import { type FoundFacts, readNavigator } from "../signals/browser-facts.ts";

/** What a worker sees of the browser, as it is found. */
export type WorkerProbe = { readonly facts: FoundFacts; readonly graphics: readonly [unknown, unknown] | null };

/** Names of WebGL's two strings that are not masked, where the extension is there. */
const UNMASKED = { vendor: 0x9245, renderer: 0x9246 };

/** Vendor and renderer of WebGL: two strings, nothing is drawn. */
function readGraphics(): WorkerProbe["graphics"] {
  if (typeof OffscreenCanvas === "undefined") return null;
  const gl = new OffscreenCanvas(1, 1).getContext("webgl");
  if (gl === null) return null;
  // Firefox gives the real names without the extension, and warns in the console of who asks for it.
  const isMasked = /^WebKit/.test(String(gl.getParameter(gl.RENDERER)));
  if (!isMasked) return [gl.getParameter(gl.VENDOR), gl.getParameter(gl.RENDERER)];
  if (gl.getExtension("WEBGL_debug_renderer_info") === null) return null;
  return [gl.getParameter(UNMASKED.vendor), gl.getParameter(UNMASKED.renderer)];
}

/** Looks at the browser from inside a worker. */
export function probeWorker(): WorkerProbe {
  let graphics: WorkerProbe["graphics"] = null;
  try {
    graphics = readGraphics();
  } catch {
    // Some privacy settings throw instead of giving nothing.
  }
  return { facts: readNavigator(navigator), graphics };
}
