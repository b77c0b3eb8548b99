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
  const ended = new AbortController();
  /** Hears of each reply, and of none where there will be none. */
  let onReply = (_reply?: FrameReply): void => {};
  const end = (): void => {
    ended.abort();
    iframe.remove();
    onReply();
  };
  signal.addEventListener("abort", end);
  const listen = (scope: EventTarget, name: string, onEvent: (event: MessageEvent) => void): void =>
    scope.addEventListener(name, onEvent as (event: Event) => void, { signal: ended.signal });
  listen(window, "message", (event) => {
    if (event.source === null || event.source !== iframe.contentWindow || event.origin !== origin) return;
    const reply = parseFrameReply(event.data);
    if (reply) onReply(reply);
  });
  // No reason to wait for a frame that never comes. What is refused was noted already: the page listens longer.
  listen(document, "securitypolicyviolation", () => refuses("frame-src") && end());
  // Nothing returns what it calls: WebKit calls in tail position without a caller, and the message then seems to come from the frame.
  const post = (request: FrameRequest): void => {
    iframe.contentWindow?.postMessage(request, origin);
  };
  /** Waits for the next reply that `wanted` takes; undefined after that time without any reply, or on abort. */
  const next = <T>(timeoutMs: number, wanted: (reply: FrameReply) => T | undefined) =>
    new Promise<T | undefined>((resolve) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const wait = (): void => {
        timer = setTimeout(() => onReply(), timeoutMs);
      };
      onReply = (reply) => {
        clearTimeout(timer);
        const value = reply && wanted(reply);
        if (reply && value === undefined) wait();
        else resolve(value);
      };
      wait();
    });
  const greet = (): void => {
    post({ stile: "hello" });
  };
  iframe.addEventListener("load", greet, { once: true });
  parent.append(iframe);
  const probe = await next(LOAD_TIMEOUT_MS, (reply) => (reply.stile === "ready" ? reply : undefined));
  return (
    probe && {
      probe,
      solve: async (request, onProgress) => {
        post({ stile: "solve", request });
        const last = await next(SILENCE_TIMEOUT_MS, (reply) => {
          if (reply.stile === "progress") onProgress(reply.found);
          return reply.stile === "solved" || reply.stile === "failed" ? reply : undefined;
        });
        return last?.stile === "solved" ? last.solution : undefined;
      },
    }
  );
}
