import type { Proof } from "@stile/core/services/account/session/prove-session";
import { listSessions } from "@stile/core/use-cases/account/session/list-sessions";
import {
  beginPasskeyProof,
  finishPasskeyProof,
} from "@stile/core/use-cases/account/session/prove-by-passkey";
import { proveByPassword } from "@stile/core/use-cases/account/session/prove-by-password";
import { revokeOtherSessions } from "@stile/core/use-cases/account/session/revoke-other-sessions";
import { revokeSession } from "@stile/core/use-cases/account/session/revoke-session";
import { signOut } from "@stile/core/use-cases/account/sign-in/sign-out";
import { passkeySignInSchema, passwordSchema } from "@stile/protocol/schemas/dashboard";
import { ok, type RouteReply, refuse, refuseLimited } from "../reply.ts";
import { memberRoute, type Route } from "../route.ts";

const end = memberRoute({
  method: "POST",
  path: "sign-out",
  role: "viewer",
  mayLackFactor: true,
  handle: async ({ ports, signedIn }) => {
    await signOut(ports, signedIn);
    return { kind: "data", data: {}, signedIn: null };
  },
});

function toReply(proof: Proof): RouteReply {
  switch (proof.kind) {
    case "proven":
      return ok();
    case "wrong_credentials":
      return refuse(proof.kind);
    case "limited":
      return refuseLimited(proof.limit);
    default:
      return proof satisfies never;
  }
}

const provePassword = memberRoute({
  method: "POST",
  path: "prove",
  role: "viewer",
  mayLackFactor: true,
  body: passwordSchema,
  handle: async ({ ports, signedIn, body }) =>
    toReply(await proveByPassword(ports, signedIn, body.password)),
});

const beginProof = memberRoute({
  method: "POST",
  path: "prove/passkey/options",
  role: "viewer",
  mayLackFactor: true,
  handle: async ({ ports, party, signedIn }) => ok(await beginPasskeyProof(ports, party, signedIn)),
});

const finishProof = memberRoute({
  method: "POST",
  path: "prove/passkey",
  role: "viewer",
  mayLackFactor: true,
  body: passkeySignInSchema,
  handle: async (call) =>
    toReply(await finishPasskeyProof(call.ports, call.party, call.signedIn, call.body)),
});

const list = memberRoute({
  method: "GET",
  path: "me/sessions",
  role: "viewer",
  handle: async ({ ports, signedIn }) => ok(await listSessions(ports, signedIn)),
});

const revoke = memberRoute({
  method: "DELETE",
  path: "me/sessions/:sessionId",
  role: "viewer",
  handle: async ({ ports, signedIn, params }) => {
    const answer = await revokeSession(ports, signedIn, params.sessionId);
    return answer === "revoked" ? ok() : refuse(answer);
  },
});

const revokeOthers = memberRoute({
  method: "DELETE",
  path: "me/sessions",
  role: "viewer",
  handle: async ({ ports, signedIn }) => ok({ ended: await revokeOtherSessions(ports, signedIn) }),
});

/** Routes of the member's sessions: how to end them, and how to prove one's identity again. */
export const sessionRoutes: readonly Route[] = [
  end,
  provePassword,
  beginProof,
  finishProof,
  list,
  revoke,
  revokeOthers,
];
