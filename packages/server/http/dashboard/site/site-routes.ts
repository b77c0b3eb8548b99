import { actorOf } from "@stile/core/domain/account/audit";
import { secretKeyState } from "@stile/core/domain/site/secret-key";
import type { Site } from "@stile/core/domain/site/site";
import { createSite } from "@stile/core/use-cases/site/create-site";
import { deleteSite } from "@stile/core/use-cases/site/delete-site";
import { getSite } from "@stile/core/use-cases/site/get-site";
import { restoreSite } from "@stile/core/use-cases/site/restore-site";
import { revokeReplacedSecrets } from "@stile/core/use-cases/site/revoke-replaced-secrets";
import { rotateSecret } from "@stile/core/use-cases/site/rotate-secret";
import { updateSite } from "@stile/core/use-cases/site/update-site";
import type { SecretKeyData, SiteData, SiteWithSecretData } from "@stile/protocol/dashboard-api";
import { GRACE_SECONDS, MOST_SECRET_KEYS, MOST_SITES, RESTORE_DAYS } from "@stile/protocol/limits";
import {
  newSiteSchema,
  siteChangeSchema,
  siteDeletionSchema,
} from "@stile/protocol/schemas/dashboard";
import { ok, type RouteReply, refuse } from "../reply.ts";
import { type MemberCall, memberRoute, type Route } from "../route.ts";

type SiteCall = MemberCall & { readonly params: { readonly siteKey: string } };

const NAME_TAKEN = {
  problems: [{ field: "name", message: "Another site of this account has this name." }],
};

const TOO_MANY_SITES = {
  problems: [
    {
      field: "name",
      message: `This account has ${MOST_SITES} sites, which is the maximum. Deleted sites count for ${RESTORE_DAYS} days.`,
    },
  ],
};

const TOO_MANY_KEYS = refuse("conflict", {
  message: `This site already has ${MOST_SECRET_KEYS} working secret keys. Revoke the replaced ones, or wait until they expire.`,
});

const CHANGED_SINCE = {
  message:
    "Your change was saved, but someone has changed the site since then. Reload the page to see it.",
};

/** The account is always the member's own, and no call can name another. */
function referenceOf(call: SiteCall) {
  const { member, change } = call.signedIn;
  return {
    accountId: member.accountId,
    siteKey: call.params.siteKey,
    actor: actorOf(member),
    change,
  };
}

/** The secret keys that still work, as stored. */
function toSecretKeys(
  site: Site,
  lastUses: ReadonlyMap<string, number>,
  nowMs: number,
): SecretKeyData[] {
  return site.secretKeys.flatMap((secret) => {
    const state = secretKeyState(secret, nowMs);
    if (state === "dead") return [];
    const { digest, lastFour, createdAtMs, replacedAtMs } = secret;
    const deadAtMs = replacedAtMs === null ? null : replacedAtMs + GRACE_SECONDS * 1000;
    return [{ lastFour, createdAtMs, state, deadAtMs, lastUsedAtMs: lastUses.get(digest) ?? null }];
  });
}

function toSiteData(site: Site, lastUses: ReadonlyMap<string, number>, nowMs: number): SiteData {
  const { accountId, deletedAtMs, secretKeys, ...shown } = site;
  return { ...shown, secretKeys: toSecretKeys(site, lastUses, nowMs) };
}

/** A site that has just got a new secret key, which nothing has used yet. */
function withSecret(
  { ports }: MemberCall,
  { site, secretKey }: { site: Site; secretKey: string },
): RouteReply {
  const data: SiteWithSecretData = {
    site: toSiteData(site, new Map(), ports.clock.nowMs()),
    secretKey,
  };
  return ok(data);
}

/** A refusal. A repeat may find that its change was made, and that the site has changed since. */
function refuseSite({ signedIn }: MemberCall, kind: "not_found" | "conflict"): RouteReply {
  return signedIn.change?.made === undefined ? refuse(kind) : refuse(kind, CHANGED_SINCE);
}

async function showSite(call: SiteCall): Promise<RouteReply> {
  const { ports } = call;
  const found = await getSite(ports, referenceOf(call));
  if (found === undefined) return refuse("not_found");
  return ok(toSiteData(found.site, found.lastUses, ports.clock.nowMs()));
}

const create = memberRoute({
  method: "POST",
  path: "sites",
  role: "developer",
  body: newSiteSchema,
  handle: async (call) => {
    const { member, change } = call.signedIn;
    const owner = { accountId: member.accountId, actor: actorOf(member), change };
    const answer = await createSite(call.ports, owner, call.body);
    switch (answer.kind) {
      case "created":
        return withSecret(call, answer);
      case "invalid":
        return refuse("invalid_input", { problems: answer.problems });
      case "name_taken":
        return refuse("name_taken", NAME_TAKEN);
      case "too_many_sites":
        return refuse("invalid_input", TOO_MANY_SITES);
      case "not_found":
      case "conflict":
        return refuseSite(call, answer.kind);
      default:
        return answer satisfies never;
    }
  },
});

const show = memberRoute({
  method: "GET",
  path: "sites/:siteKey",
  role: "viewer",
  handle: showSite,
});

const update = memberRoute({
  method: "PATCH",
  path: "sites/:siteKey",
  role: "developer",
  body: siteChangeSchema,
  handle: async (call) => {
    const { revision, ...change } = call.body;
    const answer = await updateSite(call.ports, referenceOf(call), change, {
      expectedRevision: revision,
      isProven: call.isProven,
    });
    switch (answer.kind) {
      case "updated":
        return showSite(call);
      case "invalid":
        return refuse("invalid_input", { problems: answer.problems });
      case "name_taken":
        return refuse("name_taken", NAME_TAKEN);
      case "proof_needed":
        return refuse("step_up_needed");
      case "not_found":
      case "conflict":
        return refuse(answer.kind);
      default:
        return answer satisfies never;
    }
  },
});

const remove = memberRoute({
  method: "DELETE",
  path: "sites/:siteKey",
  role: "admin",
  needsProof: true,
  body: siteDeletionSchema,
  handle: async (call) => {
    // The first request deleted it, and its answer was lost.
    if (call.signedIn.change?.made !== undefined) return ok();
    const found = await getSite(call.ports, referenceOf(call));
    if (found === undefined) return refuse("not_found");
    if (found.site.name !== call.body.name.normalize("NFC").trim()) {
      return refuse("invalid_input", {
        problems: [{ field: "name", message: "Enter the name of the site." }],
      });
    }
    const answer = await deleteSite(call.ports, referenceOf(call));
    return answer === "deleted" ? ok() : refuse(answer);
  },
});

const restore = memberRoute({
  method: "POST",
  path: "sites/:siteKey/restore",
  role: "admin",
  needsProof: true,
  handle: async (call) => {
    const answer = await restoreSite(call.ports, referenceOf(call));
    if (answer.kind === "restored") return withSecret(call, answer);
    return answer.kind === "name_taken"
      ? refuse("name_taken", NAME_TAKEN)
      : refuseSite(call, answer.kind);
  },
});

const rotate = memberRoute({
  method: "POST",
  path: "sites/:siteKey/rotate",
  role: "admin",
  needsProof: true,
  handle: async (call) => {
    const answer = await rotateSecret(call.ports, referenceOf(call));
    if (answer.kind === "too_many_keys") return TOO_MANY_KEYS;
    if (answer.kind !== "rotated") return refuseSite(call, answer.kind);
    // The previous key may still be in use, so its last use is shown next to the new key.
    const found = await getSite(call.ports, referenceOf(call));
    const lastUses = found?.lastUses ?? new Map();
    return ok({
      site: toSiteData(answer.site, lastUses, call.ports.clock.nowMs()),
      secretKey: answer.secretKey,
    });
  },
});

const revoke = memberRoute({
  method: "POST",
  path: "sites/:siteKey/revoke",
  role: "admin",
  needsProof: true,
  handle: async (call) => {
    const answer = await revokeReplacedSecrets(call.ports, referenceOf(call));
    return answer === "revoked" ? showSite(call) : refuse(answer);
  },
});

/** The routes to manage sites (spec 1). */
export const siteRoutes: readonly Route[] = [create, show, update, remove, restore, rotate, revoke];
