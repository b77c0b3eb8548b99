import { hash } from "node:crypto";
import { OPERATOR } from "@stile/core/domain/account/audit";
import type { Site, SiteSettings } from "@stile/core/domain/site/site";
import { createSite } from "@stile/core/use-cases/site/create-site";
import { deleteSite } from "@stile/core/use-cases/site/delete-site";
import { restoreSite } from "@stile/core/use-cases/site/restore-site";
import { revokeReplacedSecrets } from "@stile/core/use-cases/site/revoke-replaced-secrets";
import { rotateSecret } from "@stile/core/use-cases/site/rotate-secret";
import { updateSite } from "@stile/core/use-cases/site/update-site";
import { encodeBase64url } from "@stile/pow/base64url";
import type { Ports } from "../service/process.ts";
import type { Chance } from "../world/chance.ts";
import type { Reply, World } from "../world/world.ts";
import { callFor, redeemOnce, rush } from "./customer.ts";

/** The most sites at a time. */
const MAX_SITES = 5;
const DAY_MS = 86_400_000;

type Shown = { readonly site: Site; readonly secretKey: string };

/** Sites that can be used now. */
export function livingSites(world: World): readonly string[] {
  const { truth } = world;
  return truth.siteKeys().filter((siteKey) => truth.currentRow(siteKey)?.deletedAtMs === null);
}

function remember(world: World, { site, secretKey }: Shown): void {
  const digest = encodeBase64url(hash("sha256", secretKey, "buffer"));
  world.secrets.push({ siteKey: site.siteKey, text: secretKey, digest });
}

async function act<Answer>(
  world: World,
  what: string,
  work: (ports: Ports) => Promise<Answer>,
): Promise<Reply<Answer>> {
  const reply = await world.call(work);
  const said =
    reply.kind === "answer"
      ? ((reply.answer as { kind?: string }).kind ?? String(reply.answer))
      : reply.kind;
  world.say(`${what}: ${said}`);
  return reply;
}

function settingsFor(
  world: World,
  chance: Chance,
): Pick<SiteSettings, "name" | "domains"> & Partial<SiteSettings> {
  return {
    name: `Site ${world.count("site")}`,
    domains: ["shop.example"],
    mode: chance.pick(["non_interactive", "invisible", "managed", "interactive"] as const),
    binding: chance.pick(["strict", "strict", "off"] as const),
    tokenLifeSeconds: chance.pick([30, 60, 300, 900]),
    verifyPerMinute: chance.pick([null, 6, 15]),
    scorePerMinute: chance.pick([null, 3, 8]),
    difficultyOffset: -1,
  };
}

async function addSite(world: World, chance: Chance): Promise<void> {
  const { accountId } = world;
  const settings = settingsFor(world, chance);
  const reply = await act(world, "a site is made", (ports) =>
    createSite(ports, { accountId, actor: OPERATOR }, settings),
  );
  if (reply.kind === "answer" && reply.answer.kind === "created") remember(world, reply.answer);
}

/**
 * Rotates the secret key, and tries the former one when its day of grace ends: a millisecond
 * before, at its end, or after.
 */
async function rotate(world: World, chance: Chance, siteKey: string): Promise<void> {
  const reference = { accountId: world.accountId, siteKey, actor: OPERATOR };
  const former = world.secrets.findLast((secret) => secret.siteKey === siteKey);
  const reply = await act(world, "a secret is rotated", (ports) => rotateSecret(ports, reference));
  if (reply.kind !== "answer" || reply.answer.kind !== "rotated") return;
  remember(world, reply.answer);
  const replacedAtMs = reply.answer.site.secretKeys.find(
    ({ digest }) => digest === former?.digest,
  )?.replacedAtMs;
  if (former === undefined || typeof replacedAtMs !== "number") return;
  for (const edge of [-1, 0, 1]) {
    await world.pauseUntil(replacedAtMs + DAY_MS + edge);
    const token = world.tokens.at(-1);
    const call = token && callFor(world, chance, token);
    if (call !== undefined) await redeemOnce(world, { ...call, secret: former });
  }
}

/** Disables a site, and enables it again before long. */
async function pauseSite(world: World, chance: Chance, siteKey: string): Promise<void> {
  const reference = { accountId: world.accountId, siteKey, actor: OPERATOR };
  await act(world, "a site is disabled", (ports) =>
    updateSite(ports, reference, { isEnabled: false }),
  );
  await world.pause(chance.between(100, 20_000));
  for (let tries = 0; tries < 5; tries++) {
    const reply = await act(world, "a site is enabled", (ports) =>
      updateSite(ports, reference, { isEnabled: true }),
    );
    if (reply.kind === "answer" && reply.answer.kind !== "conflict") return;
    await world.pause(chance.between(500, 5000));
  }
}

/** Deletes a site; in two of three cases it is restored. */
async function removeSite(world: World, chance: Chance, siteKey: string): Promise<void> {
  const reference = { accountId: world.accountId, siteKey, actor: OPERATOR };
  await act(world, "a site is deleted", (ports) => deleteSite(ports, reference));
  if (chance.happens(1 / 3)) return;
  await world.pause(chance.between(100, 60_000));
  const reply = await act(world, "a site is restored", (ports) => restoreSite(ports, reference));
  if (reply.kind === "answer" && reply.answer.kind === "restored") remember(world, reply.answer);
}

/** An owner changes something about the account's sites. */
export async function manageSites(world: World, chance: Chance): Promise<void> {
  const living = livingSites(world);
  if (living.length < 2 || (living.length < MAX_SITES && chance.happens(0.15)))
    return await addSite(world, chance);
  const siteKey = chance.pick(living);
  if (chance.happens(0.7)) world.checkLater(rush(world, chance, siteKey));
  const draw = chance.below(10);
  if (draw < 4) return await rotate(world, chance, siteKey);
  if (draw < 6) return await pauseSite(world, chance, siteKey);
  if (draw < 8) return await removeSite(world, chance, siteKey);
  const reference = { accountId: world.accountId, siteKey, actor: OPERATOR };
  if (draw === 8)
    await act(world, "replaced secrets are revoked", (ports) =>
      revokeReplacedSecrets(ports, reference),
    );
  else
    await act(world, "a site is changed", (ports) =>
      updateSite(ports, reference, settingsFor(world, chance)),
    );
}
