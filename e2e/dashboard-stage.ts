import type { Member } from "@stile/core/domain/member";
import type { Role } from "@stile/protocol/roles";
import { createDecisions } from "../packages/server/cli/seed/decisions.ts";
import { DEMO_SITES } from "../packages/server/cli/seed/demo-sites.ts";
import { seedTraffic } from "../packages/server/cli/seed.ts";
import { newMember } from "../packages/server/fixtures/dashboard.ts";
import { type Desk, mintToken, redeemWith, type Visit } from "./dashboard.ts";
import { listScenes, NAMES, type Scene, type SiteKeys } from "./dashboard-scenes.ts";

const SITE_DAYS = 9;

/** Nine days of visits and sixty decisions, the same every time but for ids and times. */
async function fill(desk: Desk, siteKey: string, kind: number): Promise<void> {
  const demo = DEMO_SITES[kind];
  if (demo === undefined) throw new Error("there is no such demonstration");
  const { store } = desk.ground;
  await seedTraffic(store, { siteKey }, demo, { nowMs: desk.nowMs(), days: SITE_DAYS });
  for (const decision of createDecisions(siteKey, demo.traffic, desk.nowMs(), 60)) store.decisions.append(decision);
  await store.decisions.flush();
}

/** Somebody of each role, who keeps what the scenes show. */
type Cast<Of> = Readonly<Record<Role, Of>>;

async function castOf(desk: Desk, accountId: string, host: string): Promise<Cast<Member>> {
  const join = (role: Role): Promise<Member> => {
    const name = NAMES[role];
    const email = `${name.split(" ")[0]?.toLowerCase()}@${host}`;
    return newMember(desk.ground, accountId, role, { name, email, lastSignInAtMs: desk.nowMs() });
  };
  return {
    owner: await join("owner"),
    admin: await join("admin"),
    developer: await join("developer"),
    viewer: await join("viewer"),
  };
}

async function change(owner: Visit, path: string, method: string, body?: object): Promise<unknown> {
  const answer = await owner.ask(path, method, body);
  if (answer.status !== 200) throw new Error(`${method} ${path} was refused: ${answer.body.error?.code}`);
  return answer.body.data;
}

async function makeSites(desk: Desk, owner: Visit): Promise<SiteKeys> {
  const [busy, empty, silent, gone] = await Promise.all(
    ["Harbour Shop", "Rowing Forum", "Newsletter", "Old Shop"].map((name) => desk.service.makeSite(name)),
  );
  if (!busy || !empty || !silent || !gone) throw new Error("a site is missing");
  await fill(desk, busy.siteKey, 0);
  await fill(desk, silent.siteKey, 2);
  await change(owner, `sites/${busy.siteKey}/rotate`, "POST");
  // A replaced key in use, and a refusal, each of which the pages warn of.
  await desk.advance(1000);
  const token = await mintToken(desk, busy);
  await redeemWith(desk, busy.secretKey, token);
  await redeemWith(desk, busy.secretKey, token);
  await change(owner, `sites/${gone.siteKey}`, "DELETE", { name: "Old Shop" });
  // Made for localhost, where tests solve; shown as sites are.
  for (const [{ siteKey }, domains] of [
    [busy, ["shop.harbour.example", "harbour.example"]],
    [silent, ["news.harbour.example"]],
  ] as const) {
    const { revision } = (await change(owner, `sites/${siteKey}`, "GET")) as { revision: number };
    await change(owner, `sites/${siteKey}`, "PATCH", { revision, domains, mode: "managed" });
  }
  await desk.ground.store.statistics.flush();
  await desk.ground.store.keyUsage.flush();
  return { busy: busy.siteKey, empty: empty.siteKey, silent: silent.siteKey };
}

async function linkOf(owner: Visit, path: string, body?: object): Promise<string> {
  const { url } = (await change(owner, path, "POST", body)) as { url: string };
  return new URL(url).pathname + new URL(url).hash;
}

/** Everything there is to look at. */
export type Stage = {
  readonly scenes: readonly Scene[];
  /** Who looks at a scene. */
  readonly memberFor: (scene: Scene) => Member | undefined;
};

/** Sets up what the scenes show: two accounts, one with sites, members and links, and one with nothing. */
export async function setStage(desk: Desk): Promise<Stage> {
  // The service's own account stays the first by name, where both were made at the same moment.
  const emptyAccount = "acc_zero";
  const limits = { challengePerMinute: null, reservePerMinute: null };
  await desk.ground.ports.sites.insertAccount({
    accountId: emptyAccount,
    name: "Empty",
    createdAtMs: desk.nowMs(),
    ...limits,
  });
  const [cast, emptyCast] = [
    await castOf(desk, desk.accountId, "harbour.example"),
    await castOf(desk, emptyAccount, "empty.example"),
  ];
  const owner = await desk.visit("/dashboard/sites", { as: cast.owner });
  const keys = await makeSites(desk, owner);
  const links = {
    invite: await linkOf(owner, "members", { role: "viewer" }),
    reset: await linkOf(owner, `members/${cast.developer.userId}/reset`),
  };
  await change(owner, "members", "POST", { role: "admin" });
  await owner.close();
  return {
    scenes: listScenes(keys, links),
    memberFor: ({ as, isEmpty = false }) => (as === undefined ? undefined : (isEmpty ? emptyCast : cast)[as]),
  };
}
