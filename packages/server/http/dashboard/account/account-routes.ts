import type { Passkey } from "@stile/core/domain/account/member";
import { SESSION_MS } from "@stile/core/domain/account/session";
import { changePassword } from "@stile/core/use-cases/account/member/change-password";
import { changeProfile } from "@stile/core/use-cases/account/member/change-profile";
import { renameAccount } from "@stile/core/use-cases/account/rename-account";
import { demandSecondFactor } from "@stile/core/use-cases/account/second-factor/demand-second-factor";
import type { MeData, PasskeyData } from "@stile/protocol/dashboard-api";
import {
  accountSchema,
  demandSchema,
  newPasswordSchema,
  profileSchema,
} from "@stile/protocol/schemas/dashboard";
import {
  EMAIL_TAKEN,
  LIMITED,
  ok,
  type RefusalDetail,
  refuse,
  refuseLimited,
  WRONG_CURRENT_PASSWORD,
} from "../reply.ts";
import { memberRoute, type Route } from "../route.ts";

function toPasskeyData(passkey: Passkey): PasskeyData {
  const { passkeyId, name, createdAtMs, lastUsedAtMs } = passkey;
  return { passkeyId, name, createdAtMs, lastUsedAtMs };
}

const showMe = memberRoute({
  method: "GET",
  path: "me",
  role: "viewer",
  mayLackFactor: true,
  handle: async ({ ports, signedIn, baseUrl }) => {
    const { userId, email, name, role, accountId, passwordHash, totp, passkeys, recoveryCodes } =
      signedIn.member;
    const account = await ports.sites.findAccount(accountId);
    const { verify, score } = ports.settings.limits;
    const data: MeData = {
      user: { userId, email, name, role },
      accountName: account?.name ?? "",
      hasPassword: passwordHash !== null,
      hasTotp: totp !== null,
      passkeys: passkeys.map(toPasskeyData),
      recoveryCodesLeft: recoveryCodes.length,
      isSecondFactorDemanded: await ports.members.isSecondFactorDemanded(accountId),
      freshUntilMs: signedIn.session.provenAtMs + SESSION_MS.fresh,
      baseUrl,
      version: ports.service.version,
      demoSiteKey: ports.service.demoSiteKey,
      signedAgents: ports.service.signedAgents(),
      defaultLimits: { verifyPerMinute: verify, scorePerMinute: score },
    };
    return ok(data);
  },
});

const TOO_MANY_EMAILS: RefusalDetail = {
  message: "You have tried several email addresses within an hour. Try again later.",
  denial: "changes_limited",
};

const changeMe = memberRoute({
  method: "PATCH",
  path: "me",
  role: "viewer",
  needsProof: true,
  body: profileSchema,
  handle: async ({ ports, signedIn, body }) => {
    const answer = await changeProfile(ports, signedIn, body);
    switch (answer.kind) {
      case "changed":
        return ok();
      case "invalid":
        return refuse("invalid_input", { problems: answer.problems });
      case "email_taken":
        return refuse("name_taken", EMAIL_TAKEN);
      case "limited":
        return refuseLimited(answer.limit, TOO_MANY_EMAILS);
      case "conflict":
        return refuse("conflict");
      default:
        return answer satisfies never;
    }
  },
});

/** It needs no fresh proof of the session, because the call contains its own. */
const choosePassword = memberRoute({
  method: "POST",
  path: "me/password",
  role: "viewer",
  body: newPasswordSchema,
  handle: async (call) => {
    const { ports, party, signedIn, body } = call;
    const answer = await changePassword(ports, signedIn, {
      ...body,
      passkey: body.passkey && { ...body.passkey, party },
    });
    if (typeof answer !== "string") return refuse("invalid_input", { problems: answer.problems });
    switch (answer) {
      case "changed":
        return ok();
      case "wrong_credentials":
        return WRONG_CURRENT_PASSWORD;
      case "limited":
        return LIMITED;
      case "conflict":
        return refuse("conflict");
      default:
        return answer satisfies never;
    }
  },
});

const rename = memberRoute({
  method: "PATCH",
  path: "account",
  role: "owner",
  body: accountSchema,
  handle: async ({ ports, signedIn, body }) => {
    const answer = await renameAccount(ports, signedIn, body.name);
    return answer.kind === "renamed"
      ? ok()
      : refuse("invalid_input", { problems: answer.problems });
  },
});

const demand = memberRoute({
  method: "PUT",
  path: "account/second-factor",
  role: "owner",
  needsProof: true,
  body: demandSchema,
  handle: async ({ ports, signedIn, body }) => {
    const answer = await demandSecondFactor(ports, signedIn, body.isDemanded);
    return answer === "set" ? ok() : refuse(answer);
  },
});

/**
 * Routes of the signed-in member and their account: its name, and the factor it demands of its
 * members.
 */
export const accountRoutes: readonly Route[] = [showMe, changeMe, choosePassword, rename, demand];
