import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Cryptography } from "@stile/core/ports/cryptography";
import { cookieFrom } from "../browser/ways-in.ts";
import { type ApiAnswer, callApi } from "../contract/call.ts";
import { mintToken } from "../minting/mint-tokens.ts";
import { type CallAsOwner, callAs, OWNER, takeLink } from "./owner.ts";

/**
 * Two nodes, one for a change and one at which it must take effect, and the owner's session at
 * both.
 */
export type Across = {
  readonly from: string;
  readonly at: string;
  readonly cookie: string;
  readonly cryptography: Cryptography;
};

/** The tried changes, each with whether it took effect. */
export type HeldChanges = readonly {
  readonly what: string;
  readonly holds: boolean;
  readonly told: string;
}[];

/**
 * For visitors, a change at one node takes effect at the other within this time, ms (D3, single
 * use).
 */
const FOLLOWS_MS = 2_000;
const ASK_EVERY_MS = 50;
const ORIGIN = "http://localhost";

type SiteAnswer = { readonly site: { readonly siteKey: string }; readonly secretKey: string };

/** Asks until the answer has that status, or time is up. */
async function follows(ask: () => Promise<ApiAnswer>, status: number): Promise<ApiAnswer> {
  for (const sinceMs = performance.now(); ; await delay(ASK_EVERY_MS)) {
    const isLast = performance.now() - sinceMs > FOLLOWS_MS;
    const answer = await ask();
    if (isLast || answer.status === status) return answer;
  }
}

function redeemAt(baseUrl: string, secretKey: string, token: string): Promise<ApiAnswer> {
  const headers = { authorization: `Bearer ${secretKey}` };
  return callApi(baseUrl, { path: "/api/v1/token/verify", headers, body: { token } });
}

/**
 * Makes at one node all changes of an owner to sites, keys and members; checks that they take
 * effect at the other.
 */
export async function tryChanges(across: Across): Promise<HeldChanges> {
  const { from, at, cookie, cryptography } = across;
  const owner: CallAsOwner = callAs(cookie);
  const tried: { what: string; holds: boolean; told: string }[] = [];
  const expect = (what: string, answer: ApiAnswer, holds: boolean): void => {
    tried.push({
      what,
      holds,
      told: holds ? "" : `${answer.status} ${JSON.stringify(answer.body)}`,
    });
  };
  const expectStatus = (what: string, answer: ApiAnswer, status = 200): void =>
    expect(what, answer, answer.status === status);
  const name = `Across ${randomBytes(6).toString("hex")}`;
  const challengeAt = (siteKey: string) => () =>
    callApi(at, {
      method: "GET",
      path: `/api/v1/pow/challenge?site_key=${siteKey}`,
      headers: { origin: ORIGIN },
    });

  const created = await owner(from, "sites", { name, domains: ["localhost"] });
  expectStatus("a site is made", created);
  const { site, secretKey } = created.body.data as SiteAnswer;
  const { siteKey } = site;
  const redeems = async (what: string, baseUrl: string, key: string): Promise<void> => {
    const answer = await redeemAt(baseUrl, key, mintToken(cryptography, siteKey, {}));
    expect(what, answer, answer.status === 200 && answer.body.data?.verified === true);
  };
  const refuses = async (what: string, key: string, status: number): Promise<void> => {
    const answer = await redeemAt(at, key, mintToken(cryptography, siteKey, {}));
    expect(what, answer, answer.status === status && answer.body.data?.verified !== true);
  };
  expectStatus("a site that was made gives challenges", await challengeAt(siteKey)());
  await redeems("a site that was made redeems", at, secretKey);

  const rotated = await owner(from, `sites/${siteKey}/rotate`, {});
  expectStatus("a key is rotated", rotated);
  const { secretKey: nextKey } = rotated.body.data as SiteAnswer;
  await redeems("a rotated key still works", at, secretKey);
  await redeems("the next key works", at, nextKey);
  expectStatus("the replaced key is revoked", await owner(from, `sites/${siteKey}/revoke`, {}));
  await refuses("a revoked key is unknown", secretKey, 401);

  const setEnabled = async (baseUrl: string, isEnabled: boolean): Promise<void> => {
    const { body } = await owner(baseUrl, `sites/${siteKey}`);
    const change = { revision: (body.data as { revision: number }).revision, isEnabled };
    expectStatus(
      `isEnabled: ${isEnabled}`,
      await owner(baseUrl, `sites/${siteKey}`, change, "PATCH"),
    );
  };
  await setEnabled(from, false);
  await refuses("a disabled site redeems nothing", nextKey, 200);
  expectStatus(
    "a disabled site gives no challenges",
    await follows(challengeAt(siteKey), 403),
    403,
  );
  await setEnabled(at, true);
  await redeems("an enabled site redeems where it was disabled", from, nextKey);

  const invited = await owner(from, "members", { role: "viewer" });
  expectStatus("an invitation is made", invited);
  const email = `${randomBytes(6).toString("hex")}@example.org`;
  const member = callAs(await takeLink(at, (invited.body.data as { url: string }).url, email));
  expectStatus("a session that began there is known", await member(from, "me"));
  expectStatus("it signs out", await member(from, "sign-out", {}));
  expectStatus("a session that was ended is over", await member(at, "me"), 401);
  const signedIn = await callAs(undefined)(at, "sign-in", OWNER);
  expectStatus("the owner signs in by the password", signedIn);
  expectStatus("that session is known", await callAs(cookieFrom(signedIn))(from, "me"));

  const looks = [
    "sites",
    `sites/${siteKey}`,
    `sites/${siteKey}/decisions`,
    "members",
    "me/sessions",
    "audit",
    "system",
  ];
  for (const path of looks) expectStatus(`GET ${path}`, await owner(at, path));

  expectStatus("a site is deleted", await owner(from, `sites/${siteKey}`, { name }, "DELETE"));
  await refuses("a deleted site redeems nothing", nextKey, 401);
  expectStatus("a deleted site gives no challenges", await follows(challengeAt(siteKey), 404), 404);
  return tried;
}
