import { actorOf } from "@stile/core/domain/account/audit";
import type { Member } from "@stile/core/domain/account/member";
import type { Metric } from "@stile/core/domain/statistics/metrics";
import { createRecoveryCodes } from "@stile/core/services/account/second-factor/recovery-codes";
import { createDecisions } from "@stile/demo/seed/decisions";
import { DEMO_SITES } from "@stile/demo/seed/demo-sites";
import { seedTraffic } from "@stile/demo/seed/seed";
import type { Role } from "@stile/protocol/roles";
import { createKeyRing } from "@stile/server/cryptography/key-ring";
import { createNodeCryptography } from "@stile/server/cryptography/node-cryptography";
import { newMember, PASSWORD } from "../contract/dashboard.ts";
import { askChallenge } from "../contract/visitor.ts";
import { type DashboardFixture, type DashboardVisit, mintToken, redeemWith } from "./dashboard.ts";
import { type Loser, listScenes, type SiteKeys } from "./dashboard-scenes.ts";
import { NAMES, type Scene } from "./scene.ts";

const SITE_DAYS = 9;

/** Nine days of visits and sixty decisions, the same every time except for ids and times. */
async function fill(dashboard: DashboardFixture, siteKey: string, kind: number): Promise<void> {
  const demo = DEMO_SITES[kind];
  if (demo === undefined) throw new Error("the demo has no such site");
  const { store } = dashboard.fixture;
  await seedTraffic(store, { siteKey }, demo, { nowMs: dashboard.nowMs(), days: SITE_DAYS });
  for (const decision of createDecisions(siteKey, demo.traffic, dashboard.nowMs(), 60))
    store.decisions.append(decision);
  await store.decisions.flush();
}

/** One person for each role. */
type Cast<Of> = Readonly<Record<Role, Of>>;

/** An authenticator app whose secret nobody has, and a passkey without a device. */
const APP = { sealedSecret: Uint8Array.of(1), lastStep: 1 };
const PASSKEY = {
  passkeyId: "testbed",
  name: "Laptop",
  publicKey: Uint8Array.of(1),
  counter: 0,
  transports: [],
  createdAtMs: 0,
  lastUsedAtMs: null,
};

const NO_FACTORS: Cast<Partial<Member>> = { owner: {}, admin: {}, developer: {}, viewer: {} };

async function castOf(
  dashboard: DashboardFixture,
  accountId: string,
  host: string,
  factors: Cast<Partial<Member>> = NO_FACTORS,
): Promise<Cast<Member>> {
  const join = (role: Role): Promise<Member> => {
    const name = NAMES[role];
    const email = `${name.split(" ")[0]?.toLowerCase()}@${host}`;
    return newMember(dashboard.fixture, accountId, role, {
      name,
      email,
      lastSignInAtMs: dashboard.nowMs(),
      ...factors[role],
    });
  };
  return {
    owner: await join("owner"),
    admin: await join("admin"),
    developer: await join("developer"),
    viewer: await join("viewer"),
  };
}

async function change(
  owner: DashboardVisit,
  path: string,
  method: string,
  body?: object,
): Promise<unknown> {
  const answer = await owner.ask(path, method, body);
  if (answer.status !== 200)
    throw new Error(`${method} ${path} was refused: ${answer.body.error?.code}`);
  return answer.body.data;
}

/**
 * Visitors from hosts that the site does not list: two that a member forgot, and one with the
 * longest possible name.
 */
async function refuseSome({ fixture }: DashboardFixture, siteKey: string): Promise<void> {
  const long = `${"long.name.".repeat(23)}example`;
  for (const host of ["staging.example", "staging.example", "xn--hfen-0qa.example", long]) {
    await askChallenge(
      fixture,
      { site_key: siteKey, action: "login" },
      { headers: { origin: `https://${host}` } },
    );
  }
  await fixture.store.decisions.flush();
}

/** Tokens that came with the verdict of an old CAPTCHA. */
async function compareSome(dashboard: DashboardFixture, siteKey: string): Promise<void> {
  const counts = { "pass:05": 1840, "pass:12": 402, "pass:64": 9, "fail:12": 31, "fail:71": 118 };
  const batch = Object.entries(counts).map(([name, count]) => ({
    siteKey,
    metric: `vendor:${name}` as Metric,
    atMs: dashboard.nowMs(),
    count,
  }));
  await dashboard.fixture.store.statistics.add(batch);
}

async function makeSites(dashboard: DashboardFixture, owner: DashboardVisit): Promise<SiteKeys> {
  const [busy, empty, silent, gone] = await Promise.all(
    ["Harbour Shop", "Rowing Forum", "Newsletter", "Old Shop"].map((name) =>
      dashboard.service.makeSite(name),
    ),
  );
  if (!busy || !empty || !silent || !gone) throw new Error("a site is missing");
  await fill(dashboard, busy.siteKey, 0);
  await fill(dashboard, silent.siteKey, 2);
  await change(owner, `sites/${busy.siteKey}/rotate`, "POST");
  // A replaced key still in use, and a refusal: the pages warn of both.
  await dashboard.advance(1000);
  const token = await mintToken(dashboard, busy);
  await redeemWith(dashboard, busy.secretKey, token);
  await redeemWith(dashboard, busy.secretKey, token);
  await change(owner, `sites/${gone.siteKey}`, "DELETE", { name: "Old Shop" });
  // Sites are made for localhost, where tests solve, but shown with real domains.
  for (const [{ siteKey }, domains] of [
    [busy, ["shop.harbour.example", "harbour.example"]],
    [silent, ["news.harbour.example"]],
  ] as const) {
    const { revision } = (await change(owner, `sites/${siteKey}`, "GET")) as { revision: number };
    await change(owner, `sites/${siteKey}`, "PATCH", { revision, domains, mode: "managed" });
  }
  await refuseSome(dashboard, busy.siteKey);
  await compareSome(dashboard, busy.siteKey);
  await dashboard.fixture.store.statistics.flush();
  await dashboard.fixture.store.keyUsage.flush();
  return { busy: busy.siteKey, empty: empty.siteKey, silent: silent.siteKey };
}

async function linkOf(owner: DashboardVisit, path: string, body?: object): Promise<string> {
  const { url } = (await change(owner, path, "POST", body)) as { url: string };
  return new URL(url).pathname + new URL(url).hash;
}

async function addAccount(
  dashboard: DashboardFixture,
  accountId: string,
  name: string,
): Promise<void> {
  const limits = { challengePerMinute: null, totalPerMinute: null };
  await dashboard.fixture.ports.sites.insertAccount({
    accountId,
    name,
    createdAtMs: dashboard.nowMs(),
    ...limits,
  });
}

async function demandFactor(
  dashboard: DashboardFixture,
  accountId: string,
  owner: Member,
): Promise<void> {
  const atMs = dashboard.nowMs();
  const entry = {
    accountId,
    atMs,
    actor: actorOf(owner),
    action: "account_changed",
    subject: "",
    siteKey: null,
  } as const;
  await dashboard.fixture.store.members.setSecondFactorDemand(accountId, true, "", {
    ...entry,
    changes: [],
  });
}

/**
 * A member whose passkey makes the password alone insufficient, and whose last recovery code is
 * known to the scenes.
 */
async function makeLoser(dashboard: DashboardFixture, accountId: string): Promise<Loser> {
  const userId = "usr_loser";
  const cryptography = createNodeCryptography(createKeyRing(), { nowMs: dashboard.nowMs });
  const [email, { codes, digests }] = [
    "edda@careful.example",
    createRecoveryCodes({ cryptography }, userId),
  ];
  const more = { userId, email, name: "Edda Novak", recoveryCodes: digests.slice(0, 1) };
  const passkeys = [{ ...PASSKEY, passkeyId: "lost" }];
  await newMember(dashboard.fixture, accountId, "viewer", { ...more, passkeys });
  return { email, password: PASSWORD, recoveryCode: codes[0] ?? "" };
}

/** Everything that the scenes show. */
export type Testbed = {
  readonly scenes: readonly Scene[];
  /** The member who looks at a scene. */
  readonly memberFor: (scene: Scene) => Member | undefined;
};

/**
 * Sets up the data of the scenes: two accounts, one with sites, members and links, and one with
 * nothing.
 */
export async function setTestbed(dashboard: DashboardFixture): Promise<Testbed> {
  // The service's own account must stay the first by name, since all are made at the same moment.
  const [emptyAccount, demandingAccount] = ["acc_zero", "acc_zero_demanding"];
  await addAccount(dashboard, emptyAccount, "Empty");
  await addAccount(dashboard, demandingAccount, "Careful");
  const passkeys = [{ ...PASSKEY, createdAtMs: dashboard.nowMs() }];
  const cast = await castOf(dashboard, dashboard.accountId, "harbour.example", {
    owner: { totp: APP },
    admin: { totp: APP },
    viewer: {},
    developer: { totp: APP, passkeys },
  });
  const emptyCast = await castOf(dashboard, emptyAccount, "empty.example");
  const demandingCast = await castOf(dashboard, demandingAccount, "careful.example");
  await demandFactor(dashboard, demandingAccount, demandingCast.owner);
  const loser = await makeLoser(dashboard, demandingAccount);
  const owner = await dashboard.visit("/dashboard/sites", { as: cast.owner });
  const keys = await makeSites(dashboard, owner);
  const links = {
    invite: await linkOf(owner, "members", { role: "viewer" }),
    reset: await linkOf(owner, `members/${cast.viewer.userId}/reset`),
    guardedReset: await linkOf(owner, `members/${cast.developer.userId}/reset`),
    bareReset: await linkOf(owner, `members/${cast.admin.userId}/reset`, {
      removeSecondFactors: true,
      currentPassword: PASSWORD,
    }),
  };
  await change(owner, "members", "POST", { role: "admin" });
  await owner.close();
  return {
    scenes: listScenes(keys, links, loser),
    memberFor: ({ as, isEmpty = false, isDemanding = false }) =>
      as === undefined ? undefined : (isEmpty ? emptyCast : isDemanding ? demandingCast : cast)[as],
  };
}
