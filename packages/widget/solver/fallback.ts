// Solves on the page's own thread; loaded only if the frame or its workers are missing.
import { solveInline } from "@stile/pow/solve-inline";
import { type SolveRequest, toPuzzle } from "./solve-request.ts";

/**
 * The packed solution; undefined if this build does not know the puzzle, none was found, or
 * `signal` aborted.
 */
export async function solveHere(
  request: SolveRequest,
  signal: AbortSignal,
  onProgress: (found: number) => void,
): Promise<Uint8Array | undefined> {
  const puzzle = toPuzzle(request);
  if (puzzle === undefined) return undefined;
  const outcome = await solveInline({ ...puzzle, signal, onProgress });
  return outcome.kind === "solved" ? outcome.solutionBytes : undefined;
}
