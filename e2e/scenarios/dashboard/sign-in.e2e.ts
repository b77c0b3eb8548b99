import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Member } from "@stile/core/domain/account/member";
import {
  cookieFrom,
  decodeBase32,
  deviceFrom,
  openWayIn,
  totpCode,
  type WayIn,
} from "@stile/testkit/browser/ways-in";
import type { ApiAnswer } from "@stile/testkit/contract/call";
import { newMember, newSession, PASSWORD } from "@stile/testkit/contract/dashboard";

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
/**
 * After this pause no earlier attempt counts: limits per quarter of an hour use a sliding window.
 */
const PAUSE_MS = 2 * QUARTER_MS;
/** The owner's address. */
const HOME = "192.0.2.7";

let way: WayIn;
let owner: { readonly email: string; readonly cookie: string };

before(async () => {
  way = await openWayIn();
  const email = "owner@example.org";
  const body = { token: way.service.service.setupToken, email, name: "Owner", password: PASSWORD };
  const answer = await way.call("link/accept", body, { from: HOME });
  owner = { email, cookie: cookieFrom(answer) ?? "" };
  home = deviceFrom(answer);
});

after(async () => {
  await way?.service.dispose();
});

async function findOwner(): Promise<Member> {
  const member = await way.fixture.store.members.findMemberByEmail(owner.email);
  assert.ok(member);
  return member;
}

async function ownAccount(): Promise<string> {
  return (await findOwner()).accountId;
}

/** The cookie of the browser that the owner signed in with. */
let home: string | undefined;

/** A new session of the owner, with the strongest proof of identity. */
async function freshOwnerSession(): Promise<{ cookie: string }> {
  return newSession(way.fixture, await findOwner());
}

/** An address of its own for the n-th attacker. */
const attacker = (n: number): string => `203.0.${113 + Math.floor(n / 250)}.${1 + (n % 250)}`;

/**
 * Counts the answers to attempts that the service really checked. It checks no password if the
 * caller is limited, or did less work than the service now requires. Guesses made between a puzzle
 * and its solution may have made the puzzle too easy.
 */
function countChecked(answers: readonly ApiAnswer[]): number {
  return answers.filter(
    ({ status, body }) => status !== 429 && body.error?.code !== "puzzle_needed",
  ).length;
}

/** The answers that were not limited, to explain a failure. */
function saidBy(answers: readonly ApiAnswer[]): string {
  return answers
    .flatMap(({ status, body }) => (status === 429 ? [] : `${status} ${body.error?.code}`))
    .join(", ");
}

function guess(n: number, email: string, from = attacker(n)): Promise<ApiAnswer> {
  return way.call("sign-in", { email, password: `guess number ${n}` }, { from });
}

async function inTurn(
  count: number,
  make: (n: number) => Promise<ApiAnswer>,
): Promise<ApiAnswer[]> {
  const answers = [];
  for (let n = 0; n < count; n++) answers.push(await make(n));
  return answers;
}

/** The content of an answer, without the parts that differ in every answer. */
function tell({ status, headers, body }: ApiAnswer): unknown {
  const { "x-request-id": _id, date: _date, ...rest } = headers;
  return { status, headers: rest, body: { ...body, error: { ...body.error, request_id: "" } } };
}

test("one address gets 10 attempts a minute, for any emails and in any spelling of the address", async () => {
  const ways = [
    (_n: number) => "198.51.100.1",
    (n: number) => `2001:db8:1:1::${n + 1}`,
    (n: number) => `198.51.100.2:${1000 + n}`,
    (n: number) => `198.51.100.${n + 10}, 198.51.100.3`,
  ];
  for (const from of ways) {
    way.advance(MINUTE_MS);
    const answers = await inTurn(30, (n) => guess(n, `somebody-${n}@example.org`, from(n)));
    assert.equal(countChecked(answers), 10, from(0));
  }
});

test("all addresses of a network share 5 guesses at a password in 15 minutes, at once or in turn", async () => {
  const { email } = owner;
  for (let round = 0; round < 3; round++) {
    way.advance(PAUSE_MS);
    const atOnce = await Promise.all(Array.from({ length: 60 }, (_, n) => guess(n, email)));
    const inTurnAfter = await inTurn(20, (n) => guess(100 + n, ` ${email.toUpperCase()} `));
    assert.ok(countChecked(atOnce) <= 5 && countChecked(atOnce) > 0, saidBy(atOnce));
    assert.equal(countChecked(inTurnAfter), 0, "another spelling of an email is the same email");
    const lucky = await way.call("sign-in", { email, password: PASSWORD }, { from: attacker(200) });
    assert.equal(
      lucky.status,
      429,
      "beyond the limit not even the right password lets a stranger in",
    );
  }
});

test("all networks together share 25 guesses at a password in 15 minutes, at once or in turn", async () => {
  const { email } = owner;
  way.advance(PAUSE_MS);
  const from = (n: number): string => `198.18.${n}.1`;
  const atOnce = await Promise.all(Array.from({ length: 60 }, (_, n) => guess(n, email, from(n))));
  const inTurnAfter = await inTurn(40, (n) => guess(100 + n, email, from(100 + n)));
  assert.ok(countChecked(atOnce) > 0 && countChecked(atOnce) + countChecked(inTurnAfter) <= 25);
});

test("during an attack the owner still signs in from a known browser, from any address", async () => {
  await inTurn(40, (n) => guess(n, owner.email, `198.18.${n}.1`));
  const right = { email: owner.email, password: PASSWORD };
  assert.equal(
    (await way.call("sign-in", right, { from: "198.18.1.1" })).status,
    429,
    "another browser",
  );
  for (const from of [HOME, "198.18.1.1"]) {
    const answer = await way.call(
      "sign-in",
      { ...right, puzzle: undefined },
      { from, cookie: home },
    );
    assert.equal(answer.status, 200, from);
  }
});

test("known and unknown emails get the same answers, attempt by attempt, after the same work", async () => {
  way.advance(PAUSE_MS);
  const accountId = await ownAccount();
  const member = await newMember(way.fixture, accountId, "viewer");
  const bare = await newMember(way.fixture, accountId, "viewer", { passwordHash: null });
  const told = [];
  const medians = [];
  for (const [index, email] of [member.email, bare.email, "nobody@example.org"].entries()) {
    const answers = [];
    const times = [];
    for (let n = 0; n < 8; n++) {
      const startMs = performance.now();
      answers.push(await guess(n, email, `198.18.${index}.${n}`));
      times.push(performance.now() - startMs);
    }
    told.push(answers.map(tell));
    medians.push(
      times
        .slice(0, 5)
        .sort((a, b) => a - b)[2]
        ?.toFixed(1),
    );
  }
  assert.deepEqual(told[0], told[2]);
  assert.deepEqual(told[1], told[2]);
  console.log(
    `refused in ms (median): known ${medians[0]}, without password ${medians[1]}, unknown ${medians[2]}`,
  );
});

test("codes of an authenticator app have the limits of passwords, and each signs in once", async () => {
  way.advance(PAUSE_MS);
  const { cookie } = await freshOwnerSession();
  const begun = await way.call("me/totp", {}, { from: HOME, cookie });
  const secret = decodeBase32(String(begun.body.data.secret));
  const codeNow = (): string => totpCode(secret, way.service.nowMs);
  const { ticket } = begun.body.data;
  assert.equal(
    (await way.call("me/totp/confirm", { ticket, code: codeNow() }, { from: HOME, cookie })).status,
    200,
  );
  const enter = (code: string, from: string) =>
    way.call(
      "sign-in",
      { email: owner.email, password: PASSWORD, code },
      { from, ...(from === HOME && { cookie: home }) },
    );

  way.advance(PAUSE_MS);
  const right = codeNow();
  const wrong = (n: number): string => String((Number(right) + 1 + n) % 1_000_000).padStart(6, "0");
  const strangers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => enter(wrong(n), attacker(n))),
  );
  assert.ok(countChecked(strangers) <= 5, `${countChecked(strangers)} codes guessed by strangers`);
  const athome = await inTurn(9, (n) => enter(wrong(40 + n), HOME));
  assert.equal(countChecked(athome), 9);

  const entered = await enter(right, HOME);
  assert.equal(entered.status, 200);
  way.advance(PAUSE_MS);
  const fresh = codeNow();
  const race = await Promise.all(Array.from({ length: 8 }, () => enter(fresh, HOME)));
  assert.equal(
    race.filter(({ status }) => status === 200).length,
    1,
    "one of eight sign-ins with the same code succeeds",
  );
  way.advance(MINUTE_MS);
  assert.equal((await enter(fresh, HOME)).status, 401, "a code that was used");
  way.advance(PAUSE_MS);
  const [first, second] = [codeNow(), totpCode(secret, way.service.nowMs + 30_000)];
  assert.equal((await enter(second, HOME)).status, 200, "a clock that is fast");
  assert.equal((await enter(first, HOME)).status, 401, "a code older than the last one used");
});

test("a thief of a session gets 10 tries at its password in 15 minutes", async () => {
  way.advance(PAUSE_MS);
  const { cookie } = await freshOwnerSession();
  const answers = await inTurn(25, (n) =>
    way.call("prove", { password: `guess ${n}` }, { from: attacker(n), cookie }),
  );
  assert.equal(countChecked(answers), 10);
});

test("an ended session and a removed member's sessions fail with the next call, when a lower role applies too", async () => {
  const { cookie } = await freshOwnerSession();
  const admin = await newSession(
    way.fixture,
    await newMember(way.fixture, await ownAccount(), "admin"),
  );
  const other = await newSession(way.fixture, admin.member);
  const ask = (path: string, caller: string) =>
    way.call(path, undefined, { from: HOME, cookie: caller });
  const { sessionId } = other.session;
  const ended = await way.call(
    `me/sessions/${sessionId}`,
    {},
    { from: HOME, cookie: admin.cookie, method: "DELETE" },
  );
  assert.equal(ended.status, 200);
  assert.equal((await ask("me", other.cookie)).status, 401);

  assert.equal((await ask("audit", admin.cookie)).status, 200);
  const { userId } = admin.member;
  const lowered = await way.call(
    `members/${userId}`,
    { role: "viewer" },
    { from: HOME, cookie, method: "PATCH" },
  );
  assert.equal(lowered.status, 200);
  assert.equal((await ask("audit", admin.cookie)).status, 403);
  assert.equal((await ask("sites", admin.cookie)).status, 200);

  const removed = await way.call(`members/${userId}`, {}, { from: HOME, cookie, method: "DELETE" });
  assert.equal(removed.status, 200);
  assert.equal((await ask("sites", admin.cookie)).status, 401);
});

test("no neighbour of a session's token is a session, and neither are two tokens at once", async () => {
  const { cookie } = await freshOwnerSession();
  const token = cookie.slice("__Host-stile=".length);
  const flipped = [...token].map((character, at) => {
    return token.slice(0, at) + (character === "A" ? "B" : "A") + token.slice(at + 1);
  });
  const bad = [
    ...flipped,
    `${token}=`,
    `${token}A`,
    token.slice(1),
    token.toLowerCase(),
    encodeURIComponent(`${token} `),
    `"${token}"`,
    `${token}\u0000`.replace("\u0000", "%00"),
  ].map((text) => `__Host-stile=${text}`);
  const others = [
    `${cookie}; ${cookie}`,
    `${cookie}; __Host-stile=${flipped[0]}`,
    cookie.toLowerCase(),
    `a=${token}`,
  ];
  for (const header of [...bad, ...others]) {
    const { status } = await way.call("me", undefined, { from: HOME, cookie: header });
    assert.equal(status, 401, header);
  }
  assert.equal(
    (await way.call("me", undefined, { from: HOME, cookie: `a=b; ${cookie}; c=d` })).status,
    200,
  );
});

test("the set-up link expires after 15 minutes to the millisecond, and makes one owner, even in a race (D16, operator)", async () => {
  const late = await openWayIn();
  const token = late.service.service.setupToken ?? "";
  const open = () => late.call("link", { token }, { from: HOME });
  const take = (n: number, way: WayIn, text: string) =>
    way.call(
      "link/accept",
      { token: text, email: `owner-${n}@example.org`, name: "O", password: PASSWORD },
      { from: attacker(n) },
    );
  late.advance(QUARTER_MS - 1);
  assert.equal((await open()).status, 200);
  late.advance(1);
  assert.equal((await open()).status, 404);
  assert.equal((await take(0, late, token)).status, 404);
  await late.service.dispose();

  const raced = await openWayIn();
  const text = raced.service.service.setupToken ?? "";
  for (const near of [
    text.slice(1),
    `${text}A`,
    text.toLowerCase(),
    ` ${text}`,
    `${text.slice(0, -1)}_`,
    "",
  ]) {
    assert.equal((await take(0, raced, near)).status, 404, near);
  }
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => take(n, raced, text)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  const [account] = await raced.fixture.store.sites.listAccounts();
  assert.equal((await raced.fixture.store.members.listMembers(account?.accountId ?? "")).length, 1);
  assert.equal((await take(30, raced, text)).status, 404);
  await raced.service.dispose();
});
