import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cookieFrom, decodeBase32, deviceFrom, totpCode } from "@stile/testkit/browser/ways-in";
import { type ApiAnswer, callApi, closeConnections } from "@stile/testkit/contract/call";
import { withWork } from "@stile/testkit/minting/puzzle-solving";
import { runStile } from "@stile/testkit/service/run-command";
import {
  findWritten,
  formsOf,
  formsOfBytes,
  readWritten,
} from "@stile/testkit/service/secret-search";
import { type RunningService, startService } from "@stile/testkit/service/service";

const PASSWORDS = {
  first: "c4n4ry first of nine lanterns",
  second: "c4n4ry second of nine lanterns",
  wrong: "c4n4ry wrong of nine lanterns",
  ofMember: "c4n4ry of the ninth member",
} as const;
const WRONG_CODE = "c4n4ryc0d3";
const WRONG_TOKEN = "c4n4ryT0ken-c4n4ryT0ken-c4n4ryT0ken-c4n4ryT";
const USER_AGENT = "Canary-5f1e/7.7 (c4n4ry-agent)";

let service: RunningService;

before(async () => {
  service = await startService({ STILE_LOG_LEVEL: "debug" });
});

after(async () => {
  closeConnections();
  await service?.dispose();
});

type Call = {
  readonly body?: object;
  readonly cookie?: string | undefined;
  readonly method?: string;
};

async function call(path: string, { body, cookie, method }: Call): Promise<ApiAnswer> {
  const headers = {
    origin: service.baseUrl,
    "user-agent": USER_AGENT,
    ...(cookie !== undefined && { cookie }),
  };
  const way = method ?? (body === undefined ? "GET" : "POST");
  const send = (path: string, body: object | undefined) =>
    callApi(service.baseUrl, { method: way, path: `/dashboard/api/${path}`, headers, body });
  return send(path, await withWork(path, body, send));
}

type Canaries = Record<string, readonly Buffer[]>;

const canaries: Canaries = {};

function plant(name: string, text: string): string {
  canaries[name] = formsOf(text);
  return text;
}

async function expectOk(path: string, sent: Call): Promise<ApiAnswer> {
  const answer = await call(path, sent);
  assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
  return answer;
}

/**
 * Remembers the tokens of the session and of the known browser as canaries; returns the session's
 * Cookie header.
 */
function keepSession(name: string, answer: ApiAnswer): string {
  const device = deviceFrom(answer) ?? "";
  assert.match(device, /^stile-device=.{80}/);
  plant(`${name}'s browser`, device.slice(device.indexOf("=") + 1));
  const cookie = cookieFrom(answer) ?? "";
  const token = plant(name, cookie.slice(cookie.indexOf("=") + 1));
  canaries[`${name}, decoded`] = formsOfBytes(Buffer.from(token, "base64url"));
  return cookie;
}

function keepRecoveryCode(name: string, code: string): void {
  plant(name, code);
  plant(`${name}, ungrouped`, code.replaceAll("-", ""));
}

function keepLink(name: string, url: string): string {
  return plant(name, new URL(url).hash.slice(1));
}

/**
 * The owner signs up with the set-up link and turns on an authenticator app. Returns the session
 * and the app's secret.
 */
async function setUp(): Promise<{ cookie: string; secret: Buffer }> {
  const { stdout } = await runStile(["init", "--json"], { STILE_DATA_DIR: service.dataDirectory });
  const token = keepLink(
    "the set-up link",
    (JSON.parse(stdout) as { setup_url: string }).setup_url,
  );
  const password = plant("the first password", PASSWORDS.first);
  const body = { token, email: "owner@example.org", name: "Owner", password };
  const cookie = keepSession("the first session", await expectOk("link/accept", { body }));
  const { data } = (await expectOk("me/totp", { body: {}, cookie })).body;
  const secret = decodeBase32(plant("the app's secret", String(data.secret)));
  canaries["the app's secret, decoded"] = formsOfBytes(secret);
  plant("the enrolment's ticket", String(data.ticket));
  const code = totpCode(secret, Date.now());
  const confirmed = await expectOk("me/totp/confirm", {
    body: { ticket: data.ticket, code },
    cookie,
  });
  for (const [at, text] of (confirmed.body.data.recoveryCodes as string[]).entries()) {
    keepRecoveryCode(`recovery code ${at}`, text);
  }
  return { cookie, secret };
}

/** Uses every path on which a member's secret comes in or goes out. */
async function useEverything(): Promise<void> {
  const { cookie, secret } = await setUp();
  const email = "owner@example.org";
  const wrong = { email, password: plant("a wrong password", PASSWORDS.wrong) };
  assert.equal((await call("sign-in", { body: wrong })).status, 401);
  const right = { email, password: PASSWORDS.first };
  assert.equal(
    (await call("sign-in", { body: { ...right, code: plant("a wrong code", WRONG_CODE) } })).status,
    401,
  );
  // The code of the next time step: this one's was used up.
  const code = totpCode(secret, Date.now() + 30_000);
  keepSession("the second session", await expectOk("sign-in", { body: { ...right, code } }));
  await expectOk("prove", { body: { password: PASSWORDS.first }, cookie });
  const currentPassword = PASSWORDS.first;
  const changed = { password: plant("the second password", PASSWORDS.second), currentPassword };
  await expectOk("me/password", { body: changed, cookie });
  const renewed = (await expectOk("me/recovery-codes", { body: {}, cookie })).body.data
    .recoveryCodes as string[];
  for (const [at, text] of renewed.entries()) keepRecoveryCode(`new recovery code ${at}`, text);
  const entering = { email, password: PASSWORDS.second, code: renewed[0] };
  keepSession("the session of a recovery code", await expectOk("sign-in", { body: entering }));

  const invited = await expectOk("members", { body: { role: "viewer" }, cookie });
  const invitation = keepLink("the invitation", String(invited.body.data.url));
  const password = plant("the member's password", PASSWORDS.ofMember);
  const joining = { token: invitation, email: "member@example.org", name: "Member", password };
  const joined = await expectOk("link/accept", { body: joining });
  const theirs = keepSession("the member's session", joined);
  const { data } = (await expectOk("me", { cookie: theirs })).body;
  const { userId } = data.user as { userId: string };
  const reset = await expectOk(`members/${userId}/reset`, { body: {}, cookie });
  keepLink("the reset link", String(reset.body.data.url));

  const bogus = plant("a bogus token", WRONG_TOKEN);
  assert.equal((await call("me", { cookie: `__Host-stile=${bogus}` })).status, 401);
  assert.equal((await call("link", { body: { token: bogus } })).status, 404);
  assert.equal((await call("link/accept", { body: { ...joining, token: bogus } })).status, 404);
  const options = await expectOk("me/passkeys/options", { body: {}, cookie });
  plant("a passkey's ticket", String(options.body.data.ticket));
  const raw = `{"email":"${email}","password":"${PASSWORDS.wrong}",`;
  const headers = { origin: service.baseUrl, "content-type": "application/json", cookie };
  const broken = await callApi(service.baseUrl, {
    path: "/dashboard/api/sign-in",
    body: raw,
    headers,
  });
  assert.equal(broken.status, 400);
  plant("the user agent", USER_AGENT);
}

test("no file or log of the service contains passwords, codes, cookies, links or the app's secret", async () => {
  await useEverything();
  const whileRunning = readWritten(service);
  await service.stop();
  const afterStop = readWritten(service);
  const files = new Set([...whileRunning.keys(), ...afterStop.keys()]);
  const size = [...whileRunning.values(), ...afterStop.values()].reduce(
    (sum, { length }) => sum + length,
    0,
  );
  console.log(
    `${Object.keys(canaries).length} canaries sought in ${[...files].join(", ")} (${size} bytes)`,
  );
  assert.ok(whileRunning.has("stile.sqlite-wal"), "the write-ahead log was searched");
  assert.deepEqual(findWritten(whileRunning, canaries), []);
  assert.deepEqual(findWritten(afterStop, canaries), []);
  const found = findWritten(afterStop, { "an email": formsOf("member@example.org") });
  assert.deepEqual(
    found,
    ["an email in stile.sqlite"],
    "the search must find what is there, and the log names nobody",
  );
});
