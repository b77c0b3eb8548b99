import { DASHBOARD_ROUTES } from "@stile/server/http/dashboard/routes";
import { decodeBase32, totpCode } from "@stile/testkit/browser/ways-in";
import { type ApiAnswer, callApi, closeConnections } from "@stile/testkit/contract/call";
import { runStile } from "@stile/testkit/service/run-command";
import { type RunningService, startService } from "@stile/testkit/service/service";
import type { Figure, Trial } from "@stile/testkit/trials/trial";

const PASSWORD = "pale otters count nine lanterns";
const OTHER_PASSWORD = "slow rivers under nine bridges";
const CONNECTIONS = 20;
/** Guesses at one link's code; each comes from another address. */
const GUESSES = 30;

/** Of the most used passwords, the first fifty that a rule about length alone accepts. */
const USED_MOST = [
  ...[
    "qwertyuiop",
    "1234567890",
    "q1w2e3r4t5",
    "1q2w3e4r5t",
    "4815162342",
    "0987654321",
    "12345qwert",
    "123456789a",
  ],
  ...[
    "1234554321",
    "1111111111",
    "123456789q",
    "1029384756",
    "password123",
    "basketball",
    "123qweasdzxc",
  ],
  ...[
    "12345678910",
    "manchester",
    "1qaz2wsx3edc",
    "0123456789",
    "q1w2e3r4t5y6",
    "1123581321",
    "1q2w3e4r5t6y",
  ],
  ...[
    "qwerty12345",
    "1234512345",
    "1122334455",
    "qazwsxedcrfv",
    "123456qwerty",
    "1234567890q",
    "0000000000",
  ],
  ...[
    "qwerty123456",
    "5555555555",
    "terminator",
    "9876543210",
    "california",
    "enterprise",
    "123456789z",
    "poiuytrewq",
  ],
  ...[
    "translator",
    "christopher",
    "undertaker",
    "a123456789",
    "motherlode",
    "qwerty1234",
    "salamander",
    "qwertyqwerty",
  ],
  ...["123456654321", "syncmaster", "aleksandra", "tinkerbell", "ghostrider"],
];

/**
 * The routes that a member without a demanded second factor may call: those that set one up, and
 * those needed to get there.
 */
const SETTING_UP = [
  ...["GET me", "POST sign-out", "POST prove", "POST prove/passkey/options", "POST prove/passkey"],
  ...["POST me/totp", "POST me/totp/confirm", "POST me/passkeys/options", "POST me/passkeys"],
];

/** A browser: its cookies, and its address. */
type Browser = { readonly cookie: string; readonly from: string };
type Ask = (
  path: string,
  body?: object,
  caller?: Partial<Browser>,
  method?: string,
) => Promise<ApiAnswer>;
type Household = {
  readonly ask: Ask;
  readonly owner: Browser;
  readonly member: Browser;
  readonly codes: string[];
};

const EMAIL = "member@example.org";

let addresses = 0;
/** One of this machine's addresses that made no attempt yet. */
function newAddress(): string {
  addresses += 1;
  return `127.8.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}`;
}

function askOf({ baseUrl }: RunningService): Ask {
  return (path, body = {}, { cookie, from = newAddress() } = {}, method = "POST") => {
    const headers = { origin: baseUrl, ...(cookie !== undefined && { cookie }) };
    return callApi(baseUrl, {
      method,
      path: `/dashboard/api/${path}`,
      headers,
      from,
      ...(method !== "GET" && { body }),
    });
  };
}

function cookiesOf({ headers }: ApiAnswer): string {
  const lines: unknown = headers["set-cookie"];
  return Array.isArray(lines) ? lines.map((line) => String(line).split(";")[0]).join("; ") : "";
}

const tokenOf = (url: unknown): string => new URL(String(url)).hash.slice(1);

async function join(ask: Ask, token: string, email: string): Promise<Browser> {
  const from = newAddress();
  const answer = await ask(
    "link/accept",
    { token, email, name: email, password: PASSWORD },
    { from },
  );
  if (answer.status !== 200)
    throw new Error(`the owner could not join: ${answer.body.error?.message}`);
  return { cookie: cookiesOf(answer), from };
}

/** Turns on an authenticator app; returns the recovery codes that came with it. */
async function enableApp(ask: Ask, browser: Browser): Promise<string[]> {
  const { data } = (await ask("me/totp", {}, browser)).body;
  const code = totpCode(decodeBase32(String(data.secret)), Date.now());
  const answer = await ask("me/totp/confirm", { ticket: data.ticket, code }, browser);
  if (answer.status !== 200) throw new Error(`no app was turned on: ${answer.body.error?.message}`);
  return (answer.body.data.recoveryCodes as string[] | undefined) ?? [];
}

async function invite(ask: Ask, owner: Browser, role: string): Promise<string> {
  return tokenOf((await ask("members", { role }, owner)).body.data.url);
}

/** An owner and a member, both with an authenticator app. */
async function settle(service: RunningService): Promise<Household> {
  const ask = askOf(service);
  const { stdout } = await runStile(["init", "--json"], { STILE_DATA_DIR: service.dataDirectory });
  const owner = await join(
    ask,
    tokenOf((JSON.parse(stdout) as { setup_url: string }).setup_url),
    "owner@example.org",
  );
  await enableApp(ask, owner);
  const member = await join(ask, await invite(ask, owner, "developer"), EMAIL);
  return { ask, owner, member, codes: await enableApp(ask, member) };
}

const isEntered = ({ status }: ApiAnswer): boolean => status === 200;

/** Accepts reset links without the second factor, in every way that the form has or had. */
async function takeOver({ ask, owner, member }: Household): Promise<readonly Figure[]> {
  const { userId } = (await ask("me", {}, member, "GET")).body.data.user as { userId: string };
  const newToken = async () =>
    tokenOf((await ask(`members/${userId}/reset`, {}, owner)).body.data.url);
  const passkey = { ticket: "AAAA", response: { id: "AAAA" } };
  const ways = [
    {},
    { removeSecondFactors: true },
    { removesSecondFactors: true },
    { code: "" },
    { passkey },
  ];
  const take = async (token: string, way: object) =>
    ask("link/accept", { token, email: "", name: "", password: OTHER_PASSWORD, ...way });
  let entries = 0;
  for (const way of ways) entries += Number(isEntered(await take(await newToken(), way)));
  const token = await newToken();
  const guesses = Array.from({ length: GUESSES }, (_, at) =>
    take(token, { code: String(at).padStart(6, "0") }),
  );
  const answers = await Promise.all(guesses);
  entries += answers.filter(isEntered).length;
  const checked = answers.filter(
    ({ status, body }) => status === 200 || body.error?.code === "wrong_credentials",
  ).length;
  return [
    {
      name: "entries by a reset link alone",
      value: entries,
      unit: "",
      bound: { kind: "at_most", value: 0 },
    },
    {
      name: `codes judged of ${GUESSES} tried at one link`,
      value: checked,
      unit: "",
      bound: { kind: "at_most", value: 5 },
    },
  ];
}

/** Uses one recovery code on many connections at once, with the correct password. */
async function reuseCode({
  ask,
  member,
  codes: [code = ""],
}: Household): Promise<readonly Figure[]> {
  const claim = { email: EMAIL, password: PASSWORD, code };
  const enter = () => ask("sign-in", claim, member);
  const answers = await Promise.all(Array.from({ length: CONNECTIONS }, enter));
  const value = answers.filter(isEntered).length;
  const name = `entries by one recovery code on ${CONNECTIONS} connections`;
  return [
    { name, value, unit: "", bound: { kind: "at_most", value: 1 } },
    { name: "entries by it at all", value, unit: "", bound: { kind: "at_least", value: 1 } },
  ];
}

/** Chooses the most used passwords, as a member who changes their own and as one who joins. */
async function chooseUsedMost({ ask, owner }: Household): Promise<readonly Figure[]> {
  let accepted = 0;
  let currentPassword = PASSWORD;
  const token = await invite(ask, owner, "viewer");
  for (const password of USED_MOST) {
    const changed = await ask("me/password", { password, currentPassword }, owner);
    if (isEntered(changed)) currentPassword = password;
    const joined = await ask("link/accept", { token, email: "v@example.org", name: "V", password });
    accepted += Number(isEntered(changed)) + Number(isEntered(joined));
  }
  const name = `accepted of the ${USED_MOST.length} passwords used most`;
  return [{ name, value: accepted, unit: "", bound: { kind: "at_most", value: 0 } }];
}

/** Calls every route as an owner who lacks the second factor that the account demands. */
async function goWithoutFactor({ ask, owner }: Household): Promise<readonly Figure[]> {
  await ask("account/second-factor", { isDemanded: true }, owner, "PUT");
  const bare = await join(ask, await invite(ask, owner, "owner"), "bare@example.org");
  let tried = 0;
  let admitted = 0;
  for (const { method, path, role } of DASHBOARD_ROUTES) {
    if (role === "anyone" || SETTING_UP.includes(`${method} ${path}`)) continue;
    tried += 1;
    const answer = await ask(path.replaceAll(/:\w+/g, "AAAA"), {}, bare, method);
    admitted += Number(answer.body.error?.code !== "second_factor_demanded");
  }
  const name = `of ${tried} routes, open to members without a required second factor`;
  return [{ name, value: admitted, unit: "", bound: { kind: "at_most", value: 0 } }];
}

/**
 * Attacks on an account's members by people who are almost in: with a link, a password, or a
 * session.
 */
export const resetLink: Trial = {
  name: "reset-link",
  tries:
    "enters by a reset link without the second factor, by a recovery code twice, and past a demanded factor",
  run: async (say) => {
    const service = await startService({ STILE_LOG_LEVEL: "silent", STILE_DEMO: "off" });
    try {
      const household = await settle(service);
      say("reset links ...");
      const codes = await reuseCode(household);
      const taken = await takeOver(household);
      say("passwords and routes ...");
      return [
        ...taken,
        ...codes,
        ...(await chooseUsedMost(household)),
        ...(await goWithoutFactor(household)),
      ];
    } finally {
      closeConnections();
      await service.dispose();
    }
  },
};
