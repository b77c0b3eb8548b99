import type { FrameProbe } from "../signals/frame-probe.ts";
import { fieldsOf } from "../untrusted.ts";
import type { SolveRequest } from "./solve-request.ts";

/**
 * Page to frame. `ready` answers `hello`; any number of `progress` and one `solved` or `failed`
 * answer `solve`.
 */
export type FrameRequest =
  | { readonly stile: "hello" }
  | { readonly stile: "solve"; readonly request: SolveRequest };

/** Frame to page. */
export type FrameReply =
  | ({ readonly stile: "ready" } & FrameProbe)
  | { readonly stile: "progress"; readonly found: number }
  | { readonly stile: "solved"; readonly solution: Uint8Array }
  /**
   * The puzzle is unknown to this build, or a worker could not start or died: the page solves on
   * its own thread.
   */
  | { readonly stile: "failed" };

const MAX_FOUND = 255;
const MAX_SOLUTION_BYTES = 1024;

/** Parses a message from the frame's window and origin into a reply; undefined if it is not one. */
export function parseFrameReply(data: unknown): FrameReply | undefined {
  const { stile, found, solution } = fieldsOf(data);
  const isReply =
    stile === "progress"
      ? typeof found === "number" && found >= 0 && found <= MAX_FOUND
      : stile === "solved"
        ? solution instanceof Uint8Array &&
          solution.length > 0 &&
          solution.length <= MAX_SOLUTION_BYTES
        : stile === "ready" || stile === "failed";
  return isReply ? (data as FrameReply) : undefined;
}
