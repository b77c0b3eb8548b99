import type { PageServices } from "../element/page-services.ts";
import type { FrameProbe } from "../signals/frame-probe.ts";
import { type FrameReply, type FrameRequest, parseFrameReply } from "./messages.ts";
import type { SolveRequest } from "./solve-request.ts";

/** A frame that has answered. */
export type SolverFrame = {
  readonly probe: FrameProbe;
  /**
   * The packed solution, or undefined if the frame can't provide one (no workers, silence, abort).
   */
  readonly solve: (
    request: SolveRequest,
    onProgress: (found: number) => void,
  ) => Promise<Uint8Array | undefined>;
};

const LOAD_TIMEOUT_MS = 5000;
/**
 * The longest silence of a working solver, ms: at the greatest difficulty a slow phone takes
 * seconds for a nonce.
 */
const SILENCE_TIMEOUT_MS = 30_000;

/**
 * Opens `{base}/frame` hidden inside `parent`; it is removed when `signal` aborts. Undefined if it
 * does not answer in time: blocked by the page's policy or an extension, or not reachable.
 */
export async function openSolverFrame(
  { base, refuses }: Pick<PageServices, "base" | "refuses">,
  parent: ParentNode,
  signal: AbortSignal,
): Promise<SolverFrame | undefined> {
  const { origin } = new URL(base);
  const iframe = document.createElement("iframe");
  // Scaled to nothing: with a size, it would give a small scroller with a transform scroll bars.
  iframe.style = "position:fixed;scale:0;visibility:hidden";
  iframe.src = `${base}/frame`;
  /** Called with each reply, or without one if none will come. */
  let onReply = (_reply?: FrameReply): void => {};
  const end = (): void => {
    iframe.remove();
    onReply();
  };
  signal.addEventListener("abort", end);
  const onMessage = ({ source, origin: from, data }: MessageEvent): void => {
    const reply = source === iframe.contentWindow && from === origin && parseFrameReply(data);
    if (reply) onReply(reply);
  };
  addEventListener("message", onMessage, { signal });
  // No reason to wait for a frame that never comes. `refuses` knows of this already: its listener
  // is older.
  document.addEventListener("securitypolicyviolation", () => refuses("frame-src") && end(), {
    signal,
  });
  // A block, so that nothing is returned: WebKit makes tail calls without a caller, and the message
  // would seem to be the frame's.
  const post = (request: FrameRequest): void => {
    iframe.contentWindow?.postMessage(request, origin);
  };
  /**
   * Waits for the next reply other than progress; undefined after that time without any reply, or
   * on abort.
   */
  const next = (timeoutMs: number, onProgress?: (found: number) => void) =>
    new Promise<FrameReply | undefined>((resolve) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const wait = (): void => {
        timer = setTimeout(() => onReply(), timeoutMs);
      };
      onReply = (reply) => {
        clearTimeout(timer);
        if (reply?.stile !== "progress") return resolve(reply);
        onProgress?.(reply.found);
        wait();
      };
      wait();
    });
  iframe.onload = (): void => {
    post({ stile: "hello" });
  };
  parent.append(iframe);
  const probe = await next(LOAD_TIMEOUT_MS);
  return probe?.stile === "ready"
    ? {
        probe,
        solve: async (request, onProgress) => {
          post({ stile: "solve", request });
          const last = await next(SILENCE_TIMEOUT_MS, onProgress);
          return last?.stile === "solved" ? last.solution : undefined;
        },
      }
    : undefined;
}
