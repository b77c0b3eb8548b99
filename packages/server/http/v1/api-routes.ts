import type { HttpRoute } from "../http-route.ts";
import type { ApiPorts } from "./api-ports.ts";
import { powChallengeRoute } from "./pow/challenge/pow-challenge.ts";
import { scoreRoute } from "./score/score.ts";
import { tokenVerifyRoute } from "./token/verify/token-verify.ts";
import { verifyRoute } from "./verify/verify.ts";

/** The rows of the four public endpoints (spec 4). */
export function createApiRoutes(ports: ApiPorts): readonly HttpRoute[] {
  return [tokenVerifyRoute(ports), scoreRoute(ports), powChallengeRoute(ports), verifyRoute(ports)];
}
