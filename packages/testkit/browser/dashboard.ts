import assert from "node:assert/strict";
import type { Member } from "@stile/core/domain/account/member";
import type { Role } from "@stile/protocol/roles";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { type ApiAnswer, closeConnections } from "../contract/call.ts";
import { callDashboard, newMember, newSession } from "../contract/dashboard.ts";
import type { ServiceFixture } from "../contract/service-fixtures.ts";
import {
  handIn,
  type InProcessService,
  makeChallenge,
  type SiteWithSecret,
  startInProcess,
} from "../service/in-process-service.ts";
import {
  type Complaints,
  collectComplaints,
  launchPageBrowser,
  newPage,
  openPage,
} from "./browser.ts";

/** A minute, in ms. */
export const MINUTE_MS = 60_000;

/** An open page of the dashboard. */
export type DashboardVisit = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The signed-in member; undefined if there was none when the page was opened. */
  readonly member: Member | undefined;
  /** Signs another member in: pages that are loaded from now on are theirs. */
  readonly become: (member: Member) => Promise<void>;
  /** Opens one more page in the same browser profile; its complaints count too. */
  readonly another: (path: string) => Promise<Page>;
  /** Calls a private endpoint with the member's session, bypassing the page. */
  readonly ask: (path: string, method?: string, body?: object) => Promise<ApiAnswer>;
  /**
   * Closes the page. It must have no complaints except about calls that the service refused on
   * purpose: the browser reports each of those, and `refused` lists their statuses in order.
   */
  readonly close: (refused?: readonly number[]) => Promise<void>;
};

/** The member to sign in, and the browser's options. */
export type DashboardVisitOptions = BrowserContextOptions & { readonly as?: Role | Member };

/**
 * A service in this process with its dashboard, and a browser; both follow a clock that stands
 * still until the test moves it.
 */
export type DashboardFixture = {
  readonly service: InProcessService;
  /** The address for browsers: they keep the session's cookie only for this machine's own name. */
  readonly origin: string;
  readonly accountId: string;
  readonly fixture: ServiceFixture;
  readonly nowMs: () => number;
  /** Moves the clock of the service, and of every open page. */
  readonly advance: (ms: number) => Promise<void>;
  readonly visit: (path: string, options?: DashboardVisitOptions) => Promise<DashboardVisit>;
  readonly dispose: () => Promise<void>;
};

const REFUSAL = /^Failed to load resource: the server responded with a status of (\d{3})/;

function fixtureOf({ service, baseUrl }: InProcessService): ServiceFixture {
  const { sitePorts: ports, store } = service;
  return {
    name: "dashboard",
    baseUrl,
    ports,
    store,
    databaseFile: undefined,
    stop: async () => {},
  };
}

/**
 * Gives the browser a session as the service does over http on the machine itself (decision 0043,
 * sessions).
 */
async function putCookie(context: BrowserContext, cookie: string): Promise<void> {
  const [name = "", value = ""] = cookie.replace("__Host-", "").split("=");
  const attributes = { domain: "localhost", path: "/", httpOnly: true, sameSite: "Lax" } as const;
  await context.addCookies([{ name, value, ...attributes }]);
}

/**
 * The account for entries about sessions that tests begin, to keep them out of the audit log that
 * the pages show.
 */
const NOBODYS_ACCOUNT = "acc_tests";

async function signIn(
  dashboard: Pick<DashboardFixture, "fixture" | "accountId">,
  as: Role | Member,
) {
  const member =
    typeof as === "string" ? await newMember(dashboard.fixture, dashboard.accountId, as) : as;
  const { member: signedIn, ...session } = await newSession(dashboard.fixture, {
    ...member,
    accountId: NOBODYS_ACCOUNT,
  });
  return { ...session, member: { ...signedIn, accountId: member.accountId } };
}

/**
 * A browser profile and its page. Visits without special options share it in turn, since a new one
 * costs three times as much.
 */
type Profile = {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[];
};

async function newProfile(browser: Browser, options: BrowserContextOptions): Promise<Profile> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(10_000);
  const page = await newPage(context);
  return { context, page, complaints: collectComplaints(page) };
}

/**
 * Makes a used profile forget everything but the files in its cache. `calm` is a page of the same
 * origin that runs nothing.
 */
async function empty({ context, page, complaints }: Profile, calm: string): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close();
  // The last visit's page may be navigating, and complains until it is left.
  await page.goto(calm);
  await context.clearCookies();
  await page.evaluate(() => sessionStorage.clear());
  complaints.splice(0);
}

/** Loads a page of the dashboard. */
export async function load(page: Page, url: string): Promise<void> {
  // Leave the document first: an address that differs only in its fragment would not be loaded.
  if (url.includes("#")) await page.goto(new URL("/healthz", url).href);
  await page.goto(url);
}

/**
 * Starts both, or only the service if a browser is given, which stays open; it has just the demo
 * site, and no member.
 */
export async function openDashboard(given?: Browser): Promise<DashboardFixture> {
  const [service, browser] = await Promise.all([startInProcess(), given ?? launchPageBrowser()]);
  const [account] = await service.service.store.sites.listAccounts();
  assert.ok(account !== undefined);
  const { accountId } = account;
  const fixture = fixtureOf(service);
  const origin = service.baseUrl.replace("127.0.0.1", "localhost");
  const contexts = new Set<BrowserContext>();
  const idle: Profile[] = [];

  const visit = async (
    path: string,
    { as, ...options }: DashboardVisitOptions = {},
  ): Promise<DashboardVisit> => {
    const hasWishes = Object.keys(options).length > 0;
    const used = hasWishes ? undefined : idle.pop();
    if (used !== undefined) await empty(used, `${origin}/healthz`);
    const profile = used ?? (await newProfile(browser, options));
    const { context, page } = profile;
    contexts.add(context);
    await context.clock.setFixedTime(service.nowMs);
    const signedIn = as === undefined ? undefined : await signIn({ fixture, accountId }, as);
    if (signedIn !== undefined) await putCookie(context, signedIn.cookie);
    await load(page, origin + path);
    const all: Complaints[] = [profile.complaints];
    return {
      page,
      another: async (path) => {
        const opened = await openPage(context, origin + path);
        all.push(opened.complaints);
        return opened.page;
      },
      context,
      member: signedIn?.member,
      become: async (other) =>
        putCookie(context, (await signIn({ fixture, accountId }, other)).cookie),
      ask: async (asked, method = "GET", body) => {
        const cookies = await context.cookies(origin);
        const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
        return callDashboard(fixture, {
          path: asked,
          method,
          body: method === "GET" ? undefined : (body ?? {}),
          cookie,
        });
      },
      close: async (refused = []) => {
        assert.deepEqual(
          all.flat().map((text) => Number(REFUSAL.exec(text)?.[1]) || text),
          refused,
        );
        contexts.delete(context);
        if (hasWishes) await context.close();
        else idle.push(profile);
      },
    };
  };
  return {
    service,
    origin,
    accountId,
    fixture,
    visit,
    nowMs: () => service.nowMs,
    advance: async (ms) => {
      service.nowMs += ms;
      for (const context of contexts) await context.clock.setFixedTime(service.nowMs);
    },
    dispose: async () => {
      closeConnections();
      for (const { context } of idle) await context.close();
      if (given === undefined) await browser.close();
      await service.dispose();
    },
  };
}

/** The last four characters of a key, as the dashboard shows them. */
export function lastFour(secretKey: string): string {
  return secretKey.slice(-4);
}

/** A token of the site for a visitor with a correct but cheap solution. */
export async function mintToken(
  { service }: DashboardFixture,
  site: Pick<SiteWithSecret, "siteKey">,
): Promise<string> {
  const whole = { ...site, secretKey: "" };
  const challenge = makeChallenge(service, whole);
  const solution = challenge.solve(new Uint8Array(0));
  const token = await handIn(service, whole, { challenge: challenge.text, solution });
  assert.ok(token !== undefined, "the visitor got no token");
  return token;
}

/**
 * Redeems a token as the customer's server does; returns "verified", a reason code, or the error
 * code of a refused call.
 */
export async function redeemWith(
  { service }: DashboardFixture,
  secretKey: string,
  token: string,
): Promise<string> {
  const response = await fetch(`${service.baseUrl}/api/v1/token/verify`, {
    method: "POST",
    headers: { Authorization: `Bearer ${secretKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  });
  const body = (await response.json()) as {
    data: { verified?: boolean };
    reasonCode?: string;
    error?: { code: string };
  };
  return (
    body.error?.code ??
    (body.data.verified === true ? "verified" : (body.reasonCode ?? "no reason"))
  );
}
