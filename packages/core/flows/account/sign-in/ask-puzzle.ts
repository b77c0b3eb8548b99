import type { SignInPuzzleData } from "@stile/protocol/dashboard-api";
import type { AccountPorts, Client } from "../account-ports.ts";
import { issuePuzzle } from "./sign-in-puzzle.ts";

/** The work to do before the client hands in a password, unless its browser is known. It tells nothing of any member. */
export function askPuzzle(ports: AccountPorts, client: Client): SignInPuzzleData {
  const { text, challenge } = issuePuzzle(ports, client);
  const { algorithm, k, difficulty } = challenge;
  return { challenge: text, algorithm, k, difficulty };
}
