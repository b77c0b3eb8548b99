import { makeResetLink } from "@stile/core/use-cases/account/link/make-reset-link";
import { changeRole } from "@stile/core/use-cases/account/member/change-role";
import { inviteMember } from "@stile/core/use-cases/account/member/invite-member";
import { listMembers } from "@stile/core/use-cases/account/member/list-members";
import { removeMember } from "@stile/core/use-cases/account/member/remove-member";
import { revokeInvitation } from "@stile/core/use-cases/account/member/revoke-invitation";
import { endMemberSessions } from "@stile/core/use-cases/account/session/end-member-sessions";
import type { NewLinkData } from "@stile/protocol/dashboard-api";
import { MOST_MEMBERS } from "@stile/protocol/limits";
import { resetSchema, roleSchema } from "@stile/protocol/schemas/dashboard";
import { ok, type RouteReply, refuse, refuseLimited, WRONG_CURRENT_PASSWORD } from "../reply.ts";
import { memberRoute, type OpenCall, type Route } from "../route.ts";
import { linkUrl } from "./link-url.ts";

const TOO_MANY_MEMBERS = refuse("invalid_input", {
  problems: [
    {
      field: "role",
      message: `This account has ${MOST_MEMBERS} members and open invitations, which is the maximum. Withdraw some invitations first.`,
    },
  ],
});

/** A link to pass on, shown only this once. */
function answerLink(
  { baseUrl }: OpenCall,
  made: { token: string; link: { expiresAtMs: number } },
): RouteReply {
  const data: NewLinkData = {
    url: linkUrl(baseUrl, made.token),
    expiresAtMs: made.link.expiresAtMs,
  };
  return ok(data);
}

const list = memberRoute({
  method: "GET",
  path: "members",
  role: "admin",
  handle: async ({ ports, signedIn }) => ok(await listMembers(ports, signedIn.member.accountId)),
});

const invite = memberRoute({
  method: "POST",
  path: "members",
  role: "admin",
  needsProof: true,
  body: roleSchema,
  handle: async (call) => {
    const answer = await inviteMember(call.ports, call.signedIn, call.body.role);
    if (answer.kind === "invited") return answerLink(call, answer);
    return answer.kind === "too_many_members" ? TOO_MANY_MEMBERS : refuse(answer.kind);
  },
});

const revoke = memberRoute({
  method: "DELETE",
  path: "invitations/:linkId",
  role: "admin",
  handle: async ({ ports, signedIn, params }) => {
    const answer = await revokeInvitation(ports, signedIn, params.linkId);
    return answer === "revoked" ? ok() : refuse(answer);
  },
});

const change = memberRoute({
  method: "PATCH",
  path: "members/:userId",
  role: "admin",
  needsProof: true,
  body: roleSchema,
  handle: async (call) => {
    const { ports, signedIn, params, body } = call;
    const { kind } = await changeRole(ports, signedIn, params.userId, body.role);
    return kind === "changed" ? ok() : refuse(kind);
  },
});

const remove = memberRoute({
  method: "DELETE",
  path: "members/:userId",
  role: "admin",
  needsProof: true,
  handle: async ({ ports, signedIn, params }) => {
    const { kind } = await removeMember(ports, signedIn, params.userId);
    return kind === "removed" ? ok() : refuse(kind);
  },
});

const reset = memberRoute({
  method: "POST",
  path: "members/:userId/reset",
  role: "admin",
  needsProof: true,
  body: resetSchema,
  handle: async (call) => {
    const { ports, signedIn, params, party, body } = call;
    const { removeSecondFactors, currentPassword, passkey } = body;
    const proof = { currentPassword, passkey: passkey && { ...passkey, party } };
    const terms = { removesSecondFactors: removeSecondFactors, ...proof };
    const answer = await makeResetLink(ports, signedIn, params.userId, terms);
    switch (answer.kind) {
      case "made":
        return answerLink(call, answer);
      case "wrong_credentials":
        return WRONG_CURRENT_PASSWORD;
      case "limited":
        return refuseLimited(answer.limit);
      case "not_found":
      case "not_allowed":
        return refuse(answer.kind);
      default:
        return answer satisfies never;
    }
  },
});

const endSessions = memberRoute({
  method: "DELETE",
  path: "members/:userId/sessions",
  role: "admin",
  needsProof: true,
  handle: async ({ ports, signedIn, params }) => {
    const answer = await endMemberSessions(ports, signedIn, params.userId);
    return answer.kind === "ended" ? ok({ ended: answer.count }) : refuse(answer.kind);
  },
});

/** The members of the account. */
export const memberRoutes: readonly Route[] = [
  list,
  invite,
  revoke,
  change,
  remove,
  reset,
  endSessions,
];
