import { OPERATOR } from "@stile/core/domain/account/audit";
import { createSite } from "@stile/core/use-cases/site/create-site";
import { openOperatorPorts } from "@stile/server/cli/operator-ports";
import { openDataDirectory } from "@stile/server/data-directory/data-directory";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import { type RunningService, startService } from "@stile/testkit/service/service";
import type { Figure, Trial } from "@stile/testkit/trials/trial";

const BEHIND_A_PROXY = {
  STILE_BASE_URL: "https://stile.example.org",
  STILE_TRUSTED_PROXIES: "127.0.0.1",
};
const QUIET = { STILE_LOG_LEVEL: "silent" };
const SUBMISSIONS = 20;
const FLOOD = 400;
const HONEST = 20;

async function withService<Answer>(
  environment: Readonly<Record<string, string>>,
  use: (service: RunningService) => Promise<Answer>,
): Promise<Answer> {
  const service = await startService({ ...QUIET, ...environment });
  try {
    return await use(service);
  } finally {
    await service.dispose();
  }
}

/** A form sent to the demo, as a browser or a program sends it. */
function submission(token: string, isJson: boolean): RequestInit {
  const body = isJson
    ? JSON.stringify({ "stile-response": token })
    : `stile-response=${encodeURIComponent(token)}`;
  const type = isJson ? "application/json" : "application/x-www-form-urlencoded";
  return { method: "POST", headers: { "Content-Type": type, "User-Agent": "Visitor/1" }, body };
}

/**
 * How many addresses of the demo answer on a service that its operator put behind a proxy without
 * further settings.
 */
async function countAnswered({ baseUrl }: RunningService): Promise<number> {
  const asked: readonly (readonly [string, RequestInit])[] = [
    ["/demo", {}],
    ["/demo", { headers: { "X-Forwarded-For": "127.0.0.1" } }],
    ["/demo/demo.js", {}],
    ["/demo/demo.css", {}],
    ["/demo/submit", submission("x", false)],
    ["/demo/submit", submission("x", true)],
    ["/playground", {}],
    ["/playground/as/invisible/none/api/v1/pow/challenge", {}],
  ];
  const statuses = await Promise.all(
    asked.map(async ([path, init]) => (await fetch(baseUrl + path, init)).status),
  );
  return statuses.filter((status) => status !== 404).length;
}

/** How many of the demo's answers to a visitor's valid tokens reveal a score. */
async function countScores({ baseUrl, dataDirectory, siteKey }: RunningService): Promise<number> {
  const visitor = { address: "127.0.0.1", userAgent: "Visitor/1" };
  const tokens = await mintTokens({ dataDirectory, siteKey, count: SUBMISSIONS, ...visitor });
  let scores = 0;
  for (const [i, token] of tokens.entries()) {
    const text = await (
      await fetch(`${baseUrl}/demo/submit`, submission(token, i % 2 === 0))
    ).text();
    if (!/verified(&quot;|"): ?true/.test(text))
      throw new Error(`the demo took no good token: ${text}`);
    if (/score(&quot;|")|0\.05/.test(text)) scores += 1;
  }
  return scores;
}

/** The site key of another site in the account of the demo's site. */
async function makeSite({ dataDirectory }: RunningService): Promise<string> {
  const store = await openSqliteStore({ file: openDataDirectory(dataDirectory).databaseFile });
  try {
    const [account] = await store.sites.listAccounts();
    const owner = { accountId: account?.accountId ?? "", actor: OPERATOR };
    const made = await createSite(await openOperatorPorts(store), owner, {
      name: "Shop",
      domains: ["shop.example"],
    });
    if (made.kind !== "created") throw new Error(`the site was not created: ${made.kind}`);
    return made.site.siteKey;
  } finally {
    await store.close();
  }
}

/**
 * How many of HONEST visitors of another site of the account get a challenge while the demo is
 * flooded.
 */
async function countServed(service: RunningService): Promise<number> {
  const shop = await makeSite(service);
  const draw = async (siteKey: string, address: string): Promise<number> => {
    const headers = { "X-Forwarded-For": address };
    return (await fetch(`${service.baseUrl}/api/v1/pow/challenge?site_key=${siteKey}`, { headers }))
      .status;
  };
  for (let i = 0; i < FLOOD; i++) await draw(service.siteKey, `203.${i % 250}.${i >> 2}.7`);
  let served = 0;
  for (let i = 0; i < HONEST; i++) if ((await draw(shop, `198.51.${i}.9`)) === 200) served += 1;
  return served;
}

/**
 * The demo of a public service: found by strangers, read for scores, and drained to block the
 * account's real forms.
 */
export const publicDemo: Trial = {
  name: "public-demo",
  tries:
    "to find the demo behind a proxy, to read one's own score there, and to drain the account's challenges by it",
  run: async (say) => {
    const { STILE_BASE_URL, STILE_TRUSTED_PROXIES } = BEHIND_A_PROXY;
    let answered = 0;
    for (const settings of [BEHIND_A_PROXY, { STILE_BASE_URL }, { STILE_TRUSTED_PROXIES }]) {
      answered += await withService(settings, countAnswered);
    }
    say("the operator turned the demo on ...");
    const scores = await withService({ ...BEHIND_A_PROXY, STILE_DEMO: "on" }, countScores);
    const served = await withService({ ...BEHIND_A_PROXY, STILE_DEMO: "on" }, countServed);
    const figures: readonly Figure[] = [
      {
        name: "answers of the demo behind a proxy",
        value: answered,
        unit: "",
        bound: { kind: "at_most", value: 0 },
      },
      {
        name: `scores readable by a visitor in ${SUBMISSIONS} submissions`,
        value: scores,
        unit: "",
        bound: { kind: "at_most", value: 0 },
      },
      {
        name: `of ${HONEST} visitors of another site, served after ${FLOOD} draws of the demo's`,
        value: served,
        unit: "",
        bound: { kind: "at_least", value: HONEST },
      },
    ];
    return figures;
  },
};
