import type { FrameProbe } from "../signals/frame-probe.ts";
import { fieldsOf } from "../untrusted.ts";
import type { SolveRequest } from "./solve-request.ts";

/** Page to frame. `hello` is answered by `ready`, `solve` by any number of `progress` and one `solved` or `failed`. */
export type FrameRequest = { readonly stile: "hello" } | { readonly stile: "solve"; readonly request: SolveRequest };

/** Frame to page, as the frame sends it. */
export type FrameMessage =
  | FrameReply
  /** To the operator's dashboard, which asked for it with `lay_out` (D16). */
  | { readonly stile: "layout"; readonly layout: Uint8Array | undefined };

/** Frame to page, as the page understands it. */
export type FrameReply =
  | ({ readonly stile: "ready" } & FrameProbe)
  | { readonly stile: "progress"; readonly found: number }
  | { readonly stile: "solved"; readonly solution: Uint8Array }
  /** No puzzle this build knows, or no worker could be started or one died: the page solves on its own thread. */
  | { readonly stile: "failed" };

const MAX_FOUND = 255;
const MAX_SOLUTION_BYTES = 1024;

/** A message that reached the page, from the frame's window and origin, as the reply that it is; undefined for what is none. */
export function parseFrameReply(data: unknown): FrameReply | undefined {
  const { stile, found, solution } = fieldsOf(data);
  const isReply =
    stile === "progress"
      ? typeof found === "number" && found >= 0 && found <= MAX_FOUND
      : stile === "solved"
        ? solution instanceof Uint8Array && solution.length > 0 && solution.length <= MAX_SOLUTION_BYTES
        : stile === "ready" || stile === "failed";
  return isReply ? (data as FrameReply) : undefined;
}
