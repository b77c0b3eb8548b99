import type { SignInPuzzleData } from "@stile/protocol/dashboard-api";
import type { Client } from "../../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { issuePuzzle } from "../../../services/account/sign-in/sign-in-puzzle.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "localLimiter" | "puzzleBase">;

/**
 * The work for a client before it submits a password, unless its browser is known. It reveals
 * nothing about members.
 */
export function askPuzzle(ports: Ports, client: Client): SignInPuzzleData {
  const { text, challenge } = issuePuzzle(ports, client);
  const { algorithm, k, difficulty } = challenge;
  return { challenge: text, algorithm, k, difficulty };
}
