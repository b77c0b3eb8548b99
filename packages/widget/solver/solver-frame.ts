import type { PageServices } from "../element/page-services.ts";
import type { FrameProbe } from "../signals/frame-probe.ts";
import { type FrameReply, type FrameRequest, parseFrameReply } from "./messages.ts";
import type { SolveRequest } from "./solve-request.ts";

/** A frame that has answered. */
export type SolverFrame = {
  readonly probe: FrameProbe;
  /** The packed solution, or undefined if the frame cannot (no workers, silence, abort). */
  readonly solve: (request: SolveRequest, onProgress: (found: number) => void) => Promise<Uint8Array | undefined>;
};

const LOAD_TIMEOUT_MS = 5000;
/** Longest silence of a working solver: at the greatest difficulty a slow phone still finds a nonce in a few seconds. */
const SILENCE_TIMEOUT_MS = 30_000;

/**
 * Opens `{base}/frame` hidden inside `parent`; it is removed when `signal` aborts. Undefined if it does not answer in time: blocked by
 * the page's policy, by an extension, or not reachable.
 */
export async function openSolverFrame(
  { base, refuses }: Pick<PageServices, "base" | "refuses">,
  parent: ParentNode,
  signal: AbortSignal,
): Promise<SolverFrame | undefined> {
  const { origin } = new URL(base);
  const iframe = document.createElement("iframe");
  // Laid out, or nothing in it has a place: 256 px each way inside its border (proof of browser).
  iframe.style = "position:fixed;inset:0;width:260px;height:260px;visibility:hidden";
  iframe.src = `${base}/frame`;
  /** Hears of each reply, and of none where there will be none. */
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
  // No reason to wait for a frame that never comes. What is refused was noted already: the page listens longer.
  document.addEventListener("securitypolicyviolation", () => refuses("frame-src") && end(), { signal });
  // Nothing returns what it calls: WebKit calls in tail position without a caller, and the message then seems to come from the frame.
  const post = (request: FrameRequest): void => {
    iframe.contentWindow?.postMessage(request, origin);
  };
  /** Waits for the next reply that is no progress; undefined after that time without any reply, or on abort. */
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
