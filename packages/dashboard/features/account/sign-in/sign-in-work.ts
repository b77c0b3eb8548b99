import type { DashboardAnswer, EnteredData, SignInPuzzleData } from "@stile/protocol/dashboard-api";
import { useEffect, useRef } from "preact/hooks";
import { send } from "../../../api.ts";
import type { SignInSolution } from "../../../solve-puzzle.ts";

/**
 * How often to try again if a puzzle was too old, has become too easy, or belongs to another
 * network.
 */
const FURTHER_TRIES = 2;

/**
 * Fetches and solves one puzzle; undefined if that fails, and then the service says what it needs.
 */
async function work(signal: AbortSignal): Promise<SignInSolution | undefined> {
  try {
    const [asked, { solvePuzzle }] = await Promise.all([
      send<SignInPuzzleData>("POST", "sign-in/puzzle"),
      import("../../../solve-puzzle.ts"),
    ]);
    return asked.success ? await solvePuzzle(asked.data, signal) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Signs in with the proof of work that the service asks of an unknown browser. The work is done
 * while the visitor types, and again after each refusal.
 */
export function useSignInWork(): (body: object) => Promise<DashboardAnswer<EnteredData>> {
  const done = useRef<Promise<SignInSolution | undefined>>(undefined);
  const leaving = useRef(new AbortController());
  const begin = () => {
    done.current = work(leaving.current.signal);
  };
  useEffect(() => {
    begin();
    return () => leaving.current.abort();
  }, []);
  return async (body) => {
    for (let further = FURTHER_TRIES; ; further--) {
      const puzzle = await done.current;
      const answer = await send<EnteredData>("POST", "sign-in", {
        ...body,
        ...(puzzle && { puzzle }),
      });
      if (answer.success) return answer;
      begin();
      if (answer.error.code !== "puzzle_needed" || further === 0) return answer;
    }
  };
}
