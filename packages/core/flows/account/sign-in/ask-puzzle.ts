import type { SignInPuzzleData } from "@stile/protocol/dashboard-api";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import type { Client } from "../signed-in.ts";
import { issuePuzzle } from "./sign-in-puzzle.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "localLimiter" | "puzzleBase">;

/** The work to do before the client hands in a password, unless its browser is known. It tells nothing of any member. */
export function askPuzzle(ports: Ports, client: Client): SignInPuzzleData {
  const { text, challenge } = issuePuzzle(ports, client);
  const { algorithm, k, difficulty } = challenge;
  return { challenge: text, algorithm, k, difficulty };
}
