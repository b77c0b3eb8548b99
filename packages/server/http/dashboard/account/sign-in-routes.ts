import type { NewSession } from "@stile/core/services/account/sign-in/enter";
import { type AcceptLinkAnswer, acceptLink } from "@stile/core/use-cases/account/link/accept-link";
import { findLink } from "@stile/core/use-cases/account/link/find-link";
import { hasMember } from "@stile/core/use-cases/account/member/has-member";
import { askPuzzle } from "@stile/core/use-cases/account/sign-in/ask-puzzle";
import {
  beginPasskeySignIn,
  finishPasskeySignIn,
} from "@stile/core/use-cases/account/sign-in/sign-in-with-passkey";
import {
  type PasswordSignIn,
  signInWithPassword,
} from "@stile/core/use-cases/account/sign-in/sign-in-with-password";
import type { EnteredData, SignInData } from "@stile/protocol/dashboard-api";
import {
  acceptLinkSchema,
  linkSchema,
  passkeySignInSchema,
  signInSchema,
} from "@stile/protocol/schemas/dashboard";
import { isSecureOrigin } from "../own-origin.ts";
import { EMAIL_TAKEN, ok, type RouteReply, refuse, refuseLimited } from "../reply.ts";
import { type OpenCall, openRoute, type Route } from "../route.ts";

/**
 * Whether the browser would keep the session cookie. Otherwise signing in would only send a
 * password in the clear.
 */
function isSecure({ party }: OpenCall): boolean {
  return isSecureOrigin(new URL(party.origin));
}

/** The tokens go into cookies and nowhere else. */
function begin({ token, deviceToken, recoveryCodesLeft }: NewSession): RouteReply {
  const data: EnteredData = recoveryCodesLeft === undefined ? {} : { recoveryCodesLeft };
  return { kind: "data", data, signedIn: { token, deviceToken } };
}

/** The reply to an attempt to sign in by a password, a passkey or a link. */
function toReply(answer: PasswordSignIn | AcceptLinkAnswer): RouteReply {
  switch (answer.kind) {
    case "signed_in":
      return begin(answer);
    case "invalid":
      return refuse("invalid_input", { problems: answer.problems });
    case "email_taken":
      return refuse("name_taken", EMAIL_TAKEN);
    case "wrong_credentials":
    case "second_factor_needed":
    case "puzzle_needed":
    case "link_expired":
      return refuse(answer.kind);
    case "limited":
      return refuseLimited(answer.limit);
    default:
      return answer satisfies never;
  }
}

/** POST instead of GET, because each answer is a new puzzle that no cache may keep. */
const puzzle = openRoute({
  method: "POST",
  path: "sign-in/puzzle",
  handle: async ({ ports, client }) => ok(askPuzzle(ports, client)),
});

const showSignIn = openRoute({
  method: "GET",
  path: "sign-in",
  handle: async ({ ports }) => {
    const data: SignInData = { hasMember: await hasMember(ports) };
    return ok(data);
  },
});

const signIn = openRoute({
  method: "POST",
  path: "sign-in",
  body: signInSchema,
  handle: async (call) => {
    if (!isSecure(call)) return refuse("insecure_connection");
    return toReply(await signInWithPassword(call.ports, call.body, call.client));
  },
});

const beginPasskey = openRoute({
  method: "POST",
  path: "sign-in/passkey/options",
  handle: async (call) => {
    if (!isSecure(call)) return refuse("insecure_connection");
    return ok(await beginPasskeySignIn(call.ports, call.party));
  },
});

const finishPasskey = openRoute({
  method: "POST",
  path: "sign-in/passkey",
  body: passkeySignInSchema,
  handle: async (call) => {
    if (!isSecure(call)) return refuse("insecure_connection");
    return toReply(await finishPasskeySignIn(call.ports, call.party, call.body, call.client));
  },
});

/** POST although it changes nothing. In a GET the token would be in the URL, and so in logs. */
const openLink = openRoute({
  method: "POST",
  path: "link",
  body: linkSchema,
  handle: async ({ ports, body }) => {
    const link = await findLink(ports, body.token);
    return link === undefined ? refuse("link_expired") : ok(link);
  },
});

const takeLink = openRoute({
  method: "POST",
  path: "link/accept",
  body: acceptLinkSchema,
  handle: async (call) => {
    if (!isSecure(call)) return refuse("insecure_connection");
    const { token, passkey, ...chosen } = call.body;
    const choice = { ...chosen, passkey: passkey && { ...passkey, party: call.party } };
    return toReply(await acceptLink(call.ports, token, choice, call.client));
  },
});

/** The routes that sign in and need no session. */
export const signInRoutes: readonly Route[] = [
  showSignIn,
  puzzle,
  signIn,
  beginPasskey,
  finishPasskey,
  openLink,
  takeLink,
];
