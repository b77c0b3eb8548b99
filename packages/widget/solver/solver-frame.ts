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

/** Waits for the next reply that `wanted` takes; undefined after `timeoutMs` without any reply, or on abort. */
type Listen = <T>(timeoutMs: number, wanted: (reply: FrameReply) => T | undefined) => Promise<T | undefined>;

function listenTo(iframe: HTMLIFrameElement, origin: string, signal: AbortSignal): Listen {
  return <T>(timeoutMs: number, wanted: (reply: FrameReply) => T | undefined) =>
    new Promise<T | undefined>((resolve) => {
      const listening = new AbortController();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const end = (value: T | undefined): void => {
        listening.abort();
        clearTimeout(timer);
        resolve(value);
      };
      const restart = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => end(undefined), timeoutMs);
      };
      const onMessage = (event: MessageEvent): void => {
        if (event.source !== iframe.contentWindow || event.source === null || event.origin !== origin) return;
        const reply = parseFrameReply(event.data);
        if (reply === undefined) return;
        restart();
        const value = wanted(reply);
        if (value !== undefined) end(value);
      };
      addEventListener("message", onMessage, { signal: listening.signal });
      signal.addEventListener("abort", () => end(undefined), { signal: listening.signal });
      restart();
    });
}

/**
 * Opens `{base}/frame` hidden inside `parent`; it is removed when `signal` aborts. Undefined if it does not answer in time: blocked by
 * the page's policy, by an extension, or not reachable.
 */
export async function openSolverFrame(
  base: string,
  parent: ParentNode,
  signal: AbortSignal,
): Promise<SolverFrame | undefined> {
  const { origin } = new URL(base);
  const iframe = document.createElement("iframe");
  // Laid out, or nothing in it has a place: 256 px each way inside its border (proof of browser).
  iframe.style = "position:fixed;inset:0;width:260px;height:260px;visibility:hidden";
  iframe.src = `${base}/frame`;
  const ended = new AbortController();
  const end = (): void => {
    ended.abort();
    iframe.remove();
  };
  signal.addEventListener("abort", end);
  // No reason to wait for a frame that never comes.
  const onViolation = ({ effectiveDirective, blockedURI, disposition }: SecurityPolicyViolationEvent): void => {
    const isThis = effectiveDirective === "frame-src" && iframe.src.startsWith(blockedURI);
    // What a policy only reports is not refused.
    if (isThis && disposition !== "report") end();
  };
  document.addEventListener("securitypolicyviolation", onViolation, { signal: ended.signal });
  const listen = listenTo(iframe, origin, ended.signal);
  // Nothing returns what it calls: WebKit calls in tail position without a caller, and the message then seems to come from the frame.
  const post = (request: FrameRequest): void => {
    iframe.contentWindow?.postMessage(request, origin);
  };
  const greet = (): void => {
    post({ stile: "hello" });
  };
  iframe.addEventListener("load", greet, { once: true });
  parent.append(iframe);
  const probe = await listen(LOAD_TIMEOUT_MS, (reply) => (reply.stile === "ready" ? reply.probe : undefined));
  return (
    probe && {
      probe,
      solve: async (request, onProgress) => {
        post({ stile: "solve", request });
        const last = await listen(SILENCE_TIMEOUT_MS, (reply) => {
          if (reply.stile === "progress") onProgress(reply.found);
          return reply.stile === "solved" || reply.stile === "failed" ? reply : undefined;
        });
        return last?.stile === "solved" ? last.solution : undefined;
      },
    }
  );
}
